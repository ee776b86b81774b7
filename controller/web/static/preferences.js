// The speech preferences of this browser. They are stored in the browser and sent nowhere.

import { voicesFor } from "./announcer.js";
import { at, button, h, write } from "./dom.js";
import { wordsOf } from "./wording.js";
import { aloud, loadPersianNames } from "./spoken_words.js";
import { languageCode, t } from "./texts.js";

const KEY = "zarbiter-speech";
const USUAL = { isAloud: false, isPersian: false, hasCaptions: true, voice: "", rate: 1 };
const [SLOWEST, FASTEST] = [0.5, 2];

// Unknown stored values are left out; they may come from another version of the page.
export function storedPreferences() {
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    stored = {};
  }
  const known = (name, usual) => (typeof stored[name] === typeof usual ? stored[name] : usual);
  const preferences = Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, known(name, usual)]));
  return { ...preferences, rate: Math.min(FASTEST, Math.max(SLOWEST, preferences.rate)) };
}

export class SpeechPanel {
  // `announcer` uses `preferences`, which this panel changes.
  constructor(announcer, preferences) {
    Object.assign(this, { announcer, preferences, maySpeak: true });
    write(at("speech-heading"), t("speech.title"));
    this.fill();
    this.apply();
    announcer.synth?.addEventListener?.("voiceschanged", () => this.fill());
  }

  // Shows a notice in a mode in which nothing may be spoken.
  state(state) {
    const isQuiet = !state.match.may_speak;
    if (isQuiet === !this.maySpeak) return;
    this.maySpeak = !isQuiet;
    this.note();
  }

  fill() {
    const voices = voicesFor(this.announcer.synth, languageCode());
    const boxes = [
      this.box("isAloud", "speech.aloud"),
      this.box("hasCaptions", "speech.captions"),
      this.box("isPersian", "speech.persian"),
    ];
    const test = button(t("speech.try"), () => this.try());
    at("speech-wishes").replaceChildren(...boxes, ...this.voiceChoice(voices), this.rateChoice(), test);
    this.hasVoice = voices.length > 0;
    this.note();
  }

  note() {
    const isUnheard = !this.maySpeak ? "speech.silent" : "speech.no-voice";
    write(at("speech-note"), this.maySpeak && this.hasVoice ? "" : t(isUnheard));
  }

  box(name, key) {
    const change = (event) => this.change(name, event.target.checked);
    const input = h("input", { type: "checkbox", name, checked: this.preferences[name], onchange: change });
    return h("label", {}, input, t(key));
  }

  voiceChoice(voices) {
    if (voices.length < 2) return [];
    const usual = h("option", { value: "" }, t("speech.voice.usual"));
    const named = voices.map(({ name }) =>
      h("option", { value: name, selected: name === this.preferences.voice }, name),
    );
    const change = (event) => this.change("voice", event.target.value);
    return [h("label", {}, t("speech.voice"), h("select", { name: "voice", onchange: change }, usual, ...named))];
  }

  rateChoice() {
    const onchange = (event) => this.change("rate", Number(event.target.value));
    const { rate: value } = this.preferences;
    const range = { type: "range", name: "rate", min: SLOWEST, max: FASTEST, step: 0.1, value, onchange };
    return h("label", {}, t("speech.rate"), h("input", range));
  }

  // Preferences that hold until somebody chooses in this browser.
  propose(preferences) {
    if (localStorage.getItem(KEY) !== null) return;
    Object.assign(this.preferences, preferences);
    this.fill();
    this.apply();
  }

  change(name, value) {
    this.preferences[name] = value;
    localStorage.setItem(KEY, JSON.stringify(this.preferences));
    this.apply();
  }

  async apply() {
    at("said").classList.toggle("for-readers", !this.preferences.hasCaptions);
    if (!this.preferences.isAloud) this.announcer.stop();
    if (this.preferences.isPersian) await loadPersianNames();
  }

  // Browsers speak only after a tap; this one counts.
  try() {
    const sample = [{ key: "event.throws", values: { name: { player: "W" }, roll: { roll: [6, 5] } } }];
    const text = wordsOf(sample, aloud(this.preferences));
    this.announcer.write(text);
    this.announcer.say(text);
  }
}
