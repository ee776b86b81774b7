// Requests of the wizard: orders with the operator's token, and the newest picture.

import { NOBODY_THERE, operatorToken } from "./feed.js";

const AGAIN_MS = 700;

export class CalibrationApi {
  constructor() {
    this.token = operatorToken();
    this.picture = 0;
  }

  headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  // Returns {isFine, status, record}; status 0 means that the server does not answer.
  async state() {
    return this.answer("/api/calibration", { headers: this.headers() });
  }

  async order(name, what = {}) {
    const headers = { ...this.headers(), "Content-Type": "application/json" };
    return this.answer(`/api/calibration/${name}`, { method: "POST", headers, body: JSON.stringify(what) });
  }

  async answer(path, options) {
    try {
      const answer = await fetch(path, options);
      return { isFine: answer.ok, status: answer.status, record: await answer.json() };
    } catch {
      return { isFine: false, status: 0, record: NOBODY_THERE };
    }
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
        fail(0, NOBODY_THERE);
        await sleep(AGAIN_MS);
      }
    }
  }

  // Whether the server shows the page of a match by now.
  async isMatchThere() {
    try {
      return (await fetch("/api/state", { headers: this.headers() })).ok;
    } catch {
      return false;
    }
  }
}

export function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
