// Sentences of the referee in the language of the page, from the keys and values that the server sends.

import { NAMES } from "./board_shape.js";
import { write } from "./dom.js";
import { knows, t } from "./texts.js";

const BAR = 25;
const OTHER_WAY = /[\u0590-\u08ff\ufb1d-\ufefc]/; // letters of right-to-left scripts

// The default names of players have texts.
export function playerName(name) {
  return knows(`player.${name}`) ? t(`player.${name}`) : apart(name);
}

export function commaList(words) {
  return words.length > 1 ? words.reduceRight((rest, first) => t("list.comma", { first, rest })) : (words[0] ?? "");
}

export function orList(words) {
  if (words.length < 2) return words[0] ?? "";
  return t("list.or", { first: commaList(words.slice(0, -1)), last: words.at(-1) });
}

// Place names as a player's point numbers; `numbers` are in the order T1..B12.
export function placesText(places, numbers) {
  const points = places
    .map((name) => numbers[NAMES.indexOf(name)])
    .filter(Boolean)
    .sort((first, second) => second - first);
  const beside = places.filter((name) => !NAMES.includes(name)).map((name) => t(`place.${name}`));
  return commaList([...pointsText(points), ...beside]);
}

function pointsText(points) {
  if (!points.length) return [];
  return [t(points.length > 1 ? "place.points" : "place.point", { points: commaList(points.map(String)) })];
}

// Point numbers in words; 0 is the tray, 25 the bar, 26 the reserve.
function countedText(points) {
  const beside = { 0: "place.tray", [BAR]: "place.bar", [BAR + 1]: "place.reserve" };
  const named = points.filter((point) => point in beside).map((point) => t(beside[point]));
  return commaList([...pointsText(points.filter((point) => !(point in beside))), ...named]);
}

// The players' names and their point numbers for T1..B12. Until the seating is known, White sits at the lower edge.
const COUNT_UP = [...Array(24).keys()].map((place) => (place < 12 ? 13 + place : 24 - place));
const scene = { names: { W: "White", B: "Black" }, numbers: { W: COUNT_UP, B: COUNT_UP.map((number) => 25 - number) } };

export function setNames(white, black) {
  scene.names = { W: white, B: black };
}

export function setScene(state) {
  setNames(state.match.white, state.match.black);
  scene.numbers = state.numbers;
}

// Sentences in the language of the page; `aloud` forms rolls and plays for a voice, null for reading.
export function wordsOf(sentences, aloud = null) {
  return sentences.map((one) => sentence(one, aloud)).join(" ");
}

function sentence(one, aloud) {
  if ("plain" in one) return apart(one.plain);
  return t(
    one.key,
    Object.fromEntries(Object.entries(one.values).map(([name, value]) => [name, worded(value, aloud)])),
  );
}

function worded(value, aloud) {
  if (typeof value === "string") return aloud ? value : notation(value); // notation, which is the same in all languages
  if (typeof value !== "object") return value;
  if ("plain" in value || "key" in value) return sentence(value, aloud);
  if ("player" in value) return playerName(scene.names[value.player]);
  if ("places" in value) return placesText(value.places, scene.numbers[value.of ?? "W"]);
  if ("points" in value) return countedText(value.points);
  if ("roll" in value) return aloud ? aloud.roll(value.roll) : notation(value.roll.join("-"));
  if ("plays" in value) return orList(value.plays.map((play) => (aloud ? aloud.play(play) : notation(play))));
  return commaList(value.list.map((one) => sentence(one, aloud)));
}

// A problem reported by the server: in the language of the page where it has a key, else in English.
export function problemText(problem) {
  return problem.said ? wordsOf([problem.said]) : apart(problem.error ?? problem.sentence ?? "");
}

// Writes problems into an element, and marks English text as English.
export function writeProblems(element, problems, textOf = problemText) {
  write(element, problems.map(textOf).join(" "));
  if (problems.every(({ said }) => said && "key" in said)) element.removeAttribute("lang");
  else element.lang = "en";
}

// Isolates notation within right-to-left text, and prevents line breaks within a roll.
export function notation(text) {
  return isMirrored() ? `\u2066${text.replaceAll("-", "\u2060-\u2060")}\u2069` : text;
}

// Isolates a name, or words in another language, which have a direction of their own.
export function apart(text) {
  return text && (isMirrored() || OTHER_WAY.test(text)) ? `\u2068${text}\u2069` : text;
}

function isMirrored() {
  return t("language.direction") === "rtl";
}
