// The live picture with the detected lines, and a magnifier for the corner that is being moved.

import { at, s } from "./dom.js";

const ZOOM = 3;

export class Picture {
  constructor() {
    this.url = "";
    this.size = null; // [width, height] of the picture in its own pixels
  }

  async take(blob) {
    const url = URL.createObjectURL(blob);
    const image = at("live");
    image.src = url;
    try {
      await image.decode();
    } catch {
      return;
    }
    URL.revokeObjectURL(this.url);
    this.url = url;
    this.size = [image.naturalWidth, image.naturalHeight];
    at("grid").setAttribute("viewBox", `-0.5 -0.5 ${this.size[0]} ${this.size[1]}`);
  }

  // `lines`: lists of [x, y] in px of the picture, the outline first. `marks` are drawn over them.
  draw(lines, isUnsure, marks = []) {
    const shapes = lines.flatMap((line, index) => {
      const points = line.map((point) => point.join(",")).join(" ");
      const kind = `${index === 0 ? "outline" : ""} ${isUnsure ? "unsure" : ""}`;
      return ["under", "over"].map((layer) => s("polyline", { class: `${kind} ${layer}`, points }));
    });
    at("grid").replaceChildren(...shapes, ...marks);
  }

  // Magnifies around [x, y], on the side away from the finger; null hides the magnifier.
  magnify(corner) {
    const loupe = at("loupe");
    loupe.hidden = !corner;
    if (!corner || !this.size) return;
    const [width, height] = this.size;
    const shown = at("live").getBoundingClientRect();
    const scale = (shown.width / width) * ZOOM;
    const half = loupe.clientWidth / 2;
    loupe.classList.toggle("at-left", corner[0] > width / 2);
    loupe.classList.toggle("at-right", corner[0] <= width / 2);
    loupe.style.backgroundImage = `url("${this.url}")`;
    loupe.style.backgroundSize = `${width * scale}px ${height * scale}px`;
    loupe.style.backgroundPosition = `${half - (corner[0] + 0.5) * scale}px ${half - (corner[1] + 0.5) * scale}px`;
  }

  // From screen coordinates to px of the picture.
  at(clientX, clientY) {
    const shown = at("live").getBoundingClientRect();
    return [
      ((clientX - shown.left) / shown.width) * this.size[0] - 0.5,
      ((clientY - shown.top) / shown.height) * this.size[1] - 0.5,
    ];
  }
}
