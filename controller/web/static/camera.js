// The camera view. Its stream is requested only while the view is open and the page is visible.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

const AGAIN_AFTER_MS = 2000;

export function setUpCamera(api) {
  const place = at("camera");
  at("camera-heading").textContent = t("camera.title");
  let stop = () => {};
  const show = () => {
    stop();
    place.querySelector(".view")?.remove();
    if (!place.open || document.hidden) return;
    const picture = h("img", { alt: t("camera.alt"), hidden: true });
    const none = h("p", { class: "no-picture" }, t("camera.none"));
    place.append(h("div", { class: "view" }, picture, none, h("p", { class: "hint" }, t("camera.hint"))));
    stop = showCamera(picture, api.headers(), (isThere) => {
      picture.hidden = !isThere;
      none.hidden = isThere;
    });
  };
  place.addEventListener("toggle", show);
  document.addEventListener("visibilitychange", show);
  return show;
}

// Shows the stream in an image until the function that is returned is called. An image cannot send the operator's token, by which
// the server knows who sees the present moment.
export function showCamera(image, headers, onChange) {
  const ending = new AbortController();
  const show = (jpeg) => {
    const before = image.src;
    image.src = URL.createObjectURL(jpeg);
    if (before) URL.revokeObjectURL(before);
    onChange(true);
  };
  const run = async () => {
    while (!ending.signal.aborted) {
      await readStream(headers, ending.signal, show).catch(() => {});
      if (ending.signal.aborted) break;
      onChange(false);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
    if (image.src) URL.revokeObjectURL(image.src);
  };
  run();
  const stop = () => ending.abort();
  window.addEventListener("pagehide", stop, { once: true }); // a page that a browser keeps for later would keep its place too
  return stop;
}

// Hands each picture of a multipart stream to `show`; each part says its length.
async function readStream(headers, signal, show) {
  const answer = await fetch("/api/camera", { headers, signal, cache: "no-store" });
  if (!answer.ok) return;
  const reader = answer.body.getReader();
  let waiting = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    waiting = joined(waiting, value);
    for (;;) {
      const [head, start] = headOf(waiting);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (!length || waiting.length < start + length) break;
      show(new Blob([waiting.subarray(start, start + length)], { type: "image/jpeg" }));
      waiting = waiting.slice(start + length);
    }
  }
}

function joined(first, second) {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

// The head of the next part, and where its picture begins.
function headOf(bytes) {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 300));
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? ["", 0] : [text.slice(0, end), end + 4];
}
