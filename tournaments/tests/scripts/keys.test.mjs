// One key for each tap, and one sender at a time, with locks or without.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Device, settled } from "./device.mjs";
import { Network } from "./network.mjs";

const SLOT = "four-winds-lease:outbox";

async function opened(device) {
  const page = device.open();
  return { page, keys: await page.load("tablet/keys.js") };
}

function device(options) {
  return new Device({ network: new Network(), ...options });
}

// Work that goes on until it is told to end.
function longWork() {
  let end;
  const isOver = new Promise((resolve) => (end = resolve));
  const work = { count: 0, end, run: async () => { work.count += 1; await isOver; } };
  return work;
}

test("keys are different, and long enough to stay so", async () => {
  const { keys } = await opened(device());
  const made = Array.from({ length: 1000 }, () => keys.makeKey());
  assert.equal(new Set(made).size, 1000);
  for (const key of made) assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("over plain http keys are made of sixteen random bytes", async () => {
  const { page, keys } = await opened(device());
  page.context.crypto = { getRandomValues: (bytes) => bytes.map((_, place) => place) };
  assert.equal(keys.makeKey(), "000102030405060708090a0b0c0d0e0f");
});

for (const hasLocks of [true, false]) {
  const kind = hasLocks ? "locks" : "a lease";

  test(`with ${kind} one works at a time`, async () => {
    const tablet = device({ hasLocks });
    const [first, second] = [await opened(tablet), await opened(tablet)];
    const work = longWork();
    const ran = first.keys.alone("outbox", work.run);
    await tablet.clock.run(100);
    assert.equal(await second.keys.alone("outbox", work.run), false);
    assert.equal(work.count, 1);
    work.end();
    assert.equal(await ran, true);
    const again = second.keys.alone("outbox", work.run);
    await tablet.clock.run(100);
    assert.equal(await again, true);
    assert.equal(work.count, 2);
  });

  test(`with ${kind} work that fails lets the next one in`, async () => {
    const tablet = device({ hasLocks });
    const { keys } = await opened(tablet);
    const failed = keys.alone("outbox", async () => { throw new Error("fault"); }).catch((error) => error.message);
    await tablet.clock.run(100);
    assert.equal(await failed, "fault");
    const next = keys.alone("outbox", async () => {});
    await tablet.clock.run(100);
    assert.equal(await next, true);
  });
}

test("a lease is renewed while its holder works, and ends soon after it has vanished", async () => {
  const tablet = device({ hasLocks: false });
  const [first, second] = [await opened(tablet), await opened(tablet)];
  const work = longWork();
  first.keys.alone("outbox", work.run);
  await tablet.clock.run(20_000);
  assert.equal(await second.keys.alone("outbox", work.run), false);
  first.page.close();
  await tablet.clock.run(2_000);
  assert.equal(await second.keys.alone("outbox", work.run), false);
  await tablet.clock.run(2_500);
  second.keys.alone("outbox", work.run);
  await tablet.clock.run(100);
  assert.equal(work.count, 2);
});

test("a page that is left gives its lease back", async () => {
  const tablet = device({ hasLocks: false });
  const { page, keys } = await opened(tablet);
  const work = longWork();
  keys.alone("outbox", work.run);
  await tablet.clock.run(100);
  assert.ok(tablet.local.has(SLOT));
  page.fire("pagehide");
  assert.equal(tablet.local.has(SLOT), false);
});

for (const [name, until] of [["the past", -1], ["a far future", 86_400_000]]) {
  test(`a lease from ${name} holds nobody up`, async () => {
    const tablet = device({ hasLocks: false });
    tablet.local.set(SLOT, JSON.stringify({ holder: "other", until: tablet.clock.now + until }));
    const { keys } = await opened(tablet);
    const ran = keys.alone("outbox", async () => {});
    await tablet.clock.run(100);
    assert.equal(await ran, true);
  });
}

test("a lease that cannot be read holds nobody up", async () => {
  const tablet = device({ hasLocks: false });
  tablet.local.set(SLOT, "{");
  const { keys } = await opened(tablet);
  const ran = keys.alone("outbox", async () => {});
  await tablet.clock.run(100);
  assert.equal(await ran, true);
});

test("of two that take a lease at once the last one has it", async () => {
  const tablet = device({ hasLocks: false });
  const [first, second] = [await opened(tablet), await opened(tablet)];
  const ran = [first.keys.alone("outbox", async () => {}), second.keys.alone("outbox", async () => {})];
  tablet.local.set(SLOT, JSON.stringify({ holder: "other", until: tablet.clock.now + 4_000 }));
  await tablet.clock.run(100);
  assert.deepEqual(await Promise.all(ran), [false, false]);
});

test("where nothing can be shared with another window, everybody works", async () => {
  const tablet = device({ hasLocks: false });
  const { keys } = await opened(tablet);
  tablet.memory.isFull = true;
  let count = 0;
  assert.equal(await keys.alone("outbox", async () => void (count += 1)), true);
  assert.equal(count, 1);
  await settled();
});
