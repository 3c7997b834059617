// Entries made on this device, sent in order, each gone only when the server's receipt for it is here.

import { alone, makeKey } from "./keys.js";
import { Refused, Unreachable, isReceipt } from "./server.js";
import * as store from "./store.js";

const SCHEMA = 1;
const MOST = 50;
const MOST_BYTES = 50_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 6_000;
// How soon to look again when another window is sending.
const ELSEWHERE = 1_500;

const OURS_TO_MEND = [400, 413, 415, 422];

// The body goes as text: it stays what it was byte by byte, and nests no deeper than on its own.
function asOperation({ key, session, table, operation, body }) {
  return { key, session, table, operation, body: JSON.stringify(body) };
}

export function stateName(slug, session, table) {
  return `state:${slug}:${session}:${table}`;
}

export class Outbox extends EventTarget {
  constructor(slug, server) {
    super();
    this.slug = slug;
    this.server = server;
    this.entries = [];
    this.connection = "unknown";
    this.wait = FIRST_WAIT;
    this.timer = 0;
    this.isBusy = false;
    this.hasMore = false;
    this.taking = new Set();
    this.channel = globalThis.BroadcastChannel ? new BroadcastChannel(`four-winds-outbox-${slug}`) : null;
    this.channel?.addEventListener("message", () => this.reload());
  }

  async start() {
    await this.reload();
    addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.flush());
    this.flush();
  }

  async reload() {
    this.entries = (await store.unsent()).filter((entry) => entry.slug === this.slug);
    this.tell();
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  async changed() {
    await this.reload();
    this.channel?.postMessage("changed");
  }

  at(session, table) {
    return this.entries.filter((entry) => entry.session === session && entry.table === table);
  }

  // How many are not on the server, those included that are just being written into the device's memory.
  get unsent() {
    const kept = new Set(this.entries.map((entry) => entry.key));
    return kept.size + [...this.taking].filter((key) => !kept.has(key)).length;
  }

  // What a person must decide before anything more of its table goes out.
  get stuck() {
    return this.entries.filter((entry) => entry.problem);
  }

  async add({ session, table, operation, body, shown = {} }) {
    const entry = {
      key: makeKey(),
      slug: this.slug,
      session,
      table,
      operation,
      body,
      shown,
      schema: SCHEMA,
      madeAt: Date.now(),
      attempts: 0,
      problem: null,
    };
    this.taking.add(entry.key);
    this.tell();
    try {
      await store.queue(entry);
      await this.changed();
    } finally {
      this.taking.delete(entry.key);
    }
    this.wait = FIRST_WAIT;
    this.flush();
    return entry;
  }

  async flush() {
    clearTimeout(this.timer);
    if (this.isBusy) {
      this.hasMore = true;
      return;
    }
    this.isBusy = true;
    try {
      do {
        this.hasMore = false;
        const hasRun = await alone(`outbox-${this.slug}`, (renew) => this.drain(renew));
        if (!hasRun) this.timer = setTimeout(() => this.flush(), ELSEWHERE);
      } while (this.hasMore);
    } finally {
      this.isBusy = false;
    }
  }

  async drain(renew) {
    try {
      for (;;) {
        await this.reload();
        const sendable = this.sendable();
        if (!sendable.length) break;
        renew();
        await this.prepared();
        await this.sent(sendable);
      }
      this.wait = FIRST_WAIT;
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
      this.failed(error);
    }
  }

  // In order; behind an entry that waits for a person nothing of its table is sent.
  sendable() {
    const held = new Set();
    const batch = [];
    let bytes = 0;
    for (const entry of this.entries) {
      const place = `${entry.session}/${entry.table}`;
      if (entry.problem) held.add(place);
      if (held.has(place)) continue;
      bytes += JSON.stringify(entry.body).length + 200;
      if (batch.length && (batch.length === MOST || bytes > MOST_BYTES)) break;
      batch.push(entry);
    }
    return batch;
  }

  // People with a cookie need the token of their session; it is asked for anew each time and never kept.
  async prepared() {
    if (!this.server.credential) this.server.token = (await this.server.get("self/")).csrf ?? "";
  }

  async sent(entries) {
    for (const entry of entries) entry.attempts += 1;
    await store.change(entries);
    let answers;
    try {
      ({ answers } = await this.server.post("batch/", { schema: SCHEMA, operations: entries.map(asOperation) }));
    } catch (error) {
      if (!(error instanceof Refused) || !OURS_TO_MEND.includes(error.status)) throw error;
      return this.refusedWhole(entries, error);
    }
    if (!Array.isArray(answers)) throw new Unreachable("broken");
    const byKey = new Map(answers.map((answer) => [answer.key, answer]));
    let settled = 0;
    for (const entry of entries) {
      const answer = byKey.get(entry.key);
      if (answer && (await this.taken(entry, answer))) settled += 1;
    }
    this.connection = "online";
    await this.changed();
    if (!settled) throw new Unreachable("broken");
  }

  // A request that cannot be read at all: one by one it turns out which entry is to blame, and that one is shown.
  async refusedWhole(entries, error) {
    this.connection = "online";
    if (entries.length > 1) {
      for (const entry of entries) {
        await this.sent([entry]);
        if (entry.problem) return;
      }
      return;
    }
    const [entry] = entries;
    entry.problem = { ...error.problem, status: error.status };
    await store.change(entries);
    await this.changed();
    this.dispatchEvent(new CustomEvent("refused", { detail: { entry } }));
  }

  // Whether the answer settles the entry: with a receipt it leaves, with a refusal it waits for a person.
  async taken(entry, answer) {
    if (answer.status === 200 && isReceipt(answer.receipt)) {
      const name = stateName(this.slug, entry.session, entry.table);
      await store.delivered(entry.id, answer.state ? name : "", answer.state);
      this.dispatchEvent(new CustomEvent("delivered", { detail: { entry, answer } }));
      return true;
    }
    if (answer.status === 424) return true;
    if (answer.status >= 500 || answer.status === 429 || answer.status === 401 || !answer.problem) return false;
    entry.problem = { ...answer.problem, status: answer.status };
    await store.change([entry]);
    this.dispatchEvent(new CustomEvent("refused", { detail: { entry } }));
    return true;
  }

  failed(error) {
    if (error instanceof Refused) {
      this.connection = "online";
      this.dispatchEvent(new CustomEvent("rejected", { detail: error }));
    } else this.connection = error.why === "busy" ? "busy" : "offline";
    this.tell();
    if (!this.entries.length || error.status === 401) return;
    const wait = Math.max(error.wait ?? 0, this.wait) * (0.75 + Math.random() / 2);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    this.timer = setTimeout(() => this.flush(), wait);
  }

  // Decisions of a person

  // Sends an entry anew, as a new intent on top of what the server has now; those behind it follow.
  async again(entry, version, body = {}) {
    const later = this.at(entry.session, entry.table).filter((other) => other.id >= entry.id);
    const changed = later.map((other, place) => ({
      ...other,
      key: makeKey(),
      attempts: 0,
      problem: null,
      body: { ...other.body, ...(other.id === entry.id ? body : {}), seen: version + place },
    }));
    await store.change(changed);
    await this.changed();
    this.flush();
  }

  async drop(entry, version, why) {
    await store.setAside(entry, why);
    await this.reload();
    const later = this.at(entry.session, entry.table).filter((other) => other.id > entry.id);
    const changed = later.map((other, place) => ({
      ...other,
      key: makeKey(),
      attempts: 0,
      problem: null,
      body: { ...other.body, seen: version + place },
    }));
    await store.change(changed);
    await this.changed();
    this.flush();
  }
}
