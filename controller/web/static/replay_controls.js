// The buttons and keys of a replay.

import { at, button, h, s } from "./dom.js";
import { notation } from "./wording.js";
import { t } from "./texts.js";

const SPEEDS = [0.5, 1, 2, 4];
// Paths in a box of 24 x 24, because many fonts lack these signs.
const SIGNS = {
  first: "M5 5v14M18 5l-8 7 8 7",
  "turn-back": "M12 5l-7 7 7 7M19 5l-7 7 7 7",
  back: "M15 5l-7 7 7 7",
  play: "M8 5l11 7-11 7z",
  pause: "M9 5v14M15 5v14",
  next: "M9 5l7 7-7 7",
  "turn-next": "M5 5l7 7-7 7M12 5l7 7-7 7",
  last: "M6 5l8 7-8 7M19 5v14",
};
const NATIVE = "input, select, textarea, dialog[open] *";

export class Controls {
  // `on`: {go(first | turn-back | back | next | turn-next | last), goTo(step), goToTurn(turn), play(), pace(speed)}.
  constructor(on) {
    this.on = on;
    this.buttons = {};
    const buttons = ["first", "turn-back", "back", "play", "next", "turn-next", "last"].map((name) =>
      this.button(name),
    );
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": t("replay.position"),
      oninput: () => on.goTo(Number(this.slider.value)),
    });
    this.turn = h("input", {
      type: "number",
      min: 1,
      inputmode: "numeric",
      onchange: () => this.turn.value && on.goToTurn(Number(this.turn.value)),
    });
    this.games = h("select", { onchange: () => on.goToTurn(Number(this.games.value)) });
    this.speed = h(
      "select",
      { onchange: () => on.pace(Number(this.speed.value)) },
      ...SPEEDS.map((speed) =>
        h("option", { value: speed, selected: speed === 1 }, notation(t("replay.times", { speed }))),
      ),
    );
    const fields = [
      ["replay.game", this.games],
      ["replay.turn", this.turn],
      ["replay.speed", this.speed],
    ];
    at("controls").setAttribute("aria-label", t("replay.controls"));
    at("controls").replaceChildren(
      this.slider,
      h("div", { class: "steps" }, ...buttons),
      h("div", { class: "fields" }, ...fields.map(([key, field]) => h("label", {}, h("span", {}, t(key)), field))),
      h("p", { class: "hint keys" }, t("replay.keys")),
    );
    document.addEventListener("keydown", (event) => this.key(event));
  }

  button(name) {
    const act = () => (name === "play" ? this.on.play() : this.on.go(name));
    const words = t(`replay.${name}`);
    const box = { class: name === "play" ? null : "way", viewBox: "0 0 24 24", "aria-hidden": "true" };
    const sign = s("svg", box, s("path", { d: SIGNS[name] }));
    this.buttons[name] = button(sign, act, { "data-step": name, "aria-label": words, title: words });
    return this.buttons[name];
  }

  begin(record) {
    this.slider.max = record.steps.length - 1;
    this.turn.max = record.turns.at(-1)?.turn ?? 1;
    const firsts = record.turns.filter(({ game }, index) => game !== record.turns[index - 1]?.game);
    this.games.replaceChildren(
      ...firsts.map(({ game, turn }) => h("option", { value: turn, "data-game": game }, String(game))),
    );
  }

  show({ step, last, turn, text, isPlaying }) {
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", text);
    if (document.activeElement !== this.turn) this.turn.value = turn?.turn ?? "";
    const chosen = [...this.games.options].find((option) => option.dataset.game === String(turn?.game));
    if (chosen) chosen.selected = true;
    for (const name of ["first", "turn-back", "back"]) this.dim(name, step === 0);
    for (const name of ["next", "turn-next", "last"]) this.dim(name, step === last);
    const play = this.buttons.play;
    const words = t(isPlaying ? "replay.pause" : "replay.play");
    play.querySelector("path").setAttribute("d", isPlaying ? SIGNS.pause : SIGNS.play);
    play.setAttribute("aria-label", words);
    play.title = words;
    play.classList.toggle("playing", isPlaying);
  }

  // Not `disabled`, so that a button keeps the focus.
  dim(name, isUseless) {
    this.buttons[name].setAttribute("aria-disabled", isUseless);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(NATIVE)) return;
    const isButton = event.target.closest?.("button");
    if (event.key === " " && !isButton) this.on.play();
    else if (!this.step(event)) return;
    event.preventDefault();
  }

  step({ key, shiftKey }) {
    const arrows = ["ArrowLeft", "ArrowRight"];
    const [backward, forward] = document.documentElement.dir === "rtl" ? arrows.reverse() : arrows;
    const where = {
      [forward]: shiftKey ? "turn-next" : "next",
      [backward]: shiftKey ? "turn-back" : "back",
      PageDown: "turn-next",
      PageUp: "turn-back",
      Home: "first",
      End: "last",
    }[key];
    if (where) this.on.go(where);
    return Boolean(where);
  }
}
