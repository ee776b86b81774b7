// Speaks rolls and rulings where the browser has a voice, and writes them as captions. Old events are left out.

import { FAULTS } from "./log.js";
import { wordsOf } from "./wording.js";
import { aloud } from "./spoken_words.js";
import { languageCode } from "./texts.js";

const FRESH_MS = 6000;
const LONGEST_MS = 20000; // limit for one sentence: some browsers do not report its end
const MOST_CAPTIONS = 3;

export class Announcer {
  // `write(text)` shows a caption; `preferences`: {isAloud, isPersian, voice (a name), rate}; `synth` is the browser's.
  constructor({ write, preferences, synth = window.speechSynthesis, now = () => performance.now() }) {
    Object.assign(this, { write, preferences, synth, now });
    this.waiting = [];
    this.queue = [];
    this.isCaughtUp = false;
    this.speaking = null; // a reference, so that the browser does not discard the speech before its end
  }

  // The connection is down or another match begins: the next events are history.
  fallSilent() {
    this.isCaughtUp = false;
    this.waiting = [];
    this.stop();
  }

  stop() {
    this.queue = [];
    this.cutOff();
  }

  events(events) {
    if (this.isCaughtUp) this.waiting.push(...events.filter((one) => one.said.length));
  }

  // A state comes after its events; `nowMs` is the time by which their age is measured.
  state(nowMs) {
    const fresh = this.waiting.filter((one) => nowMs - one.event.at_ms < FRESH_MS);
    this.waiting = [];
    this.isCaughtUp = true;
    // The head of the page shows what is lost; the last ruling keeps its place.
    const captions = fresh.filter((one) => !FAULTS.has(one.event.event));
    if (captions.length) this.write(wordsOf(captions.slice(-MOST_CAPTIONS).flatMap((one) => one.said)));
    if (this.preferences.isAloud)
      fresh.filter((one) => one.aloud).forEach((one) => this.say(wordsOf(one.said, aloud(this.preferences))));
  }

  say(text) {
    if (!this.synth || !this.voice()) return;
    this.queue.push({ text, since: this.now() });
    this.next();
  }

  next() {
    this.queue = this.queue.filter((one) => this.now() - one.since < FRESH_MS);
    if (this.speaking && this.now() - this.begunAt > LONGEST_MS) this.cutOff();
    if (this.speaking || !this.queue.length) return;
    const speech = new SpeechSynthesisUtterance(this.queue.shift().text);
    speech.voice = this.voice();
    speech.lang = speech.voice.lang;
    speech.rate = this.preferences.rate;
    Object.assign(this, { speaking: speech, begunAt: this.now() });
    for (const end of ["end", "error"]) speech.addEventListener(end, () => this.over(speech));
    this.synth.speak(speech);
  }

  over(speech) {
    if (this.speaking !== speech) return; // this speech was cancelled
    this.speaking = null;
    this.next();
  }

  cutOff() {
    this.speaking = null;
    this.synth?.cancel();
  }

  // The chosen voice, else the default or first one of the language.
  voice() {
    const voices = voicesFor(this.synth, languageCode());
    return voices.find((one) => one.name === this.preferences.voice) ?? voices.find((one) => one.default) ?? voices[0];
  }
}

export function voicesFor(synth, language) {
  return (synth?.getVoices() ?? []).filter(
    (one) => one.lang.toLowerCase().replace("_", "-").split("-")[0] === language,
  );
}
