// Hands, entries and numbers in the words that people read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./device.mjs";

const tell = await load("tablet/tell.js");
const words = await load("tablet/words.js");
const names = { E: "Ann", S: "Ben", W: "Cid", N: "Dan" };
const win = (winner, from) => ({ type: "win", from, winners: [winner] });

const VALUES = [
  [{ nagashi: true, limit: "mangan" }, "RIICHI", "Nagashi mangan"],
  [{ limit: "yakuman" }, "RIICHI", "Yakuman"],
  [{ han: 3, fu: 40 }, "RIICHI", "3 han, 40 fu"],
  [{ han: 6 }, "RIICHI", "6 han"],
  [{ fans: null }, "MCR", "…"],
  [{}, "MCR", "…"],
  [{ fans: 0 }, "SBR", "0 fans"],
  [{ fans: 1 }, "WMSG", "1 fan"],
  [{ fans: 24 }, "MCR", "24 points"],
  [{ fans: 24, flowers: 2 }, "MCR", "24 points + 2 flowers"],
  [{ fans: 1, flowers: 1 }, "RED", "1 point + 1 flower"],
];

for (const [winner, system, text] of VALUES) {
  test(`${JSON.stringify(winner)} is ${text}`, () => assert.equal(tell.valueWords(winner, system), text));
}

const EVENTS = [
  [win({ seat: "E", fans: 2 }, "S"), "Ann (2 fans) ← Ben"],
  [win({ seat: "E", fans: 2 }, null), "Ann (2 fans) from the wall"],
  [win({ seat: "E", fans: 2 }, undefined), "Ann (2 fans) …"],
  [{ type: "kong", seat: "W", kind: "open", from: "N" }, "Cid: open kong ← Dan"],
  [{ type: "kong", seat: "W", kind: "added", robbed: true }, "Cid: added kong, robbed"],
  [{ type: "kong", seat: "W", kind: "concealed" }, "Cid: concealed kong"],
  [{ type: "kong", seat: "W", kind: "" }, "Cid: kong"],
  [{ type: "false_win", seat: "S" }, "Ben: false win"],
  [{ type: "exposure", seat: "S" }, "Ben: showed the tiles"],
  [{ type: "dead_hand", seat: "S" }, "Ben: dead hand"],
  [{ type: "chombo", seat: "S" }, "Ben: chombo"],
];

for (const [event, text] of EVENTS) {
  test(text, () => assert.equal(tell.eventWords(event, names, "SBR"), text));
}

test("a hand is a line for each thing that happened, then who waited and who bet", () => {
  const facts = { events: [{ type: "dead_hand", seat: "N" }], end: { E: { state: "waiting", max_base: 4 }, S: { state: "pig_active" } }, riichi: ["E", "W"] };
  assert.deepEqual(tell.handWords(facts, names, "SBR"), ["Dan: dead hand", "No win", "Ann: waiting, 4; Ben: active pig", "Riichi: Ann, Cid"]);
  assert.deepEqual(tell.handWords({ events: [{ type: "win", winners: [{ seat: "E", fans: 1 }] }] }, names, "SBR"), ["Ann (1 fan) from the wall"]);
  assert.deepEqual(tell.handWords({ events: [{ type: "chombo", seat: "E" }] }, names, "RIICHI"), ["Ann: chombo"]);
});

test("in a narrow place people go by the first word of their name, unless two share it", () => {
  const seats = (...players) => players.map((player, place) => ({ wind: "ESWN"[place], player }));
  assert.deepEqual(tell.namesOf(seats("Ivanov Ivan", "Petrov Petr")).short, { E: "Ivanov", S: "Petrov" });
  assert.deepEqual(tell.namesOf(seats("Ivanov Ivan", "Ivanov Petr")).short, { E: "Ivanov Ivan", S: "Ivanov Petr" });
  assert.deepEqual(tell.namesOf(seats("Ivanov Ivan", null)).full, { E: "Ivanov Ivan", S: "South" });
});

const ENTRIES = [
  ["hands", {}, "Hand 3"],
  ["undo", { number: 2 }, "Taking back hand 2"],
  ["final", {}, "Final result"],
  ["end", {}, "End of the session"],
  ["resume", {}, "Play on"],
  ["confirm", { wind: "W" }, "Confirmation by West"],
  ["correct", { number: 4 }, "Correction of hand 4"],
  ["void", { number: 5 }, "Striking hand 5"],
  ["seats", {}, "Repair of wrong seats"],
  ["objection", {}, "Objection to the result"],
  ["sign-off", {}, "Sign-off by the referee"],
];

for (const [operation, body, text] of ENTRIES) {
  test(`an entry: ${text}`, () => assert.equal(tell.operationWords({ operation, body, shown: { number: 3 } }), text));
}

test("numbers have a sign of their own and thin spaces from five digits on", () => {
  assert.deepEqual([0, 7, -7, 1234, -12345, 1234567].map(words.number), ["0", "7", "\u22127", "1234", "\u221212\u202f345", "1\u202f234\u202f567"]);
  assert.deepEqual([0, 7, -7].map(words.signed), ["0", "+7", "\u22127"]);
});

test("times are minutes and seconds, with hours only where there are some", () => {
  assert.deepEqual([0, 59, 60, 3599, 3600, 36_061, -5, 1.9].map(words.duration), ["0:00", "0:59", "1:00", "59:59", "1:00:00", "10:01:01", "0:00", "0:01"]);
});

test("a sentence takes its details, and leaves what it is not given", () => {
  assert.equal(words._("%(a)s and %(b)s", { a: 1 }), "1 and %(b)s");
});

test("the catalogue of the page is asked for every sentence", () => {
  globalThis.gettext = (text) => (text === "East" ? "Восток" : text);
  globalThis.ngettext = (one, many, count) => `${count}: ${many}`;
  assert.equal(words.windName("E"), "Восток");
  assert.equal(words.ngettext("%(count)s fan", "%(count)s fans", 12345), "12345: 12\u202f345 fans");
  delete globalThis.gettext;
  delete globalThis.ngettext;
});

test("a shared place and its points are told as a number, never as a fraction", () => {
  assert.deepEqual(["7/2", 2, "3", null].map((value) => words.share(value)), ["3.5", 2, "3", null]);
});
