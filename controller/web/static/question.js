// A question of the referee, with the most likely answers as buttons. One tap previews an answer, a second sends it.

import { at, h } from "./dom.js";
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
      return plays.map((one) => ({
        text: notation(one.play),
        board: one.board,
        command: { command: "ChoosePlay", after: one.after },
      }));
    return rolls.map((values) => ({
      text: rollText(about, values),
      board: null,
      command: { command: "CorrectRoll", values },
    }));
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
    const other = h("button", { type: "button", class: "other", onclick: () => more.open() }, t(more.words));
    return [...head, hint, h("div", { class: "options" }, ...buttons, other)];
  }

  more(about) {
    if (about === "seating") return { words: "seating.title", open: this.setSeating };
    return about === "play"
      ? { words: "question.other-board", open: this.setBoard }
      : { words: "question.other-roll", open: this.setDice };
  }

  button(option, number) {
    const isChosen = this.chosen === number;
    const words = isChosen ? t("question.confirm", { answer: option.text }) : option.text;
    const act = () => (isChosen ? this.say(option.command) : this.choose(number));
    return h(
      "button",
      {
        type: "button",
        class: isChosen ? "option chosen" : "option",
        "data-option": number,
        "aria-pressed": isChosen,
        onclick: act,
      },
      words,
    );
  }
}

function rollText(about, values) {
  return about === "opening"
    ? t("question.opening-roll", { white: values[0], black: values[1] })
    : notation(values.join("-"));
}
