// The choice of language in the head of a page, and the notice of an unreviewed translation.

import { at, h, write } from "./dom.js";
import { LANGUAGES, choose } from "./languages.js";
import { isReviewed, languageCode, t } from "./texts.js";

export function showLanguages() {
  const options = Object.entries(LANGUAGES).map(([code, name]) =>
    h("option", { value: code, lang: code, selected: code === languageCode() }, name),
  );
  const change = (event) => choose(event.target.value);
  at("language").replaceChildren(h("select", { "aria-label": t("language.choose"), onchange: change }, ...options));
  write(at("unreviewed"), isReviewed() ? "" : t("language.unreviewed"));
}
