// A tablet that the desk sends on to another event of the hall: it goes once nothing of this one waits here.

import { h } from "./dom.js";
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

// On the list of tables nobody is in the middle of anything.
export function goIfFree(move, outbox, home) {
  const may = Boolean(move) && isFree(outbox);
  if (may) go(move, home);
  return may;
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
