// Only the server's own JSON is an answer; everything else says that it cannot be reached, and why.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Device, plain, settled } from "./device.mjs";
import { Network } from "./network.mjs";

async function connected(fault, { credential = "secret", language = "en" } = {}) {
  const network = new Network();
  network.fault = () => fault;
  const device = new Device({ network });
  const page = device.open({ language });
  const { Server, Unreachable, Refused, isReceipt } = await page.load("tablet/server.js");
  return { network, device, server: new Server("/cup/api/", credential), Unreachable, Refused, isReceipt };
}

async function failure(promise) {
  return promise.then(() => assert.fail("it was answered"), (error) => error);
}

const UNREACHABLE = [
  ["request lost", "offline"],
  ["half an answer", "broken"],
  ["portal", "portal"],
  ["gateway's page", "portal"],
  [{ status: 500 }, "busy"],
  [{ status: 503 }, "busy"],
  [{ status: 429 }, "busy"],
];

for (const [fault, why] of UNREACHABLE) {
  test(`${JSON.stringify(fault)} is told as ${why}`, async () => {
    const { server, Unreachable } = await connected(fault);
    const error = await failure(server.get("self/"));
    assert.ok(error instanceof Unreachable);
    assert.deepEqual([error.why, error.wait], [why, 0]);
  });
}

test("a refusal brings its status, code and sentence", async () => {
  const { server, Refused } = await connected({ status: 422, problem: { code: "impossible", title: "It cannot be" } });
  const error = await failure(server.post("batch/", {}));
  assert.ok(error instanceof Refused);
  assert.deepEqual([error.status, error.code, error.message, plain(error.problem).title], [422, "impossible", "It cannot be", "It cannot be"]);
});

test("too many tries are a refusal, not a busy server", async () => {
  const { server, Refused } = await connected({ status: 429, problem: { code: "too_many_tries", title: "Later" } });
  assert.ok((await failure(server.get("self/"))) instanceof Refused);
});

test("a refusal without a code is somebody else's", async () => {
  const { server } = await connected({ status: 404, problem: { code: "" } });
  assert.equal((await failure(server.get("self/"))).why, "portal");
});

for (const [asked, waited] of [["2", 2_000], ["30", 30_000], ["31", 30_000], ["soon", 0]]) {
  test(`asked to wait ${asked} it waits ${waited} ms`, async () => {
    const { server } = await connected({ status: 503, headers: { "Retry-After": asked } });
    assert.equal((await failure(server.get("self/"))).wait, waited);
  });
}

for (const fault of ["request never answered", "half an answer that never ends"]) {
  test(`${fault}: patience ends, and not before`, async () => {
    const { server, device, Unreachable } = await connected(fault);
    let error = null;
    server.get("self/").catch((found) => (error = found));
    await device.clock.run(11_900);
    assert.equal(error, null);
    await device.clock.run(200);
    assert.ok(error instanceof Unreachable);
    assert.equal(error.why, "slow");
  });
}

test("who gives up a request is told so, during it and before it", async () => {
  const { server } = await connected("request never answered");
  const control = new AbortController();
  const asked = server.get("self/", { signal: control.signal });
  await settled();
  control.abort();
  assert.equal((await failure(asked)).name, "AbortError");
  assert.equal((await failure(server.get("self/", { signal: control.signal }))).name, "AbortError");
});

test("an answer leaves no timer behind", async () => {
  const { server, device } = await connected("pass");
  await server.get("self/");
  assert.equal(device.clock.timers.size, 0);
});

test("a tablet sends its credential and language, a key where there is one, and never a token", async () => {
  const { server, network } = await connected("pass", { language: "ru" });
  server.token = "token";
  await server.post("confirm/", { wind: "E" }, { key: "abc" });
  assert.deepEqual(plain(network.requests[0].headers), {
    Accept: "application/json", "Accept-Language": "ru", Authorization: "Device secret", "Content-Type": "application/json", "Idempotency-Key": "abc",
  });
  assert.deepEqual(network.requests[0].body, { wind: "E" });
});

test("a person sends the token of the session, and asks without a body", async () => {
  const { server, network } = await connected("pass", { credential: "" });
  server.token = "token";
  await server.get("self/");
  assert.deepEqual(plain(network.requests[0].headers), { Accept: "application/json", "Accept-Language": "en", "X-CSRFToken": "token" });
  assert.deepEqual([network.requests[0].method, network.requests[0].body], ["GET", undefined]);
});
