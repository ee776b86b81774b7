// The camera view. Its stream is requested only while the view is open and the page is visible.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

const LOOK_EVERY_MS = 500;

export function setUpCamera() {
  const place = at("camera");
  at("camera-heading").textContent = t("camera.title");
  const show = () => {
    place.querySelector(".view img")?.removeAttribute("src"); // a removed element would go on loading
    place.querySelector(".view")?.remove();
    if (!place.open || document.hidden) return;
    const picture = h("img", { src: `/api/camera?${Date.now()}`, alt: t("camera.alt"), hidden: true });
    const none = h("p", { class: "no-picture" }, t("camera.none"));
    place.append(h("div", { class: "view" }, picture, none, h("p", { class: "hint" }, t("camera.hint"))));
    reveal(picture, none);
  };
  place.addEventListener("toggle", show);
  document.addEventListener("visibilitychange", show);
  return show;
}

// Shows the picture once there is one: browsers report the end of a stream, but not its first picture.
function reveal(picture, none) {
  if (!picture.isConnected) return;
  const isThere = picture.naturalWidth > 0;
  picture.hidden = !isThere;
  none.hidden = isThere;
  setTimeout(() => reveal(picture, none), LOOK_EVERY_MS);
}
