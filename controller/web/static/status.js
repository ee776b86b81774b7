// The state in words: players, turn, phase, throw, lights.

import { at, h, write } from "./dom.js";
import { apart, notation, placesText, playerName, setScene, wordsOf } from "./wording.js";
import { knows, t } from "./texts.js";

const LETTERS = ["W", "B"];

export function nameOf(state, letter) {
  return playerName(letter === "W" ? state.match.white : state.match.black);
}

export function opponentOf(letter) {
  return letter === "W" ? "B" : "W";
}

export function coloursOf(state) {
  const white = state.seating.white_plays;
  return { W: white, B: white === "light" ? "dark" : "light" };
}

export function isBelow(state, letter) {
  return (letter === "W") === (state.seating.edge === "bottom");
}

export function showHeadings() {
  const titles = { log: t("log.title"), board: t("board.title"), status: t("status.title") };
  for (const [part, title] of Object.entries(titles)) write(at(`${part}-heading`), title);
  for (const part of ["log", "board"]) at(part).setAttribute("aria-label", titles[part]);
}

export function showHead(state, viewer) {
  const { match } = state;
  setScene(state);
  const table = state.office?.table; // a replay has none
  const game = knows(`game.${match.game}`) ? t(`game.${match.game}`) : match.title;
  write(at("title"), [table, game].filter(Boolean).join(" · "));
  write(at("mode"), t("head.mode", { mode: t(`mode.${match.mode}`) }));
  at("mode").title = t(`mode.${match.mode}.means`);
  const later = state.delay_s ? ".later" : "";
  write(at("viewer"), t(`viewer.${viewer}${later}`, { seconds: state.delay_s }));
  document.title = `${nameOf(state, "W")} – ${nameOf(state, "B")} ${match.score.join(":")} · ${table || "Zarbiter"}`;
}

// What does not answer at present; screen readers say it too.
export function showLost(state) {
  write(at("lost"), state.lost.map((part) => t(`head.lost.${part}`)).join(" · "));
}

// Which receivers of the match do not get everything; only the operator is told. The reason is in English.
export function showReceivers({ office }) {
  const place = at("receivers");
  const faults = office.receivers;
  const key = JSON.stringify(faults);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.hidden = !faults.length;
  place.replaceChildren(
    ...faults.map((fault) => {
      const receiver = `${t(`receivers.${fault.receiver}`)} ${apart(fault.place)}`.trim();
      const reason = h("span", { class: "hint", lang: "en", dir: "ltr" }, fault.sentence);
      return h("p", {}, t(`receivers.${fault.kind}`, { receiver }), " ", reason);
    }),
  );
}

// The player at the upper edge comes first.
// `flags` makes what stands before each name, where something does.
export function showPlayers(state, flags = {}) {
  const order = isBelow(state, "W") ? ["B", "W"] : ["W", "B"];
  const key = JSON.stringify([state.match, state.pips, state.on_turn, order, state.seating, state.cube, Boolean(state.clock)]);
  const place = at("players");
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...order.map((letter) => player(state, letter, flags[letter])), length(state.match));
}

function player(state, letter, flag) {
  const number = LETTERS.indexOf(letter);
  const colour = coloursOf(state)[letter];
  const isOnTurn = state.on_turn === letter && !state.match.winner;
  return h(
    "p",
    { class: isOnTurn ? "player on-turn" : "player" },
    h("span", { class: `sample ${colour}`, role: "img", "aria-label": t(`colour.${colour}`) }),
    flag && flag(),
    h("span", { class: "name" }, nameOf(state, letter)),
    state.cube?.owner === letter && h("span", { class: "cube-owned" }, String(state.cube.value)),
    isOnTurn && h("span", { class: "turn-mark" }, t("players.on-turn")),
    state.pips && h("span", { class: "pips" }, t("players.pips", { pips: state.pips[number] })),
    state.clock && h("span", { class: "clock", id: `clock-${letter}`, dir: "ltr" }),
    h(
      "span",
      { class: "score", "aria-label": t("players.points", { points: state.match.score[number] }) },
      String(state.match.score[number]),
    ),
  );
}

function length(match) {
  const words = match.length ? t("match.to", { length: match.length }) : t("match.money");
  const game = match.number ? t("match.game", { number: match.number }) : "";
  const crawford = match.is_crawford ? t("match.crawford") : "";
  return h("p", { class: "length" }, [words, game, crawford].filter(Boolean).join(" · "));
}

export function doingText(state) {
  const name = state.on_turn ? nameOf(state, state.on_turn) : "";
  if (state.match.winner) return `${t("doing.match-won", { name: nameOf(state, state.match.winner) })} ${confirmation(state)}`.trim();
  if (state.resignation) {
    const kind = t(`kind.${state.resignation.kind}`);
    return t("doing.resignation", { name: nameOf(state, state.resignation.player), kind });
  }
  if (state.phase === "cube_offered" && state.cube?.offered_by) {
    return t("doing.cube_offered", { name: nameOf(state, opponentOf(state.cube.offered_by)) });
  }
  if (state.phase === "playing" && state.dice) {
    return t(state.dice.is_handed_over ? "doing.handed-over" : "doing.playing", {
      name,
      roll: notation(state.dice.values.join("-")),
    });
  }
  if (state.phase === "playing" && name) return t("doing.acts", { name }); // in a game without dice
  if (state.phase === "game_over") return `${t("doing.game_over")} ${confirmation(state)}`.trim();
  const key = `doing.${state.phase}`;
  if (!name && knows(`${key}.nobody`)) return t(`${key}.nobody`);
  return t(key, { name });
}

function confirmation(state) {
  const by = state.match.confirmed_by;
  if (by.length > 1) return t("doing.confirmed-by-both");
  return by.length ? t("event.confirmed", { name: nameOf(state, by[0]) }) : "";
}

export function showStatus(state) {
  write(at("doing"), doingText(state));
  write(at("unsaved"), state.is_saved ? "" : t("status.not-saved"));
  write(at("throw"), throwText(state));
  write(at("waits"), state.waits && !state.question ? wordsOf(state.waits.said) : "");
  write(at("guide"), guideText(state));
  const lights = state.lights.map((light) =>
    h("li", {}, h("span", { class: `led-sample ${light.meaning}`, "aria-hidden": "true" }), lightText(state, light)),
  );
  const place = at("lights");
  const key = JSON.stringify([state.lights, state.on_turn, state.seating]);
  if (place.dataset.key !== key) {
    place.dataset.key = key;
    place.replaceChildren(...lights);
  }
}

function throwText(state) {
  if (!state.throw) return "";
  if (!state.throw.is_refused) return t("throw.unclear");
  return `${t("throw.refused")} ${wordsOf(state.throw.said)}`;
}

function lightText(state, light) {
  const appearance = t("lights.appearance", {
    colour: t(`lights.colour.${light.colour}`),
    rhythm: t(`lights.rhythm.${light.rhythm}`),
  });
  const places = light.places.length > 8 ? t("lights.many") : placeWords(state, light.places);
  return t("lights.line", { meaning: t(`lights.${light.meaning}`), appearance, places });
}

// Places by the point numbers that the drawing shows now.
function placeWords(state, places) {
  return placesText(places, state.numbers[state.on_turn ?? "W"]);
}

export function guideText(state) {
  if (!state.guide) return "";
  const { extra, missing } = state.guide;
  const parts = Object.entries({ "guide.extra": extra, "guide.missing": missing });
  const words = ([key, places]) => (places.length ? t(key, { places: placeWords(state, places) }) : "");
  return parts.map(words).filter(Boolean).join(" ");
}

// The board for screen readers: each player's points by that player's numbers.
export function boardWords(state) {
  const colours = coloursOf(state);
  return LETTERS.map((letter) => {
    const column = colours[letter] === "light" ? 0 : 1;
    const points = state.board.points
      .map((pair, place) => [state.numbers[letter][place], pair[column]])
      .filter(([, count]) => count)
      .sort(([first], [second]) => second - first)
      .map(([number, count]) => t("board.point", { number, count }));
    for (const where of ["bar", "off", "waiting"]) {
      const count = state.board[where][column];
      if (count) points.push(t(`board.${where}`, { count }));
    }
    return t("board.side", {
      name: nameOf(state, letter),
      colour: t(`colour.${colours[letter]}`),
      points: points.join(", "),
    });
  }).join(" ");
}
