// The one bar of links on the pages of a match. A spectator gets only those that everybody may look at.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

export const OFFICE_VIEWS = ["set-up", "settings", "lights"];
const LINKS = {
  board: ["/", "office.to-board"],
  ...Object.fromEntries(OFFICE_VIEWS.map((view) => [view, [`/office#${view}`, `office.view.${view}`]])),
  calibration: ["/calibrate", "office.view.calibration"],
  statistics: ["/statistics", "office.view.statistics"],
};
const FOR_ALL = ["board", "statistics"];

// `current`: the name of the link that is shown now. Drawn once for each kind of viewer; afterwards only the mark moves.
export function showNavigation(current, isOperator = true) {
  const place = at("views");
  const names = isOperator ? Object.keys(LINKS) : FOR_ALL;
  place.hidden = false;
  if (place.childElementCount !== names.length) {
    place.setAttribute("aria-label", t("office.title"));
    place.replaceChildren(
      ...names.map((name) => h("a", { href: LINKS[name][0], class: "view-link", "data-view": name }, t(LINKS[name][1]))),
    );
  }
  for (const link of place.children) {
    if (link.dataset.view === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
