// Form fields built from the records of the server, each with its mistakes beside it.

import { h } from "./dom.js";
import { LANGUAGES } from "./languages.js";
import { problemText, writeProblems } from "./wording.js";
import { knows, t } from "./texts.js";

let made = 0;
const OTHER = "";

// Settings whose values have texts.
const PLAYERS = { "players.white": "player", "players.black": "player" };
const FAMILIES = { game: "game", profile: "profile", mode: "mode", clock: "clock.rules", ...PLAYERS };

// The text for a value of a setting; `title(value)` for a value without a text.
export function wordFor(setting, title = String) {
  if (setting === "speech.language") return (code) => LANGUAGES[code] ?? code;
  const family = FAMILIES[setting];
  return (value) => (knows(`${family}.${value}`) ? t(`${family}.${value}`) : title(value));
}

// `about`: {name, sort, choices, limits, default, value}; `display`: {label, notes, hasUsual, wordOf(choice), isFixed, isList}.
// `isList`: suggestions are a list to choose from, whose last row lets people write something else.
export class Field {
  constructor(about, display) {
    this.about = about;
    this.display = { notes: [], hasUsual: true, wordOf: String, isFixed: false, isList: false, ...display };
    this.id = `field-${(made += 1)}`;
    this.input = this.newInput();
    this.mistake = h("p", { class: "mistake", id: `${this.id}-mistake`, hidden: true });
    this.input.addEventListener("input", () => this.showMistakes([]));
    const notes = this.display.notes.filter(Boolean).map((one) => h("p", { class: "hint" }, one));
    const label = h("label", { for: this.id }, this.display.label);
    this.element = h(
      "div",
      { class: "field", "data-name": about.name },
      label,
      this.input,
      this.other,
      this.list,
      h("div", { id: `${this.id}-notes`, class: "notes" }, ...notes),
      this.mistake,
    );
    this.begun = JSON.stringify(this.value);
  }

  newInput() {
    const { sort } = this.about;
    const plain = {
      id: this.id,
      name: this.about.name,
      "aria-describedby": `${this.id}-notes ${this.id}-mistake`,
      disabled: this.display.isFixed,
    };
    if (sort === "switch" || sort === "choice") return h("select", plain, ...this.options());
    if (sort === "suggested" && this.display.isList) return this.newList(plain);
    const mode = { whole: "numeric", number: "decimal" }[sort] ?? "text";
    const usual = this.about.default === null ? "" : this.display.wordOf(this.about.default);
    const value = this.about.value === null ? "" : String(this.about.value);
    const suggested = this.about.choices.map((choice) => h("option", { value: choice }));
    if (sort === "suggested") this.list = h("datalist", { id: `${this.id}-list` }, ...suggested);
    return h("input", {
      ...plain,
      type: "text",
      inputmode: mode,
      value,
      placeholder: usual,
      list: this.list?.id,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
  }

  newList(plain) {
    const { choices, value } = this.about;
    const chosen = value ?? choices[0];
    const isOther = !choices.includes(chosen);
    const words = `${this.display.label}: ${t("office.other")}`;
    this.other = h("input", { type: "text", value: isOther ? chosen : "", hidden: !isOther, "aria-label": words });
    this.other.name = `${this.about.name}.other`;
    this.other.addEventListener("input", () => this.showMistakes([]));
    const rows = choices.map((choice) =>
      h("option", { value: choice, selected: choice === chosen }, this.display.wordOf(choice)),
    );
    const change = () => {
      this.showMistakes([]);
      this.other.hidden = this.input.value !== OTHER;
      if (!this.other.hidden) this.other.focus();
    };
    return h("select", { ...plain, onchange: change }, ...rows, h("option", { value: OTHER, selected: isOther }, t("office.other")));
  }

  // The value as people read it.
  get words() {
    if (this.input.tagName !== "SELECT") return String(this.value ?? "");
    return this.input.selectedOptions[0]?.textContent ?? "";
  }

  options() {
    const { sort, value, default: usual } = this.about;
    const choices = sort === "switch" ? [true, false] : this.about.choices;
    const wordOf = sort === "switch" ? (choice) => t(choice ? "office.yes" : "office.no") : this.display.wordOf;
    const chosen = value ?? (this.display.hasUsual ? null : usual);
    const first = usual === null ? t("office.nothing") : t("office.usual", { value: wordOf(usual) });
    const rows = choices.map((choice) =>
      h("option", { value: JSON.stringify(choice), selected: choice === chosen }, wordOf(choice)),
    );
    const isStrange = chosen !== null && !choices.includes(chosen);
    return [
      (this.display.hasUsual || chosen === null) && h("option", { value: "null", selected: chosen === null }, first),
      ...rows,
      isStrange && h("option", { value: JSON.stringify(chosen), selected: true }, String(chosen)),
    ];
  }

  // null for an empty field; a number where the text is one; else the text, which the server checks.
  get value() {
    if (this.other) return this.input.value === OTHER ? this.other.value.trim() || null : this.input.value;
    if (this.input.tagName === "SELECT") return JSON.parse(this.input.value);
    const text = this.input.value.trim();
    if (text === "") return null;
    if (this.about.sort === "whole" && /^-?\d{1,15}$/.test(text)) return Number(text);
    if (this.about.sort === "number" && /^-?\d{1,12}([.,]\d{1,6})?$/.test(text)) return Number(text.replace(",", "."));
    return text;
  }

  get isChanged() {
    return JSON.stringify(this.value) !== this.begun;
  }

  set isShown(isShown) {
    this.element.hidden = !isShown;
  }

  get isShown() {
    return !this.element.hidden;
  }

  showMistakes(mistakes) {
    writeProblems(this.mistake, mistakes);
    this.element.classList.toggle("wrong", mistakes.length > 0);
    if (mistakes.length) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

// Shows mistakes beside their fields, other mistakes in `elsewhere`. The first wrong field gets the focus.
export function showMistakes(fields, mistakes, elsewhere) {
  const isBeside = ({ name }) => fields.some((field) => field.about.name === name && !field.display.isFixed);
  for (const field of fields) {
    const own = mistakes.filter((mistake) => isBeside(mistake) && mistake.name === field.about.name);
    field.showMistakes(own);
    if (own.length) reveal(field);
  }
  writeProblems(
    elsewhere,
    mistakes.filter((mistake) => !isBeside(mistake)),
    withName,
  );
  fields.find((field) => field.input.hasAttribute("aria-invalid"))?.input.focus();
}

function withName(mistake) {
  const key = `setting.${mistake.name}`;
  return mistake.name ? `${knows(key) ? t(key) : mistake.name}: ${problemText(mistake)}` : problemText(mistake);
}

function reveal(field) {
  field.isShown = true;
  const closed = field.element.closest("details");
  if (closed) closed.open = true;
}

export function alertLine() {
  return h("p", { class: "alert", role: "alert", hidden: true });
}
