// A tablet without a browser: windows that run the scripts as they are served, with a clock, a memory and a network that a test holds.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

import { Memory } from "./memory.mjs";
import { settled, soon } from "./turns.mjs";

export { settled };

const SCRIPTS = process.env.SCRIPTS ?? resolve(dirname(fileURLToPath(import.meta.url)), "../../../static/js");
const FOUR = ["E", "S", "W", "N"];

// Return the exports of a script; without a window it runs beside the tests themselves.
export async function load(name, context = undefined, known = new Map()) {
  const module = read(resolve(SCRIPTS, name), context, known);
  if (module.status === "unlinked") await module.link((wanted, from) => read(resolve(dirname(from.identifier), wanted), context, known));
  if (module.status === "linked") await module.evaluate();
  return module.namespace;
}

function read(path, context, known) {
  if (!known.has(path)) known.set(path, new vm.SourceTextModule(readFileSync(path, "utf8"), { identifier: path, context }));
  return known.get(path);
}

// Objects of a window have prototypes of their own; as plain data they can be compared.
export function plain(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

// Time passes only when a test lets it; whatever is due happens in order.
export class Clock {
  constructor(now = Date.UTC(2026, 10, 7, 10, 0, 0)) {
    this.now = now;
    this.timers = new Map();
    this.last = 0;
  }

  after(wait, work, { every = 0, owner = null } = {}) {
    this.last += 1;
    this.timers.set(this.last, { due: this.now + Math.max(0, wait || 0), work, every, owner });
    return this.last;
  }

  cancel(number) {
    this.timers.delete(number);
  }

  forget(owner) {
    for (const [number, timer] of this.timers) if (timer.owner === owner) this.timers.delete(number);
  }

  async run(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      await settled();
      const [number, timer] = this.next();
      if (!timer || timer.due > end) break;
      this.now = timer.due;
      if (timer.every) timer.due += timer.every;
      else this.timers.delete(number);
      timer.work();
    }
    this.now = end;
    await settled();
  }

  next() {
    return [...this.timers].sort(([one, first], [other, second]) => first.due - second.due || one - other)[0] ?? [0, null];
  }
}

export class Device {
  constructor({ network, hasLocks = true, skew = 0, random = () => 0.5, clock = new Clock() } = {}) {
    this.clock = clock;
    this.memory = new Memory();
    this.network = network;
    this.network.clock = this.clock;
    this.hasLocks = hasLocks;
    this.skew = skew;
    this.random = random;
    this.locks = new Map();
    this.local = new Map();
    this.windows = [];
  }

  open(options) {
    const window = new Window(this, options);
    this.windows.push(window);
    return window;
  }
}

// One window of a device; closing it is what a crash is: nothing of it goes on.
export class Window {
  constructor(device, { session = new Map(), language = "en" } = {}) {
    this.device = device;
    this.session = session;
    this.isOpen = true;
    this.modules = new Map();
    this.listeners = new EventTarget();
    this.document = Object.assign(new EventTarget(), { documentElement: { lang: language }, visibilityState: "visible" });
    this.channels = new Set();
    this.errors = [];
    this.context = vm.createContext(this.globals());
    vm.runInContext("Date.now = () => clockNow(); Math.random = () => chance();", this.context);
  }

  load(name) {
    return load(name, this.context, this.modules);
  }

  close() {
    this.isOpen = false;
    this.device.clock.forget(this);
    this.device.memory.crash(this);
    for (const [name, holder] of this.device.locks) if (holder === this) this.device.locks.delete(name);
    this.device.windows = this.device.windows.filter((other) => other !== this);
  }

  // The same page opened again in the same tab.
  reload() {
    this.close();
    return this.device.open({ session: this.session });
  }

  fire(name) {
    this.listeners.dispatchEvent(new Event(name));
  }

  wake() {
    this.document.visibilityState = "visible";
    this.document.dispatchEvent(new Event("visibilitychange"));
  }

  guarded(work) {
    return (...details) => {
      if (!this.isOpen) return;
      Promise.resolve().then(() => work(...details)).catch((error) => this.errors.push(error));
    };
  }

  globals() {
    const { clock } = this.device;
    const window = this;
    const timer = (every) => (work, wait = 0) => clock.after(wait, this.guarded(work), { every: every ? Math.max(1, wait) : 0, owner: this });
    return {
      chance: () => this.device.random(),
      clockNow: () => clock.now + this.device.skew,
      setTimeout: timer(false),
      setInterval: timer(true),
      clearTimeout: (number) => clock.cancel(number),
      clearInterval: (number) => clock.cancel(number),
      addEventListener: (...details) => this.listeners.addEventListener(...details),
      removeEventListener: (...details) => this.listeners.removeEventListener(...details),
      document: this.document,
      navigator: { locks: this.device.hasLocks ? this.lockManager() : undefined },
      localStorage: this.storage(this.device.local),
      sessionStorage: this.storage(this.session),
      indexedDB: this.device.memory.seenBy(this),
      fetch: (address, options) => this.device.network.fetch(address, options, this),
      crypto: globalThis.crypto,
      BroadcastChannel: class extends Channel {
        constructor(name) {
          super(name, window);
        }
      },
      AbortController, DOMException, Event, EventTarget, CustomEvent: globalThis.CustomEvent ?? Told, structuredClone, TextEncoder, console,
    };
  }

  storage(values) {
    const { memory } = this.device;
    return {
      getItem: (name) => values.get(name) ?? null,
      setItem: (name, value) => {
        if (memory.isFull) throw new DOMException("full", "QuotaExceededError");
        values.set(name, String(value));
      },
      removeItem: (name) => values.delete(name),
    };
  }

  lockManager() {
    const { locks } = this.device;
    return {
      request: async (name, _options, work) => {
        if (!this.isOpen) return new Promise(() => {});
        if (locks.has(name)) return work(null);
        locks.set(name, this);
        try {
          return await work({ name });
        } finally {
          if (locks.get(name) === this) locks.delete(name);
        }
      },
    };
  }
}

class Told extends Event {
  constructor(name, { detail }) {
    super(name);
    this.detail = detail;
  }
}

class Channel extends EventTarget {
  constructor(name, window) {
    super();
    this.name = name;
    this.window = window;
    window.channels.add(this);
  }

  postMessage(data) {
    const others = this.window.device.windows.filter((window) => window !== this.window).flatMap((window) => [...window.channels]);
    for (const other of others.filter((one) => one.name === this.name)) {
      soon(() => other.window.isOpen && other.dispatchEvent(Object.assign(new Event("message"), { data })));
    }
  }
}

export function seatsOf(winds = FOUR) {
  return FOUR.map((wind) => ({ wind, player: winds.includes(wind) ? `Player ${wind}` : null, points: 0, confirmed: false }));
}
