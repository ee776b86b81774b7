// Flags of countries, drawn here: fonts of many streaming computers have none. Each is a few simple shapes in a field of 60×40;
// a country whose flag has a coat of arms or writing is shown by its letters.

import { h, s } from "./dom.js";

const [WIDTH, HEIGHT] = [60, 40];
// h, v: stripes from the top or the left, with a weight behind a colon; n: a Nordic cross; other words add to what is before.
const FLAGS = {
  AE: "h 00732f fff 000 bar ff0000",
  AM: "h d90012 0033a0 f2a800",
  AT: "h c8102e fff c8102e",
  AZ: "h 0092bc e4002b 00af66 crescent 28 20 6 fff e4002b",
  BE: "v 000 fdda25 ef3340",
  BG: "h fff 00966e d62612",
  CH: "h da291c plus 30 20 24 8 fff",
  CO: "h fcd116:2 003893 ce1126",
  CZ: "h fff d7141a triangle 11457e",
  DE: "h 000 dd0000 ffce00",
  DK: "n c8102e fff",
  EE: "h 0072ce 000 fff",
  ES: "h aa151b f1bf00:2 aa151b",
  FI: "n fff 003580",
  FR: "v 002654 fff ce1126",
  GB: "h 012169 saltire fff 8 saltire c8102e 4 cross fff 13 cross c8102e 8",
  GE: "h fff cross ff0000 8 plus 13 8 8 3 ff0000 plus 47 8 8 3 ff0000 plus 13 32 8 3 ff0000 plus 47 32 8 3 ff0000",
  GR: "h 0d5eaf fff 0d5eaf fff 0d5eaf fff 0d5eaf fff 0d5eaf canton 22.2 22.2 0d5eaf plus 11.1 11.1 22.2 4.4 fff",
  HU: "h ce2939 fff 477050",
  ID: "h ce1126 fff",
  IE: "v 169b62 fff ff883e",
  IL: "h fff:5 0038b8:6 fff:18 0038b8:6 fff:5 david 0038b8",
  IS: "n 02529c fff dc1e35",
  IT: "v 009246 fff ce2b37",
  JP: "h fff disc bc002d",
  LT: "h fdb913 006a44 c1272d",
  LU: "h ed2939 fff 00a1de",
  LV: "h 9e3039:2 fff 9e3039:2",
  MC: "h ce1126 fff",
  NL: "h ae1c28 fff 21468b",
  NO: "n ba0c2f fff 00205b",
  PL: "h fff dc143c",
  PS: "h 000 fff 007a3d triangle ce1126",
  RO: "v 002b7f fcd116 ce1126",
  RU: "h fff 0039a6 d52b1e",
  SE: "n 006aa7 fecc00",
  TH: "h a51931 f4f5f8 2d2a4a:2 f4f5f8 a51931",
  TR: "h e30a17 crescent 22 20 10 fff e30a17",
  UA: "h 0057b7 ffd700",
  US: "h b22234 fff b22234 fff b22234 fff b22234 fff b22234 fff b22234 fff b22234 canton 24 21.5 3c3b6e stars",
  YE: "h ce1126 fff 000",
};

export const COUNTRIES = Object.keys(FLAGS);

// The flag of a country by its two letters (ISO 3166), or these letters.
export function flag(code) {
  const label = { class: "flag", role: "img", "aria-label": code };
  if (!Object.hasOwn(FLAGS, code)) return h("span", { ...label, class: "flag letters" }, code);
  return s("svg", { ...label, viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, ...shapes(FLAGS[code].split(" ")));
}

function shapes(words) {
  const found = [];
  while (words.length) found.push(...SHAPES[words.shift()](words));
  return found;
}

const colourOf = (words) => `#${words.shift()}`;
const numberOf = (words) => Number(words.shift());
const rect = (x, y, width, height, fill) => s("rect", { x, y, width, height, fill });
const path = (d, fill) => s("path", { d, fill });
const line = (d, stroke, width) => s("path", { d, stroke, "stroke-width": width, fill: "none" });

function stripes(words, isAcross) {
  const parts = [];
  while (/^[0-9a-f]{3,6}(:\d+)?$/.test(words[0] ?? "")) parts.push(words.shift().split(":"));
  const whole = parts.reduce((sum, [, weight]) => sum + Number(weight ?? 1), 0);
  let done = 0;
  return parts.map(([colour, weight]) => {
    const [from, size] = [done / whole, Number(weight ?? 1) / whole];
    done += Number(weight ?? 1);
    const fill = `#${colour}`;
    if (isAcross) return rect(0, from * HEIGHT, WIDTH, size * HEIGHT + 0.1, fill);
    return rect(from * WIDTH, 0, size * WIDTH + 0.1, HEIGHT, fill);
  });
}

function nordic(words) {
  const [ground, cross, inner] = [colourOf(words), colourOf(words), words.length ? colourOf(words) : null];
  const bars = (width, fill) => [
    rect(22 - width / 2, 0, width, HEIGHT, fill),
    rect(0, (HEIGHT - width) / 2, WIDTH, width, fill),
  ];
  return [rect(0, 0, WIDTH, HEIGHT, ground), ...bars(inner ? 10 : 7, cross), ...(inner ? bars(5, inner) : [])];
}

function plus(words) {
  const [x, y, size, width, fill] = [...Array(4)].map(() => numberOf(words)).concat(colourOf(words));
  return [
    rect(x - size / 2, y - width / 2, size, width, fill),
    rect(x - width / 2, y - size / 2, width, size, fill),
  ];
}

function crescent(words) {
  const [x, y, radius] = [...Array(3)].map(() => numberOf(words));
  const [fill, ground] = [colourOf(words), colourOf(words)];
  const moon = s("circle", { cx: x, cy: y, r: radius, fill });
  const bite = s("circle", { cx: x + radius / 4, cy: y, r: radius * 0.8, fill: ground });
  return [moon, bite, path(star(x + radius * 1.15, y, radius / 2), fill)];
}

// Five points, one to the left.
function star(x, y, radius) {
  const corners = [...Array(10).keys()].map((index) => {
    const [angle, reach] = [Math.PI + (index * Math.PI) / 5, index % 2 ? radius * 0.38 : radius];
    return `${(x + reach * Math.cos(angle)).toFixed(2)} ${(y + reach * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}

const DIAGONALS = `M0 0L${WIDTH} ${HEIGHT}M${WIDTH} 0L0 ${HEIGHT}`;
const SHAPES = {
  h: (words) => stripes(words, true),
  v: (words) => stripes(words, false),
  n: nordic,
  plus,
  crescent,
  bar: (words) => [rect(0, 0, WIDTH / 4, HEIGHT, colourOf(words))],
  triangle: (words) => [path(`M0 0L${WIDTH / 2} ${HEIGHT / 2}L0 ${HEIGHT}z`, colourOf(words))],
  disc: (words) => [s("circle", { cx: WIDTH / 2, cy: HEIGHT / 2, r: 12, fill: colourOf(words) })],
  saltire: (words) => [line(DIAGONALS, colourOf(words), numberOf(words))],
  cross: (words) => [
    line(`M${WIDTH / 2} 0V${HEIGHT}M0 ${HEIGHT / 2}H${WIDTH}`, colourOf(words), numberOf(words)),
  ],
  canton: (words) => [rect(0, 0, numberOf(words), numberOf(words), colourOf(words))],
  david: (words) => [line("M30 12.5L36.5 23.7H23.5zM30 27.5L23.5 16.3H36.5z", colourOf(words), 1.2)],
  stars: () =>
    [...Array(50).keys()].map((index) => {
      const pair = Math.floor(index / 11);
      const [row, column] = index % 11 < 6 ? [2 * pair, 2 * (index % 11)] : [2 * pair + 1, 2 * ((index % 11) - 6) + 1];
      return path(star(2 + column * 2, 2.2 + row * 2.15, 0.8), "#fff");
    }),
};
