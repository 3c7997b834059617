// Before a table's screen: typing the code that admits this tablet, and choosing the table.

import { button, h, icon, refill } from "./dom.js";
import { Refused } from "./server.js";
import { looks } from "./look.js";
import { cameFrom, goIfFree, whatKeeps } from "./moving.js";
import * as store from "./store.js";
import { operationWords } from "./tell.js";
import { _, ngettext } from "./words.js";
import { placeOf, shownNumber } from "./numbers.js";

const STATES = {
  open: () => _("In play"),
  ended: () => _("Awaiting confirmation"),
  confirmed: () => _("Confirmed"),
  signed_off: () => _("Signed off"),
  planned: () => _("Not started yet"),
};
const LOOKS = { open: "state-live", ended: "state-wait", confirmed: "state-done", signed_off: "state-done", planned: "state-wait" };

const LOOK_AGAIN = 10_000;

export function admission(root, admit, proceed, home) {
  const said = sessionStorage.getItem("admission-said") ?? "";
  sessionStorage.removeItem("admission-said");
  const input = h("input", {
    id: "code",
    class: "input pairing-input",
    type: "text",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: false,
    maxLength: 12,
    "aria-describedby": "code-help code-wrong",
  });
  const wrong = h("p", { id: "code-wrong", class: "field-errors", role: "alert" }, said);
  const back = cameFrom(home);
  const send = async (event) => {
    event.preventDefault();
    const text = await admit({ code: input.value });
    wrong.textContent = text;
    if (text) input.select();
    else proceed();
  };
  root.className = "tablet page";
  refill(
    root,
    h(
      "form",
      { class: "admission card", onsubmit: send },
      h("h1", {}, _("Admit this tablet")),
      h("p", {}, _("Scan the QR code that the organizer shows, or type the eight letters below it.")),
      h("div", { class: "field" }, h("label", { for: "code" }, _("Code")), input, h("p", { id: "code-help", class: "field-help" }, _("Eight letters; it is good for five minutes and for one tablet.")), wrong),
      h("div", { class: "actions" }, h("button", { class: "button button-big", type: "submit" }, _("Admit")), back ? h("a", { class: "button button-quiet", href: back }, _("Back to the other event")) : null),
      location.protocol === "http:" && location.hostname !== "localhost" && location.hostname !== "127.0.0.1"
        ? h("p", { class: "tablet-notice" }, icon("info"), _("Over plain http this page cannot start without a connection: keep it open. Entered hands are kept all the same."))
        : null,
      looks(),
    ),
  );
  input.focus();
}

export async function tables({ root, server, outbox, home, me, admit, restart }) {
  let list;
  try {
    list = await server.get("tables/");
    await store.keep(`tables:${home}`, list);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return admission(root, admit, restart, home);
    list = await store.read(`tables:${home}`);
  }
  if (await goIfFree(list?.move, { outbox, home, list })) return undefined;
  if (list?.tables.length === 1 && me?.device?.tables?.length === 1) return location.replace(tableAddress(home, list.tables[0]));
  const waiting = h("div", { class: "stack" });
  const tell = () => waiting.isConnected && refill(waiting, unsent(outbox, home));
  const shown = h("div", {}, content(list, home));
  const moving = h("div", { class: "stack" }, await keeping(list, home, outbox));
  root.className = "tablet page";
  refill(
    root,
    h("header", { class: "tables-header" }, h("h1", {}, list?.tournament ?? _("Tables")), h("p", { class: "soft" }, me?.device ? me.device.name : "")),
    moving,
    waiting,
    shown,
    button(_("Refresh"), () => tables({ root, server, outbox, home, me, admit, restart }), { kind: "button-quiet" }, icon("refresh")),
    looks(),
  );
  tell();
  outbox.addEventListener("change", tell);
  follow({ shown, moving, list, server, home, outbox });
}

function keeping(list, home, outbox) {
  return whatKeeps(list?.move, { outbox, home, list }, (table) => tableAddress(home, table));
}

// A tablet lies on its table before the session begins: the list looks again by itself while it is seen.
function follow({ shown, moving, list, server, home, outbox }) {
  let known = JSON.stringify(list);
  const looking = setInterval(async () => {
    if (!shown.isConnected) return clearInterval(looking);
    if (document.visibilityState !== "visible") return;
    const fresh = await server.get("tables/").catch(() => null);
    if (fresh && shown.isConnected && (await goIfFree(fresh.move, { outbox, home, list: fresh }))) return clearInterval(looking);
    if (fresh && shown.isConnected) refill(moving, await keeping(fresh, home, outbox));
    if (!fresh || !shown.isConnected || JSON.stringify(fresh) === known) return;
    known = JSON.stringify(fresh);
    await store.keep(`tables:${home}`, fresh);
    refill(shown, content(fresh, home));
  }, LOOK_AGAIN);
}

// What is not sent yet, table by table: those of an earlier session are in no list any more, and may need a decision.
function unsent(outbox, home) {
  if (!outbox.entries.length) return notSent(outbox, home);
  const places = new Map(outbox.entries.map((entry) => [`${entry.session}/${entry.table}`, entry]));
  const links = [...places.values()].map((entry) =>
    h("a", { class: "button button-quiet", href: tableAddress(home, entry) }, _("Session %(session)s, table %(table)s", placeOf(entry)), outbox.at(entry.session, entry.table).some((one) => one.problem) ? ` · ${_("Needs a decision")}` : ""),
  );
  const words = ngettext("%(count)s entry of this tablet is not sent yet.", "%(count)s entries of this tablet are not sent yet.", outbox.entries.length);
  return [h("p", { class: "tablet-notice" }, icon("queue"), words), h("div", { class: "row" }, links), ...notSent(outbox, home)];
}

// What was set aside waits for a person, at the table where it was entered.
function notSent(outbox, home) {
  return outbox.asides.map((entry) =>
    h(
      "p",
      { class: "tablet-notice" },
      icon("alert"),
      h("a", { href: tableAddress(home, entry) }, _("Session %(session)s, table %(table)s", placeOf(entry)), ": ", _("not sent: %(what)s", { what: operationWords(entry) })),
    ),
  );
}

function content(list, home) {
  if (!list) return h("p", {}, _("No connection. The tables appear when it is back."));
  if (!list.tables.length) return h("p", {}, _("There are no tables yet. They appear when the organizer publishes the seating."));
  return h(
    "ul",
    { class: "table-list" },
    list.tables.map((table) =>
      h(
        "li",
        {},
        h(
          "a",
          { class: "tablet-table card", href: tableAddress(home, table), data: { focus: `${table.session}-${table.table}` } },
          h("strong", {}, _("Table %(table)s", { table: shownNumber(table.table) })),
          h("span", { class: `state ${LOOKS[stateOf(table)]}` }, STATES[stateOf(table)]()),
          h("span", { class: "table-names" }, table.names.join(", ")),
          h("span", { class: "soft" }, ngettext("%(count)s hand", "%(count)s hands", table.hands)),
          table.answered
            ? h("span", { class: "state state-wait" }, _("The referee is on the way"))
            : table.called
              ? h("span", { class: "state state-alert" }, _("Calls the referee"))
              : null,
        ),
      ),
    ),
  );
}

// A table is open from its seating on; it is in play when its session is.
function stateOf(table) {
  return table.state === "open" && table.session_state === "planned" ? "planned" : table.state;
}

export function tableAddress(home, { session, table }) {
  return `${home}session-${session}/table-${table}/`;
}
