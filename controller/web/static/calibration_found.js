// The result of a search in words: method, error, notes, and whether it may be saved.

import { reportLists, reportRows } from "./calibration_report.js";
import { at, button, h, write } from "./dom.js";
import { t } from "./texts.js";

export function showRefusal(sentence) {
  at("step-quality").hidden = false;
  verdict("refused", t("calibration.quality.refused"));
  at("figures").replaceChildren();
  at("report").replaceChildren();
  at("notes").replaceChildren(h("li", { class: "refusal", lang: "en", dir: "auto" }, sentence));
  at("saving").replaceChildren();
}

// The save button calls `save(isUnsureMeant)`.
export function showFound(found, save) {
  at("step-quality").hidden = false;
  const isLearned = found.quality === "good" && found.report?.learned;
  verdict(found.quality, t(`calibration.quality.${isLearned ? "learned" : found.quality}`));
  at("figures").replaceChildren(...figures(found).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  at("report").replaceChildren(...reportLists(found.report));
  at("notes").replaceChildren(...found.notes.map((note) => h("li", { lang: "en", dir: "auto" }, note)));
  at("saving").replaceChildren(...saving(found, save));
  at("saving").classList.remove("stale");
}

// The button keeps its space, because a shorter page would scroll below the finger.
export function hideSaving() {
  at("saving").classList.add("stale");
}

export function showSearching(isSearching) {
  at("step-board").classList.toggle("searching", isSearching);
  at("step-quality").classList.toggle("searching", isSearching);
  at("step-board").setAttribute("aria-busy", String(isSearching));
}

function verdict(kind, words) {
  at("verdict").className = kind;
  write(at("verdict"), words);
}

function figures(found) {
  const error =
    found.error_mm === null
      ? t("calibration.error.none")
      : t("calibration.error", { mm: found.error_mm.toFixed(2), percent: found.error_percent.toFixed(2) });
  const [width, height] = found.field_mm;
  const size = t(found.scale_is_assumed ? "calibration.size.assumed" : "calibration.size", { width, height });
  const rows = [
    [t("calibration.way"), t(`calibration.way.${found.way}`)],
    [t("calibration.error.name"), error],
    [t("calibration.size.name"), size],
  ];
  if (!found.has_bar) rows.push([t("place.bar"), t("calibration.bar.none")]);
  const { understood, seen } = found;
  if (seen > 1) rows.push([t("calibration.pictures.name"), t("calibration.pictures", { understood, seen })]);
  return [...rows, ...reportRows(found.report)];
}

// A result with an unmeasured or large error needs a confirmation.
function saving(found, save) {
  const isSure = found.quality === "good";
  const meant = isSure ? null : h("input", { type: "checkbox", id: "meant" });
  const attributes = { id: "save", class: "send", disabled: !isSure };
  const keep = button(t("calibration.save"), () => save(!isSure), attributes);
  meant?.addEventListener("change", () => (keep.disabled = !meant.checked));
  return [meant && h("label", {}, meant, t("calibration.meant")), keep].filter(Boolean);
}
