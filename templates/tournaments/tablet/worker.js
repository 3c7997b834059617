// Keeps the tablet's screen at hand, so that it starts without a connection. It never touches the API or anything but GET.
const VERSION = "{{ version }}";
const CACHE = `tablet-${VERSION}`;
const ASSETS = {{ assets|safe }};
const KEPT = new Set(ASSETS);
const PATIENCE = 3000;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(ASSETS.map((url) => new Request(url, { cache: "reload" })))),
  );
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
  else if (request.mode === "navigate" && url.pathname.includes("/tablet/")) event.respondWith(shell(request, url));
});

// Shells are kept under one name for each tournament, whatever version wrote them.
async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith("tablet-") && name !== CACHE && name !== "tablet-shells") await caches.delete(name);
  }
}

async function kept(request) {
  const found = await (await caches.open(CACHE)).match(request, { ignoreSearch: true });
  return found ?? fetch(request);
}

function homeOf(url) {
  return url.pathname.replace(/\/tablet\/.*$/, "/tablet/");
}

// The page that a hall's Wi-Fi puts in the way lacks the header, and so does a redirect to a sign-in.
function isShell(response) {
  return response.ok && !response.redirected && response.headers.has("X-Tablet-Shell");
}

async function keepShell(home) {
  const response = await fetch(home, { cache: "no-cache" });
  if (isShell(response)) await (await caches.open("tablet-shells")).put(home, response);
}

async function shell(request, url) {
  const shells = await caches.open("tablet-shells");
  const home = homeOf(url);
  const found = await shells.match(home);
  const patience = found ? AbortSignal.timeout(PATIENCE) : undefined;
  try {
    const response = await fetch(request, { signal: patience });
    if (isShell(response)) {
      await shells.put(home, response.clone());
      return response;
    }
    return found ?? response;
  } catch (error) {
    if (found) return found;
    throw error;
  }
}
