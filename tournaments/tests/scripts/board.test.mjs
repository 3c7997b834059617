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

// What a click meets that comes after the finger was held for so long, and the finger's own time of it.
async function held(tablet, { hold, told, kind = "pointerup" }) {
  const finger = (name, timeStamp) => Object.defineProperty(new Event(name), "timeStamp", { value: timeStamp });
  const down = finger("pointerdown", 1_000);
  Object.defineProperty(down, "target", { value: tablet.find("seat-E") });
  tablet.root.dispatchEvent(down);
  await tablet.device.clock.run(hold);
  tablet.page.listeners.dispatchEvent(finger(kind, 1_000 + (told ?? hold)));
}

function click(tablet) {
  const event = new Event("click", { bubbles: true });
  tablet.page.listeners.dispatchEvent(event);
  return event.cancelBubble ? "nothing" : "entered";
}

test("a name that was held enters nothing, and the tap after it counts, whether a click followed or not", async () => {
  const tablet = await Tablet.open();
  await held(tablet, { hold: 600 });
  assert.deepEqual([click(tablet), click(tablet)], ["nothing", "entered"]);
  await held(tablet, { hold: 600 });
  await tablet.device.clock.run(200);
  assert.equal(click(tablet), "entered");
  await held(tablet, { hold: 600, kind: "pointercancel" });
  assert.equal(click(tablet), "entered");
});

test("a short tap of which a busy page hears late counts", async () => {
  const tablet = await Tablet.open();
  await held(tablet, { hold: 900, told: 60 });
  assert.equal(click(tablet), "entered");
});
