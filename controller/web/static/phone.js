// The page by which a phone is the camera: opens the camera at its back, and sends one picture after the other. The next one is
// taken when the last one was answered, so that a slow network makes fewer pictures, not older ones.

import { Api, operatorToken } from "./api.js";
import { at, write } from "./dom.js";
import { showLanguages } from "./language_choice.js";
import { chosenLanguage } from "./languages.js";
import { loadTexts, t } from "./texts.js";
import { problemText } from "./wording.js";

const WANTED = { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 960 } };
const QUALITY = 0.85; // as of the pictures in the log: the pips of a die of 20 px stay separate
const MOST_WIDTH_PX = 1920; // a phone may give more than was asked for
const ANSWER_WITHIN_MS = 5000;
const AGAIN_MS = 1000;
const RATE_OF_MS = 3000;
const HINTS = ["lie", "plug", "open"];

class PhoneCamera {
  constructor(api) {
    this.api = api;
    this.sender = crypto.randomUUID();
    this.video = at("video");
    this.canvas = document.createElement("canvas");
    this.answered = []; // {at, ms} of the last pictures
    this.run = 0; // of the loop that may send
  }

  async start() {
    const run = ++this.run;
    this.stop();
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
    } catch (error) {
      return this.fail(error.name === "NotFoundError" ? "phone.no-camera" : "phone.refused");
    }
    write(at("trouble"), "");
    at("start").hidden = true;
    this.video.srcObject = this.stream;
    this.video.hidden = false;
    await this.video.play().catch(() => {});
    this.keepAwake();
    while (run === this.run) await this.sendOne();
  }

  stop() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
  }

  fail(key) {
    write(at("state"), t("phone.off"));
    write(at("trouble"), t(key));
    at("start").hidden = false;
  }

  // A phone that locks itself stops its camera.
  async keepAwake() {
    try {
      await navigator.wakeLock?.request("screen");
    } catch {
      // a phone that saves its battery refuses; the page says to plug it in
    }
  }

  async sendOne() {
    const track = this.stream.getVideoTracks()[0];
    if (document.hidden || track?.readyState !== "live" || this.video.readyState < 2) return pause(AGAIN_MS / 4);
    const takenAt = performance.now();
    const picture = await this.take();
    if (!picture) return pause(AGAIN_MS);
    const { ok, status, body } = await this.send(picture);
    const ms = performance.now() - takenAt;
    if (!ok) {
      write(at("state"), t("phone.waits"));
      write(at("trouble"), problemText(body));
      return pause(status === 401 ? 10 * AGAIN_MS : AGAIN_MS);
    }
    write(at("trouble"), "");
    write(at("state"), t(body.is_wanted ? "phone.sends" : "phone.unwanted"));
    this.showRate(ms, body.is_wanted);
    return pause(Math.max(0, body.interval_ms - ms));
  }

  take() {
    const { videoWidth, videoHeight } = this.video;
    const scale = Math.min(1, MOST_WIDTH_PX / Math.max(videoWidth, videoHeight));
    this.canvas.width = Math.round(videoWidth * scale);
    this.canvas.height = Math.round(videoHeight * scale);
    this.canvas.getContext("2d").drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
    const picture = new Promise((resolve) => this.canvas.toBlob(resolve, "image/jpeg", QUALITY));
    return Promise.race([picture, pause(ANSWER_WITHIN_MS)]); // a browser that locks meanwhile may never give it
  }

  async send(picture) {
    const headers = { ...this.api.headers(), "Content-Type": "image/jpeg", "X-Phone": this.sender };
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    try {
      const answer = await fetch("/api/phone/pictures", { method: "POST", headers, body: picture, signal });
      return { ok: answer.ok, status: answer.status, body: await answer.json() };
    } catch {
      return { ok: false, status: 0, body: { said: { key: "link.down", values: {} } } };
    }
  }

  showRate(ms, isWanted) {
    const now = performance.now();
    this.answered = [...this.answered.filter((one) => now - one.at < RATE_OF_MS), { at: now, ms }];
    const mean = this.answered.reduce((sum, one) => sum + one.ms, 0) / this.answered.length;
    const rate = ((this.answered.length - 1) / Math.max(1, now - this.answered[0].at)) * 1000;
    const { width, height } = this.canvas;
    write(at("rate"), isWanted && this.answered.length > 2 ? t("phone.rate", { rate: rate.toFixed(0), ms: mean.toFixed(0), width, height }) : "");
  }

  // Back from the lock screen: some phones have ended the camera meanwhile.
  async wake() {
    if (document.hidden || !this.stream) return;
    this.keepAwake();
    if (this.stream.getVideoTracks()[0]?.readyState === "live") await this.video.play().catch(() => {});
    else await this.start();
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function begin() {
  await loadTexts(chosenLanguage());
  showLanguages();
  write(at("title"), t("phone.title"));
  write(at("state"), t("phone.off"));
  at("video").setAttribute("aria-label", t("phone.title"));
  write(at("trust-heading"), t("phone.trust"));
  write(at("trust-words"), t("phone.trust.means"));
  write(at("authority"), t("phone.trust.file"));
  at("hints").replaceChildren(
    ...HINTS.map((name) => Object.assign(document.createElement("li"), { textContent: t(`phone.hint.${name}`) })),
  );
  const camera = new PhoneCamera(new Api(operatorToken()));
  write(at("start"), t("phone.start"));
  at("start").addEventListener("click", () => camera.start());
  for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, () => camera.wake());
  if (!camera.api.token) return write(at("trouble"), t("phone.no-token"));
  await camera.start();
}

begin();
