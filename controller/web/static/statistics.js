// All matches of the data folder in numbers: asks the server until everything is counted, and shows a card for each player.

import { Api, operatorToken } from "./api.js";
import { at, h, s, write } from "./dom.js";
import { showLanguages } from "./language_choice.js";
import { chosenLanguage } from "./languages.js";
import { showNavigation } from "./navigation.js";
import { languageCode, loadTexts, t } from "./texts.js";
import { toast } from "./toast.js";
import { apart, playerName, problemText } from "./wording.js";

const BUSY_MS = 1000;
const IDLE_MS = 15000;
const RANGES = { doubles: [0, 1 / 3], pips: [3, 13.5] }; // of the drawn axes: what fair dice give lies near the middle
const WIDTH = 200;

class Statistics {
  constructor() {
    this.api = new Api(operatorToken());
    this.shown = "";
    this.timer = null;
    at("errors-run").addEventListener("click", () => this.run());
    at("find").addEventListener("input", () => this.find());
  }

  // For ever: each answer begins the next question.
  async ask() {
    clearTimeout(this.timer);
    const { ok, status, body } = await this.api.get("/api/statistics");
    write(at("link"), status ? "" : t("link.down"));
    write(at("refused"), ok || !status ? "" : problemText(body));
    if (ok) this.show(body);
    this.timer = setTimeout(() => this.ask(), ok && (body.is_counting || body.is_analysing) ? BUSY_MS : IDLE_MS);
  }

  show({ viewer, report, ...work }) {
    this.isAnalysing = work.is_analysing;
    showNavigation("statistics", viewer === "operator" && work.has_office);
    write(at("count"), countText(report, work));
    if (!report) return;
    write(at("unreadable"), report.unreadable ? t("statistics.unreadable", { count: number(report.unreadable) }) : "");
    write(at("more"), report.more_players ? t("statistics.more", { count: number(report.more_players) }) : "");
    showErrors(report, work, viewer === "operator");
    const players = JSON.stringify(report.players);
    if (players === this.shown) return;
    this.shown = players;
    const { doubles, pips } = report.fair;
    write(at("chance"), players === "[]" ? "" : t("statistics.chance", { doubles: percent(doubles), pips: number(pips, 2) }));
    at("players-list").replaceChildren(...report.players.map((one) => card(one, report.fair)));
    at("finding").hidden = report.players.length < 2;
    this.find();
  }

  find() {
    const wanted = at("find").value.trim().toLocaleLowerCase();
    for (const one of at("players-list").children) one.hidden = !one.dataset.name.includes(wanted);
  }

  async run() {
    const { ok, body } = await this.api.post("/api/statistics/analysis", { run: !this.isAnalysing });
    if (!ok) toast(problemText(body));
    this.ask();
  }
}

function countText(report, work) {
  if (work.is_counting && report?.left !== 0) return t("statistics.counting", { left: report ? number(report.left) : "…" });
  if (!report) return "";
  return report.matches ? t("statistics.matches", { count: number(report.matches) }) : t("statistics.none");
}

// The state of the analysis for all; the button for the operator alone.
function showErrors(report, work, isOperator) {
  const isOpen = report.analysed < report.for_gnubg;
  at("errors").hidden = !report.for_gnubg || (!isOperator && !report.analysed);
  write(at("errors-means"), t("statistics.errors.means"));
  const lines = [t("statistics.errors.analysed", { done: number(report.analysed), count: number(report.for_gnubg) })];
  if (work.is_analysing) lines.push(t("statistics.errors.running"));
  else if (isOperator && isOpen && !work.has_gnubg) lines.push(t("statistics.halt.no-program"));
  else if (isOperator && isOpen && work.halt && work.halt !== "done") lines.push(t(`statistics.halt.${work.halt}`));
  write(at("errors-doing"), lines.join(" "));
  const canRun = isOperator && (work.is_analysing || (isOpen && work.has_gnubg));
  write(at("errors-run"), canRun ? t(work.is_analysing ? "statistics.errors.stop" : "statistics.errors.start") : "");
}

function card(one, fair) {
  const rows = [
    ["matches", won(one.matches_won, one.matches)],
    ["games", won(one.games_won, one.games)],
    ["points", number(one.points)],
    ["throws", number(one.throws)],
    ["doubles", ...chance(one.doubles, fair.doubles, RANGES.doubles, (value) => number(100 * value, 1), percent)],
    ["pips", ...chance(one.pips, fair.pips, RANGES.pips, (value) => number(value, 2))],
    ["passes", number(one.passes)],
    ["illegal", number(one.illegal)],
    ["void", number(one.void)],
    ["time", one.turn_s === null ? "–" : t("statistics.seconds", { seconds: number(one.turn_s, 1) })],
    one.error_rate !== null && ["errors", errorText(one)],
  ].filter(Boolean);
  const list = rows.map(([key, words, drawing]) =>
    h("div", {}, h("dt", {}, t(`statistics.label.${key}`)), h("dd", {}, words), drawing && h("dd", { class: "drawn" }, ...drawing)),
  );
  const name = apart(playerName(one.name));
  return h("li", { "data-name": one.name.toLocaleLowerCase() }, h("h3", {}, name), h("dl", {}, ...list));
}

function won(count, all) {
  return t("statistics.won", { won: number(count), count: number(all) });
}

function errorText(one) {
  return t("statistics.decisions", { rate: number(one.error_rate, 1), count: number(one.decisions) });
}

// A value with its range, in words and drawn against what fair dice give. `withUnit` words the value, `worded` the range.
function chance(interval, expected, axis, worded, withUnit = worded) {
  if (!interval) return ["–"];
  const [value, low, high] = interval;
  const words = t("statistics.value", { value: withUnit(value), low: worded(low), high: worded(high) });
  const isOutside = expected < low || expected > high;
  return [words, [drawn(interval, expected, axis), isOutside && h("span", { class: "outside" }, t("statistics.outside"))]];
}

function drawn([value, low, high], expected, [from, to]) {
  const place = (one) => Math.min(WIDTH - 4, Math.max(4, (WIDTH * (one - from)) / (to - from)));
  return s(
    "svg",
    { class: "range", viewBox: `0 0 ${WIDTH} 12`, "aria-hidden": "true", preserveAspectRatio: "none" },
    s("line", { class: "axis", x1: 0, x2: WIDTH, y1: 6, y2: 6 }),
    s("line", { class: "interval", x1: place(low), x2: place(high), y1: 6, y2: 6 }),
    s("circle", { class: "value", cx: place(value), cy: 6, r: 3 }),
    s("line", { class: "fair", x1: place(expected), x2: place(expected), y1: 0, y2: 12 }),
  );
}

function number(value, digits = 0) {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(languageCode(), { ...fixed, numberingSystem: "latn" });
}

function percent(share) {
  return t("statistics.percent", { number: number(100 * share, 1) });
}

async function begin() {
  await loadTexts(chosenLanguage());
  showLanguages();
  const title = t("office.view.statistics");
  document.title = `${title} · Zarbiter`;
  write(at("heading"), title);
  write(at("find-label"), t("statistics.find"));
  new Statistics().ask();
}

begin();
