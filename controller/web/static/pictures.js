// The pictures of a ruling side by side; on a phone one at a time, and the next with a swipe.

import { h } from "./dom.js";
import { t } from "./texts.js";

export function pictureStrip() {
  return h("div", { class: "pictures", hidden: true });
}

// Adds the pictures of an event as they arrive. `mark(kind, figure)` may draw on one. `whenGone(free)` frees them.
export async function fillStrip(strip, feed, number, kinds, { mark = () => {}, whenGone = () => {} } = {}) {
  for (const kind of kinds) {
    const picture = await feed.picture(number, kind);
    if (!picture || (strip.dataset.number ?? String(number)) !== String(number)) continue;
    const source = URL.createObjectURL(picture);
    whenGone(() => URL.revokeObjectURL(source));
    const image = h("img", { src: source, alt: t(`picture.${kind}.alt`) });
    const frame = h("div", { class: "picture" }, image);
    strip.append(h("figure", { tabindex: 0 }, frame, h("figcaption", {}, t(`picture.${kind}`))));
    strip.hidden = false;
    mark(kind, frame);
  }
}
