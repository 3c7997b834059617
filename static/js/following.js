// Following: stars, and the page of those who are followed. The list is kept on this device alone; its address shows it to others.
// Whoever is followed by notifications (push.js) is on it, too.

const PLACE = "four-winds/following";
const MOST = 60;

const keyOf = ({ event, number }) => `${event}.${number}`;
const pushPlace = ({ event, number }) => `four-winds/push/${event}-${number}`;

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE));
    return Array.isArray(found) ? found.filter((one) => one?.event && one?.number) : [];
  } catch {
    return [];
  }
}

function write(list) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(list.slice(0, MOST)));
  } catch {
    // A device that keeps nothing follows nobody.
  }
}

function isTold(one) {
  try {
    return localStorage.getItem(pushPlace(one)) !== null;
  } catch {
    return false;
  }
}

const has = (one) => read().some((other) => keyOf(other) === keyOf(one));

/** Put somebody on the list, the newest last; return whether there was room. */
export function keepFollowed(one) {
  if (has(one)) return true;
  const list = read();
  if (list.length >= MOST) return false;
  write([...list, { event: one.event, number: String(one.number), name: one.name ?? "" }]);
  return true;
}

/** Say that the list is full, until something else is pressed. */
function tellFull(star) {
  const said = document.createElement("p");
  said.className = "notice notice-warning follow-full";
  said.setAttribute("role", "alert");
  said.textContent = star.dataset.full;
  document.body.append(said);
  document.addEventListener("click", () => said.remove(), { once: true, capture: true });
}

function drop(one) {
  write(read().filter((other) => keyOf(other) !== keyOf(one)));
}

function show() {
  for (const star of document.querySelectorAll("[data-follow]")) {
    const isOn = has(star.dataset);
    star.hidden = false;
    star.setAttribute("aria-pressed", String(isOn));
    star.classList.toggle("is-told", isOn && isTold(star.dataset));
  }
}

function press(star) {
  const one = star.dataset;
  if (!has(one)) {
    if (!keepFollowed(one)) tellFull(star);
  } else if (isTold(one)) window.location.assign(`/${one.event}/player-${one.number}/notices/`);
  else drop(one);
  show();
  if (page) renew();
}

// In the standings each row has a star; the keyboard finds it where the row is unfolded, and on the player's page.

function setStars() {
  const made = document.querySelector("[data-star-template]");
  if (!made) return;
  for (const row of document.querySelectorAll("table.standings[data-why] > tbody > tr[data-number]")) {
    const name = row.querySelector(".who");
    if (!name || name.parentElement.querySelector(".star")) continue;
    const star = made.content.firstElementChild.cloneNode(true);
    star.dataset.number = row.dataset.number;
    star.dataset.name = name.querySelector("a").textContent.trim();
    star.setAttribute("aria-label", `${star.textContent.trim()}: ${star.dataset.name}`);
    star.tabIndex = -1;
    name.after(star);
  }
}

// The page of those who are followed: its address is the list.

const page = document.querySelector("[data-following]");
const address = (list) => `${window.location.pathname}?who=${list.map(keyOf).join(",")}`;

function renew() {
  if (isForeign()) return;
  const list = read();
  const to = list.length ? address(list) : window.location.pathname;
  window.history.replaceState(null, "", to);
  for (const part of page.querySelectorAll("[data-page]")) part.dataset.page = to;
  const copies = document.querySelector("[data-following-share] [data-copies]");
  if (copies) copies.dataset.copies = new URL(to, window.location.href).href;
}

const asked = () => page.dataset.asked.split(",").filter(Boolean);
const namedHere = () => [...page.querySelectorAll("[data-follow]")].map((star) => star.dataset);

function isForeign() {
  return !page.querySelector("[data-following-foreign]").hidden;
}

function takeAll() {
  const left = [...page.querySelectorAll("[data-follow]")].filter((star) => !keepFollowed(star.dataset));
  if (left.length) tellFull(left[0]);
  page.querySelector("[data-following-foreign]").hidden = true;
  show();
  renew();
}

function begin() {
  const gone = new Set(page.dataset.gone.split(",").filter(Boolean));
  write(read().filter((one) => !gone.has(keyOf(one))));
  const list = read();
  if (!asked().length) {
    const to = address(list);
    if (list.length && to !== window.location.pathname + window.location.search) window.location.replace(to);
    return;
  }
  const own = new Set(list.map(keyOf));
  const isMine = asked().every((key) => own.has(key) || gone.has(key));
  page.querySelector("[data-following-foreign]").hidden = isMine || !namedHere().length;
  page.querySelector("[data-following-take]").addEventListener("click", takeAll);
}

document.addEventListener("click", (event) => {
  const star = event.target instanceof Element ? event.target.closest("[data-follow]") : null;
  if (star) press(star);
});
document.addEventListener("refreshed", () => {
  setStars();
  show();
});
window.addEventListener("storage", show);
if (page) begin();
setStars();
show();
