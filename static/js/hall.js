// The screen of the hall: a clock that everybody sees and hears, and the parts in turn.

import { left, written } from "./clock.js";
import { follow } from "./live.js";

const TURN = 15000;
const SHOWN_AFTER_A_MOVE = 4000;
const hall = document.querySelector("[data-hall]");
const bar = document.querySelector("[data-hall-controls]");
let audio = null;
let step = 0;
let isHeld = false;
let heard = null;
let moved = 0;

function beep(times) {
  if (!audio) return;
  for (let turn = 0; turn < times; turn += 1) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = 880;
    volume.gain.value = 0.4;
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + turn * 0.7);
    tone.stop(audio.currentTime + turn * 0.7 + 0.45);
  }
}

function soundOn() {
  const Context = window.AudioContext || window.webkitAudioContext;
  if (!Context) return;
  audio ??= new Context();
  audio.resume();
  beep(1);
  bar.querySelector("[data-sound]").setAttribute("aria-pressed", "true");
}

function stageOf(clock) {
  if (!clock) return "none";
  const seconds = left(clock);
  if (seconds <= 0) return "over";
  return seconds <= Number(clock.dataset.warning) * 60 ? "warning" : "running";
}

function tick() {
  const clock = document.querySelector(".hall-bar [data-clock][data-ends]");
  const stage = stageOf(clock);
  hall.classList.toggle("is-warning", stage === "warning");
  hall.classList.toggle("is-over", stage === "over");
  for (const word of document.querySelectorAll("[data-stage]")) word.hidden = word.dataset.stage !== stage;
  if (heard && heard !== stage && stage === "warning") beep(2);
  if (heard && heard !== stage && stage === "over") beep(5);
  heard = stage;
  if (clock) for (const face of document.querySelectorAll("[data-face]")) face.textContent = written(left(clock));
}

function parts() {
  const all = [...document.querySelectorAll("[data-part]")];
  const wanted = hall.dataset.show;
  const chosen = wanted ? all.filter((part) => part.dataset.part === wanted) : all;
  return { all, shown: chosen.length ? chosen : all };
}

function turn() {
  const { all, shown } = parts();
  if (!shown.length) return;
  const now = shown[((step % shown.length) + shown.length) % shown.length];
  for (const part of all) part.hidden = part !== now;
}

async function refresh() {
  try {
    const answer = await fetch(hall.dataset.page, { cache: "no-cache" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const selector of ["#hall-parts", ".hall-bar"]) {
      const fresh = page.querySelector(selector);
      if (fresh) document.querySelector(selector).replaceWith(document.importNode(fresh, true));
    }
    turn();
    tick();
  } catch {
    // The screen keeps showing what it knows.
  }
}

function press(key) {
  if (key === "ArrowRight" || key === "ArrowLeft") {
    step += key === "ArrowRight" ? 1 : -1;
    turn();
  } else if (key === " ") {
    isHeld = !isHeld;
    bar.querySelector("[data-hold]").setAttribute("aria-pressed", String(isHeld));
  } else if (key === "f") {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
  }
}

function showControls() {
  moved = Date.now();
  hall.classList.add("is-touched");
  window.setTimeout(() => {
    if (Date.now() - moved >= SHOWN_AFTER_A_MOVE) hall.classList.remove("is-touched");
  }, SHOWN_AFTER_A_MOVE + 50);
}

bar.hidden = false;
bar.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.matches("[data-sound]")) soundOn();
  if (button?.matches("[data-key]")) press(button.dataset.key);
});
document.addEventListener("keydown", (event) => {
  if (event.target instanceof Element && event.target.closest("button, a") && event.key === " ") return;
  press(event.key);
});
for (const kind of ["mousemove", "touchstart", "keydown", "focusin"]) document.addEventListener(kind, showControls);
showControls();
turn();
tick();
window.setInterval(tick, 250);
window.setInterval(() => {
  if (isHeld) return;
  step += 1;
  turn();
}, TURN);
follow({ events: hall.dataset.events, snapshot: hall.dataset.snapshot, revision: 0, onRevision: refresh });
