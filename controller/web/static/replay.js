// A recorded match, step by step: the board after every event, the log, and the grounds of a ruling on request.

import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { at, write } from "./dom.js";
import { operatorToken } from "./api.js";
import { Feed } from "./feed.js";
import { showLanguages } from "./language_choice.js";
import { chosenLanguage } from "./languages.js";
import { Log, showRuling } from "./log.js";
import { Controls } from "./replay_controls.js";
import { CursorSender } from "./replay_cursor.js";
import { Record } from "./replay_record.js";
import { Review } from "./review.js";
import { setScene } from "./wording.js";
import { boardWords, showHead, showHeadings, showPlayers, showStatus } from "./status.js";
import { loadTexts, t } from "./texts.js";
import { drawAround, isLightBelow } from "./board_state.js";

const STEP_MS = 1400;
const KEEP_POSITION_MS = 600; // browsers refuse too many changes of the address

class Replay {
  constructor(feed) {
    this.feed = feed;
    this.record = new Record(feed.api.headers());
    this.cursorSender = new CursorSender(feed.api);
    this.step = 0;
    this.paceMs = STEP_MS;
    this.timer = null;
    this.board = new Board(at("board"));
    this.clock = new Clock();
    this.log = new Log((number) => this.goTo(this.record.stepAt(number)), { isIndex: true });
    this.controls = new Controls({
      go: (where) => this.stopped(() => this.go(where)),
      goTo: (step) => this.stopped(() => this.goTo(step)),
      goToTurn: (turn) => this.stopped(() => this.goTo(this.record.stepOfTurn(turn))),
      play: () => this.play(),
      pace: (speed) => (this.paceMs = STEP_MS / speed),
    });
    this.review = new Review(feed, {
      goToTurn: (turn) => this.stopped(() => this.goTo(this.record.stepOfTurn(turn))),
      preview: (board) => this.preview(board),
      changed: (turn) => this.loadAgain(turn),
    });
    at("grounds").addEventListener("click", () =>
      this.stopped(() => showRuling(this.feed, this.record.steps[this.step])),
    );
  }

  async begin() {
    await this.record.load();
    setScene((await this.record.state(this.record.steps.length - 1)).state);
    this.log.take(this.record.events);
    this.controls.begin(this.record);
    const turn = Number(new URLSearchParams(location.search).get("turn"));
    await this.review.begin();
    await this.goTo(turn ? this.record.stepOfTurn(turn) : 0);
  }

  // The match as it reads after a turn was put right.
  async loadAgain(turn) {
    this.record = new Record(this.feed.api.headers());
    await this.record.load();
    this.log.clear();
    this.log.take(this.record.events);
    this.controls.begin(this.record);
    await this.review.begin();
    await this.goTo(this.record.stepOfTurn(turn));
  }

  // A play that may be chosen is shown on the board until the replay goes on.
  preview(board) {
    const shown = board ?? this.shown?.board;
    if (shown) this.board.showCheckers(shown, isLightBelow(this.shown));
  }

  go(where) {
    const last = this.record.steps.length - 1;
    const steps = { first: 0, back: this.step - 1, next: this.step + 1, last };
    return this.goTo(
      where.startsWith("turn") ? this.record.turnBeside(this.step, where === "turn-next" ? 1 : -1) : steps[where],
    );
  }

  async goTo(step) {
    const wanted = Math.min(Math.max(0, step), this.record.steps.length - 1);
    this.step = wanted;
    this.showPosition();
    try {
      const moment = await this.record.state(wanted);
      write(at("link"), "");
      if (this.step === wanted) this.show(moment);
      // Prefetches the next step; a failed request is repeated when the step is shown.
      if (wanted + 1 < this.record.steps.length) this.record.state(wanted + 1).catch(() => {});
    } catch {
      write(at("link"), t("link.down"));
      this.stop();
    }
  }

  show({ state, now_ms: nowMs, viewer }) {
    this.shown = state;
    showHead(state, viewer);
    showPlayers(state);
    showStatus(state);
    drawAround(this.board, state);
    if (state.board) {
      this.board.showCheckers(state.board, isLightBelow(state));
      write(at("board-words"), boardWords(state));
    }
    this.board.showMarks(state.guide ?? {});
    this.clock.take(state.clock, nowMs);
    document.documentElement.dataset.shown = this.record.steps[this.step];
    if (viewer === "operator") this.cursorSender.moveTo(this.record.steps[this.step]);
  }

  showPosition() {
    const text = this.record.text(this.step);
    const turn = this.record.turnAt(this.step);
    write(at("event-text"), text);
    this.log.mark(this.record.steps[this.step]);
    this.controls.show({
      step: this.step,
      last: this.record.steps.length - 1,
      turn,
      text,
      isPlaying: this.timer !== null,
    });
    clearTimeout(this.keeping);
    if (turn && this.timer === null) this.keeping = setTimeout(() => this.rest(turn.turn), KEEP_POSITION_MS);
  }

  rest(turn) {
    this.keepPosition(turn);
    this.review.show(turn);
  }

  // Writes the turn into the address, so that a reload or a shared link begins there.
  keepPosition(turn) {
    const query = new URLSearchParams(location.search);
    if (query.get("turn") === String(turn)) return;
    query.set("turn", turn);
    history.replaceState(null, "", `${location.pathname}?${query}`);
  }

  play() {
    if (this.timer !== null) return this.stopped(() => {});
    if (this.step === this.record.steps.length - 1) this.step = -1;
    this.timer = setTimeout(() => this.playOn(), 0);
  }

  async playOn() {
    const { timer } = this;
    await this.goTo(this.step + 1);
    if (this.timer !== timer) return; // stopped in the meantime, and perhaps started again
    const isOver = this.step === this.record.steps.length - 1;
    if (isOver) this.stop();
    else this.timer = setTimeout(() => this.playOn(), this.paceMs);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.showPosition();
  }

  // A step by hand stops the playback.
  stopped(act) {
    if (this.timer !== null) this.stop();
    return act();
  }
}

async function begin() {
  await loadTexts(chosenLanguage());
  showLanguages();
  showHeadings();
  write(at("grounds"), t("replay.grounds"));
  const feed = new Feed(null, operatorToken());
  if (feed.api.token && (await feed.api.isTokenWrong())) feed.api.forget();
  await new Replay(feed).begin();
}

begin();
