// The five minutes of a code, counted down; the list of tablets looks for the new one by itself.

import { now, written } from "./clock.js";
import { refresh } from "./live.js";

const LOOK_EVERY = 3000;
const card = document.querySelector("[data-code-ends]");
const list = document.getElementById("tablet-list");

function tick() {
  const seconds = (Date.parse(card.dataset.codeEnds) - now()) / 1000;
  card.querySelector("[data-code-left]").textContent = written(Math.max(seconds, 0));
  const isOver = seconds <= 0;
  card.classList.toggle("is-over", isOver);
  card.querySelector("[data-code-good]").hidden = isOver;
  card.querySelector("[data-code-over]").hidden = !isOver;
}

function noticeAdmission() {
  const name = card.dataset.codeName;
  const isIn = [...list.querySelectorAll("[data-device]")].some((row) => row.dataset.device === name);
  if (!isIn || card.dataset.known.split("\n").includes(name)) return;
  card.querySelector("[data-code-good]").hidden = true;
  card.querySelector("[data-code-over]").hidden = true;
  card.querySelector("[data-code-used]").hidden = false;
  window.clearInterval(ticking);
}

let ticking = 0;
if (card) {
  tick();
  ticking = window.setInterval(tick, 500);
}
if (list) {
  document.addEventListener("refreshed", () => card && noticeAdmission());
  window.setInterval(() => document.visibilityState === "visible" && refresh(list), LOOK_EVERY);
}
