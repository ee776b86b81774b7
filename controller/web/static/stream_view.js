// The view for streamers: the overlay's address with its parameters, and how it looks.

import { at, h } from "./dom.js";
import { LAYOUTS, PLACES, arrangementOf } from "./overlay_layout.js";
import { languageCode, t } from "./texts.js";

const SIZES = [15, 20, 25, 30, 40, 50, 60, 80, 100];

export class StreamView {
  constructor() {
    this.place = at("stream");
    this.chosen = arrangementOf("");
    at("stream-heading").textContent = t("stream.title");
    this.place.addEventListener("toggle", () => this.show());
  }

  get address() {
    const { layout, at: place, size } = this.chosen;
    return `${location.origin}/overlay?${new URLSearchParams({ layout, at: place, size, lang: languageCode() })}`;
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
        h("div", { class: "on-air" }, this.frame),
      ),
    );
  }

  choices() {
    const layouts = Object.keys(LAYOUTS).map((name) => [name, t(`stream.layout.${name}`)]);
    const places = PLACES.map((name) => [name, t(`stream.at.${name}`)]);
    const sizes = SIZES.map((size) => [size, `${size} %`]);
    return [
      this.choice("layout", layouts, (layout) => arrangementOf(new URLSearchParams({ layout }))),
      this.choice("at", places, (place) => ({ at: place })),
      this.choice("size", sizes, (size) => ({ size: Number(size) })),
    ];
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
