// A sentence that disappears by itself.

import { at, write } from "./dom.js";

const SHOWN_MS = 6000;
let timer = null;

export function toast(sentence) {
  write(at("toast"), sentence);
  clearTimeout(timer);
  timer = setTimeout(() => write(at("toast"), ""), SHOWN_MS);
}
