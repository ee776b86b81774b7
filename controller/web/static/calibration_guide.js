// Guides through the search of the board: waits until the picture is still, searches by itself, and again after a change.

import { sleep } from "./calibration_api.js";
import { at, write } from "./dom.js";
import { t } from "./texts.js";

const WATCH_MS = 500;

export class Guide {
  // `hasPicture()` says whether a picture is shown; `search()` resolves to whether the result needs no further try.
  constructor(api, hasPicture, search) {
    Object.assign(this, { api, hasPicture, search });
    this.isOn = false;
    this.isRunning = false;
  }

  // One loop runs at a time.
  async start() {
    this.isOn = true;
    if (this.isRunning) return;
    this.isRunning = true;
    while (this.isOn) await this.step();
    this.isRunning = false;
  }

  stop() {
    this.isOn = false;
    this.say("");
  }

  async step() {
    const { ok, body } = await this.api.watch();
    if (!this.isOn) return;
    if (ok && body.waits_for === "nothing" && this.hasPicture()) {
      this.say(t("calibration.wait.search"), body.fault);
      const isDone = await this.search();
      if (isDone || body.is_last) this.stop();
    } else if (ok) {
      const isEarly = ["picture", "nothing"].includes(body.waits_for);
      this.say(isEarly ? t("calibration.waiting") : t(`calibration.wait.${body.waits_for}`), body.fault);
    }
    if (this.isOn) await sleep(WATCH_MS);
  }

  // `fault`: what is wrong with light or focus of the picture, if anything.
  say(words, fault = null) {
    write(at("waiting"), fault ? `${t(`event.hindered.${fault}`)} ${words}` : words);
  }
}
