// Both clocks, counted on from the last state; the server applies the rules of the clock.

import { at } from "./dom.js";
import { t } from "./texts.js";

const SHOW_EVERY_MS = 200;

export class Clock {
  constructor() {
    this.clock = null;
    setInterval(() => this.show(), SHOW_EVERY_MS);
  }

  take(clock, nowMs) {
    this.clock = clock;
    this.offsetMs = nowMs - performance.now();
    this.show();
  }

  show() {
    const { clock } = this;
    if (!clock) return;
    for (const [letter, { text, isRunning }] of Object.entries(clockTexts(clock, performance.now() + this.offsetMs))) {
      const element = at(`clock-${letter}`);
      if (!element) continue;
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("running", isRunning);
      element.title = t("clock.reserve");
    }
  }
}

// What each player's clock shows at a time on the clock of the match, and whether it runs.
export function clockTexts(clock, nowMs) {
  const ranMs = clock.since_ms === null ? 0 : Math.max(0, nowMs - clock.since_ms);
  const usedMs = clock.used_ms + ranMs;
  const freeMs = clock.delay === "bronstein" ? 0 : clock.delay_ms;
  const shown = ([letter, bankedMs]) => {
    const isTurn = clock.turn === letter;
    const goneMs = isTurn ? Math.max(0, usedMs - freeMs) : gainedMs(clock, letter, usedMs);
    const delayMs = isTurn ? Math.max(0, clock.delay_ms - usedMs) : 0;
    const delay = delayMs ? ` +${Math.ceil(delayMs / 1000)}` : "";
    const text =
      clock.delay === "move"
        ? minutes(isTurn ? delayMs : clock.delay_ms)
        : `${minutes(Math.max(0, bankedMs - goneMs))}${delay}`;
    return [letter, { text, isRunning: isTurn && clock.since_ms !== null }];
  };
  return Object.fromEntries(Object.entries({ W: clock.banked_ms[0], B: clock.banked_ms[1] }).map(shown));
}

// In an hourglass what one player uses runs into the other's half, as a negative loss.
function gainedMs(clock, letter, usedMs) {
  if (clock.delay !== "hourglass" || !clock.turn) return 0;
  return -Math.min(usedMs, clock.banked_ms[letter === "W" ? 1 : 0]);
}

export function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
