// The referee's phone: its start, what it remembers, and how it stays ready without a connection.

import { announce, h, refill, usePictures } from "../tablet/dom.js";
import { Outbox } from "../tablet/outbox.js";
import { Refused, Server } from "../tablet/server.js";
import * as store from "../tablet/store.js";
import { _ } from "../tablet/words.js";
import { Phone } from "./phone.js";

const LOOK_AGAIN = 8_000;
const MOST_LOGGED = 60;

const root = document.querySelector(".phone");
const { slug, home, api, worker, icons, tiles } = root.dataset;
usePictures({ icons, tiles });

// The queue of the phone lies beside that of a tablet in the same browser, under a name of its own.
const own = `referee:${slug}`;
const server = new Server(api);
const outbox = new Outbox(own, server);
const phone = new Phone({ root, server, outbox, remember });

function remember(chosen) {
  store.keep(`chosen:${own}`, chosen);
}

async function begin() {
  phone.state = (await store.read(`phone:${own}`)) ?? null;
  phone.log = (await store.read(`log:${own}`)) ?? [];
  phone.choose((await store.read(`chosen:${own}`)) ?? {});
  fromAddress();
  phone.show();
  outbox.addEventListener("change", () => phone.show());
  outbox.addEventListener("elsewhere", () => phone.show());
  outbox.addEventListener("delivered", (event) => delivered(event.detail));
  outbox.addEventListener("refused", ({ detail }) => announce(_("Not given: %(what)s", { what: detail.entry.shown.text ?? "" })));
  outbox.addEventListener("rejected", ({ detail }) => phone.turnedAway(detail));
  await outbox.start();
  keepReady();
  await look();
  setInterval(() => document.visibilityState === "visible" && look(), LOOK_AGAIN);
  setInterval(() => phone.tick(), 1_000);
  addEventListener("online", look);
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? look() : outbox.release()));
  addEventListener("pagehide", () => outbox.release());
  phone.look = look;
}

// A table's address in the code on its paper, or typed: #session-1/table-3.
function fromAddress() {
  const place = location.hash.match(/session-(\d+)\/table-(\d+)/);
  if (place) phone.openTable(Number(place[1]), Number(place[2]));
}

async function look() {
  try {
    const state = await server.get("state/");
    if (!Array.isArray(state.sessions)) return;
    phone.learn(state);
    await store.keep(`phone:${own}`, state);
  } catch (error) {
    if (error instanceof Refused) phone.turnedAway(error);
    else phone.lost();
  }
}

// What the server has said of a press stays on the device with its receipt.
async function delivered({ entry, answer }) {
  const done = { key: entry.key, at: Date.now(), operation: entry.operation, body: entry.body, shown: entry.shown, state: answer.state, receipt: answer.receipt.entry };
  phone.log = [done, ...phone.log.filter((one) => one.key !== entry.key)].slice(0, MOST_LOGGED);
  announce(_("Given: %(what)s", { what: entry.shown.text ?? "" }));
  phone.show();
  await store.keep(`log:${own}`, phone.log);
  look();
}

function keepReady() {
  if (!navigator.serviceWorker) return;
  navigator.serviceWorker
    .register(worker, { scope: home, updateViaCache: "none" })
    .then(async () => {
      const ready = await navigator.serviceWorker.ready;
      ready.active?.postMessage({ keep: home });
    })
    .catch(() => {});
}

addEventListener("hashchange", () => {
  fromAddress();
  phone.show();
});

begin().catch((error) => {
  refill(root, h("div", { class: "tablet-wait" }, h("h1", {}, _("The referee's phone could not start.")), h("p", {}, String(error.message ?? error)), h("p", {}, _("Nothing that was entered is lost. Reload the page."))));
  throw error;
});
