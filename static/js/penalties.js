// Clocks of the judges: minutes of lateness run up, the time for an appeal runs down.

function written(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}

function tick() {
  const now = Date.now();
  for (const clock of document.querySelectorAll("[data-since]")) {
    const before = Math.floor(Number(clock.dataset.shown || 0) / 60);
    const seconds = (now - Date.parse(clock.dataset.since)) / 1000;
    clock.textContent = written(seconds);
    clock.dataset.shown = String(Math.floor(seconds));
    // What an arrival would cost is the server's to say: ask it at every full minute.
    if (clock.dataset.ticks && Math.floor(seconds / 60) > before) refresh();
    clock.dataset.ticks = "1";
  }
  for (const clock of document.querySelectorAll("[data-until]")) {
    clock.textContent = clock.dataset.words.replace("…", written((Date.parse(clock.dataset.until) - now) / 1000));
  }
}

async function refresh() {
  try {
    const answer = await fetch(window.location.href, { cache: "no-cache" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelectorAll("[data-consequence]");
    const shown = document.querySelectorAll("[data-consequence]");
    if (fresh.length !== shown.length) return;
    shown.forEach((element, place) => {
      element.textContent = fresh[place].textContent;
    });
  } catch {
    // The minutes go on; what they cost is worked out at the arrival.
  }
}

tick();
window.setInterval(tick, 500);
