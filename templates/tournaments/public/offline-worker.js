// Keeps the pages that a player needs between two sessions: the standings, the seating, the event with its timetable, one's own page as everybody sees it.
// The network always comes first. What is kept is shown only when nothing comes, and says how old it is. Nothing private is kept.
const CACHE = "four-winds-public-1";
const PAGE = /^\/[-\w]{1,100}\/(?:|standings\/|seating\/|session-\d+\/|player-\d+\/)$|^\/calculator\/\w+\/$/;
const CALCULATOR = /^\/calculator-(?:worker\.js|scoring\.zip)$/;
const NOT_EVENTS = /^\/(?:accounts|operator|privacy|i18n|theme|static|messages|live|new|archive|api)\//;
const STATIC = "{{ static }}";
const PATIENCE = 4000;
const MOST_PAGES = 40;
const MOST_FILES = 80;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(tidy()));

self.addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(keepFiles(event.data.keep));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (isPublic(url)) event.respondWith(page(event, url));
  } else if (url.pathname.startsWith(STATIC)) event.respondWith(file(event));
  else if (CALCULATOR.test(url.pathname)) event.respondWith(file(event, false));
  else if (isPublic(url) && !url.search) event.respondWith(fresh(event, url));
});

// A notification: shown as it was sent; one that comes twice replaces itself by its tag.
self.addEventListener("push", (event) => {
  const said = event.data?.json() ?? {};
  const { title = "Four Winds", body = "", url = "/", tag = "" } = said;
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url }, icon: `${STATIC}img/icon-192.png` }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? "/", self.location.origin);
  if (url.origin === self.location.origin) event.waitUntil(openPage(url.href));
});

async function openPage(href) {
  const windows = await self.clients.matchAll({ type: "window" });
  const open = windows.find((one) => one.url === href);
  return open ? open.focus() : self.clients.openWindow(href);
}

function isPublic(url) {
  return PAGE.test(url.pathname) && !NOT_EVENTS.test(url.pathname);
}

async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith("four-winds-public-") && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
}

// A page of somebody who is signed in, an error, or what a hall's Wi-Fi answers in our place is not kept.
function mayBeKept(response) {
  return response.ok && !response.redirected && response.headers.has("X-Offline-Copy");
}

async function keep(response, url) {
  if (!mayBeKept(response) || url.search) return;
  const headers = new Headers(response.headers);
  headers.set("X-Kept-At", new Date().toISOString());
  const cache = await caches.open(CACHE);
  await cache.delete(url.pathname);
  await cache.put(url.pathname, new Response(await response.arrayBuffer(), { status: 200, headers }));
  await forget(cache, (path) => PAGE.test(path), MOST_PAGES);
  await forget(cache, (path) => path.startsWith(STATIC), MOST_FILES);
}

async function forget(cache, isOfThem, most) {
  const kept = (await cache.keys()).filter((request) => isOfThem(new URL(request.url).pathname));
  for (const request of kept.slice(0, Math.max(0, kept.length - most))) await cache.delete(request);
}

async function fresh(event, url) {
  const response = await fetch(event.request);
  event.waitUntil(keep(response.clone(), url));
  return response;
}

async function page(event, url) {
  const kept = await (await caches.open(CACHE)).match(url.pathname);
  try {
    const response = await fetch(event.request, kept ? { signal: AbortSignal.timeout(PATIENCE) } : {});
    event.waitUntil(keep(response.clone(), url));
    if (!kept || response.status < 500) return response;
  } catch (error) {
    if (!kept) throw error;
  }
  return aged(kept);
}

// The page learns from its first element when it was kept; its script says so in words.
async function aged(kept) {
  const at = kept.headers.get("X-Kept-At");
  const text = (await kept.text()).replace("<html ", `<html data-kept-at="${at}" `);
  const headers = new Headers(kept.headers);
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  return new Response(text, { status: 200, headers });
}

// The parts of the calculator bear no digest in their names, so the network is asked first.
async function file(event, isLasting = {{ lasting }}) {
  const cache = await caches.open(CACHE);
  const path = new URL(event.request.url).pathname;
  const kept = await cache.match(path);
  if (kept && isLasting) return kept;
  try {
    const response = await fetch(event.request);
    if (response.ok) event.waitUntil(cache.put(path, response.clone()));
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

// The files of the first page came before the worker did.
async function keepFiles(paths) {
  const cache = await caches.open(CACHE);
  for (const path of paths) {
    if (!path.startsWith(STATIC) || (await cache.match(path))) continue;
    const response = await fetch(path);
    if (response.ok) await cache.put(path, response);
  }
}
