// The links from the match page to the set-up page, and the notice while no match is played.

import { at, button, h, write } from "./dom.js";
import { showNavigation } from "./navigation.js";
import { t } from "./texts.js";

// `again()` starts a demo that is over once more.
export function showOffice(state, viewer, again) {
  const { office } = state;
  const isOperator = viewer === "operator" && office.is_there;
  if (isOperator && office.stage === "waiting" && state.match_id === "") return location.replace("/office#set-up");
  showNavigation("board", isOperator);
  if (office.stage !== "playing" && !state.match.winner) at("doing").hidden = true;
  tellStage(office.stage, { canBegin: isOperator && office.can_begin, again: viewer === "operator" && again });
  write(at("pace"), office.slow_speed === null ? "" : t("office.slow", { speed: office.slow_speed }));
}

// Between two matches the last one stays on the page; the operator gets a link to the set-up, or starts the demo again.
function tellStage(stage, { canBegin, again }) {
  const place = at("no-match");
  const shown = `${stage} ${canBegin} ${Boolean(again)}`;
  if (place.dataset.stage === shown) return;
  place.dataset.stage = shown;
  write(place, stage === "playing" ? "" : t(`office.status.${stage}`));
  if (stage === "waiting" && canBegin) place.append(" ", h("a", { href: "/office#set-up" }, t("office.set-up-next")));
  if (stage === "demo_over" && again) place.append(" ", button(t("office.demo-again"), again, { id: "demo-again" }));
}
