// The clocks of sessions: the time left by the server's watch, so that a laptop that goes wrong misleads nobody.

const NEAR_ENOUGH = 2000;
let ahead = 0;

export function written(seconds) {
  const sign = seconds < 0 ? "−" : "";
  const whole = Math.abs(Math.trunc(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, "0"));
  if (whole >= 3600) parts.unshift(String(Math.floor(whole / 3600)));
  return sign + parts.join(":");
}

export function now() {
  return Date.now() + ahead;
}

export function left(clock) {
  const at = clock.dataset.paused ? Date.parse(clock.dataset.paused) : now();
  return (Date.parse(clock.dataset.ends) - at) / 1000;
}

async function compareWatches() {
  const sent = Date.now();
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    const theirs = Date.parse(answer.headers.get("Date")) + 500;
    const difference = theirs - (sent + Date.now()) / 2;
    if (Math.abs(difference) > NEAR_ENOUGH) ahead = difference;
  } catch {
    // Without the server's watch the device's own has to do.
  }
}

// The rule is said in words from the moment at which it holds.
function say(clock, stage) {
  const words = clock.nextElementSibling;
  if (!words || words.dataset.clockSaid === undefined) return;
  const text = words.dataset[stage] ?? "";
  if (words.textContent !== text) words.textContent = text;
  words.hidden = !text;
}

function tick() {
  for (const clock of document.querySelectorAll("[data-clock][data-ends]")) {
    const seconds = left(clock);
    const text = written(seconds);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("is-paused", Boolean(clock.dataset.paused));
    clock.classList.toggle("is-warning", seconds > 0 && seconds <= Number(clock.dataset.warning) * 60);
    clock.classList.toggle("is-over", seconds <= 0);
    say(clock, seconds <= 0 ? "over" : seconds <= Number(clock.dataset.warning) * 60 ? "warning" : "");
  }
}

tick();
window.setInterval(tick, 250);
if (document.querySelector("[data-clock]")) compareWatches();
