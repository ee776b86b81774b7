// The link from the match page to the calibration, where a camera can be calibrated.

import { at, h } from "./dom.js";
import { t } from "./texts.js";

export async function offerCalibration(headers) {
  if (at("calibrate")) return;
  const link = h("a", { id: "calibrate", href: "/calibrate", hidden: true }, t("calibration.link"));
  at("place-of-camera").append(link);
  try {
    const answer = await fetch("/api/calibration", { headers });
    link.hidden = !(answer.ok && (await answer.json()).is_there);
  } catch {
    link.remove(); // the connection is down; the next state tries again
  }
}
