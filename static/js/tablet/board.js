// The table as it stands: players at the edges as they sit, money as arrows between them, large enough for eyes across the table.

import { ask, h, wind } from "./dom.js";
import { _, number, signed } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
// Where each edge is on a square of a hundred: who deals first sits below, the next to the right, as the game goes round.
const EDGES = [{ name: "below", x: 50, y: 80 }, { name: "right", x: 80, y: 50 }, { name: "above", x: 50, y: 20 }, { name: "left", x: 20, y: 50 }];

// Who gave how much to whom, so that each ends with the payments: who lost most pays first.
export function flows(payments) {
  const left = Object.entries(payments).map(([seat, points]) => ({ seat, points }));
  const losers = left.filter((one) => one.points < 0).sort((one, other) => one.points - other.points);
  const found = [];
  for (const winner of left.filter((one) => one.points > 0)) {
    for (const loser of losers) {
      const points = Math.min(winner.points, -loser.points);
      if (points <= 0) continue;
      found.push({ from: loser.seat, to: winner.seat, points });
      winner.points -= points;
      loser.points += points;
    }
  }
  return found;
}

// By how much each of the others is ahead of a seat, or behind it.
export function ahead(points, seat) {
  return Object.fromEntries(Object.keys(points).filter((other) => other !== seat).map((other) => [other, points[other] - points[seat]]));
}

// The seats in the order in which they sit: the one below, to its right, across, to its left.
export function around(seats) {
  return ["E", "S", "W", "N"].map((seat) => (seats.includes(seat) ? seat : null));
}

function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// Where payments leave and reach a seat: neighbours by the free corner between them, opposite seats beside the words in the middle.
function way(from, to) {
  const across = { "below-above": [37, 66, 37, 34], "above-below": [37, 34, 37, 66], "left-right": [34, 63, 66, 63], "right-left": [66, 63, 34, 63] }[`${from.name}-${to.name}`];
  if (across) return { path: `M${across[0]} ${across[1]} L${across[2]} ${across[3]}`, x: across[2], y: across[3], dx: Math.sign(across[2] - across[0]), dy: Math.sign(across[3] - across[1]) };
  const beside = (edge) => (edge.x === 50 ? { x: 50, y: edge.y < 50 ? 14 : 86 } : { x: edge.x < 50 ? 14 : 86, y: 50 });
  const [one, other] = [beside(from), beside(to)];
  const corner = { x: from.x === 50 ? other.x : one.x, y: from.x === 50 ? one.y : other.y };
  const near = (edge) => (edge.x === 50 ? { x: corner.x < 50 ? 33 : 67, y: corner.y } : { x: corner.x, y: corner.y < 50 ? 33 : 67 });
  const [start, end] = [near(from), near(to)];
  return { path: `M${start.x} ${start.y} Q${corner.x} ${corner.y} ${end.x} ${end.y}`, ...end, dx: Math.sign(end.x - corner.x), dy: Math.sign(end.y - corner.y) };
}

function arrow(from, to) {
  const { path, x, y, dx, dy } = way(from, to);
  const [backX, backY] = [x - dx * 4, y - dy * 4];
  const tip = `M${x} ${y} L${backX - dy * 2.2} ${backY + dx * 2.2} L${backX + dy * 2.2} ${backY - dx * 2.2} Z`;
  return [drawn("path", { d: path, class: "board-line" }), drawn("path", { d: tip, class: "board-tip" })];
}

function arrows(order, payments) {
  const picture = drawn("svg", { viewBox: "0 0 100 100", class: "board-arrows", "aria-hidden": "true" });
  for (const { from, to } of flows(payments)) picture.append(...arrow(EDGES[order.indexOf(from)], EDGES[order.indexOf(to)]));
  return picture;
}

export async function board(screen) {
  const { sheet, names, situation } = screen;
  const order = around(screen.seats);
  const last = sheet.hands.at(-1);
  const payments = screen.amounts() ?? last?.payments ?? {};
  const told = screen.amounts() ? _("Hand %(number)s, not saved yet", { number: situation.number }) : last ? _("After hand %(number)s", { number: last.number }) : _("No hand has been entered yet.");
  const words = h("span", {}, told);
  const places = h("div", { class: "board" }, arrows(order, payments), h("p", { class: "board-told" }, h("strong", {}, screen.nameOf(sheet.next)), words));
  const [changes, panels] = [{}, {}];
  const show = (chosen) => {
    const gaps = chosen ? ahead(sheet.points, chosen) : {};
    words.textContent = chosen ? _("Differences to %(name)s", { name: names.short[chosen] }) : told;
    for (const seat of screen.seats) {
      changes[seat].textContent = chosen ? (seat === chosen ? "0" : signed(gaps[seat])) : payments[seat] ? signed(payments[seat]) : "";
      panels[seat].className = chosen === seat ? `${panels[seat].dataset.look} is-compared` : panels[seat].dataset.look;
    }
  };
  let compared = null;
  order.forEach((seat, edge) => {
    if (!seat) return;
    changes[seat] = h("span", { class: "board-change" });
    const look = `board-seat board-${EDGES[edge].name}`;
    const toggle = () => show((compared = compared === seat ? null : seat));
    panels[seat] = h(
      "button",
      { type: "button", class: look, onclick: toggle, data: { seat, look, focus: `board-${seat}` }, title: _("Differences to %(name)s", { name: names.full[seat] }) },
      h("span", { class: "board-name" }, wind(seat, seat === situation.dealer), names.full[seat]),
      h("strong", { class: "board-total" }, number(sheet.points[seat] + (sheet.start_points || 0))),
      changes[seat],
    );
    places.append(panels[seat]);
  });
  show(null);
  const hint = h("p", { class: "soft board-hint" }, _("Tap a name to see how far the others are ahead of it or behind."));
  await ask(_("The table as it stands"), h("div", {}, places, hint), [{ text: _("Close"), value: null }], { wide: true, kind: "is-board" });
}

// Holding a name on the entry screen shows the differences until the finger is lifted; such a tap enters nothing.
const HOLD = 450;
// A touch's click follows the lifted finger by a few milliseconds.
export const LIFT = 80;

export function compareByHolding(screen) {
  let waiting = 0;
  let since = 0;
  let isComparing = false;
  const end = (event) => {
    clearTimeout(waiting);
    if (!isComparing) return;
    isComparing = false;
    // A busy page hears late that the finger was lifted: by its own time it may have been a tap.
    if (event.type === "pointerup" && event.timeStamp - since >= HOLD) enterNothing();
    setTimeout(() => screen.draw(), HOLD / 2);
  };
  const begin = (event) => {
    const panel = event.target.closest?.("button.seat-panel");
    clearTimeout(waiting);
    since = event.timeStamp;
    if (!panel) return;
    waiting = setTimeout(() => {
      isComparing = true;
      const gaps = ahead(screen.sheet.points, panel.dataset.seat);
      for (const [seat, gap] of Object.entries(gaps)) {
        const shown = screen.root.querySelector(`.seat-panel[data-seat="${seat}"] .seat-change`);
        if (shown) shown.textContent = signed(gap);
      }
    }, HOLD);
  };
  return { begin, end };
}

// The click that follows a lifted finger does so at once; where none does, the next tap is another's.
function enterNothing() {
  const stop = (event) => event.stopPropagation();
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }), LIFT);
}
