// What opens above the table's screen: taking back, correcting, deciding a conflict, the queue, and everything rarer.

import { board } from "./board.js";
import { ask, button, h, icon, qrPicture, refill, wind as windSign } from "./dom.js";
import { isSameHand } from "./facts.js";
import { makeKey } from "./keys.js";
import { looks } from "./look.js";
import { qrOf, qrPath } from "./qr.js";
import { Refused, Unreachable } from "./server.js";
import * as store from "./store.js";
import { tableAddress } from "./tables.js";
import { handWords, operationWords } from "./tell.js";
import { _, ngettext, number, share, signed, timeOfDay, windName } from "./words.js";
import { placeOf } from "./numbers.js";

const CANCEL = () => ({ text: _("Go back"), value: null });

export function amountsRow(screen, payments) {
  return h(
    "ul",
    { class: "amounts" },
    screen.system.seats.map((seat) =>
      h("li", {}, h("span", {}, screen.names.short[seat]), h("strong", { class: payments?.[seat] < 0 ? "is-negative" : "" }, payments ? signed(payments[seat] ?? 0) : "…")),
    ),
  );
}

export function handLines(screen, facts) {
  return h("ul", { class: "hand-lines" }, handWords(facts, screen.names.short, screen.system.system).map((line) => h("li", {}, line)));
}

// A reason has ten characters at least; the usual ones are a tap away.
const LEAST_REASON = 10;

export function reasonField(label, usual = []) {
  const input = h("textarea", { id: "reason", class: "input", rows: 2, maxLength: 5000, "aria-describedby": "reason-wrong" });
  const wrong = h("p", { id: "reason-wrong", class: "field-errors", hidden: true, role: "alert" }, _("Give the reason in at least ten characters."));
  const take = () => {
    const text = input.value.trim().normalize("NFC");
    wrong.hidden = text.length >= LEAST_REASON;
    if (!wrong.hidden) input.focus();
    return wrong.hidden ? text : undefined;
  };
  const chips = usual.map((text) => button(text, () => (input.value = text), { kind: "button-quiet reason-chip" }));
  const element = h("div", { class: "field" }, h("label", { for: "reason" }, label), chips.length ? h("div", { class: "reason-chips" }, chips) : null, input, wrong);
  return { take, element };
}

const MISTAKES = () => [_("Entered by mistake"), _("Wrong winner or discarder"), _("Wrong value of the hand"), _("A kong was missed")];

// Why the amounts are what they are: a line for each clause

export function explanation(screen, lines) {
  const items = lines.map((line) =>
    h("li", {}, h("p", {}, line.sentence, line.clause ? h("small", {}, ` [${line.clause}]`) : null), amountsRow(screen, line.payments)),
  );
  return ask(_("Why these amounts?"), h("ol", { class: "queue" }, items), [{ text: _("Close"), value: null }], { wide: true });
}

// Why a hand cannot be, whole: its own row shows as much as fits.

export function refusal(sentences, offers = []) {
  const lines = sentences.map((one) => h("p", {}, one.sentence, one.clause ? h("small", {}, ` [${one.clause}]`) : null));
  if (offers.length) lines.push(h("p", {}, _("The nearest that can be; press to take it:")));
  return ask(_("This hand cannot be"), h("div", {}, lines), [
    ...offers.map((offer) => ({ text: _("%(fans)s: %(points)s", { fans: offer.text, points: number(offer.facts.fans) }), value: offer, kind: "" })),
    { text: _("Close"), value: null },
  ]);
}

export function twice(screen, facts) {
  const content = h("div", {}, h("p", {}, _("This is the same as the hand before.")), handLines(screen, facts));
  return ask(_("The same hand twice?"), content, [
    { text: _("It is one hand"), value: "one", kind: "" },
    { text: _("It happened twice: record it"), value: "twice" },
    CANCEL(),
  ]);
}

// Another tablet recorded a hand a moment ago, and this one is another: the next hand, or the same one heard otherwise.
export function tooSoon(screen, last, facts) {
  const side = (title, told, payments) => h("section", {}, h("h3", {}, title), handLines(screen, told), amountsRow(screen, payments));
  const theirs = _("Hand %(number)s, from another tablet or window at %(time)s", { number: last.number, time: timeOfDay(last.recorded_at) });
  const content = h("div", {}, h("p", {}, _("A hand was entered on another tablet or in another window a moment ago. Is yours the one after it?")), h("div", { class: "versions" }, side(theirs, last.facts, last.payments), side(_("Yours"), facts, screen.amounts())));
  return ask(_("Is this the next hand?"), content, [
    { text: _("It is the next hand: record it"), value: "next", kind: "" },
    { text: _("It is one hand, and theirs is right"), value: "theirs" },
    CANCEL(),
  ]);
}

// Time was called and the hands that may follow are recorded: this one must have been begun before.
export function late(clock) {
  const time = { time: timeOfDay(clock.signal_at) };
  const text = clock.is_one_more
    ? _("The last hand was called at %(time)s; one more is played only if the dice had just been thrown then.", time)
    : _("Time was called at %(time)s; only the current hand may be finished.", time);
  return ask(_("Was this hand begun in time?"), h("p", {}, text), [
    { text: _("It was begun in time: record it"), value: true, kind: "" },
    { text: _("It does not count"), value: false },
  ]);
}

// Taking back the last hand

export async function undo(screen, hand, needsReason) {
  const reason = needsReason ? reasonField(_("Why is it taken back?"), MISTAKES()) : null;
  const content = h("div", {}, handLines(screen, hand.facts), amountsRow(screen, hand.payments), reason?.element);
  const text = reason ? () => wrapped(reason.take(), "reason") : () => ({});
  const change = () => {
    const given = text();
    return given && { ...given, isChanged: true };
  };
  return ask(_("Take back hand %(number)s?", { number: hand.number }), content, [
    { text: _("Take it back"), take: text, kind: "button-danger" },
    { text: _("Change it"), take: change },
    { text: _("Keep it"), value: null },
  ]);
}

function wrapped(value, name) {
  return value === undefined ? undefined : { [name]: value };
}

// Correcting an earlier hand

export async function correction(screen) {
  const hand = screen.correcting;
  const facts = screen.facts;
  const ripples = await ripplesOf(screen, { facts, number: hand });
  if (!ripples) return;
  const reason = reasonField(_("Why is it corrected?"), MISTAKES());
  const old = screen.sheet.hands.find((one) => one.number === hand);
  const moved = movedBy(screen, ripples, hand);
  const content = h("div", {}, versions(screen, old, facts, ripples.ruled), moved.element, reason.element);
  const given = await ask(_("Correct hand %(number)s?", { number: hand }), content, [{ text: _("Correct it"), take: () => withReason(reason, moved), kind: "" }, CANCEL()], { wide: true });
  if (!given) return;
  await screen.storing(() => screen.write("correct", { facts, number: hand, ...given }));
  screen.clear();
  screen.say(_("Hand %(number)s is corrected.", { number: hand }));
  screen.goOn();
}

// The reason, and how the later hands are dealt where that makes a difference.
function withReason(reason, moved) {
  const text = reason.take();
  return text === undefined ? undefined : { reason: text, ...moved.chosen() };
}

// What a change of an earlier hand moves: with later hands dealt as the rules go on, and dealt as they were played.
async function ripplesOf(screen, body) {
  const ruled = await rippleOf(screen, { ...body, keep_dealers: false }, { isQuiet: true });
  const kept = await rippleOf(screen, { ...body, keep_dealers: true }, { isQuiet: Boolean(ruled) });
  return ruled || kept ? { ruled: ruled ?? kept, kept: kept ?? ruled, isForced: !ruled } : null;
}

// Before and after; where the dealers of later hands differ, a box says that they stay, and what is shown follows it.
function movedBy(screen, { ruled, kept, isForced }, hand) {
  const isSame = JSON.stringify([ruled.after, ruled.changed]) === JSON.stringify([kept.after, kept.changed]);
  const shown = h("div", {});
  const box = h("input", { type: "checkbox", id: "keep-dealers", checked: isForced, disabled: isForced, onchange: () => fill() });
  const fill = () => refill(shown, rippleTable(screen, box.checked ? kept : ruled), later(screen, box.checked ? kept : ruled, hand));
  fill();
  const why = isForced
    ? _("By the rules the later hands could not follow; they stand only with the dealers as they were played.")
    : _("The later hands were dealt as they are recorded; who deals after them follows from the last.");
  const choice = h("div", { class: "keep-dealers" }, h("label", { for: "keep-dealers" }, box, " ", _("Keep the dealers as they were played")), h("p", { class: "soft" }, why));
  const isShown = !isSame || isForced;
  return { element: h("div", {}, isShown ? choice : null, shown), chosen: () => (isShown ? { keep_dealers: box.checked } : {}) };
}

// What a change of an earlier hand would move, as the server works it out; nothing where it cannot be.
async function rippleOf(screen, body, { isQuiet = false } = {}) {
  try {
    await screen.authorized();
    return await screen.server.post(`${screen.path}preview/`, body);
  } catch (error) {
    if (error instanceof Unreachable) screen.say(_("A correction needs a connection."), { kind: "warning" });
    else if (!(error instanceof Refused)) throw error;
    else if (!isQuiet) screen.say(error.problem.title, { kind: "error" });
    return null;
  }
}

function versions(screen, old, facts, ripple) {
  return h(
    "div",
    { class: "versions" },
    h("section", {}, h("h3", {}, _("As it stands")), handLines(screen, old.facts), amountsRow(screen, old.payments)),
    h("section", {}, h("h3", {}, _("As it would be")), handLines(screen, facts), amountsRow(screen, ripple.payments)),
  );
}

function rippleTable(screen, { before, after }) {
  const hasPoints = Object.values(after).some((one) => one.tournament_points !== null);
  const cell = (one, other) => h("td", { class: one === other ? "" : "is-new" }, one === other ? one : `${one} → ${other}`);
  return h(
    "table",
    { class: "ripple" },
    h("caption", {}, _("What changes at this table")),
    h("thead", {}, h("tr", {}, [_("Player"), _("Points"), _("Place"), hasPoints ? _("TP") : null].filter(Boolean).map((title) => h("th", { scope: "col" }, title)))),
    h(
      "tbody",
      {},
      screen.seats.map((seat) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, screen.names.short[seat]),
          cell(signed(before[seat].points), signed(after[seat].points)),
          cell(share(before[seat].place), share(after[seat].place)),
          hasPoints ? cell(share(before[seat].tournament_points), share(after[seat].tournament_points)) : null,
        ),
      ),
    ),
  );
}

function later(screen, { changed, reopens }, hand) {
  const others = changed.filter((one) => one.number !== hand);
  return h(
    "div",
    {},
    others.length
      ? [h("p", {}, _("Later hands change too:")), h("ul", { class: "hand-lines" }, others.map((one) => h("li", {}, laterWords(screen, one))))]
      : h("p", { class: "soft" }, _("No later hand changes.")),
    reopens ? h("p", { class: "tablet-notice" }, icon("alert"), _("The players confirm the result anew.")) : null,
  );
}

function laterWords(screen, { number: hand, before, after }) {
  const name = before.dealer === after.dealer ? _("Hand %(number)s", { number: hand }) : _("Hand %(number)s, dealer %(dealer)s", { number: hand, dealer: screen.names.short[after.dealer] });
  const moves = screen.seats
    .filter((seat) => (before.payments[seat] ?? 0) !== (after.payments[seat] ?? 0))
    .map((seat) => `${screen.names.short[seat]} ${signed(before.payments[seat] ?? 0)} → ${signed(after.payments[seat] ?? 0)}`);
  return moves.length ? `${name}: ${moves.join(", ")}` : name;
}

export async function strike(screen, hand) {
  const ripples = await ripplesOf(screen, { number: hand.number });
  if (!ripples) return;
  const moved = movedBy(screen, ripples, hand.number);
  const reason = reasonField(_("Why is it void?"), [_("Entered by mistake"), _("This hand was entered twice")]);
  const content = h("div", {}, handLines(screen, hand.facts), amountsRow(screen, hand.payments), moved.element, h("p", {}, _("Later hands move up one number.")), reason.element);
  const given = await ask(_("Void hand %(number)s?", { number: hand.number }), content, [{ text: _("Void the hand"), take: () => withReason(reason, moved), kind: "button-danger" }, CANCEL()], { wide: true });
  if (!given) return;
  await screen.write("void", { number: hand.number, ...given });
  screen.say(_("Hand %(number)s is void.", { number: hand.number }));
}

// Two versions, and a person decides; says whether it is decided

export async function conflict(screen, stuck) {
  const { problem } = stuck;
  // What came to the table since this was entered is asked about in its turn, and never passed over.
  // A hand that is asked about because of the one before it stands on top of that one, which may be on the server by now.
  const now = Math.max(problem.current?.version ?? stuck.body.seen, stuck.isDoubted ? stuck.body.seen : 0);
  if (problem.current) {
    screen.take(stateOf(screen.state, problem.current));
    await store.keep(screen.place, screen.state);
  } else await screen.refresh();
  const answer = await ask(titleOf(stuck), h("div", {}, ...sides(screen, stuck)), choicesOf(screen, stuck), { wide: Boolean(problem.current?.since) });
  if (!answer) return false;
  if (answer.call) {
    if (!screen.state.called) screen.call();
    return false;
  }
  if (!screen.outbox.isStuck(stuck)) {
    screen.say(_("This entry was decided in another window."), { kind: "warning" });
    return false;
  }
  if (answer.reason) {
    const reason = reasonField(_("Give the reason"), MISTAKES());
    const given = await ask(titleOf(stuck), reason.element, [{ text: _("Send it"), take: reason.take, kind: "" }, CANCEL()]);
    if (given) await screen.outbox.again(stuck, now, { reason: given });
  }
  if (answer.again) await screen.outbox.again(stuck, now, answer.body);
  if (answer.aside) await screen.outbox.drop(stuck, now, problem.code, { isOpen: counts(stuck) });
  if (answer.drop && (await dropped(screen, stuck, answer.drop))) await screen.outbox.drop(stuck, answer.drop.entry ?? now, answer.drop.entry ? "one" : "dropped");
  if (answer.change) screen.mend(stuck);
  return !screen.outbox.isStuck(stuck);
}

// Entries that carry points: until somebody has decided what becomes of them they are told as not sent.
function counts({ operation }) {
  return ["hands", "final"].includes(operation);
}

// What is not recorded leaves its reason in the history, or the hand that it is one with; says whether the server has it.
async function dropped(screen, entry, { oneWith = null, isAsked = true }) {
  let reason = "";
  if (isAsked) {
    const field = reasonField(_("Why is it not recorded?"), [_("The other version is right"), _("This hand was entered twice"), _("It was not played")]);
    reason = await ask(_("Drop this entry?"), h("div", {}, h("p", {}, operationWords(entry)), entry.body.facts && isHere(screen, entry) ? handLines(screen, entry.body.facts) : null, field.element), [
      { text: _("Drop it"), take: field.take, kind: "button-danger" },
      CANCEL(),
    ]);
    if (!reason) return false;
  }
  const { seen, sure, ...body } = entry.body;
  const told = { operation: entry.operation, number: entry.shown?.number ?? 0, at: new Date(entry.madeAt).toISOString(), ...body };
  try {
    await screen.authorized();
    const path = `session-${entry.session}/table-${entry.table}/drop/`;
    await screen.server.post(path, { seen: 0, entry: told, ...(oneWith ? { one_with: oneWith } : {}), ...(reason ? { reason } : {}) }, { key: entry.dropKey ?? makeKey() });
    return true;
  } catch (error) {
    if (error instanceof Refused) screen.say(error.problem.title, { kind: "error" });
    else if (error instanceof Unreachable) screen.say(_("No connection: this can be decided when it is back. Until then it is shown as not sent."), { kind: "warning" });
    else throw error;
    return false;
  }
}

function isHere(screen, { session, table }) {
  return session === screen.session && table === screen.table;
}

// A hand that was set aside: it is recorded now, is one with another, or is dropped with a reason.
export async function aside(screen, entry) {
  const { hands } = screen.state;
  const same = hands.find((hand) => isSameHand(hand.facts, entry.body.facts));
  const isHand = entry.operation === "hands";
  const isOpen = screen.state.state === "open" && screen.state.session_state === "open";
  const content = h(
    "div",
    {},
    h("p", {}, _("This entry is on this tablet only. Say what becomes of it.")),
    h("p", {}, h("strong", {}, operationWords(entry)), ` · ${timeOfDay(entry.madeAt)}`),
    entry.body.facts ? handLines(screen, entry.body.facts) : null,
    entry.shown?.payments ? amountsRow(screen, entry.shown.payments) : null,
    same ? h("p", {}, _("Hand %(number)s on the server is the same.", { number: same.number })) : null,
  );
  const answer = await ask(_("Not sent: %(what)s", { what: operationWords(entry) }), content, [
    same ? { text: _("It is one hand"), value: { oneWith: same.number, isAsked: false }, kind: "" } : null,
    isOpen ? { text: isHand ? _("Record it as hand %(number)s", { number: screen.sheet.next.number }) : _("Send it now"), value: "send", kind: same ? "button-quiet" : "" } : null,
    { text: _("Drop it, with a reason"), value: {} },
    CANCEL(),
  ].filter(Boolean));
  if (!answer) return;
  if (answer === "send") {
    const { seen, ...body } = entry.body;
    await screen.write(entry.operation, body, { ...entry.shown, number: isHand ? screen.sheet.next.number : undefined });
    await screen.outbox.decideAside(entry, "sent");
    return screen.say(_("It is sent."));
  }
  if (!(await dropped(screen, entry, answer))) return;
  await screen.outbox.decideAside(entry, "dropped");
  screen.say(answer.oneWith ? _("It is one with hand %(number)s.", { number: answer.oneWith }) : _("It is dropped; the reason is in the history."));
}

// What is entered and not saved is asked about before the table is ended, confirmed or left; says whether to go on.
export async function unsavedFirst(screen, { mayLeave = false } = {}) {
  if (!screen.unsaved) return true;
  const number = screen.unsaved;
  const facts = screen.facts;
  const maySave = screen.isReady && !screen.problem && screen.sheet.state === "open" && screen.sheet.session_state === "open";
  const content = h("div", {}, h("p", {}, maySave ? _("It is entered here and not on the server.") : _("It is not finished, and not on the server.")), facts.events.length ? handLines(screen, facts) : null);
  const answer = await ask(_("Hand %(number)s is not saved", { number }), content, [
    maySave ? { text: _("Save hand %(number)s", { number }), value: "save", kind: "" } : null,
    mayLeave ? { text: _("Leave it on this tablet for later"), value: "leave" } : null,
    { text: _("Clear this entry"), value: "clear" },
    CANCEL(),
  ].filter(Boolean));
  if (answer === "save") {
    await screen.save();
    return !screen.unsaved;
  }
  if (answer === "clear") screen.clear();
  return answer === "clear" || answer === "leave";
}

// What a conflict tells of the table, beside what does not change with its entries.
function stateOf(before, { since, ...state }) {
  return { ...before, ...state };
}

function titleOf(stuck) {
  if (stuck.problem.code === "sequence") return _("Somebody else has changed this table");
  if (stuck.problem.code === "looks_doubled") return _("The same hand twice?");
  return _("Not accepted: %(what)s", { what: operationWords(stuck) });
}

function sides(screen, stuck) {
  const { problem, body } = stuck;
  const mine = h(
    "section",
    {},
    h("h3", {}, _("Entered here at %(time)s", { time: timeOfDay(stuck.madeAt) })),
    h("p", {}, operationWords(stuck)),
    body.facts ? handLines(screen, body.facts) : null,
    body.facts && stuck.shown?.payments ? amountsRow(screen, stuck.shown.payments) : null,
  );
  const since = problem.current?.since;
  if (!since) return [h("p", {}, problem.title), ...reasons(problem), mine];
  return [h("p", {}, problem.title), h("div", { class: "versions" }, h("section", {}, h("h3", {}, _("On the server meanwhile")), since.map((one) => entered(screen, one))), mine)];
}

function reasons(problem) {
  return (problem.problems ?? []).slice(1).map((one) => h("p", {}, one.sentence));
}

const KINDS = {
  hand_recorded: (details) => _("Hand %(number)s was entered.", details),
  hand_corrected: (details) => _("Hand %(number)s was corrected.", details),
  hand_undone: (details) => _("Hand %(number)s was taken back.", details),
  hand_voided: (details) => _("Hand %(number)s was voided.", details),
  hand_restored: (details) => _("Hand %(number)s was put back.", details),
  protocol_ended: () => _("The session of this table was ended."),
  protocol_resumed: () => _("The table plays on."),
  seat_confirmed: () => _("A player has confirmed."),
  protocol_signed_off: () => _("The referee has signed the table off."),
  final_result_recorded: () => _("The final result was entered."),
  objection_noted: () => _("A player objected to the result."),
  seats_repaired: () => _("Wrong seats were repaired."),
};

function entered(screen, { kind, at, data }) {
  const words = KINDS[kind]?.(data) ?? kind;
  return h(
    "div",
    { class: "entered" },
    h("p", {}, `${timeOfDay(at)} · ${words}`),
    data.facts ? handLines(screen, data.facts) : null,
    data.payments ? amountsRow(screen, data.payments) : null,
  );
}

function choicesOf(screen, stuck) {
  const { code, status } = stuck.problem;
  const isHand = stuck.operation === "hands";
  const aside = { text: counts(stuck) ? _("Set it aside for now") : _("Set mine aside"), value: { aside: true } };
  const laterChoice = { text: _("Decide later"), value: null };
  const drop = counts(stuck) ? { text: _("Drop it, with a reason"), value: { drop: {} } } : null;
  if (code === "sequence" && isHand) return choicesOfTwo(screen, stuck, [aside, laterChoice]);
  if (code === "looks_doubled") {
    return [
      { text: _("It is one hand"), value: { drop: { oneWith: screen.state.hands.at(-1)?.number, isAsked: false } }, kind: "" },
      { text: _("It happened twice: record it"), value: { again: true, body: { sure: true } } },
      laterChoice,
    ];
  }
  if (code === "time_over") {
    return [{ text: _("It was begun in time: record it"), value: { again: true, body: { sure: true } }, kind: "" }, drop, aside, laterChoice];
  }
  const needsReason = ["reason_required", "reason_length", "totals_mismatch"].includes(code);
  if (needsReason) return [{ text: _("Give the reason"), value: { reason: true }, kind: "" }, aside, laterChoice];
  // What the rules refuse is refused again: it wants to be changed.
  const change = isHand ? { text: _("Look at mine again"), value: { change: true }, kind: status === 422 ? "" : "button-quiet" } : null;
  const again = { text: _("Send mine again"), value: { again: true }, kind: isHand && status === 422 ? "button-quiet" : "" };
  return [...(isHand && status === 422 ? [change] : [again, change]), drop, aside, laterChoice].filter(Boolean);
}

// The same place of the table, entered twice: equal hands are one; of different ones a referee hears both sides.
function choicesOfTwo(screen, stuck, rest) {
  const since = stuck.problem.current?.since ?? [];
  const there = since.filter((one) => one.kind === "hand_recorded" && screen.state.hands.some((hand) => hand.number === one.data.number));
  const same = there.find((one) => isSameHand(one.data.facts, stuck.body.facts));
  const again = { text: _("It is another hand: record mine after it"), value: { again: true } };
  const change = { text: _("Look at mine again"), value: { change: true } };
  if (same) return [{ text: _("It is one hand"), value: { drop: { oneWith: same.data.number, entry: same.number, isAsked: false } }, kind: "" }, again, change, ...rest];
  const call = { text: screen.state.called ? _("The referee is called") : _("Call the referee"), value: { call: true }, kind: "" };
  const wordsOf = (one) => (there.length > 1 ? _("It is hand %(number)s, and theirs is right", one.data) : _("It is one hand, and theirs is right"));
  const yields = there.map((one) => ({ text: wordsOf(one), value: { drop: { oneWith: one.data.number, entry: one.number } } }));
  return [call, ...yields, again, change, ...rest];
}

// The queue

export async function queue(screen) {
  const { outbox } = screen;
  const set = (await store.aside()).filter((entry) => entry.slug === screen.slug && !entry.isOpen);
  const { asides } = outbox;
  const unsaved = screen.unsaved ? h("p", { class: "tablet-notice" }, icon("alert"), _("Hand %(number)s is entered and not saved.", { number: screen.unsaved })) : null;
  const content = h(
    "div",
    {},
    outbox.entries.length
      ? h("p", {}, _("These entries are kept on this device and go out by themselves, in order, when the connection is back."))
      : asides.length || unsaved
        ? null
        : h("p", {}, _("Everything entered here is on the server.")),
    unsaved,
    asides.length ? h("h3", {}, _("Not sent: somebody must decide")) : null,
    asides.length ? h("ol", { class: "queue" }, asides.map((entry) => h("li", {}, queued(screen, entry), decideButton(screen, entry)))) : null,
    h("ol", { class: "queue" }, outbox.entries.map((entry) => h("li", {}, queued(screen, entry)))),
    set.length ? h("details", { class: "disclosure" }, h("summary", {}, _("Decided: %(count)s", { count: set.length })), h("ol", { class: "queue" }, set.map((entry) => h("li", {}, queued(screen, entry))))) : null,
  );
  const act = await ask(_("Entries of this device"), content, [
    { text: _("Send now"), value: "send", kind: "", disabled: !outbox.entries.length },
    { text: _("Show as text and QR"), value: "text", disabled: !outbox.entries.length && !set.length && !asides.length },
    { text: _("Close"), value: null },
  ]);
  if (act === "send") outbox.flush();
  if (act === "text") await asText([...outbox.entries, ...asides, ...set]);
  if (act?.entry) await aside(screen, act.entry);
}

function decideButton(screen, entry) {
  if (!isHere(screen, entry)) return null;
  return button(_("Decide"), () => document.querySelector("dialog[open]").dismiss({ entry }), { kind: "button-quiet", id: `decide-${entry.key}` });
}

function queued(screen, entry) {
  const words = _("Session %(session)s, table %(table)s", placeOf(entry));
  const where = isHere(screen, entry) ? words : h("a", { href: tableAddress(screen.home, entry) }, words);
  return [
    h("p", {}, h("strong", {}, operationWords(entry)), " · ", where, ` · ${timeOfDay(entry.madeAt)}`),
    entry.problem ? h("p", { class: "tablet-notice" }, icon("alert"), entry.problem.title) : null,
    entry.body.facts && isHere(screen, entry) ? handLines(screen, entry.body.facts) : null,
  ];
}

// For a dead server or a broken tablet: everything that is needed to enter the hands elsewhere.
async function asText(entries) {
  const lines = entries.map(({ session, table, operation, body, madeAt }) => JSON.stringify({ session, table, operation, ...body, at: new Date(madeAt).toISOString() }));
  const text = h("textarea", { class: "input queue-text", readOnly: true, rows: 8, value: lines.join("\n"), "aria-label": _("Unsent entries as text") });
  await ask(_("Unsent entries as text"), h("div", {}, text, ...codesOf(lines)), [{ text: _("Close"), value: null }], { wide: true });
}

const MOST_OF_A_CODE = 800;

// As many lines to a code as a phone's camera still reads with ease.
function codesOf(lines) {
  const parts = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + line.length < MOST_OF_A_CODE) parts[parts.length - 1] = `${last}\n${line}`;
    else parts.push(line);
  }
  return parts.map((part, place) => {
    const modules = qrOf(part);
    const label = _("Code %(number)s of %(count)s", { number: place + 1, count: parts.length });
    return modules ? h("figure", { class: "queue-code" }, qrPicture(modules, qrPath(modules), label), h("figcaption", {}, label)) : null;
  });
}

// Everything rarer

export async function more(screen, sheet) {
  const isOpen = sheet.state === "open" && sheet.session_state === "open";
  const may = (what) => screen.me?.may?.includes(what);
  const choices = [
    ["hands", _("Hands of this table"), true, "list"],
    ["end", _("End of the session"), isOpen && sheet.mode !== "final_result" && !screen.correcting, "check"],
    ["sign", _("Sign off without the missing confirmations"), may("correct_hands") && sheet.state === "ended", "edit"],
    ["seats", _("Wrong seats"), may("correct_hands") && sheet.session_state !== "planned", "swap"],
    ["objection", _("Objection to the result"), sheet.session_state === "open", "scales"],
    ["penalty", _("Penalty"), may("judge") && Boolean(penaltyAddress(screen)), "scales"],
    ["board", _("The table as it stands"), true, "table"],
    ["phones", _("Players' phones"), sheet.session_state === "open" && Boolean(screen.state.phones), "tablet"],
    ["full", _("Full screen"), Boolean(document.documentElement.requestFullscreen), "fullscreen"],
    ["queue", _("Entries of this device"), true, "queue"],
    ["tables", _("All tables"), true, "list"],
    ["newer", _("Start the new version of this screen"), Boolean(screen.newer), "refresh"],
  ].filter(([, , isShown]) => isShown);
  const box = h("div", { class: "more-list" });
  let close;
  for (const [value, text, , sign] of choices) {
    box.append(button(text, () => close(value), { kind: "button-quiet button-wide" }, icon(sign)));
  }
  box.append(looks());
  const waiting = ask(_("More"), box, [{ text: _("Close"), value: null }]);
  close = (value) => document.querySelector("dialog[open]").dismiss(value);
  const chosen = await waiting;
  const acts = {
    hands: () => hands(screen),
    end: () => end(screen),
    sign: () => signOff(screen),
    seats: () => wrongSeats(screen),
    penalty: () => leave(screen, penaltyAddress(screen)),
    objection: () => objection(screen),
    board: () => board(screen),
    phones: () => phones(screen),
    full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
    queue: () => queue(screen),
    tables: () => leave(screen, screen.home),
    newer: () => screen.newer(),
  };
  await acts[chosen]?.();
}

async function leave(screen, address) {
  if (await unsavedFirst(screen, { mayLeave: true })) location.assign(address);
}

function penaltyAddress(screen) {
  return document.querySelector("main").dataset.penalty?.replace("session-0", `session-${screen.session}`).replace("table-0", `table-${screen.table}`);
}

export async function end(screen) {
  if (!(await unsavedFirst(screen))) return;
  const { points } = screen.sheet;
  const content = h("div", {}, h("p", {}, _("No more hands are played. The players confirm the result on this tablet.")), amountsRow(screen, points));
  const sure = await ask(_("End of the session?"), content, [{ text: _("End of the session"), value: true, kind: "" }, CANCEL()]);
  if (sure) await screen.write("end", {});
}

// A player finds a hand wrong: what was recorded, what is said against it, and every way to mend it.
export async function dispute(screen, { hand: number, wind: seat, text }) {
  const hand = screen.sheet.hands.find((one) => one.number === number);
  if (!hand) return;
  const isLast = hand === screen.sheet.hands.at(-1) && screen.mayUndo(screen.sheet);
  const mayCorrect = screen.me?.may?.includes("correct_hands") && hand.isSent;
  const content = h(
    "div",
    {},
    handLines(screen, hand.facts),
    amountsRow(screen, hand.payments),
    text ? h("p", {}, `${screen.names.full[seat]}: `, h("q", {}, text)) : null,
    h("p", { class: "soft" }, _("Ask the table. If the hand is right after all, the player says so on the phone, or a referee lets it stand at the desk.")),
  );
  const answer = await ask(_("%(name)s: hand %(number)s is wrong", { name: screen.names.short[seat], number }), content, [
    isLast ? { text: _("Take it back"), value: "undo", kind: "" } : null,
    mayCorrect ? { text: _("Correct hand %(number)s", { number }), value: "correct", kind: isLast ? "button-quiet" : "" } : null,
    screen.state.called ? null : { text: _("Call the referee"), value: "call", kind: isLast || mayCorrect ? "button-quiet" : "" },
    CANCEL(),
  ].filter(Boolean));
  if (answer === "undo") await screen.undo();
  if (answer === "correct") screen.correct(hand);
  if (answer === "call") await screen.call();
}

// The players' own phones: they read this code, and each hand is shown there and asked about.
async function phones(screen) {
  const address = location.origin + screen.state.phones;
  const modules = qrOf(address);
  const content = h(
    "div",
    {},
    h("p", {}, _("After each hand the phone shows what was recorded and asks whether it is right. The dots beside the names fill as the players answer; nobody has to.")),
    modules ? h("figure", { class: "queue-code" }, qrPicture(modules, qrPath(modules), _("Code for the players' phones")), h("figcaption", {}, address)) : h("p", {}, address),
  );
  await ask(_("Players' phones"), content, [{ text: _("Close"), value: null }], { wide: true });
}

async function signOff(screen) {
  const reason = reasonField(_("Why are confirmations missing?"), [_("A player has left the hall"), _("A player refuses to confirm")]);
  const given = await ask(_("Sign this table off?"), reason.element, [{ text: _("Sign off"), take: reason.take, kind: "" }, CANCEL()]);
  if (given) await screen.write("sign-off", { reason: given });
}

// Who really sat where; the hands stay with the places.
async function wrongSeats(screen) {
  const { seats } = screen.system;
  const chosen = Object.fromEntries(seats.map((seat) => [seat, seat]));
  const wrong = h("p", { class: "field-errors", role: "alert", hidden: true }, _("Every player takes exactly one place."));
  const reason = reasonField(_("How did it happen?"), [_("Two players had exchanged seats"), _("The draw was read wrongly")]);
  const rows = seats.map((seat) =>
    h(
      "label",
      { class: "seat-choice" },
      windSign(seat),
      h(
        "select",
        { "aria-label": _("Who sat at %(wind)s", { wind: windName(seat) }), onchange: (event) => (chosen[seat] = event.target.value) },
        seats.map((other) => h("option", { value: other, selected: other === seat }, screen.names.full[other])),
      ),
    ),
  );
  const take = () => {
    wrong.hidden = new Set(Object.values(chosen)).size === seats.length && seats.some((seat) => chosen[seat] !== seat);
    if (!wrong.hidden) return undefined;
    const text = reason.take();
    return text === undefined ? undefined : { reason: text, sitting: Object.fromEntries(Object.entries(chosen).filter(([seat, other]) => seat !== other)) };
  };
  const content = h("div", {}, h("p", {}, _("Say who really sat where. The hands stay with the places; nothing has to be typed again.")), rows, wrong, reason.element);
  const given = await ask(_("Wrong seats"), content, [{ text: _("Repair the seats"), take, kind: "" }, CANCEL()]);
  if (!given) return;
  await screen.write("seats", given);
  screen.say(_("The seats are repaired."));
}

export async function objection(screen) {
  const names = screen.names.full;
  const who = h("select", { id: "objector" }, screen.system.seats.map((seat) => h("option", { value: seat }, names[seat])));
  const text = reasonField(_("What is wrong with the result?"), [_("A hand is missing"), _("The value of a hand is wrong"), _("A penalty is missing or wrong")]);
  const take = () => {
    const said = text.take();
    return said === undefined ? undefined : { wind: who.value, text: said };
  };
  const content = h("div", {}, h("div", { class: "field" }, h("label", { for: "objector" }, _("Who objects")), who), text.element);
  const given = await ask(_("Objection to the result"), content, [{ text: _("Call the referee with it"), take, kind: "" }, CANCEL()]);
  if (!given) return;
  await screen.write("objection", given);
  screen.say(_("The objection is noted, and the referee is called."));
}

async function hands(screen) {
  const mayCorrect = screen.me?.may?.includes("correct_hands");
  const { hands: all } = screen.sheet;
  let close;
  const list = all.map((hand) =>
    h(
      "li",
      {},
      h("h3", {}, screen.nameOf(hand.before, hand.number), h("small", {}, ` ${screen.lastSaid(hand)} · ${_("dealer %(name)s", { name: screen.names.short[hand.before.dealer] })}`)),
      handLines(screen, hand.facts),
      amountsRow(screen, hand.payments),
      mayCorrect && hand.isSent
        ? h(
            "div",
            { class: "row" },
            button(_("Correct"), () => close({ correct: hand }), { kind: "button-quiet", label: _("Correct hand %(number)s", { number: hand.number }) }),
            button(_("Void"), () => close({ strike: hand }), { kind: "button-quiet", label: _("Void hand %(number)s", { number: hand.number }) }),
          )
        : null,
    ),
  );
  const content = list.length ? h("ol", { class: "entered-hands", reversed: true }, list.reverse()) : h("p", {}, _("No hand has been entered yet."));
  const note = mayCorrect || !list.length ? null : h("p", { class: "soft" }, _("An earlier hand is corrected by a referee."));
  const waiting = ask(ngettext("%(count)s hand", "%(count)s hands", all.length), h("div", {}, note, content), [{ text: _("Close"), value: null }], { wide: true });
  close = (value) => document.querySelector("dialog[open]").dismiss(value);
  const chosen = await waiting;
  if (chosen?.correct) screen.correct(chosen.correct);
  if (chosen?.strike) await strike(screen, chosen.strike);
}

