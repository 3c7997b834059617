// The tablet's start: who this device is, which table it shows, and what keeps it awake and ready without a connection.

import { admission, tables } from "./tables.js";
import { announce, h, refill, usePictures } from "./dom.js";
import { arrived } from "./moving.js";
import { Outbox } from "./outbox.js";
import { Refused, Server, Unreachable } from "./server.js";
import * as store from "./store.js";
import { TableScreen } from "./table.js";
import { _ } from "./words.js";

const root = document.querySelector(".tablet");
const { slug, home, api, worker, icons, tiles } = root.dataset;
usePictures({ icons, tiles });

// Who has been here before does not wait long for a network that says nothing.
const START = 3_000;
const credentialName = `credential:${slug}`;
const server = new Server(api);
const outbox = new Outbox(slug, server);
const place = location.pathname.match(/\/session-(\d+)\/table-(\d+)\/$/);
let screen = null;
let waitingVersion = null;

async function begin() {
  const secret = location.hash.length > 1 ? decodeURIComponent(location.hash.slice(1)) : "";
  server.credential = (await store.read(credentialName))?.credential ?? "";
  if (secret) await admit({ secret });
  const me = await oneself();
  await outbox.start();
  keepReady();
  if (!me && !server.credential) return admission(root, admit, restart, home);
  if (place) return openTable(Number(place[1]), Number(place[2]), me);
  return tables({ root, server, outbox, home, me, admit, restart });
}

function restart() {
  location.replace(home);
}

// Admission swaps a code for a credential; a refusal is shown where the code is typed.
async function admit(body) {
  const before = server.credential;
  server.credential = "";
  try {
    const answer = await server.post("admission/", body);
    server.credential = answer.credential;
    await store.keep(credentialName, { credential: answer.credential, device: answer.device });
    forgetSecret();
    arrived();
    navigator.storage?.persist?.();
    return "";
  } catch (error) {
    if (error instanceof Refused) forgetSecret();
    const text = error instanceof Refused ? error.problem.title : _("No connection. Try again when it is back.");
    server.credential = before;
    sessionStorage.setItem("admission-said", text);
    return text;
  }
}

// A secret is good once; one that nobody could be asked about stays in the address, so that opening the page again asks again.
function forgetSecret() {
  if (location.hash) history.replaceState(null, "", location.pathname);
}

// Who this device is to the server: an admitted tablet, or a person of the staff with a cookie; without a connection, as before.
async function oneself() {
  try {
    const me = await server.get("self/", { patience: (await store.read(`me:${slug}`)) ? START : undefined });
    if (!Array.isArray(me.may)) throw new Unreachable("portal");
    server.token = me.csrf ?? "";
    await store.keep(`me:${slug}`, { ...me, csrf: "" });
    return me.may.includes("record_hands") ? me : null;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      announce(error.problem.title);
      sessionStorage.setItem("admission-said", error.problem.title);
      return null;
    }
    return (await store.read(`me:${slug}`)) ?? null;
  }
}

async function openTable(session, table, me) {
  screen = new TableScreen({ root, server, outbox, slug, session, table, home, me });
  if (waitingVersion) screen.offerNewer(waitingVersion);
  await screen.open();
}

// A screen that does not go dark, and a page that starts without a connection where the browser allows it.
function keepReady() {
  const awake = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", awake);
  awake();
  if (!navigator.serviceWorker) return;
  navigator.serviceWorker
    .register(worker, { scope: home, updateViaCache: "none" })
    .then(async (registration) => {
      const ready = await navigator.serviceWorker.ready;
      ready.active?.postMessage({ keep: home });
      registration.addEventListener("updatefound", () => offer(registration.installing));
      offer(registration.installing);
      if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
    })
    .catch(() => {});
}

// A waiting version takes over when a person says so; nothing that is being entered is lost. A table's screen offers it itself.
function offer(waiting) {
  if (!waiting) return;
  const show = () => {
    if (waiting.state !== "installed" || !navigator.serviceWorker.controller || waitingVersion) return;
    waitingVersion = () => take(waiting);
    if (place) return void screen?.offerNewer(waitingVersion);
    const bar = h(
      "div",
      { class: "tablet-update notice" },
      h("div", {}, _("A new version of this screen is ready.")),
      h("button", { type: "button", class: "button", onclick: waitingVersion }, _("Reload")),
    );
    document.body.append(bar);
  };
  waiting.addEventListener("statechange", show);
  show();
}

function take(waiting) {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting.postMessage("activate");
}

// A code scanned into a page that is open already.
addEventListener("hashchange", () => location.hash.length > 1 && location.reload());

begin().catch((error) => {
  refill(root, h("div", { class: "tablet-wait" }, h("h1", {}, _("The scoring screen could not start.")), h("p", {}, String(error.message ?? error)), h("p", {}, _("Nothing that was entered is lost. Reload the page."))));
  throw error;
});
