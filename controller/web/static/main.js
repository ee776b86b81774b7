// Joins the parts of the page: shows what the feed brings, and sends the operator's orders.

import { Announcer } from "./announcer.js";
import { Board } from "./board.js";
import { offerCalibration } from "./calibration_link.js";
import { setUpCamera } from "./camera.js";
import { Clock } from "./clock.js";
import { askResignation, askRoll, askSeating } from "./corrections.js";
import { at, write } from "./dom.js";
import { Editor } from "./editor.js";
import { operatorToken } from "./api.js";
import { Feed } from "./feed.js";
import { Log, showRuling } from "./log.js";
import { chosenLanguage } from "./languages.js";
import { showLanguages } from "./language_choice.js";
import { showOffice } from "./office_link.js";
import { showOrders } from "./orders.js";
import { SpeechPanel, storedPreferences } from "./preferences.js";
import { Question } from "./question.js";
import { fillStrip } from "./pictures.js";
import { problemText, wordsOf } from "./wording.js";
import { proposeSettings } from "./settings_proposed.js";
import { boardWords, showHead, showHeadings, showLost, showPlayers, showReceivers, showStatus } from "./status.js";
import { StreamView } from "./stream_view.js";
import { loadTexts, t } from "./texts.js";
import { drawAround, isLightBelow } from "./board_state.js";
import { toast } from "./toast.js";

const ASKING = new Set(["PlayUnclear", "ThrowUnclear", "SetUpUnclear", "BoardDiffers"]);
const RULED = new Set(["ThrowRefused", "PlayMade", "PlayRefused", "PlayUnclear", "PlayCondoned"]);

class Page {
  constructor() {
    this.state = null;
    this.preview = null;
    this.orderedAfter = Infinity;
    this.board = new Board(at("board"));
    this.clock = new Clock();
    this.feed = new Feed(this, operatorToken());
    this.log = new Log((number) => showRuling(this.feed, number));
    this.editor = new Editor({ board: this.board, say: (command) => this.ask(command), closed: () => this.show() });
    const say = (command) => this.say(command);
    this.open = {
      CorrectRoll: () => askRoll(this.state, say),
      Resign: () => askResignation(this.state, say),
      SetSeating: () => askSeating(this.state, say),
      CorrectBoard: () => this.editor.open(this.state),
    };
    this.question = new Question({
      say,
      preview: (board) => this.showPreview(board),
      setDice: this.open.CorrectRoll,
      setBoard: this.open.CorrectBoard,
      setSeating: this.open.SetSeating,
      pictures: (strip, askedMs) => this.showPictures(strip, askedMs),
    });
    this.numbers = new Map(); // of the events that ask, by their time
    this.ruled = null; // the number of the last ruling, which a dispute shows
    this.camera = setUpCamera(this.feed.api);
    new StreamView();
    const preferences = storedPreferences();
    this.announcer = new Announcer({ write: (text) => (at("said").textContent = text), preferences });
    this.speech = new SpeechPanel(this.announcer, preferences);
    this.early = []; // events before the first state, which defines the numbers of the points
  }

  match() {
    this.state = null;
    this.early = [];
    this.numbers.clear();
    this.ruled = null;
    this.log.clear();
    this.announcer.fallSilent();
    this.editor.isOpen && this.editor.close();
  }

  events(events) {
    for (const { number, event } of events) {
      if (ASKING.has(event.event)) this.numbers.set(event.at_ms, number);
      if (RULED.has(event.event)) this.ruled = number;
    }
    if (!this.state) return this.early.push(...events);
    this.log.take(events, this.nowMs);
    this.announcer.events(events);
    const refused = events.find((one) => one.event.event === "CommandRefused" && one.number > this.orderedAfter);
    if (refused) toast(wordsOf(refused.said));
    const isDisputed = events.some((one) => one.event.event === "DisputeOpened" && one.number > this.orderedAfter);
    if (isDisputed && this.ruled && !at("ruling").open) showRuling(this.feed, this.ruled);
  }

  newState(state) {
    this.state = state;
    this.show();
    if (this.early.length) this.log.take(this.early.splice(0), this.nowMs);
    this.announcer.state(this.nowMs);
    this.speech.state(state);
  }

  welcomeOperator() {
    offerCalibration(this.feed.api);
    if (this.isWelcomed || !this.state.office.is_there) return;
    this.isWelcomed = true;
    proposeSettings(this.feed.api, this.speech);
  }

  show() {
    const { state } = this;
    if (!state) return;
    showHead(state, this.viewer);
    showLost(state);
    showReceivers(state);
    showPlayers(state);
    showStatus(state);
    showOffice(state, this.viewer, () => this.startAgain());
    showOrders(state, (command) => this.say(command), this.open);
    this.question.show(state.question, this.viewer === "operator");
    this.showBoard();
    this.clock.take(state.clock, this.nowMs);
  }

  showBoard() {
    const { state } = this;
    drawAround(this.board, state);
    if (this.editor.isOpen || !state.board) return;
    this.board.showCheckers(this.preview ?? state.board, isLightBelow(state), this.preview && state.board);
    this.board.showMarks(this.preview ? {} : { ...state.guide, doubt: state.question?.places ?? [] });
    write(at("board-words"), boardWords(state));
  }

  showPreview(board) {
    this.preview = board;
    at("board").classList.toggle("preview", board !== null);
    if (this.state) this.showBoard();
  }

  // The pictures of the event that asks, below its answers.
  async showPictures(strip, askedMs) {
    const number = this.numbers.get(askedMs);
    const ruling = number && (await this.feed.ruling(number));
    if (!ruling || !strip.isConnected) return;
    const freeing = [];
    await fillStrip(strip, this.feed, number, ruling.pictures, { whenGone: (free) => freeing.push(free) });
    new MutationObserver((_, watch) => {
      if (strip.isConnected) return;
      watch.disconnect();
      freeing.forEach((free) => free());
    }).observe(at("question"), { childList: true });
  }

  link(isUp) {
    write(at("link"), isUp ? "" : t("link.down"));
    if (!isUp) this.announcer.fallSilent();
    if (isUp && at("camera").open) this.camera();
  }

  async startAgain() {
    const { ok, body } = await this.feed.api.post("/api/demo/again", {});
    if (!ok) toast(problemText(body));
  }

  // The problem as a sentence, or null.
  async ask(command) {
    this.orderedAfter = this.feed.since;
    const problem = await this.feed.order(command);
    return problem && problemText(problem);
  }

  async say(command) {
    const problem = await this.ask(command);
    if (problem) toast(problem);
  }
}

async function begin() {
  await loadTexts(chosenLanguage());
  showLanguages();
  showHeadings();
  const page = new Page();
  page.feed.on = {
    match: () => page.match(),
    events: (events) => page.events(events),
    link: (isUp) => page.link(isUp),
    delay: (seconds) => write(at("link"), t("viewer.begins", { seconds })),
    state: (state, nowMs, viewer) => {
      Object.assign(page, { nowMs, viewer });
      write(at("link"), "");
      page.newState(state);
      if (viewer === "operator") page.welcomeOperator();
    },
  };
  page.feed.connect();
}

begin();
