// The table as it stands, with what this device has entered and not yet sent: points, dealer, hands, confirmations.

import { inTurn } from "./systems/account.js";
import { arithmeticOf } from "./systems/index.js";

const BET = 1000;
const WINDS = ["E", "S", "W", "N"];

export function seatsOf(state) {
  return state.seats.filter((seat) => seat.player).map((seat) => seat.wind);
}

// Whether a player has left in the middle of the game, so that nobody sits there in a hand.
function isEmpty(seat, number) {
  if (seat.left_after === undefined || number <= seat.left_after) return false;
  return !seat.taken_from || number < seat.taken_from;
}

export function seatsIn(state, number) {
  const rows = state.seats.filter((seat) => seat.player && !isEmpty(seat, number));
  return rows.map((seat) => seat.wind);
}

// Where the dealer has left, the deal passes on; the server says when too few are left to go on.
function seated(arithmetic, at, seats) {
  let next = at;
  while (!next.is_over && !seats.includes(next.dealer)) next = arithmetic.withoutDealer(next);
  return next.is_over ? next : { ...next, seats };
}

// A referee may have kept who dealt a hand when an earlier one was corrected or voided.
function asPlayed(state, at, kept) {
  if (!kept) return at;
  return { ...at, seats: seatsIn(state, at.number), dealer: kept.dealer, round: kept.round, counters: kept.counters ?? 0, is_over: false };
}

function beginning(seats) {
  return { seats, number: 1, dealer: seats[0], round: "E", counters: 0, bets: 0, is_over: false };
}

// Hands in force: those the server has, and those queued behind them; a queued undo takes the last one away.
function handsWith(state, pending) {
  const hands = state.hands.map((hand) => ({ ...hand, isSent: true }));
  for (const entry of pending) {
    if (entry.operation === "hands") hands.push({ facts: entry.body.facts, isSent: false, entry });
    if (entry.operation === "undo") hands.pop();
  }
  return hands;
}

function progress(state, pending) {
  const seats = state.seats.map((seat) => ({ ...seat }));
  let at = state.state;
  for (const entry of pending) {
    if (entry.operation === "end" || entry.operation === "final") at = "ended";
    if (entry.operation === "resume") at = "open";
    if (entry.operation === "resume" || entry.operation === "final") for (const seat of seats) seat.confirmed = false;
    if (entry.operation === "confirm") for (const seat of seats) if (seat.wind === entry.body.wind) seat.confirmed = true;
    if (entry.operation === "final") at = "ended";
  }
  if (at === "ended" && seats.every((seat) => !seat.player || seat.confirmed || isEmpty(seat, Infinity))) at = "confirmed";
  return { seats, at };
}

function leftOver(points, left, unit) {
  if (!left) return {};
  const most = Math.max(...Object.values(points));
  const leaders = Object.keys(points).filter((seat) => points[seat] === most);
  const share = Math.floor(Math.floor(left / leaders.length) / unit) * unit;
  return Object.fromEntries(leaders.map((seat) => [seat, share]));
}

// What was counted by the server before its receipt came is not counted twice; what waits for a person stands on top.
function uncounted(state, pending) {
  const place = pending.findIndex((entry) => entry.problem);
  const free = place < 0 ? pending.length : place;
  return pending.filter((entry, at) => at >= free || entry.body.seen >= state.version);
}

export function projected(state, queued) {
  const pending = uncounted(state, queued);
  const arithmetic = arithmeticOf(state.system, state.rules ?? {});
  const seats = seatsOf(state);
  const hands = handsWith(state, pending);
  const points = Object.fromEntries(seats.map((seat) => [seat, 0]));
  let at = seated(arithmetic, beginning(seats), seatsIn(state, 1));
  let counted = 0;
  for (const hand of hands) {
    at = asPlayed(state, at, hand.facts.as_played);
    hand.before = at;
    hand.number = at.number;
    hand.payments ??= arithmetic.payments(hand.facts, at).points;
    for (const seat of seats) points[seat] += hand.payments[seat] ?? 0;
    at = arithmetic.following(hand.facts, at);
    at = seated(arithmetic, at, seatsIn(state, at.number));
    if (!hand.facts.events.some((event) => event.type === "chombo")) counted += 1;
  }
  if (state.hands_limit && counted >= state.hands_limit) at = { ...at, is_over: true };
  if (!pending.length) at = { ...at, ...state.next };
  const shared = leftOver(points, at.bets * BET, state.points_unit);
  for (const seat of seats) points[seat] += shared[seat] ?? 0;
  const { seats: rows, at: where } = progress(state, pending);
  const finals = pending.filter((entry) => entry.operation === "final").at(-1)?.body ?? state.final;
  const shown = pending.some((entry) => ["hands", "undo"].includes(entry.operation)) ? points : pointsOf(rows);
  return { ...state, seats: rows, state: where, hands, next: at, points: shown, final: finals };
}

function pointsOf(rows) {
  return Object.fromEntries(rows.filter((seat) => seat.player).map((seat) => [seat.wind, seat.points]));
}

// The wind of a place in this hand, where places take other winds than they began with.
export function ownWind(system, situation, seats, seat) {
  const arithmetic = arithmeticOf(system, {});
  if (arithmetic.keepsWinds) return seat;
  const order = arithmetic.order ? arithmetic.order(seats, situation.round) : seats;
  return WINDS[[situation.dealer, ...inTurn(order, situation.dealer)].indexOf(seat)];
}

export function placesOf(points) {
  return Object.fromEntries(
    Object.entries(points).map(([seat, amount]) => [seat, 1 + Object.values(points).filter((other) => other > amount).length]),
  );
}
