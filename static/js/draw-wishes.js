// The wishes of a draw: what they come to is asked for while they change; slider and words go together.

import { enliven } from "./components.js";

const form = document.querySelector("[data-wishes]");
const WORDS = { strict: 0, balanced: 40, no_repeats: 200 };
const WAIT = 250;

let timer = 0;
let asked = 0;

document.documentElement.classList.add("has-script");

function chosen(name) {
  return form.querySelector(`[name="${name}"]:checked`)?.value;
}

function showWhatFits() {
  const mode = chosen("mode");
  for (const part of form.querySelectorAll("[data-for-mode]")) {
    part.hidden = !part.dataset.forMode.split(" ").includes(mode);
  }
  windsOf(mode);
}

// A random draw gives winds and tables at once; a plan balances them unless something else was chosen.
function windsOf(mode) {
  const plan = form.querySelector("[name=winds][value=plan]");
  const seed = form.querySelector("[name=winds][value=seed]");
  const isRandom = mode === "random";
  if (isRandom === plan.disabled) return;
  plan.disabled = isRandom;
  plan.closest(".chip").hidden = isRandom;
  if (isRandom && plan.checked) seed.checked = true;
  else if (!isRandom && seed.checked) plan.checked = true;
}

async function foresee() {
  const turn = (asked += 1);
  const wishes = new URLSearchParams(new FormData(form));
  for (const name of ["csrfmiddlewaretoken", "seed", "reason"]) wishes.delete(name);
  const address = new URL(form.dataset.wishes, window.location.href);
  for (const [name, value] of address.searchParams) wishes.append(name, value);
  try {
    const answer = await fetch(`${address.pathname}?${wishes}`);
    if (!answer.ok || turn !== asked) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("foreseen");
    const old = document.getElementById("foreseen");
    if (fresh && old) old.replaceWith(fresh);
  } catch {
    // Without a connection what stands there stays; the draw itself says what is wrong.
  }
}

function moveTogether(target) {
  const slider = form.querySelector("[name=repeat_weight]");
  if (target.name === "swiss_mode") slider.value = WORDS[target.value];
  if (target !== slider) return;
  const weight = Number(slider.value);
  const word = weight < 10 ? "strict" : weight < 150 ? "balanced" : "no_repeats";
  form.querySelector(`[name=swiss_mode][value=${word}]`).checked = true;
}

function addRow(button) {
  const rows = button.parentElement.querySelectorAll("[data-row]");
  const fresh = rows[rows.length - 1].cloneNode(true);
  for (const field of fresh.querySelectorAll("select, input")) field.value = "";
  rows[rows.length - 1].after(fresh);
  enliven(fresh);
  fresh.querySelector("select").focus();
}

if (form) {
  showWhatFits();
  form.addEventListener("input", (event) => {
    if (event.target.name === "seed" || event.target.name === "reason") return;
    moveTogether(event.target);
    showWhatFits();
    window.clearTimeout(timer);
    timer = window.setTimeout(foresee, WAIT);
  });
  form.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-adds-row]") : null;
    if (button) addRow(button);
  });
}
