// A question of the referee, with the most likely answers as buttons. One tap previews an answer, a second sends it.

import { at, button, h } from "./dom.js";
import { notation, wordsOf } from "./wording.js";
import { t } from "./texts.js";

export class Question {
  // `say(command)` sends; `preview(board or null)` shows a board; `setDice`, `setBoard`, `setSeating` open dialogs.
  constructor({ say, preview, setDice, setBoard, setSeating }) {
    Object.assign(this, { say, preview, setDice, setBoard, setSeating });
    this.key = "";
    this.chosen = null;
  }

  show(question, canAnswer) {
    const key = JSON.stringify([question, canAnswer]);
    if (key === this.key) return;
    this.key = key;
    this.question = question;
    this.canAnswer = canAnswer;
    this.choose(null);
  }

  choose(number) {
    this.chosen = number;
    const place = at("question");
    const focused = place.contains(document.activeElement) ? document.activeElement.dataset.option : undefined;
    place.hidden = !this.question;
    place.replaceChildren(...(this.question ? this.parts() : []));
    if (focused !== undefined) place.querySelector(`[data-option="${focused}"]`)?.focus();
    this.preview(this.options()[number]?.board ?? null);
  }

  options() {
    if (!this.question) return [];
    const { about, plays, rolls } = this.question;
    if (about === "play")
      return plays.map(({ play, board, after }) => {
        return { text: notation(play), board, command: { command: "ChoosePlay", after } };
      });
    return rolls.map((values) => ({ text: rollText(about, values), command: { command: "CorrectRoll", values } }));
  }

  parts() {
    const { about, said } = this.question;
    const head = [
      h("h3", {}, about === "seating" ? t("seating.title") : t(`question.${about}`)),
      said.length > 0 && h("p", {}, wordsOf(said)),
    ];
    if (!this.canAnswer) return [...head, h("p", { class: "hint" }, t("question.operator"))];
    const options = this.options();
    const hint = options.length ? h("p", { class: "hint" }, t("question.hint")) : null;
    const buttons = options.map((option, number) => this.button(option, number));
    const more = this.more(about);
    const other = button(t(more.words), () => more.open(), { class: "other" });
    return [...head, hint, h("div", { class: "options" }, ...buttons, other)];
  }

  more(about) {
    if (about === "seating") return { words: "seating.title", open: this.setSeating };
    if (about === "play") return { words: "question.other-board", open: this.setBoard };
    return { words: "question.other-roll", open: this.setDice };
  }

  button(option, number) {
    const isChosen = this.chosen === number;
    const words = isChosen ? t("question.confirm", { answer: option.text }) : option.text;
    const act = () => (isChosen ? this.say(option.command) : this.choose(number));
    const kind = isChosen ? "option chosen" : "option";
    return button(words, act, { class: kind, "data-option": number, "aria-pressed": isChosen });
  }
}

function rollText(about, values) {
  return about === "opening"
    ? t("question.opening-roll", { white: values[0], black: values[1] })
    : notation(values.join("-"));
}
