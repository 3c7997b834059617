// Small conveniences; every one of them has a form or a link behind it that works without script.

const YEAR = 365 * 24 * 60 * 60;

function chooseTheme(form, chosen) {
  const root = document.documentElement;
  if (chosen === "auto") delete root.dataset.theme;
  else root.dataset.theme = chosen;
  document.cookie = `theme=${chosen}; path=/; max-age=${YEAR}; samesite=lax`;
  for (const button of form.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.value === chosen));
  }
}

function closePopovers(except) {
  for (const popover of document.querySelectorAll("[data-popover][open]")) {
    if (popover !== except) popover.open = false;
  }
}

function stepBy(stepper, direction) {
  const input = stepper.querySelector("input");
  const before = input.value;
  if (before === "") input.value = input.min || "0";
  else if (direction > 0) input.stepUp();
  else input.stepDown();
  if (input.value === before) return;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Put a text on the clipboard; pages that came by plain http have only the old way. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

async function copyAndSay(button) {
  const words = button.querySelector("span");
  const before = words.textContent;
  if (before === button.dataset.copied) return;
  await copy(button.dataset.copies);
  words.textContent = button.dataset.copied;
  window.setTimeout(() => {
    words.textContent = before;
  }, 2000);
}

function onClick(event) {
  const target = event.target instanceof Element ? event.target : null;
  if (!target) return;
  closePopovers(target.closest("[data-popover]"));
  const step = target.closest("[data-stepper] [data-step]");
  if (step) stepBy(step.closest("[data-stepper]"), Number(step.dataset.step));
  const opener = target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  if (target.closest("[data-closes]")) target.closest("dialog")?.close();
  if (target.closest("[data-prints]")) window.print();
  const copier = target.closest("[data-copies]");
  if (copier) copyAndSay(copier);
}

const PATIENCE = 10_000;

// A form that is on its way is not sent once more, unless no answer came; a script may send it in its own way.
function sendOnce(event) {
  const { dataset, method } = event.target;
  if (method !== "post") return;
  if (Date.now() - Number(dataset.sent ?? 0) < PATIENCE) event.preventDefault();
  setTimeout(() => {
    if (!event.defaultPrevented) dataset.sent = Date.now();
  });
}

function onReturn() {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
}

function onSubmit(event) {
  const form = event.target;
  if (form.matches("[data-theme-switch]")) {
    event.preventDefault();
    chooseTheme(form, event.submitter.value);
    closePopovers();
    form.closest("details")?.querySelector("summary").focus();
  }
  if (!event.defaultPrevented) sendOnce(event);
}

function onChange(event) {
  if (event.target.matches("[data-sends-itself] select")) event.target.form.requestSubmit();
}

function onKey(event) {
  const open = event.key === "Escape" && document.querySelector("[data-popover][open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
}

function acceptDrops(drop) {
  const input = drop.querySelector("input");
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("is-over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("is-over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("is-over");
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

function showTab(current) {
  const strip = current.closest("ul");
  const past = current.getBoundingClientRect().right - strip.getBoundingClientRect().right;
  if (past > 0) strip.scrollLeft = past + 24;
}

export function enliven(root = document) {
  for (const stepper of root.querySelectorAll("[data-stepper]")) stepper.classList.add("is-ready");
  for (const drop of root.querySelectorAll("[data-file-drop]:not(.is-ready)")) {
    drop.classList.add("is-ready");
    acceptDrops(drop);
  }
  for (const element of root.querySelectorAll("[data-needs-script]")) element.hidden = false;
  for (const current of root.querySelectorAll(".tabs [aria-current]")) showTab(current);
  root.querySelector("form[method=post] [aria-invalid='true']")?.focus();
}

// On paper nothing can be unfolded: what explains the page is open there, and closed again afterwards.
const UNFOLDED = "main details.disclosure:not([open], :has(form))";

function openForPaper() {
  for (const details of document.querySelectorAll(UNFOLDED)) {
    details.dataset.forPaper = "";
    details.open = true;
  }
}

function closeAfterPaper() {
  for (const details of document.querySelectorAll("[data-for-paper]")) {
    details.open = false;
    delete details.dataset.forPaper;
  }
}

window.addEventListener("beforeprint", openForPaper);
window.addEventListener("afterprint", closeAfterPaper);
document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);
document.addEventListener("change", onChange);
document.addEventListener("keydown", onKey);
window.addEventListener("pageshow", onReturn);
enliven();

// A time zone nobody has chosen yet is the one of this device, if it is offered.
for (const select of document.querySelectorAll("select[data-own-zone]")) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === here)) select.value = here;
}
