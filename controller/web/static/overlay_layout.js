// How the overlay for streams is arranged, as its address says.

export const LAYOUTS = { board: ["left", 50], lower: ["bottom", 100], score: ["top-left", 25] }; // usual place and size
export const PLACES = [
  "top-left",
  "top",
  "top-right",
  "left",
  "centre",
  "right",
  "bottom-left",
  "bottom",
  "bottom-right",
];
const [LEAST, MOST] = [10, 100]; // per cent of the width

export const NO_CAMERA = "none";

// The arrangement of a query; what it does not say, or says wrongly, is as usual.
export function arrangementOf(query) {
  const asked = new URLSearchParams(query);
  const layout = Object.hasOwn(LAYOUTS, asked.get("layout") ?? "") ? asked.get("layout") : "board";
  const [usualPlace, usualSize] = LAYOUTS[layout];
  const at = PLACES.includes(asked.get("at")) ? asked.get("at") : usualPlace;
  const given = Number.parseInt(asked.get("size") ?? "", 10);
  const size = Number.isNaN(given) ? usualSize : Math.min(MOST, Math.max(LEAST, given));
  const camera = PLACES.includes(asked.get("camera")) ? asked.get("camera") : NO_CAMERA;
  return { layout, at, size, camera, white: countryOf(asked.get("white")), black: countryOf(asked.get("black")) };
}

// Two letters of a country, or "".
function countryOf(text) {
  return /^[a-z]{2}$/i.test(text ?? "") ? text.toUpperCase() : "";
}
