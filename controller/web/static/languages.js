// Which language the page speaks: the one that was asked for, else the one chosen here before, else that of the settings
// where the operator sits, else the browser's.

const KEY = "zarbiter-language";
const SETTINGS_KEY = "zarbiter-language-of-settings";

// As its speakers call each; the packs say the same of themselves.
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
  const wanted = [asked, localStorage.getItem(KEY), localStorage.getItem(SETTINGS_KEY), ...navigator.languages].filter(Boolean);
  return wanted.map(packFor).find(Boolean) ?? "en";
}

// The pack for a language tag such as pt-BR or de; undefined where there is none.
function packFor(tag) {
  const main = tag.toLowerCase().split("-")[0];
  return Object.hasOwn(LANGUAGES, main) ? main : undefined;
}

// What holds until somebody chooses; null: nothing. Whether the page speaks another language by that.
export function propose(language) {
  const before = chosenLanguage();
  if (language === null) localStorage.removeItem(SETTINGS_KEY);
  else localStorage.setItem(SETTINGS_KEY, language);
  return chosenLanguage() !== before;
}

// Kept for the next visit; the page is loaded anew in it.
export function choose(language) {
  localStorage.setItem(KEY, language);
  const place = new URL(location.href);
  place.searchParams.delete("lang");
  if (place.href === location.href) location.reload();
  else location.replace(place.href);
}
