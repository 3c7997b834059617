// Two lists of the referee's phone: what waits, nearest first, and what became of every press.

import { ask, button, h, icon } from "../tablet/dom.js";
import { Refused } from "../tablet/server.js";
import { MINUS, duration, number, timeOfDay, _ } from "../tablet/words.js";
import { nextStep } from "./rules.js";
import { iconOf, lateWords, whereWords } from "./words.js";

// What waits

export function waitingList(phone) {
  const items = phone.state?.waiting ?? [];
  if (!phone.state) return h("p", { class: "lead" }, _("No connection. The tables appear when it is back."));
  if (!items.length) return h("div", { class: "empty" }, h("p", {}, _("Nothing waits: no calls, nobody awaited, no disputes, no open appeals.")));
  return [h("h1", { class: "phone-title" }, _("To do, nearest first")), h("ul", { class: "list phone-list" }, items.map((item) => row(phone, item)))];
}

function row(phone, item) {
  const clock = h("span", { class: "small", data: { ticks: "" } });
  clock.tells = item.kind === "late" ? (now) => lateWords(item, now) : (now) => ageWords(item, now);
  return h(
    "li",
    { class: `phone-item is-${item.kind}` },
    icon(iconOf(item.kind)),
    h("div", { class: "phone-item-text" }, h("strong", {}, item.text), h("span", { class: "small soft" }, whereWords(item)), clock),
    h("div", { class: "phone-item-actions" }, actions(phone, item)),
  );
}

function ageWords(item, now) {
  if (item.hearing && Date.parse(item.hearing) > now) return _("Hearing in %(time)s", { time: duration((Date.parse(item.hearing) - now) / 1000) });
  return _("waits %(time)s", { time: duration((now - Date.parse(item.since)) / 1000) });
}

function actions(phone, item) {
  if (item.kind === "call") return [button(_("On my way"), () => answer(phone, item, false), { id: `way-${item.table}` }), table(phone, item)];
  if (item.kind === "answered") return [button(_("Done"), () => answer(phone, item, true), { kind: "button-quiet", id: `over-${item.table}` }), table(phone, item)];
  const isNoted = phone.outbox.entries.some((entry) => entry.operation === "arrived" && entry.table === item.player && entry.session === item.session);
  if (item.kind === "late" && isNoted) return h("span", { class: "small" }, _("Noted, not sent yet"));
  if (item.kind === "late") return button(_("Here now"), () => phone.arrived(item), { id: `here-${item.player}` }, icon("check"));
  return h("a", { class: "button button-quiet", href: item.page }, _("Open it"));
}

function table(phone, item) {
  return button(_("To the table"), () => phone.go({ ...phone.opened({ number: item.session }, { number: item.table }) }), { kind: "button-plain", id: `to-${item.table}` });
}

// A call is no decision: it is answered now or not at all.
async function answer(phone, item, isOver) {
  try {
    await phone.outbox.server.get("self/").then((said) => (phone.server.token = said.csrf));
    await phone.server.post(`session-${item.session}/table-${item.table}/call/`, { is_over: isOver });
    await phone.look();
  } catch (error) {
    const said = error instanceof Refused ? error.problem.title : _("No connection: the table was not told.");
    await ask(_("Not sent"), h("p", {}, said), [{ value: true, text: _("Close") }]);
  }
}

// What became of every press

export function given(phone) {
  const refused = phone.outbox.stuck;
  const queued = phone.outbox.entries.filter((entry) => !entry.problem);
  return [
    refused.length ? [h("h1", { class: "phone-title" }, _("Refused")), h("ul", { class: "list phone-list" }, refused.map((entry) => refusedRow(phone, entry)))] : null,
    queued.length ? [h("h1", { class: "phone-title" }, _("Not sent yet")), h("ul", { class: "list phone-list" }, queued.map((entry) => queuedRow(phone, entry)))] : null,
    h("h1", { class: "phone-title" }, _("Given")),
    penalties(phone),
    latenesses(phone),
    dropped(phone),
  ];
}

function refusedRow(phone, entry) {
  return h(
    "li",
    { class: "phone-item is-refused" },
    icon("alert"),
    h("div", { class: "phone-item-text" }, h("strong", {}, entry.shown.text), h("span", { class: "small soft" }, `${entry.shown.where ?? ""} · ${timeOfDay(entry.madeAt)}`), h("span", { class: "phone-reason" }, entry.problem.title)),
    h("div", { class: "phone-item-actions" }, button(againWords(entry), () => again(phone, entry), { kind: "button-quiet", id: `again-${entry.key}` }), button(_("Do not give it"), () => drop(phone, entry), { kind: "button-plain", id: `drop-${entry.key}` })),
  );
}

function againWords({ problem }) {
  if (problem.code === "step_changed") return _("Give it at the new step");
  return problem.code === "looks_doubled" ? _("It is a second case: give it") : _("Send again");
}

// A step that has moved is read anew; what looks doubled is confirmed as a second case.
async function again(phone, entry) {
  const body = {};
  if (entry.problem.code === "looks_doubled") body.sure = true;
  if (entry.problem.code === "step_changed") {
    await phone.look();
    const session = phone.state.sessions.find((one) => one.number === entry.body.session);
    const table = session?.tables.find((one) => one.seats.some((seat) => seat.player === entry.body.player));
    const seat = table?.seats.find((one) => one.player === entry.body.player);
    const offence = session?.offences.find((one) => one.code === entry.body.offence);
    if (seat && offence) body.step = nextStep(session, table, seat, offence, entry.body.hand, []).number;
  }
  await phone.outbox.again(entry, 0, body);
}

function drop(phone, entry) {
  return phone.outbox.drop(entry, 0, entry.problem.title, { isOpen: true });
}

function queuedRow(phone, entry) {
  return h(
    "li",
    { class: "phone-item is-queued" },
    icon("queue"),
    h("div", { class: "phone-item-text" }, h("strong", {}, entry.shown.text), h("span", { class: "small soft" }, [entry.shown.where, timeOfDay(entry.madeAt), _("not on the server yet")].filter(Boolean).join(" · "))),
    entry.attempts ? null : h("div", { class: "phone-item-actions" }, button(_("Take back"), () => phone.takeBack(entry), { kind: "button-quiet", id: `back-${entry.key}` })),
  );
}

function penalties(phone) {
  const rows = phone.state?.given ?? [];
  const known = new Set(rows.map((row) => row.number));
  const fresh = phone.log.filter((one) => one.state?.penalty && !known.has(one.state.penalty));
  if (!rows.length && !fresh.length) return h("div", { class: "empty" }, h("p", {}, _("No penalty was given yet.")));
  return h("ul", { class: "list phone-list" }, [
    ...fresh.map((one) => h("li", { class: "phone-item" }, icon("check"), h("div", { class: "phone-item-text" }, h("strong", {}, one.shown.text), h("span", { class: "small soft" }, _("Given, entry no. %(entry)s of the history", { entry: one.receipt }))))),
    ...rows.map((row) => penaltyRow(phone, row)),
  ]);
}

function penaltyRow(phone, row) {
  const isRevoking = phone.outbox.entries.some((entry) => entry.operation === "revoke" && entry.body.penalty === row.number);
  const price = row.points ? `${MINUS}${number(Math.abs(row.points))}` : row.what;
  const step = row.step ? _("step %(step)s of %(steps)s", row) : "";
  return h(
    "li",
    { class: `phone-item is-${row.state}` },
    icon(row.state === "revoked" ? "undo" : "check"),
    h(
      "div",
      { class: "phone-item-text" },
      h("strong", {}, h("a", { href: row.page }, `${row.number}. ${row.player}`)),
      h("span", {}, [row.offence, step, price].filter(Boolean).join(", ")),
      h("span", { class: "small soft" }, [whereWords(row), timeOfDay(row.at), row.by, row.state === "in_force" ? "" : row.state_name].filter(Boolean).join(" · ")),
    ),
    h("div", { class: "phone-item-actions" }, row.may_revoke && !isRevoking ? button(_("Revoke"), () => revoke(phone, row), { kind: "button-plain", id: `revoke-${row.number}` }) : null, printing(phone, row)),
    isRevoking ? h("span", { class: "small" }, _("Revoking, not sent yet")) : null,
  );
}

// The slip comes out of the desk's printer; asked for twice, it is printed once.
function printing(phone, row) {
  const isAsked = row.is_printing || phone.outbox.entries.some((entry) => entry.operation === "print" && entry.body.kind === "penalty" && entry.body.number === row.number);
  if (isAsked) return h("span", { class: "small" }, _("The slip is at the desk's printer"));
  const asked = { text: _("Slip of penalty %(number)s", { number: row.number }) };
  return button(_("Print the slip"), () => phone.press("print", row.session || 1, 0, { kind: "penalty", number: row.number }, asked), { kind: "button-plain", id: `print-${row.number}` }, icon("print"));
}

// Who came late in the session in play: how late, what it took, and the slip that is handed over.
function latenesses(phone) {
  const rows = phone.state?.late ?? [];
  if (!rows.length) return null;
  return [h("h1", { class: "phone-title" }, _("Came late")), h("ul", { class: "list phone-list" }, rows.map((row) => lateRow(phone, row)))];
}

function lateRow(phone, row) {
  const cost = row.is_waived ? _("waived") : row.cost ? `${MINUS}${number(Math.abs(row.cost))}` : _("nothing taken");
  const isAsked = row.is_printing || phone.outbox.entries.some((entry) => entry.operation === "print" && entry.body.kind === "late" && entry.body.number === row.number);
  const asked = { text: _("Slip of a lateness: %(name)s", { name: row.player }) };
  return h(
    "li",
    { class: "phone-item" },
    icon("clock"),
    h("div", { class: "phone-item-text" }, h("strong", {}, row.player), h("span", { class: "small soft" }, [whereWords(row), duration(row.seconds), cost].join(" · "))),
    h("div", { class: "phone-item-actions" }, isAsked ? h("span", { class: "small" }, _("The slip is at the desk's printer")) : button(_("Print the slip"), () => phone.press("print", row.session, 0, { kind: "late", number: row.number }, asked), { kind: "button-plain", id: `print-late-${row.number}` }, icon("print"))),
  );
}

// The reason is a button, too: it is told with the penalty.
async function revoke(phone, row) {
  const reasons = [_("Pressed by mistake"), _("Another player did it"), _("It did not happen so"), _("The chief referee decided otherwise")];
  const reason = await ask(_("Why is it revoked?"), h("p", {}, `${row.number}. ${row.player}: ${row.offence}`), [...reasons.map((text) => ({ value: text, text, kind: "button-quiet button-wide" })), { value: null, text: _("Cancel"), kind: "button-plain button-wide" }]);
  if (!reason) return;
  await phone.press("revoke", row.session || 1, 0, { penalty: row.number, reason }, { text: _("Revoked: %(what)s", { what: `${row.number}. ${row.player}` }) });
}

// What was refused and not given stays readable with its reason.
function dropped(phone) {
  const rows = phone.outbox.asides.slice(-20).reverse();
  if (!rows.length) return null;
  return [
    h("h1", { class: "phone-title" }, _("Refused and not given")),
    h("ul", { class: "list phone-list" }, rows.map((entry) => h("li", { class: "phone-item soft" }, icon("close"), h("div", { class: "phone-item-text" }, h("strong", {}, entry.shown.text), h("span", { class: "small" }, `${entry.shown.where ?? ""} · ${timeOfDay(entry.madeAt)}`), h("span", { class: "phone-reason" }, entry.why))))),
  ];
}
