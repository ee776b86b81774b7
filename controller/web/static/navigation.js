// The one bar of links on every page of the operator.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

export const OFFICE_VIEWS = ["set-up", "settings", "lights"];
const LINKS = {
  board: ["/", "office.to-board"],
  ...Object.fromEntries(OFFICE_VIEWS.map((view) => [view, [`/office#${view}`, `office.view.${view}`]])),
  calibration: ["/calibrate", "office.view.calibration"],
};

// `current`: the name of the link that is shown now. Drawn once; afterwards only the mark moves.
export function showNavigation(current) {
  const place = at("views");
  place.hidden = false;
  if (!place.childElementCount) {
    place.setAttribute("aria-label", t("office.title"));
    place.replaceChildren(
      ...Object.entries(LINKS).map(([name, [href, key]]) =>
        h("a", { href, class: "view-link", "data-view": name }, t(key)),
      ),
    );
  }
  for (const link of place.children) {
    if (link.dataset.view === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
