// Requests of the wizard: orders with the operator's token, and the newest picture.

import { Api, operatorToken } from "./api.js";

const AGAIN_MS = 700;

export class CalibrationApi extends Api {
  constructor() {
    super(operatorToken());
    this.picture = 0;
  }

  state() {
    return this.get("/api/calibration");
  }

  // What the search waits for: "picture", "stillness", "change" or "nothing".
  watch() {
    return this.get("/api/calibration/watch");
  }

  order(name, what = {}) {
    return this.post(`/api/calibration/${name}`, what);
  }

  // Calls `show(blob)` for each new picture and `fail(status, problem)` where none comes, until `isOver()`.
  async follow(show, fail, isOver) {
    while (!isOver()) {
      if (document.hidden) {
        await sleep(AGAIN_MS);
        continue;
      }
      try {
        const answer = await fetch(`/api/calibration/picture?after=${this.picture}`, { headers: this.headers() });
        if (answer.status === 200) {
          this.picture = Number(answer.headers.get("X-Picture-Number"));
          await show(await answer.blob());
        } else if (answer.status !== 204) {
          fail(answer.status, await answer.json());
          await sleep(2 * AGAIN_MS);
        } else {
          fail(204, null);
        }
      } catch {
        fail(0, null);
        await sleep(AGAIN_MS);
      }
    }
  }

  // Whether the server shows the page of a match by now.
  async isMatchThere() {
    return (await this.get("/api/state")).ok;
  }
}

export function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
