// The only place that makes elements. Text stays text and never becomes markup.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// A button that calls `act`.
export function button(words, act, attributes = {}) {
  return h("button", { type: "button", ...attributes, onclick: act }, words);
}

export function at(id) {
  return document.getElementById(id);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Writes only a changed text, so that a screen reader does not repeat it. Hides an empty element.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}
