// The link by which a phone becomes the camera: shown while the phone is the source and no picture of it comes.

import { at, h, s } from "./dom.js";
import { t } from "./texts.js";

const LABELS = ["phone", "The phone"]; // before a match, and in one

export async function showPhone(api, label) {
  const isSource = LABELS.includes(label);
  const place = at("phone");
  const { ok, body } = isSource ? await api.get("/api/phone") : { ok: false };
  place.hidden = !ok || !body.link;
  if (place.hidden || place.dataset.link === body.link) return;
  place.dataset.link = body.link;
  const link = h("a", { href: body.link, target: "_blank", rel: "noopener", dir: "ltr" }, body.link.split("#")[0]);
  place.replaceChildren(
    h("p", {}, t("phone.scan")),
    qrCode(body.qr),
    h("p", { class: "address" }, link),
    h("p", { class: "hint" }, t(body.is_reachable ? "phone.warning" : "phone.unreachable")),
  );
}

// `rows` of modules, `1` for black.
function qrCode(rows) {
  const path = rows.flatMap((row, y) => [...row].map((one, x) => (one === "1" ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  const box = { viewBox: `0 0 ${rows.length} ${rows.length}`, class: "qr", "shape-rendering": "crispEdges", role: "img", "aria-label": t("phone.qr") };
  return s("svg", box, s("rect", { width: "100%", height: "100%", fill: "#fff" }), s("path", { d: path, fill: "#000" }));
}
