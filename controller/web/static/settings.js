// The form for all settings; each field says when a change takes effect.

import { at, button, h } from "./dom.js";
import { Field, alertLine, showMistakes, wordFor } from "./fields.js";
import { problemText, writeProblems } from "./wording.js";
import { knows, t } from "./texts.js";

export class Settings {
  constructor(api, toast) {
    this.api = api;
    this.toast = toast;
    this.place = at("settings-form");
    this.fields = [];
  }

  async show() {
    if (this.fields.some((field) => field.isChanged)) return; // keeps unsaved changes
    const answer = await this.api.get("/api/settings");
    if (answer.ok) this.draw(answer.body);
    else this.place.replaceChildren(h("p", { class: "alert", role: "alert" }, problemText(answer.body)));
  }

  draw(form) {
    this.seal = form.seal;
    this.usual = usualActs(form.fields);
    this.fields = form.fields.map((about) => this.field(about));
    this.alert = alertLine();
    const sections = [...new Set(form.fields.map((about) => sectionOf(about.name)))];
    const save = h("button", { type: "submit", class: "send", id: "save-settings" }, t("office.save"));
    const element = h(
      "form",
      { novalidate: true },
      h("p", { class: "hint" }, t("office.settings.file", { file: form.file })),
      this.alert,
      ...sections.map((section) => this.section(section)),
      h(
        "p",
        { class: "often saving" },
        save,
        button(t("office.again"), () => this.again()),
      ),
    );
    element.addEventListener("submit", (event) => this.submit(event));
    this.place.replaceChildren(element);
    if (form.problem) writeProblems(this.alert, [{ sentence: form.problem }]);
    else if (form.mistakes.length) showMistakes(this.fields, form.mistakes, this.alert);
  }

  section(section) {
    const inside = this.fields.filter((field) => sectionOf(field.about.name) === section);
    return h(
      "fieldset",
      { class: "group" },
      h("legend", {}, t(`office.section.${section}`)),
      h("p", { class: "hint" }, t(`office.acts.${this.usual[section]}`)),
      h("div", { class: "fields" }, ...inside.map((field) => field.element)),
    );
  }

  field(about) {
    const key = `setting.${about.name}`;
    const isUsual = about.acts === this.usual[sectionOf(about.name)];
    const acts = isUsual ? "" : t(`office.acts.${about.acts}`);
    const limits = about.limits && t("office.limits", { least: about.limits[0], most: about.limits[1] });
    const notes = [
      knows(`${key}.hint`) && t(`${key}.hint`),
      [limits, acts].filter(Boolean).join(" "),
      about.fixed && t("office.fixed", { option: about.fixed }),
    ];
    return new Field(about, {
      label: knows(key) ? t(key) : about.name,
      notes,
      wordOf: wordFor(about.name),
      isFixed: Boolean(about.fixed),
    });
  }

  async again() {
    this.fields = [];
    await this.show();
  }

  async submit(event) {
    event.preventDefault();
    const changed = this.fields.filter((field) => field.isChanged);
    if (!changed.length) return this.toast(t("office.nothing-changed"));
    const changes = Object.fromEntries(changed.map((field) => [field.about.name, field.value]));
    const answer = await this.api.post("/api/settings", { seal: this.seal, changes });
    if (answer.ok) {
      this.draw(answer.body);
      this.toast(t("office.saved"));
      return at("save-settings").focus();
    }
    showMistakes(this.fields, answer.body.mistakes ?? [], this.alert);
    if (!answer.body.mistakes) writeProblems(this.alert, [answer.body]);
    if (!this.alert.hidden) this.alert.scrollIntoView({ block: "center" });
  }
}

// When a change of most settings of a section takes effect; said once, and beside the others.
function usualActs(fields) {
  const acts = {};
  for (const about of fields) (acts[sectionOf(about.name)] ??= []).push(about.acts);
  const count = (all, one) => all.filter((other) => other === one).length;
  const most = (all) => all.reduce((best, one) => (count(all, one) > count(all, best) ? one : best));
  return Object.fromEntries(Object.entries(acts).map(([section, all]) => [section, most(all)]));
}

function sectionOf(name) {
  return name.includes(".") ? name.split(".")[0] : "general";
}
