// Keys made once for one tap, and one flusher at a time; both also where the page came over plain http.

const LEASE = 4_000;
const RENEWAL = 1_000;

export function makeKey() {
  if (globalThis.crypto?.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Runs the work if nobody else holds the name, in this window or another; says whether it ran.
export async function alone(name, work) {
  if (!navigator.locks) return leased(name, work);
  return navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return false;
    await work();
    return true;
  });
}

// Without locks a lease that ends soon by itself, should its holder vanish; one from a clock that was wrong counts for nothing.
async function leased(name, work) {
  const mine = makeKey();
  const slot = `four-winds-lease:${name}`;
  const holder = () => parsed(localStorage.getItem(slot));
  const renew = () => localStorage.setItem(slot, JSON.stringify({ holder: mine, until: Date.now() + LEASE }));
  const release = () => holder()?.holder === mine && localStorage.removeItem(slot);
  const left = (holder()?.until ?? 0) - Date.now();
  if (left > 0 && left <= LEASE) return false;
  try {
    renew();
  } catch {
    // No memory to share with another window: every entry has its key, so that two senders do no harm.
    await work();
    return true;
  }
  await new Promise((resolve) => setTimeout(resolve, 30));
  if (holder()?.holder !== mine) return false;
  addEventListener("pagehide", release);
  const renewing = setInterval(renew, RENEWAL);
  try {
    await work();
  } finally {
    clearInterval(renewing);
    removeEventListener("pagehide", release);
    release();
  }
  return true;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
