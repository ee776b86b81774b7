// The form for the next match: game, players, officiating.

import { at, button, h, write } from "./dom.js";
import { Field, alertLine, showMistakes, wordFor } from "./fields.js";
import { apart, playerName, problemText, writeProblems } from "./wording.js";
import { knows, languageCode, t } from "./texts.js";

const FIRST = ["game", "players.white", "players.black", "match.length", "clock"];
const NAMED_WHEN_FOLDED = ["profile", "mode", "options.cube"];
const FOR_MONEY = new Set(["options.jacoby", "options.beaver", "options.auto_limit"]);
const SIDES = ["white", "black"];
const ON_TURN = { name: "on_turn", sort: "choice", choices: SIDES, limits: null, default: null, value: null };

export class SetUp {
  constructor(api, toast) {
    this.api = api;
    this.toast = toast;
    this.place = at("set-up-form");
    this.program = null;
    this.fields = [];
    this.options = [];
  }

  // `program`: {is_there, can_begin, stage}. The form is requested when it can be used.
  async show(program) {
    const before = this.program;
    this.program = program;
    if (!program || (before && before.stage === program.stage && before.can_begin === program.can_begin)) return;
    if (!program.is_there || !program.can_begin) this.say(t("office.begun-elsewhere"));
    else if (program.stage === "starting") this.say(t("office.starting"));
    else if (program.stage === "playing") this.offerEnd();
    else await this.ask();
  }

  say(sentence, ...more) {
    this.place.replaceChildren(
      h("p", {}, sentence),
      h("p", { class: "often" }, h("a", { class: "to-board", href: "/" }, t("office.to-board")), ...more),
    );
  }

  offerEnd() {
    const end = button(t("office.end"), () => this.askEnd(end), { id: "end-match" });
    this.say(t("office.playing"), end);
  }

  askEnd(end) {
    const sure = button(t("office.end.surely"), () => this.end(), { id: "end-surely" });
    end.replaceWith(sure);
    this.place.prepend(h("p", { role: "alert" }, t("office.end.means")));
    sure.focus();
  }

  async end() {
    const answer = await this.api.post("/api/set-up/end", {});
    if (!answer.ok) this.toast(problemText(answer.body));
  }

  async ask() {
    const answer = await this.api.get("/api/set-up");
    if (!answer.ok) return this.say(problemText(answer.body));
    this.form = answer.body;
    this.draw();
    await this.askOptions();
  }

  draw() {
    const { fields, games, profiles, unfinished } = this.form;
    this.fields = [...fields, ON_TURN].map((about) => this.field(about, games, profiles));
    this.alert = alertLine();
    this.special = h("p", { class: "hint", id: "special" });
    this.cube = h("div", { class: "fields" });
    this.rules = h("div", { class: "fields" });
    this.cubePart = h("fieldset", { class: "group", hidden: true }, h("legend", {}, t("office.cube")), this.cube);
    this.rulesPart = h(
      "details",
      { id: "more-rules", hidden: true },
      h("summary", {}, t("office.rules")),
      h("p", { class: "hint" }, t("office.rules.means")),
      this.rules,
    );
    const rest = this.fields.filter((field) => !FIRST.includes(field.about.name));
    this.start = h("button", { type: "submit", class: "send", id: "start-match" }, t("office.start"));
    const resume =
      unfinished && button(resumeWords(unfinished), () => this.resume(unfinished.name), { id: "resume-match" });
    this.folded = h("summary", {});
    const form = h(
      "form",
      { novalidate: true },
      this.alert,
      resume && h("p", { class: "often" }, resume),
      h("div", { class: "fields first" }, ...FIRST.map((name) => this.named(name).element)),
      this.special,
      h(
        "details",
        { id: "more-set-up" },
        this.folded,
        h("div", { class: "fields" }, ...rest.map((field) => field.element)),
        this.cubePart,
        this.rulesPart,
      ),
      h("p", { class: "often saving" }, this.start),
    );
    form.addEventListener("submit", (event) => this.submit(event));
    form.addEventListener("change", () => this.fit());
    this.named("game").input.addEventListener("change", () => this.askOptions());
    this.place.replaceChildren(form);
    this.fit();
  }

  field(about, games, profiles) {
    const titles = { game: (game) => games[game]?.title ?? game, profile: (name) => profiles[name] ?? name };
    const wordOf =
      about.name === "on_turn" ? (side) => t(`office.side.${side}`) : wordFor(about.name, titles[about.name]);
    const display = {
      label: t(`setting.${about.name}`),
      wordOf,
      hasUsual: false,
      isList: about.name === "clock",
      notes: [about.name !== "clock" && knows(`setting.${about.name}.hint`) && t(`setting.${about.name}.hint`)],
    };
    return new Field(about, display);
  }

  named(name) {
    return this.fields.find((field) => field.about.name === name);
  }

  get hasLength() {
    return this.named("match.length").value !== null;
  }

  async askOptions() {
    const game = this.named("game").value;
    write(this.special, knows(`special.${game}`) ? t(`special.${game}`) : (this.form.games[game]?.special ?? ""));
    const answer = await this.api.get(`/api/set-up/games/${encodeURIComponent(game)}`);
    if (game !== this.named("game").value) return; // another game was chosen in the meantime
    const options = answer.ok ? answer.body.options : [];
    this.options = options.map(
      (about) =>
        new Field({ ...about, name: `options.${about.name}`, value: about.default }, this.optionDisplay(about)),
    );
    const cubes = this.options.filter((_, number) => options[number].is_cube);
    this.cube.replaceChildren(...cubes.map((field) => field.element));
    this.rules.replaceChildren(...this.options.filter((field) => !cubes.includes(field)).map((field) => field.element));
    this.fit();
  }

  optionDisplay(about) {
    const label = knows(`option.${about.name}`) ? t(`option.${about.name}`) : about.name.replaceAll("_", " ");
    const wordOf = (choice) =>
      knows(`option.${about.name}.${choice}`)
        ? t(`option.${about.name}.${choice}`)
        : String(choice).replaceAll("_", " ");
    return { label, hasUsual: false, wordOf, notes: [about.may_be_none && t("office.empty-is-none")] };
  }

  // Hides fields without a meaning: Crawford without a match length, Jacoby with one, cube options without a cube.
  fit() {
    const cube = this.options.find((field) => field.about.name === "options.cube");
    const hasCube = Boolean(cube?.value);
    for (const field of this.options) {
      if (!field.display || field === cube || !this.cube.contains(field.element)) continue;
      field.isShown = hasCube && !(FOR_MONEY.has(field.about.name) && this.hasLength);
    }
    this.cubePart.hidden = !cube;
    this.rulesPart.hidden = !this.rules.childElementCount;
    this.named("match.crawford").isShown = this.hasLength && hasCube;
    this.named("on_turn").isShown = this.named("position").value !== null;
    write(this.folded, `${t("office.more")}: ${this.foldedWords()}`);
  }

  // What is folded away, in words.
  foldedWords() {
    const fields = [...this.fields, ...this.options].filter(({ about }) => NAMED_WHEN_FOLDED.includes(about.name));
    return fields.map((field) => `${field.display.label}: ${field.words}`).join(" · ");
  }

  chosen() {
    const values = Object.fromEntries(
      this.fields.filter((field) => field.isShown).map((field) => [field.about.name, field.value]),
    );
    const changed = this.options.filter((field) => field.isShown && field.isChanged);
    return {
      values,
      options: Object.fromEntries(changed.map((field) => [field.about.name.slice("options.".length), field.value])),
    };
  }

  async submit(event) {
    event.preventDefault();
    this.begin(await this.waiting("/api/set-up/start", this.chosen()));
  }

  async resume(match) {
    this.begin(await this.waiting("/api/set-up/resume", { match }));
  }

  async waiting(path, body) {
    this.start.disabled = true;
    write(this.start, t("office.starting"));
    const answer = await this.api.post(path, body);
    this.start.disabled = false;
    write(this.start, t("office.start"));
    return answer;
  }

  begin(answer) {
    if (answer.ok) return location.assign("/");
    showMistakes([...this.fields, ...this.options], answer.body.mistakes ?? [], this.alert);
    if (!answer.body.mistakes) writeProblems(this.alert, [answer.body]);
    if (!this.alert.hidden) this.alert.scrollIntoView({ block: "center" });
  }
}

// A match by its players, its score, and when it began.
function resumeWords({ white, black, score, begun_utc: begun }) {
  const time = new Date(begun);
  const isToday = time.toDateString() === new Date().toDateString();
  const day = isToday ? {} : { day: "numeric", month: "short" };
  const when = time.toLocaleString(languageCode(), { ...day, hour: "numeric", minute: "2-digit" });
  return t("office.resume", { white: playerName(white), black: playerName(black), score: apart(score.join("–")), when });
}
