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
    const clock = this.clock;
    if (!clock) return;
    const ranMs = clock.since_ms === null ? 0 : Math.max(0, performance.now() + this.offsetMs - clock.since_ms);
    const usedMs = clock.used_ms + ranMs;
    for (const [number, letter] of ["W", "B"].entries()) {
      const freeMs = clock.delay === "bronstein" ? 0 : clock.delay_ms;
      const goneMs = clock.turn === letter ? Math.max(0, usedMs - freeMs) : gainedMs(clock, letter, usedMs);
      const element = at(`clock-${letter}`);
      if (!element) continue;
      const delayMs = clock.turn === letter ? Math.max(0, clock.delay_ms - usedMs) : 0;
      const delay = delayMs ? ` +${Math.ceil(delayMs / 1000)}` : "";
      const text =
        clock.delay === "move"
          ? minutes(clock.turn === letter ? delayMs : clock.delay_ms)
          : `${minutes(Math.max(0, clock.banked_ms[number] - goneMs))}${delay}`;
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("running", clock.turn === letter && clock.since_ms !== null);
      element.title = t("clock.reserve");
    }
  }
}

// In an hourglass what one player uses runs into the other's half, as a negative loss.
function gainedMs(clock, letter, usedMs) {
  if (clock.delay !== "hourglass" || !clock.turn) return 0;
  return -Math.min(usedMs, clock.banked_ms[letter === "W" ? 1 : 0]);
}

function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
