// The LED map: a tap on an LED lights it on the board, a tap on a place assigns the LED to it.

import { at, button, h, write } from "./dom.js";
import { alertLine } from "./fields.js";
import { problemText, writeProblems } from "./wording.js";
import { t } from "./texts.js";

const HALVES = [
  [1, 2, 3, 4, 5, 6],
  [7, 8, 9, 10, 11, 12],
];
const NOWHERE = "";

export class LedMap {
  constructor(api, toast) {
    this.api = api;
    this.toast = toast;
    this.place = at("led-map");
    this.places = [];
    this.chosen = null;
    this.isChanged = false;
  }

  async show() {
    if (this.isChanged) return;
    const answer = await this.api.get("/api/leds");
    if (!answer.ok)
      return this.place.replaceChildren(h("p", { class: "alert", role: "alert" }, problemText(answer.body)));
    this.places = answer.body.places;
    this.seal = answer.body.seal;
    this.draw();
    write(this.state, t(answer.body.is_kept ? "office.leds.kept" : "office.leds.usual"));
    writeProblems(this.alert, answer.body.problem ? [{ sentence: answer.body.problem }] : []);
  }

  draw() {
    this.alert = alertLine();
    this.state = h("p", { class: "hint" });
    this.said = h("p", { id: "led-said", "aria-live": "polite" });
    this.grid = h("div", { id: "led-grid", dir: "ltr" });
    this.count = h("input", { id: "led-count", type: "text", inputmode: "numeric", value: this.places.length });
    const save = button(t("office.leds.save"), () => this.save(), { class: "send", id: "save-leds" });
    this.place.replaceChildren(
      h("p", { class: "hint" }, t("office.leds.hint")),
      this.state,
      this.alert,
      this.grid,
      this.said,
      h(
        "p",
        { class: "often" },
        button(t("office.leds.before"), () => this.step(-1), { id: "led-before" }),
        button(t("office.leds.next"), () => this.step(1), { id: "led-next" }),
        button(t("office.leds.off"), () => this.choose(null), { id: "led-off" }),
      ),
      h(
        "details",
        {},
        h("summary", {}, t("office.leds.all")),
        h(
          "div",
          { class: "often" },
          h("label", { for: "led-count" }, t("office.leds.count")),
          this.count,
          button(t("office.leds.arrange"), () => this.arrange(), { id: "led-usual" }),
          button(t("office.leds.shift-back"), () => this.shift(-1), { id: "shift-back" }),
          button(t("office.leds.shift-on"), () => this.shift(1), { id: "shift-on" }),
        ),
      ),
      h("p", { class: "often saving" }, save),
    );
    this.drawGrid();
  }

  drawGrid() {
    const focused = document.activeElement?.dataset?.led ?? null;
    const row = (letter) => [
      ...HALVES[0].map((column) => this.cell(`${letter}${column}`)),
      letter === "T" ? this.cell("bar") : h("span", { class: "gap" }),
      ...HALVES[1].map((column) => this.cell(`${letter}${column}`)),
    ];
    this.grid.replaceChildren(
      h("div", { class: "row" }, ...row("T")),
      h("div", { class: "row" }, ...row("B")),
      h("div", { class: "beside" }, this.cell("tray"), this.cell(NOWHERE)),
    );
    if (focused !== null) this.chip(focused)?.focus();
  }

  cell(name) {
    const isBeside = name === "bar" || name === "tray";
    const word =
      name === NOWHERE ? t("office.leds.nowhere") : t(`office.place.${isBeside ? name : "point"}`, { name });
    const leds = this.places.flatMap((place, led) => ((place ?? NOWHERE) === name ? [led] : []));
    const label = t("office.leds.put", { place: word });
    const put = button(word, () => this.put(name), { class: "put", "data-place": name, "aria-label": label });
    const chips = leds.map((led) => this.newChip(led, word));
    return h("div", { class: leds.length || name === NOWHERE || isBeside ? "cell" : "cell empty" }, put, ...chips);
  }

  newChip(led, word) {
    return button(String(led), () => this.choose(led), {
      class: "chip",
      "data-led": led,
      "aria-pressed": String(led === this.chosen),
      "aria-label": t("office.leds.led", { led, place: word }),
    });
  }

  chip(led) {
    return this.grid.querySelector(`[data-led="${led}"]`);
  }

  step(by) {
    const count = this.places.length;
    this.choose(this.chosen === null ? 0 : (this.chosen + by + count) % count);
  }

  async choose(led) {
    this.chosen = led;
    for (const chip of this.grid.querySelectorAll(".chip"))
      chip.setAttribute("aria-pressed", String(Number(chip.dataset.led) === led));
    write(this.said, led === null ? "" : t("office.leds.lit", { led }));
    const answer = await this.api.post("/api/leds/point", { led });
    writeProblems(this.alert, answer.ok ? [] : [answer.body]);
  }

  // The next LED is chosen automatically, so that a strip needs one tap for each LED.
  put(name) {
    if (this.chosen === null) return write(this.said, t("office.leds.choose-first"));
    this.change(this.places.with(this.chosen, name === NOWHERE ? null : name));
    if (this.chosen + 1 < this.places.length) this.choose(this.chosen + 1);
  }

  change(places) {
    const focused = document.activeElement?.dataset?.place;
    this.places = places;
    this.isChanged = true;
    write(this.state, t("office.leds.changed"));
    this.drawGrid();
    if (focused !== undefined) this.grid.querySelector(`[data-place="${focused}"]`)?.focus();
  }

  shift(by) {
    const count = this.places.length;
    this.change(this.places.map((_, led) => this.places[(led - by + count) % count]));
  }

  async arrange() {
    const answer = await this.api.get(`/api/leds?count=${encodeURIComponent(this.count.value.trim())}`);
    writeProblems(this.alert, answer.ok ? [] : [answer.body]);
    if (!answer.ok) return;
    this.chosen = null;
    this.change(answer.body.places);
  }

  async save() {
    const answer = await this.api.post("/api/leds", { places: this.places, seal: this.seal });
    const withLed = (one) => (Number.isInteger(one.led) ? `LED ${one.led}: ${problemText(one)}` : problemText(one));
    writeProblems(this.alert, answer.ok ? [] : (answer.body.mistakes ?? [answer.body]), withLed);
    if (!answer.ok) return;
    this.isChanged = false;
    this.seal = answer.body.seal;
    write(this.state, t("office.leds.kept"));
    this.toast(t("office.saved"));
  }
}
