// The links from the match page to the set-up page, and the notice while no match is played.

import { at, h, write } from "./dom.js";
import { t } from "./texts.js";

const VIEWS = ["set-up", "settings", "lights"];

export function showOffice(state, viewer) {
  const { office } = state;
  const isOperator = viewer === "operator" && office.is_there;
  if (isOperator && office.stage === "waiting" && state.match_id === "") return location.replace("/office#set-up");
  const place = at("office-links");
  place.hidden = !isOperator;
  if (isOperator && !place.childElementCount) {
    place.setAttribute("aria-label", t("office.title"));
    place.replaceChildren(
      ...VIEWS.map((view) => h("a", { href: `/office#${view}`, class: "view-link" }, t(`office.view.${view}`))),
    );
  }
  if (office.stage !== "playing" && !state.match.winner) at("doing").hidden = true;
  tellStage(office.stage, isOperator && office.can_begin);
}

// Between two matches the last one stays on the page; the operator gets a link to the set-up.
function tellStage(stage, canBegin) {
  const place = at("no-match");
  if (place.dataset.stage === `${stage} ${canBegin}`) return;
  place.dataset.stage = `${stage} ${canBegin}`;
  write(place, stage === "playing" ? "" : t(`office.status.${stage}`));
  if (stage === "waiting" && canBegin) place.append(" ", h("a", { href: "/office#set-up" }, t("office.set-up-next")));
}
