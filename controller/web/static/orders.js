// The operator's buttons: the orders that are possible now.

import { at, button, h } from "./dom.js";
import { nameOf, opponentOf } from "./status.js";
import { t } from "./texts.js";

const LETTERS = ["W", "B"];
const RARE = ["CorrectRoll", "CorrectBoard", "Resign", "SetSeating", "WithdrawRoll"];
const ELSEWHERE = ["ChoosePlay"]; // in the question
const ORDER = [
  "EndTurn",
  "TakeDouble",
  "DropDouble",
  "Beaver",
  "AnswerResignation",
  "AcceptRoll",
  "Condone",
  "OfferDouble",
  "ConfirmResult",
  "NextGame",
  "Resume",
  "SettleDispute",
  "SetStarter",
  "TakeBackAnswer",
  "TakeBackPlay",
  "WithdrawRoll",
  "CorrectRoll",
  "CorrectBoard",
  "Resign",
  "SetSeating",
  "Pause",
  "CallDispute",
];

// `say(command)` sends a command; `open[name]` opens a dialog instead.
export function showOrders(state, say, open) {
  const place = at("orders");
  const key = JSON.stringify([state.orders, state.on_turn, state.cube, state.resignation, state.match]);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  const names = ORDER.filter((name) => state.orders.includes(name) && !ELSEWHERE.includes(name));
  const focused = place.contains(document.activeElement) ? document.activeElement.textContent : null;
  const often = names.filter((name) => !RARE.includes(name)).flatMap((name) => buttons(name, state, say, open));
  const rare = names.filter((name) => RARE.includes(name)).flatMap((name) => buttons(name, state, say, open));
  const wasOpen = place.querySelector("details")?.open ?? false;
  place.hidden = !names.length;
  place.replaceChildren(
    h("div", { class: "often" }, ...often),
    rare.length
      ? h("details", { open: wasOpen }, h("summary", {}, t("orders.more")), h("div", { class: "rare" }, ...rare))
      : "",
  );
  if (focused) [...place.querySelectorAll("button")].find((one) => one.textContent === focused)?.focus();
}

function buttons(name, state, say, open) {
  if (open[name]) return [orderButton(name, t(`order.${name}`), () => open[name]())];
  return commands(name, state).map(([command, key]) =>
    orderButton(
      name,
      t(key, {
        name: command.player ? nameOf(state, command.player) : "",
        value: state.cube?.raised ?? 0,
        score: state.match.score.join("-"),
        left: state.match.disputes.left?.[LETTERS.indexOf(command.player)] ?? 0,
      }),
      () => say(command),
    ),
  );
}

function commands(name, state) {
  const key = `order.${name}`;
  const offered = state.cube?.offered_by ? opponentOf(state.cube.offered_by) : null;
  switch (name) {
    case "OfferDouble":
      return [[{ command: name, player: state.on_turn }, key]];
    case "TakeDouble":
    case "DropDouble":
    case "Beaver":
      return [[{ command: name, player: offered }, key]];
    case "SetStarter":
      return LETTERS.map((player) => [{ command: name, player }, key]);
    case "AnswerResignation": {
      const player = opponentOf(state.resignation.player);
      return [
        [{ command: name, player, accept: true }, `${key}.accept`],
        [{ command: name, player, accept: false }, `${key}.refuse`],
      ];
    }
    case "ConfirmResult":
      return LETTERS.filter((player) => !state.match.confirmed_by.includes(player)).map((player) => [
        { command: name, player },
        key,
      ]);
    case "CallDispute":
      return disputes(name, state, key);
    case "SettleDispute":
      if (!state.match.disputes.caller) return [[{ command: name }, key]];
      return [
        [{ command: name, is_upheld: true }, `${key}.upheld`],
        [{ command: name, is_upheld: false }, `${key}.lost`],
      ];
    default:
      return [[{ command: name }, key]];
  }
}

// Where disputes are limited, it counts who calls one; what the director calls is not counted.
function disputes(name, state, key) {
  const { left } = state.match.disputes;
  const byPlayers = LETTERS.filter((player, number) => left?.[number] > 0).map((player) => [
    { command: name, player },
    `${key}.by`,
  ]);
  return state.phase === "dispute" ? byPlayers : [...byPlayers, [{ command: name }, key]];
}

function orderButton(name, words, act) {
  return button(words, act, { "data-order": name });
}
