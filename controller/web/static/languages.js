// The language of the page: that of the address (`lang`), else the one chosen in this browser, else that of the
// settings (for the operator), else that of the browser.

const KEY = "zarbiter-language";
const SETTINGS_KEY = "zarbiter-language-of-settings";

// The name of each language in that language, as in its text file.
export const LANGUAGES = {
  en: "English",
  ar: "العربية",
  de: "Deutsch",
  el: "Ελληνικά",
  es: "Español",
  fr: "Français",
  ka: "ქართული",
  lt: "Lietuvių",
  ru: "Русский",
  tr: "Türkçe",
};

export function chosenLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, localStorage.getItem(KEY), localStorage.getItem(SETTINGS_KEY), ...navigator.languages].filter(
    Boolean,
  );
  return wanted.map(packFor).find(Boolean) ?? "en";
}

// The text file for a language tag such as pt-BR or de; undefined where there is none.
function packFor(tag) {
  const main = tag.toLowerCase().split("-")[0];
  return Object.hasOwn(LANGUAGES, main) ? main : undefined;
}

// Sets the language that holds until somebody chooses one (null: none). Returns whether the page changes its language.
export function propose(language) {
  const before = chosenLanguage();
  if (language === null) localStorage.removeItem(SETTINGS_KEY);
  else localStorage.setItem(SETTINGS_KEY, language);
  return chosenLanguage() !== before;
}

// Stores the choice, and reloads the page.
export function choose(language) {
  localStorage.setItem(KEY, language);
  const place = new URL(location.href);
  place.searchParams.delete("lang");
  if (place.href === location.href) location.reload();
  else location.replace(place.href);
}
