// The table as it stands: what the server has, what is queued behind it, and what waits for a person.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./device.mjs";
import { stateOf } from "./tablet.mjs";

const { projected, ownWind, placesOf, seatsOf } = await load("tablet/sheet.js");

const win = (seat, from, fans, more = {}) => ({ events: [{ type: "win", from, winners: [{ seat, fans, ...more }] }] });
const hand = (seen, facts, more = {}) => ({ operation: "hands", body: { seen, facts }, ...more });
const act = (operation, seen, body = {}) => ({ operation, body: { seen, ...body } });

test("queued hands count at once, in order, with the dealer and number of each", () => {
  const sheet = projected(stateOf("RED"), [hand(0, win("S", "E", 10)), hand(1, win("S", null, 5))]);
  assert.deepEqual(sheet.points, { E: -15, S: 25, W: -5, N: -5 });
  assert.deepEqual(sheet.hands.map(({ number, before, isSent }) => [number, before.dealer, isSent]), [[1, "E", false], [2, "S", false]]);
  assert.deepEqual([sheet.next.number, sheet.next.dealer, sheet.next.round], [3, "S", "E"]);
});

test("a queued hand that the server counts already is not counted twice", () => {
  const facts = win("S", "E", 10);
  const state = stateOf("RED", { version: 1, hands: [{ number: 1, facts }] });
  const sheet = projected(state, [hand(0, facts), hand(1, win("W", null, 1))]);
  assert.deepEqual(sheet.hands.map(({ number, isSent }) => [number, isSent]), [[1, true], [2, false]]);
  assert.deepEqual(sheet.points, { E: -11, S: 9, W: 3, N: -1 });
});

test("what waits for a person stands on top of what the server has, and what is behind it too", () => {
  const state = stateOf("RED", { version: 3, hands: [{ number: 1, facts: win("S", "E", 10) }] });
  const sheet = projected(state, [hand(0, win("S", "E", 10)), hand(1, win("W", "E", 2), { problem: { code: "x" } }), hand(2, win("N", "E", 3))]);
  assert.deepEqual(sheet.hands.map((one) => one.number), [1, 2, 3]);
  assert.deepEqual(sheet.points, { E: -15, S: 10, W: 2, N: 3 });
});

test("a queued undo takes the last hand away", () => {
  const sheet = projected(stateOf("RED"), [hand(0, win("S", "E", 10)), hand(1, win("W", "E", 2)), act("undo", 2, { number: 2 })]);
  assert.deepEqual([sheet.hands.length, sheet.points.S, sheet.points.W], [1, 10, 0]);
});

test("without anything queued the server's word stands: points, and who deals next", () => {
  const seats = stateOf().seats.map((seat) => ({ ...seat, points: 7 }));
  const next = { number: 9, dealer: "W", round: "S", counters: 2, bets: 1, is_over: false };
  const sheet = projected(stateOf("RIICHI", { seats, next, points_unit: 100 }), []);
  assert.deepEqual(sheet.points, { E: 7, S: 7, W: 7, N: 7 });
  assert.deepEqual([sheet.next.number, sheet.next.dealer, sheet.next.counters], [9, "W", 2]);
});

test("the payments that the server gave are kept", () => {
  const state = stateOf("RED", { hands: [{ number: 1, facts: win("S", "E", 10), payments: { E: -1, S: 1, W: 0, N: 0 } }] });
  assert.deepEqual(projected(state, [hand(0, win("W", "E", 2))]).points, { E: -3, S: 1, W: 2, N: 0 });
});

test("the last hand of the regulation ends the game; a chombo does not count among them", () => {
  const chombo = { events: [{ type: "chombo", seat: "E" }] };
  const state = stateOf("RIICHI", { hands_limit: 2, points_unit: 100 });
  const large = (seat) => win(seat, "N", undefined, { limit: "mangan" });
  assert.equal(projected(state, [hand(0, large("E")), hand(1, chombo)]).next.is_over, false);
  assert.equal(projected(state, [hand(0, large("E")), hand(1, chombo), hand(2, large("E"))]).next.is_over, true);
});

test("bets left on the table go to the leaders, in whole units", () => {
  const riichi = (seats) => ({ events: [], riichi: seats, end: Object.fromEntries(["E", "S", "W", "N"].map((seat) => [seat, { state: seats.includes(seat) ? "waiting" : "no_wait" }])) });
  const state = stateOf("RIICHI", { points_unit: 100 });
  assert.deepEqual(projected(state, [hand(0, riichi(["E"]))]).points, { E: 3000, S: -1000, W: -1000, N: -1000 });
  assert.deepEqual(projected(state, [hand(0, riichi(["E", "S"]))]).points, { E: 1500, S: 1500, W: -1500, N: -1500 });
  assert.deepEqual(projected(state, [hand(0, riichi(["E", "S", "W"]))]).points, { E: 1000, S: 1000, W: 1000, N: -3000 });
  assert.deepEqual(projected(state, [hand(0, riichi(["E", "S", "W", "N"]))]).points, { E: 0, S: 0, W: 0, N: 0 });
});

test("the end, playing on and confirmations count before they are sent", () => {
  const confirm = (wind, seen) => act("confirm", seen, { wind });
  const all = ["E", "S", "W", "N"].map((wind, place) => confirm(wind, place + 1));
  const at = (...pending) => projected(stateOf("MCR"), pending).state;
  assert.equal(at(), "open");
  assert.equal(at(act("end", 0)), "ended");
  assert.equal(at(act("final", 0, { points: {} })), "ended");
  assert.equal(at(act("end", 0), ...all.slice(1)), "ended");
  assert.equal(at(act("end", 0), ...all), "confirmed");
  assert.equal(at(act("end", 0), ...all, act("resume", 5)), "open");
  assert.equal(at(act("end", 0), ...all, act("resume", 5), act("end", 6)), "ended");
  assert.equal(at(act("end", 0), ...all, act("final", 5, { points: {} })), "ended");
});

test("an empty seat needs no confirmation and gets no points", () => {
  const seats = stateOf().seats.map((seat) => (seat.wind === "N" ? { ...seat, player: null } : { ...seat, confirmed: true }));
  const sheet = projected(stateOf("RED", { seats, state: "ended" }), []);
  assert.equal(sheet.state, "confirmed");
  assert.deepEqual(Object.keys(sheet.points), ["E", "S", "W"]);
  assert.deepEqual(seatsOf({ seats }), ["E", "S", "W"]);
});

test("the final result that was entered last is the one shown", () => {
  const state = stateOf("RIICHI", { final: { points: { E: 1 } } });
  assert.deepEqual(projected(state, []).final, { points: { E: 1 } });
  assert.deepEqual(projected(state, [act("final", 0, { points: { E: 2 } }), act("final", 1, { points: { E: 3 } })]).final.points, { E: 3 });
});

test("winds of places: theirs in Sichuan, and as the deal goes elsewhere", () => {
  const at = { dealer: "S", round: "S" };
  const four = ["E", "S", "W", "N"];
  const winds = (system, seats = four) => seats.map((seat) => ownWind(system, at, seats, seat)).join("");
  assert.equal(winds("SBR"), "ESWN");
  assert.equal(winds("WMSG"), "ESWN");
  assert.equal(winds("RIICHI"), "NESW");
  assert.equal(winds("RED", ["E", "S", "W"]), "WES");
  assert.equal(winds("MCR"), "SENW");
});

test("equals share the better place", () => {
  assert.deepEqual(placesOf({ E: 5, S: 5, W: 9, N: 1 }), { E: 2, S: 2, W: 1, N: 4 });
});

test("a hand of the first reading is paid event by event, one of today by the moment of its tile", () => {
  const events = [
    { type: "win", from: "E", winners: [{ seat: "W", fans: 0 }] },
    { type: "false_win", seat: "S", kind: "waiting", from: "E" },
  ];
  const points = (more) => projected(stateOf("SBR"), [hand(0, { events, ...more })]).points;
  assert.deepEqual(points({ first_reading: true }), { E: 7, S: -16, W: 1, N: 8 });
  assert.deepEqual(points({}), { E: 7, S: -24, W: 9, N: 8 });
});

test("a seat that was left keeps its points, pays no later hand and deals none", () => {
  const seats = stateOf().seats.map((seat) => (seat.wind === "S" ? { ...seat, left_after: 1 } : seat));
  const state = stateOf("RED", { seats });
  const sheet = projected(state, [hand(0, win("W", "S", 10)), hand(1, win("E", null, 4)), hand(2, win("W", null, 2))]);
  assert.deepEqual(sheet.points, { E: 6, S: -10, W: 10, N: -6 });
  assert.deepEqual(sheet.hands.map(({ before }) => [before.seats.join(""), before.dealer]), [["ESWN", "E"], ["EWN", "W"], ["EWN", "N"]]);
  assert.deepEqual(sheet.next.seats, ["E", "W", "N"]);
});

test("a substitute who came later plays from that hand on", () => {
  const seats = stateOf().seats.map((seat) => (seat.wind === "S" ? { ...seat, left_after: 1, taken_from: 3 } : seat));
  const sheet = projected(stateOf("RED", { seats }), [hand(0, win("E", "S", 1)), hand(1, win("E", null, 1)), hand(2, win("E", null, 1))]);
  assert.deepEqual(sheet.points, { E: 1 + 2 + 3, S: -2, W: -2, N: -2 });
});

test("who has left need not confirm", () => {
  const seats = stateOf().seats.map((seat) => ({ ...seat, confirmed: seat.wind !== "S", ...(seat.wind === "S" ? { left_after: 1 } : {}) }));
  assert.equal(projected(stateOf("RED", { seats, state: "ended" }), [act("confirm", 3, { wind: "E" })]).state, "confirmed");
});
