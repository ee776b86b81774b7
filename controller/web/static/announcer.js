// Says rolls and rulings aloud where there is a voice, and writes them as captions. What is over is not told any more.

import { wordsOf } from "./said.js";
import { aloud } from "./spoken_words.js";
import { languageCode } from "./texts.js";

const FRESH_MS = 6000;
const LONGEST_MS = 20000; // of a sentence: some browsers forget to say that it is over
const MOST_CAPTIONS = 3;

export class Announcer {
  // `write(text)` shows a caption; `wishes` has isAloud, isPersian, voice (its name), rate; `synth` is the browser's.
  constructor({ write, wishes, synth = window.speechSynthesis, now = () => performance.now() }) {
    Object.assign(this, { write, wishes, synth, now });
    this.waiting = [];
    this.queue = [];
    this.isCaughtUp = false;
    this.speaking = null; // kept, for a browser may throw away what only it knows of, and then never says that it is over
  }

  // The line is down or another match begins: what comes next is history.
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

  // Comes after its events, with the time they are measured by.
  state(nowMs) {
    const fresh = this.waiting.filter((one) => nowMs - one.event.at_ms < FRESH_MS);
    this.waiting = [];
    this.isCaughtUp = true;
    if (fresh.length) this.write(wordsOf(fresh.slice(-MOST_CAPTIONS).flatMap((one) => one.said)));
    if (this.wishes.isAloud) fresh.filter((one) => one.aloud).forEach((one) => this.say(wordsOf(one.said, aloud(this.wishes))));
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
    speech.rate = this.wishes.rate;
    Object.assign(this, { speaking: speech, begunAt: this.now() });
    for (const end of ["end", "error"]) speech.addEventListener(end, () => this.over(speech));
    this.synth.speak(speech);
  }

  over(speech) {
    if (this.speaking !== speech) return; // it was cut off
    this.speaking = null;
    this.next();
  }

  cutOff() {
    this.speaking = null;
    this.synth?.cancel();
  }

  // The one that was chosen, else the first of the language: no other language's voice can read it.
  voice() {
    const voices = voicesFor(this.synth, languageCode());
    return voices.find((one) => one.name === this.wishes.voice) ?? voices.find((one) => one.default) ?? voices[0];
  }
}

export function voicesFor(synth, language) {
  return (synth?.getVoices() ?? []).filter((one) => one.lang.toLowerCase().replace("_", "-").split("-")[0] === language);
}
