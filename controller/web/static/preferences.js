// What somebody at this browser wishes: whether it speaks and how. Kept here, and sent to nobody.

import { voicesFor } from "./announcer.js";
import { at, h, write } from "./dom.js";
import { wordsOf } from "./said.js";
import { aloud, loadPersianNames } from "./spoken_words.js";
import { languageCode, t } from "./texts.js";

const KEY = "zarbiter-speech";
const USUAL = { isAloud: false, isPersian: false, hasCaptions: true, voice: "", rate: 1 };
const [SLOWEST, FASTEST] = [0.5, 2];

// Whatever else stands there is left out: it may come from an older page.
export function keptWishes() {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    kept = {};
  }
  const known = Object.entries(USUAL).map(([name, usual]) => [name, typeof kept[name] === typeof usual ? kept[name] : usual]);
  const wishes = Object.fromEntries(known);
  return { ...wishes, rate: Math.min(FASTEST, Math.max(SLOWEST, wishes.rate)) };
}

export class SpeechPanel {
  // `announcer` speaks by `wishes`, which this changes; `names()` are those of the players.
  constructor(announcer, wishes) {
    Object.assign(this, { announcer, wishes, mayBeHeard: true });
    write(at("speech-heading"), t("speech.title"));
    this.fill();
    this.obey();
    announcer.synth?.addEventListener?.("voiceschanged", () => this.fill());
  }

  // In a mode in which nothing may be said aloud the page says so.
  state(state) {
    const isQuiet = !state.match.may_speak;
    if (isQuiet === !this.mayBeHeard) return;
    this.mayBeHeard = !isQuiet;
    this.note();
  }

  fill() {
    const voices = voicesFor(this.announcer.synth, languageCode());
    const boxes = [this.box("isAloud", "speech.aloud"), this.box("hasCaptions", "speech.captions"), this.box("isPersian", "speech.persian")];
    const test = h("button", { type: "button", onclick: () => this.try() }, t("speech.try"));
    at("speech-wishes").replaceChildren(...boxes, ...this.voiceChoice(voices), this.rateChoice(), test);
    this.hasVoice = voices.length > 0;
    this.note();
  }

  note() {
    const isUnheard = !this.mayBeHeard ? "speech.silent" : "speech.no-voice";
    write(at("speech-note"), this.mayBeHeard && this.hasVoice ? "" : t(isUnheard));
  }

  box(name, key) {
    const change = (event) => this.wish(name, event.target.checked);
    return h("label", {}, h("input", { type: "checkbox", name, checked: this.wishes[name], onchange: change }), t(key));
  }

  voiceChoice(voices) {
    const named = voices.map((one) => h("option", { value: one.name, selected: one.name === this.wishes.voice }, one.name));
    const change = (event) => this.wish("voice", event.target.value);
    const choice = h("select", { name: "voice", onchange: change }, h("option", { value: "" }, t("speech.voice.usual")), ...named);
    return voices.length > 1 ? [h("label", {}, t("speech.voice"), choice)] : [];
  }

  rateChoice() {
    const change = (event) => this.wish("rate", Number(event.target.value));
    const range = { type: "range", name: "rate", min: SLOWEST, max: FASTEST, step: 0.1, value: this.wishes.rate, onchange: change };
    return h("label", {}, t("speech.rate"), h("input", range));
  }

  // What holds until somebody chooses here.
  propose(wishes) {
    if (localStorage.getItem(KEY) !== null) return;
    Object.assign(this.wishes, wishes);
    this.fill();
    this.obey();
  }

  wish(name, value) {
    this.wishes[name] = value;
    localStorage.setItem(KEY, JSON.stringify(this.wishes));
    this.obey();
  }

  async obey() {
    at("said").classList.toggle("for-readers", !this.wishes.hasCaptions);
    if (!this.wishes.isAloud) this.announcer.stop();
    if (this.wishes.isPersian) await loadPersianNames();
  }

  // Also what a browser asks for before it speaks: that somebody has tapped.
  try() {
    const sample = [{ key: "told.throws", values: { name: { player: "W" }, roll: { roll: [6, 5] } } }];
    const text = wordsOf(sample, aloud(this.wishes));
    this.announcer.write(text);
    this.announcer.say(text);
  }
}
