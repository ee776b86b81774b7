// The texts of the page, from one file for each language, and their plural forms.

let words = {};
let plurals = new Intl.PluralRules("en");

export async function loadTexts(language) {
  const answer = await fetch(`/static/texts/${encodeURIComponent(language)}.json`);
  words = await answer.json();
  plurals = new Intl.PluralRules(words["language.code"]);
  document.documentElement.lang = words["language.code"];
  document.documentElement.dir = words["language.direction"];
}

// The text of a key with its {places} filled. A missing text shows as its key; a missing value is left out and reported.
export function t(key, values = {}) {
  return textOf(key, values).replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in values)) console.error(`${key} lacks ${name}`);
    return String(values[name] ?? "");
  });
}

// Of a text with plural forms the one for its number; `by` names the value that decides.
function textOf(key, values) {
  const text = words[key] ?? key;
  return typeof text === "string" ? text : (text[plurals.select(Number(values[text.by]))] ?? text.other);
}

export function knows(key) {
  return key in words;
}

export function languageCode() {
  return words["language.code"] ?? "en";
}

export function isReviewed() {
  return words["language.reviewed"] !== false;
}
