// Before a table's screen: the code that admits a tablet, and the list of tables.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Device, settled } from "./device.mjs";
import { Network } from "./network.mjs";
import { furnish } from "./page.mjs";

const HOME = "/cup/tablet/";
const row = (more = {}) => ({ session: 1, table: 1, state: "open", session_state: "open", names: ["Ann", "Ben"], hands: 1, called: false, answered: false, ...more });

async function opened({ list = { tournament: "Cup", tables: [row()] }, me = { device: { name: "Blue", tables: [] } } } = {}) {
  const network = new Network();
  const device = new Device({ network });
  const page = device.open();
  const root = furnish(page.document);
  const gone = [];
  page.context.location = { protocol: "https:", hostname: "cup.example", replace: (to) => gone.push(to) };
  network.list = list;
  network.other = (path) => (path === "tables/" ? network.list : undefined);
  const { Outbox } = await page.load("tablet/outbox.js");
  const { Server } = await page.load("tablet/server.js");
  const screens = await page.load("tablet/tables.js");
  const server = new Server("/cup/api/", "device");
  const outbox = new Outbox("cup", server);
  await outbox.start();
  const show = () => screens.tables({ root, server, outbox, home: HOME, me, admit: async () => "", restart: () => {} });
  return { network, device, page, root, outbox, gone, screens, show };
}

const states = (root) => root.querySelectorAll(".tablet-table").map((card) => card.querySelectorAll(".state").map((one) => one.textContent));

test("every table tells how it stands, and whether it calls", async () => {
  const tables = [
    row(), row({ session_state: "planned" }), row({ state: "ended", called: true }), row({ state: "confirmed", called: true, answered: true }), row({ state: "signed_off", hands: 5 }),
  ];
  const { root, show } = await opened({ list: { tournament: "Cup", tables } });
  await show();
  assert.deepEqual(states(root), [["In play"], ["Not started yet"], ["Awaiting confirmation", "Calls the referee"], ["Confirmed", "The referee is on the way"], ["Signed off"]]);
  assert.match(root.textContent, /CupBlue/);
  assert.match(root.textContent, /Ann, Ben5 hands/);
  assert.equal(root.querySelector(".tablet-table").href ?? root.querySelector(".tablet-table").getAttribute("href"), `${HOME}session-1/table-1/`);
});

test("a tablet of one table goes there at once; one of several does not", async () => {
  const one = await opened({ me: { device: { name: "Blue", tables: [1] } } });
  await one.show();
  assert.deepEqual(one.gone, [`${HOME}session-1/table-1/`]);
  const several = await opened({ me: { device: { name: "Blue", tables: [1, 2] } } });
  await several.show();
  assert.deepEqual(several.gone, []);
});

test("the list looks again by itself while it is seen", async () => {
  const { network, device, page, root, show } = await opened({ list: { tournament: "Cup", tables: [row({ session_state: "planned" })] } });
  await show();
  network.list = { tournament: "Cup", tables: [row()] };
  page.document.visibilityState = "hidden";
  await device.clock.run(10_100);
  assert.deepEqual(states(root), [["Not started yet"]]);
  page.document.visibilityState = "visible";
  await device.clock.run(10_000);
  assert.deepEqual(states(root), [["In play"]]);
});

test("without a connection the list is the one that was seen last", async () => {
  const { network, root, show } = await opened();
  await show();
  network.fault = () => "request lost";
  await show();
  assert.deepEqual(states(root), [["In play"]]);
  const never = await opened();
  never.network.fault = () => "request lost";
  await never.show();
  assert.match(never.root.textContent, /appear when it is back/);
});

test("a list without tables says so", async () => {
  const { root, show } = await opened({ list: { tournament: "Cup", tables: [] } });
  await show();
  assert.match(root.textContent, /no tables yet/);
});

test("what is not sent yet is told with the way to its table, and where somebody must decide", async () => {
  const { network, root, outbox, show } = await opened();
  network.fault = ({ path }) => (path === "batch/" ? "request lost" : "pass");
  await show();
  for (const seen of [0, 1]) await outbox.add({ session: 2, table: 3, operation: "hands", body: { seen } });
  await settled();
  assert.match(root.textContent, /2 entries of this tablet are not sent yet\.Session 2, table 3/);
  assert.doesNotMatch(root.textContent, /Needs a decision/);
  await outbox.refused(outbox.entries[0], { problem: { code: "x" }, status: 422 });
  assert.match(root.textContent, /Needs a decision/);
});

test("a tablet that is no longer known is asked for a code", async () => {
  const { network, root, show } = await opened();
  network.refuses = () => ({ status: 401 });
  await show();
  assert.match(root.textContent, /Admit this tablet/);
});

test("a typed code admits, or is refused where it was typed", async () => {
  const { page, root, screens } = await opened();
  const typed = [];
  let answer = "The code is too old.";
  let proceeded = 0;
  page.session.set("admission-said", "Signed off.");
  screens.admission(root, async (body) => (typed.push(body), answer), () => (proceeded += 1));
  const wrong = () => root.querySelector(".field-errors").textContent;
  assert.equal(wrong(), "Signed off.");
  assert.equal(page.session.has("admission-said"), false);
  const [input] = root.querySelectorAll("input");
  const submit = async () => {
    root.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
    await settled();
  };
  input.value = "ABCDEFGH";
  await submit();
  assert.deepEqual([wrong(), proceeded], ["The code is too old.", 0]);
  answer = "";
  await submit();
  assert.deepEqual([wrong(), proceeded, typed.length], ["", 1, 2]);
});

for (const [protocol, hostname, isTold] of [["http:", "192.168.0.7", true], ["http:", "localhost", false], ["http:", "127.0.0.1", false], ["https:", "cup.example", false]]) {
  test(`over ${protocol}//${hostname} it is ${isTold ? "" : "not "}said that the page must stay open`, async () => {
    const { page, root, screens } = await opened();
    Object.assign(page.context.location, { protocol, hostname });
    screens.admission(root, async () => "", () => {});
    assert.equal(/keep it open/.test(root.textContent), isTold);
  });
}
