// What is entered reaches the server once and in order, whatever the network, the server, the memory or the window does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Device, plain, settled } from "./device.mjs";
import { Network } from "./network.mjs";

const LONG = 120_000;

async function tablet({ network = new Network(), credential = "device", ...options } = {}) {
  const device = new Device({ network, ...options });
  return { device, network, ...(await window(device, credential)) };
}

async function window(device, credential = "device", opened = device.open()) {
  const { Outbox } = await opened.load("tablet/outbox.js");
  const { Server } = await opened.load("tablet/server.js");
  const outbox = new Outbox("cup", new Server("/cup/api/", credential));
  await outbox.start();
  return { page: opened, outbox };
}

function hand(outbox, number, { session = 1, table = 1 } = {}) {
  const pending = outbox.at(session, table);
  const seen = pending.length ? pending.at(-1).body.seen + 1 : number - 1;
  return outbox.add({ session, table, operation: "hands", body: { seen, facts: { number } }, shown: { number } });
}

async function hands(outbox, count, place) {
  for (let number = 1; number <= count; number += 1) await hand(outbox, number, place);
}

function recorded(network, session = 1, table = 1) {
  return network.at(session, table).done.map((one) => one.facts.number);
}

function queued(device) {
  return device.memory.rows("outbox").map((entry) => entry.body.facts.number);
}

function upTo(count) {
  return Array.from({ length: count }, (_, index) => index + 1);
}

// Answers that are no receipt

const ANSWERS = {
  "500": { status: 500, problem: { code: "fault", title: "Fault" } },
  "502 without a problem": { status: 502 },
  "503": { status: 503, problem: { code: "busy", title: "Busy" } },
  "599": { status: 599, problem: { code: "fault", title: "Fault" } },
  "500 with a receipt": { status: 500, receipt: { entry: 1, version: 1, digest: "a".repeat(64) } },
  "no status": { problem: { code: "fault", title: "Fault" } },
  "no status with a receipt": { receipt: { entry: 1, version: 1, digest: "a".repeat(64) }, state: { version: 1 } },
  "a status that is a text": { status: "ok", receipt: { entry: 1, version: 1, digest: "a".repeat(64) } },
  "a status that nobody knows": { status: 299, receipt: { entry: 1, version: 1, digest: "a".repeat(64) } },
  "204": { status: 204 },
  "302": { status: 302 },
  "429": { status: 429, problem: { code: "slow_down", title: "Slow down" } },
  "401": { status: 401, problem: { code: "unknown", title: "Unknown" } },
  "409 still at work": { status: 409, problem: { code: "in_progress", title: "At work" } },
  "424": { status: 424, problem: { code: "not_tried", title: "Not tried" } },
};

for (const [name, answer] of Object.entries(ANSWERS)) {
  for (const place of ["first", "middle", "last"]) {
    test(`an entry answered ${name} as the ${place} of a batch stays and is sent again`, async () => {
      const network = new Network();
      network.fault = () => "request lost";
      const { device, outbox } = await tablet({ network });
      await hands(outbox, 3);
      await hands(outbox, 1, { table: 2 });
      await device.clock.run(3_000);
      const blamed = { first: 1, middle: 2, last: 3 }[place];
      network.fault = () => "pass";
      let isTroubled = true;
      network.trouble = ({ table, body }) => (isTroubled && table === 1 && JSON.parse(body).facts.number === blamed ? answer : null);
      await device.clock.run(20_000);
      assert.deepEqual(recorded(network), upTo(blamed - 1));
      assert.deepEqual(recorded(network, 1, 2), [1]);
      assert.ok(queued(device).includes(blamed), "the hand is lost");
      assert.deepEqual(plain(outbox.stuck), []);
      isTroubled = false;
      await device.clock.run(20_000);
      assert.deepEqual(recorded(network), [1, 2, 3]);
      assert.deepEqual(queued(device), []);
      assert.equal(outbox.unsent, 0);
    });
  }
}

test("trouble with one entry is no reason to ask without a rest", async () => {
  const network = new Network();
  const { device, outbox } = await tablet({ network });
  network.trouble = () => ({ status: 503, problem: { code: "busy", title: "Busy" } });
  await hands(outbox, 3);
  await device.clock.run(60_000);
  assert.ok(network.batches().length < 40, `${network.batches().length} requests in a minute`);
  assert.deepEqual(queued(device), [1, 2, 3]);
});

test("one table in trouble holds up no other", async () => {
  const network = new Network();
  network.trouble = ({ table }) => (table === 1 ? { status: 500, problem: { code: "fault", title: "Fault" } } : null);
  const { device, outbox } = await tablet({ network });
  for (let number = 1; number <= 3; number += 1) for (const table of [1, 2, 3]) await hand(outbox, number, { table });
  await device.clock.run(LONG);
  assert.deepEqual([1, 2, 3].map((table) => recorded(network, 1, table)), [[], upTo(3), upTo(3)]);
  assert.deepEqual(queued(device), [1, 2, 3]);
});

const GOOD = { entry: 1, version: 1, digest: "a".repeat(64) };
const DAMAGED = {
  "without a receipt": undefined,
  "with half a digest": { ...GOOD, digest: "a".repeat(63) },
  "with a digest in capitals": { ...GOOD, digest: "A".repeat(64) },
  "with more than a digest": { ...GOOD, digest: `${"a".repeat(64)}b` },
  "without a digest": { entry: 1, version: 1 },
  "without the number of its entry": { ...GOOD, entry: undefined },
  "without a version": { ...GOOD, version: "1" },
};

for (const [name, receipt] of Object.entries(DAMAGED)) {
  test(`an answer ${name} is no proof: the hand stays until there is one`, async () => {
    const network = new Network();
    network.fault = () => "request lost";
    const { device, outbox } = await tablet({ network });
    await hands(outbox, 3);
    network.bent = (answers) => answers.map((answer) => ({ ...answer, receipt }));
    network.fault = () => "pass";
    await device.clock.run(20_000);
    assert.deepEqual(recorded(network), [1, 2, 3]);
    assert.deepEqual(queued(device), [1, 2, 3]);
    assert.deepEqual(plain(outbox.stuck), []);
    network.bent = (answers) => answers;
    await device.clock.run(20_000);
    assert.deepEqual(recorded(network), [1, 2, 3]);
    assert.deepEqual(queued(device), []);
  });
}

// Answers on their way

const BENT = {
  "answered in another order": (answers) => [...answers].reverse(),
  "answered twice": (answers) => answers.flatMap((answer) => [answer, answer]),
  "answered but for the first": (answers) => answers.slice(1),
  "answered but for the last": (answers) => answers.slice(0, -1),
  "answered among strangers": (answers) => [{ key: "stranger", status: 500 }, ...answers, { key: "other", status: 422, problem: { code: "x", title: "x" } }],
  "answered by nothing": () => [],
  "answered by no list": () => null,
  "answered with holes": (answers) => [null, ...answers.slice(1)],
  "answered without keys": (answers) => answers.map(({ key, ...rest }) => rest),
};

for (const [name, bent] of Object.entries(BENT)) {
  test(`a batch ${name} loses and doubles nothing`, async () => {
    const network = new Network();
    let isBent = true;
    network.fault = () => "request lost";
    network.bent = (answers) => (isBent ? bent(answers) : answers);
    const { device, outbox } = await tablet({ network });
    await hands(outbox, 4);
    await hands(outbox, 2, { table: 2 });
    network.fault = () => "pass";
    await device.clock.run(10_000);
    isBent = false;
    await device.clock.run(10_000);
    assert.deepEqual([recorded(network), recorded(network, 1, 2)], [upTo(4), upTo(2)]);
    assert.deepEqual(queued(device), []);
    assert.equal(outbox.connection, "online");
  });
}

// The network

const FAULTS = [
  "request lost", "answer lost", "request never answered", "answer never comes", "half an answer", "half an answer that never ends",
  "portal", "portal that speaks JSON", "gateway's page", "answered by a gateway's page",
  { status: 500 }, { status: 503, headers: { "Retry-After": "2" } }, { status: 429 }, { status: 503, headers: { "Retry-After": "soon" } },
];
const named = (fault) => (typeof fault === "string" ? fault : `${fault.status} ${fault.headers?.["Retry-After"] ?? ""}`.trim());

for (const fault of FAULTS) {
  test(`${named(fault)}: everything is sent within ten seconds of the last of them`, async () => {
    const network = new Network();
    network.fault = () => fault;
    const { device, outbox } = await tablet({ network });
    await hands(outbox, 5);
    await device.clock.run(40_000);
    assert.notEqual(outbox.connection, "online");
    assert.equal(queued(device).length, 5);
    network.fault = () => "pass";
    await device.clock.run(10_000);
    assert.deepEqual(recorded(network), upTo(5));
    assert.deepEqual(queued(device), []);
    assert.equal(outbox.connection, "online");
  });
}

test("a server that asks for rest is left alone for so long, and not for longer than half a minute", async () => {
  const network = new Network();
  network.fault = () => ({ status: 503, headers: { "Retry-After": "86400" } });
  const { device, outbox } = await tablet({ network });
  await hands(outbox, 1);
  await settled();
  assert.equal(outbox.connection, "busy");
  const asked = network.requests.length;
  await device.clock.run(20_000);
  assert.equal(network.requests.length, asked);
  network.fault = () => "pass";
  await device.clock.run(20_000);
  assert.deepEqual(recorded(network), [1]);
});

test("the network's return is not waited for with a request from before", async () => {
  const network = new Network();
  network.fault = () => "request never answered";
  const { device, page, outbox } = await tablet({ network });
  await hands(outbox, 2);
  await device.clock.run(1_000);
  network.fault = () => "pass";
  page.fire("online");
  await settled();
  assert.deepEqual(recorded(network), [1, 2]);
});

test("a tablet that wakes sends at once", async () => {
  const network = new Network();
  network.fault = () => ({ status: 503, headers: { "Retry-After": "30" } });
  const { device, page, outbox } = await tablet({ network });
  await hands(outbox, 1);
  await device.clock.run(100);
  network.fault = () => "pass";
  page.document.visibilityState = "hidden";
  page.document.dispatchEvent(new Event("visibilitychange"));
  await settled();
  assert.deepEqual(recorded(network), []);
  page.wake();
  await settled();
  assert.deepEqual(recorded(network), [1]);
});

test("after silence fewer are sent at once and waited for longer, until it is one", async () => {
  const network = new Network();
  network.fault = () => "request lost";
  const { device, outbox } = await tablet({ network });
  await hands(outbox, 60);
  await settled();
  const before = network.requests.length;
  network.fault = () => "request never answered";
  await device.clock.run(60_000);
  const sizes = network.batches().slice(before).map((request) => request.body.operations.length);
  assert.deepEqual(sizes.slice(0, 5), [50, 13, 4, 1, 1]);
  const times = network.batches().slice(before).map((request) => request.at);
  assert.ok(times[1] - times[0] >= 5_000 && times[1] - times[0] < 6_000);
  assert.ok(times[5] - times[4] >= 8_000 && times[5] - times[4] < 9_000);
  network.fault = () => "pass";
  await device.clock.run(30_000);
  assert.deepEqual(recorded(network), upTo(60));
  assert.ok(network.batches().at(-1).body.operations.length > 4);
});

test("many hands go in batches of fifty, and large ones in smaller", async () => {
  const network = new Network();
  network.fault = () => "request lost";
  const { device, outbox } = await tablet({ network });
  await hands(outbox, 120);
  network.fault = () => "pass";
  await device.clock.run(10_000);
  const sizes = network.batches().filter((request) => request.body.operations.length > 1).map((request) => request.body.operations.length);
  assert.deepEqual(sizes.slice(-3), [50, 50, 20]);
  for (let number = 121; number <= 124; number += 1) {
    network.fault = () => "request lost";
    await outbox.add({ session: 1, table: 1, operation: "hands", body: { seen: number - 1, facts: { number, tiles: "x".repeat(20_000) } } });
  }
  const before = network.batches().length;
  network.fault = () => "pass";
  await device.clock.run(10_000);
  assert.deepEqual(network.batches().slice(before).map((request) => request.body.operations.length), [2, 2]);
  assert.deepEqual(recorded(network), upTo(124));
});

test("a body goes as text, and is the same byte by byte when it is sent again", async () => {
  const network = new Network();
  network.fault = (_, count) => (count < 4 ? "answer lost" : "pass");
  const { device, outbox } = await tablet({ network });
  await hands(outbox, 1);
  await device.clock.run(20_000);
  const sent = network.batches().map(({ body }) => body.operations[0]);
  assert.deepEqual(Object.keys(sent[0]).sort(), ["body", "key", "operation", "session", "table"]);
  assert.equal(typeof sent[0].body, "string");
  assert.ok(sent.length > 2);
  for (const one of sent) assert.deepEqual(one, sent[0]);
  assert.deepEqual(network.batches()[0].body.schema, 1);
  assert.deepEqual(network.batches()[0].body.brief, true);
});

// Refusals

const REFUSAL = { status: 422, problem: { code: "win.impossible", title: "Impossible" } };

test("a refused entry waits for a person, and what stands behind it at its table with it", async () => {
  const network = new Network();
  network.trouble = ({ table, body }) => (table === 1 && JSON.parse(body).facts.number === 2 ? REFUSAL : null);
  const { device, page, outbox } = await tablet({ network });
  const told = [];
  outbox.addEventListener("refused", ({ detail }) => told.push(detail.entry.body.facts.number));
  await hands(outbox, 3);
  await hands(outbox, 2, { table: 2 });
  await device.clock.run(LONG);
  assert.deepEqual([recorded(network), recorded(network, 1, 2)], [[1], [1, 2]]);
  assert.deepEqual(queued(device), [2, 3]);
  assert.deepEqual(told, [2]);
  assert.deepEqual(plain(outbox.stuck.map((entry) => entry.problem)), [{ code: "win.impossible", title: "Impossible", status: 422 }]);
  assert.deepEqual(page.errors, []);
});

test("sent again by a person it goes in its place, before those behind it, under a new key", async () => {
  const network = new Network();
  network.trouble = ({ body }) => (JSON.parse(body).facts.wrong ? REFUSAL : null);
  const { device, outbox } = await tablet({ network });
  network.fault = () => "request lost";
  const first = await outbox.add({ session: 1, table: 1, operation: "hands", body: { seen: 0, facts: { number: 1, wrong: true } } });
  await hand(outbox, 2);
  network.fault = () => "pass";
  await device.clock.run(10_000);
  assert.ok(outbox.isStuck(first));
  await outbox.again(outbox.stuck[0], 0, { facts: { number: 1 } }, { number: 1 });
  await device.clock.run(10_000);
  assert.deepEqual(recorded(network), [1, 2]);
  assert.notEqual(network.at(1, 1).done[0].key, first.key);
  assert.deepEqual(queued(device), []);
});

test("set aside it stays readable, and those behind it move up", async () => {
  const network = new Network();
  network.trouble = ({ body }) => (JSON.parse(body).facts.number === 2 ? REFUSAL : null);
  const { device, outbox } = await tablet({ network });
  await hands(outbox, 4);
  await device.clock.run(10_000);
  assert.equal(await outbox.drop(outbox.stuck[0], 1, "undone"), true);
  await device.clock.run(10_000);
  assert.deepEqual(recorded(network), [1, 3, 4]);
  const [aside] = device.memory.rows("attic");
  assert.deepEqual([aside.body.facts.number, aside.why, aside.asideAt > 0], [2, "undone", true]);
});

test("an entry that was never sent can be taken out from between others", async () => {
  const network = new Network();
  network.fault = () => "request lost";
  const { device, outbox } = await tablet({ network });
  await hands(outbox, 3);
  const [, second] = outbox.entries;
  assert.equal(await outbox.drop(second, 0, "undone"), true);
  assert.deepEqual(plain(outbox.entries.map((entry) => [entry.body.facts.number, entry.body.seen])), [[1, 0], [3, 1]]);
  network.fault = () => "pass";
  await device.clock.run(10_000);
  assert.deepEqual(recorded(network), [1, 3]);
});

test("what has been sent is not taken out as if it had not", async () => {
  const network = new Network();
  network.fault = () => "answer lost";
  const { device, outbox } = await tablet({ network });
  const entry = await hand(outbox, 1);
  await settled();
  assert.equal(await outbox.drop(outbox.entries.find((one) => one.key === entry.key), 0, "undone", { isUntried: true }), false);
  network.fault = () => "pass";
  await device.clock.run(10_000);
  assert.deepEqual(recorded(network), [1]);
  assert.deepEqual(device.memory.rows("attic"), []);
});

for (const status of [400, 413, 415, 422]) {
  test(`a batch refused whole with ${status} is sent one by one, and the entry to blame is shown`, async () => {
    const network = new Network();
    network.fault = () => "request lost";
    const { device, outbox } = await tablet({ network });
    await hands(outbox, 3);
    await hands(outbox, 1, { table: 2 });
    network.refuses = (path, body) => (path === "batch/" && body.operations.some(({ table, body: text }) => table === 1 && JSON.parse(text).facts.number === 2) ? { status } : null);
    network.fault = () => "pass";
    await device.clock.run(LONG);
    assert.deepEqual(recorded(network), [1]);
    assert.deepEqual(recorded(network, 1, 2), [1]);
    assert.deepEqual(plain(outbox.stuck.map((entry) => [entry.body.facts.number, entry.problem.status])), [[2, status]]);
    assert.equal(outbox.connection, "online");
  });
}

for (const status of [401, 403, 404]) {
  test(`a tablet refused whole with ${status} keeps what it has and says so`, async () => {
    const network = new Network();
    network.refuses = () => ({ status });
    const { device, outbox } = await tablet({ network });
    const told = [];
    outbox.addEventListener("rejected", ({ detail }) => told.push(detail.status));
    await hands(outbox, 2);
    await device.clock.run(10_000);
    assert.equal(told[0], status);
    assert.deepEqual(queued(device), [1, 2]);
    assert.deepEqual(plain(outbox.stuck), []);
    const asked = network.requests.length;
    await device.clock.run(30_000);
    assert.equal(network.requests.length > asked, status !== 401);
    network.refuses = () => null;
    await outbox.flush();
    await device.clock.run(10_000);
    assert.deepEqual(recorded(network), [1, 2]);
  });
}

// Who sends

test("a person's token is asked for anew each time; a tablet has its credential", async () => {
  const network = new Network();
  const { device, outbox } = await tablet({ network, credential: "" });
  await hands(outbox, 1);
  await device.clock.run(1_000);
  assert.deepEqual(network.requests.map((request) => request.path), ["self/", "batch/"]);
  assert.equal(network.requests[1].headers["X-CSRFToken"], "token");
  assert.equal("Authorization" in network.requests[1].headers, false);
  const other = await tablet();
  await hands(other.outbox, 1);
  await other.device.clock.run(1_000);
  assert.deepEqual(other.network.requests.map((request) => [request.path, request.headers.Authorization]), [["batch/", "Device device"]]);
});

test("another event's entries on this device are left to it", async () => {
  const network = new Network();
  network.fault = () => "request lost";
  const { device, page, outbox } = await tablet({ network });
  const { Outbox } = await page.load("tablet/outbox.js");
  const other = new Outbox("league", outbox.server);
  await hands(other, 2);
  await settled();
  await outbox.reload();
  assert.equal(outbox.entries.length, 0);
  const before = network.requests.length;
  network.fault = () => "pass";
  await outbox.flush();
  await settled();
  assert.equal(network.requests.length, before);
  assert.deepEqual(queued(device), [1, 2]);
});

// Windows

test("two windows of one tablet send each hand once and know of each other's", async () => {
  const { device, network, outbox } = await tablet();
  const second = await window(device);
  let news = 0;
  second.outbox.addEventListener("elsewhere", () => (news += 1));
  network.fault = () => "request lost";
  await hand(outbox, 1);
  await settled();
  assert.ok(news > 0);
  await hand(second.outbox, 2);
  await settled();
  assert.deepEqual(plain(outbox.entries.map((entry) => entry.body.seen)), [0, 1]);
  network.fault = () => "pass";
  await device.clock.run(10_000);
  assert.deepEqual(recorded(network), [1, 2]);
  const keys = network.batches().flatMap((request) => request.body.operations.map((one) => one.key));
  assert.ok(new Set(keys).size === 2);
  assert.deepEqual([outbox.unsent, second.outbox.unsent], [0, 0]);
});

test("a window that vanishes while it sends leaves its work to the next", async () => {
  const { device, network, page, outbox } = await tablet();
  network.fault = () => "answer never comes";
  await hands(outbox, 2);
  await settled();
  assert.deepEqual(recorded(network), [1]);
  page.close();
  network.fault = () => "pass";
  const next = await window(device);
  await device.clock.run(10_000);
  assert.deepEqual(recorded(network), [1, 2]);
  assert.equal(next.outbox.unsent, 0);
});

test("without locks two windows take turns", async () => {
  const { device, network, outbox } = await tablet({ hasLocks: false });
  const second = await window(device);
  network.fault = () => "answer lost";
  await hands(outbox, 2);
  await hand(second.outbox, 3);
  await device.clock.run(6_000);
  network.fault = () => "pass";
  await device.clock.run(15_000);
  assert.deepEqual(recorded(network), [1, 2, 3]);
  assert.deepEqual(queued(device), []);
});

// The memory

test("a full memory stops nothing, and an open page says that it alone holds the hands", async () => {
  const { device, network, page, outbox } = await tablet();
  const store = await page.load("tablet/store.js");
  network.fault = () => "request lost";
  await hand(outbox, 1);
  device.memory.isFull = true;
  await hand(outbox, 2);
  await hand(outbox, 3);
  assert.equal(outbox.unsent, 3);
  assert.equal(store.isFleeting(), true);
  network.fault = () => "pass";
  await device.clock.run(10_000);
  assert.deepEqual(recorded(network), [1, 2, 3]);
  assert.equal(outbox.unsent, 0);
  assert.equal(store.isFleeting(), false);
});

test("a device without any memory works while its page is open", async () => {
  const network = new Network();
  const device = new Device({ network });
  device.memory.isShut = true;
  const { outbox, page } = await window(device);
  const store = await page.load("tablet/store.js");
  network.fault = (_, count) => (count < 6 ? "answer lost" : "pass");
  await hands(outbox, 4);
  assert.equal(store.isFleeting(), true);
  await device.clock.run(30_000);
  assert.deepEqual(recorded(network), [1, 2, 3, 4]);
  assert.equal(outbox.unsent, 0);
});

test("a memory that closes behind a sleeping page is opened once more", async () => {
  const { device, network, outbox } = await tablet();
  await hand(outbox, 1);
  await device.clock.run(1_000);
  for (const isTold of [true, false]) {
    device.memory.closeAll({ isTold });
    await hand(outbox, isTold ? 2 : 3);
    await device.clock.run(1_000);
  }
  assert.deepEqual(recorded(network), [1, 2, 3]);
  assert.deepEqual(queued(device), []);
});

test("an entry counts as unsent while it is being written into the memory", async () => {
  const { device, outbox, network } = await tablet();
  network.fault = () => "request lost";
  const adding = hand(outbox, 1);
  assert.equal(outbox.unsent, 1);
  await adding;
  assert.equal(outbox.unsent, 1);
  assert.equal(outbox.taking.size, 0);
  assert.deepEqual(queued(device), [1]);
});

// Everything at once

function chance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function anyOf(list, random) {
  return list[Math.floor(random() * list.length)];
}

for (let seed = 1; seed <= 15; seed += 1) {
  test(`with every fault at every step nothing is lost, doubled or out of order (${seed})`, async () => {
    const random = chance(seed);
    const network = new Network();
    const device = new Device({ network, hasLocks: random() < 0.7, skew: anyOf([0, -86_400_000, 3_600_000], random), random });
    const windows = [await window(device)];
    const transient = Object.values(ANSWERS);
    let isBad = true;
    network.fault = () => (isBad && random() < 0.6 ? anyOf(FAULTS, random) : "pass");
    network.trouble = () => (isBad && random() < 0.2 ? anyOf(transient, random) : null);
    network.bent = (answers) => (isBad && random() < 0.3 ? anyOf(Object.values(BENT), random)(answers) : answers);
    device.memory.beforeCommit = ({ window: page }) => {
      if (isBad && windows.length && random() < 0.01) page.close();
    };
    const entered = { 1: 0, 2: 0 };
    for (let step = 0; step < 40; step += 1) {
      if (!windows.some(({ page }) => page.isOpen) || random() < 0.1) windows.push(await window(device));
      const open = windows.filter(({ page }) => page.isOpen);
      if (!open.length) continue;
      const { outbox, page } = anyOf(open, random);
      const table = random() < 0.7 ? 1 : 2;
      const number = entered[table] + 1;
      const kept = () => device.memory.rows("outbox").concat(Object.values(network.at(1, table).done)).some((one) => (one.body ?? one).facts.number === number && (one.table ?? table) === table);
      const seen = network.at(1, table).version;
      await Promise.race([outbox.reload(), settled()]);
      const before = outbox.at(1, table).at(-1);
      await Promise.race([outbox.add({ session: 1, table, operation: "hands", body: { seen: before ? before.body.seen + 1 : seen, facts: { number } } }), settled()]);
      if (page.isOpen || kept()) entered[table] = number;
      await device.clock.run(Math.floor(random() * 3_000));
    }
    isBad = false;
    const last = await window(device);
    await device.clock.run(LONG);
    assert.deepEqual([recorded(network), recorded(network, 1, 2)], [upTo(entered[1]), upTo(entered[2])]);
    assert.deepEqual(queued(device), []);
    assert.equal(last.outbox.unsent, 0);
  });
}
