// The link from the match page to the calibration, where a camera can be calibrated, and what is wrong with it.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

export async function offerCalibration(api) {
  if (at("calibrate")) return;
  const link = h("a", { id: "calibrate", href: "/calibrate", hidden: true }, t("calibration.link"));
  at("place-of-camera").append(link);
  const { ok, status, body } = await api.get("/api/calibration");
  link.hidden = !(ok && body.is_there);
  if (ok && body.warning) link.after(h("p", { id: "calibration-warning", lang: "en", dir: "auto" }, body.warning));
  if (status === 0) link.remove(); // the connection is down; the next state tries again
}
