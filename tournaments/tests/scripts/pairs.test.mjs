// Pairs of tablets at one table; `PAIRS=1000 FIRST=1` tries more of them than the suite does.

import { test } from "node:test";

import { pair } from "./pairs.mjs";

const FIRST = Number(process.env.FIRST ?? 1);
const PAIRS = Number(process.env.PAIRS ?? 6);

test("two tablets at one table with random outages: nothing doubled, lost or called saved that is not", async () => {
  for (let seed = FIRST; seed < FIRST + PAIRS; seed += 1) await pair(seed);
});
