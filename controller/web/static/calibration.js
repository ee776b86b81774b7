// The calibration wizard: choose a source, put up the start position, find the board, drag its corners where necessary,
// save, check.

import { Corners } from "./calibration_corners.js";
import { hideSaving, showFound, showRefusal, showSearching } from "./calibration_found.js";
import { CalibrationApi, sleep } from "./calibration_api.js";
import { Guide } from "./calibration_guide.js";
import { showPhone } from "./calibration_phone.js";
import { Picture } from "./calibration_picture.js";
import { reportMarks } from "./calibration_report.js";
import { at, button, h, write } from "./dom.js";
import { showLanguages } from "./language_choice.js";
import { showNavigation } from "./navigation.js";
import { chosenLanguage } from "./languages.js";
import { apart, problemText } from "./wording.js";
import { knows, loadTexts, t } from "./texts.js";
import { toast } from "./toast.js";

const KEYS_REST_MS = 500; // pause after the last arrow key before the corners are measured
const ASK_AGAIN_MS = 3000;
const INSET = 0.15; // margin of undetected corners, as a share of the picture

class Wizard {
  constructor() {
    this.api = new CalibrationApi();
    this.picture = new Picture();
    this.corners = new Corners(this.picture, {
      moving: (places) => this.moving(places),
      moved: (isLetGo) => this.moved(isLetGo),
    });
    this.guide = new Guide(
      this.api,
      () => !this.isFresh,
      () => this.search(null),
    );
    this.found = null;
    this.pending = null; // the next search, while one is running
    this.isSearching = false;
    this.isOver = false;
  }

  async begin() {
    while (!(await this.open())) await sleep(ASK_AGAIN_MS);
    this.api.follow(
      (blob) => this.takePicture(blob),
      (status, problem) => this.trouble(status, problem),
      () => this.isOver,
    );
  }

  // Whether `begin` may go on; shows why the wizard may not be used.
  async open() {
    const { ok, status, body } = await this.api.state();
    const why = ok ? { sentence: body.why_not, said: body.said } : body;
    const block = ok && !body.is_there ? t("calibration.nothing") : problemText(why);
    write(at("closed"), block);
    if (!ok || !body.is_there) this.isOver = status === 401 || ok;
    if (block) return this.isOver;
    this.state = body;
    if (["match", "waiting"].includes(body.purpose)) showNavigation("calibration");
    this.showSources();
    this.showKnown();
    this.showActions();
    return true;
  }

  showSources() {
    at("step-source").hidden = false;
    const choices = this.state.sources.map((source, index) => {
      const kind = t(`calibration.source.${source.kind}`);
      const words = source.label && source.label !== kind ? [kind, h("small", { dir: "auto" }, source.label)] : [kind];
      const input = h("input", { type: "radio", name: "source", value: index, onchange: () => this.choose(index) });
      input.checked = this.state.chosen === index;
      return h("label", {}, input, h("span", {}, ...words));
    });
    at("sources").replaceChildren(...choices);
    if (this.state.chosen !== null) this.expect();
  }

  showKnown() {
    const { games, game, field_mm: field } = this.state;
    const again = () => (this.isByHand ? this.search(this.corners.places) : this.retry());
    this.game = h(
      "select",
      { id: "game", onchange: () => this.retry() },
      h("option", { value: "" }, t("calibration.any-position")),
      ...games.map(({ name, title }) =>
        h("option", { value: name, selected: name === game }, knows(`game.${name}`) ? t(`game.${name}`) : title),
      ),
    );
    const millimetres = { type: "number", inputmode: "numeric", min: 50, max: 3000, step: "any", onchange: again };
    this.sides = ["width", "height"].map((side, index) =>
      h("input", { ...millimetres, id: `field-${side}`, value: field?.[index] }),
    );
    const fields = this.sides.map((input, index) =>
      h("label", {}, t(index ? "calibration.field-height" : "calibration.field-width"), input),
    );
    at("positions").replaceChildren(h("label", {}, t("calibration.start-of"), this.game));
    at("knowns").replaceChildren(...fields);
    at("known").open = field !== null;
  }

  showActions() {
    const actions = [
      ["find", () => this.retry()],
      ["by-hand", () => this.byHand()],
      ["half-turn", () => this.halfTurn()],
      ["quarter-turn", () => this.quarterTurn()],
    ];
    if (!this.state.may_turn) actions.splice(-2);
    at("actions").replaceChildren(
      ...actions.map(([name, act]) => button(t(`calibration.action.${name}`), act, { id: name })),
    );
  }

  async choose(source) {
    const { ok, body } = await this.api.order("source", { source });
    if (!ok) return toast(problemText(body));
    this.expect();
  }

  // The board is searched for automatically once the pictures of a source are still.
  expect() {
    this.isFresh = true;
    this.isByHand = false;
    this.forget();
    for (const step of ["step-board", "step-quality", "step-saved"]) at(step).hidden = true;
    at("step-position").hidden = false;
    write(at("source-trouble"), t("calibration.waiting"));
    at("source-again").hidden = true;
    this.guide.start();
  }

  async retry() {
    this.isByHand = false;
    if (!(await this.search(null))) this.guide.start();
  }

  async takePicture(blob) {
    at("step-board").hidden = false;
    write(at("closed"), "");
    write(at("link"), "");
    write(at("source-trouble"), "");
    at("source-again").hidden = true;
    at("phone").hidden = true;
    await this.picture.take(blob);
    this.corners.show();
    this.isFresh = false;
  }

  async trouble(status, problem) {
    write(at("link"), status === 0 ? t("link.down") : "");
    if (status === 409) write(at("closed"), problemText(problem));
    if (status !== 204) return;
    const { ok, body } = await this.api.state();
    if (!ok || !body.is_there) return;
    const isAwaited = this.isFresh && body.chosen !== null;
    showPhone(this.api, body.sources[body.chosen]?.label);
    write(at("source-trouble"), body.sentence || (isAwaited ? t("calibration.waiting") : ""));
    at("source-again").hidden = !body.sentence || body.chosen === null;
    at("source-again").onclick = () => this.choose(body.chosen);
  }

  known() {
    const size = this.sides.map((input) => input.valueAsNumber);
    return { game: this.game.value || null, field_mm: size.every((side) => side >= 50 && side <= 3000) ? size : null };
  }

  // One search runs at a time; of later requests only the last is kept. Resolves to whether all is well.
  async search(corners) {
    this.pending = { ...this.known(), corners };
    if (this.isSearching) return true; // whoever began it takes the answer
    this.isSearching = true;
    showSearching(true);
    while (this.pending) {
      const request = this.pending;
      this.pending = null;
      const answer = await this.api.order("find", request);
      if (!this.pending && !this.corners.isHeld) this.take(answer, request.corners);
    }
    this.isSearching = false;
    showSearching(false);
    return this.found !== null && this.found.is_well;
  }

  take({ ok, body }, corners) {
    if (!ok) return toast(problemText(body));
    this.isByHand = corners !== null;
    if (body.refused) {
      this.forget();
      showRefusal(body.refused);
      if (corners) this.outline(corners);
      return;
    }
    this.show(body);
  }

  show(found) {
    this.found = found;
    this.corners.put(found.corners);
    this.picture.draw(found.lines, found.quality !== "good", reportMarks(found.report, found.size_px));
    showFound(found, (isMeant) => this.save(isMeant));
  }

  forget() {
    this.found = null;
    this.picture.draw([], false);
    if (!this.isByHand) this.corners.hide();
    at("saving").replaceChildren();
  }

  moving(places) {
    this.guide.stop();
    this.outline(places);
    hideSaving(); // the measured quality does not belong to the new corners
  }

  outline(places) {
    this.picture.draw([[...places, places[0]]], true);
  }

  moved(isLetGo) {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.search(this.corners.places), isLetGo ? 0 : KEYS_REST_MS);
  }

  byHand() {
    if (!this.picture.size) return;
    this.guide.stop();
    const [width, height] = this.picture.size;
    const [left, top, right, bottom] = [INSET * width, INSET * height, (1 - INSET) * width, (1 - INSET) * height];
    const inset = [left, right, right, left].map((x, index) => [x, index < 2 ? top : bottom]);
    if (!this.corners.places) this.corners.put(inset);
    this.isByHand = true;
    this.moving(this.corners.places);
    at("corners").firstElementChild.focus();
  }

  async halfTurn() {
    if (!this.found) return toast(t("calibration.nothing-found"));
    const { ok, body } = await this.api.order("turn", { number: this.found.number });
    if (!ok || body.refused) return toast(refusalText(body));
    this.show(body);
  }

  quarterTurn() {
    if (!this.corners.places) return toast(t("calibration.nothing-found"));
    this.corners.turn();
    this.search(this.corners.places);
  }

  async save(isMeant) {
    const { ok, body } = await this.api.order("save", { number: this.found.number, is_unsure_meant: isMeant });
    if (!ok || body.refused) return toast(refusalText(body));
    at("step-saved").hidden = false;
    write(at("saved"), t("calibration.saved", { file: body.file }));
    this.showEnding();
    at("saved-heading").scrollIntoView({ block: "nearest" });
    await this.check();
  }

  async check() {
    write(at("checked"), t("calibration.checking"));
    const { ok, body } = await this.api.order("check");
    if (!ok || body.refused) return write(at("checked"), refusalText(body));
    const values = { mm: body.shift_mm, why: apart(body.sentence) };
    write(at("checked"), t(`calibration.check.${body.verdict}`, values));
  }

  showEnding() {
    at("ending").replaceChildren(
      button(t(`calibration.finish.${this.state.purpose}`), () => this.finish(), { id: "finish", class: "send" }),
      button(t("calibration.check-again"), () => this.check(), { id: "check" }),
    );
  }

  async finish() {
    if (["match", "waiting"].includes(this.state.purpose)) return location.assign("/");
    const { ok, body } = await this.api.order("finish");
    if (!ok || body.refused) return toast(refusalText(body));
    this.isOver = true;
    this.guide.stop();
    for (const step of ["step-source", "step-position", "step-board", "step-quality"]) at(step).hidden = true;
    at("ending").replaceChildren();
    write(at("checked"), t(`calibration.done.${this.state.purpose}`));
    if (this.state.purpose !== "begin") return;
    while (!(await this.api.isMatchThere())) await sleep(ASK_AGAIN_MS / 3);
    location.assign("/");
  }
}

// The reason of a refusal: the order was not allowed, or its result was rejected.
function refusalText(body) {
  return body.refused ? apart(body.refused) : problemText(body);
}

async function begin() {
  await loadTexts(chosenLanguage());
  showLanguages();
  const words = {
    title: "title",
    "source-heading": "source",
    "known-heading": "known",
    "position-heading": "position",
    "position-hint": "position-hint",
    "board-heading": "board",
    "quality-heading": "quality",
    "saved-heading": "saved-title",
    "corner-hint": "corner-hint",
  };
  at("source-again").textContent = t("calibration.try-again");
  for (const [id, key] of Object.entries(words)) write(at(id), t(`calibration.${key}`));
  document.title = t("calibration.title");
  at("live").alt = t("calibration.picture");
  new Wizard().begin();
}

begin();
