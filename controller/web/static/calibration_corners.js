// The four corners as handles, dragged with mouse or finger or moved with the arrow keys.

import { at, h, write } from "./dom.js";
import { t } from "./texts.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LONG_STEP = 10;
const NAMES = ["upper-left", "upper-right", "lower-right", "lower-left"];

export class Corners {
  // Calls `on.moving(corners)` while a corner moves, and `on.moved(isLetGo)` when the movement may have ended.
  constructor(picture, on) {
    Object.assign(this, { picture, on });
    this.places = null;
    this.held = null;
    this.handles = NAMES.map((_, index) => this.handle(index));
    at("corners").replaceChildren(...this.handles);
  }

  handle(index) {
    const attributes = {
      type: "button",
      class: "corner",
      hidden: true,
      "data-corner": index,
      "aria-describedby": "corner-hint",
      onpointerdown: (event) => this.take(event, index),
      onpointermove: (event) => this.drag(event, index),
      onpointerup: () => this.drop(),
      onpointercancel: () => this.drop(),
      onkeydown: (event) => this.key(event, index),
      onkeyup: (event) => event.key in STEPS && this.on.moved(false),
      onblur: () => this.picture.magnify(null),
    };
    return h("button", attributes, h("span", { "aria-hidden": "true" }, String(index + 1)));
  }

  get isHeld() {
    return this.held !== null;
  }

  put(places) {
    this.places = places.map((place) => [...place]);
    this.show();
  }

  hide() {
    this.places = null;
    for (const handle of this.handles) handle.hidden = true;
  }

  // The next corner becomes the upper left one.
  turn() {
    this.put([...this.places.slice(1), this.places[0]]);
  }

  show() {
    const size = this.picture.size;
    if (!this.places || !size) return;
    this.handles.forEach((handle, index) => {
      const [x, y] = this.places[index];
      handle.hidden = false;
      handle.style.left = `${(100 * (x + 0.5)) / size[0]}%`;
      handle.style.top = `${(100 * (y + 0.5)) / size[1]}%`;
      handle.setAttribute("aria-label", this.words(index));
    });
  }

  words(index) {
    const [x, y] = this.places[index];
    return t("calibration.corner", {
      number: index + 1,
      name: t(`calibration.corner.${NAMES[index]}`),
      x: Math.round(x),
      y: Math.round(y),
    });
  }

  take(event, index) {
    if (event.button !== 0) return;
    event.preventDefault(); // prevents selection of the picture and scrolling
    const handle = this.handles[index];
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    handle.classList.add("held");
    const [x, y] = this.picture.at(event.clientX, event.clientY);
    this.held = { index, off: [this.places[index][0] - x, this.places[index][1] - y] };
    this.picture.magnify(this.places[index]);
  }

  drag(event, index) {
    if (this.held?.index !== index) return;
    const [x, y] = this.picture.at(event.clientX, event.clientY);
    this.place(index, [x + this.held.off[0], y + this.held.off[1]]);
  }

  drop() {
    if (!this.held) return;
    this.handles[this.held.index].classList.remove("held");
    this.held = null;
    this.picture.magnify(null);
    this.on.moved(true);
  }

  key(event, index) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const by = event.shiftKey ? LONG_STEP : 1;
    const [x, y] = this.places[index];
    this.place(index, [x + by * step[0], y + by * step[1]]);
    write(at("moved"), this.words(index));
  }

  place(index, [x, y]) {
    const [width, height] = this.picture.size;
    this.places[index] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
    this.show();
    this.picture.magnify(this.places[index]);
    this.on.moving(this.places);
  }
}
