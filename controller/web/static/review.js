// Reviewing a recorded match: the turns nobody can be sure of, the pictures of a turn, and putting it right in the log.

import { at, button, h } from "./dom.js";
import { fillStrip, pictureStrip } from "./pictures.js";
import { notation, problemText } from "./wording.js";
import { t } from "./texts.js";

const FACES = [1, 2, 3, 4, 5, 6];

export class Review {
  // `goToTurn(turn)` shows a turn, `preview(board or null)` a board, `changed(turn)` loads the match anew.
  constructor(feed, { goToTurn, preview, changed }) {
    Object.assign(this, { feed, goToTurn, preview, changed });
    this.turns = [];
    this.turn = null;
    this.free = () => {};
  }

  // Only the operator reviews, and only a match of the log.
  async begin() {
    if (!this.feed.api.token) return;
    const answer = await this.feed.api.get("/api/review");
    at("review").hidden = !answer.ok;
    if (!answer.ok) return;
    this.turns = answer.body.turns;
    at("review").replaceChildren(
      h("h2", {}, t("review.title")),
      this.list(),
      h("p", { id: "review-said", role: "status" }),
      h("div", { id: "review-turn" }),
    );
  }

  list() {
    const open = this.turns.filter((turn) => turn.open);
    if (!open.length) return h("p", { class: "hint" }, t("review.none"));
    return h(
      "div",
      { id: "review-open" },
      h("p", {}, t("review.open", { count: open.length })),
      h("ol", {}, ...open.map((turn) => h("li", {}, this.link(turn)))),
    );
  }

  link(turn) {
    const words = t("review.turn", { turn: turn.turn, why: this.why(turn) });
    return button(words, () => this.goToTurn(turn.turn), { "data-turn": turn.turn });
  }

  why(turn) {
    return turn.in_step ? t(`ruling.${turn.ruling.replace(" ", "-")}`) : t("review.out-of-step");
  }

  // Shows the turn at which the replay stands.
  async show(number) {
    const turn = this.turns.find((one) => one.turn === number) ?? null;
    if (!at("review-turn") || turn === this.turn) return;
    this.turn = turn;
    this.free();
    for (const link of at("review").querySelectorAll("[data-turn]"))
      link.toggleAttribute("aria-current", Number(link.dataset.turn) === number);
    if (!turn) return at("review-turn").replaceChildren();
    const strip = pictureStrip();
    const form = h("details", { id: "review-form", open: turn.open });
    const heading = h("h3", {}, t("review.turn", { turn: number, why: this.why(turn) }));
    const byHand = turn.revised && h("p", { class: "hint" }, t("log.entered"));
    at("review-turn").replaceChildren(heading, ...(byHand ? [byHand] : []), strip, form);
    form.append(h("summary", {}, t("review.correct")));
    const fill = () => form.open && this.fillForm(form, turn, null);
    form.addEventListener("toggle", fill, { once: true }); // an open one sends this event as well
    await this.fillPictures(strip, turn);
  }

  async fillPictures(strip, turn) {
    const ruling = await this.feed.ruling(turn.event);
    if (!ruling || this.turn !== turn) return;
    const urls = [];
    this.free = () => urls.splice(0).forEach((free) => free());
    await fillStrip(strip, this.feed, turn.event, ruling.pictures, { whenGone: (free) => urls.push(free) });
  }

  // `roll`: another one than that of the record, or null.
  async fillForm(form, turn, roll) {
    const asked = roll ? `?roll=${roll.join("")}` : "";
    const answer = await this.feed.api.get(`/api/review/${turn.turn}${asked}`);
    if (this.turn !== turn) return;
    const summary = h("summary", {}, t("review.correct"));
    if (!answer.ok) {
      const again = roll ? [button(t("review.back"), () => this.fillForm(form, turn, null))] : [];
      form.replaceChildren(summary, h("p", { role: "alert" }, problemText(answer.body)), ...again);
      return;
    }
    const { roll: known, may_change_roll: mayChange, plays } = answer.body;
    const dice = [0, 1].map((die) => this.dieField(die, known, mayChange));
    const reload = () => {
      const values = dice.map((field) => Number(field.value));
      if (values.every(Boolean)) this.fillForm(form, turn, values);
    };
    dice.forEach((field) => field.addEventListener("change", reload));
    const play = this.playField(plays, turn);
    const fields = dice.map((field, die) => label(t(die ? "dice.second" : "dice.first"), field));
    const send = button(t("review.send"), () => this.send(turn, roll, plays[play.value]), { class: "send" });
    const choice = plays.length ? [label(t("review.play"), play), send] : [h("p", {}, t("review.say-roll"))];
    form.replaceChildren(summary, h("div", { class: "fields" }, ...(known.length > 2 ? [] : fields), ...choice));
  }

  dieField(die, known, mayChange) {
    const options = FACES.map((face) => h("option", { value: face, selected: known[die] === face }, String(face)));
    const none = known.length === 2 ? [] : [h("option", { value: "" }, "–")];
    return h("select", { "data-die": die, disabled: !mayChange }, ...none, ...options);
  }

  playField(plays, turn) {
    const field = h(
      "select",
      { id: "review-play", onchange: () => this.preview(plays[field.value]?.board ?? null) },
      ...plays.map(({ play }, place) => h("option", { value: place, selected: play === turn.play }, notation(play))),
    );
    return field;
  }

  async send(turn, roll, { after }) {
    const answer = await this.feed.api.post("/api/review", { turn: turn.turn, after, ...(roll && { roll }) });
    if (answer.ok) {
      this.turn = null;
      await this.changed(turn.turn);
    }
    at("review-said").textContent = answer.ok ? t("review.done", { turn: turn.turn }) : problemText(answer.body);
  }
}

function label(words, field) {
  return h("label", {}, h("span", {}, words), field);
}
