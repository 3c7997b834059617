// Notifications: the browser is asked only when somebody presses the button; what was chosen for a player is kept on the device.

import { keepFollowed } from "./following.js";

const form = document.querySelector("[data-push]");
const off = form.querySelector("[data-push-off]");
const place = `four-winds/push/${form.dataset.of}`;
const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
const PATIENCE = 15_000;
const canPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function show(selector, isShown = true) {
  const element = document.querySelector(selector);
  if (element) element.hidden = !isShown;
}

function bytesOf(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64 + "=".repeat((4 - (base64.length % 4)) % 4)), (sign) => sign.charCodeAt(0));
}

const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

const isSame = (one, other) => one && other && textOf(one) === textOf(other);

async function subscription({ isNew }) {
  const registration = await navigator.serviceWorker.ready;
  const known = await registration.pushManager.getSubscription();
  const key = bytesOf(form.dataset.key);
  if (known && isSame(known.options.applicationServerKey, key)) return known;
  if (!isNew) return known;
  await known?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function chosen() {
  const data = new FormData(form);
  return { sorts: data.getAll("sorts"), from: data.get("quiet_from"), until: data.get("quiet_until") };
}

function choose({ sorts, from, until }) {
  for (const box of form.elements.sorts.length === undefined ? [form.elements.sorts] : form.elements.sorts) {
    box.checked = sorts.includes(box.value);
  }
  form.elements.quiet_from.value = from;
  form.elements.quiet_until.value = until;
}

// What is switched on here is what the site has answered, not what was asked of it.
async function send(step) {
  const said = form.querySelector("[data-push-said]");
  said.textContent = "";
  try {
    if (step === "on" && (await Notification.requestPermission()) !== "granted") return show("[data-push-refused]");
    const found = await subscription({ isNew: step === "on" });
    if (found) {
      form.elements.endpoint.value = found.endpoint;
      form.elements.p256dh.value = textOf(found.getKey("p256dh"));
      form.elements.auth.value = textOf(found.getKey("auth"));
    }
    form.elements.step.value = step;
    const choice = chosen();
    const body = new FormData(form);
    const answer = await fetch(window.location.href, { method: "POST", body, headers: { "X-Part": "push" }, signal: AbortSignal.timeout(PATIENCE) });
    const text = await answer.text();
    said.textContent = answer.ok || answer.status === 422 ? text : said.dataset.unsent;
    if (!answer.ok) return;
    if (step === "on") {
      localStorage.setItem(place, JSON.stringify(choice));
      if (form.dataset.event && !keepFollowed(form.dataset)) said.textContent += ` ${said.dataset.full}`;
    } else localStorage.removeItem(place);
    off.hidden = step !== "on";
  } catch (error) {
    said.textContent = error.name === "TypeError" || error.name === "TimeoutError" ? said.dataset.unsent : said.dataset.failed;
  }
}

function begin() {
  show("[data-push-none]", !canPush && !isApple);
  show("[data-push-apple]", !canPush && isApple);
  if (!canPush) return;
  navigator.serviceWorker.register("/offline-worker.js", { updateViaCache: "none" });
  form.hidden = false;
  show("[data-push-refused]", Notification.permission === "denied");
  const kept = localStorage.getItem(place);
  if (kept) {
    choose(JSON.parse(kept));
    off.hidden = false;
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send("on");
  });
  off.addEventListener("click", () => send("off"));
}

begin();
