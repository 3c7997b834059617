// The standings on a screen: a tap unfolds a player's row, "Around me" leads to one's own, filters wait until they are asked for.

const isNarrow = window.matchMedia("(max-width: 63.99rem)");
const unfolded = new Set();
const filters = document.getElementById("standings-filters");
const opener = document.querySelector("[data-opens-filters]");
const around = document.querySelector("[data-around-me]");

function make(name, look, ...parts) {
  const element = document.createElement(name);
  if (look) element.className = look;
  element.append(...parts);
  return element;
}

function heading(table, at) {
  return table.tHead.rows[0].cells[at];
}

// Links of the row are no stops of the keyboard; of what was unfolded they are.
function contentOf(cell) {
  const copy = cell.cloneNode(true);
  for (const link of copy.querySelectorAll("[tabindex]")) link.removeAttribute("tabindex");
  return [...copy.childNodes];
}

function figures(row, table) {
  const list = make("dl", "unfolded-figures");
  for (const cell of row.cells) {
    if (!cell.matches(".number:not(.session)") || !cell.textContent.trim()) continue;
    const title = heading(table, cell.cellIndex);
    const said = cell.matches(".gap") ? title.title : title.textContent.trim();
    list.append(make("div", "", make("dt", "", said), make("dd", "", ...contentOf(cell))));
  }
  return list;
}

function sessions(row, table) {
  const list = make("ol", "unfolded-sessions");
  list.setAttribute("aria-label", table.dataset.sessions);
  for (const cell of row.cells) {
    if (!cell.matches(".session") || !cell.textContent.trim()) continue;
    list.append(make("li", "", make("b", "", heading(table, cell.cellIndex).textContent.trim()), " ", ...contentOf(cell)));
  }
  return list;
}

function link(href, text) {
  const made = make("a", "button button-quiet", text);
  made.href = href;
  return made;
}

function details(row, table) {
  const name = row.querySelector(".who a");
  const box = make("div", "unfolded-box");
  const who = make("p", "unfolded-who", make("strong", "", name.textContent));
  for (const more of row.querySelectorAll(".who > :not(a), .name > .club, .name > .gone")) who.append(" ", more.cloneNode(true));
  const ways = make("p", "actions", link(name.href, table.dataset.page), link(row.querySelector(".place a").href, table.dataset.why));
  const star = row.querySelector(".star")?.cloneNode(true);
  star?.removeAttribute("tabindex");
  if (star) ways.append(star);
  box.append(who, figures(row, table), sessions(row, table), ways);
  return box;
}

function unfold(row) {
  const table = row.closest("table");
  const cell = make("td", "", details(row, table));
  cell.colSpan = row.cells.length;
  const below = make("tr", "unfolded", cell);
  below.id = `unfolded-${row.dataset.number}`;
  row.after(below);
  row.classList.add("is-unfolded");
  unfolded.add(row.dataset.number);
  tellState(row);
}

function fold(row) {
  row.nextElementSibling?.matches(".unfolded") && row.nextElementSibling.remove();
  row.classList.remove("is-unfolded");
  unfolded.delete(row.dataset.number);
  tellState(row);
}

// On a phone the name is the button of its row; its page is one tap further, among what is unfolded.
function tellState(row) {
  const name = row.querySelector(".who a");
  if (!name) return;
  const isButton = isNarrow.matches;
  for (const [attribute, value] of [["role", "button"], ["aria-expanded", String(unfolded.has(row.dataset.number))]]) {
    if (isButton) name.setAttribute(attribute, value);
    else name.removeAttribute(attribute);
  }
}

function rows() {
  return document.querySelectorAll("table.standings[data-why] > tbody > tr[data-number]");
}

function prepare() {
  for (const row of rows()) {
    if (unfolded.has(row.dataset.number) && !row.classList.contains("is-unfolded")) unfold(row);
    else tellState(row);
  }
  if (around) around.hidden = !document.querySelector(".standings tr.is-mine");
}

function tapped(event) {
  const row = event.target.closest("table.standings[data-why] > tbody > tr[data-number]");
  if (!row || event.ctrlKey || event.metaKey || event.shiftKey || window.getSelection()?.toString()) return;
  const isLink = event.target.closest("a, button");
  const isName = event.target.closest(".who a");
  if (isLink && !isNarrow.matches) return;
  if (event.target.closest(".star")) return;
  if (isLink && !isName && event.target.closest(".why")) return;
  event.preventDefault();
  if (row.classList.contains("is-unfolded")) fold(row);
  else unfold(row);
}

function pressed(event) {
  if (event.key !== " " || !event.target.matches?.(".who a[role=button]")) return;
  event.preventDefault();
  event.target.click();
}

function showFilters() {
  const isOpen = filters.classList.toggle("is-open");
  opener.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) filters.querySelector("input[type=search]")?.focus();
}

// Its cells stay in sight wherever one reads; the row itself is where it belongs.
function goToMe() {
  const row = document.querySelector(".standings tr.is-mine");
  row?.scrollIntoView({ block: "center" });
  row?.querySelector(".who a")?.focus({ preventScroll: true });
}

document.addEventListener("click", tapped);
document.addEventListener("keydown", pressed);
document.addEventListener("refreshed", prepare);
document.addEventListener("chosen", prepare);
isNarrow.addEventListener("change", prepare);
opener?.addEventListener("click", showFilters);
if (opener && filters) opener.setAttribute("aria-expanded", String(filters.classList.contains("is-open")));
around?.addEventListener("click", goToMe);
prepare();
