// Pages that change by themselves: a stream says which revision is newest, the page fetches it and marks what changed.

const ASK_EVERY = 5000;
const SILENCE = 45000;
const MOST_ERRORS = 3;
const LATER = 3000;
const AGAIN = 600;
const MOST_TRIES = 6;

/** Call `onRevision(revision)` for every new revision; streams while the page is seen, polls when it must. */
export function follow({ events, snapshot, revision, onRevision, onState = () => {} }) {
  let source = null;
  let errors = 0;
  let poll = null;
  let silence = null;
  let etag = revision ? `"r${revision}"` : "";
  let known = Number(revision) || 0;

  function news(next, spread = 0) {
    if (next <= known) return;
    known = next;
    window.setTimeout(() => onRevision(next), Math.random() * spread);
  }

  function listen() {
    stop();
    source = new EventSource(events);
    source.onopen = () => {
      errors = 0;
      onState("live");
    };
    source.onmessage = (event) => {
      quiet();
      const said = JSON.parse(event.data);
      news(said.rev, said.spread || 0);
    };
    source.onerror = () => {
      errors += 1;
      if (errors >= MOST_ERRORS || source.readyState === EventSource.CLOSED) ask();
    };
    quiet();
  }

  function quiet() {
    window.clearTimeout(silence);
    silence = window.setTimeout(ask, SILENCE);
  }

  async function ask() {
    stop();
    try {
      const answer = await fetch(snapshot, { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-cache" });
      if (answer.ok) {
        etag = answer.headers.get("ETag") || "";
        news((await answer.json()).revision);
      }
      onState("polling");
    } catch {
      onState("offline");
    }
    poll = window.setTimeout(ask, ASK_EVERY * (0.8 + Math.random() * 0.4));
  }

  function stop() {
    source?.close();
    source = null;
    window.clearTimeout(poll);
    window.clearTimeout(silence);
  }

  function seen() {
    if (document.visibilityState === "visible") listen();
    else stop();
  }

  document.addEventListener("visibilitychange", seen);
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) seen();
  });
  seen();
}

const rowsOf = (part) => part.querySelectorAll("tr[data-number]");
const text = (element) => element.textContent.trim();

// What may change in a row, by the heading above it: a column may come or go meanwhile. A name is no number; what each
// session brought stands beneath it on a phone.
function numbersOf(row) {
  const headings = [...(row.closest("table").tHead?.rows[0]?.cells ?? [])].map(text);
  const found = new Map();
  [...row.cells].forEach((cell, at) => {
    if (!cell.classList.contains("name")) found.set(headings[at] || at, cell);
    else for (const line of cell.querySelectorAll(".results-line > span")) found.set(`line ${text(line.firstElementChild)}`, line);
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

/** Fetch the page anew and take this part, and what is said beside the heading, from it.
 *
 * A page that is drawn for everybody may come a moment later than the news of it: then it is asked for again. */
export async function refresh(part, revision = 0, tries = MOST_TRIES) {
  if (isBusy(part)) {
    window.setTimeout(() => refresh(part, revision), LATER);
    return;
  }
  try {
    const answer = await fetch(part.dataset.page, { cache: "no-cache" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(part.id);
    if (!fresh) return;
    if (Number(fresh.dataset.revision) < revision && tries > 1) {
      window.setTimeout(() => refresh(part, revision, tries - 1), AGAIN);
    }
    replaceMarked(part, fresh);
    const said = document.querySelector("[data-standings-state]");
    const saidNow = page.querySelector("[data-standings-state]");
    if (said && saidNow) said.replaceChildren(...saidNow.childNodes);
  } catch {
    // The next revision, or the poll, brings what this one missed.
  }
}

const LOOKS = { live: "saved", polling: "queued", offline: "offline" };

function showState(name) {
  const state = document.querySelector("[data-live-state]");
  if (!state) return;
  state.hidden = false;
  state.className = `connection connection-${LOOKS[name]}`;
  if (state.textContent !== state.dataset[name]) state.textContent = state.dataset[name];
}

function enliven(part) {
  follow({
    events: part.dataset.events,
    snapshot: part.dataset.snapshot,
    revision: part.dataset.revision,
    onState: showState,
    onRevision: (revision) => refresh(part, revision),
  });
  const every = Number(part.dataset.every) * 1000;
  if (every) window.setInterval(() => document.visibilityState === "visible" && refresh(part), every);
}

for (const part of document.querySelectorAll("[data-live-fragment]")) enliven(part);
