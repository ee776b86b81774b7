// Questions and orders of the operator's office: what came of them, whatever it was.

import { NOBODY_THERE } from "./feed.js";

export class Line {
  constructor(token) {
    this.token = token;
  }

  headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  get(path) {
    return answered(fetch(path, { headers: this.headers() }));
  }

  post(path, body) {
    const headers = { ...this.headers(), "Content-Type": "application/json" };
    return answered(fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
  }
}

// {ok, status, body}; the body of what was not done says why. Without a server the status is 0.
async function answered(asked) {
  try {
    const answer = await asked;
    return { ok: answer.ok, status: answer.status, body: await answer.json() };
  } catch {
    return { ok: false, status: 0, body: NOBODY_THERE };
  }
}
