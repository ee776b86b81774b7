// The line to the server: events by number without a gap, and the newest state. It comes back by itself.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 4000;
const KEY = "zarbiter-operator";

export function operatorToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("operator");
  if (given) {
    localStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname + location.search); // not for those who look over a shoulder
  }
  return localStorage.getItem(KEY);
}

export class Feed {
  // `on` has match(), events(list), state(state, nowMs, viewer), link(isUp)
  constructor(on, token) {
    this.on = on;
    this.token = token;
    this.matchId = "";
    this.since = 0;
    this.waitMs = FIRST_WAIT_MS;
    this.failures = 0;
  }

  connect() {
    const query = new URLSearchParams({ match: this.matchId, since: this.since });
    const protocols = this.token ? ["zarbiter", `operator.${this.token}`] : ["zarbiter"];
    const socket = new WebSocket(`ws://${location.host}/api/live?${query}`, protocols);
    socket.addEventListener("open", () => {
      this.waitMs = FIRST_WAIT_MS;
      this.failures = 0;
      this.on.link(true);
    });
    socket.addEventListener("message", (message) => this.take(JSON.parse(message.data)));
    socket.addEventListener("close", () => this.again());
  }

  take(message) {
    if (message.type === "match") {
      this.since = 0;
      this.on.match();
    } else if (message.type === "events") {
      this.since = message.events.at(-1).number;
      this.on.events(message.events);
    } else if (message.type === "state") {
      this.matchId = message.state.match_id;
      this.on.state(message.state, message.now_ms, message.viewer);
    }
  }

  async again() {
    this.on.link(false);
    this.failures += 1;
    if (this.token && this.failures > 1 && (await this.isTokenWrong())) {
      this.forget();
    }
    setTimeout(() => this.connect(), this.waitMs * (0.75 + Math.random() / 2));
    this.waitMs = Math.min(LONGEST_WAIT_MS, this.waitMs * 2);
  }

  headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  // The token of another day: whoever has it looks on like everybody else.
  forget() {
    localStorage.removeItem(KEY);
    this.token = null;
  }

  async isTokenWrong() {
    try {
      return (await fetch("/api/state", { headers: this.headers() })).status === 401;
    } catch {
      return false; // nobody there
    }
  }

  // What went wrong as a sentence, or null.
  async order(command) {
    const headers = { ...this.headers(), "Content-Type": "application/json" };
    try {
      const answer = await fetch("/api/commands", { method: "POST", headers, body: JSON.stringify(command) });
      return answer.ok ? null : (await answer.json()).error;
    } catch (error) {
      return String(error.message);
    }
  }

  async ruling(number) {
    const answer = await fetch(`/api/rulings/${number}`, { headers: this.headers() });
    return answer.ok ? answer.json() : null;
  }

  async picture(number, kind) {
    const answer = await fetch(`/api/evidence/${number}/${kind}`, { headers: this.headers() });
    return answer.ok ? answer.blob() : null;
  }
}
