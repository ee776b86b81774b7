// The way from the match's page to the calibration, where there is a camera to calibrate.

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
    link.remove(); // the line is down; the next state asks again
  }
}
