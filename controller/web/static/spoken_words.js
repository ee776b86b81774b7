// Rolls and plays for a voice: numbers one by one, or the Persian name of a roll.

import { languageCode, t } from "./texts.js";

let names = {}; // Persian names by language and roll, for example 6-5

export async function loadPersianNames() {
  names = await (await fetch("/static/persian_rolls.json")).json();
}

export function aloud({ isPersian }) {
  return { roll: (numbers) => (isPersian && persianName(numbers)) || numbers.join(", "), play: playAloud };
}

export function persianName(numbers) {
  if (numbers.length !== 2) return "";
  const roll = [Math.max(...numbers), Math.min(...numbers)].join("-");
  return names[languageCode()]?.[roll] ?? "";
}

// 24/18*/13(2) is spoken as from 24 to 13, without hits and repetitions.
function playAloud(play) {
  return play.split(" ").map(stepAloud).join(", ");
}

function stepAloud(step) {
  const places = step
    .replace(/\*|\(\d\)/g, "")
    .split(/[/-]/)
    .map((place) => ({ bar: t("place.bar"), off: t("place.tray") })[place] ?? place);
  return places.length < 2 ? step : t("speech.step", { from: places[0], to: places.at(-1) });
}
