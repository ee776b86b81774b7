// The board as a drawing. Checkers keep their SVG elements, so that they move when the position changes.

import * as shape from "./board_shape.js";
import { assigned, slotsOf } from "./checkers.js";
import { s } from "./dom.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const DIE = 46;
const SIGNS = { extra: "−", missing: "+", doubt: "?" };

export class Board {
  constructor(svg) {
    this.lying = [];
    this.labels = [];
    this.lights = [];
    this.ground = s("g", { "aria-hidden": "true" });
    this.marks = s("g", { "aria-hidden": "true" });
    this.checkers = s("g", { class: "checkers", "aria-hidden": "true" });
    this.things = s("g", { "aria-hidden": "true" });
    this.badges = s("g", { "aria-hidden": "true" });
    this.touch = s("g");
    svg.append(this.ground, this.marks, this.checkers, this.things, this.badges, this.touch);
    this.drawGround();
  }

  drawGround() {
    this.ground.append(
      s("rect", { class: "frame", width: shape.WIDTH, height: shape.HEIGHT, rx: 14 }),
      s("rect", { class: "field", ...shape.FIELD }),
      s("rect", { class: "tray", ...shape.TRAY_BOX, rx: 6 }),
    );
    for (let place = 0; place < 24; place += 1) {
      this.ground.append(
        s("polygon", { class: (place + (place < 12)) % 2 ? "point odd" : "point even", points: shape.triangle(place) }),
      );
      const label = s("text", { class: "number", x: shape.pointX(place), y: shape.labelY(place) });
      const light = s("circle", { class: "led", cx: shape.pointX(place), cy: shape.lightY(place), r: 7.5 });
      this.labels.push(label);
      this.lights.push(light);
      this.ground.append(label);
    }
    this.ground.append(s("rect", { class: "bar", ...shape.BAR_BOX }));
    this.barLight = s("circle", { class: "led", cx: shape.BAR_X, cy: shape.lightY(0), r: 7.5 });
    this.ground.append(...this.lights, this.barLight);
  }

  // `isLightBelow`: the player of the light checkers sits at the lower edge. Marks checkers that moved since `base`.
  showCheckers(board, isLightBelow, base = null) {
    const { pairs, leftOver } = assigned(this.lying, slotsOf(board, isLightBelow));
    leftOver.forEach((one) => one.element.remove());
    this.lying = [...pairs].map(([slot, before]) => this.placed(slot, before));
    const known = base && new Set(slotsOf(base, isLightBelow).map((slot) => `${slot.colour} ${slot.key}`));
    this.lying.forEach((one) =>
      one.element.classList.toggle("moved", known !== null && !known.has(`${one.colour} ${one.key}`)),
    );
  }

  placed(slot, before) {
    const element = before?.element ?? this.newChecker(slot.colour);
    element.style.transform = `translate(${slot.x}px, ${slot.y}px) scale(1, ${slot.isFlat ? 0.26 : 1})`;
    element.lastElementChild.textContent = slot.count || "";
    if (before?.key !== slot.key) this.checkers.append(element); // the checker drawn last lies on top
    return { ...slot, element };
  }

  newChecker(colour) {
    const parts = [
      s("circle", { class: "outer", r: shape.RADIUS }),
      s("circle", { class: "inner", r: shape.RADIUS * 0.68 }),
      s("text", { y: 9 }),
    ];
    return s("g", { class: `checker ${colour}` }, ...parts);
  }

  showNumbers(numbers) {
    this.labels.forEach((label, place) => (label.textContent = numbers[place]));
  }

  // `lights`: [{meaning, rhythm, places}], as on the LED strip.
  showLights(lights) {
    const shown = new Map(lights.flatMap((light) => light.places.map((place) => [place, light])));
    shape.NAMES.forEach((name, place) => lit(this.lights[place], shown.get(name)));
    lit(this.barLight, shown.get("bar"));
  }

  // `marks`: {extra: [...], missing: [...], doubt: [...]}, lists of place names.
  showMarks(marks) {
    const all = Object.entries(marks).flatMap(([kind, places]) =>
      places.map((name) => ({ kind, place: shape.NAMES.indexOf(name), name })),
    );
    const onPoints = all.filter(({ place }) => place >= 0);
    this.marks.replaceChildren(
      ...onPoints.map(({ kind, place }) => s("polygon", { class: `marked ${kind}`, points: shape.triangle(place) })),
    );
    this.badges.replaceChildren(
      ...all.map(({ kind, place, name }) =>
        badge(kind, shape.markAt(place, name), kind === "missing" && marks.extra?.includes(name)),
      ),
    );
  }

  // `dice`: [{value, isLight, isVoid}], in the half of `side` ("left" or "right"); `cube`: {value, where} or null.
  showThings(dice, side, cube) {
    const drawn = dice.map((die, number) => drawnDie(die, dieX(side, number, dice.length)));
    if (cube) drawn.push(drawnCube(cube));
    this.things.replaceChildren(...drawn);
  }
}

function lit(element, light) {
  const wanted = light ? `led ${light.meaning} ${light.rhythm.replaceAll(" ", "-")}` : "led";
  if (element.getAttribute("class") !== wanted) element.setAttribute("class", wanted);
}

// A point with checkers of the wrong colour has two signs, side by side.
function badge(kind, [x, y], isSecond) {
  const transform = `translate(${x + (isSecond ? 30 : 0)} ${y})`;
  return s("g", { class: `mark ${kind}`, transform }, s("circle", { r: 14 }), s("text", { y: 8 }, SIGNS[kind]));
}

function dieX(side, number, count) {
  const middle = side === "left" ? shape.BAR_X - 210 : shape.BAR_X + 210;
  return middle + (number - (count - 1) / 2) * (DIE + 12);
}

function drawnDie(die, x) {
  const parts = [s("rect", { x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 9 })];
  for (const spot of PIPS[die.value] ?? []) {
    parts.push(s("circle", { cx: ((spot % 3) - 1) * 13, cy: (Math.floor(spot / 3) - 1) * 13, r: 4.6 }));
  }
  if (!die.value) parts.push(s("text", { y: 10 }, "?"));
  if (die.isVoid) parts.push(s("path", { class: "void", d: "M-24-24L24 24M24-24L-24 24" }));
  const transform = `translate(${x} ${shape.MIDDLE_Y})`;
  return s("g", { class: `die ${die.isLight ? "light" : "dark"}`, transform }, ...parts);
}

function drawnCube(cube) {
  const y = { middle: shape.MIDDLE_Y, below: shape.HEIGHT - 64, above: 64 }[cube.where];
  const box = s("rect", { x: -21, y: -21, width: 42, height: 42, rx: 6 });
  const value = s("text", { y: 8 }, String(cube.value));
  const transform = `translate(${shape.BAR_X} ${y})`;
  return s("g", { class: cube.isOffered ? "cube offered" : "cube", transform }, box, value);
}
