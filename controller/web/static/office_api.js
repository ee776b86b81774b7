// Requests of the set-up page.

import { NOBODY_THERE } from "./feed.js";

export class OfficeApi {
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

// Returns {ok, status, body}; the body of a refusal has the reason. Status 0 means that the server does not answer.
async function answered(asked) {
  try {
    const answer = await asked;
    return { ok: answer.ok, status: answer.status, body: await answer.json() };
  } catch {
    return { ok: false, status: 0, body: NOBODY_THERE };
  }
}
