// What the device keeps through reload, crash and an empty battery: who it is, the last it saw, and what is unsent.

const NAME = "four-winds-tablet";
const VERSION = 1;
let opened = null;

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
      request.result.onversionchange = () => request.result.close();
      request.result.onclose = () => (opened = null);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opened;
}

function done(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function write(stores, work) {
  const base = await open();
  const transaction = base.transaction(stores, "readwrite", { durability: "strict" });
  const finished = done(transaction);
  const value = await work((name) => transaction.objectStore(name));
  await finished;
  return value;
}

export async function read(name) {
  const base = await open();
  return result(base.transaction("kept").objectStore("kept").get(name));
}

export function keep(name, value) {
  return write(["kept"], (store) => store("kept").put(value, name));
}

export function forget(name) {
  return write(["kept"], (store) => store("kept").delete(name));
}

export async function unsent() {
  const base = await open();
  return result(base.transaction("outbox").objectStore("outbox").getAll());
}

export function queue(entry) {
  return write(["outbox"], (store) => result(store("outbox").add(entry)));
}

export function change(entries) {
  return write(["outbox"], (store) => entries.map((entry) => store("outbox").put(entry)));
}

// An entry leaves in one transaction with what the server said in its place.
export function delivered(id, name, value) {
  return write(["outbox", "kept"], (store) => {
    store("outbox").delete(id);
    if (name) store("kept").put(value, name);
  });
}

// What a person decided not to send stays readable on the device.
export function setAside(entry, why) {
  return write(["outbox", "attic"], (store) => {
    store("outbox").delete(entry.id);
    const { id, ...rest } = entry;
    store("attic").add({ ...rest, why, asideAt: Date.now() });
  });
}

export async function aside() {
  const base = await open();
  return result(base.transaction("attic").objectStore("attic").getAll());
}
