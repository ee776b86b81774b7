// The connection to the server: events by number without a gap, and the newest state. It reconnects by itself.

import { Api } from "./api.js";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 4000;
const ASK_AFTER_MS = 20000; // time without news before the connection is tested
const ANSWER_WITHIN_MS = 5000;

export class Feed {
  // `on`: {match(), events(list), state(state, nowMs, viewer), link(isUp)}, and delay(seconds) where spectators see everything
  // later: the time until they see the first state.
  constructor(on, token) {
    this.on = on;
    this.api = new Api(token);
    this.matchId = "";
    this.since = 0;
    this.waitMs = FIRST_WAIT_MS;
    this.failures = 0;
    // After a sleep, or in another network, a connection may be dead without the browser knowing it.
    window.addEventListener("online", () => this.doubt());
    document.addEventListener("visibilitychange", () => this.doubt());
  }

  connect() {
    const query = new URLSearchParams({ match: this.matchId, since: this.since });
    const { token } = this.api;
    const protocols = token ? ["zarbiter", `operator.${token}`] : ["zarbiter"];
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
    } else if (message.type === "delay") {
      this.on.delay?.(message.wait_s);
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
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
      const answer = await fetch("/api/state", { headers: this.api.headers(), signal });
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
    if (this.api.token && this.failures > 1 && (await this.api.isTokenWrong())) this.api.forget();
    setTimeout(() => this.connect(), this.waitMs * (0.75 + Math.random() / 2));
    this.waitMs = Math.min(LONGEST_WAIT_MS, this.waitMs * 2);
  }

  // The problem as the server reports it, or null.
  async order(command) {
    const { ok, body } = await this.api.post("/api/commands", command);
    return ok ? null : body;
  }

  async ruling(number) {
    const { ok, body } = await this.api.get(`/api/rulings/${number}`);
    return ok ? body : null;
  }

  // The picture and where the places of the board lie in it, or null where the request fails.
  async picture(number, kind) {
    try {
      const answer = await fetch(`/api/evidence/${number}/${kind}`, { headers: this.api.headers() });
      if (!answer.ok) return null;
      return { image: await answer.blob(), places: JSON.parse(answer.headers.get("X-Board-Places") ?? "{}") };
    } catch {
      return null;
    }
  }
}
