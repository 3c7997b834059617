// The calculator: tiles are tapped as well as typed, the answer follows each change, and a saved copy answers without a network.

const form = document.querySelector("form.calculator");
const field = form.elements.hand;
const pad = form.querySelectorAll("[data-tile]");
const laid = form.querySelector("[data-laid]");
const words = JSON.parse(form.dataset.words);
const PATIENCE = 4000;
const LATER = 250;
const HONORS = ["J", "E", "S", "W", "N", "Wh", "G", "R"];
const GROUP = /\(([^()[\]]*?)(?:\s+(added|delayed))?\s*\)|\[([^()[\]]*)\]/g;
const TILES = /([0-9]+)([mpsz])|\b(Wh|[ESWNRGJ]|[mps][1-9])\b/g;

// The hand in the field

function codes(text) {
  const found = [];
  for (const [, digits, suit, name] of text.matchAll(TILES)) {
    if (name) found.push(name);
    else for (const digit of digits) found.push(suit === "z" ? HONORS[digit] : suit + digit);
  }
  return found.filter(Boolean);
}

function read(text) {
  const melds = [...text.matchAll(GROUP)].map(([, open, kong, closed]) => ({ tiles: codes(open ?? closed), isOpen: open !== undefined, kong }));
  return { melds, tiles: codes(text.replace(GROUP, " ")) };
}

function compact(tiles) {
  const parts = [];
  for (const code of tiles) {
    const honor = HONORS.indexOf(code);
    const [digit, suit] = honor < 0 ? [code[1], code[0]] : [String(honor), "z"];
    if (parts.at(-1)?.suit === suit) parts.at(-1).digits += digit;
    else parts.push({ suit, digits: digit });
  }
  return parts.map(({ digits, suit }) => digits + suit).join(" ");
}

function write({ melds, tiles }) {
  const sets = melds.map(({ tiles: own, isOpen, kong }) => (isOpen ? `(${compact(own)}${kong ? ` ${kong}` : ""})` : `[${compact(own)}]`));
  const ahead = tiles.slice(0, -1).sort((one, other) => place(one) - place(other));
  return [...sets, compact(ahead), compact(tiles.slice(-1))].filter(Boolean).join(" ");
}

const order = [...pad].map((key) => key.dataset.tile);
const place = (code) => order.indexOf(code);

// Tapping

const target = () => form.querySelector("[data-target]:checked").value;
const room = (hand) => 14 - 3 * hand.melds.length - hand.tiles.length;

function press(code) {
  const hand = read(field.value);
  const kind = target();
  if (kind === "dora" || kind === "ura") {
    const indicators = form.elements[kind];
    indicators.value = compact([...codes(indicators.value), code]);
  } else if (kind) declare(hand, kind, code);
  else if (room(hand) > 0) hand.tiles.push(code);
  field.value = write(hand);
  changed();
}

// A tapped tile is the lowest of its chow; after a declared set the next tile is one in hand again.
function declare(hand, kind, code) {
  const tiles = kind === "chow" ? [0, 1, 2].map((step) => code[0] + (Number(code[1]) + step)) : Array(kind === "pung" ? 3 : 4).fill(code);
  if (room(hand) < 3 || !tiles.every((tile) => order.includes(tile))) return;
  const kong = ["added", "delayed"].includes(kind) ? kind : undefined;
  hand.melds.push({ tiles, isOpen: kind !== "concealed", kong });
  form.querySelector("[data-target][value='']").checked = true;
}

function used(hand) {
  return [...hand.tiles, ...hand.melds.flatMap((meld) => meld.tiles)];
}

function show() {
  const hand = read(field.value);
  const held = used(hand);
  for (const key of pad) key.disabled = held.filter((code) => code === key.dataset.tile).length >= 4;
  const take = (tiles, act, kind = "") => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `tiles-set ${kind}`.trim();
    button.setAttribute("aria-label", `${words.take} ${tiles.map((code) => drawn(code)?.getAttribute("aria-label") ?? code).join(", ")}`);
    button.append(...tiles.map((code) => drawn(code) ?? code));
    button.addEventListener("click", () => {
      act();
      field.value = write(hand);
      changed();
    });
    return button;
  };
  const isFull = room(hand) === 0;
  laid.replaceChildren(
    ...hand.melds.map((meld, at) => take(meld.tiles, () => hand.melds.splice(at, 1))),
    ...hand.tiles.map((code, at) => take([code], () => hand.tiles.splice(at, 1), isFull && at === hand.tiles.length - 1 ? "is-winning" : "")),
  );
}

function drawn(code) {
  const picture = [...pad].find((key) => key.dataset.tile === code)?.querySelector("svg").cloneNode(true);
  picture?.classList.add("tile-small");
  return picture;
}

// Asking: the site first, then the copy on this device

let asked = 0;
let waiting = null;

function query() {
  const said = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...said]) if (!value) said.delete(name);
  return said.toString();
}

function changed() {
  show();
  window.clearTimeout(waiting);
  waiting = window.setTimeout(ask, LATER);
}

async function ask() {
  const number = (asked += 1);
  const said = query();
  history.replaceState(null, "", `?${said}`);
  for (const button of document.querySelectorAll("[data-copies]")) button.dataset.copies = location.href;
  const fresh = (await ofTheSite(said)) ?? (await ofTheDevice(said));
  // What is put into a part is read out; a part that takes the place of another one is not.
  if (number === asked && fresh) document.getElementById("calculation").replaceChildren(...fresh.childNodes);
}

async function ofTheSite(said) {
  if (!navigator.onLine) return null;
  try {
    const answer = await fetch(`?${said}`, { signal: AbortSignal.timeout(PATIENCE) });
    if (!answer.ok || answer.headers.has("X-Kept-At")) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.documentElement.dataset.keptAt ? null : page.getElementById("calculation");
  } catch {
    return null;
  }
}

async function ofTheDevice(said) {
  if (!engine && !localStorage.getItem(SAVED)) return notice(words.offline);
  try {
    state.textContent = state.dataset.loading;
    engine ??= started();
    await engine.ready;
    state.textContent = state.dataset.ready;
    return drawnAnswer(await engine.answer(`rules=${form.dataset.rules}&${said}`, document.documentElement.lang));
  } catch {
    engine = null;
    state.textContent = "";
    return notice(words.offline);
  }
}

// The answer as the template of the site draws it

function element(tag, kind, ...children) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...children.flat().filter((child) => child !== "" && child !== null && child !== undefined));
  return made;
}

function block(...children) {
  const made = element("div", "calculation", ...children);
  made.id = "calculation";
  made.setAttribute("aria-live", "polite");
  return made;
}

const notice = (text) => block(element("p", "notice notice-warning", text));
const cited = (clause) => (clause ? clause.split(", ").map((tag) => element("span", "cited", ` [${tag}]`)) : []);
const set = (tiles) => element("span", "tiles-set", tiles.map(drawn));
const told = (problem, tag, kind) => element(tag, kind, problem.sentence, cited(problem.clause));

function drawnAnswer(answer) {
  return block(
    answer.hint ? element("p", "soft", answer.hint) : null,
    answer.problems.map((problem) => told(problem, "p", "notice notice-warning")),
    answer.value ? drawnValue(answer.value) : null,
    answer.waits ? drawnWaits(answer.waits) : null,
  );
}

function drawnValue(value) {
  const figures = value.totals.map((one) => element("div", "", element("dt", "", one.label), element("dd", "", one.value, cited(one.clause))));
  const fans = value.fans.map((one) =>
    element(
      "tr",
      "",
      element("td", "number", String(one.points)),
      element("th", "", one.times > 1 ? `${one.name} ×${one.times}` : one.name, one.made_of.map((tiles) => [" ", set(tiles)]).flat()),
      element("td", "", cited(one.clause)),
    ),
  );
  return [
    element("p", "", value.reading.map((tiles) => [set(tiles), " "]).flat()),
    element("dl", "figures", figures),
    value.payment ? element("p", "", element("strong", "", value.payment)) : null,
    value.reasons.map((problem) => told(problem, "p", "notice notice-warning")),
    fans.length ? element("table", "table", element("tbody", "", fans)) : null,
    value.dropped.length ? element("h2", "", words.dropped) : null,
    value.dropped.length ? element("ul", "", value.dropped.map((one) => element("li", "", `${one.name}: ${one.reason}`, cited(one.clause)))) : null,
  ].flat();
}

function drawnWaits(waits) {
  const head = [words.tile, words.left, words.discard, words.wall].map((text) => element("th", "", text));
  const rows = waits.map((one) => {
    const link = element("a", "", drawn(one.tile));
    const said = new URLSearchParams(query());
    said.set("hand", one.hand);
    link.href = `?${said}`;
    const ways = one.ways.map((way) =>
      element("td", "", way.worth, way.payment ? element("small", "", way.payment) : null, way.problems.map((problem) => told(problem, "small"))),
    );
    return element("tr", "", element("th", "", link), element("td", "number", String(one.left)), ways);
  });
  const table = element("table", "table waits", element("thead", "", element("tr", "", head)), element("tbody", "", rows));
  return [element("h2", "", words.waits), waits.length ? element("div", "table-fits", table) : element("p", "", words.no_waits)];
}

// The copy on this device: the page by the site's worker, the arithmetic by a worker of its own

let engine = null;
const SAVED = "four-winds/calculator";
const offline = document.querySelector("[data-offline]");
const state = offline.querySelector("[data-offline-state]");
const keeps = offline.querySelector("[data-keeps]");

function started() {
  const worker = new Worker(form.dataset.worker, { type: "module" });
  const open = new Map();
  let number = 0;
  const ready = new Promise((done, failed) => {
    worker.addEventListener("error", failed);
    worker.addEventListener("message", ({ data }) => {
      if (data.state === "ready") done();
      else if (data.state === "failed") failed(new Error(data.reason));
      else {
        open.get(data.number)(data.answer);
        open.delete(data.number);
      }
    });
  });
  const answer = (said, language) =>
    new Promise((done) => {
      number += 1;
      open.set(number, done);
      worker.postMessage({ number, query: said, language });
    });
  return { ready, answer };
}

async function save() {
  keeps.disabled = true;
  state.textContent = state.dataset.loading;
  try {
    await keepPage();
    engine ??= started();
    await engine.ready;
    localStorage.setItem(SAVED, "yes");
    saved();
  } catch {
    engine = null;
    state.textContent = state.dataset.failed;
  }
  keeps.disabled = false;
}

function saved() {
  keeps.hidden = true;
  state.textContent = state.dataset.ready;
}

// What was saved is brought up to date whenever the page is opened with a network; the arithmetic starts only when it is needed.
function refresh() {
  saved();
  for (const part of [...form.dataset.pages.split(" "), form.dataset.worker, form.dataset.package]) fetch(part).catch(() => undefined);
}

// Where no worker of the site can be had (plain http), the page works without a network as long as it stays open.
async function keepPage() {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.register("/offline-worker.js", { updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    await new Promise((done) => {
      navigator.serviceWorker.addEventListener("controllerchange", done, { once: true });
      window.setTimeout(done, 2000);
    });
  }
  const files = performance.getEntriesByType("resource").map((entry) => new URL(entry.name));
  active?.postMessage({ keep: files.filter((url) => url.origin === location.origin).map((url) => url.pathname) });
  for (const address of form.dataset.pages.split(" ")) await fetch(address);
}

function begin() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  form.addEventListener("input", changed);
  form.addEventListener("click", (event) => {
    const key = event.target.closest("[data-tile]");
    if (key) press(key.dataset.tile);
    if (!event.target.closest("[data-clears]")) return;
    field.value = "";
    changed();
  });
  offline.hidden = false;
  keeps.addEventListener("click", save);
  if (localStorage.getItem(SAVED)) refresh();
  // A page that was kept knows nothing of the link by which it was opened: the field is filled from the address.
  const said = new URLSearchParams(location.search);
  if (document.documentElement.dataset.keptAt && said.get("hand")) {
    field.value = said.get("hand");
    window.setTimeout(changed, 0);
  }
  show();
}

begin();
