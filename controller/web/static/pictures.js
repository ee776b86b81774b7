// The pictures of a ruling side by side; on a phone one at a time, and the next with a swipe. Marks show what was moved.

import { h, s } from "./dom.js";
import { t } from "./texts.js";

const RING = 0.034; // of a picture's width: about a checker
const STACKED_FROM = 5; // higher checkers lie on others

export function pictureStrip() {
  return h("div", { class: "pictures", hidden: true });
}

// Adds the pictures of an event as they arrive, each with its marks. `whenGone(free)` frees them.
export async function fillStrip(strip, feed, number, kinds, { moves = [], whenGone = () => {} } = {}) {
  for (const kind of kinds) {
    const picture = await feed.picture(number, kind);
    if (!picture) continue;
    const source = URL.createObjectURL(picture.image);
    whenGone(() => URL.revokeObjectURL(source));
    const image = h("img", { src: source, alt: t(`picture.${kind}.alt`) });
    const frame = h("div", { class: "picture" }, image);
    frame.spots = picture.places;
    strip.append(h("figure", { tabindex: 0, "data-kind": kind }, frame, h("figcaption", {}, t(`picture.${kind}`))));
    strip.hidden = false;
    image.addEventListener("load", () => markMoves(frame, kind, moves));
  }
}

// Rings where checkers left or came, and in the last picture an arrow for each. `isLegal`: a play that was possible.
export function markMoves(frame, kind, moves, isLegal = false) {
  frame.querySelector("svg")?.remove();
  const image = frame.querySelector("img");
  if (!image.naturalWidth || !moves.length) return;
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const at = (name, checkers) => {
    if (!frame.spots[name]) return null;
    const [x, y, fifthX, fifthY] = frame.spots[name];
    const share = (Math.min(checkers, STACKED_FROM) - 1) / (STACKED_FROM - 1);
    return [(x + (fifthX - x) * share) * width, (y + (fifthY - y) * share) * height];
  };
  const isAfter = kind === "after" || isLegal;
  const parts = moves.flatMap(([from, height, to, toHeight]) => {
    const [left, came] = [at(from, height), at(to, toHeight)];
    const where = ring(left, "left", width);
    return isAfter ? [arrow(left, came, width), where, ring(came, "came", width)] : [where];
  }).filter(Boolean);
  if (!parts.length) return;
  const box = { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: isLegal ? "marks legal" : "marks" };
  frame.append(s("svg", box, ...parts));
}

function ring(at, side, width) {
  return at && s("circle", { class: side, cx: at[0], cy: at[1], r: RING * width, "stroke-width": width / 160 });
}

// From ring to ring, with a head.
function arrow(from, to, width) {
  if (!from || !to) return null;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 2.2 * RING * width) return null;
  const [x, y] = [dx / length, dy / length];
  const [start, end, head] = [RING * width, length - RING * width, width / 40];
  const point = (along, across) =>
    `${from[0] + x * along - y * across} ${from[1] + y * along + x * across}`;
  const d = `M${point(start, 0)}L${point(end, 0)}M${point(end - head, head / 2)}L${point(end, 0)}L${point(end - head, -head / 2)}`;
  return s("path", { d, "stroke-width": width / 160 });
}
