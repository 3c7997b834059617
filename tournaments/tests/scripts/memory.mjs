// IndexedDB as far as the tablet uses it: transactions that happen whole or not at all, a memory that is full, shut or closed from outside.

import { soon } from "./turns.mjs";

class Request {
  succeed(result) {
    this.result = result;
    this.onsuccess?.({ target: this });
  }

  fail(error) {
    this.error = error;
    this.onerror?.({ target: this });
  }
}

export class Memory {
  constructor() {
    this.stores = new Map();
    this.writing = null;
    this.waiting = [];
    this.isFull = false;
    this.isShut = false;
    // Where a test wants a window to vanish: asked before a transaction is committed.
    this.beforeCommit = null;
    this.connections = new Set();
  }

  // The entries of a store as they lie there, without any window.
  rows(name) {
    return [...(this.stores.get(name)?.rows.values() ?? [])].map((row) => structuredClone(row));
  }

  value(name) {
    return structuredClone(this.stores.get("kept")?.rows.get(name));
  }

  seenBy(window) {
    return { open: () => this.open(window) };
  }

  open(window) {
    const request = new Request();
    soon(() => {
      if (!window.isOpen) return;
      if (this.isShut) return request.fail(new DOMException("denied", "UnknownError"));
      const base = new Base(this, window);
      this.connections.add(base);
      request.result = base;
      if (!this.stores.size) request.onupgradeneeded?.({ target: request });
      request.succeed(base);
    });
    return request;
  }

  // What a browser does behind a page that slept.
  closeAll({ isTold = true } = {}) {
    for (const base of this.connections) {
      base.isOpen = false;
      if (isTold) base.onclose?.();
    }
    this.connections.clear();
  }

  crash(window) {
    this.waiting = this.waiting.filter((transaction) => transaction.window !== window);
    if (this.writing?.window === window) this.writing.abandon();
    this.turn();
  }

  // Writers come one after the other.
  turn() {
    if (this.writing || !this.waiting.length) return;
    this.writing = this.waiting.shift();
    this.writing.begin();
  }
}

class Base {
  constructor(memory, window) {
    this.memory = memory;
    this.window = window;
    this.isOpen = true;
  }

  createObjectStore(name, { autoIncrement = false } = {}) {
    this.memory.stores.set(name, { rows: new Map(), last: 0, autoIncrement });
  }

  close() {
    this.isOpen = false;
    this.memory.connections.delete(this);
  }

  transaction(names, mode = "readonly") {
    if (!this.isOpen) throw new DOMException("closing", "InvalidStateError");
    return new Transaction(this.memory, this.window, [names].flat(), mode === "readwrite");
  }
}

class Transaction {
  constructor(memory, window, names, isWriting) {
    Object.assign(this, { memory, window, names, isWriting, queue: [], isDone: false });
    if (!window.isOpen) return;
    if (!isWriting) return void soon(() => this.begin());
    memory.waiting.push(this);
    soon(() => memory.turn());
  }

  begin() {
    this.stores = new Map(this.names.map((name) => [name, this.isWriting ? copied(this.memory.stores.get(name)) : this.memory.stores.get(name)]));
    this.step();
  }

  objectStore(name) {
    if (!this.names.includes(name)) throw new DOMException(name, "NotFoundError");
    const ask = (work, isPut = false) => this.ask(name, work, isPut);
    return {
      get: (key) => ask((store) => structuredClone(store.rows.get(key))),
      getAll: () => ask((store) => [...store.rows.values()].map((row) => structuredClone(row))),
      delete: (key) => ask((store) => void store.rows.delete(key)),
      put: (row, key) => ask((store) => put(store, structuredClone(row), key), true),
      add: (row) => ask((store) => put(store, structuredClone(row)), true),
    };
  }

  ask(name, work, isPut) {
    if (this.isDone) throw new DOMException("finished", "TransactionInactiveError");
    if (isPut && !this.isWriting) throw new DOMException("only read", "ReadOnlyError");
    const request = new Request();
    this.queue.push({ request, name, work, isPut });
    return request;
  }

  // One request at a time, each in a turn of its own; when none follows, everything is committed.
  step() {
    soon(() => {
      if (!this.window.isOpen || this.isDone) return;
      const next = this.queue.shift();
      if (!next) return this.commit();
      if (next.isPut && this.memory.isFull) {
        next.request.fail(new DOMException("full", "QuotaExceededError"));
        return this.abort(next.request.error);
      }
      next.request.succeed(next.work(this.stores.get(next.name)));
      this.step();
    });
  }

  commit() {
    this.memory.beforeCommit?.(this);
    if (!this.window.isOpen) return;
    this.finish(() => {
      if (this.isWriting) for (const [name, store] of this.stores) this.memory.stores.set(name, store);
      this.oncomplete?.();
    });
  }

  abort(error) {
    this.error = error;
    this.finish(() => this.onabort?.());
  }

  abandon() {
    this.finish(() => {});
  }

  finish(work) {
    this.isDone = true;
    work();
    if (this.memory.writing === this) this.memory.writing = null;
    this.memory.turn();
  }
}

function copied(store) {
  return { ...store, rows: new Map(store.rows) };
}

function put(store, row, key) {
  if (!store.autoIncrement) return store.rows.set(key, row), key;
  if (row.id === undefined) row.id = store.last += 1;
  store.rows.set(row.id, row);
  return row.id;
}
