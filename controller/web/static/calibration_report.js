// How the board is read with a calibration: what was learned, weak places with their reasons, the size of dice.

import { h, s } from "./dom.js";
import { commaList } from "./wording.js";
import { knows, t } from "./texts.js";

const SHARES = ["glare", "outside"]; // weaknesses whose amount is a share

// Rows of the figures, [name, value] each.
export function reportRows(report) {
  if (!report) return [];
  const { learned, die_px: px } = report;
  const values = { px: Math.round(px), good: report.good_die_px };
  return [
    [t("calibration.learned.name"), learned ? t("calibration.learned", learned) : t("calibration.learned.none")],
    [t("calibration.die.name"), t(`calibration.die.${report.die}`, values)],
  ];
}

// Elements in words: what covers the board, the weak places, and those that are sure by learning.
export function reportLists(report) {
  if (!report) return [];
  const { covered, fault, learned } = report;
  const parts = [];
  if (fault) parts.push(h("p", { class: "refusal" }, t(`event.hindered.${fault}`)));
  if (covered.length)
    parts.push(h("p", { class: "refusal" }, t("calibration.covered", { places: commaList(covered) })));
  if (!learned) return parts;
  for (const [title, places] of [
    ["weak", learned.weak],
    ["sure", learned.sure_by_learning],
  ]) {
    if (!places.length) continue;
    const named = places.slice(0, learned.most_named).map((one) => h("li", {}, placeText(one)));
    if (places.length > learned.most_named)
      named.push(h("li", {}, t("calibration.more", { count: places.length - learned.most_named })));
    parts.push(h("h3", {}, t(`calibration.${title}`)), h("ul", { class: title }, ...named));
  }
  return parts;
}

// Plates in the picture: "!" marks a weak place, "+" one that is sure by learning.
export function reportMarks(report, size) {
  const learned = report?.learned;
  if (!learned) return [];
  const height = size[0] / 40;
  return [
    ["weak", "!", learned.weak],
    ["sure", "+", learned.sure_by_learning],
  ].flatMap(([kind, sign, places]) =>
    places.map(({ place, at_px: [x, y] }) => {
      const words = place + sign;
      const width = height * (0.65 * words.length + 0.5);
      const box = { x: x - width / 2, y: y - 0.7 * height, width, height: 1.4 * height, rx: height / 4 };
      const text = { x, y: y + 0.36 * height, "font-size": height, "text-anchor": "middle" };
      return s("g", { class: `mark ${kind}` }, s("rect", box), s("text", text, words));
    }),
  );
}

function placeText(weak) {
  const kind = weak.chance > weak.certainty ? "misread" : "resembles";
  const values = { place: weak.place, percent: Math.round(100 * weak.chance) };
  values.stands = contentText(weak.stands);
  values.resembles = contentText(weak.resembles);
  const key = `calibration.weakness.${weak.weakness}`;
  const reason = knows(key) ? t(`calibration.weakness.${weak.weakness}`, { amount: amountText(weak) }) : "";
  const words = t(`calibration.${kind}`, values);
  return reason ? `${words} – ${reason}` : words;
}

function contentText({ colour, count }) {
  return t(`calibration.content.${colour}`, { count });
}

function amountText({ weakness, amount }) {
  if (amount === null) return "";
  if (SHARES.includes(weakness)) return String(Math.round(100 * amount));
  return weakness === "pattern" ? amount.toFixed(1) : String(Math.round(amount));
}
