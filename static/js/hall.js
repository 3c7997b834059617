// The screen of the hall: a clock that everybody sees and hears, and the parts in turn, as the desk steers it.

import { left, written } from "./clock.js";
import { follow, showState } from "./live.js";

const SHOWN_AFTER_A_MOVE = 4000;
const DEADLINE = 6000;
const hall = document.querySelector("[data-hall]");
const bar = document.querySelector("[data-hall-controls]");
const state = document.querySelector("[data-live-state]");
const mark = document.querySelector("[data-page-mark]");
let audio = null;
let since = Date.now();
let moved = 0;

// A screen of two events shows them in turn; both are kept up to date, and both clocks are heard.
const first = event(hall.dataset.page, document.getElementById("hall-parts"), document.querySelector(".hall-bar"));
const events = hall.dataset.beside ? [first, event(hall.dataset.beside, null, null)] : [first];
let shown = first;

function event(page, body, head) {
  return { page, body, head, step: 0, seen: Number(body?.dataset.step ?? 0), heard: null, isAsking: false };
}

function parts() {
  return shown.body;
}

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

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

function stageOf(clock) {
  if (!clock) return "none";
  const seconds = left(clock);
  if (seconds <= 0) return "over";
  return seconds <= Number(clock.dataset.warning) * 60 ? "warning" : "running";
}

function clockOf(one) {
  return one.head?.querySelector("[data-clock][data-ends]");
}

function signal(one) {
  const stage = stageOf(clockOf(one));
  if (one.heard && one.heard !== stage && stage === "warning") beep(2);
  if (one.heard && one.heard !== stage && stage === "over") beep(5);
  one.heard = stage;
}

function tick() {
  for (const one of events) signal(one);
  const clock = clockOf(shown);
  const stage = stageOf(clock);
  hall.classList.toggle("is-warning", stage === "warning");
  hall.classList.toggle("is-over", stage === "over");
  for (const word of document.querySelectorAll("[data-stage]")) word.hidden = word.dataset.stage !== stage;
  if (clock) for (const face of document.querySelectorAll("[data-face]")) face.textContent = written(left(clock));
}

function pagesOf(one) {
  return [...(one.body?.querySelectorAll("[data-part]") ?? [])];
}

function turn() {
  const pages = pagesOf(shown);
  const now = pages[((shown.step % pages.length) + pages.length) % pages.length];
  for (const page of pages) page.hidden = page !== now;
  const ofItsKind = pages.filter((page) => page.dataset.part === now?.dataset.part);
  const count = ofItsKind.length > 1 ? `${ofItsKind.indexOf(now) + 1} / ${ofItsKind.length}` : "";
  mark.textContent = [now?.dataset.letters, count].filter(Boolean).join(" · ");
}

function next(by) {
  shown.step += by;
  since = Date.now();
  turn();
}

/** Show the other event, from its first page on. */
function change() {
  const other = events.find((one) => one !== shown && one.body);
  if (!other) return false;
  shown.body.replaceWith(other.body);
  shown.head.replaceWith(other.head);
  shown = other;
  shown.step = 0;
  next(0);
  tick();
  return true;
}

function isAtEnd() {
  const count = pagesOf(shown).length;
  return count === 0 || (shown.step + 1) % count === 0;
}

function turnInTime() {
  const { seconds, held } = parts().dataset;
  if (held !== undefined || Date.now() - since < Number(seconds) * 1000) return;
  if (!isAtEnd() || !change()) next(1);
}

function obey(one) {
  const asked = Number(one.body.dataset.step);
  if (asked !== one.seen && one === shown) next(asked - one.seen);
  one.seen = asked;
}

/** Fetch the page anew; without a connection the screen keeps showing what it knows, says how old that is, and asks again. */
async function refresh(one) {
  if (one.isAsking) return;
  one.isAsking = true;
  try {
    const answer = await fetch(one.page, { cache: "no-cache", signal: AbortSignal.timeout(DEADLINE) });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    take(one, "body", page.querySelector("#hall-parts"));
    take(one, "head", page.querySelector(".hall-bar"));
    if (one === shown) turn();
    obey(one);
    tick();
  } catch {
    // Asked again while what is shown is older than the newest.
  }
  one.isAsking = false;
}

function take(one, part, found) {
  if (!found) return;
  const fresh = document.importNode(found, true);
  if (one === shown) one[part].replaceWith(fresh);
  one[part] = fresh;
}

function press(key) {
  if (key === "ArrowRight") next(1);
  else if (key === "ArrowLeft") next(-1);
  else if (key === "f") fullScreen();
}

function showControls() {
  moved = Date.now();
  hall.classList.add("is-touched");
  window.setTimeout(() => {
    if (Date.now() - moved >= SHOWN_AFTER_A_MOVE) hall.classList.remove("is-touched");
  }, SHOWN_AFTER_A_MOVE + 50);
}

/** Keep the projector's computer from falling asleep, where the browser can. */
async function stayAwake() {
  try {
    if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen");
  } catch {
    // Refused or out of battery: the computer's own settings have to do.
  }
}

bar.hidden = false;
bar.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.matches("[data-sound]")) soundOn();
  if (button?.matches("[data-full]")) fullScreen();
});
document.addEventListener("keydown", (event) => press(event.key));
for (const kind of ["mousemove", "touchstart", "keydown", "focusin"]) document.addEventListener(kind, showControls);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
turn();
tick();
window.setInterval(tick, 250);
window.setInterval(turnInTime, 500);
follow({
  events: hall.dataset.events,
  snapshot: hall.dataset.snapshot,
  shown: () => Number(first.body.dataset.revision) || 0,
  onRevision: () => refresh(first),
  onState: (name, since) => showState(state, name, since),
});
if (events[1]) {
  refresh(events[1]);
  follow({
    events: hall.dataset.besideEvents,
    snapshot: hall.dataset.besideSnapshot,
    shown: () => Number(events[1].body?.dataset.revision) || 0,
    onRevision: () => refresh(events[1]),
    onState: () => {},
  });
}
