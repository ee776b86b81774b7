// What a state shows around the checkers: numbers, lights, dice and cube.

import { coloursOf, isBelow } from "./status.js";

export function drawAround(board, state) {
  board.showNumbers(state.numbers[state.on_turn ?? "W"]);
  board.showLights(state.lights);
  board.showThings(diceOf(state), sideOf(state), cubeOf(state));
}

// Whether the player of the light checkers sits at the lower edge.
export function isLightBelow(state) {
  return isBelow(state, coloursOf(state).W === "light" ? "W" : "B");
}

function diceOf(state) {
  const isLight = (letter) => coloursOf(state)[letter ?? "W"] === "light";
  if (state.dice)
    return state.dice.values
      .slice(0, 4)
      .map((value) => ({ value, isLight: isLight(state.dice.player), isVoid: false }));
  if (!state.throw || !["await_roll", "opening"].includes(state.phase)) return [];
  return state.throw.values
    .slice(0, 4)
    .map((value) => ({ value, isLight: isLight(state.on_turn), isVoid: state.throw.is_refused }));
}

// The half on the right of the player on turn, seen from that player's seat.
function sideOf(state) {
  return isBelow(state, state.dice?.player ?? state.on_turn ?? "W") ? "right" : "left";
}

function cubeOf(state) {
  if (!state.cube) return null;
  const { value, raised, owner, offered_by: offeredBy } = state.cube;
  const side = (letter) => (isBelow(state, letter) ? "below" : "above");
  if (offeredBy) return { value: raised, where: "middle", isOffered: true };
  return { value: value === 1 ? 64 : value, where: owner ? side(owner) : "middle", isOffered: false };
}
