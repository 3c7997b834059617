// Pages that change by themselves: a stream says which revision is newest, the page fetches it and marks what changed.
// What is shown is called live only while the server was heard within seconds and has nothing newer; else its age is told.

const SILENCE = 4000;
const FRESH = 5000;
const DEADLINE = 3000;
const PAGE_DEADLINE = 8000;
const LISTEN_AGAIN = 500;
const LISTEN_AT_LEAST = 2000;
const LISTEN_SELDOM = 20000;
const ASK_EVERY = 3500;
const LOOK_EVERY = 500;
const LATER = 3000;
const AGAIN = 600;
const MOST_TRIES = 6;
const FEW = 3;

const vary = (time) => time * (0.8 + Math.random() * 0.4);

/** Return when this page was made by the server: when it came, or when the copy that the device kept of it came. */
function cameAt() {
  const kept = Date.parse(document.documentElement.dataset.keptAt ?? "");
  if (!Number.isNaN(kept)) return kept;
  const [came] = performance.getEntriesByType("navigation");
  return performance.timeOrigin + (came?.responseStart ?? 0);
}

/** Follow the revisions of an event while the page is seen: by the stream, and by asking while the stream is silent.
 *
 * `onRevision(revision)` is called for each newer one, and again while `shown()` is older; `onState(name, since)` twice a
 * second: live, polling, behind (heard, but what is shown is older) or offline, and when what is shown was last the newest. */
export function follow({ events, snapshot, shown, onRevision, onState = () => {} }) {
  let source = null;
  let etag = shown() ? `"r${shown()}"` : "";
  let known = Number(shown()) || 0;
  let heardStream = 0;
  let heardAnswer = 0;
  let trueAt = cameAt();
  let failed = 0;
  let toldAt = 0;
  let looking = null;
  let listening = null;
  let asking = null;
  let isAsking = false;

  function heard() {
    if (shown() >= known) trueAt = Date.now();
  }

  function tell(revision) {
    toldAt = Date.now();
    onRevision(revision);
  }

  function news(next, spread = 0) {
    if (next > known) {
      known = next;
      toldAt = Date.now() + spread;
      window.setTimeout(() => tell(known), Math.random() * spread);
    }
    heard();
  }

  function listen() {
    window.clearTimeout(listening);
    source?.close();
    source = new EventSource(events);
    source.onmessage = (event) => {
      heardStream = Date.now();
      failed = 0;
      window.clearTimeout(listening);
      listening = window.setTimeout(listenAgain, SILENCE);
      const said = JSON.parse(event.data);
      news(said.rev, said.spread || 0);
      look();
    };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) source.close();
      window.clearTimeout(listening);
      listening = window.setTimeout(listenAgain, 0);
    };
    listening = window.setTimeout(listenAgain, DEADLINE);
  }

  // Where answers come but no stream does, something on the way holds it back: then it is tried now and then.
  function listenAgain() {
    source?.close();
    source = null;
    failed += 1;
    const isHeldBack = failed > FEW && Date.now() - heardAnswer < 2 * FRESH;
    listening = window.setTimeout(listen, vary(isHeldBack ? LISTEN_SELDOM : Math.min(LISTEN_AGAIN * failed, LISTEN_AT_LEAST)));
  }

  async function ask() {
    window.clearTimeout(asking);
    if (isAsking) return;
    isAsking = true;
    const wasSilent = Date.now() - heardAnswer > 2 * FRESH && heardAnswer > 0;
    try {
      const headers = etag ? { "If-None-Match": etag } : {};
      const signal = AbortSignal.timeout(DEADLINE);
      const answer = await fetch(snapshot, { method: "HEAD", headers, cache: "no-cache", signal });
      if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
      const tag = /^(?:W\/)?"r(\d+)"$/.exec(answer.headers.get("ETag") ?? "");
      if (!tag) throw new Error("This is somebody else's answer.");
      heardAnswer = Date.now();
      if (wasSilent && failed > FEW) {
        failed = 0;
        listen();
      }
      etag = tag[0].replace("W/", "");
      news(Number(tag[1]));
    } catch {
      // The state tells how old what is shown has become.
    }
    isAsking = false;
    if (looking) asking = window.setTimeout(askWhileSilent, vary(ASK_EVERY) - 500);
  }

  function askWhileSilent() {
    if (Date.now() - heardStream > SILENCE / 2) ask();
    else asking = window.setTimeout(askWhileSilent, SILENCE / 2);
  }

  function look() {
    const now = Date.now();
    const isOnStream = now - heardStream < SILENCE;
    const isHeard = isOnStream || now - heardAnswer < FRESH;
    if (shown() < known && now - toldAt > LATER) tell(known);
    if (isHeard && now - trueAt < FRESH) onState(isOnStream ? "live" : "polling", trueAt);
    else onState(isHeard ? "behind" : "offline", trueAt);
  }

  function start() {
    stop();
    failed = 0;
    listen();
    asking = window.setTimeout(askWhileSilent, SILENCE / 2);
    looking = window.setInterval(look, LOOK_EVERY);
  }

  function stop() {
    source?.close();
    source = null;
    for (const timer of [listening, asking, looking]) window.clearTimeout(timer);
    looking = null;
  }

  function seen() {
    if (document.visibilityState === "visible") start();
    else stop();
  }

  document.addEventListener("visibilitychange", seen);
  window.addEventListener("pagehide", stop);
  window.addEventListener("online", seen);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) seen();
  });
  seen();
}

const rowsOf = (part) => part.querySelectorAll("tr[data-number]");
const text = (element) => element.textContent.trim();

// What may change in a row, by the heading above it: a column may come or go meanwhile. A name is no number.
function numbersOf(row) {
  const headings = [...(row.closest("table").tHead?.rows[0]?.cells ?? [])].map(text);
  const found = new Map();
  [...row.cells].forEach((cell, at) => {
    if (!cell.classList.contains("name")) found.set(headings[at] || at, cell);
  });
  return found;
}

function remember(part) {
  const cells = new Map();
  for (const row of rowsOf(part)) {
    const told = [...numbersOf(row)].map(([name, element]) => [name, text(element)]);
    cells.set(row.dataset.number, new Map(told));
  }
  const marks = new Map([...part.querySelectorAll("[data-mark]")].map((mark) => [mark.dataset.mark, text(mark)]));
  return { cells, marks };
}

function markChanges(part, before) {
  for (const row of rowsOf(part)) {
    const old = before.cells.get(row.dataset.number);
    if (!old && before.cells.size) row.classList.add("is-changed");
    if (!old) continue;
    for (const [name, element] of numbersOf(row)) {
      if (old.has(name) && old.get(name) !== text(element)) element.classList.add("is-changed");
    }
  }
  for (const mark of part.querySelectorAll("[data-mark]")) {
    const old = before.marks.get(mark.dataset.mark);
    if (old !== undefined && old !== text(mark)) mark.classList.add("is-changed");
  }
}

function keepOpen(part, fresh) {
  const before = [...part.querySelectorAll("details")];
  const after = [...fresh.querySelectorAll("details")];
  if (before.length !== after.length) return;
  for (const [index, details] of after.entries()) details.open = before[index].open;
}

function keepTyped(part, fresh) {
  for (const input of part.querySelectorAll("input[id]")) {
    const same = fresh.querySelector(`#${CSS.escape(input.id)}`);
    if (same) same.replaceWith(input);
  }
}

/** Put the fresh text of a part of the page in place of the old one, and mark the numbers that differ. */
export function replaceMarked(part, fresh) {
  const before = remember(part);
  const focused = document.activeElement;
  const isWithin = part.contains(focused);
  const id = focused?.id;
  const href = focused?.getAttribute("href");
  for (const element of fresh.querySelectorAll("[data-needs-script]")) element.hidden = false;
  keepTyped(part, fresh);
  keepOpen(part, fresh);
  part.replaceChildren(...fresh.childNodes);
  markChanges(part, before);
  if (isWithin) {
    const again = (id && document.getElementById(id)) || (href && part.querySelector(`[href="${CSS.escape(href)}"]`));
    again?.focus({ preventScroll: true });
  }
  document.dispatchEvent(new CustomEvent("refreshed", { detail: part }));
}

const isBusy = (part) => part.matches(":has(dialog[open], .reasoned[open], input:focus, select:focus, textarea:focus)");
const underWay = new Map();

/** Fetch the page anew and take this part, and what is said beside the heading, from it; once at a time for each part.
 *
 * A page that is drawn for everybody may come a moment later than the news of it: then it is asked for again. A part that
 * only says that something is not there yet (`data-gives-way`) makes way for the page of the same event that has it; a
 * page of the network on the way, which asks to sign in, is none. */
export function refresh(part, revision = 0) {
  const wanted = underWay.get(part);
  underWay.set(part, Math.max(revision, wanted ?? 0));
  if (wanted === undefined) begin(part, MOST_TRIES);
}

function begin(part, tries) {
  if (isBusy(part)) window.setTimeout(() => begin(part, tries), LATER);
  else fetchPart(part, tries);
}

async function fetchPart(part, tries) {
  let isOld = false;
  try {
    const answer = await fetch(part.dataset.page, { cache: "no-cache", signal: AbortSignal.timeout(PAGE_DEADLINE) });
    const page = answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    const fresh = page?.getElementById(part.id);
    if (page && !fresh && "givesWay" in part.dataset && isOfSameEvent(page, part)) return window.location.reload();
    if (fresh) show(part, fresh, page);
    isOld = Boolean(fresh) && Number(fresh.dataset.revision) < underWay.get(part);
  } catch {
    // Whoever follows the revisions asks again while what is shown is older than the newest.
  }
  if (isOld && tries > 1) window.setTimeout(() => begin(part, tries - 1), AGAIN);
  else underWay.delete(part);
  return undefined;
}

function isOfSameEvent(page, part) {
  return [...page.querySelectorAll("[data-live-fragment]")].some((one) => one.dataset.events === part.dataset.events);
}

function show(part, fresh, page) {
  replaceMarked(part, fresh);
  if (fresh.dataset.revision) part.dataset.revision = fresh.dataset.revision;
  for (const beside of ["[data-standings-state]", "[data-event-state]"]) {
    const said = document.querySelector(beside);
    const saidNow = page.querySelector(beside);
    if (said && saidNow && said.innerHTML !== saidNow.innerHTML) said.replaceChildren(...saidNow.childNodes);
  }
}

// The state of the page, in words: how it is heard of, and how old what is shown is when it is not the newest.

const LOOKS = { live: "saved", polling: "queued", behind: "queued", offline: "offline" };
const language = document.documentElement.lang || "en";

/** Say how long ago a moment was: seconds, minutes, hours, days. */
export function ago(since) {
  const seconds = Math.max(0, Math.round((Date.now() - since) / 1000));
  const written = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  if (seconds < 60) return written.format(-seconds, "second");
  if (seconds < 3600) return written.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86400) return written.format(-Math.floor(seconds / 3600), "hour");
  return written.format(-Math.floor(seconds / 86400), "day");
}

/** Write the state into the place that a page has for it; only a change of the word is read out. */
export function showState(place, name, since) {
  if (!place) return;
  const word = place.querySelector("[data-live-word]");
  const age = place.querySelector("[data-live-age]");
  place.classList.add("is-told");
  place.classList.toggle("is-lost", name === "behind" || name === "offline");
  word.className = `connection connection-${LOOKS[name]}`;
  if (word.textContent !== place.dataset[name]) word.textContent = place.dataset[name];
  const isTold = name === "behind" || name === "offline";
  const told = isTold ? place.dataset.asOf.replace("{age}", ago(since)) : "";
  if (age.textContent !== told) age.textContent = told;
}

function enliven(part) {
  const own = document.querySelector(`[data-live-state][data-of="${CSS.escape(part.id)}"]`);
  const place = own ?? document.querySelector("[data-live-state]");
  follow({
    events: part.dataset.events,
    snapshot: part.dataset.snapshot,
    shown: () => Number(part.dataset.revision) || 0,
    onState: (name, since) => showState(place, name, since),
    onRevision: (revision) => refresh(part, revision),
  });
  const every = Number(part.dataset.every) * 1000;
  if (every) window.setInterval(() => document.visibilityState === "visible" && refresh(part), every);
}

for (const part of document.querySelectorAll("[data-live-fragment]")) enliven(part);
