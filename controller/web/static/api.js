// Requests to the server, with the operator's token where this browser has it.

const KEY = "zarbiter-operator";
const NOBODY_THERE = { said: { key: "link.down", values: {} } };

export class Api {
  constructor(token) {
    this.token = token;
  }

  headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  get(path) {
    return answered(fetch(path, { headers: this.headers() }));
  }

  // The picture at this address; null where there is none.
  async picture(path) {
    try {
      const answer = await fetch(path, { headers: this.headers() });
      return answer.ok ? await answer.blob() : null;
    } catch {
      return null;
    }
  }

  post(path, body) {
    const headers = { ...this.headers(), "Content-Type": "application/json" };
    return answered(fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
  }

  async isTokenWrong() {
    return (await this.get("/api/state")).status === 401;
  }

  // An outdated token: the page goes on as a spectator's.
  forget() {
    localStorage.removeItem(KEY);
    this.token = null;
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

export function operatorToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("operator");
  if (given) {
    localStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname + location.search); // hides the token from the address bar
  }
  return localStorage.getItem(KEY);
}
