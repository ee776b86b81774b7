// A question of the referee: the likeliest answers as buttons, one tap each, and below them the pictures it is about.

import { at, button, h } from "./dom.js";
import { pictureStrip } from "./pictures.js";
import { wordsOf } from "./wording.js";
import { t } from "./texts.js";

// What appears under a finger is not answered by it: the second tap of a double tap comes within this time.
const FRESH_MS = 500;

export class Question {
  // `say(command)` sends; `preview(board or null)` shows a board; `setDice`, `setBoard`, `setSeating` open dialogs.
  // `pictures(place, asked_ms)` fills a place with the pictures of the event that asks.
  constructor({ say, preview, setDice, setBoard, setSeating, pictures }) {
    Object.assign(this, { say, preview, setDice, setBoard, setSeating, pictures });
    this.key = "";
  }

  show(question, canAnswer) {
    const key = JSON.stringify([question, canAnswer]);
    if (key === this.key) return;
    this.key = key;
    const place = at("question");
    place.hidden = !question || (!question.is_open && !question.answers.length);
    place.classList.toggle("aside", Boolean(question) && !question.is_open);
    const isSame = this.askedMs === question?.asked_ms;
    const wasOpen = isSame && Boolean(place.querySelector("details")?.open);
    this.askedMs = question?.asked_ms;
    place.replaceChildren(...(place.hidden ? [] : this.parts(question, canAnswer, wasOpen)));
    this.preview(null);
  }

  parts(question, canAnswer, wasOpen) {
    const title = wordsOf(question.title);
    const inside = [
      ...(question.said.length ? [h("p", {}, wordsOf(question.said))] : []),
      canAnswer ? this.answers(question) : h("p", { class: "hint" }, t("question.operator")),
    ];
    if (!question.is_open) return [h("details", { open: wasOpen }, h("summary", {}, title), ...inside)];
    const strip = pictureStrip();
    this.pictures(strip, question.asked_ms);
    return [h("h2", {}, title), ...inside, strip];
  }

  answers({ about, asked_ms: askedMs, answers }) {
    const more = this.more(about);
    return h(
      "div",
      { class: "options" },
      ...answers.map((answer, number) => this.button(answer, number, askedMs)),
      button(t(more.words), () => more.open(), { class: "other" }),
    );
  }

  more(about) {
    if (about === "seating") return { words: "seating.title", open: this.setSeating };
    if (about === "roll" || about === "opening") return { words: "question.other-roll", open: this.setDice };
    return { words: "question.other-board", open: this.setBoard };
  }

  // The board shows an answer while it is pointed at or has the focus.
  button({ said, command, board }, number, askedMs) {
    const show = () => this.preview(board);
    const hide = () => this.preview(null);
    const act = () => this.say({ command: "AnswerQuestion", asked_ms: askedMs, answer: command });
    const answer = button(wordsOf(said), act, {
      class: "option",
      disabled: true,
      "data-option": number,
      onpointerenter: (event) => event.pointerType === "mouse" && show(),
      onpointerleave: hide,
      onfocus: (event) => event.target.matches(":focus-visible") && show(),
      onblur: hide,
    });
    setTimeout(() => (answer.disabled = false), FRESH_MS);
    return answer;
  }
}
