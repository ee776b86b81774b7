// The events in the order of their numbers. A ruling opens a dialog with its grounds.

import { at, button, h } from "./dom.js";
import { fillStrip, markMoves, pictureStrip } from "./pictures.js";
import { notation, playerName, setNames, wordsOf } from "./wording.js";
import { languageCode, t } from "./texts.js";

const MOST_LINES = 600;
const QUIET = new Set(["ClockReserve", "SetUpBegun", "TurnGoesOn"]);
// What comes and goes has one line, which moves to the end and counts the losses.
export const FAULTS = new Map([
  ["CameraLost", "camera"],
  ["CameraBack", "camera"],
  ["LightsLost", "lights"],
  ["LightsBack", "lights"],
]);
const RULINGS = {
  PlayMade: ["legal", "✓"],
  PlayRefused: ["illegal", "✗"],
  PlayCondoned: ["condoned", "✗"],
  PlayUnclear: ["unsure", "?"],
  ThrowRefused: ["void", "↺"],
  ThrowUnclear: ["unsure", "?"],
};

export class Log {
  // `open(number)` shows a ruling. As an index (in a replay), every line has a button, and no line is dropped.
  constructor(open, { isIndex = false } = {}) {
    Object.assign(this, { open, isIndex });
    this.clear();
  }

  clear() {
    this.names = { W: "W", B: "B" };
    this.faults = new Map();
    at("log").replaceChildren();
  }

  // `nowMs` is the time of the match; without it lines have no time of day.
  take(events, nowMs) {
    const list = at("log");
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    this.nowMs = nowMs;
    for (const one of events) {
      const line = FAULTS.has(one.event.event) && !this.isIndex ? this.fault(one) : this.line(one);
      if (line) list.append(line);
    }
    while (!this.isIndex && list.childElementCount > MOST_LINES) list.firstElementChild.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  // Marks the line of an event, or the last line before it, as the present position.
  mark(number) {
    const lines = [...at("log").children];
    const here = lines.findLast((line) => Number(line.dataset.number) <= number);
    lines.forEach((line) => line !== here && line.removeAttribute("aria-current"));
    if (!here) return;
    here.setAttribute("aria-current", "step");
    const list = at("log");
    const top = here.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + here.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 2;
  }

  fault(one) {
    const part = FAULTS.get(one.event.event);
    const known = this.faults.get(part) ?? { count: 0 };
    const line = this.line(one);
    if (!line) return null;
    known.line?.remove();
    known.line = line;
    if (one.event.event.endsWith("Lost")) Object.assign(known, { count: known.count + 1, event: one.event });
    this.faults.set(part, known);
    if (known.count > 1)
      line.firstElementChild.append(" ", h("span", { class: "again" }, this.again(known.count, known.event)));
    return line;
  }

  again(count, event) {
    const agoMs = this.nowMs - event.at_ms;
    if (!(agoMs >= 0)) return t("log.times", { count }); // before a restart of the machine its clock had another zero
    const at = new Date(Date.now() - agoMs);
    const time = at.toLocaleTimeString(languageCode(), { hour: "2-digit", minute: "2-digit" });
    return t("log.times-last", { count, time });
  }

  line({ number, event, said }) {
    if (event.event === "MatchStarted") {
      this.names = { W: playerName(event.white), B: playerName(event.black) };
      setNames(event.white, event.black);
      this.isFromFile = Boolean(event.occasion);
    }
    if (event.event === "DiceRolled" && (event.evidence === "seen" || this.isIndex)) return null; // shown with the play
    if (!said.length || QUIET.has(event.event)) return null;
    const isUnseen = event.event === "PlayMade" && event.evidence === "inferred";
    const [ruling, sign] = isUnseen ? ["not-seen", "?"] : (RULINGS[event.event] ?? ["note", ""]);
    const isNotation = event.event === "PlayMade" && event.numbers;
    const words = isNotation ? this.notation(event) : [h("span", { class: "words" }, wordsOf(said))];
    const parts = [
      ...words,
      sign && h("span", { class: "sign", role: "img", "aria-label": t(`ruling.${ruling}`) }, sign),
    ];
    const isGame = event.event === "GameStarted" || event.event === "GameWon" || event.event === "MatchWon";
    const isOpened = this.isIndex || ruling !== "note" || isGame;
    const opening = { type: "button", onclick: () => this.open(number), "aria-haspopup": !this.isIndex && "dialog" };
    const inside = isOpened ? h("button", opening, ...parts) : h("p", {}, ...parts);
    return h("li", { class: isGame ? "line game" : `line ${ruling}`, "data-number": number }, inside);
  }

  notation(event) {
    const isEntered = event.evidence === "told" && !this.isFromFile;
    const words = isEntered ? t("log.entered") : event.evidence === "inferred" ? t("ruling.not-seen") : "";
    const mark = words ? h("span", { class: "by-hand" }, words) : null;
    return [
      h("span", { class: `who ${event.player}` }, this.names[event.player]),
      h("span", { class: "roll" }, event.numbers.join("-")),
      h("span", { class: "play" }, event.play || t("log.no-play")),
      mark,
    ];
  }
}

// The dialog of a ruling: sentences, clauses, and the pictures as they arrive.
export async function showRuling(feed, number) {
  const dialog = at("ruling");
  dialog.replaceChildren(h("p", { id: "ruling-text" }, t("ruling.loading")), closeButton(dialog));
  dialog.showModal();
  const ruling = await feed.ruling(number);
  if (!ruling) {
    dialog.replaceChildren(h("p", { id: "ruling-text" }, t("ruling.none")), closeButton(dialog));
    return;
  }
  const pictures = pictureStrip();
  dialog.replaceChildren(
    h("h2", { id: "ruling-text" }, wordsOf(ruling.said)),
    ...grounds(ruling),
    ...legalPlays(ruling, pictures),
    ruling.pictures.length ? pictures : h("p", {}, t("ruling.no-pictures")),
    ruling.pictures.length && ruling.moves.length ? h("p", { class: "hint" }, t("picture.marks")) : "",
    closeButton(dialog),
  );
  const whenGone = (free) => dialog.addEventListener("close", free, { once: true });
  await fillStrip(pictures, feed, number, ruling.pictures, { moves: ruling.moves, whenGone });
}

// What was moved, the broken rules, the remedy and what the profile says, each once.
function grounds(ruling) {
  const quotes = [
    ...definition("made", ruling.taught.length ? [wordsOf(ruling.taught)] : []),
    ...definition("rule", ruling.sentences_said.map((sentence) => wordsOf(sentence))),
    ...definition("remedy", ruling.remedy.length ? [wordsOf(ruling.remedy)] : []),
    ...definition("remarks", ruling.remarks.map((remark) => wordsOf(remark)), { dir: "auto" }),
    ...definition("clause", ruling.clauses, { lang: "en", dir: "ltr" }), // quotations from the published rules
  ];
  return quotes.length ? [h("dl", {}, ...quotes)] : [];
}

// The legal plays, the nearest first, one tap away; a tap on one shows it on the picture before the throw.
function legalPlays({ legal, moves }, pictures) {
  if (!legal.length) return [];
  const show = (one) => () => {
    for (const figure of pictures.children) {
      const isFirst = figure === pictures.firstElementChild;
      markMoves(figure.firstElementChild, figure.dataset.kind, isFirst ? one.moves : moves, isFirst);
    }
    pictures.firstElementChild?.scrollIntoView({ block: "nearest", inline: "center" });
  };
  const plays = legal.map((one) => button(notation(one.play) || t("log.no-play"), show(one), { class: "legal-play" }));
  return [h("details", {}, h("summary", {}, t("ruling.legal-plays")), h("div", { class: "options" }, ...plays))];
}

// One heading and its lines.
function definition(kind, lines, attributes = {}) {
  if (!lines.length) return [];
  return [h("dt", {}, t(`ruling.${kind}`)), ...lines.map((line) => h("dd", attributes, line))];
}

export function closeButton(dialog) {
  return button(t("dialog.close"), () => dialog.close(), { class: "close" });
}
