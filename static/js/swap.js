// The draft of a draw: tap one player and then another, or drag one onto the other, and they change places.

import { enliven } from "./components.js";

const draft = document.getElementById("draft");
let first = null;

const seatOf = (event) => (event.target instanceof Element ? event.target.closest("[data-swap]") : null);
const form = () => draft.querySelector("[data-swap-form]");

function mark(seat) {
  first?.setAttribute("aria-pressed", "false");
  first = seat;
  first?.setAttribute("aria-pressed", "true");
  const bar = draft.querySelector("[data-swap-bar]");
  if (!bar) return;
  bar.hidden = !first;
  if (!first) return;
  bar.querySelector("[data-swap-name]").textContent = first.querySelector(".seat-plan-name").textContent.trim();
  bar.querySelector("[data-swap-who]").value = first.dataset.swap;
}

function markNews(before) {
  for (const line of draft.querySelectorAll("[data-figure]")) {
    const old = before.get(line.dataset.figure);
    if (old !== undefined && old !== line.dataset.value) line.classList.add("is-changed");
  }
}

const figures = () =>
  new Map([...draft.querySelectorAll("[data-figure]")].map((line) => [line.dataset.figure, line.dataset.value]));

// Sends a form and shows the draft that comes back where the old one stood, without a jump to the top. Until it has come
// back nothing more is sent: the key in the form is good for one change.
async function change(sent, values, changed) {
  if (draft.hasAttribute("aria-busy")) return;
  const body = new FormData(sent);
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  const before = figures();
  draft.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(sent.action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("draft");
    if (!fresh) throw new Error("no draft");
    document.querySelector(".flashes")?.replaceChildren(...page.querySelectorAll(".flash"));
    draft.replaceChildren(...fresh.childNodes);
    enliven(draft);
    markNews(before);
    for (const number of changed) draft.querySelector(`[data-swap="${number}"]`)?.classList.add("is-changed");
    draft.querySelector(`[data-swap="${changed.at(-1)}"]`)?.focus({ preventScroll: true });
  } catch {
    window.location.reload();
  } finally {
    draft.removeAttribute("aria-busy");
    first = null;
  }
}

const swap = (one, other) => change(form(), { first: one, second: other }, [one, other]);

// The letter stands where it stands on the keyboard, whatever the language typed in.
function lock(seat) {
  if (!seat || seat.classList.contains("is-off")) return;
  change(draft.querySelector("[data-pin-form]"), { who: seat.dataset.swap }, [seat.dataset.swap]);
}

function tap(seat) {
  if (!first) mark(seat);
  else if (first === seat) mark(null);
  else swap(first.dataset.swap, seat.dataset.swap);
}

draft?.addEventListener("click", (event) => {
  const seat = seatOf(event);
  if (seat) tap(seat);
  else if (event.target.closest("[data-swap-stop]")) mark(null);
});
draft?.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-pin-form]")) return;
  event.preventDefault();
  if (first) lock(first);
});
draft?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") mark(null);
  if (event.code === "KeyL" && !event.ctrlKey && !event.metaKey && !event.altKey) lock(seatOf(event));
});
draft?.addEventListener("dragstart", (event) => {
  const seat = seatOf(event);
  if (seat) event.dataTransfer.setData("text/plain", seat.dataset.swap);
});
draft?.addEventListener("dragover", (event) => {
  const seat = seatOf(event);
  if (!seat) return;
  event.preventDefault();
  seat.classList.add("is-over");
});
draft?.addEventListener("dragleave", (event) => seatOf(event)?.classList.remove("is-over"));
draft?.addEventListener("drop", (event) => {
  const seat = seatOf(event);
  if (!seat) return;
  event.preventDefault();
  seat.classList.remove("is-over");
  const one = event.dataTransfer.getData("text/plain");
  if (one && one !== seat.dataset.swap) swap(one, seat.dataset.swap);
});
