// What happened, in the order of its numbers. A ruling opens what it rests on.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

const MOST_LINES = 600;
const QUIET = new Set(["ClockReserve", "SetUpBegun", "TurnGoesOn"]);
const RULINGS = {
  PlayMade: ["legal", "✓"],
  PlayRefused: ["illegal", "✗"],
  PlayCondoned: ["condoned", "✗"],
  PlayUnclear: ["unsure", "?"],
  ThrowRefused: ["void", "↺"],
  ThrowUnclear: ["unsure", "?"],
};

export class Log {
  // `open(number)` shows a ruling.
  constructor(open) {
    this.open = open;
    this.clear();
  }

  clear() {
    this.names = { W: "W", B: "B" };
    at("log").replaceChildren();
  }

  take(events) {
    const list = at("log");
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    list.append(...events.map((one) => this.line(one)).filter(Boolean));
    while (list.childElementCount > MOST_LINES) list.firstElementChild.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  line({ number, event, text }) {
    if (event.event === "MatchStarted") this.names = { W: event.white, B: event.black };
    if (event.event === "DiceRolled" && event.evidence === "seen") return null; // told with its play
    if (!text || QUIET.has(event.event)) return null;
    const [ruling, sign] = RULINGS[event.event] ?? ["note", ""];
    const isNotation = event.event === "PlayMade" && event.numbers;
    const words = isNotation ? this.notation(event) : [h("span", { class: "words" }, text)];
    const parts = [...words, sign && h("span", { class: "sign", role: "img", "aria-label": t(`ruling.${ruling}`) }, sign)];
    const isGame = event.event === "GameStarted" || event.event === "GameWon" || event.event === "MatchWon";
    const inside = ruling === "note" && !isGame ? h("p", {}, ...parts) : h("button", { type: "button", onclick: () => this.open(number), "aria-haspopup": "dialog" }, ...parts);
    return h("li", { class: isGame ? "line game" : `line ${ruling}`, "data-number": number }, inside);
  }

  notation(event) {
    const told = event.evidence === "told" ? h("span", { class: "told" }, t("log.told")) : null;
    return [
      h("span", { class: `who ${event.player}` }, this.names[event.player]),
      h("span", { class: "roll" }, event.numbers.join("-")),
      h("span", { class: "play" }, event.play || t("log.no-play")),
      told,
    ];
  }
}

// The dialog of a ruling: sentences, clauses, and the pictures as they arrive.
export async function showRuling(feed, number) {
  const dialog = at("ruling");
  dialog.replaceChildren(h("p", { id: "ruling-text" }, t("ruling.loading")));
  dialog.showModal();
  const ruling = await feed.ruling(number);
  if (!ruling) {
    dialog.replaceChildren(h("p", { id: "ruling-text" }, t("ruling.none")), closeButton(dialog));
    return;
  }
  const pictures = h("div", { class: "pictures" });
  const quotes = [...ruling.sentences.map((one) => ["rule", one]), ...ruling.clauses.map((one) => ["clause", one])];
  dialog.replaceChildren(
    h("h2", { id: "ruling-text" }, ruling.text),
    h("p", { class: "event-number" }, t("ruling.number", { number })),
    ...(quotes.length ? [h("dl", {}, ...quotes.flatMap(([kind, words]) => [h("dt", {}, t(`ruling.${kind}`)), h("dd", {}, words)]))] : []),
    ruling.pictures.length ? pictures : h("p", {}, t("ruling.no-pictures")),
    closeButton(dialog),
  );
  for (const kind of ruling.pictures) {
    const picture = await feed.picture(number, kind);
    if (picture) pictures.append(figure(picture, kind, dialog));
  }
}

function figure(picture, kind, dialog) {
  const source = URL.createObjectURL(picture);
  dialog.addEventListener("close", () => URL.revokeObjectURL(source), { once: true });
  return h("figure", {}, h("img", { src: source, alt: t(`picture.${kind}.alt`) }), h("figcaption", {}, t(`picture.${kind}`)));
}

export function closeButton(dialog) {
  return h("button", { type: "button", class: "close", onclick: () => dialog.close() }, t("dialog.close"));
}
