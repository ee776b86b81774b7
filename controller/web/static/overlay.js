// The overlay for streams: board, names and score on a transparent ground, read-only. The address chooses what stands where:
// layout=board|lower|score, at=top-left|top|top-right|bottom-left|bottom|bottom-right|…, size=10…100 (per cent of the width),
// camera=top-left|… (the camera's picture in a corner), white=, black= (two letters of a country, for its flag).

import { Board } from "./board.js";
import { showCamera } from "./camera.js";
import { Clock } from "./clock.js";
import { at, write } from "./dom.js";
import { Feed } from "./feed.js";
import { flag } from "./flags.js";
import { chosenLanguage } from "./languages.js";
import { boardWords, doingText, showPlayers } from "./status.js";
import { loadTexts, t } from "./texts.js";
import { drawAround, isLightBelow } from "./board_state.js";
import { NO_CAMERA, arrangementOf } from "./overlay_layout.js";
import { setScene, wordsOf } from "./wording.js";

// What a viewer who looked away wants to know: what was played, and what ended.
const LAST = new Set([
  ...["PlayMade", "PlayCondoned", "PlayRefused", "PlayCorrected", "PassForced", "CubeTurned"],
  ...["ResignationAnswered", "GameWon", "MatchWon"],
]);

class Overlay {
  constructor() {
    this.chosen = arrangementOf(location.search);
    const { layout, at: place, size, camera } = this.chosen;
    document.body.className = `layout-${layout} at-${place}`;
    document.body.style.setProperty("--size", size / 100);
    this.board = new Board(at("board"));
    this.clock = new Clock();
    at("camera-picture").className = `at-${camera}`;
    at("camera-picture").alt = t("camera.title");
    this.stopCamera = () => {};
  }

  link(isUp) {
    this.stopCamera();
    const picture = at("camera-picture");
    if (isUp && this.chosen.camera !== NO_CAMERA)
      this.stopCamera = showCamera(picture, {}, (isThere) => (picture.hidden = !isThere));
  }

  match() {
    this.last = null;
  }

  events(events) {
    this.last = events.findLast(({ event, said }) => LAST.has(event.event) && said.length)?.said ?? this.last;
    if (this.isBegun) this.showLast();
  }

  state(now, nowMs) {
    this.isBegun = true;
    setScene(now);
    at("overlay").hidden = false;
    showPlayers(now, { W: this.flag("white"), B: this.flag("black") });
    this.clock.take(now.clock, nowMs);
    write(at("doing"), doingText(now));
    this.showLast();
    drawAround(this.board, now);
    if (!now.board) return;
    this.board.showCheckers(now.board, isLightBelow(now));
    at("board").setAttribute("aria-label", boardWords(now));
  }

  showLast() {
    write(at("last"), this.last ? wordsOf(this.last) : "");
  }

  flag(side) {
    const code = this.chosen[side];
    return code ? () => flag(code) : null;
  }
}

async function begin() {
  await loadTexts(chosenLanguage());
  const overlay = new Overlay();
  const on = {
    match: () => overlay.match(),
    events: (events) => overlay.events(events),
    link: (isUp) => overlay.link(isUp),
    state: (now, nowMs) => overlay.state(now, nowMs),
  };
  new Feed(on, null).connect();
}

begin();
