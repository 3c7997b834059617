// The table as it stands: who paid whom, who is ahead, and where everybody sits.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load, plain } from "./device.mjs";
import { Network } from "./network.mjs";
import { Tablet } from "./tablet.mjs";

const { ahead, around, flows } = await load("tablet/board.js");

test("money goes from those who lost to those who won, and adds up to what each has", () => {
  const payments = { E: -8, S: 30, W: -27, N: 5 };
  const moved = plain(flows(payments));
  assert.deepEqual(moved, [{ from: "W", to: "S", points: 27 }, { from: "E", to: "S", points: 3 }, { from: "E", to: "N", points: 5 }]);
  const sums = Object.fromEntries(Object.keys(payments).map((seat) => [seat, 0]));
  for (const { from, to, points } of moved) {
    sums[from] -= points;
    sums[to] += points;
  }
  assert.deepEqual(sums, payments);
  assert.deepEqual(plain(flows({ E: 0, S: 0 })), []);
});

test("differences are told from one seat, and an empty seat leaves its edge empty", () => {
  assert.deepEqual(plain(ahead({ E: 10, S: -4, W: 10 }, "E")), { S: -14, W: 0 });
  assert.deepEqual(plain(around(["E", "W", "N"])), ["E", null, "W", "N"]);
});

test("the table is shown with its totals, and a tap on a name shows how far the others are from it", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  network.fault = () => "request lost";
  await tablet.tap("seat-E", "seat-S", "digit-2", "digit-4", "save", "more");
  await tablet.press("The table as it stands");
  assert.match(tablet.dialog.textContent, /After hand 1/);
  await tablet.tap("board-E");
  const shown = tablet.dialog.querySelectorAll(".board-change").map((one) => one.textContent);
  assert.deepEqual(shown, ["0", "\u221280", "\u221256", "\u221256"]);
  await tablet.press("Close");
  assert.deepEqual(tablet.page.errors, []);
});
