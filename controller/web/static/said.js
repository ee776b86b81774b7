// What the referee says: keys and values from the server, worded in the language of the page.

import { NAMES } from "./board_shape.js";
import { write } from "./dom.js";
import { knows, t } from "./texts.js";

const BAR = 25;
const OTHER_WAY = /[\u0590-\u08ff\ufb1d-\ufefc]/; // letters that are written from right to left

// Names that nobody chose are words of the language.
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

// Places of the picture by a player's own numbers, T1..B12 in `numbers`.
export function placesText(places, numbers) {
  const points = places.map((name) => numbers[NAMES.indexOf(name)]).filter(Boolean).sort((first, second) => second - first);
  const beside = places.filter((name) => !NAMES.includes(name)).map((name) => t(`place.${name}`));
  return commaList([...pointsText(points), ...beside]);
}

function pointsText(points) {
  if (!points.length) return [];
  return [t(points.length > 1 ? "place.points" : "place.point", { points: commaList(points.map(String)) })];
}

// Points that are counted already; 0 is the tray, 25 the bar, 26 the reserve.
function countedText(points) {
  const beside = { 0: "place.tray", [BAR]: "place.bar", [BAR + 1]: "place.reserve" };
  const named = points.filter((point) => point in beside).map((point) => t(beside[point]));
  return commaList([...pointsText(points.filter((point) => !(point in beside))), ...named]);
}

// Who plays and how each counts the places, T1..B12; before it is known, White at the lower edge.
const COUNT_UP = [...Array(24).keys()].map((place) => (place < 12 ? 13 + place : 24 - place));
const scene = { names: { W: "White", B: "Black" }, numbers: { W: COUNT_UP, B: COUNT_UP.map((number) => 25 - number) } };

export function setNames(white, black) {
  scene.names = { W: white, B: black };
}

export function setScene(state) {
  setNames(state.match.white, state.match.black);
  scene.numbers = state.numbers;
}

// Sentences in the language of the page; `aloud` words rolls and plays as a voice says them, else they are written.
export function wordsOf(sentences, aloud = null) {
  return sentences.map((one) => sentence(one, aloud)).join(" ");
}

function sentence(one, aloud) {
  if ("plain" in one) return apart(one.plain);
  return t(one.key, Object.fromEntries(Object.entries(one.values).map(([name, value]) => [name, worded(value, aloud)])));
}

function worded(value, aloud) {
  if (typeof value === "string") return aloud ? value : notation(value); // 3-1, or points: the server knows no language
  if (typeof value !== "object") return value;
  if ("plain" in value || "key" in value) return sentence(value, aloud);
  if ("player" in value) return playerName(scene.names[value.player]);
  if ("places" in value) return placesText(value.places, scene.numbers[value.of ?? "W"]);
  if ("points" in value) return countedText(value.points);
  if ("roll" in value) return aloud ? aloud.roll(value.roll) : notation(value.roll.join("-"));
  if ("plays" in value) return orList(value.plays.map((play) => (aloud ? aloud.play(play) : notation(play))));
  return commaList(value.list.map((one) => sentence(one, aloud)));
}

// What the server says of an order or a form: worded here where that can be, else as it was written.
export function problemText(told) {
  return told.said ? wordsOf([told.said]) : apart(told.error ?? told.sentence ?? "");
}

// The same in an element; what is left in English is marked as that.
export function writeProblems(element, problems, textOf = problemText) {
  write(element, problems.map(textOf).join(" "));
  if (problems.every(({ said }) => said && "key" in said)) element.removeAttribute("lang");
  else element.lang = "en";
}

// Notation keeps its order inside a line that runs the other way, and a roll is not broken in two there.
export function notation(text) {
  return isMirrored() ? `\u2066${text.replaceAll("-", "\u2060-\u2060")}\u2069` : text;
}

// A name, or words in another language, have a direction of their own.
export function apart(text) {
  return text && (isMirrored() || OTHER_WAY.test(text)) ? `\u2068${text}\u2069` : text;
}

function isMirrored() {
  return t("language.direction") === "rtl";
}
