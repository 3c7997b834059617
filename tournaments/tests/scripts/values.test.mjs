// What a hand is worth, told by fans from the list or tile by tile.

import assert from "node:assert/strict";
import { test } from "node:test";

import { plain, settled } from "./device.mjs";
import { Network } from "./network.mjs";
import { Tablet, stateOf } from "./tablet.mjs";

const FANS = [
  { code: "1", name: "Big Four", points: 88, most: 1, excludes: ["3"], only: null },
  { code: "2", name: "Self-drawn", points: 1, most: 1, excludes: [], only: "self_draw" },
  { code: "3", name: "Pung", points: 1, most: 2, excludes: [], only: null },
];

async function opened(state, { answers = {}, taps = ["seat-E", "seat-S"] } = {}) {
  const network = new Network();
  const asked = [];
  network.other = (path, body) => {
    const name = Object.keys(answers).find((one) => path.endsWith(`${one}/`));
    if (!name) return undefined;
    asked.push(body);
    return answers[name];
  };
  const tablet = await Tablet.open({ network, state });
  await tablet.tap(...taps);
  const key = (code) => tablet.dialog.querySelector(`[data-tile="${code}"]`);
  const press = async (codes) => {
    for (const code of codes.split(" ")) {
      key(code).click();
      await settled();
    }
  };
  return { tablet, network, asked, key, press };
}

const fan = (tablet, code) => tablet.dialog.querySelector(`[data-focus="list-${code}"]`);

test("fans of the list add up, as often as they may, and what they exclude cannot be pressed", async () => {
  const { tablet } = await opened(stateOf("MCR"), { answers: { fans: { fans: FANS } } });
  await tablet.tap("fan-list");
  assert.equal(fan(tablet, "2").disabled, true, "not from the wall");
  assert.deepEqual(tablet.dialog.querySelectorAll("h3").map((one) => one.textContent), ["88 points", "1 point"]);
  for (const expected of ["1 point", "2 points", "0 points", "1 point"]) {
    fan(tablet, "3").click();
    assert.equal(tablet.dialog.querySelector(".fans-total").textContent, expected);
  }
  fan(tablet, "1").click();
  assert.equal(tablet.dialog.querySelector(".fans-total").textContent, "88 points");
  assert.equal(fan(tablet, "3").disabled, true);
  await tablet.press("Take these fans");
  assert.deepEqual(tablet.amounts, { E: 112, S: -96, W: -8, N: -8 });
  assert.deepEqual(plain(tablet.screen.facts.events[0].winners[0].fan_list), { 1: 1 });
});

test("a fan is found by its name or number", async () => {
  const { tablet } = await opened(stateOf("MCR"), { answers: { fans: { fans: FANS } }, taps: ["seat-E", "wall"] });
  await tablet.tap("fan-list");
  const shown = () => tablet.dialog.querySelectorAll("button").filter((one) => one.dataset.focus?.startsWith("list-")).map((one) => one.dataset.focus);
  await tablet.type("fan-search", " PUNG");
  assert.deepEqual(shown(), ["list-3"]);
  await tablet.type("fan-search", "1");
  assert.deepEqual(shown(), ["list-1"]);
  await tablet.type("fan-search", "");
  assert.deepEqual(shown(), ["list-1", "list-2", "list-3"]);
  assert.equal(fan(tablet, "2").disabled, false);
});

test("the list is kept for the time without a connection, and asked for the first time", async () => {
  const answers = {};
  const { tablet, network } = await opened(stateOf("MCR"), { answers });
  await tablet.tap("fan-list");
  assert.match(tablet.message, /needs a connection the first time/);
  answers.fans = { fans: FANS };
  await tablet.tap("fan-list");
  await tablet.press("Go back");
  network.fault = () => "request lost";
  await tablet.tap("fan-list");
  assert.ok(fan(tablet, "1"));
});

// Tile by tile

const FOUND = { winner: { fans: 30 }, tiles: { melds: [], concealed: ["m1"], winning_tile: "m2" }, totals: [{ label: "Points", value: 12345 }], terms: [{ name: "Pung", times: 2, clause: "MCR 1", made_of: ["m1"], points: 2 }], reasons: [], omissions: [{ name: "Chow", reason: "implied", clause: "MCR 2" }], payment: "Ben pays." };

test("four of a tile are all there are, and fourteen are a hand; the last one wins", async () => {
  const { tablet, asked, key, press } = await opened(stateOf("MCR", {}), { answers: { evaluate: FOUND } });
  await tablet.tap("tiles");
  await press("m1 m1 m1");
  assert.equal(key("m1").disabled, false);
  await press("m1");
  assert.equal(key("m1").disabled, true);
  assert.match(tablet.dialog.textContent, /10 more tiles/);
  await press("m2 m3 m4 m5 m6 m7 m8 m9 p1");
  assert.match(tablet.dialog.textContent, /1 more tile;/);
  assert.equal(asked.length, 0);
  await press("p2");
  await tablet.device.clock.run(300);
  assert.equal(asked.length, 1);
  assert.deepEqual(asked[0].how, { self_draw: false, flowers: 0, seat_wind: "E", round_wind: "E" });
  assert.equal(asked[0].tiles.winning_tile, "p2");
  assert.equal(asked[0].tiles.concealed.length, 13);
  assert.equal(key("p3"), null, "a full hand shows what it is worth");
  assert.match(tablet.dialog.textContent, /Points: 12\u202f345/);
  assert.match(tablet.dialog.textContent, /Pung ×2 \[MCR 1\] m12Ben pays\.Not countedChow: implied \[MCR 2\]/);
  await tablet.press("Take this value");
  assert.deepEqual(tablet.amounts, { E: 54, S: -38, W: -8, N: -8 });
});

test("declared sets: a chow begins at seven at the highest, a kong takes all four", async () => {
  const { tablet, asked, key, press } = await opened(stateOf("MCR", {}), { answers: { evaluate: FOUND } });
  await tablet.tap("tiles", "meld-chow");
  assert.deepEqual(["m1", "m7", "m8", "E"].map((code) => key(code).disabled), [false, false, true, true]);
  await press("m7");
  await tablet.tap("meld-kong");
  assert.deepEqual(["m6", "m7", "E"].map((code) => key(code).disabled), [false, true, false]);
  await press("E");
  await tablet.tap("meld-concealed_kong");
  await press("p1");
  await tablet.tap("meld-pung");
  await press("m8");
  assert.match(tablet.dialog.textContent, /2 more tiles/);
  await tablet.tap("meld-pung");
  assert.equal(key("s1").disabled, true, "no room for another set");
  await tablet.tap("meld-pung");
  await press("s5 s5");
  await tablet.device.clock.run(300);
  assert.deepEqual(asked[0].tiles.melds, [
    { type: "chow", tiles: ["m7", "m8", "m9"], open: true },
    { type: "kong", tiles: ["E", "E", "E", "E"], open: true },
    { type: "kong", tiles: ["p1", "p1", "p1", "p1"], open: false },
    { type: "pung", tiles: ["m8", "m8", "m8"], open: true },
  ]);
});

test("an answer for tiles that have been changed since is neither shown nor taken", async () => {
  const { tablet, network, press } = await opened(stateOf("MCR"), { answers: { evaluate: FOUND } });
  await tablet.tap("tiles");
  network.fault = ({ path }) => (path.endsWith("evaluate/") ? "request never answered" : "pass");
  await press("m1 m1 m1 m2 m3 m4 m5 m6 m7 m8 m9 p1 p1 p2");
  await tablet.device.clock.run(300);
  tablet.dialog.querySelectorAll(".tiles-set").at(-1).click();
  await tablet.device.clock.run(20_000);
  assert.match(tablet.dialog.textContent, /1 more tile;/);
  await tablet.press("Take this value");
  assert.ok(tablet.dialog, "there is nothing to take");
});

test("tiles that are no win are told why, and without a connection that they must wait", async () => {
  const { tablet, network, press } = await opened(stateOf("MCR"));
  network.refuses = (path) => (path.endsWith("evaluate/") ? { status: 422, problem: { code: "no_win", title: "No", problems: [{ sentence: "It is no win.", clause: "MCR 3" }] } } : null);
  await tablet.tap("tiles");
  await press("m1 m1 m1 m2 m3 m4 m5 m6 m7 m8 m9 p1 p1 p2");
  await tablet.device.clock.run(300);
  assert.match(tablet.dialog.textContent, /It is no win. \[MCR 3\]/);
  tablet.dialog.querySelectorAll(".tiles-set").at(-1).click();
  network.fault = () => "request lost";
  await press("p3");
  await tablet.device.clock.run(300);
  assert.match(tablet.dialog.textContent, /when the connection is back/);
});

test("a typed or dictated hand is read on the device as it grows, and what is not understood or too much is named", async () => {
  const { tablet, asked, press } = await opened(stateOf("RED"), { answers: { evaluate: FOUND } });
  await tablet.tap("tiles");
  const laid = () => tablet.dialog.querySelectorAll(".tiles-set").length;
  await tablet.type("tiles-text", "pung of east, 1–2–3 man foo");
  assert.equal(laid(), 4);
  assert.match(tablet.dialog.textContent, /Not understood: foo/);
  assert.match(tablet.dialog.textContent, /8 more tiles/);
  await tablet.type("tiles-text", "11111m");
  assert.equal(laid(), 4);
  assert.match(tablet.dialog.textContent, /Too much: 1 of characters/);
  await tablet.type("tiles-text", "пон востока, 123 456 789 символов, две белых");
  await tablet.device.clock.run(300);
  assert.deepEqual(asked.map((one) => one.tiles.winning_tile), ["Wh"]);
  assert.deepEqual(asked[0].tiles.melds, [{ type: "pung", tiles: ["E", "E", "E"], open: true }]);
  tablet.dialog.querySelectorAll(".tiles-set").at(-1).click();
  assert.equal(tablet.dialog.querySelectorAll("input").find((one) => one.id === "tiles-text").value, "", "what was typed has become tiles");
  await press("p1");
});

const NEARBY = { lacking: 2, sure: [{ name: "All Chows", clause: "MCR 63" }], near: [{ name: "Pure Straight", clause: "MCR 28", tiles: ["m9", "p6"], worth: "Points in all: 23" }] };

test("with two tiles lacking the engine tells what is near, and without a connection nothing is told", async () => {
  const { tablet, asked, network, press } = await opened(stateOf("MCR"), { answers: { near: NEARBY } });
  await tablet.tap("tiles");
  await tablet.type("tiles-text", "(123m) 456m 99s 78m 4p");
  await tablet.device.clock.run(300);
  assert.equal(asked.length, 0, "three are lacking");
  await press("p5");
  await press("p6");
  await tablet.device.clock.run(300);
  assert.deepEqual(asked.map((one) => one.text), ["(m1m2m3) m4m5m6s9s9m7m8p4p5p6"], "asked once the finger rests");
  assert.match(tablet.dialog.textContent, /2 tiles from Pure Straight \[MCR 28\]Points in all: 23In any case: All Chows/);
  network.fault = () => "request lost";
  tablet.dialog.querySelectorAll(".tiles-set").at(-1).click();
  await tablet.device.clock.run(300);
  assert.doesNotMatch(tablet.dialog.textContent, /Pure Straight|connection/);
});

test("sets and the hand that were entered lately at this table are laid again by one press", async () => {
  const { tablet } = await opened(stateOf("MCR"), { answers: { near: NEARBY } });
  const lately = () => tablet.dialog.querySelectorAll(".tiles-lately").flatMap((one) => one.querySelectorAll("button"));
  await tablet.tap("tiles");
  assert.equal(lately().length, 0);
  await tablet.type("tiles-text", "(111z) (234p) 11m");
  await tablet.press("Go back");
  await tablet.tap("tiles");
  assert.deepEqual(lately().map((one) => one.disabled), [false, false, false]);
  lately()[2].click();
  assert.match(tablet.dialog.textContent, /11 more tiles/);
  assert.deepEqual(lately().map((one) => one.disabled), [true, false, false]);
  lately()[1].click();
  assert.deepEqual(lately().map((one) => one.disabled), [true, true, false], "there are four East winds");
  await tablet.press("Go back");
  await tablet.tap("tiles");
  await tablet.tap("last-hand");
  assert.match(tablet.dialog.textContent, /8 more tiles/);
});

test("in riichi the bet, the indicators and how the tile came go with the tiles", async () => {
  const { tablet, asked, press, key } = await opened(stateOf("RIICHI", { rules: { limits: { 5: "mangan" } } }), { answers: { evaluate: FOUND }, taps: ["riichi-E", "seat-E", "wall"] });
  await tablet.tap("tiles", "dora_indicators");
  await press("p9");
  await tablet.tap("ura_indicators");
  await press("p9 p9 p9");
  assert.equal(key("p9").disabled, true);
  await tablet.tap("ura_indicators", "flag-ippatsu", "flag-rinshan", "flag-rinshan");
  await press("m1 m1 m1 m2 m3 m4 m5 m6 m7 m8 m9 s1 s1 s1");
  await tablet.device.clock.run(300);
  assert.deepEqual(asked[0].how, { self_draw: true, ippatsu: true, seat_wind: "E", round_wind: "E", riichi: true, dora_indicators: ["p9"], ura_indicators: ["p9", "p9", "p9"] });
});

test("a waiting hand of thirteen tiles is weighed with its forbidden suit", async () => {
  const answers = { waits: { waiting: true, max_base: 8, max_fans: 3, waits: ["m1"] } };
  const { tablet, asked, press } = await opened(stateOf("SBR"), { answers, taps: ["mode-over", "weigh-S"] });
  await tablet.tap("forbidden-p");
  await press("m1 m1 m1 m2 m3 m4 m5 m6 m7 m8 m9 m9");
  assert.equal(asked.length, 0);
  await press("m9");
  assert.equal(asked[0].forbidden_suit, "p");
  assert.match(tablet.dialog.textContent, /Waiting, at most 8 \(3 fans\)/);
  await tablet.press("Take this");
  assert.equal(tablet.find("base-S-8").getAttribute("aria-pressed"), "true");
  answers.waits = { waiting: false };
  await tablet.tap("weigh-N");
  await press("m1 m1 m1 m2 m3 m4 m5 m6 m7 m8 m9 m9 m9");
  assert.match(tablet.dialog.textContent, /Not waiting/);
  await tablet.press("Take this");
  assert.equal(tablet.find("state-N-no_wait").getAttribute("aria-pressed"), "true");
});
