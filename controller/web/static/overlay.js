// The overlay for streams: board, names and score on a transparent ground, read-only.

import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { at, write } from "./dom.js";
import { Feed } from "./feed.js";
import { chosenLanguage } from "./languages.js";
import { boardWords, doingText, showPlayers } from "./status.js";
import { loadTexts } from "./texts.js";
import { drawAround, isLightBelow } from "./board_state.js";

async function begin() {
  await loadTexts(chosenLanguage());
  const board = new Board(at("board"));
  const clock = new Clock();
  const nothing = () => {};
  const state = (now, nowMs) => {
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
