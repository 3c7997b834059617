// The tablet's own arithmetic gives what the engine gives, hand by hand; the engine wrote the games into the file named in VECTORS.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { load } from "./device.mjs";

const { arithmeticOf } = await load("tablet/systems/index.js");
const { inTurn } = await load("tablet/systems/account.js");
const games = JSON.parse(readFileSync(process.env.VECTORS, "utf8"));

for (const table of new Set(games.map((game) => game.table))) {
  test(`every hand of ${table} is paid as the engine pays it, and the next one follows`, () => {
    for (const { system, rules, hands } of games.filter((game) => game.table === table)) {
      const arithmetic = arithmeticOf(system, rules);
      for (const { facts, at, expected } of hands) {
        const { points, unpaid } = arithmetic.payments(facts, at);
        assert.deepEqual({ points, unpaid, next: arithmetic.following(facts, at), passed: arithmetic.withoutDealer(at) }, expected, JSON.stringify(facts));
      }
    }
  });
}

test("players are in turn from the one after, and around the table", () => {
  assert.deepEqual(inTurn(["E", "S", "W", "N"], "W"), ["N", "E", "S"]);
  assert.deepEqual(inTurn(["E", "W"], "W"), ["E"]);
});
