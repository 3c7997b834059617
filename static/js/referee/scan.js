// The code on a table's paper, read by the phone's camera where the browser can; else the table is chosen by its number.

import { button, h, icon } from "../tablet/dom.js";
import { _ } from "../tablet/words.js";

const EVERY = 250;

export function canScan() {
  return Boolean(globalThis.BarcodeDetector && navigator.mediaDevices?.getUserMedia);
}

// The code leads to the table's public page; only its session and table are read.
export function placeIn(text) {
  const found = String(text).match(/session-(\d+)\/table-(\d+)/);
  return found ? { session: Number(found[1]), table: Number(found[2]) } : null;
}

export async function scanned() {
  const video = h("video", { playsinline: "", muted: true });
  const said = h("p", {}, _("Hold the code of the table's paper before the camera."));
  const box = h("dialog", { class: "tablet-dialog phone-scan" }, said, video);
  document.body.append(box);
  let stream = null;
  try {
    const found = new Promise((resolve) => {
      box.append(h("div", { class: "actions" }, button(_("Cancel"), () => resolve(null), { kind: "button-quiet button-wide" }, icon("close"))));
      box.addEventListener("cancel", () => resolve(null));
      film(video, (opened) => (stream = opened), resolve).catch(() => (said.textContent = _("The camera cannot be used. Choose the table by its number.")));
    });
    box.showModal();
    return await found;
  } finally {
    stream?.getTracks().forEach((track) => track.stop());
    box.remove();
  }
}

async function film(video, opened, found) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  opened(stream);
  video.srcObject = stream;
  await video.play();
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  while (video.isConnected) {
    const codes = await detector.detect(video).catch(() => []);
    const place = codes.map((code) => placeIn(code.rawValue)).find(Boolean);
    if (place) return found(place);
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}
