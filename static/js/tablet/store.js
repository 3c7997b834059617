// What the device keeps through reload, crash and an empty battery: who it is, the last it saw, and what is unsent.
// Where a browser gives no memory, or no more of it, the page itself holds what is entered for as long as it is open.

import { makeKey } from "./keys.js";

const NAME = "four-winds-tablet";
const VERSION = 1;
// Entries that only the page holds come after all that the device keeps.
const AFTER_ALL = 2 ** 40;

let opened = null;
let isShut = false;
// What the device did not take: named values, queued entries by their number (null: gone), what was set aside.
const held = { kept: new Map(), outbox: new Map(), attic: [] };
let last = AFTER_ALL;
// What the database is being given; its note is struck out before an entry that came from it is queued.
const carrying = new Map();
const NOTED = "four-winds-tablet:";

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const base = request.result;
      base.createObjectStore("kept");
      base.createObjectStore("outbox", { keyPath: "id", autoIncrement: true });
      base.createObjectStore("attic", { keyPath: "id", autoIncrement: true });
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => {
        request.result.close();
        opened = null;
      };
      request.result.onclose = () => (opened = null);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.then(() => (isShut = false)).catch(() => {
    isShut = true;
    opened = null;
  });
  return opened;
}

// A browser may close its memory behind a page that slept; it is opened once more then.
async function withBase(work) {
  try {
    return await work(await open());
  } catch (error) {
    if (error?.name !== "InvalidStateError") throw error;
    opened = null;
    return work(await open());
  }
}

function done(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
}

function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function write(stores, work) {
  return withBase(async (base) => {
    const transaction = base.transaction(stores, "readwrite", { durability: "strict" });
    const finished = done(transaction);
    finished.catch(() => {});
    const value = await work((name) => transaction.objectStore(name));
    await finished;
    return value;
  });
}

function all(name) {
  return withBase((base) => result(base.transaction(name).objectStore(name).getAll()));
}

// Whether something would be lost if the page were closed now.
export function isFleeting() {
  return isShut || [...held.outbox.values()].some(Boolean);
}

export async function read(name) {
  const noted = notedOf(name);
  if (noted) {
    await carry(name, noted);
    return noted.value ?? undefined;
  }
  if (held.kept.has(name)) return held.kept.get(name);
  return withBase((base) => result(base.transaction("kept").objectStore("kept").get(name))).catch(() => remembered(name));
}

// Without a memory of its own a window still has one of its own until it is closed: it knows the tablet from page to page.
function remember(name, value) {
  held.kept.set(name, value);
  try {
    sessionStorage.setItem(`kept:${name}`, JSON.stringify(value));
  } catch {
    // The page alone knows it.
  }
}

function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(`kept:${name}`)) ?? undefined;
  } catch {
    return undefined;
  }
}

// Says whether the device took it.
export async function keep(name, value) {
  try {
    await write(["kept"], (store) => store("kept").put(value, name));
    held.kept.delete(name);
    return true;
  } catch {
    remember(name, value);
    return false;
  }
}

// What a tap changed is noted before the tap is over, and struck out when the database has it: a page that goes in between loses nothing.
export function keepAtOnce(name, value) {
  const carried = carry(name, note(name, value));
  carrying.set(name, carried);
  return carried;
}

function note(name, value) {
  const noted = { id: makeKey(), value };
  try {
    localStorage.setItem(NOTED + name, JSON.stringify(noted));
  } catch {
    strike(name);
  }
  return noted;
}

async function carry(name, { id, value }) {
  if ((await keep(name, value)) && notedOf(name)?.id === id) strike(name);
}

function notedOf(name) {
  try {
    return JSON.parse(localStorage.getItem(NOTED + name));
  } catch {
    return null;
  }
}

function strike(name) {
  try {
    localStorage.removeItem(NOTED + name);
  } catch {
    // Nothing was noted.
  }
}

export async function forget(name) {
  held.kept.delete(name);
  const { id } = note(name, null);
  await write(["kept"], (store) => store("kept").delete(name)).catch(() => remember(name, null));
  if (notedOf(name)?.id === id) strike(name);
}

export async function unsent() {
  const found = new Map((await all("outbox").catch(() => [])).map((entry) => [entry.id, entry]));
  for (const [id, entry] of held.outbox) {
    if (entry) found.set(id, structuredClone(entry));
    else found.delete(id);
  }
  return [...found.values()].sort((one, other) => one.id - other.id);
}

// An entry is queued, and the draft it came from forgotten, at once; behind others of its table it counts them as seen.
export async function queue(entry, draft) {
  const isLast = (other) => other.slug === entry.slug && other.session === entry.session && other.table === entry.table;
  const behind = (entries) => {
    const before = entries.filter(isLast).at(-1);
    return before && "seen" in entry.body ? { ...entry, body: { ...entry.body, seen: before.body.seen + 1 } } : entry;
  };
  if (draft) {
    await carrying.get(draft);
    strike(draft);
  }
  if (![...held.outbox.values()].some(Boolean)) {
    try {
      await write(["outbox", "kept"], async (store) => {
        store("outbox").add(behind(await result(store("outbox").getAll())));
        if (draft) store("kept").delete(draft);
      });
      held.kept.delete(draft);
      return;
    } catch {
      // The page holds it.
    }
  }
  const placed = behind(await unsent());
  last += 1;
  held.outbox.set(last, { ...structuredClone(placed), id: last });
  if (draft) remember(draft, null);
}

function isHeld({ id }) {
  return held.outbox.has(id);
}

// Changes what is still queued; what has left in the meantime is not brought back.
export async function change(entries) {
  const put = async (store) => {
    for (const entry of entries.filter((one) => !isHeld(one))) {
      if (await result(store("outbox").get(entry.id))) store("outbox").put(entry);
    }
  };
  const isKept = await write(["outbox"], put).then(() => true, () => false);
  for (const entry of entries) if (held.outbox.get(entry.id) || (!isKept && mayLie(entry))) held.outbox.set(entry.id, structuredClone(entry));
}

// Whether the device may still have an entry that the page does not hold.
function mayLie({ id }) {
  return id < AFTER_ALL && held.outbox.get(id) !== null;
}

// Counts an attempt to send, and gives those that are still queued: what a person has taken back by now stays here.
export async function attempted(entries) {
  const going = [];
  const count = async (store) => {
    for (const entry of entries.filter((one) => !isHeld(one))) {
      const there = await result(store("outbox").get(entry.id));
      if (there?.key !== entry.key) continue;
      going.push({ ...there, attempts: there.attempts + 1 });
      store("outbox").put(going.at(-1));
    }
  };
  const isKept = await write(["outbox"], count).then(() => true, () => false);
  if (!isKept) {
    // No room even for a number: they are sent all the same, and the page remembers that they were.
    going.length = 0;
    for (const entry of (await unsent()).filter((one) => one.id < AFTER_ALL)) {
      if (entries.some((one) => one.key === entry.key)) going.push({ ...entry, attempts: entry.attempts + 1 });
    }
  }
  for (const { id, key } of entries.filter(isHeld)) {
    const there = held.outbox.get(id);
    if (there?.key === key && !going.some((one) => one.id === id)) going.push({ ...there, attempts: there.attempts + 1 });
  }
  for (const entry of going) if (!isKept || isHeld(entry)) held.outbox.set(entry.id, structuredClone(entry));
  return going;
}

// Entries leave in one transaction with what the server said in their place.
export async function delivered(ids, name, value) {
  const leave = (store) => ids.forEach((id) => store("outbox").delete(id));
  const replace = (store) => {
    leave(store);
    if (name) store("kept").put(value, name);
  };
  try {
    if (ids.some((id) => id < AFTER_ALL)) await write(["outbox", "kept"], replace);
    else if (name) await keep(name, value);
    for (const id of ids) held.outbox.delete(id);
  } catch {
    for (const id of ids) held.outbox.set(id, null);
    if (name) held.kept.set(name, value);
    await write(["outbox"], leave).then(() => ids.forEach((id) => held.outbox.delete(id)), () => {});
  }
}

// What a person decided not to send stays readable on the device; those behind it are changed at once.
// `isUntried` asks that it has never been sent: says whether it was so, and thus whether it was set aside.
// `isOpen`: it is not on the server and nobody has said yet what becomes of it.
export async function setAside(entry, why, { changed = [], isUntried = false, isOpen = false } = {}) {
  const { id, ...rest } = entry;
  const there = (found) => found && (!isUntried || found.attempts === 0);
  if (!isHeld(entry)) {
    const move = async (store) => {
      if (!there(await result(store("outbox").get(id)))) return false;
      store("outbox").delete(id);
      store("attic").add({ ...rest, why, isOpen, asideAt: Date.now() });
      for (const one of changed.filter((other) => !isHeld(other))) store("outbox").put(one);
      return true;
    };
    const isDone = await write(["outbox", "attic"], move).catch(() => null);
    if (isDone === false || (isDone === null && isUntried)) return false;
    if (isDone === null) {
      held.outbox.set(id, null);
      held.attic.push({ ...rest, why, isOpen, asideAt: Date.now() });
      for (const one of changed) held.outbox.set(one.id, structuredClone(one));
    }
  } else {
    if (!there(held.outbox.get(id))) return false;
    held.outbox.set(id, null);
    held.attic.push({ ...rest, why, isOpen, asideAt: Date.now() });
  }
  for (const one of changed.filter(isHeld)) held.outbox.set(one.id, structuredClone(one));
  return true;
}

export async function aside() {
  return [...(await all("attic").catch(() => [])), ...held.attic];
}

// A person has said what becomes of an entry that was set aside: it was sent, is one with another, or was dropped.
export async function decideAside({ key }, how) {
  const close = async (store) => {
    for (const one of await result(store("attic").getAll())) if (one.key === key) store("attic").put({ ...one, isOpen: false, why: how });
  };
  await write(["attic"], close).catch(() => {});
  for (const one of held.attic) if (one.key === key) Object.assign(one, { isOpen: false, why: how });
}
