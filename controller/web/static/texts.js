// All fixed words of the page, from one file for each language.

let words = {};

export async function loadTexts(language) {
  const answer = await fetch(`/static/texts/${encodeURIComponent(language)}.json`);
  words = await answer.json();
  document.documentElement.lang = words["language.code"];
  document.documentElement.dir = words["language.direction"];
}

// The word of a key with its {places} filled; one that is missing shows as its key.
export function t(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export function knows(key) {
  return key in words;
}
