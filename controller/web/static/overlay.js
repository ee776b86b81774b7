// The overlay for streams: board, names and score on a transparent ground. It only looks.

import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { at, write } from "./dom.js";
import { Feed } from "./feed.js";
import { chosenLanguage } from "./languages.js";
import { boardWords, coloursOf, doingText, isBelow, showPlayers } from "./status.js";
import { loadTexts } from "./texts.js";
import { cubeOf, diceOf, sideOf } from "./things.js";

async function begin() {
  await loadTexts(chosenLanguage());
  const board = new Board(at("board"));
  const clock = new Clock();
  const nothing = () => {};
  const state = (now, nowMs) => {
    showPlayers(now);
    clock.take(now.clock, nowMs);
    write(at("doing"), doingText(now));
    board.showNumbers(now.numbers[now.on_turn ?? "W"]);
    board.showLights(now.lights);
    board.showThings(diceOf(now), sideOf(now), cubeOf(now));
    if (!now.board) return;
    board.showCheckers(now.board, isBelow(now, coloursOf(now).W === "light" ? "W" : "B"));
    at("board").setAttribute("aria-label", boardWords(now));
  };
  new Feed({ match: nothing, events: nothing, link: nothing, state }, null).connect();
}

begin();
