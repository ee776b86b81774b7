// The camera's view. It is asked for only while somebody looks.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

export function setUpCamera() {
  const place = at("camera");
  at("camera-heading").textContent = t("camera.title");
  const show = () => {
    place.querySelector(".view img")?.removeAttribute("src"); // an element that is only taken away goes on loading
    place.querySelector(".view")?.remove();
    if (!place.open || document.hidden) return;
    const picture = h("img", { src: `/api/camera?${Date.now()}`, alt: t("camera.alt") });
    place.append(h("div", { class: "view" }, picture, h("p", { class: "hint" }, t("camera.hint"))));
  };
  place.addEventListener("toggle", show);
  document.addEventListener("visibilitychange", show);
  return show;
}
