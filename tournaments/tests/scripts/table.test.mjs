// What a referee sees and does at a table's screen, from the first tap to the last confirmation.

import assert from "node:assert/strict";
import { test } from "node:test";

import { plain, settled } from "./device.mjs";
import { Network } from "./network.mjs";
import { Tablet, stateOf } from "./tablet.mjs";

const WIN = ["seat-E", "seat-S", "digit-2", "digit-4"];
const facts = (winner, from, fans) => ({ events: [{ type: "win", from, winners: [{ seat: winner, fans }] }] });
const NORTH = { E: -8, S: -8, W: -8, N: 24 };

async function played(...hands) {
  const tablet = await Tablet.open();
  for (const taps of hands) await tablet.tap(...taps, "save");
  await tablet.device.clock.run(11_000);
  return tablet;
}

test("a win is who, from whom and how much; the amounts stand before it is saved", async () => {
  const tablet = await Tablet.open();
  assert.match(tablet.text("[id=\"prompt\"]"), /Who won/);
  assert.equal(tablet.find("save").disabled, true);
  await tablet.tap("seat-E");
  assert.match(tablet.text("[id=\"prompt\"]"), /From whom/);
  await tablet.tap("seat-S", "digit-2");
  assert.equal(tablet.find("save").disabled, true, "below the minimum");
  await tablet.tap("digit-4");
  assert.deepEqual(tablet.amounts, { E: 48, S: -32, W: -8, N: -8 });
  assert.equal(tablet.find("save").disabled, false);
  await tablet.tap("save");
  assert.equal(tablet.message, "Hand 1 is entered.Undo");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done.map((one) => [one.seen, one.sure, one.facts]), [[0, true, facts("E", "S", 24)]]);
  assert.deepEqual(tablet.page.errors, []);
});

test("a wrong winner is mended by two taps, with all that was entered of the hand", async () => {
  const tablet = await Tablet.open();
  await tablet.tap(...WIN, "flower-more", "seat-E");
  assert.match(tablet.text("[id=\"prompt\"]"), /Who was it instead/);
  await tablet.tap("seat-N");
  assert.deepEqual(tablet.amounts, { E: -8, S: -33, W: -8, N: 49 });
  await tablet.device.clock.run(500);
  await tablet.tap("seat-N", "seat-S");
  assert.deepEqual(tablet.amounts, { E: -8, S: 49, W: -8, N: -33 }, "who had discarded changes places");
  await tablet.device.clock.run(500);
  await tablet.tap("seat-S", "flower-more", "seat-W");
  assert.deepEqual(tablet.amounts, { E: -8, S: 50, W: -34, N: -8 }, "a flower was entered instead, and then who discarded");
});

test("a finger that bounces on a name has tapped it once", async () => {
  const tablet = await Tablet.open();
  await tablet.tap("seat-E", "seat-E");
  assert.match(tablet.text("[id=\"prompt\"]"), /From whom/);
  await tablet.device.clock.run(500);
  await tablet.tap("seat-E");
  assert.match(tablet.text("[id=\"prompt\"]"), /Who won/, "a second tap a moment later takes it back");
  await tablet.tap("seat-S", "wall", "digit-8", "save", "seat-S", "wall");
  assert.equal(tablet.find("save").disabled, true);
  assert.match(tablet.text("[id=\"prompt\"]"), /How much/);
});

test("a tablet that is opened again knows its own last hand and does not take it for another's", async () => {
  const network = new Network();
  const first = await Tablet.open({ network });
  await first.tap(...WIN, "save");
  await first.device.clock.run(1_000);
  first.page.close();
  await first.device.clock.run(20_000);
  const tablet = await Tablet.open({ network, device: first.device });
  await tablet.tap(...WIN, "save");
  assert.match(tablet.dialog.textContent, /the same/i, "but whether it was entered twice");
  await tablet.press("Go back");
  await tablet.tap("clear-entry", "seat-N", "wall", "digit-8", "save");
  assert.equal(tablet.dialog, undefined);
  await tablet.device.clock.run(11_000);
  assert.equal(tablet.done.length, 2);
});

test("without a network hands go on being entered, counted and numbered", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  network.fault = () => "request lost";
  await tablet.tap(...WIN, "save");
  assert.match(tablet.text(".scoring-hand"), /Hand 2/);
  assert.match(tablet.text(".connection"), /No connection · in the queue: 1/);
  await tablet.tap("seat-N", "wall", "digit-8", "save");
  assert.deepEqual(tablet.totals, { E: 32, S: -48, W: -24, N: 40 });
  await tablet.device.clock.run(70_000);
  assert.match(tablet.text(".connection"), /queue: 2 \(1 min\)/);
  network.fault = () => "pass";
  await tablet.device.clock.run(10_000);
  assert.deepEqual(tablet.done.map((one) => one.seen), [0, 1]);
  assert.equal(tablet.text(".connection"), "Saved");
});

test("a reload keeps what is half entered, and what is queued", async () => {
  const network = new Network();
  const first = await Tablet.open({ network });
  network.fault = () => "request lost";
  await first.tap(...WIN, "save", "seat-N", "wall", "digit-8");
  first.page.close();
  const again = await Tablet.open({ network, device: first.device });
  assert.match(again.text(".scoring-hand"), /Hand 2/);
  assert.deepEqual(again.amounts, { E: -16, S: -16, W: -16, N: 48 });
  await again.tap("save");
  network.fault = () => "pass";
  await again.device.clock.run(10_000);
  assert.deepEqual(again.done.map((one) => one.facts.events[0].winners[0].seat), ["E", "N"]);
});

test("a tap is kept although the page goes in the same moment", async () => {
  const network = new Network();
  const first = await Tablet.open({ network });
  await first.tap("seat-E", "seat-S", "digit-2");
  first.find("digit-4").click();
  first.page.close();
  const again = await Tablet.open({ network, device: first.device });
  assert.deepEqual(again.amounts, { E: 48, S: -32, W: -8, N: -8 });
  again.find("clear-entry").click();
  again.page.close();
  const cleared = await Tablet.open({ network, device: first.device });
  assert.equal(cleared.find("save").disabled, true);
  assert.equal(cleared.has("clear-entry"), false, "what was cleared in that moment does not come back");
});

test("whenever the page goes while a hand is being saved, it is entered whole or queued, and never both", async () => {
  const found = new Set();
  for (let turns = 0; turns < 30; turns += 1) {
    const network = new Network();
    const first = await Tablet.open({ network });
    network.fault = () => "request lost";
    await first.tap("seat-E", "seat-S", "digit-2");
    for (const name of ["digit-4", "save"]) first.find(name).click();
    for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done));
    first.page.close();
    await settled();
    const again = await Tablet.open({ network, device: first.device });
    const queued = plain(again.outbox.entries.map((one) => one.body.facts));
    if (queued.length) assert.deepEqual(queued, [facts("E", "S", 24)]);
    else assert.deepEqual(again.amounts, { E: 48, S: -32, W: -8, N: -8 }, `after ${turns}`);
    assert.equal(again.has("clear-entry"), !queued.length, `after ${turns}`);
    found.add(queued.length);
    again.page.close();
  }
  assert.deepEqual([...found], [0, 1]);
});

test("what was typed for a hand that has been entered since does not come back", async () => {
  const network = new Network();
  const first = await Tablet.open({ network });
  await first.tap(...WIN);
  const second = await Tablet.open({ network, device: first.device });
  await second.tap("save");
  await second.device.clock.run(1_000);
  const third = await Tablet.open({ network, device: first.device });
  assert.match(third.text(".scoring-hand"), /Hand 2/);
  assert.equal(third.find("save").disabled, true);
});

test("two taps on “Save” at once are one hand", async () => {
  const tablet = await Tablet.open();
  await tablet.tap(...WIN);
  const save = tablet.find("save");
  save.click();
  save.click();
  await tablet.device.clock.run(1_000);
  assert.equal(tablet.done.length, 1);
  assert.equal(tablet.dialog, undefined);
});

// Taking back

test("what was never sent is taken back on the device, and nobody hears of it", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  tablet.device.locks.set("outbox-cup", "another window");
  await tablet.tap(...WIN, "save", "undo");
  await tablet.press("Take it back");
  assert.equal(tablet.outbox.unsent, 0);
  tablet.device.locks.clear();
  await tablet.device.clock.run(5_000);
  assert.deepEqual(tablet.done, []);
  assert.equal(tablet.message, "Hand 1 is taken back.");
});

test("what the server has is taken back there; after a while with a reason of ten characters", async () => {
  const tablet = await played(WIN);
  await tablet.tap("undo");
  await tablet.press("Take it back");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done.slice(1).map(({ key, ...one }) => one), [{ operation: "undo", seen: 1, number: 1 }]);
  const late = await played(WIN);
  await late.device.clock.run(121_000);
  await late.tap("undo");
  await late.press("Take it back");
  assert.match(late.dialog.textContent, /at least ten characters/);
  await late.type("reason", " too short ");
  await late.press("Take it back");
  assert.ok(late.dialog);
  await late.press("Entered by mistake");
  await late.press("Take it back");
  await late.device.clock.run(1_000);
  assert.equal(late.done[1].reason, "Entered by mistake");
});

test("a hand that was just saved is taken back to be changed, and only the slip is entered anew", async () => {
  const mended = async (tablet) => {
    await tablet.tap(...WIN, "save", "undo");
    await tablet.press("Change it");
    assert.match(tablet.message, /Hand 1 is taken back: change it and save it anew/);
    assert.deepEqual(tablet.amounts, { E: 48, S: -32, W: -8, N: -8 });
    assert.equal(tablet.has("clear-entry"), true, "it counts as entered and not saved");
    await tablet.tap("erase", "digit-6", "save");
    assert.equal(tablet.dialog, undefined);
  };
  const untried = await Tablet.open();
  untried.device.locks.set("outbox-cup", "another window");
  await mended(untried);
  untried.device.locks.clear();
  await untried.device.clock.run(5_000);
  assert.deepEqual(untried.done.map((one) => one.facts), [facts("E", "S", 26)], "what was never sent leaves no trace");
  const network = new Network();
  const lost = await Tablet.open({ network });
  network.fault = () => "request lost";
  await mended(lost);
  network.fault = () => "pass";
  await lost.device.clock.run(20_000);
  assert.deepEqual(lost.done.map((one) => [one.operation, one.facts ?? one.number]), [["hands", facts("E", "S", 24)], ["undo", 1], ["hands", facts("E", "S", 26)]]);
});

test("a question that is answered by no changes nothing", async () => {
  const tablet = await played(WIN);
  await tablet.tap("undo");
  await tablet.press("Keep it");
  await tablet.device.clock.run(1_000);
  assert.equal(tablet.done.length, 1);
});

// Asking before it counts

test("the same hand at once again asks whether it is meant; another one does not", async () => {
  const tablet = await Tablet.open();
  await tablet.tap(...WIN, "save", ...WIN, "save");
  assert.match(tablet.dialog.textContent, /The same hand twice/);
  await tablet.press("It is one hand");
  await tablet.device.clock.run(1_000);
  assert.equal(tablet.done.length, 1);
  await tablet.tap(...WIN, "save");
  await tablet.press("It happened twice: record it");
  await tablet.device.clock.run(10_000);
  assert.equal(tablet.done.length, 2);
  await tablet.tap(...WIN, "save");
  assert.equal(tablet.dialog, undefined);
});

const SIGNAL = Date.UTC(2026, 10, 7, 9, 59, 0);
const signalled = (more) => stateOf("MCR", { clock: { ends_at: new Date(SIGNAL).toISOString(), paused_at: null, warning_minutes: 10, signal_at: new Date(SIGNAL).toISOString(), hands_after: 0, ...more } });

test("after the last signal a hand is asked whether it was begun in time", async () => {
  const tablet = await Tablet.open({ state: signalled({}) });
  await tablet.tap(...WIN, "save");
  assert.match(tablet.dialog.textContent, /Was this hand begun in time/);
  await tablet.press("It does not count");
  await tablet.device.clock.run(1_000);
  assert.equal(tablet.done.length, 0);
  await tablet.tap(...WIN, "save");
  await tablet.press("It was begun in time: record it");
  await tablet.device.clock.run(1_000);
  assert.equal(tablet.done.length, 1);
});

test("where one more hand may follow, the second after the signal is asked about in the words of that rule", async () => {
  const tablet = await Tablet.open({ state: signalled({ is_one_more: true }) });
  await tablet.tap(...WIN, "save");
  assert.match(tablet.dialog.textContent, /one more is played only if the dice had just been thrown/);
});

test("the rule of the last hand is said at the moment from which it holds", async () => {
  const said = { warning: "Red zone: hands that have begun are finished, no new hand begins.", over: "Time is over." };
  const soon = { ends_at: new Date(SIGNAL + 662_000).toISOString(), signal_at: null, said };
  const tablet = await Tablet.open({ state: signalled(soon) });
  assert.doesNotMatch(tablet.page.document.body.textContent, /Red zone/);
  await tablet.device.clock.run(4_000);
  assert.match(tablet.page.document.body.textContent, /Red zone: hands that have begun are finished, no new hand begins\./);
});

for (const [name, more] of [["while the clock is paused", { paused_at: new Date(SIGNAL).toISOString() }], ["while one more hand may follow", { hands_after: 1 }], ["before the signal", { signal_at: new Date(SIGNAL + 120_000).toISOString() }]]) {
  test(`${name} nothing is asked`, async () => {
    const tablet = await Tablet.open({ state: signalled(more) });
    await tablet.tap(...WIN, "save");
    assert.equal(tablet.dialog, undefined);
  });
}

test("the time left is the server's, whatever the tablet's clock says", async () => {
  const network = new Network();
  const state = signalled({ ends_at: new Date(SIGNAL + 660_000).toISOString(), signal_at: null });
  const tablet = await Tablet.open({ network, state });
  assert.equal(tablet.text(".clock"), "10:00");
  assert.equal(tablet.page.document.querySelector(".clock").className, "clock is-warning");
  tablet.news = { time: new Date(tablet.device.clock.now - 3_600_000).toISOString() };
  await tablet.device.clock.run(8_000);
  assert.equal(tablet.text(".clock"), "1:10:00");
  assert.equal(tablet.page.document.querySelector(".clock").className, "clock ");
  tablet.news = {};
  await tablet.device.clock.run(592_000);
  assert.equal(tablet.text(".clock"), "−0:00");
  await tablet.device.clock.run(13_000);
  assert.match(tablet.text(".clock"), /^−0:\d\d$/);
});

// The server's word

test("a hand that the server refuses beforehand cannot be saved, and says why with its clause", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  network.refuses = (path) => (path.endsWith("preview/") ? { status: 422, problem: { code: "x", title: "No", problems: [{ sentence: "It cannot be.", clause: "MCR 1" }] } } : null);
  await tablet.tap(...WIN);
  await tablet.device.clock.run(200);
  assert.equal(tablet.message, "It cannot be. [MCR 1] In full");
  assert.equal(tablet.find("save").disabled, true);
  await tablet.tap("erase");
  assert.equal(tablet.message, "");
});

// What the engine tells of riichi, as far as a win needs it.
const LEGALITY = {
  sentences: { HAN_FU: "%(han)s han with %(fu)s fu does not exist.", HAN_FU_THIS_WAY: "%(han)s han with %(fu)s fu does not exist on such a win." },
  names: {},
  tables: { players: 4, least_han: { discard: { 25: 2, 30: 1 }, wall: { 25: 3, 30: 1 } }, limits: [], limit_names: [], mangan: 2000, most_han: 13, yakuman_han: 13, nagashi: false },
};
const riichi = () => stateOf("RIICHI", { rules: { limits: { 5: "mangan" } } });

function telling(network, legality = LEGALITY) {
  const asked = [];
  network.other = (path) => {
    if (path.endsWith("fans/")) asked.push(path);
    return path.endsWith("fans/") ? { fans: [], flags: [], legality } : undefined;
  };
  return asked;
}

test("a hand that cannot be is refused at once without a connection, in the server's words, and can be mended", async () => {
  const network = new Network();
  const asked = telling(network);
  const first = await Tablet.open({ network, state: riichi() });
  network.fault = () => "request lost";
  first.page.close();
  const tablet = await Tablet.open({ network, device: first.device, state: riichi() });
  await tablet.tap("seat-E", "seat-S", "han-1", "fu-25");
  assert.equal(tablet.message, "1 han with 25 fu does not exist. [RIICHI 4.1.1] In full");
  assert.equal(tablet.find("save").disabled, true);
  await tablet.tap("save", "han-2");
  assert.equal(tablet.message, "");
  await tablet.tap("wall");
  assert.match(tablet.message, /2 han with 25 fu does not exist on such a win/);
  await tablet.tap("fu-30", "save");
  assert.equal(tablet.outbox.entries.length, 1);
  assert.equal(asked.length, 1, "kept from the first opening");
});

test("what the server says of a hand takes the place of what the tablet knows", async () => {
  const network = new Network();
  telling(network);
  const tablet = await Tablet.open({ network, state: riichi() });
  await tablet.tap("seat-E", "seat-S", "han-1", "fu-25");
  assert.match(tablet.message, /does not exist/);
  await tablet.device.clock.run(200);
  assert.equal(tablet.message, "", "the server knows better");
  assert.equal(tablet.find("save").disabled, false);
});

test("nothing is entered behind a hand that the rules refuse, before somebody has decided what becomes of it", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  network.fault = () => "request lost";
  await tablet.tap(...WIN, "save", "seat-N", "wall");
  network.trouble = ({ body }) => (JSON.parse(body).facts.events[0].winners[0].fans === 24 ? { status: 422, problem: { code: "x", title: "It cannot be", problems: [] } } : null);
  network.fault = () => "pass";
  await tablet.device.clock.run(5_000);
  await tablet.press("Decide later");
  network.fault = () => "request lost";
  await tablet.tap("digit-8", "save");
  assert.match(tablet.dialog.textContent, /It cannot be/);
  await tablet.press("Look at mine again");
  assert.match(tablet.text(".scoring-hand"), /Hand 1/);
  await tablet.tap("erase", "digit-5", "save");
  assert.match(tablet.text(".scoring-hand"), /Hand 2/, "what was begun behind it is here again");
  await tablet.tap("save");
  network.fault = () => "pass";
  await tablet.device.clock.run(11_000);
  assert.deepEqual(tablet.done.map((one) => one.facts.events[0].winners[0].fans), [25, 8]);
});

test("in random outages no hand is built on a refused one", async () => {
  const first = Number(process.env.FIRST ?? 1);
  const number = Number(process.env.OUTAGES ?? 40);
  let refused = 0;
  for (let seed = first; seed < first + number; seed += 1) {
    let state = seed;
    const chance = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const network = new Network();
    const tablet = await Tablet.open({ network });
    network.trouble = ({ body }) => (JSON.parse(body).facts?.events[0]?.winners[0].fans === 99 ? { status: 422, problem: { code: "x", title: "It cannot be", problems: [] } } : null);
    network.fault = () => (chance() < 0.5 ? "request lost" : "pass");
    let isRefused = false;
    for (let hand = 0; hand < 6; hand += 1) {
      if (tablet.dialog) await tablet.press("Decide later");
      isRefused ||= tablet.outbox.stuck.length > 0;
      const before = tablet.outbox.entries.length;
      await tablet.tap("seat-E");
      if (tablet.dialog) await tablet.press("Decide later");
      else await tablet.tap("wall", "digit-9", ...(chance() < 0.4 ? ["digit-9"] : ["digit-" + (1 + hand)]), "save");
      if (tablet.dialog) await tablet.press(tablet.dialog.textContent.includes("It cannot be") ? "Decide later" : "Go back");
      if (isRefused) assert.ok(tablet.outbox.entries.length <= before, `seed ${seed}, hand ${hand}`);
      await tablet.device.clock.run(Math.floor(chance() * 9_000));
    }
    assert.ok(tablet.done.every((one) => one.facts.events[0].winners[0].fans !== 99), `seed ${seed}`);
    refused += isRefused;
    tablet.page.close();
  }
  assert.ok(refused * 2 > number, `a hand was refused in ${refused} of ${number} only`);
});

test("what a refusal offers is taken with one press", async () => {
  const network = new Network();
  const offers = [{ text: "All Pungs, Half Flush", facts: { fans: 12, fan_list: { 49: 1, 50: 1 } } }];
  const impossible = { code: "yaku_conflict", field: "events.0.winners.0.fan_list", sentence: "No hand has these fans.", clause: "MCR scoring 1e", offers };
  network.refuses = (path) => (path.endsWith("preview/") ? { status: 422, problem: { code: "yaku_conflict", title: "No", problems: [impossible] } } : null);
  const tablet = await Tablet.open({ network });
  await tablet.tap(...WIN);
  await tablet.device.clock.run(200);
  await tablet.tap("refusal");
  network.refuses = () => null;
  await tablet.press("All Pungs, Half Flush: 12");
  await tablet.tap("save");
  await tablet.device.clock.run(1_000);
  const { fans, fan_list } = tablet.done.at(-1).facts.events[0].winners[0];
  assert.deepEqual({ fans, fan_list: { ...fan_list } }, { fans: 12, fan_list: { 49: 1, 50: 1 } });
});

test("nothing is left on a table without riichi bets", async () => {
  const tablet = await Tablet.open({ state: stateOf("MCR", { mode: "final_result", start_points: 0, points_unit: 1 }) });
  assert.deepEqual([tablet.has("final-E"), tablet.has("final-left")], [true, false]);
});

test("the server's amounts take the place of the device's, for this very hand", async () => {
  const network = new Network();
  network.other = (path) => (path.endsWith("preview/") ? { payments: NORTH, lines: [{ sentence: "So it is.", clause: "MCR 2", payments: NORTH }] } : undefined);
  const tablet = await Tablet.open({ network });
  await tablet.tap(...WIN);
  await tablet.device.clock.run(200);
  assert.deepEqual(tablet.amounts, NORTH);
  await tablet.tap("why");
  assert.match(tablet.dialog.textContent, /So it is. \[MCR 2\]/);
  await tablet.press("Close");
  await tablet.tap("erase", "digit-5");
  assert.deepEqual(tablet.amounts, { E: 49, S: -33, W: -8, N: -8 });
});

for (const [choice, done] of [["It is another hand: record mine after it", ["S", "E"]], ["Set it aside for now", ["S"]], ["Decide later", ["S"]]]) {
  test(`a table that somebody else has changed: ${choice}`, async () => {
    const network = new Network();
    const tablet = await Tablet.open({ network });
    network.perform({ key: "other", session: 1, table: 1, operation: "hands", body: JSON.stringify({ seen: 0, facts: facts("S", null, 8) }) });
    await tablet.tap(...WIN, "save");
    await tablet.device.clock.run(1_000);
    assert.match(tablet.dialog.textContent, /Somebody else has changed this table/);
    await tablet.press(choice);
    await tablet.device.clock.run(2_000);
    assert.deepEqual(tablet.done.map((one) => one.facts.events[0].winners[0].seat), done);
    assert.equal(tablet.outbox.stuck.length, choice === "Decide later" ? 1 : 0);
  });
}

test("a refused hand is changed in its place, before those behind it", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  network.fault = () => "request lost";
  await tablet.tap(...WIN, "save", "seat-N", "wall", "digit-8", "save");
  network.trouble = ({ body }) => (JSON.parse(body).facts.events[0].winners[0].fans === 24 ? { status: 422, problem: { code: "x", title: "It cannot be", problems: [] } } : null);
  network.fault = () => "pass";
  await tablet.device.clock.run(5_000);
  await tablet.press("Look at mine again");
  assert.match(tablet.text(".scoring-hand"), /Hand 1/);
  await tablet.tap("erase", "digit-5", "save");
  await tablet.device.clock.run(5_000);
  assert.deepEqual(tablet.done.map((one) => [one.seen, one.facts.events[0].winners[0].fans]), [[0, 25], [1, 8]]);
});

test("a tablet that is signed off says so, keeps what it has, and shows the way in", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  network.refuses = () => ({ status: 401, problem: { code: "unknown", title: "This tablet is signed off." } });
  await tablet.tap(...WIN, "save");
  await tablet.device.clock.run(1_000);
  assert.match(tablet.text(".tablet-notice"), /This tablet is signed off. Admit this tablet/);
  assert.equal(tablet.outbox.unsent, 1);
});

test("the referee is called and the call is over by the same button", async () => {
  const network = new Network();
  const calls = [];
  network.other = (path, body) => (path.endsWith("call/") ? (calls.push(body.called), {}) : undefined);
  const tablet = await Tablet.open({ network });
  await tablet.tap("call");
  assert.equal(tablet.find("call").getAttribute("aria-pressed"), "true");
  await tablet.tap("call");
  assert.deepEqual(calls, [true, false]);
  network.fault = () => "request lost";
  await tablet.tap("call");
  assert.equal(tablet.message, "No connection: call the referee aloud.");
});

// The end of the session

const ended = (more) => stateOf("MCR", { state: "ended", seats: stateOf().seats.map((seat) => ({ ...seat, points: { E: 20, S: 20, W: -8, N: -32 }[seat.wind] })), ...more });
const places = (tablet) => tablet.page.document.querySelectorAll(".confirm-state").map((one) => one.textContent.match(/Place (\S+)/)?.[1] ?? one.textContent);

test("places of equals are those of the regulation: the best one, or the average", async () => {
  assert.deepEqual(places(await Tablet.open({ state: ended({ place_rule: "best" }) })), ["1", "1", "3", "4"]);
  assert.deepEqual(places(await Tablet.open({ state: ended({ place_rule: "average" }) })), ["1.5", "1.5", "3", "4"]);
  assert.deepEqual(places(await Tablet.open({ state: ended({ place_rule: "average", taken: { E: -1 } }) })), ["2", "1", "3", "4"]);
});

test("everybody confirms the totals that they see; the last one settles the table", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network, state: ended({}) });
  network.fault = () => "request lost";
  await tablet.tap("confirm-E");
  assert.equal(tablet.message, "Player E has confirmed.");
  assert.equal(tablet.find("confirm-E").disabled, true);
  await tablet.tap("confirm-S", "confirm-W", "confirm-N");
  assert.match(tablet.text("h2"), /All have confirmed/);
  assert.equal(tablet.has("resume"), false);
  network.fault = () => "pass";
  await tablet.device.clock.run(5_000);
  assert.deepEqual(tablet.done.map(({ key, ...one }) => one)[0], { operation: "confirm", seen: 0, wind: "E", totals: { E: 20, S: 20, W: -8, N: -32 } });
  assert.deepEqual(tablet.done.map((one) => one.wind), ["E", "S", "W", "N"]);
});

test("before the start nobody has a place, and after the end nobody confirms", async () => {
  const before = await Tablet.open({ state: ended({ session_state: "planned" }) });
  assert.match(before.text("h2"), /has not started yet/);
  assert.deepEqual(places(before), []);
  const after = await Tablet.open({ state: ended({ session_state: "closed" }) });
  assert.match(after.text("h2"), /The session is closed/);
  assert.equal(after.find("confirm-E").disabled, true);
});

test("who may correct plays on with a reason, when all have confirmed", async () => {
  const seats = ended().seats.map((seat) => ({ ...seat, confirmed: true }));
  const tablet = await Tablet.open({ state: ended({ state: "confirmed", seats }), may: ["correct_hands"] });
  await tablet.tap("resume");
  await tablet.press("Play on");
  assert.ok(tablet.dialog, "a reason is missing");
  await tablet.press("A hand is missing");
  await tablet.press("Play on");
  await tablet.device.clock.run(1_000);
  assert.equal(tablet.done[0].reason, "A hand is missing");
});

test("a table whose hands are all played is ended before it is confirmed", async () => {
  const tablet = await Tablet.open({ state: stateOf("MCR", { next: { ...stateOf().next, is_over: true } }) });
  assert.match(tablet.text("h2"), /All hands are played/);
  await tablet.tap("end");
  await tablet.device.clock.run(1_000);
  assert.equal(tablet.done[0].operation, "end");
});

test("a PIN goes to the server at once and is never queued", async () => {
  const network = new Network();
  const sent = [];
  network.other = (path, body) => (path.endsWith("confirm/") ? (sent.push(body), { state: { ...ended({ asks_pin: true }), version: 1 } }) : undefined);
  const tablet = await Tablet.open({ network, state: ended({ asks_pin: true }) });
  await tablet.tap("confirm-S");
  await tablet.type("pin", "12a4");
  await tablet.press("Confirm");
  assert.match(tablet.dialog.textContent, /A PIN has four digits/);
  network.refuses = (path) => (path.endsWith("confirm/") ? { status: 422, problem: { code: "pin", title: "Wrong PIN" } } : null);
  await tablet.type("pin", "1234");
  await tablet.press("Confirm");
  assert.match(tablet.dialog.textContent, /Wrong PIN/);
  network.fault = () => "request lost";
  await tablet.type("pin", "1234");
  await tablet.press("Confirm");
  assert.match(tablet.dialog.textContent, /No connection: a PIN can be checked when it is back/);
  network.fault = () => "pass";
  network.refuses = () => null;
  await tablet.type("pin", "1234");
  await tablet.press("Confirm");
  assert.deepEqual(plain(sent), [{ seen: 0, wind: "S", totals: { E: 20, S: 20, W: -8, N: -32 }, pin: "1234" }]);
  assert.equal(tablet.message, "Player S has confirmed.");
  assert.equal(JSON.stringify([tablet.device.memory.rows("outbox"), tablet.device.memory.rows("kept")]).includes("1234"), false);
});

// Final points

const counting = () => stateOf("RIICHI", { mode: "final_result", start_points: 30_000, points_unit: 100 });

test("final points are summed as they are typed, and sent as whole numbers", async () => {
  const tablet = await Tablet.open({ state: counting() });
  const said = async (points) => {
    for (const [seat, value] of Object.entries(points)) await tablet.type(`final-${seat}`, value);
    return tablet.text(".final-check");
  };
  assert.equal(tablet.find("save-final").disabled, true);
  assert.equal(await said({ E: "41000" }), "Enter a whole number for everybody.");
  assert.match(await said({ S: "30 000", W: "\u22121000", N: "50000" }), /The sum is right/);
  assert.match(await said({ N: "50050" }), /multiples of 100/);
  assert.match(await said({ N: "50100" }), /100 too much/);
  assert.match(await said({ N: "49900" }), /100 too little/);
  assert.match(await said({ left: "-100" }), /cannot be negative/);
  assert.match(await said({ left: "100" }), /The sum is right/);
  const enter = () => tablet.find("final-E").dispatchEvent(Object.assign(new Event("keydown"), { key: "Enter" }));
  await said({ left: "0" });
  enter();
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done, [], "Enter saves nothing while the sum is wrong");
  await said({ left: "100" });
  enter();
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done.map(({ key, ...one }) => one), [{ operation: "final", seen: 0, points: { E: 41000, S: 30000, W: -1000, N: 49900 }, left_on_table: 100 }]);
});

test("final points survive a reload", async () => {
  const first = await Tablet.open({ state: counting() });
  await first.type("final-E", "41000");
  first.page.close();
  const again = await Tablet.open({ state: counting(), device: first.device, network: first.network });
  assert.equal(again.page.document.querySelectorAll("input").find((one) => one.id === "final-E").value, "41000");
});

// What opens above the screen

test("a correction shows what changes, and is sent with its reason", async () => {
  const network = new Network();
  const row = (points, place) => ({ points, place, tournament_points: null });
  const table = (points) => Object.fromEntries(Object.entries(points).map(([seat, amount], at) => [seat, row(amount, at + 1)]));
  network.other = (path) => (path.endsWith("preview/") ? { payments: { E: 49, S: -33, W: -8, N: -8 }, before: table({ E: 48, S: -32, W: -8, N: -8 }), after: table({ E: 49, S: -33, W: -8, N: -8 }), changed: [], reopens: true } : undefined);
  const tablet = await Tablet.open({ network, may: ["correct_hands"] });
  await tablet.tap(...WIN, "save");
  await tablet.device.clock.run(9_000);
  await tablet.tap("more");
  await tablet.press("Hands of this table");
  await tablet.press("Correct");
  assert.match(tablet.text(".scoring-hand"), /Correcting hand 1/);
  await tablet.tap("erase", "digit-5", "save");
  assert.match(tablet.dialog.textContent, /\+48 → \+49/);
  assert.match(tablet.dialog.textContent, /confirm the result anew/);
  await tablet.press("Wrong value of the hand");
  await tablet.press("Correct it");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done.slice(1).map(({ key, ...one }) => one), [{ operation: "correct", seen: 1, facts: facts("E", "S", 25), number: 1, reason: "Wrong value of the hand" }]);
});

test("voiding shows what it moves, and sends whether the dealers stay as they were played", async () => {
  const network = new Network();
  const table = (points) => Object.fromEntries(Object.entries(points).map(([seat, amount], at) => [seat, { points: amount, place: at + 1, tournament_points: null }]));
  const before = table({ E: 96, S: -64, W: -16, N: -16 });
  const moved = (after, dealer) => ({ before, after: table(after), reopens: false, changed: [{ number: 2, before: { dealer: "S", payments: {} }, after: { dealer, payments: { E: 5 } } }] });
  const asked = [];
  network.other = (path, body) => {
    if (!path.endsWith("preview/")) return undefined;
    if (body.keep_dealers !== undefined) asked.push(body);
    return body.keep_dealers ? moved({ E: 48, S: -32, W: -8, N: -8 }, "S") : moved({ E: 50, S: -34, W: -8, N: -8 }, "E");
  };
  const tablet = await Tablet.open({ network, may: ["correct_hands"] });
  await tablet.tap(...WIN, "save");
  await tablet.device.clock.run(60_000);
  await tablet.tap("seat-S", "wall", "digit-9", "save");
  await tablet.device.clock.run(9_000);
  await tablet.tap("more");
  await tablet.press("Hands of this table");
  tablet.dialog.querySelectorAll("button").filter((one) => one.textContent === "Void").at(-1).click();
  await settled();
  assert.deepEqual(asked.map((one) => [one.number, one.keep_dealers]), [[1, false], [1, true]]);
  assert.match(tablet.dialog.textContent, /\+96 → \+50/);
  const [box] = tablet.dialog.querySelectorAll("input").filter((one) => one.id === "keep-dealers");
  box.checked = true;
  box.dispatchEvent(new Event("change"));
  await settled();
  assert.match(tablet.dialog.textContent, /\+96 → \+48/);
  await tablet.press("Entered by mistake");
  await tablet.press("Void the hand");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done.slice(2).map(({ key, ...one }) => one), [{ operation: "void", seen: 2, number: 1, reason: "Entered by mistake", keep_dealers: true }]);
});

test("without the right to correct, earlier hands are only read", async () => {
  const tablet = await played(WIN);
  await tablet.tap("more");
  assert.doesNotMatch(tablet.dialog.textContent, /Wrong seats|Sign off|Penalty/);
  await tablet.press("Hands of this table");
  assert.match(tablet.dialog.textContent, /An earlier hand is corrected by a referee/);
  assert.match(tablet.dialog.textContent, /Player \(24 points\)|24 points/);
  await tablet.press("Close");
});

test("wrong seats are repaired: every player takes one place, and a reason is given", async () => {
  const tablet = await Tablet.open({ may: ["correct_hands"] });
  await tablet.tap("more");
  await tablet.press("Wrong seats");
  const choices = tablet.dialog.querySelectorAll("select");
  const wrong = tablet.dialog.querySelectorAll(".field-errors")[0];
  await tablet.press("Repair the seats");
  assert.equal(wrong.hidden, false, "nothing is changed");
  choices[0].type_("S");
  await tablet.press("Repair the seats");
  assert.equal(wrong.hidden, false, "somebody sits twice");
  choices[1].type_("E");
  await tablet.press("Two players had exchanged seats");
  await tablet.press("Repair the seats");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done.map(({ key, ...one }) => one), [{ operation: "seats", seen: 0, reason: "Two players had exchanged seats", sitting: { E: "S", S: "E" } }]);
});

test("an objection is sent with who objects, and what is wrong", async () => {
  const tablet = await Tablet.open({ state: ended({}) });
  await tablet.tap("objection");
  await tablet.type("objector", "W");
  await tablet.press("A hand is missing");
  await tablet.press("Call the referee with it");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done.map(({ key, ...one }) => one), [{ operation: "objection", seen: 0, wind: "W", text: "A hand is missing" }]);
});

test("a referee signs off without the missing confirmations, with a reason", async () => {
  const tablet = await Tablet.open({ state: ended({}), may: ["correct_hands"] });
  await tablet.tap("more");
  await tablet.press("Sign off without the missing confirmations");
  await tablet.press("A player has left the hall");
  await tablet.press("Sign off");
  await tablet.device.clock.run(1_000);
  assert.deepEqual([tablet.done[0].operation, tablet.done[0].reason], ["sign-off", "A player has left the hall"]);
});

test("the queue is shown, as text too, and is sent at once when somebody asks for it", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  network.fault = () => ({ status: 503, headers: { "Retry-After": "30" } });
  await tablet.tap(...WIN, "save");
  await tablet.tap("connection");
  assert.match(tablet.dialog.textContent, /Hand 1 · Session 1, table 1/);
  await tablet.press("Show as text and QR");
  const told = JSON.parse(tablet.dialog.querySelector("textarea").value);
  assert.deepEqual([told.session, told.table, told.operation, told.seen, told.facts], [1, 1, "hands", 0, facts("E", "S", 24)]);
  assert.equal(tablet.dialog.querySelectorAll("figure").length, 1);
  await tablet.press("Close");
  network.fault = () => "pass";
  await tablet.tap("connection");
  await tablet.press("Send now");
  await settled();
  assert.equal(tablet.done.length, 1);
});

test("a tap is not lost when news arrives beneath the finger", async () => {
  const tablet = await Tablet.open();
  const seat = tablet.find("seat-E");
  tablet.root.dispatchEvent(new Event("pointerdown"));
  tablet.state = { ...tablet.state, called: true };
  tablet.news = { called: true };
  await tablet.device.clock.run(8_100);
  assert.equal(tablet.find("seat-E"), seat);
  tablet.page.fire("pointerup");
  await tablet.device.clock.run(200);
  assert.notEqual(tablet.find("seat-E"), seat);
});

test("another tablet at the table is told once", async () => {
  const tablet = await Tablet.open();
  tablet.news = { others: ["Red"] };
  await tablet.device.clock.run(8_000);
  assert.match(tablet.message, /Another tablet is at this table now: Red/);
  await tablet.device.clock.run(8_000);
  assert.equal(tablet.message, "");
});

test("a dead hand that a referee declared is part of what is entered", async () => {
  const tablet = await Tablet.open({ state: stateOf("SBR", { dead_hands: [{ hand: 1, seat: "N", offence: 7 }, { hand: 2, seat: "W", offence: 8 }] }) });
  await tablet.tap("seat-E", "seat-S", "fans-2", "seat-S", "seat-W", "fans-0", "mode-over", "state-W-no_wait", "state-N-no_wait", "save");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done[0].facts.events[0], { type: "dead_hand", seat: "N", offence: 7 });
  assert.equal(tablet.done[0].facts.events.length, 3);
});

test("a hand that was declared dead while the tablet was away is there beside what was half entered", async () => {
  const first = await Tablet.open({ state: stateOf("SBR") });
  await first.tap("seat-E", "seat-S");
  first.page.close();
  const state = stateOf("SBR", { dead_hands: [{ hand: 1, seat: "N", offence: 7 }] });
  const kept = { ...first.device.memory.stores.get("kept").rows.get("state:cup:1:1"), dead_hands: state.dead_hands };
  first.device.memory.stores.get("kept").rows.set("state:cup:1:1", kept);
  first.network.fault = () => "request lost";
  const again = await Tablet.open({ state, device: first.device, network: first.network });
  assert.deepEqual(plain(again.screen.draft.events.map((one) => [one.type, one.seat ?? one.winners[0].seat])), [["win", "E"], ["dead_hand", "N"]]);
});

test("a referee corrects an earlier hand although the table has ended its game", async () => {
  const hands = [{ number: 1, facts: facts("E", "S", 24), payments: { E: 48, S: -32, W: -8, N: -8 }, recorded_at: "2026-11-07T09:00:00Z" }];
  const tablet = await Tablet.open({ state: ended({ hands, next: { ...stateOf().next, number: 2 } }), may: ["correct_hands"] });
  await tablet.tap("more");
  await tablet.press("Hands of this table");
  await tablet.press("Correct");
  assert.match(tablet.text(".scoring-hand"), /Correcting hand 1/);
  assert.deepEqual(tablet.amounts, { E: 48, S: -32, W: -8, N: -8 });
  await tablet.tap("cancel");
  assert.match(tablet.text("h2"), /Is the result right/);
});

// Two tablets at one table

function elsewhere(network, at, winner = "E", from = "S", fans = 24) {
  network.perform({ key: `other-${at}`, session: 1, table: 1, operation: "hands", body: JSON.stringify({ seen: at, facts: facts(winner, from, fans) }) });
}

test("a hand that was begun before another tablet saved the same one is one hand", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  await tablet.tap(...WIN);
  elsewhere(network, 0);
  await tablet.device.clock.run(9_000);
  assert.match(tablet.text(".scoring-hand"), /Hand 1/);
  assert.match(tablet.message, /entered on another tablet or in another window meanwhile/);
  await tablet.tap("save");
  await tablet.device.clock.run(2_000);
  assert.equal(tablet.done.length, 1);
  assert.equal(tablet.dialog, undefined);
  assert.match(tablet.text(".scoring-hand"), /Hand 2/);
  assert.equal(tablet.outbox.unsent, 0);
});

test("a different hand that was begun before is shown beside the other one, and a referee is called first", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  await tablet.tap("seat-E", "seat-S", "digit-3", "digit-0");
  elsewhere(network, 0);
  await tablet.device.clock.run(9_000);
  await tablet.tap("save");
  await tablet.device.clock.run(2_000);
  assert.equal(tablet.done.length, 1);
  assert.equal(tablet.dialog.querySelector(".actions").querySelectorAll("button")[0].textContent, "Call the referee");
  assert.equal(tablet.text(".connection"), "Needs a decision");
});

test("the last hand of another tablet is not entered twice without a question, and one hand is the first choice", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  elsewhere(network, 0);
  await tablet.device.clock.run(9_000);
  assert.match(tablet.text(".scoring-hand"), /Hand 2/);
  await tablet.tap(...WIN, "save");
  assert.match(tablet.dialog.textContent, /The same hand twice/);
  assert.equal(tablet.dialog.querySelector(".actions").querySelectorAll("button")[0].textContent, "It is one hand");
  await tablet.press("It is one hand");
  await tablet.device.clock.run(2_000);
  assert.equal(tablet.done.length, 1);
  await tablet.tap(...WIN, "save");
  await tablet.press("It happened twice: record it");
  await tablet.device.clock.run(2_000);
  assert.equal(tablet.done.length, 2);
});

// What is not on the server is never called saved

async function setAside(network = new Network()) {
  const tablet = await Tablet.open({ network });
  elsewhere(network, 0, "S", null, 8);
  await tablet.tap(...WIN, "save");
  await tablet.device.clock.run(1_000);
  await tablet.press("Set it aside for now");
  await tablet.device.clock.run(1_000);
  return tablet;
}

test("a hand that was set aside is told as not sent, here and to the desk, also after a reload", async () => {
  const network = new Network();
  const tablet = await setAside(network);
  assert.equal(tablet.text(".connection"), "Not sent: 1");
  await tablet.tap("connection");
  assert.doesNotMatch(tablet.dialog.textContent, /Everything entered here is on the server/);
  assert.match(tablet.dialog.textContent, /somebody must decide/);
  await tablet.press("Close");
  tablet.page.close();
  const again = await Tablet.open({ network, device: tablet.device });
  assert.equal(again.text(".connection"), "Not sent: 1");
  assert.deepEqual(plain(network.requests.filter((one) => one.path === "beat/").at(-1).body.set_aside), [{ session: 1, table: 1, number: 1 }]);
});

test("a hand that was set aside can be recorded after all", async () => {
  const tablet = await setAside();
  await tablet.tap("connection");
  await tablet.press("Decide");
  await tablet.press("Record it as hand 2");
  await tablet.device.clock.run(2_000);
  assert.deepEqual(tablet.done.map((one) => one.facts.events[0].winners[0].seat), ["S", "E"]);
  assert.equal(tablet.text(".connection"), "Saved");
});

test("a hand that was set aside is dropped with a reason only", async () => {
  const network = new Network();
  const tablet = await setAside(network);
  await tablet.tap("connection");
  await tablet.press("Decide");
  await tablet.press("Drop it, with a reason");
  await tablet.press("Drop it");
  assert.match(tablet.dialog.textContent, /at least ten characters/);
  await tablet.press("The other version is right");
  await tablet.press("Drop it");
  const [sent] = network.requests.filter((one) => one.path.endsWith("drop/"));
  assert.deepEqual([sent.body.reason, sent.body.entry.number, sent.body.entry.operation], ["The other version is right", 1, "hands"]);
  assert.equal(tablet.text(".connection"), "Saved");
});

test("a hand that could not be dropped goes on being told as not sent", async () => {
  const network = new Network();
  const tablet = await setAside(network);
  network.fault = () => "request lost";
  await tablet.tap("connection");
  await tablet.press("Decide");
  await tablet.press("Drop it, with a reason");
  await tablet.press("The other version is right");
  await tablet.press("Drop it");
  assert.match(tablet.text(".connection"), /Not sent: 1/);
});

test("what is entered and not saved is said, and asked about before the session is ended", async () => {
  const tablet = await Tablet.open();
  assert.equal(tablet.text(".connection"), "Saved");
  await tablet.tap(...WIN);
  assert.equal(tablet.text(".connection"), "Hand 1 not saved");
  await tablet.tap("more");
  await tablet.press("End of the session");
  assert.match(tablet.dialog.textContent, /Hand 1 is not saved/);
  await tablet.press("Save hand 1");
  assert.match(tablet.dialog.textContent, /End of the session/);
  await tablet.press("End of the session");
  await tablet.device.clock.run(2_000);
  assert.deepEqual(tablet.done.map((one) => one.operation), ["hands", "end"]);
  assert.equal(tablet.text(".connection"), "Saved");
});

test("who leaves the table with an unsaved hand is asked, and may leave it on the tablet", async () => {
  const tablet = await Tablet.open();
  await tablet.tap("seat-E");
  await tablet.tap("more");
  await tablet.press("All tables");
  assert.match(tablet.dialog.textContent, /not finished/);
  await tablet.press("Go back");
  assert.equal(tablet.gone, undefined);
  await tablet.tap("more");
  await tablet.press("All tables");
  await tablet.press("Leave it on this tablet for later");
  assert.equal(tablet.gone, "/cup/tablet/");
});

test("a result is not confirmed over an unsaved hand without a question", async () => {
  const network = new Network();
  const tablet = await Tablet.open({ network });
  await tablet.tap(...WIN);
  network.perform({ key: "end", session: 1, table: 1, operation: "end", body: JSON.stringify({ seen: 0 }) });
  tablet.state = { ...tablet.state, state: "ended" };
  await tablet.device.clock.run(9_000);
  assert.equal(tablet.text(".connection"), "Hand 1 not saved");
  await tablet.tap("confirm-E");
  assert.match(tablet.dialog.textContent, /Hand 1 is not saved/);
  await tablet.press("Go back");
  await tablet.tap("confirm-E");
  await tablet.press("Clear this entry");
  await tablet.device.clock.run(2_000);
  assert.deepEqual(tablet.done.map((one) => one.operation), ["end", "confirm"]);
});
