// The geometry of the drawing, in units of its view box (900 x 700). The board lies as in the camera's picture.

export const WIDTH = 900;
export const HEIGHT = 700;
export const RADIUS = 26;
const LEFT = 24;
const COLUMN = 60;
const BAR = 60;
const RIM = 42;
const ROOM = 268; // height of the space for a stack
const FULL = 5; // the largest stack without overlap
export const TRAY_X = 848;
const TRAY_STEP = 15;

export const BAR_X = LEFT + 6 * COLUMN + BAR / 2;
export const MIDDLE_Y = HEIGHT / 2;
export const FIELD = { x: LEFT, y: RIM, width: 12 * COLUMN + BAR, height: HEIGHT - 2 * RIM };
export const BAR_BOX = { x: BAR_X - BAR / 2, y: RIM, width: BAR, height: HEIGHT - 2 * RIM };
export const TRAY_BOX = { x: TRAY_X - 34, y: RIM, width: 68, height: HEIGHT - 2 * RIM };

// Places of the picture by index: 0..11 are T1..T12, 12..23 are B1..B12.
export const NAMES = Array.from({ length: 24 }, (_, place) => `${place < 12 ? "T" : "B"}${(place % 12) + 1}`);

export function isUpper(place) {
  return place < 12;
}

export function pointX(place) {
  const column = place % 12;
  return LEFT + COLUMN * (column + 0.5) + (column >= 6 ? BAR : 0);
}

export function rimY(place) {
  return isUpper(place) ? RIM : HEIGHT - RIM;
}

export function triangle(place) {
  const x = pointX(place);
  const tip = isUpper(place) ? RIM + ROOM - 18 : HEIGHT - RIM - ROOM + 18;
  return `${x - COLUMN / 2},${rimY(place)} ${x + COLUMN / 2},${rimY(place)} ${x},${tip}`;
}

export function touchBox(place) {
  return { x: pointX(place) - COLUMN / 2, y: isUpper(place) ? RIM : MIDDLE_Y, width: COLUMN, height: MIDDLE_Y - RIM };
}

export function labelY(place) {
  return isUpper(place) ? 19 : HEIGHT - 7;
}

// The LED strip runs along the rims.
export function lightY(place) {
  return isUpper(place) ? RIM - 11 : HEIGHT - RIM + 11;
}

// The centre of the checker at `row` (0 at the rim) in a stack of `count`.
export function onPoint(place, row, count) {
  const step = count > FULL ? (ROOM - 2 * RADIUS) / (count - 1) : 2 * RADIUS;
  const along = RADIUS + 1 + row * step;
  return [pointX(place), isUpper(place) ? RIM + along : HEIGHT - RIM - along];
}

// Checkers on the bar and in the tray lie in the half of their player.
export function onBar(row, isBelow) {
  const away = 62 + row * 34;
  return [BAR_X, isBelow ? MIDDLE_Y + away : MIDDLE_Y - away];
}

export function inTray(row, isBelow) {
  const along = 14 + row * TRAY_STEP;
  return [TRAY_X, isBelow ? HEIGHT - RIM - along : RIM + along];
}

// Checkers that have not entered lie near the middle of the tray.
export function waitingIn(row, isBelow) {
  const away = 24 + row * TRAY_STEP;
  return [TRAY_X, isBelow ? MIDDLE_Y + away : MIDDLE_Y - away];
}

// The position of a sign; `place` is -1 for bar and tray.
export function markAt(place, name) {
  if (place >= 0) return [pointX(place), isUpper(place) ? MIDDLE_Y - 44 : MIDDLE_Y + 44];
  return [name === "bar" ? BAR_X : TRAY_X, MIDDLE_Y + 44];
}
