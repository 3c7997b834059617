// Keeps the tablet's screen and the referee's phone at hand, so that they start without a connection. It never touches the API or anything but GET.
const VERSION = "{{ version }}";
const CACHE = `tablet-${VERSION}`;
const ASSETS = {{ assets|safe }};
const KEPT = new Set(ASSETS);
const PATIENCE = 3000;
const SHELL = /\/(tablet|referee)\//;

self.addEventListener("install", (event) => {
  event.waitUntil(prepared());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "activate") self.skipWaiting();
  if (event.data?.keep) event.waitUntil(keepShell(event.data.keep));
});

self.addEventListener("fetch", (event) => {
  const request = event.request;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || url.pathname.includes("/api/")) return;
  if (KEPT.has(url.pathname)) event.respondWith(kept(request));
  else if (request.mode === "navigate" && SHELL.test(url.pathname)) event.respondWith(shell(request, url));
});

// The shells that an earlier version kept are fetched anew: a shell belongs to the files that it names.
async function prepared() {
  const cache = await caches.open(CACHE);
  await cache.addAll(ASSETS.map((url) => new Request(url, { cache: "reload" })));
  for (const name of await caches.keys()) {
    if (!name.startsWith("tablet-") || name === CACHE) continue;
    for (const request of await (await caches.open(name)).keys()) {
      const { pathname } = new URL(request.url);
      if (homeOf({ pathname }) === pathname) await keepShell(pathname);
    }
  }
}

async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith("tablet-") && name !== CACHE) await caches.delete(name);
  }
}

async function kept(request) {
  const found = await (await caches.open(CACHE)).match(request, { ignoreSearch: true });
  return found ?? fetch(request);
}

function homeOf(url) {
  return url.pathname.replace(/\/(tablet|referee)\/.*$/, "/$1/");
}

// The page that a hall's Wi-Fi puts in the way lacks the header, and so does a redirect to a sign-in.
function versionOf(response) {
  return response.ok && !response.redirected ? response.headers.get("X-Tablet-Shell") : null;
}

// A newer shell is shown but not kept: without a connection its files would be missing.
async function keepShell(home) {
  const response = await fetch(home, { cache: "no-cache" });
  if (versionOf(response) === VERSION) await (await caches.open(CACHE)).put(home, response);
}

async function shell(request, url) {
  const cache = await caches.open(CACHE);
  const home = homeOf(url);
  const found = await cache.match(home);
  const patience = found ? AbortSignal.timeout(PATIENCE) : undefined;
  try {
    const response = await fetch(request, { signal: patience });
    const version = versionOf(response);
    if (!version) return found ?? response;
    // To the last byte within patience: half a page is none.
    const whole = response.clone();
    if (version === VERSION) await cache.put(home, whole);
    else await whole.arrayBuffer();
    return response;
  } catch (error) {
    if (found) return found;
    throw error;
  }
}
