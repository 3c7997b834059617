// What the device keeps, and what the page holds where the device keeps nothing: whole or not at all, and in order.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Device, plain } from "./device.mjs";
import { Network } from "./network.mjs";

async function opened(options) {
  const device = new Device({ network: new Network(), ...options });
  const page = device.open();
  return { device, page, store: await page.load("tablet/store.js") };
}

const entry = (number, more = {}) => ({ key: `key-${number}`, slug: "cup", session: 1, table: 1, operation: "hands", body: { seen: number - 1 }, attempts: 0, ...more });
const seen = (entries) => plain(entries.map((one) => one.body.seen));
const keys = (entries) => plain(entries.map((one) => one.key));

for (const state of ["sound", "full", "shut"]) {
  const make = async () => {
    const found = await opened();
    await found.store.read("nothing");
    found.device.memory.isFull = state === "full";
    found.device.memory.isShut = state === "shut";
    if (state === "shut") found.device.memory.closeAll();
    return found;
  };

  test(`what is kept is read again and can be forgotten (memory ${state})`, async () => {
    const { store } = await make();
    assert.equal(await store.read("draft"), undefined);
    await store.keep("draft", { fans: 2 });
    assert.deepEqual(plain(await store.read("draft")), { fans: 2 });
    await store.keep("draft", { fans: 3 });
    assert.deepEqual(plain(await store.read("draft")), { fans: 3 });
    await store.forget("draft");
    assert.equal((await store.read("draft")) ?? null, null);
  });

  test(`entries stay in order, each upon the one before it at its table (memory ${state})`, async () => {
    const { store } = await make();
    await store.queue(entry(1), "");
    await store.queue(entry(9, { table: 2 }), "");
    await store.queue(entry(7), "");
    await store.queue(entry(7, { session: 2 }), "");
    await store.queue(entry(7, { slug: "league" }), "");
    assert.deepEqual(seen(await store.unsent()), [0, 8, 1, 6, 6]);
  });

  test(`a draft is forgotten with the entry that it became (memory ${state})`, async () => {
    const { store } = await make();
    await store.keep("draft", { fans: 2 });
    await store.queue(entry(1), "draft");
    assert.equal((await store.read("draft")) ?? null, null);
    await store.keep("other", 1);
    await store.queue(entry(2), "");
    assert.equal(await store.read("other"), 1);
  });

  test(`an attempt is counted, for what is still queued under the same key (memory ${state})`, async () => {
    const { store } = await make();
    await store.queue(entry(1), "");
    await store.queue(entry(2), "");
    const [first, second] = await store.unsent();
    const going = await store.attempted([first, { ...second, key: "changed" }, { ...first, id: 99 }]);
    assert.deepEqual(keys(going), ["key-1"]);
    assert.deepEqual(plain((await store.unsent()).map((one) => one.attempts)), [1, 0]);
    await store.attempted([first]);
    assert.deepEqual(plain((await store.unsent()).map((one) => one.attempts)), [2, 0]);
  });

  test(`what was delivered leaves, and the state of the table comes (memory ${state})`, async () => {
    const { store } = await make();
    await store.queue(entry(1), "");
    await store.queue(entry(2), "");
    const [first, second] = await store.unsent();
    await store.delivered([first.id], "state", { version: 1 });
    assert.deepEqual(keys(await store.unsent()), ["key-2"]);
    assert.deepEqual(plain(await store.read("state")), { version: 1 });
    await store.delivered([second.id], "", null);
    assert.deepEqual(keys(await store.unsent()), []);
    assert.deepEqual(plain(await store.read("state")), { version: 1 });
  });

  test(`what has left is not brought back by a change (memory ${state})`, async () => {
    const { store } = await make();
    await store.queue(entry(1), "");
    await store.queue(entry(2), "");
    const [first, second] = await store.unsent();
    await store.delivered([first.id], "", null);
    await store.change([{ ...first, problem: { code: "late" } }, { ...second, problem: { code: "late" } }]);
    assert.deepEqual(plain((await store.unsent()).map((one) => [one.key, one.problem.code])), [["key-2", "late"]]);
  });

  test(`set aside, an entry can be read and those behind it are changed (memory ${state})`, async () => {
    const { store } = await make();
    for (const number of [1, 2]) await store.queue(entry(number), "");
    const [first, second] = await store.unsent();
    assert.equal(await store.setAside(first, "undone", { changed: [{ ...second, body: { seen: 0 } }] }), true);
    assert.deepEqual(seen(await store.unsent()), [0]);
    assert.deepEqual(plain((await store.aside()).map((one) => [one.key, one.why])), [["key-1", "undone"]]);
    assert.equal(await store.setAside(first, "undone"), false);
    assert.equal((await store.aside()).length, 1);
  });

  test(`only what was never sent is set aside as untried (memory ${state})`, async () => {
    const { store } = await make();
    for (const number of [1, 2]) await store.queue(entry(number), "");
    const [first, second] = await store.unsent();
    await store.attempted([first]);
    assert.equal(await store.setAside(first, "undone", { isUntried: true }), false);
    assert.equal(await store.setAside(second, "undone", { isUntried: true }), true);
    assert.deepEqual(keys(await store.unsent()), ["key-1"]);
  });
}

test("a sound memory loses nothing with its page, and says so", async () => {
  const { store } = await opened();
  await store.queue(entry(1), "");
  assert.equal(store.isFleeting(), false);
});

test("a full memory says that closing the page would lose what it holds, until that has left", async () => {
  const { device, store } = await opened();
  await store.read("nothing");
  device.memory.isFull = true;
  await store.queue(entry(1), "");
  assert.equal(store.isFleeting(), true);
  const [held] = await store.unsent();
  await store.delivered([held.id], "state", { version: 1 });
  assert.equal(store.isFleeting(), false);
});

test("with room again, what the page holds stays behind what the device kept before", async () => {
  const { device, store } = await opened();
  await store.queue(entry(1), "");
  device.memory.isFull = true;
  await store.queue(entry(2), "");
  device.memory.isFull = false;
  await store.queue(entry(3), "");
  assert.deepEqual(keys(await store.unsent()), ["key-1", "key-2", "key-3"]);
  assert.deepEqual(seen(await store.unsent()), [0, 1, 2]);
  assert.equal(device.memory.rows("outbox").length, 1);
});

test("what the device kept can leave although it takes nothing new", async () => {
  const { device, store } = await opened();
  await store.queue(entry(1), "");
  device.memory.isFull = true;
  const [first] = await store.unsent();
  await store.delivered([first.id], "state", { version: 1 });
  assert.deepEqual(keys(await store.unsent()), []);
  assert.deepEqual(device.memory.rows("outbox"), []);
  assert.deepEqual(plain(await store.read("state")), { version: 1 });
});

test("a tab that is opened again knows what the device would not keep", async () => {
  const { device, page, store } = await opened();
  device.memory.isShut = true;
  await store.keep("credential", { credential: "secret" });
  const again = await page.reload().load("tablet/store.js");
  assert.deepEqual(plain(await again.read("credential")), { credential: "secret" });
  const other = await device.open().load("tablet/store.js");
  assert.equal(await other.read("credential"), undefined);
});

test("a memory closed from outside is opened once more", async () => {
  const { device, store } = await opened();
  for (const isTold of [true, false]) {
    await store.keep("draft", isTold);
    device.memory.closeAll({ isTold });
    assert.equal(await store.read("draft"), isTold);
  }
});

test("a newer page may change the memory: this one lets go of it, and comes back", async () => {
  const { device, store } = await opened();
  await store.keep("draft", 1);
  const [base] = device.memory.connections;
  base.onversionchange();
  assert.equal(base.isOpen, false);
  assert.equal(await store.read("draft"), 1);
});

test("a window that dies before its commit leaves everything as it was", async () => {
  const { device, page, store } = await opened();
  await store.queue(entry(1), "");
  const [first] = await store.unsent();
  device.memory.beforeCommit = () => page.close();
  store.delivered([first.id], "state", { version: 1 });
  await new Promise((done) => setTimeout(done, 5));
  device.memory.beforeCommit = null;
  const next = await device.open().load("tablet/store.js");
  assert.deepEqual(keys(await next.unsent()), ["key-1"]);
  assert.equal(await next.read("state"), undefined);
});
