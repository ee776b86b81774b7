// The view for streamers: the overlay's address with its parameters, and how it looks.

import { at, h } from "./dom.js";
import { COUNTRIES } from "./flags.js";
import { LAYOUTS, NO_CAMERA, PLACES, arrangementOf } from "./overlay_layout.js";
import { languageCode, t } from "./texts.js";

const STEPS = ["add", "size", "empty", "delay", "scenes"];
const SIZES = [15, 20, 25, 30, 40, 50, 60, 80, 100];

export class StreamView {
  constructor() {
    this.place = at("stream");
    this.chosen = arrangementOf("");
    at("stream-heading").textContent = t("stream.title");
    this.place.addEventListener("toggle", () => this.show());
  }

  get address() {
    const { layout, at: place, size, camera, white, black } = this.chosen;
    const more = Object.entries({ camera: camera === NO_CAMERA ? "" : camera, white, black }).filter(([, value]) => value);
    const query = { layout, at: place, size, ...Object.fromEntries(more), lang: languageCode() };
    return `${location.origin}/overlay?${new URLSearchParams(query)}`;
  }

  // The frame is there only while the view is open: each one is a viewer.
  show() {
    this.place.querySelector(".stream")?.remove();
    if (!this.place.open) return;
    this.frame = h("iframe", { title: t("stream.preview"), src: this.address });
    this.link = h("a", { href: this.address, target: "_blank", rel: "noopener", dir: "ltr" }, this.address);
    this.place.append(
      h(
        "div",
        { class: "stream" },
        h("p", { class: "hint" }, t("stream.hint")),
        h("div", { class: "stream-choices" }, ...this.choices()),
        h("p", { class: "address" }, this.link),
        h("ol", { class: "hint" }, ...STEPS.map((step) => h("li", {}, t(`stream.step.${step}`)))),
        h("div", { class: "on-air" }, this.frame),
      ),
    );
  }

  choices() {
    const layouts = Object.keys(LAYOUTS).map((name) => [name, t(`stream.layout.${name}`)]);
    const places = PLACES.map((name) => [name, t(`stream.at.${name}`)]);
    const sizes = SIZES.map((size) => [size, `${size} %`]);
    return [
      this.choice("layout", layouts, (layout) => this.usual(layout)),
      this.choice("at", places, (place) => ({ at: place })),
      this.choice("size", sizes, (size) => ({ size: Number(size) })),
      this.choice("camera", [[NO_CAMERA, t("stream.camera.none")], ...places], (camera) => ({ camera })),
      this.choice("white", this.countries(), (white) => ({ white })),
      this.choice("black", this.countries(), (black) => ({ black })),
    ];
  }

  // Another layout has its usual place and size; what is not about the layout stays.
  usual(layout) {
    const { at: place, size } = arrangementOf(new URLSearchParams({ layout }));
    return { layout, at: place, size };
  }

  countries() {
    const names = new Intl.DisplayNames([languageCode()], { type: "region" });
    const rows = COUNTRIES.map((code) => [code, names.of(code)]);
    return [["", t("stream.no-flag")], ...rows.sort(([, first], [, second]) => first.localeCompare(second))];
  }

  choice(name, rows, effectOf) {
    const options = rows.map(([value, words]) =>
      h("option", { value, selected: String(value) === String(this.chosen[name]) }, words),
    );
    const change = (event) => {
      Object.assign(this.chosen, effectOf(event.target.value));
      for (const [other, value] of Object.entries(this.chosen)) {
        const select = this.place.querySelector(`[name="stream-${other}"]`);
        if (select) select.value = String(value);
      }
      this.frame.src = this.link.href = this.link.textContent = this.address;
    };
    return h("label", {}, t(`stream.${name}`), h("select", { name: `stream-${name}`, onchange: change }, ...options));
  }
}
