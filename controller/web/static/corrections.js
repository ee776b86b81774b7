// Dialogs for orders with fields: correct the roll, resign, set the seating.

import { at, h } from "./dom.js";
import { closeButton } from "./log.js";
import { nameOf } from "./status.js";
import { t } from "./texts.js";

export function askRoll(state, say) {
  const isOpening = state.phase === "opening";
  const titles = isOpening ? [state.match.white, state.match.black] : [t("dice.first"), t("dice.second")];
  const rows = titles.map((title, number) =>
    choice(
      title,
      `die-${number}`,
      [1, 2, 3, 4, 5, 6].map((value) => [String(value), String(value)]),
    ),
  );
  ask(t("dice.title"), rows, (form) => {
    const values = [Number(form.get("die-0")), Number(form.get("die-1"))];
    if (values.includes(0)) return false;
    say({ command: "CorrectRoll", values });
    return true;
  });
}

export function askResignation(state, say) {
  const players = ["W", "B"].map((letter) => [letter, nameOf(state, letter)]);
  const kinds = ["single", "mars", "koks"].map((kind) => [kind, t(`kind.${kind}`)]);
  ask(
    t("resign.title"),
    [choice(t("resign.who"), "player", players, state.on_turn), choice(t("resign.what"), "kind", kinds, "single")],
    (form) => {
      if (!form.get("player")) return false;
      say({ command: "Resign", player: form.get("player"), kind: form.get("kind") });
      return true;
    },
  );
}

export function askSeating(state, say) {
  const { white_plays: plays, edge, mirrored } = state.seating;
  const colours = ["light", "dark"].map((one) => [one, t(`colour.${one}`)]);
  const edges = ["bottom", "top"].map((one) => [one, t(`seating.${one}`)]);
  const ways = ["no", "yes"].map((one) => [one, t(`seating.mirrored.${one}`)]);
  const rows = [
    choice(t("seating.plays", { name: state.match.white }), "white_plays", colours, plays),
    choice(t("seating.sits", { name: state.match.white }), "edge", edges, edge),
    choice(t("seating.home", { name: state.match.white }), "mirrored", ways, mirrored ? "yes" : "no"),
  ];
  ask(t("seating.title"), rows, (form) => {
    say({
      command: "SetSeating",
      seating: {
        white_plays: form.get("white_plays"),
        edge: form.get("edge"),
        mirrored: form.get("mirrored") === "yes",
      },
    });
    return true;
  });
}

function choice(title, name, options, chosen) {
  const inputs = options.map(([value, words]) =>
    h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen }), h("span", {}, words)),
  );
  return h("fieldset", {}, h("legend", {}, title), ...inputs);
}

// `done(form)` sends the order; it returns false where a field is missing.
function ask(title, rows, done) {
  const dialog = at("asking");
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id: "asking-title" }, title),
    ...rows,
    h("button", { type: "submit", class: "send" }, t("dialog.send")),
    closeButton(dialog),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (done(new FormData(form))) dialog.close();
  });
  dialog.setAttribute("aria-labelledby", "asking-title");
  dialog.replaceChildren(form);
  dialog.showModal();
}
