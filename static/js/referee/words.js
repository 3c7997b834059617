// How offences, prices and what waits are said on the referee's phone.

import { MINUS, duration, number, windName, _ } from "../tablet/words.js";
import { lateNow } from "./rules.js";
import { placeOf } from "../tablet/numbers.js";

const KINDS = {
  call: "alert",
  answered: "check",
  late: "clock",
  dispute: "scales",
  appeal: "scales",
  dead_hand: "alert",
  proposed: "people",
};

export function iconOf(kind) {
  return KINDS[kind] ?? "info";
}

export function priceWords({ effect, cost, points, step, steps }) {
  if (effect === "warning") return _("Warning");
  if (effect === "dead_hand") return _("Dead hand");
  if (effect === "tournament_points") return _("%(points)s TP", { points: `${MINUS}${points}` });
  if (effect === "removal") return _("Removal from the event");
  if (effect === "disqualification") return _("Disqualification");
  if (!cost) return step === 1 ? _("Warning") : _("nothing more");
  return steps || points || cost ? `${MINUS}${number(cost)}` : "";
}

export function stepWords({ step, steps }) {
  return step ? _("step %(step)s of %(steps)s", { step, steps }) : "";
}

export function placeWords(places) {
  return places.now === places.then ? _("place %(place)s stays", { place: places.now }) : _("place %(now)s → %(then)s", places);
}

// A value that changes is written with what becomes of it.
export function changeWords({ now, then }, write = String) {
  return now === then ? write(now) : `${write(now)} → ${write(then)}`;
}

export function seatWords(seat) {
  return `${windName(seat.wind)}: ${seat.name}`;
}

export function whereWords({ session, table }) {
  if (!session) return _("The whole event");
  return table ? _("Session %(session)s, table %(table)s", placeOf({ session, table })) : _("Session %(session)s", { session });
}

// The minutes of somebody awaited, and what they cost now and next.
export function lateWords(item, now) {
  const seconds = (now - Date.parse(item.since)) / 1000;
  const { holds, next } = lateNow(item.bands, seconds);
  const cost = !holds ? "" : holds.is_replaced ? _("too late to play") : _("%(points)s if here now", { points: `${MINUS}${number(holds.points)}` });
  const left = next ? _("next price in %(time)s", { time: duration(next.seconds - seconds) }) : "";
  return [duration(seconds), cost, left].filter(Boolean).join(" · ");
}

export function connectionWords(outbox, age) {
  if (outbox.unsent && outbox.connection === "offline") return _("No connection · not sent: %(count)s", { count: outbox.unsent });
  if (outbox.unsent) return _("Not sent: %(count)s", { count: outbox.unsent });
  if (age === null) return _("Loading …");
  return age > 30 ? _("As of %(time)s ago", { time: duration(age) }) : _("Up to date");
}
