// The recorded match: its events, its turns, and the state after each event, requested on demand.

import { wordsOf } from "./wording.js";

const MOST_KEPT = 400;
const QUIET = new Set(["ClockReserve", "TurnGoesOn"]);

export class Record {
  // `headers` carry the token, because the operator may see more than spectators.
  constructor(headers) {
    this.headers = headers;
    this.states = new Map();
    this.events = [];
    this.turns = [];
    this.steps = [];
  }

  async load() {
    const { last, turns } = await this.fetchJson("/api/replay");
    this.turns = turns.map(([turn, game, number]) => ({ turn, game, number }));
    while (this.events.length < last) {
      const { events } = await this.fetchJson(`/api/events?since=${this.events.length}`);
      if (!events.length) break;
      this.events.push(...events);
    }
    this.steps = this.events
      .filter(({ said, event }) => said.length && !QUIET.has(event.event))
      .map(({ number }) => number);
    if (!this.steps.length) this.steps = [this.events.length];
  }

  async fetchJson(path) {
    const answer = await fetch(path, { headers: this.headers });
    if (!answer.ok) throw new Error((await answer.json()).error);
    return answer.json();
  }

  // The state after a step. Requests are cached, so that prefetched steps are shown at once.
  state(index) {
    const number = this.steps[index];
    if (!this.states.has(number)) {
      const request = this.fetchJson(`/api/replay/${number}`);
      request.catch(() => this.states.delete(number));
      this.states.set(number, request);
      if (this.states.size > MOST_KEPT) this.states.delete(this.states.keys().next().value);
    }
    return this.states.get(number);
  }

  text(index) {
    return wordsOf(this.events[this.steps[index] - 1]?.said ?? []);
  }

  // The step that shows an event, or the last step before it.
  stepAt(number) {
    const after = this.steps.findIndex((step) => step > number);
    return Math.max(0, (after < 0 ? this.steps.length : after) - 1);
  }

  // The turn that is played at a step: the first turn that is not ruled before it.
  turnAt(index) {
    return this.turns.find(({ number }) => number >= this.steps[index]) ?? this.turns.at(-1) ?? null;
  }

  // The last step of a turn, or of the nearest turn.
  stepOfTurn(turn) {
    const found = this.turns.find((one) => one.turn >= turn) ?? this.turns.at(-1);
    return found ? this.stepAt(found.number) : 0;
  }

  // The last step of the turn after or before a step.
  turnBeside(index, way) {
    const ends = this.turns.map(({ number }) => this.stepAt(number));
    if (way > 0) return ends.find((end) => end > index) ?? this.steps.length - 1;
    return ends.findLast((end) => end < index) ?? 0;
  }
}
