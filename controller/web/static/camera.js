// The camera view. Its stream is requested only while the view is open and the page is visible.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

export function setUpCamera() {
  const place = at("camera");
  at("camera-heading").textContent = t("camera.title");
  const show = () => {
    place.querySelector(".view img")?.removeAttribute("src"); // a removed element would go on loading
    place.querySelector(".view")?.remove();
    if (!place.open || document.hidden) return;
    const picture = h("img", { src: `/api/camera?${Date.now()}`, alt: t("camera.alt") });
    place.append(h("div", { class: "view" }, picture, h("p", { class: "hint" }, t("camera.hint"))));
  };
  place.addEventListener("toggle", show);
  document.addEventListener("visibilitychange", show);
  return show;
}
