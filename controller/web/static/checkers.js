// The checkers of a board as slots, and the assignment of drawn checkers to slots when the board changes.

import { inTray, onBar, onPoint, waitingIn } from "./board_shape.js";

export const COLOURS = ["light", "dark"];

// A slot for each checker: {colour, key, x, y, isFlat, count}; `count` is set on the last checker of a tall stack.
export function slotsOf(board, isLightBelow) {
  const slots = [];
  board.points.forEach(([light, dark], place) => {
    const order = Object.entries(board.dark_above.includes(place) ? { light, dark } : { dark, light });
    const total = light + dark;
    let row = 0;
    for (const [colour, count] of order) {
      for (let each = 0; each < count; each += 1, row += 1) {
        const [x, y] = onPoint(place, row, total);
        slots.push({ colour, key: `p${place}.${row}`, x, y, count: total > 5 && row === total - 1 ? total : 0 });
      }
    }
  });
  beside(slots, board.bar, "bar", onBar, isLightBelow);
  beside(slots, board.off, "off", inTray, isLightBelow);
  beside(slots, board.waiting, "waiting", waitingIn, isLightBelow);
  return slots;
}

function beside(slots, counts, name, where, isLightBelow) {
  COLOURS.forEach((colour, column) => {
    for (let row = 0; row < counts[column]; row += 1) {
      const [x, y] = where(row, isLightBelow === (colour === "light"));
      slots.push({ colour, key: `${name}.${colour}.${row}`, x, y, isFlat: name !== "bar", count: 0 });
    }
  });
}

// `lying`: [{colour, key, …}]. A slot gets the checker that lies there already, else one whose slot is gone.
export function assigned(lying, slots) {
  const free = new Map(lying.map((one) => [`${one.colour} ${one.key}`, one]));
  const pairs = new Map();
  for (const slot of slots) {
    const same = free.get(`${slot.colour} ${slot.key}`);
    if (same) {
      pairs.set(slot, same);
      free.delete(`${slot.colour} ${slot.key}`);
    }
  }
  for (const slot of slots) {
    if (pairs.has(slot)) continue;
    const [key, found] = [...free].findLast(([, one]) => one.colour === slot.colour) ?? [undefined, null];
    pairs.set(slot, found);
    free.delete(key);
  }
  return { pairs, leftOver: [...free.values()] };
}
