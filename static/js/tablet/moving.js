// A tablet that the desk sends on to another event of the hall: it goes once nothing of this one waits here.

import { h, icon } from "./dom.js";
import { draftName } from "./outbox.js";
import { placeOf } from "./numbers.js";
import * as store from "./store.js";
import { _ } from "./words.js";

let bar = null;

// At a table somebody may be in the middle of a hand: there the tablet asks, and goes by a press.
export function offerMove(move, { outbox, home, isBusy }) {
  if (!move) {
    bar?.remove();
    bar = null;
    return;
  }
  if (bar?.dataset.to !== move.address) {
    bar?.remove();
    const said = h("div", {}, _("The desk sends this tablet to “%(event)s”.", { event: move.event }));
    const press = () => {
      if (isFree(outbox) && !isBusy()) go(move, home);
      else said.textContent = _("It can go to “%(event)s” once everything entered here is sent and settled.", { event: move.event });
    };
    bar = h("div", { class: "tablet-update notice", role: "status", data: { to: move.address } }, said, h("button", { type: "button", class: "button", onclick: press }, _("Go there")));
    document.body.append(bar);
  }
}

// On the list of tables it goes by itself, unless something is half entered at one of them.
export async function goIfFree(move, { outbox, home, list }) {
  const may = Boolean(move) && isFree(outbox) && !(await begunAt(list, outbox.slug)).length;
  if (may) go(move, home);
  return may;
}

// Why it does not go yet, and the way to each table that keeps it; what is half entered can be left behind by a press that says so.
export async function whatKeeps(move, { outbox, home, list }, addressOf) {
  if (!move) return [];
  const begun = await begunAt(list, outbox.slug);
  const links = begun.map((table) => h("a", { class: "button button-quiet", href: addressOf(table), data: { focus: `begun-${table.session}-${table.table}` } }, _("Session %(session)s, table %(table)s", placeOf(table))));
  const leave = () => isFree(outbox) && go(move, home);
  return [
    h("p", { class: "tablet-notice" }, icon("info"), _("The desk sends this tablet to “%(event)s”.", { event: move.event }), " ", _("It can go to “%(event)s” once everything entered here is sent and settled.", { event: move.event })),
    begun.length ? h("p", {}, _("Half entered and not saved:")) : null,
    begun.length ? h("div", { class: "row" }, links, isFree(outbox) ? h("button", { type: "button", class: "button button-quiet", onclick: leave, data: { focus: "leave" } }, _("Go there without it")) : null) : null,
  ];
}

// Whether something is entered that is not saved yet: a hand, or final points.
export function isBegun({ begun, correcting, mending, final }) {
  return Boolean(begun || correcting || mending || Object.values(final?.points ?? {}).some(Boolean));
}

async function begunAt(list, slug) {
  const tables = list?.tables ?? [];
  const kept = await Promise.all(tables.map(({ session, table }) => store.read(draftName(slug, session, table))));
  return tables.filter((_table, i) => kept[i] && isBegun(kept[i]));
}

function isFree(outbox) {
  return !outbox.entries.length && !outbox.asides.length;
}

function go(move, home) {
  sessionStorage.setItem("moved-from", home);
  location.assign(move.address);
}

// Where a tablet came from that is not admitted yet, so that it can go back.
export function cameFrom(home) {
  const from = sessionStorage.getItem("moved-from");
  return from && from !== home ? from : "";
}

export function arrived() {
  sessionStorage.removeItem("moved-from");
}
