// The end of a table's session: final points where sticks are counted, and the players' confirmations.

import { ask, button, h, icon, wind } from "./dom.js";
import * as dialogs from "./dialogs.js";
import { placesOf } from "./sheet.js";
import * as store from "./store.js";
import { _, number, signed, timeOfDay } from "./words.js";

// Final points

export function finalEntry(screen, sheet) {
  const seats = screen.system.seats;
  screen.final ??= { points: {}, left: "0" };
  const due = seats.length * sheet.start_points;
  const check = h("p", { class: "final-check", role: "status" });
  const save = button(_("Save the final result"), () => send(screen, seats), { kind: "button-big", id: "save-final" });
  const refresh = () => judge(screen, sheet, seats, due, check, save);
  const form = h(
    "div",
    { class: "scoring-closing" },
    h("h2", {}, _("Final points")),
    h("p", { class: "soft" }, _("Count the sticks of every player; together they are %(due)s.", { due: number(due) })),
    h(
      "div",
      { class: "final-grid" },
      seats.map((seat) => field(screen, seat, `${screen.names.full[seat]}`, screen.final.points[seat] ?? "", (value) => (screen.final.points[seat] = value), refresh)),
      field(screen, "", _("Left on the table"), screen.final.left, (value) => (screen.final.left = value), refresh),
    ),
    check,
    save,
  );
  refresh();
  return form;
}

function field(screen, seat, label, value, take, refresh) {
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
      store.keep(screen.draftName, { final: screen.final });
      refresh();
    },
  });
  return h("label", { class: "final-field", for: id }, seat ? wind(seat) : icon("table"), h("span", {}, label), input);
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
  if (session === "planned") return closing(_("The session has not started yet."), _("This screen changes by itself when the start signal is given."), list(screen, sheet));
  if (session === "closed") return closing(_("The session is closed."), _("Only the chief referee can change its results."), list(screen, sheet));
  if (state === "open" && sheet.next.is_over) {
    return closing(
      _("All hands are played."),
      _("Check the hands once more; then the players confirm the result."),
      list(screen, sheet),
      button(_("End of the session"), () => screen.write("end", {}), { kind: "button-big", id: "end" }),
    );
  }
  if (state === "confirmed") return closing(_("All have confirmed. This table is done."), _("Thank you. The referee can still correct a hand, with a reason."), list(screen, sheet), playOn(screen));
  if (state === "signed_off") return closing(_("The referee has signed this table off."), "", list(screen, sheet), playOn(screen));
  return closing(
    _("Is the result right? Everybody taps their own name."),
    sheet.mode === "final_result" ? "" : _("Whoever finds a mistake calls the referee before confirming."),
    objections(screen, sheet),
    list(screen, sheet, true),
    h("div", { class: "row" }, playOn(screen), button(_("Objection"), () => dialogs.objection(screen), { kind: "button-quiet", id: "objection" }, icon("scales"))),
  );
}

function objections(screen, sheet) {
  if (!sheet.objections?.length) return null;
  const lines = sheet.objections.map((one) => h("p", { class: "tablet-notice" }, icon("scales"), h("span", {}, h("strong", {}, screen.names.full[one.wind]), ` · ${timeOfDay(one.at)} · ${one.text}`)));
  return h("div", { class: "stack" }, lines);
}

function closing(title, text, ...content) {
  return h("div", { class: "scoring-closing" }, h("h2", {}, title), text ? h("p", { class: "soft" }, text) : null, ...content);
}

function playOn(screen) {
  return button(_("Play on"), () => resume(screen), { kind: "button-quiet", id: "resume" });
}

async function resume(screen) {
  const sure = await ask(_("Play on?"), h("p", {}, _("The confirmations given so far fall away.")), [
    { text: _("Play on"), value: true, kind: "" },
    { text: _("Go back"), value: false },
  ]);
  if (sure) await screen.write("resume", {});
}

function list(screen, sheet, isOpen = false) {
  const places = placesOf(sheet.points);
  return h(
    "div",
    { class: "confirm-grid" },
    sheet.seats
      .filter((seat) => seat.player)
      .map((seat) => {
        const isDone = seat.confirmed;
        const points = sheet.points[seat.wind];
        return h(
          "button",
          {
            type: "button",
            class: isDone ? "confirm-seat is-confirmed" : "confirm-seat",
            disabled: !isOpen || isDone,
            onclick: () => confirm(screen, sheet, seat),
            data: { focus: `confirm-${seat.wind}` },
          },
          h("span", { class: "confirm-name" }, wind(seat.wind), seat.player),
          h("strong", { class: points < 0 ? "is-negative" : "" }, signed(points)),
          h("span", { class: "confirm-state" }, isDone ? [icon("check"), _("Confirmed")] : _("Place %(place)s at this table", { place: places[seat.wind] })),
        );
      }),
  );
}

async function confirm(screen, sheet, seat) {
  const totals = Object.fromEntries(Object.entries(sheet.points));
  await screen.write("confirm", { wind: seat.wind, totals });
  screen.say(_("%(name)s has confirmed.", { name: seat.player }));
}
