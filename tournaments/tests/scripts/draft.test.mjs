// How a hand grows tap by tap, and what is sent of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./device.mjs";

const entry = await load("tablet/draft.js");
const { describe } = await load("tablet/systems/index.js");

function system(code, winds = "ESWN", rules = {}) {
  return describe({ system: code, rules, seats: [...winds].map((wind) => ({ wind, player: wind })) });
}

const sbr = system("SBR");
const mcr = system("MCR", "ESWN", { minimum: 8 });
const riichi = system("RIICHI", "ESWN", { limits: { 5: "mangan", 6: "haneman", 8: "baiman", 11: "sanbaiman", 13: "counted_yakuman" } });

function entered(of, ...steps) {
  return steps.reduce((draft, step) => step(draft, of), entry.start());
}

const tap = (seat) => (draft, of) => entry.tapSeat(draft, of, seat);
const wall = (draft) => entry.fromWall(draft);
const fans = (count) => (draft) => entry.setFans(draft, count);
const mode = (name) => (draft, of) => entry.setMode(draft, of, name);
const fan = (name) => (draft, of) => entry.toggleFan(draft, of, name);
const came = (name) => (draft, of) => entry.toggleCircumstance(draft, of, name);
const kong = (kind) => (draft, of) => entry.setKong(draft, of, kind);
const kind = (name) => (draft, of) => entry.setKind(draft, of, name);
const end = (seat, state, base) => (draft) => entry.setEnd(draft, seat, state, base);
const press = (digits) => (draft, of) => [...digits].reduce((next, digit) => entry.pressDigit(next, of, digit), draft);

test("a win on a discard is two seats and a number", () => {
  const draft = entered(sbr, tap("E"), tap("S"), fans(2));
  assert.deepEqual(entry.facts(draft, sbr).events, [{ type: "win", from: "S", winners: [{ seat: "E", fans: 2 }] }]);
});

test("a winner's list follows the kongs before the win, and keeps what it counts beyond them", () => {
  const wmsg = system("WMSG");
  const listed = (of, ...steps) => steps.reduce((draft, step) => entry.withKongFans(step(draft, of), draft, of), entry.start());
  const won = [tap("E"), tap("S"), fan("pure_suit"), fan("quad")];
  const worth = (draft) => draft.events.filter((event) => event.type === "win").map(({ winners: [winner] }) => [winner.fan_list, winner.fans])[0];
  const before = (draft) => entry.insertBefore(draft, 0);
  const forgotten = listed(wmsg, ...won, before, mode("kong"), tap("E"), kong("concealed"));
  assert.deepEqual(worth(forgotten), [{ pure_suit: 1, quad: 2 }, 4]);
  const sbrs = listed(sbr, ...won, before, mode("kong"), tap("E"), kong("concealed"));
  assert.deepEqual(worth(sbrs), [{ pure_suit: 1, quad: 1, kong: 1 }, 4]);
  assert.deepEqual(worth(entry.withKongFans(entry.moveEvent(sbrs, 0, 1), sbrs, sbr)), [{ pure_suit: 1, quad: 1 }, 3]);
  assert.deepEqual(worth(entry.withKongFans(entry.removeEvent(sbrs, sbr, 0), sbrs, sbr)), [{ pure_suit: 1, quad: 1 }, 3]);
  const others = listed(sbr, ...won, before, mode("kong"), tap("N"), kong("concealed"));
  assert.deepEqual(worth(others), [{ pure_suit: 1, quad: 1 }, 3]);
});

test("a value below the minimum is offered as the false win that it is", () => {
  const short = entered(mcr, tap("E"), tap("S"), press("7"));
  assert.equal(entry.shortWin(short, mcr).kind, "below_minimum");
  const declared = entry.declareShort(short, mcr);
  assert.deepEqual(entry.facts(declared, mcr).events, [{ type: "false_win", seat: "E", kind: "below_minimum" }]);
  assert.equal(entry.missing(declared, mcr), "winner", "the hand goes on");
  assert.equal(entry.shortWin(entered(mcr, tap("E"), tap("S"), press("8")), mcr), null);
  assert.equal(entry.shortWin(entered(sbr, tap("E"), tap("S"), fans(0)), sbr), null);
});

test("what is missing is told step by step", () => {
  const steps = [tap("E"), tap("S"), fans(0), mode("over"), end("S", "no_wait"), end("W", "waiting"), end("W", "waiting", 4), end("N", "no_wait")];
  const told = steps.map((_, count) => entry.missing(entered(sbr, ...steps.slice(0, count + 1)), sbr));
  assert.deepEqual(told, ["from", "value", "next", "end", "end", "end", "end", ""]);
});

test("three winners end the hand without a check", () => {
  const draft = entered(sbr, tap("E"), tap("S"), fans(0), tap("W"), wall, fans(1), tap("N"), tap("S"), fans(3));
  assert.equal(entry.missing(draft, sbr), "");
  assert.equal(entry.facts(draft, sbr).end, undefined);
});

test("who has won can neither win again nor discard", () => {
  const draft = entered(sbr, tap("E"), tap("S"), fans(0), tap("E"));
  assert.equal(draft.events.length, 1);
  const next = entered(sbr, tap("E"), tap("S"), fans(0), tap("W"), tap("E"));
  assert.equal(next.events[1].from, undefined);
});

test("a kong at stake asks for a check of the last hand", () => {
  const draft = entered(sbr, mode("kong"), tap("N"), kong("concealed"), tap("E"), tap("N"), fans(0), tap("S"), tap("N"), fans(0), tap("W"), tap("N"), fans(0));
  assert.equal(entry.missing(draft, sbr), "end");
  const checked = entry.setEnd(draft, "N", "no_wait");
  assert.deepEqual(entry.facts(checked, sbr).end, { N: { state: "no_wait" } });
});

test("several winners on one discard stand in turn order", () => {
  const draft = entered(sbr, tap("S"), tap("W"), fans(0), (one) => entry.share(one), tap("N"), fans(1));
  assert.deepEqual(entry.facts(draft, sbr).events[0].winners, [{ seat: "N", fans: 1 }, { seat: "S", fans: 0 }]);
});

test("chips add up, and circumstances count with them", () => {
  const draft = entered(sbr, tap("E"), wall, fan("pure_suit"), fan("quad"), fan("quad"), came("last_tile"));
  const [win] = entry.facts(draft, sbr).events;
  assert.equal(win.winners[0].fans, 5);
  assert.deepEqual(win.winners[0].fan_list, { pure_suit: 1, quad: 2, last_tile: 1 });
  assert.equal(win.last_tile, true);
});

test("a number pressed takes the place of chips", () => {
  const draft = entered(sbr, tap("E"), wall, fan("pure_suit"), fans(3));
  assert.deepEqual(entry.facts(draft, sbr).events[0].winners[0], { seat: "E", fans: 3 });
});

test("robbing a kong puts the robbed kong before the win, and takes it away again", () => {
  const robbed = entered(sbr, tap("E"), tap("S"), fans(0), came("robbing_kong"));
  assert.deepEqual(entry.facts(robbed, sbr).events, [
    { type: "kong", seat: "S", kind: "added", robbed: true },
    { type: "win", from: "S", winners: [{ seat: "E", fans: 1 }], robbing_kong: true },
  ]);
  const back = entry.toggleCircumstance(robbed, sbr, "robbing_kong");
  assert.deepEqual(entry.facts(back, sbr).events, [{ type: "win", from: "S", winners: [{ seat: "E", fans: 0 }] }]);
});

test("a discard after a kong asks which kong it was", () => {
  const asked = entered(sbr, tap("E"), tap("S"), fans(0), came("discard_after_kong"));
  assert.equal(entry.missing(asked, sbr), "kong_kind");
  const draft = entry.setKong(asked, sbr, "concealed");
  assert.deepEqual(entry.facts(draft, sbr).events.map((event) => event.type), ["kong", "win"]);
  assert.equal(draft.events[1].winners[0].fans, 1);
});

test("a discard after a kong that was entered needs no question", () => {
  const draft = entered(sbr, mode("kong"), tap("S"), kong("added"), tap("E"), tap("S"), fans(0), came("discard_after_kong"));
  assert.equal(entry.missing(draft, sbr), "next");
  assert.equal(draft.events.length, 2);
});

test("an open kong asks for the discarder", () => {
  const draft = entered(sbr, mode("kong"), tap("S"), kong("open"), tap("N"));
  assert.deepEqual(entry.facts(draft, sbr).events, [{ type: "kong", seat: "S", kind: "open", from: "N" }]);
  assert.equal(draft.mode, "win");
});

test("a false win keeps its place in the hand", () => {
  const draft = entered(sbr, tap("E"), tap("S"), fans(0), mode("false_win"), tap("W"), kind("no_wait"), tap("N"), tap("S"), fans(1));
  assert.deepEqual(entry.facts(draft, sbr).events.map((event) => event.type), ["win", "false_win", "win"]);
});

// What was begun and left by a tap elsewhere

test("a false win whose kind was not told waits in its place when Win is tapped", () => {
  const left = entered(sbr, tap("E"), tap("S"), fans(0), mode("false_win"), tap("W"), mode("win"));
  assert.deepEqual(left.events.map((event) => event.type), ["win", "false_win"]);
  assert.equal(entry.missing(left, sbr), "unfinished");
  assert.equal(entry.leftOpen(left, sbr).seat, "W");
  const won = [tap("N"), tap("S"), fans(1), mode("over"), end("S", "no_wait"), end("W", "no_wait")].reduce((draft, step) => step(draft, sbr), left);
  assert.equal(entry.missing(won, sbr), "unfinished");
  const told = entry.setKind(entry.edit(won, sbr, 1), sbr, "waiting");
  assert.deepEqual(entry.facts(told, sbr).events.map((event) => event.kind ?? event.type), ["win", "waiting", "win"]);
});

test("a tap on what was left leads back to it, by its button too", () => {
  const left = entered(mcr, tap("E"), tap("S"), press("24"), mode("false_win"), tap("W"), mode("win"));
  assert.equal(entry.missing(left, mcr), "unfinished");
  for (const back of [entry.edit(left, mcr, 0), entry.setMode(left, mcr, "false_win")]) {
    assert.equal(entry.missing(back, mcr), "kind");
    assert.equal(entry.missing(entry.setKind(back, mcr, "wrong_claim"), mcr), "");
  }
});

test("what was left can be taken out, and the win before it goes on", () => {
  const left = entered(mcr, tap("E"), tap("S"), press("2"), mode("false_win"), tap("W"), mode("win"));
  const without = entry.removeEvent(left, mcr, 0);
  assert.equal(entry.missing(press("4")(without, mcr), mcr), "");
});

test("a kong that is remembered in the middle of a win comes before it and leads back", () => {
  const draft = entered(sbr, tap("E"), tap("S"), mode("kong"), tap("E"), kong("concealed"));
  assert.equal(entry.missing(draft, sbr), "value");
  const { events } = entry.facts(fans(2)(draft), sbr);
  assert.deepEqual(events, [
    { type: "kong", seat: "E", kind: "concealed" },
    { type: "win", from: "S", winners: [{ seat: "E", fans: 2 }] },
  ]);
});

test("no button takes anything away that was begun", () => {
  for (const of of [sbr, mcr, riichi]) {
    const places = [...of.modes, ...of.others].map((one) => one.mode).filter((name) => name !== "more");
    for (const first of places.filter((name) => !["over", "nagashi"].includes(name))) {
      for (const second of places) {
        const begun = entered(of, mode(first), tap("W"));
        const back = entered(of, () => begun, mode(second), mode("win"));
        assert.deepEqual(back.events, begun.events, `${of.system}: ${first}, then ${second}`);
      }
    }
  }
});

test("points are typed, and too few are not enough", () => {
  const few = entered(mcr, tap("E"), tap("S"), press("7"));
  assert.equal(entry.missing(few, mcr), "value");
  const draft = entered(mcr, tap("E"), tap("S"), press("24"), (one) => entry.setFlowers(one, 2));
  assert.equal(entry.missing(draft, mcr), "");
  assert.deepEqual(entry.facts(draft, mcr).events, [{ type: "win", from: "S", winners: [{ seat: "E", fans: 24, flowers: 2 }] }]);
});

test("an offence stands before the win, whenever it was entered", () => {
  const draft = entered(mcr, tap("E"), tap("S"), press("24"), mode("false_win"), tap("W"), kind("wrong_claim"));
  assert.deepEqual(entry.facts(draft, mcr).events.map((event) => event.type), ["false_win", "win"]);
  assert.equal(entry.missing(draft, mcr), "");
});

test("no win is said, not guessed", () => {
  assert.equal(entry.missing(entry.start(), mcr), "winner");
  assert.equal(entry.missing(entered(mcr, mode("over")), mcr), "");
  assert.deepEqual(entry.facts(entered(mcr, mode("over")), mcr), { events: [] });
});

test("in Siamese one player wins twice", () => {
  const siamese = system("SIAM", "ESW", { minimum: 8 });
  const draft = entered(siamese, tap("E"), tap("S"), press("10"), tap("W"), wall, press("8"), tap("E"), wall, press("12"));
  assert.equal(entry.missing(draft, siamese), "");
  assert.equal(entry.facts(draft, siamese).events.length, 3);
});

test("riichi asks for fu below the limits only", () => {
  const steps = [tap("E"), tap("S"), (one) => entry.setHan(one, riichi, 3)];
  assert.equal(entry.missing(entered(riichi, ...steps), riichi), "fu");
  assert.equal(entry.missing(entered(riichi, ...steps, (one) => entry.setFu(one, 40)), riichi), "");
  const limit = entered(riichi, ...steps, (one) => entry.setLimit(one, "mangan"));
  assert.deepEqual(entry.facts(limit, riichi).events[0].winners, [{ seat: "E", limit: "mangan" }]);
  const many = entered(riichi, ...steps, (one) => entry.setFu(one, 40), (one) => entry.setHan(one, riichi, 7));
  assert.equal(entry.missing(many, riichi), "");
  assert.deepEqual(entry.facts(many, riichi).events[0].winners, [{ seat: "E", han: 7 }]);
});

test("who bet is waiting at an exhausted wall", () => {
  const bet = (seat) => (draft, of) => entry.toggleRiichi(draft, of, seat);
  const draft = entered(riichi, mode("over"), bet("W"), end("E", "no_wait"), end("S", "no_wait"), end("N", "waiting"));
  assert.equal(entry.missing(draft, riichi), "");
  assert.deepEqual(entry.facts(draft, riichi).end.W, { state: "waiting" });
});

test("a recorded hand can be taken up again and comes out the same", () => {
  const facts = {
    events: [
      { type: "kong", seat: "E", kind: "concealed" },
      { type: "win", winners: [{ seat: "E", fans: 2, fan_list: { kong: 1, replacement_win: 1 } }], replacement_win: true },
      { type: "win", from: "S", winners: [{ seat: "W", fans: 0 }] },
    ],
    end: { S: { state: "waiting", max_base: 2 }, N: { state: "pig_active" } },
  };
  assert.deepEqual(entry.facts(entry.load(facts, sbr), sbr), facts);
});

test("a hand that a referee declared dead is part of what is entered, once", () => {
  const dead = [{ hand: 1, seat: "N", offence: "wrong_count" }];
  const marked = { type: "dead_hand", seat: "N", offence: "wrong_count" };
  const fresh = entry.withDead(entry.start(), sbr, dead);
  assert.deepEqual(entry.facts(fresh, sbr).events, [marked]);
  assert.equal(entry.withDead(fresh, sbr, dead), fresh);
  assert.equal(entry.canWin(fresh, sbr, "N"), false);
  const half = entry.withDead(entered(mcr, tap("E")), mcr, dead);
  assert.deepEqual(half.events.map((event) => event.type), ["dead_hand", "win"]);
  assert.deepEqual(entered(mcr, () => half, tap("S")).events[1].from, "S");
  const won = entered(sbr, tap("N"), tap("S"), fans(1));
  assert.equal(entry.withDead(won, sbr, dead), won);
});

test("a win from the wall has one winner; one on another discard keeps all of them", () => {
  const shared = entered(sbr, tap("E"), tap("S"), fans(1), (one) => entry.share(one), tap("W"), fans(2));
  assert.deepEqual(wall(shared).events[0].winners.map((one) => one.seat), ["E"]);
  assert.equal(wall(shared).winner, 0);
  const other = entry.tapSeat({ ...shared, at: 0 }, { ...sbr, isSequence: false }, "N");
  assert.deepEqual([other.events[0].from, other.events[0].winners.map((one) => one.seat)], ["N", ["E", "W"]]);
});

test("a fan that counts several times counts so often, and then not at all", () => {
  for (const name of ["kong", "quad"]) {
    const counts = [1, 2, 3, 4, 5].map((times) => entered(sbr, tap("E"), wall, ...Array(times).fill(fan(name))).events[0].winners[0].fan_list[name]);
    assert.deepEqual(counts, [1, 2, 3, 4, undefined]);
  }
});

test("a kong that a win brought with it belongs to its player", () => {
  const brought = entered(sbr, tap("E"), wall, came("replacement_win"));
  assert.deepEqual([brought.mode, brought.events[0].seat], ["kong", "E"]);
  assert.equal(entry.tapSeat(brought, sbr, "S").events[0].seat, "E");
  assert.equal(entry.tapSeat(brought, sbr, "E").events.length, 2);
});

test("when one of several winners goes, the first of those left is the one whose value is entered", () => {
  const shared = entered(sbr, tap("E"), tap("S"), fans(1), (one) => entry.share(one), tap("W"));
  assert.equal(shared.winner, 1);
  const left = entry.tapSeat(shared, sbr, "W");
  assert.deepEqual([left.winner, left.events[0].winners.map((one) => one.seat)], [0, ["E"]]);
});
