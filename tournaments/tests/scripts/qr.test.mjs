// The codes that the tablet draws; the digests are those of a library that does nothing else, which test_tablet_qr.py asks anew.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { load } from "./device.mjs";

const { qrOf, qrPath } = await load("tablet/qr.js");
const CODES = [
  ["A", 21, "f195dbbdf146dae0"],
  ["Сдача 5", 21, "5c4c881ba974dfd8"],
  ["x".repeat(17), 21, "714ce3d4a6c70750"],
  ["x".repeat(18), 25, "c55aa81be6fbc2ab"],
  ["x".repeat(100), 37, "8329f9290d7ddd42"],
  ["Журавль ".repeat(40), 85, "e967e13bdd564142"],
  ["y".repeat(858), 97, "3a1c1372f4dc2a04"],
  ["z".repeat(1500), 129, "3800d64967d7b705"],
  ["w".repeat(2953), 177, "742032b102809981"],
];

for (const [text, size, digest] of CODES) {
  test(`a text of ${text.length} letters is a code of ${size} modules`, () => {
    const drawn = qrOf(text).map((row) => row.map(Number).join(""));
    assert.equal(drawn.length, size);
    assert.equal(createHash("sha256").update(drawn.join("\n")).digest("hex").slice(0, 16), digest);
  });
}

test("what is too long for one code is told so", () => assert.equal(qrOf("x".repeat(2954)), null));

test("dark modules are drawn inside a quiet edge of four", () => {
  assert.equal(qrPath([[true, false], [false, true]]), "M4 4h1v1h-1zM5 5h1v1h-1z");
});
