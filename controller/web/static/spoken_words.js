// Rolls and plays as a voice says them: numbers one by one, or a roll by its Persian name.

import { languageCode, t } from "./texts.js";

let names = {}; // of rolls, by language and roll, as 6-5

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

// 24/18*/13(2) is from 24 to 13; what is hit or done twice is seen on the board.
function playAloud(play) {
  return play.split(" ").map(stepAloud).join(", ");
}

function stepAloud(step) {
  const places = step.replace(/\*|\(\d\)/g, "").split(/[/-]/).map((place) => ({ bar: t("place.bar"), off: t("place.tray") })[place] ?? place);
  return places.length < 2 ? step : t("speech.step", { from: places[0], to: places.at(-1) });
}
