// The overlay for streams: board, names and score on a transparent ground, read-only. The address chooses what stands where:
// layout=board|lower|score, at=top-left|top|top-right|bottom-left|bottom|bottom-right|…, size=10…100 (per cent of the width).

import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { at, write } from "./dom.js";
import { Feed } from "./feed.js";
import { chosenLanguage } from "./languages.js";
import { boardWords, doingText, showPlayers } from "./status.js";
import { loadTexts } from "./texts.js";
import { drawAround, isLightBelow } from "./board_state.js";
import { arrangementOf } from "./overlay_layout.js";

function arrange() {
  const { layout, at: place, size } = arrangementOf(location.search);
  document.body.className = `layout-${layout} at-${place}`;
  document.body.style.setProperty("--size", size / 100);
}

async function begin() {
  arrange();
  await loadTexts(chosenLanguage());
  const board = new Board(at("board"));
  const clock = new Clock();
  const nothing = () => {};
  const state = (now, nowMs) => {
    at("overlay").hidden = false;
    showPlayers(now);
    clock.take(now.clock, nowMs);
    write(at("doing"), doingText(now));
    drawAround(board, now);
    if (!now.board) return;
    board.showCheckers(now.board, isLightBelow(now));
    at("board").setAttribute("aria-label", boardWords(now));
  };
  new Feed({ match: nothing, events: nothing, link: nothing, state }, null).connect();
}

begin();
