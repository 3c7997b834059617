// What a player needs stays on the device: the worker that keeps the last standings, seating and timetable; and their age, in words.

import { ago } from "./live.js";

const NOTICE = "[data-kept-copy]";
const KEEP_EVERY = 600_000;

async function begin() {
  await navigator.serviceWorker.register("/offline-worker.js", { updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  const files = performance.getEntriesByType("resource").map((entry) => new URL(entry.name));
  active?.postMessage({ keep: files.filter((url) => url.origin === location.origin).map((url) => url.pathname) });
  window.setTimeout(keepPages, 3000);
}

// The pages one comes back to, and the own one as everybody sees it; not more often than every ten minutes.
function keepPages() {
  const place = `four-winds/kept/${location.pathname.split("/")[1]}`;
  if (navigator.connection?.saveData || Date.now() - Number(sessionStorage.getItem(place)) < KEEP_EVERY) return;
  sessionStorage.setItem(place, String(Date.now()));
  const tabs = [...document.querySelectorAll("main > .tabs a")].map((link) => link.getAttribute("href"));
  const own = document.querySelector("[data-own-link]")?.getAttribute("href") ?? "";
  const wanted = [location.pathname, ...tabs, own].filter((path) => /^\/[-\w]+\/(?:|standings\/|seating\/|player-\d+\/)$/.test(path));
  for (const path of new Set(wanted)) fetch(path, { credentials: "same-origin" }).catch(() => undefined);
}

function tellAge() {
  const notice = document.querySelector(NOTICE);
  const keptAt = Date.parse(document.documentElement.dataset.keptAt ?? "");
  if (!notice || Number.isNaN(keptAt)) return;
  notice.hidden = Boolean(document.querySelector("[data-live-state].is-told:not(.is-lost)"));
  notice.querySelector("[data-kept-age]").textContent = ago(keptAt);
}

if (navigator.serviceWorker) begin().catch(() => undefined);
tellAge();
window.setInterval(tellAge, 2000);
