// The end of a table's session: final points where sticks are counted, and the players' confirmations.

import { ask, button, h, icon, wind } from "./dom.js";
import * as dialogs from "./dialogs.js";
import { makeKey } from "./keys.js";
import { Refused, Unreachable } from "./server.js";
import { placesOf } from "./sheet.js";
import * as store from "./store.js";
import { _, number, signed, timeOfDay } from "./words.js";

// Final points

export function finalEntry(screen, sheet) {
  const seats = screen.seats;
  screen.final ??= { points: {}, left: "0" };
  const due = seats.length * sheet.start_points;
  const check = h("p", { class: "final-check", role: "status" });
  const save = button(_("Save the final result"), () => send(screen, seats), { kind: "button-big", id: "save-final" });
  const refresh = () => judge(screen, sheet, seats, due, check, save);
  const enter = () => !save.disabled && send(screen, seats);
  const form = h(
    "div",
    { class: "scoring-closing" },
    h("h2", {}, _("Final points")),
    h("p", { class: "soft" }, _("Count the sticks of every player; together they are %(due)s.", { due: number(due) })),
    h(
      "div",
      { class: "final-grid" },
      seats.map((seat) => field(screen, seat, `${screen.names.full[seat]}`, screen.final.points[seat] ?? "", (value) => (screen.final.points[seat] = value), refresh, enter)),
      screen.system.hasRiichi ? field(screen, "", _("Left on the table"), screen.final.left, (value) => (screen.final.left = value), refresh, enter) : null,
    ),
    check,
    save,
  );
  refresh();
  return form;
}

// Keyboards of phones have no minus for a number.
function turnedSign(text) {
  const plain = String(text).trim();
  return /^[-\u2212\u2013]/.test(plain) ? plain.slice(1) : `-${plain}`;
}

// Enter saves what the button would save.
function field(screen, seat, label, value, take, refresh, enter) {
  const id = `final-${seat || "left"}`;
  const input = h("input", {
    id,
    class: "input final-input",
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    value: String(value),
    data: { focus: id },
    oninput: () => {
      take(input.value);
      store.keepAtOnce(screen.draftName, { final: screen.final });
      refresh();
    },
    onkeydown: (pressed) => {
      if (pressed.key === "Enter" && !pressed.repeat) enter();
    },
  });
  const turn = () => {
    input.value = turnedSign(input.value);
    input.dispatchEvent(new Event("input"));
  };
  const sign = seat ? button("±", turn, { kind: "button-quiet", id: `sign-${seat}`, label: _("Turn the sign: %(name)s", { name: label }) }) : null;
  return h("div", { class: "final-field" }, seat ? wind(seat) : icon("table"), h("label", { for: id }, label), sign ?? h("span"), input);
}

export function wholeNumber(text) {
  const plain = String(text).replace(/[\s\u202f\u00a0]/g, "").replace(/^[\u2212\u2013]/, "-");
  return /^-?\d{1,9}$/.test(plain) ? Number(plain) : null;
}

function judge(screen, sheet, seats, due, check, save) {
  const points = seats.map((seat) => wholeNumber(screen.final.points[seat] ?? ""));
  const left = wholeNumber(screen.final.left || "0");
  const all = [...points, left];
  let text;
  if (all.includes(null)) text = _("Enter a whole number for everybody.");
  else if (all.some((amount) => amount % sheet.points_unit)) text = _("Points are multiples of %(unit)s.", { unit: sheet.points_unit });
  else if (left < 0) text = _("What is left on the table cannot be negative.");
  else {
    const difference = all.reduce((sum, amount) => sum + amount, 0) - due;
    text = difference === 0 ? "" : difference > 0 ? _("Together this is %(more)s too much.", { more: number(difference) }) : _("Together this is %(less)s too little.", { less: number(-difference) });
  }
  check.textContent = text || _("The sum is right.");
  check.className = text ? "final-check is-wrong" : "final-check is-right";
  save.disabled = Boolean(text);
}

async function send(screen, seats) {
  const points = Object.fromEntries(seats.map((seat) => [seat, wholeNumber(screen.final.points[seat])]));
  await screen.write("final", { points, left_on_table: wholeNumber(screen.final.left || "0") });
  screen.final = null;
  store.forget(screen.draftName);
  screen.say(_("The final result is entered."));
}

// Confirmations

export function confirmation(screen, sheet) {
  const { session_state: session, state } = sheet;
  if (session === "planned") return closing(_("The session has not started yet."), _("This screen changes by itself when the start signal is given."), seated(sheet));
  if (session === "closed") return closing(_("The session is closed."), _("Only the chief referee can change its results."), list(screen, sheet));
  if (state === "open" && sheet.next.is_over) {
    return closing(
      _("All hands are played."),
      _("Check the hands once more; then the players confirm the result."),
      list(screen, sheet),
      button(_("End of the session"), () => endNow(screen), { kind: "button-big", id: "end" }),
    );
  }
  const onward = maySettle(screen) ? playOn(screen, true) : null;
  if (state === "confirmed") return closing(_("All have confirmed. This table is done."), _("Thank you. The referee can still correct a hand, with a reason."), list(screen, sheet), onward);
  if (state === "signed_off") return closing(_("The referee has signed this table off."), "", list(screen, sheet), onward);
  return closing(
    sheet.asks_pin ? _("Is the result right? Everybody taps their own name and enters their PIN.") : _("Is the result right? Everybody taps their own name."),
    sheet.mode === "final_result" ? "" : _("Whoever finds a mistake calls the referee before confirming."),
    objections(screen, sheet),
    list(screen, sheet, true),
    h("p", { class: "soft" }, isJudged(sheet) ? _("These are the points of the hands. The places count what the judges took or gave as well.") : _("These are the points of the hands. What a referee has taken for penalties or lateness is not in them.")),
    h("div", { class: "row" }, playOn(screen), button(_("Objection"), () => dialogs.objection(screen), { kind: "button-quiet", id: "objection" }, icon("scales"))),
  );
}

async function endNow(screen) {
  if (await dialogs.unsavedFirst(screen)) await screen.write("end", {});
}

function objections(screen, sheet) {
  if (!sheet.objections?.length) return null;
  const lines = sheet.objections.map((one) => h("p", { class: "tablet-notice" }, icon("scales"), h("span", {}, h("strong", {}, screen.names.full[one.wind]), ` · ${timeOfDay(one.at)} · ${one.text}`)));
  return h("div", { class: "stack" }, lines);
}

// It may be longer than the screen and hold nothing to press: keys must be able to scroll it.
function closing(title, text, ...content) {
  return h("div", { class: "scoring-closing", role: "region", "aria-label": title, tabindex: "0" }, h("h2", {}, title), text ? h("p", { class: "soft" }, text) : null, ...content);
}

// What has been confirmed or signed off is a referee's to take up again.
function maySettle(screen) {
  return screen.me?.may?.includes("correct_hands");
}

function playOn(screen, needsReason = false) {
  return button(_("Play on"), () => resume(screen, needsReason), { kind: "button-quiet", id: "resume" });
}

async function resume(screen, needsReason) {
  const reason = needsReason ? dialogs.reasonField(_("Why does the table play on?"), [_("A hand is missing"), _("It was ended by mistake")]) : null;
  const take = () => {
    if (!reason) return {};
    const given = reason.take();
    return given === undefined ? undefined : { reason: given };
  };
  const body = await ask(_("Play on?"), h("div", {}, h("p", {}, _("The confirmations given so far fall away.")), reason?.element), [
    { text: _("Play on"), take, kind: "" },
    { text: _("Go back"), value: null },
  ]);
  if (body) await screen.write("resume", body);
}

// What judges took or gave before the places; where it counts after them, nothing stands here.
function isJudged(sheet) {
  return Object.keys(sheet.taken ?? {}).length > 0;
}

function counted(sheet) {
  return Object.fromEntries(Object.entries(sheet.points).map(([wind, points]) => [wind, points + (sheet.taken?.[wind] ?? 0)]));
}

// Places as the standings will have them: equal players share the best one, or its average with the next, or stand in the order of their seats.
export function placesAtTable(sheet) {
  const points = counted(sheet);
  const places = placesOf(points);
  if (sheet.place_rule === "seat_order") {
    const seats = sheet.seats.map((seat) => seat.wind).filter((seat) => seat in points);
    const sooner = (seat) => seats.slice(0, seats.indexOf(seat)).filter((other) => points[other] === points[seat]).length;
    return Object.fromEntries(Object.entries(places).map(([seat, place]) => [seat, place + sooner(seat)]));
  }
  if (sheet.place_rule !== "average") return places;
  const equal = (seat) => Object.values(points).filter((amount) => amount === points[seat]).length;
  return Object.fromEntries(Object.entries(places).map(([seat, place]) => [seat, (place + (equal(seat) - 1) / 2).toLocaleString(document.documentElement.lang)]));
}

// Before the start signal nobody has a place yet.
function seated(sheet) {
  const people = sheet.seats.filter((seat) => seat.player);
  return h(
    "div",
    { class: "confirm-grid" },
    people.map((seat) => h("div", { class: "confirm-seat" }, h("span", { class: "confirm-name" }, wind(seat.wind), seat.player), sheet.start_points ? h("strong", {}, number(sheet.start_points)) : null)),
  );
}

function list(screen, sheet, isOpen = false) {
  const places = placesAtTable(sheet);
  return h(
    "div",
    { class: "confirm-grid" },
    sheet.seats
      .filter((seat) => seat.player)
      .map((seat) => {
        const isDone = seat.confirmed;
        const hasLeft = seat.left_after !== undefined && !seat.taken_from;
        const points = sheet.points[seat.wind];
        return h(
          "button",
          {
            type: "button",
            class: isDone ? "confirm-seat is-confirmed" : "confirm-seat",
            disabled: !isOpen || isDone || hasLeft,
            onclick: () => confirm(screen, sheet, seat),
            data: { focus: `confirm-${seat.wind}` },
          },
          h("span", { class: "confirm-name" }, wind(seat.wind), seat.player),
          // Where sticks are counted before everybody, the count comes first and what was won or lost after it.
          sheet.start_points ? h("strong", {}, number(points + sheet.start_points)) : null,
          h(sheet.start_points ? "span" : "strong", { class: points < 0 ? "is-negative" : "" }, signed(points)),
          sheet.taken?.[seat.wind] ? h("span", { class: "confirm-taken" }, icon("scales"), _("Judges: %(points)s", { points: signed(sheet.taken[seat.wind]) })) : null,
          h("span", { class: "confirm-state" }, hasLeft ? _("Has left") : isDone ? [icon("check"), _("Confirmed")] : _("Place %(place)s at this table", { place: places[seat.wind] })),
        );
      }),
  );
}

// A PIN is checked by the server while the player stands there: it is never queued and never kept on the device.
async function confirmWithPin(screen, sheet, seat, totals) {
  if (screen.pending.length) return screen.say(_("Some entries of this table are not sent yet. A PIN can be checked when they are."), { kind: "warning" });
  const key = makeKey();
  const input = h("input", { id: "pin", class: "input pin-input", type: "password", inputmode: "numeric", autocomplete: "off", maxLength: 4, "aria-describedby": "pin-wrong" });
  const wrong = h("p", { id: "pin-wrong", class: "field-errors", role: "alert", hidden: true });
  const refuse = (text) => {
    wrong.textContent = text;
    wrong.hidden = false;
    input.value = "";
    input.focus();
  };
  const send = async () => {
    if (!/^[0-9]{4}$/.test(input.value)) return refuse(_("A PIN has four digits."));
    try {
      await screen.authorized();
      const answer = await screen.server.post(`${screen.path}confirm/`, { seen: screen.seen, wind: seat.wind, totals, pin: input.value }, { key });
      document.querySelector("dialog[open]")?.dismiss({ answer });
    } catch (error) {
      if (error instanceof Refused) refuse(error.problem.title);
      else if (error instanceof Unreachable) refuse(_("No connection: a PIN can be checked when it is back. A referee may confirm instead."));
      else throw error;
    }
  };
  input.addEventListener("keydown", (event) => event.key === "Enter" && send());
  const help = h("p", { class: "soft" }, _("It stands on your own page and on your card."));
  const content = h("div", {}, h("div", { class: "field" }, h("label", { for: "pin" }, _("PIN of %(name)s", { name: seat.player })), input, help, wrong));
  const choices = [
    { text: _("Confirm"), take: () => void send(), kind: "" },
    maySettle(screen) ? { text: _("Confirm in the player's stead"), value: { instead: true } } : null,
    { text: _("Go back"), value: null },
  ].filter(Boolean);
  const given = await ask(_("Confirm the result?"), content, choices);
  if (given?.instead) return confirmInstead(screen, seat, totals);
  if (!given) return screen.refresh();
  screen.take(given.answer.state);
  screen.say(_("%(name)s has confirmed.", { name: seat.player }));
}

async function confirmInstead(screen, seat, totals) {
  const reason = dialogs.reasonField(_("Why does the referee confirm for %(name)s?", { name: seat.player }), [_("The player has forgotten the PIN"), _("The player has left the hall")]);
  const given = await ask(_("Confirm in the player's stead"), reason.element, [
    { text: _("Confirm"), take: reason.take, kind: "" },
    { text: _("Go back"), value: null },
  ]);
  if (!given) return;
  await screen.write("confirm", { wind: seat.wind, totals, reason: given });
  screen.say(_("Confirmed for %(name)s.", { name: seat.player }));
}

async function confirm(screen, sheet, seat) {
  if (!(await dialogs.unsavedFirst(screen))) return;
  const totals = Object.fromEntries(Object.entries(sheet.points));
  if (sheet.asks_pin) return confirmWithPin(screen, sheet, seat, totals);
  await screen.write("confirm", { wind: seat.wind, totals });
  screen.say(_("%(name)s has confirmed.", { name: seat.player }));
}
