// What the middle of the screen offers at each step, in every system.

import assert from "node:assert/strict";
import { test } from "node:test";

import { plain } from "./device.mjs";
import { Tablet, stateOf } from "./tablet.mjs";

const RIICHI = { rules: { limits: { 5: "mangan", 6: "haneman", 8: "baiman", 11: "sanbaiman", 13: "counted_yakuman" } }, points_unit: 100, start_points: 30_000 };
const open = (system, more = {}) => Tablet.open({ state: stateOf(system, system === "RIICHI" ? { ...RIICHI, ...more } : more) });
const prompt = (tablet) => tablet.text('[id="prompt"]');
const isOn = (tablet, name) => tablet.find(name).getAttribute("aria-pressed") === "true";
const disabled = (tablet, ...names) => names.map((name) => tablet.find(name).disabled);
const event = (tablet) => plain(tablet.screen.facts.events[0]);

test("fans are pressed when the winner and the discarder are known; from six on each tap is one more", async () => {
  const tablet = await open("SBR");
  assert.deepEqual(disabled(tablet, "wall", "share", "fans-0", "fan-pure_suit"), [true, true, true, true]);
  await tablet.tap("seat-E");
  assert.deepEqual(disabled(tablet, "wall", "share", "fans-0"), [false, true, true]);
  await tablet.tap("seat-S");
  assert.deepEqual(disabled(tablet, "fans-0", "fans-5", "fans-6"), [false, false, false]);
  assert.match(tablet.find("fans-5").textContent, /= 16/);
  await tablet.tap("fans-3");
  assert.deepEqual([isOn(tablet, "fans-3"), isOn(tablet, "fans-2")], [true, false]);
  for (const expected of [6, 7, 6]) {
    await tablet.tap("fans-6");
    assert.equal(tablet.screen.draft.events[0].winners[0].fans, expected);
  }
});

test("how the tile came counts as a fan at least, and brings its kong, which counts as another", async () => {
  const tablet = await open("WMSG");
  await tablet.tap("seat-E", "wall", "came-replacement_win");
  assert.match(prompt(tablet), /What kind of kong/);
  await tablet.tap("kong-concealed");
  assert.deepEqual(disabled(tablet, "fans-0", "fans-1", "fans-2"), [true, true, false]);
  await tablet.tap("fans-2");
  assert.deepEqual(plain(tablet.screen.facts.events), [{ type: "kong", seat: "E", kind: "concealed" }, { type: "win", winners: [{ seat: "E", fans: 2 }], replacement_win: true }]);
});

test("another winner on the same discard, each with a value of their own", async () => {
  const tablet = await open("SBR");
  await tablet.tap("seat-E", "seat-S", "fans-1", "share");
  assert.match(prompt(tablet), /Who else won on this discard/);
  await tablet.tap("seat-W", "fans-2");
  assert.deepEqual(event(tablet).winners, [{ seat: "W", fans: 2 }, { seat: "E", fans: 1 }]);
  await tablet.tap("winner-0", "fans-3");
  assert.equal(tablet.screen.draft.events[0].winners[0].fans, 3);
  assert.match(prompt(tablet), /Enter the next win/);
});

test("digits make a number up to the most that can be; they are erased one by one or at once", async () => {
  const tablet = await open("MCR", { rules: { minimum: 8 } });
  await tablet.tap("seat-E", "wall", "digit-4", "digit-0", "digit-0");
  assert.equal(tablet.text("output"), "400");
  await tablet.tap("digit-1");
  assert.equal(tablet.text("output"), "400");
  await tablet.tap("erase");
  assert.equal(tablet.text("output"), "40");
  await tablet.tap("clear");
  assert.equal(tablet.text("output"), "—");
  assert.match(prompt(tablet), /At least 8/);
  await tablet.tap("digit-7");
  assert.equal(tablet.find("save").disabled, true);
});

test("flowers are from none to eight", async () => {
  const tablet = await open("MCR");
  await tablet.tap("seat-E", "wall", "digit-9");
  assert.deepEqual(disabled(tablet, "flower-less", "flower-more"), [true, false]);
  for (let flower = 0; flower < 8; flower += 1) await tablet.tap("flower-more");
  assert.deepEqual(disabled(tablet, "flower-less", "flower-more"), [false, true]);
  await tablet.tap("flower-less");
  assert.equal(event(tablet).winners[0].flowers, 7);
});

test("two hands of a player: the second may come in the same turn, or without the drawn tile", async () => {
  const tablet = await open("SIAM");
  const second = () => plain(tablet.screen.facts.events[1]);
  await tablet.tap("seat-E", "seat-S");
  assert.deepEqual(disabled(tablet, "undrawn", "same-turn"), [true, true]);
  await tablet.tap("wall", "digit-9");
  assert.deepEqual(disabled(tablet, "undrawn", "same-turn"), [false, true]);
  await tablet.tap("seat-E", "wall", "digit-9");
  assert.deepEqual(disabled(tablet, "undrawn", "same-turn"), [true, false]);
  await tablet.tap("same-turn", "undrawn");
  assert.deepEqual(second(), { type: "win", winners: [{ seat: "E", fans: 9, without_drawn_tile: true }], same_turn: true });
  await tablet.tap("same-turn");
  assert.deepEqual(second().winners, [{ seat: "E", fans: 9 }]);
});

test("han ask for fu, unless they make a limit by themselves", async () => {
  const tablet = await open("RIICHI");
  await tablet.tap("seat-S", "seat-W", "han-3");
  assert.match(prompt(tablet), /How many fu/);
  assert.equal(tablet.find("fu-120").disabled, true);
  await tablet.tap("han-4");
  const offered = tablet.page.document.querySelectorAll("button").filter((one) => !one.disabled).map((one) => one.dataset.focus ?? "").filter((name) => name.startsWith("fu-"));
  assert.deepEqual(offered.map((name) => Number(name.slice(3))), [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140]);
  await tablet.tap("han-3", "fu-40");
  assert.deepEqual(tablet.amounts, { E: 0, S: 5200, W: -5200, N: 0 });
  await tablet.tap("han-more");
  assert.equal(tablet.has("fu-40"), false);
  assert.deepEqual(tablet.amounts, { E: 0, S: 8000, W: -8000, N: 0 });
  await tablet.tap("han-11");
  assert.deepEqual([isOn(tablet, "han-11"), tablet.amounts.S], [true, 24_000]);
  await tablet.tap("haneman");
  assert.equal(tablet.amounts.S, 12_000);
});

test("who is liable for a yakuman pays it; nobody else can be", async () => {
  const tablet = await open("RIICHI");
  await tablet.tap("seat-S", "wall", "haneman");
  assert.equal(tablet.has("liable-W"), false);
  await tablet.tap("yakuman");
  assert.deepEqual([tablet.has("liable-S"), tablet.has("liable-W")], [false, true]);
  await tablet.tap("liable-W");
  assert.deepEqual(tablet.amounts, { E: 0, S: 32_000, W: -32_000, N: 0 });
  await tablet.tap("liable-W");
  assert.equal(tablet.amounts.E, -16_000);
});

test("bets are entered with the hand, and a bet waits when the wall is out", async () => {
  const tablet = await open("RIICHI");
  await tablet.tap("mode-over", "riichi-E", "riichi-W");
  assert.deepEqual([isOn(tablet, "state-E-waiting"), isOn(tablet, "riichi-W")], [true, true]);
  assert.match(prompt(tablet), /Who was waiting/);
  await tablet.tap("state-S-no_wait", "state-N-no_wait");
  assert.deepEqual(tablet.amounts, { E: 500, S: -1500, W: 500, N: -1500 });
  await tablet.tap("riichi-W");
  assert.deepEqual(plain(tablet.screen.facts.riichi), ["E"]);
});

test("at an exhausted wall everybody left is checked, and a pig's fine goes to nobody", async () => {
  const tablet = await open("SBR");
  await tablet.tap("mode-over");
  assert.match(prompt(tablet), /What did the check of the hands show/);
  await tablet.tap("base-E-4", "state-S-no_wait", "state-W-pig_active", "state-N-pig_passive");
  assert.deepEqual(tablet.amounts, { E: 12, S: -4, W: -52, N: -4 });
  assert.match(prompt(tablet), /48 go to nobody/);
  assert.deepEqual(disabled(tablet, "save"), [false]);
});

test("a false win names its kind, and on whose discard it was where that is known", async () => {
  const tablet = await open("SBR");
  await tablet.tap("mode-more", "other-false_win");
  assert.match(prompt(tablet), /Whose false win/);
  await tablet.tap("seat-E");
  assert.match(prompt(tablet), /Which kind/);
  assert.deepEqual([tablet.has("false-from-E"), tablet.has("false-from-S")], [false, true]);
  await tablet.tap("false-from-S", "kind-no_wait");
  assert.deepEqual(event(tablet), { type: "false_win", seat: "E", kind: "no_wait", from: "S" });
  assert.deepEqual(tablet.amounts, { E: -48, S: 16, W: 16, N: 16 });
});

test("who declared a false win takes no further part, and three declarations end the hand", async () => {
  const tablet = await open("SBR", { rules: { false_winner: "out" } });
  await tablet.tap("mode-more", "other-false_win", "seat-N", "kind-waiting", "seat-E", "seat-N");
  assert.equal(event(tablet).seat, "N");
  assert.deepEqual(plain(tablet.screen.draft.events[1].winners), [{ seat: "E", fans: null }]);
  await tablet.tap("wall", "fans-0");
  assert.deepEqual(tablet.amounts, { E: 12, S: 6, W: 6, N: -24 });
  await tablet.tap("mode-over");
  assert.deepEqual([tablet.has("state-S-no_wait"), tablet.has("state-N-no_wait")], [true, false]);
  await tablet.tap("mode-win", "seat-S", "seat-W", "fans-0");
  assert.deepEqual(tablet.amounts, { E: 12, S: 7, W: 5, N: -24 });
  assert.equal(tablet.find("save").disabled, false);
});

test("where false winners play on, they pay and are checked like anybody", async () => {
  const tablet = await open("WMSG", { rules: { false_winner: "plays_on" } });
  await tablet.tap("mode-more", "other-false_win", "seat-N", "kind-waiting", "seat-E", "wall", "fans-0");
  assert.deepEqual(tablet.amounts, { E: 14, S: 6, W: 6, N: -26 });
  await tablet.tap("mode-over");
  assert.equal(tablet.has("state-N-no_wait"), true);
});

test("declared kongs are in the hand: fewer fans are not offered, nor more than it can have", async () => {
  const tablet = await open("SBR");
  await tablet.tap("mode-kong", "seat-E", "kong-concealed", "seat-E", "wall");
  const offered = [0, 1, 2, 3, 4, 5, 6].filter((fans) => !tablet.find(`fans-${fans}`).disabled);
  assert.deepEqual(offered, [1, 2, 3, 4, 5]);
  assert.deepEqual([isOn(tablet, "fan-kong"), tablet.find("fan-kong").disabled], [true, true]);
  await tablet.tap("fan-pure_suit");
  assert.deepEqual(plain(tablet.screen.facts.events[1].winners), [{ seat: "E", fans: 3, fan_list: { kong: 1, pure_suit: 1 } }]);
});

test("a kong of the world's rules is four of a kind, and so is a delayed one of ours", async () => {
  for (const [system, kind] of [["WMSG", "concealed"], ["SBR", "delayed"]]) {
    const tablet = await open(system);
    await tablet.tap("mode-kong", "seat-E", `kong-${kind}`, "seat-E", "wall", "fan-all_pungs");
    assert.deepEqual(plain(tablet.screen.facts.events[1].winners[0].fan_list), { quad: 1, all_pungs: 1 });
    await tablet.tap("fan-quad", "fan-quad", "fan-quad", "fan-quad");
    assert.equal(tablet.screen.facts.events[1].winners[0].fan_list.quad, 1);
  }
});

test("a hand with kongs waits for no less than they are worth, and a dead hand does not wait", async () => {
  const tablet = await open("SBR");
  await tablet.tap("mode-kong", "seat-S", "kong-concealed", "mode-more", "other-dead_hand", "seat-W", "mode-over");
  assert.deepEqual(disabled(tablet, "base-S-1", "base-S-2", "base-E-1"), [true, false, false]);
  assert.deepEqual(disabled(tablet, "base-W-1", "base-W-16", "state-W-no_wait", "state-W-pig_active"), [true, true, false, false]);
});

test("a hand that is declared dead after its check is checked again", async () => {
  const tablet = await open("SBR");
  await tablet.tap("mode-over", "base-E-1", "base-S-1", "base-W-1", "base-N-1");
  assert.equal(tablet.find("save").disabled, false);
  await tablet.tap("mode-more", "other-dead_hand", "seat-E", "mode-over");
  assert.equal(tablet.find("save").disabled, true);
  await tablet.tap("state-E-no_wait");
  assert.deepEqual(plain(tablet.screen.facts.end.E), { state: "no_wait" });
  assert.equal(tablet.find("save").disabled, false);
});

test("what was begun and left is shown as not finished; it is taken up again or removed", async () => {
  const tablet = await open("SBR");
  await tablet.tap("mode-more", "other-false_win", "seat-E", "mode-win", "seat-S", "seat-W", "fans-1");
  await tablet.tap("mode-over", "state-E-no_wait", "state-W-no_wait", "state-N-no_wait");
  assert.match(prompt(tablet), /Not finished/);
  assert.match(tablet.find("event-0").textContent, /not finished/);
  await tablet.tap("remove-0");
  assert.equal(tablet.screen.draft.events.length, 1);
  assert.equal(tablet.find("save").disabled, false);
});

test("the digits and the erasing key of a keyboard do what the pad does", async () => {
  const tablet = await open("MCR");
  const press = async (key, more = {}) => {
    tablet.page.listeners.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { key, ...more }));
    await tablet.device.clock.run(1);
  };
  Object.defineProperty(tablet.page.listeners, "closest", { value: () => null });
  await tablet.tap("seat-E");
  await press("9");
  assert.equal(tablet.screen.draft.events[0].winners[0].fans, null);
  await tablet.tap("wall");
  await press("2");
  await press("4");
  await press("5", { ctrlKey: true });
  assert.equal(tablet.text("output"), "24");
  await press("Backspace");
  assert.equal(tablet.text("output"), "2");
  await press("Enter");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done, [], "Enter saves nothing that is below the minimum");
  await press("4");
  await press("Enter");
  await tablet.device.clock.run(1_000);
  assert.deepEqual(tablet.done.map((one) => one.operation), ["hands"]);
});

test("a hand of riichi bears the name of its round and dealer, also after a chombo", async () => {
  const tablet = await open("RIICHI");
  assert.match(tablet.text(".scoring-hand"), /East 1/);
  assert.equal(tablet.find("save").textContent, "Save East\u00a01");
  await tablet.tap("mode-more", "other-chombo", "seat-S", "save");
  assert.match(tablet.text(".scoring-hand"), /East 1/);
  assert.match(tablet.text(".scoring-hand"), /hand 2/);
});

test("at a draw whoever called riichi is waiting; the others are told by one tap", async () => {
  const tablet = await open("RIICHI");
  await tablet.tap("riichi-S", "mode-over");
  assert.equal(isOn(tablet, "state-S-waiting"), true);
  await tablet.tap("none-waiting");
  assert.deepEqual(["E", "S", "W", "N"].map((seat) => isOn(tablet, `state-${seat}-waiting`)), [false, true, false, false]);
  assert.equal(tablet.find("save").disabled, false);
  await tablet.tap("all-waiting");
  assert.deepEqual(["E", "S", "W", "N"].map((seat) => isOn(tablet, `state-${seat}-waiting`)), [true, true, true, true]);
});

test("an entry is cleared by a button of its own and brought back by another", async () => {
  const tablet = await open("MCR");
  await tablet.tap("seat-E", "seat-S", "digit-9");
  assert.equal(tablet.has("undo"), false);
  await tablet.tap("clear-entry");
  assert.equal(tablet.text(".connection"), "Saved");
  assert.deepEqual(tablet.amounts.E, 0);
  await tablet.tap("bring-back");
  assert.equal(tablet.find("save").disabled, false);
  assert.equal(tablet.amounts.E, 33);
});

test("a tap that can enter nothing says so", async () => {
  const tablet = await open("MCR");
  await tablet.tap("mode-over", "seat-E");
  assert.match(tablet.message, /Nothing was entered by this tap/);
});

// The hand as a line of events

const line = (tablet) => plain(tablet.screen.facts.events).map((one) => (one.type === "win" ? `${one.winners.map((winner) => winner.seat).join("")}<${one.from ?? "wall"}` : `${one.seat}:${one.kind ?? one.type}`));

async function twoWins() {
  const tablet = await open("SBR");
  await tablet.tap("seat-E", "seat-S", "fans-2", "seat-W", "wall", "fans-1");
  assert.deepEqual(line(tablet), ["E<S", "W<wall"]);
  return tablet;
}

test("a finished win gets another discarder, also one who has won later", async () => {
  const tablet = await twoWins();
  await tablet.tap("event-0", "seat-N");
  assert.deepEqual(line(tablet), ["E<N", "W<wall"]);
  await tablet.tap("seat-W");
  assert.deepEqual(line(tablet), ["E<W", "W<wall"]);
  assert.deepEqual(tablet.amounts.E > 0, true);
});

test("a finished win gets another winner; who had discarded changes places with them", async () => {
  const tablet = await twoWins();
  await tablet.tap("event-0", "seat-E");
  assert.match(prompt(tablet), /Who was it instead/);
  await tablet.tap("seat-S");
  assert.deepEqual(line(tablet), ["S<E", "W<wall"]);
  await tablet.device.clock.run(500);
  await tablet.tap("seat-S", "seat-N");
  assert.deepEqual(line(tablet), ["N<E", "W<wall"]);
});

test("a win that was forgotten is put before the second one that ended a Siamese hand", async () => {
  const tablet = await Tablet.open({ state: stateOf("SIAM") });
  await tablet.tap("seat-E", "wall", "digit-3", "digit-0");
  await tablet.tap("seat-E", "wall", "digit-4", "digit-0", "event-1", "before-1");
  assert.match(prompt(tablet), /A win or something else\.$/, "kongs are not entered in Siamese");
  await tablet.tap("seat-W", "seat-S", "digit-9");
  assert.deepEqual(line(tablet), ["E<wall", "W<S", "E<wall"]);
  assert.equal(tablet.find("save").disabled, false);
});

test("events change their order by arrows, and amounts follow", async () => {
  const tablet = await twoWins();
  const before = tablet.amounts;
  await tablet.tap("event-1", "earlier-1");
  assert.deepEqual(line(tablet), ["W<wall", "E<S"]);
  assert.notDeepEqual(tablet.amounts, before);
  assert.equal(tablet.find("earlier-0").disabled, true);
  await tablet.tap("later-0");
  assert.deepEqual([line(tablet), tablet.amounts], [["E<S", "W<wall"], before]);
});

test("a kong that was forgotten is put before the win it preceded, by one who has won since", async () => {
  const tablet = await twoWins();
  await tablet.tap("event-0", "before-0");
  assert.match(prompt(tablet), /What happened before/);
  await tablet.tap("mode-kong", "seat-E", "kong-concealed");
  assert.deepEqual(line(tablet), ["E:concealed", "E<S", "W<wall"]);
  await tablet.tap("event-2", "before-2", "mode-kong", "seat-N", "kong-concealed");
  assert.deepEqual(line(tablet), ["E:concealed", "E<S", "N:concealed", "W<wall"]);
});

test("kongs are told at the end of the hand, each with who and when; amounts follow at once", async () => {
  const tablet = await twoWins();
  const before = tablet.amounts;
  await tablet.tap("mode-kong", "when-1");
  assert.match(prompt(tablet), /Who declared a kong before/);
  await tablet.tap("seat-E");
  assert.match(tablet.message, /Nothing was entered/, "who has won declares no kong");
  await tablet.tap("seat-W", "kong-concealed");
  assert.deepEqual(line(tablet), ["E<S", "W:concealed", "W<wall"]);
  assert.deepEqual([tablet.amounts.W, tablet.amounts.N], [before.W + 4, before.N - 2], "not from who had won");
  await tablet.tap("when-0", "seat-E", "kong-added", "seat-N", "kong-open", "seat-S");
  assert.deepEqual(line(tablet), ["E:added", "N:open", "E<S", "W:concealed", "W<wall"]);
  await tablet.tap("when-end", "seat-S", "kong-delayed");
  assert.equal(line(tablet).at(-1), "S:delayed");
  assert.match(prompt(tablet), /after the last win/);
  await tablet.tap("event-5", "when-2");
  assert.deepEqual(line(tablet), ["E:added", "N:open", "S:delayed", "E<S", "W:concealed", "W<wall"]);
});

test("who has kong points at stake is checked where the kongs are told", async () => {
  const tablet = await twoWins();
  await tablet.tap("seat-S", "seat-N", "fans-0");
  assert.match(prompt(tablet), /Check the amounts/);
  await tablet.tap("mode-kong", "when-0", "seat-N", "kong-concealed");
  assert.match(prompt(tablet), /check of the hands/);
  assert.equal(tablet.find("save").disabled, true);
  await tablet.tap("base-N-2");
  assert.equal(tablet.find("save").disabled, false);
});

test("a kong is changed where it stands: who, of what kind", async () => {
  const tablet = await twoWins();
  await tablet.tap("event-0", "before-0", "mode-kong", "seat-E", "kong-concealed", "event-0", "seat-E", "seat-N");
  assert.deepEqual(line(tablet)[0], "N:concealed");
  await tablet.tap("kong-added");
  assert.deepEqual(line(tablet)[0], "N:added");
});

test("a second win on the same discard becomes one event with the first by one tap", async () => {
  const tablet = await open("SBR");
  await tablet.tap("seat-E", "seat-S", "fans-2", "seat-W", "seat-S", "fans-1");
  assert.deepEqual(line(tablet), ["E<S", "W<S"]);
  await tablet.tap("same-tile");
  assert.equal(line(tablet).length, 1);
  assert.deepEqual([...line(tablet)[0].split("<")[0]].sort(), ["E", "W"]);
});
