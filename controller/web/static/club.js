// All tables of a hall: asks the server for what changed, and shows those first that need somebody.

import { Api, operatorToken } from "./api.js";
import { clockTexts, minutes } from "./clock.js";
import { at, h, write } from "./dom.js";
import { showLanguages } from "./language_choice.js";
import { chosenLanguage } from "./languages.js";
import { doingText, nameOf } from "./status.js";
import { loadTexts, t } from "./texts.js";
import { apart, setScene, wordsOf } from "./wording.js";

const LEAST_PAUSE_MS = 200;
const RETRY_MS = 1000;
const SHOW_EVERY_MS = 500;
const PICTURE_PAUSE_MS = 50;

class Club {
  constructor() {
    this.api = new Api(operatorToken());
    this.version = 0;
    this.tables = new Map(); // name -> { record, element, picture }
    this.isFetching = false;
    this.link = null;
    setInterval(() => this.showTimes(), SHOW_EVERY_MS);
  }

  // For ever: each answer begins the next question.
  async run() {
    const { ok, status, body } = await this.api.get(`/api/club?after=${this.version}`);
    const isRefused = status === 401 || status === 429;
    write(at("no-token"), isRefused ? t("office.no-token") : "");
    write(at("link"), ok || isRefused ? "" : t("link.down"));
    if (ok) this.take(body);
    else this.version = 0; // perhaps another server answers next
    setTimeout(() => this.run(), ok ? LEAST_PAUSE_MS : RETRY_MS);
  }

  take({ version, now_s: nowS, link, most, order, tables }) {
    this.version = version;
    this.link = link;
    this.aheadS = nowS - performance.now() / 1000;
    for (const [name, record] of Object.entries(tables)) {
      const { element, picture } = this.tables.get(name) ?? { element: h("li"), picture: null };
      const kept = picture?.key === pictureKey(record) ? picture : null;
      if (picture?.image && !kept) URL.revokeObjectURL(picture.image.src);
      fill(element, record, kept?.image);
      this.tables.set(name, { record, element, picture: kept });
    }
    this.fetchPictures();
    arrange(at("tables"), order.map((name) => this.tables.get(name)?.element).filter(Boolean));
    const count = [...this.tables.values()].filter(({ record }) => record.needs.length).length;
    write(at("count"), count ? t("club.count", { count }) : "");
    write(at("full"), link.is_full ? t("club.full", { most }) : order.length ? "" : t("club.none"));
    document.title = `${count ? `(${count}) ` : ""}${t("club.title")} · Zarbiter`;
    this.showTimes();
  }

  // One after the other with a pause, so that a flood of pictures costs little.
  async fetchPictures() {
    if (this.isFetching) return;
    this.isFetching = true;
    for (let name = this.withoutPicture(); name !== null; name = this.withoutPicture()) {
      await this.fetchPicture(name, this.tables.get(name).record);
      await new Promise((resolve) => setTimeout(resolve, PICTURE_PAUSE_MS));
    }
    this.isFetching = false;
  }

  withoutPicture() {
    const found = [...this.tables].find(([, { record, picture }]) => pictureKey(record) && picture?.key !== pictureKey(record));
    return found ? found[0] : null;
  }

  async fetchPicture(name, { ruling }) {
    const key = pictureKey(this.tables.get(name).record);
    const content = await this.api.picture(`/api/club/picture?${new URLSearchParams({ table: name, number: ruling.picture })}`);
    const { element, record } = this.tables.get(name);
    if (pictureKey(record) !== key) return; // there is a later one meanwhile
    const image = content && h("img", { class: "ruling-picture", src: URL.createObjectURL(content), alt: t("club.picture") });
    this.tables.set(name, { element, record, picture: { key, image } });
    fill(element, record, image);
    this.showTimes();
  }

  // Clocks and ages, which change without news.
  showTimes() {
    if (!this.link) return;
    const nowS = performance.now() / 1000 + this.aheadS;
    const age = (thenS) => minutes(Math.max(0, nowS - thenS) * 1000);
    write(at("broker"), this.link.is_up ? "" : t("club.broker-down", { age: age(this.link.since_s) }));
    for (const { record, element } of this.tables.values()) {
      const ago = element.querySelector(".ago");
      if (ago) write(ago, t("club.ago", { age: age(record.heard_s) }));
      const clock = record.state?.clock;
      const thenS = Math.min(nowS, record.heard_s ?? nowS, this.link.is_up ? nowS : this.link.since_s); // a lost clock stands
      if (clock) showClock(element, record, clock, record.state.now_ms + Math.max(0, thenS - record.state_at_s) * 1000);
    }
  }
}

function showClock(element, record, clock, nowMs) {
  for (const [letter, { text, isRunning }] of Object.entries(clockTexts(clock, nowMs))) {
    const place = element.querySelector(`.clock[data-player="${letter}"]`);
    if (!place) continue;
    const isRough = record.is_kept && isRunning;
    write(place, isRough ? t("club.at-most", { time: text }) : text);
    place.classList.toggle("running", isRunning && record.is_online);
    place.classList.toggle("at-most", isRough);
  }
}

// Moves only what is not in its place, so that a screen reader keeps its own.
function arrange(list, elements) {
  elements.forEach((element, place) => {
    if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
  });
  while (list.childElementCount > elements.length) list.lastElementChild.remove();
}

// What tells the picture that belongs to a record; "" where there is none.
function pictureKey({ ruling, state }) {
  return Number.isInteger(ruling?.picture) ? `${state?.match.id ?? ""} ${ruling.picture}` : "";
}

function fill(element, record, image) {
  const { state, needs } = record;
  element.className = ["table", needs.length && "needs", !record.is_online && "away"].filter(Boolean).join(" ");
  const marks = needs.map((need) => h("span", { class: "need" }, t(`club.need.${need}`)));
  const head = h("h2", {}, h("span", { class: "table-name" }, apart(record.title)), ...marks);
  const away = record.is_online ? null : h("p", { class: "hint" }, t("club.offline"), " · ", h("span", { class: "ago" }));
  element.replaceChildren(head, ...(away ? [away] : []), ...(state ? matchParts(record, state) : [said(t("club.no-match"), "hint")]), ...(state && image ? [image] : []));
}

function matchParts(record, state) {
  setScene({ ...state, numbers: state.numbers ?? { W: [], B: [] } });
  const { match } = state;
  const isOver = !state.is_playing && !match.winner;
  const length = match.length ? t("match.to", { length: match.length }) : t("match.money");
  return [
    ...["W", "B"].map((letter) => player(state, letter)),
    h("p", { class: "length" }, match.is_crawford ? `${length} · ${t("match.crawford")}` : length),
    said(isOver ? t("club.over") : worded(() => doingText(state)), "doing"),
    said(worded(() => wordsOf(state.question.length ? state.question : state.waits)), "asked"),
    record.ruling && said(worded(() => wordsOf(record.ruling.said)) || apart(record.ruling.text), "ruling"),
  ].filter(Boolean);
}

function player(state, letter) {
  const number = letter === "W" ? 0 : 1;
  const points = state.match.score[number];
  return h(
    "p",
    { class: state.on_turn === letter && state.is_playing && !state.match.winner ? "player on-turn" : "player" },
    h("span", { class: "name" }, nameOf(state, letter)),
    state.clock && h("span", { class: "clock", dir: "ltr", "data-player": letter }),
    h("span", { class: "score", "aria-label": t("players.points", { points }) }, String(points)),
  );
}

// What a table sends may have keys or values that no text of this page knows.
function worded(words) {
  try {
    return words();
  } catch {
    return "";
  }
}

function said(words, name) {
  return words ? h("p", { class: name }, words) : null;
}

async function begin() {
  await loadTexts(chosenLanguage());
  showLanguages();
  write(at("title"), t("club.title"));
  new Club().run();
}

begin();
