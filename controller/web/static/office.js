// The set-up page of the operator, with three views: next match, settings, LED map.

import { operatorToken } from "./api.js";
import { at, h, write } from "./dom.js";
import { Feed } from "./feed.js";
import { showLanguages } from "./language_choice.js";
import { chosenLanguage } from "./languages.js";
import { LedMap } from "./led_map.js";
import { OFFICE_VIEWS, showNavigation } from "./navigation.js";
import { SetUp } from "./set_up.js";
import { Settings } from "./settings.js";
import { proposeSettings } from "./settings_proposed.js";
import { showReceivers } from "./status.js";
import { loadTexts, t } from "./texts.js";
import { toast } from "./toast.js";

class Office {
  constructor() {
    this.feed = new Feed(this, operatorToken());
    const { api } = this.feed;
    this.views = {
      "set-up": new SetUp(api, toast),
      settings: new Settings(api, toast),
      lights: new LedMap(api, toast),
    };
    this.office = null;
    this.feed.on = {
      match: () => {},
      events: () => {},
      link: (isUp) => write(at("link"), isUp ? "" : t("link.down")),
      state: (state, _, viewer) => this.state(state, viewer),
    };
  }

  begin() {
    for (const view of OFFICE_VIEWS) write(at(`${view}-heading`), t(`office.view.${view}`));
    addEventListener("hashchange", () => this.turn(true));
    this.turn(false);
    this.feed.connect();
  }

  get view() {
    const asked = location.hash.slice(1);
    return OFFICE_VIEWS.includes(asked) ? asked : OFFICE_VIEWS[0];
  }

  // Switches the view: requests its content, and moves the focus to its heading for screen readers.
  turn(isMoved) {
    for (const view of OFFICE_VIEWS) at(view).hidden = view !== this.view || !this.isOperator;
    showNavigation(this.view);
    document.title = `${t(`office.view.${this.view}`)} · Zarbiter`;
    if (this.isOperator) this.views[this.view].show(this.office);
    if (isMoved) focusOn(at(`${this.view}-heading`));
  }

  state(state, viewer) {
    const isFirst = this.isOperator === undefined;
    this.isOperator = viewer === "operator";
    this.office = state.office;
    showReceivers(state);
    write(at("no-token"), this.isOperator ? "" : t("office.no-token"));
    if (isFirst && this.isOperator && this.office.is_there) proposeSettings(this.feed.api, null);
    if (isFirst) return this.turn(false);
    if (this.isOperator && this.view === "set-up") this.views["set-up"].show(this.office);
  }
}

function focusOn(heading) {
  heading.tabIndex = -1;
  heading.focus();
}

async function begin() {
  await loadTexts(chosenLanguage());
  showLanguages();
  new Office().begin();
}

begin();
