// The connection to the server: events by number without a gap, and the newest state. It reconnects by itself.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 4000;
const ASK_AFTER_MS = 20000; // time without news before the connection is tested
const ANSWER_WITHIN_MS = 5000;
const KEY = "zarbiter-operator";
export const NOBODY_THERE = { said: { key: "link.down", values: {} } };

export function operatorToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("operator");
  if (given) {
    localStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname + location.search); // hides the token from the address bar
  }
  return localStorage.getItem(KEY);
}

export class Feed {
  // `on`: {match(), events(list), state(state, nowMs, viewer), link(isUp)}.
  constructor(on, token) {
    this.on = on;
    this.token = token;
    this.matchId = "";
    this.since = 0;
    this.waitMs = FIRST_WAIT_MS;
    this.failures = 0;
    // After a sleep, or in another network, a connection may be dead without the browser knowing it.
    for (const [whose, what] of [
      [window, "online"],
      [document, "visibilitychange"],
    ])
      whose.addEventListener(what, () => this.doubt());
  }

  connect() {
    const query = new URLSearchParams({ match: this.matchId, since: this.since });
    const protocols = this.token ? ["zarbiter", `operator.${this.token}`] : ["zarbiter"];
    const socket = new WebSocket(`ws://${location.host}/api/live?${query}`, protocols);
    const isNewest = () => socket === this.socket;
    this.socket = socket;
    this.heardAt = performance.now();
    socket.addEventListener("open", () => isNewest() && this.on.link(true));
    socket.addEventListener("message", (message) => isNewest() && this.take(JSON.parse(message.data)));
    socket.addEventListener("close", () => isNewest() && this.again());
  }

  take(message) {
    this.heardAt = performance.now();
    this.waitMs = FIRST_WAIT_MS; // not earlier, because a server may open a connection and close it at once
    this.failures = 0;
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

  // Requests the state over HTTP, and closes a socket that has missed something or whose server does not answer.
  async doubt() {
    const socket = this.socket;
    if (document.hidden || socket?.readyState !== WebSocket.OPEN || performance.now() - this.heardAt < ASK_AFTER_MS)
      return;
    const asked = (this.heardAt = performance.now());
    const isAlive = await this.isUpToDate();
    if (isAlive || socket !== this.socket || this.heardAt !== asked) return;
    socket.close();
    this.again();
  }

  async isUpToDate() {
    try {
      const answer = await fetch("/api/state", {
        headers: this.headers(),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const { state } = await answer.json();
      return state.match_id === this.matchId && state.events <= this.since;
    } catch {
      return false;
    }
  }

  async again() {
    this.socket = null;
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

  // An outdated token: the page goes on as a spectator's.
  forget() {
    localStorage.removeItem(KEY);
    this.token = null;
  }

  async isTokenWrong() {
    try {
      return (await fetch("/api/state", { headers: this.headers() })).status === 401;
    } catch {
      return false; // the server does not answer
    }
  }

  // The problem as the server reports it, or null.
  async order(command) {
    const headers = { ...this.headers(), "Content-Type": "application/json" };
    try {
      const answer = await fetch("/api/commands", { method: "POST", headers, body: JSON.stringify(command) });
      return answer.ok ? null : await answer.json();
    } catch {
      return NOBODY_THERE;
    }
  }

  async ruling(number) {
    return (await this.found(`/api/rulings/${number}`))?.json() ?? null;
  }

  async picture(number, kind) {
    return (await this.found(`/api/evidence/${number}/${kind}`))?.blob() ?? null;
  }

  // The response, or null where the request fails.
  async found(path) {
    try {
      const answer = await fetch(path, { headers: this.headers() });
      return answer.ok ? answer : null;
    } catch {
      return null;
    }
  }
}
