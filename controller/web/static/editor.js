// Edits the board by hand: one tap takes a checker up, another puts it down; or drag it. No checker is lost.

import * as shape from "./board_shape.js";
import { at, button, h, s, write } from "./dom.js";
import { nameOf } from "./status.js";
import { t } from "./texts.js";
import { isLightBelow } from "./board_state.js";

const BESIDE = ["bar", "off", "waiting"];

export class Editor {
  // `board` draws. `say(command)` sends, and returns a sentence where it is refused. `closed()` is called at the end.
  constructor({ board, say, closed }) {
    Object.assign(this, { board, say, closed });
    this.counts = null;
    this.dragged = null;
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => this.drop());
  }

  get isOpen() {
    return this.counts !== null;
  }

  open(state) {
    this.counts = structuredClone(state.board);
    this.isLightBelow = isLightBelow(state);
    this.held = null;
    this.next = whoThrows(state);
    at("editor").hidden = false;
    at("editor").replaceChildren(
      h("p", { id: "editor-hint" }, t("editor.hint")),
      h("p", { id: "editor-problem", role: "alert", hidden: true }),
      ...(this.next ? [h("label", {}, t("editor.next"), " ", this.next)] : []),
      button(t("editor.send"), () => this.send(), { class: "send" }),
      button(t("editor.cancel"), () => this.close()),
    );
    this.board.showMarks({});
    this.draw();
  }

  close() {
    this.counts = null;
    this.dragged = null;
    at("editor").hidden = true;
    this.board.touch.replaceChildren();
    this.closed();
  }

  async send() {
    const next = this.next?.value ? { on_turn: this.next.value } : {};
    const problem = await this.say({ command: "CorrectBoard", board: this.counts, ...next });
    if (problem) write(at("editor-problem"), problem);
    else this.close();
  }

  draw() {
    this.board.showCheckers(this.counts, this.isLightBelow);
    const focused = document.activeElement?.dataset?.spot;
    this.board.touch.replaceChildren(...this.spots().map((spot) => this.button(spot)));
    if (focused) this.board.touch.querySelector(`[data-spot="${focused}"]`)?.focus();
  }

  // All places for checkers: 24 points, and for each colour bar, tray and reserve.
  spots() {
    const points = shape.NAMES.map((name, place) => ({ id: `p${place}`, place, name, box: shape.touchBox(place) }));
    const beside = BESIDE.flatMap((where) => ["light", "dark"].map((colour) => this.beside(where, colour)));
    return [...points, ...beside.filter((spot) => spot.where !== "waiting" || this.counts.waiting.some(Boolean))];
  }

  beside(where, colour) {
    const isBelow = this.isLightBelow === (colour === "light");
    const isBar = where === "bar";
    const box = isBar ? shape.BAR_BOX : shape.TRAY_BOX;
    const half = box.height / 2;
    const third = isBar ? half : half / 2;
    const fromEdge = where === "waiting" ? third : 0;
    const y = isBelow ? box.y + box.height - fromEdge - third : box.y + fromEdge;
    const name = t(`editor.${where}`, { colour: t(`colour.${colour}`) });
    return { id: `${where}-${colour}`, where, colour, name, box: { x: box.x, y, width: box.width, height: third } };
  }

  button(spot) {
    const isHeld = this.held?.id === spot.id;
    const act = () => this.tap(spot);
    return s("rect", {
      class: isHeld ? "spot held" : "spot",
      ...spot.box,
      role: "button",
      tabindex: 0,
      "data-spot": spot.id,
      "aria-pressed": isHeld,
      "aria-label": t("editor.spot", { name: spot.name, count: this.words(spot) }),
      onkeydown: (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), act()),
      onpointerdown: (event) => this.down(event, spot),
      onpointerup: (event) => this.up(event, spot),
    });
  }

  words(spot) {
    const counted = (count, colour) => t("editor.count", { count, colour: t(`colour.${colour}`) });
    const [light, dark] = this.pair(spot);
    if (spot.where) return counted(spot.colour === "light" ? light : dark, spot.colour);
    const parts = [light && counted(light, "light"), dark && counted(dark, "dark")];
    return parts.filter(Boolean).join(", ") || t("editor.empty");
  }

  down(event, spot) {
    event.preventDefault();
    event.target.releasePointerCapture?.(event.pointerId); // the element under the pointer gets the end of a drag
    event.target.classList.add("held");
    this.dragged = spot;
  }

  // A drag that ends beside the board moves nothing.
  drop() {
    if (!this.dragged) return;
    this.dragged = null;
    this.draw();
  }

  up(event, spot) {
    const from = this.dragged;
    this.dragged = null;
    if (from && from.id !== spot.id && !this.held) {
      this.tap(from);
      if (!this.held) return;
    }
    this.tap(spot);
  }

  tap(spot) {
    if (!this.held) {
      this.held = this.colourAt(spot) ? spot : null;
    } else {
      if (this.held.id !== spot.id) this.move(this.held, spot);
      this.held = null;
    }
    this.draw();
  }

  colourAt(spot) {
    const [light, dark] = this.pair(spot);
    if (spot.where) return (spot.colour === "light" ? light : dark) ? spot.colour : null;
    if (light && dark) return this.counts.dark_above.includes(spot.place) ? "dark" : "light";
    return light ? "light" : dark ? "dark" : null;
  }

  move(from, to) {
    const colour = this.colourAt(from);
    if (to.where && to.colour !== colour) return; // bar, tray and reserve have a place for each colour
    const column = colour === "light" ? 0 : 1;
    this.pair(from)[column] -= 1;
    this.pair(to)[column] += 1;
    const above = new Set(this.counts.dark_above);
    for (const spot of [from, to]) {
      if (!spot.where && !this.counts.points[spot.place].every(Boolean)) above.delete(spot.place);
    }
    if (!to.where && this.counts.points[to.place].every(Boolean)) above[colour === "dark" ? "add" : "delete"](to.place);
    this.counts.dark_above = [...above];
  }

  pair(spot) {
    return spot.where ? this.counts[spot.where] : this.counts.points[spot.place];
  }
}

// A choice that is empty while the log defines who throws; null where nobody is on turn, or the game has no dice.
function whoThrows(state) {
  if (["set_up", "opening"].includes(state.phase) || !state.on_turn || state.match.game === "grasshopper") return null;
  const options = ["W", "B"].map((player) =>
    h("option", { value: player }, t("doing.await_roll", { name: nameOf(state, player) })),
  );
  return h("select", { id: "editor-next" }, h("option", { value: "" }, t("editor.next.same")), ...options);
}
