// Entries made on this device, sent in order, each gone only when the server's receipt for it is here.

import { alone, makeKey } from "./keys.js";
import { Refused, Unreachable, isReceipt } from "./server.js";
import * as store from "./store.js";

const SCHEMA = 1;
const MOST = 50;
const MOST_BYTES = 50_000;
// Within ten seconds of the network's return everything is sent: neither a rest nor a silent request may last longer.
const FIRST_WAIT = 500;
const LONGEST_WAIT = 4_000;
const PATIENCE = 5_000;
const LONGEST_PATIENCE = 8_000;
// No hold lasts longer; a time further away comes from a clock that was wrong.
const LONGEST_HOLD = 10_000;
// How soon to look again when another window is sending.
const ELSEWHERE = 1_500;

const OURS_TO_MEND = [400, 413, 415, 422];
const NOT_YET = [401, 424, 429];

// The body goes as text: it stays what it was byte by byte, and nests no deeper than on its own.
function asOperation({ key, session, table, operation, body }) {
  return { key, session, table, operation, body: JSON.stringify(body) };
}

function isDelivered(answer) {
  return answer.status === 200 && isReceipt(answer.receipt);
}

// Only a refusal of this very entry waits for a person. A server's fault, a busy server, an entry that was not tried, or an answer
// that makes no sense is none: the entry stays, and is sent again after a rest.
function isRefusal({ status, problem }) {
  return status >= 400 && status < 500 && !NOT_YET.includes(status) && Boolean(problem) && problem.code !== "in_progress";
}

// A receipt of one of several hands in a row: how the table stands is told with the last of them.
function isStepBefore(answer) {
  return isDelivered(answer) && !answer.state;
}

// Entries as new intents, each on top of the one before it; what a person was asked about stays a question.
// What does not count on what was seen, such as a penalty, goes out as it was made.
function onTop(entries, version) {
  const body = (entry, place) => ("seen" in entry.body ? { ...entry.body, seen: version + place } : entry.body);
  return entries.map((entry, place) => ({ ...entry, key: makeKey(), attempts: 0, body: body(entry, place) }));
}

// Hands were entered elsewhere that nobody here had seen: each hand behind may be one of them, heard otherwise even, so a person is asked.
function doubted(entries, { problem }) {
  const hasUnseen = (problem?.current?.since ?? []).some((one) => one.kind === "hand_recorded");
  return entries.map((entry) => (hasUnseen && entry.operation === "hands" ? { ...entry, problem, isDoubted: true } : entry));
}

// An entry that is held back for a moment, so that a slip is taken back before anybody has heard of it.
export function isHeldBack(entry) {
  const left = (entry.holdUntil ?? 0) - Date.now();
  return left > 0 && left <= LONGEST_HOLD;
}

export function stateName(slug, session, table) {
  return `state:${slug}:${session}:${table}`;
}

export function draftName(slug, session, table) {
  return `draft:${slug}:${session}:${table}`;
}

export class Outbox extends EventTarget {
  constructor(slug, server) {
    super();
    this.slug = slug;
    this.server = server;
    this.entries = [];
    this.asides = [];
    this.recounted = null;
    this.connection = "unknown";
    this.wait = FIRST_WAIT;
    this.patience = PATIENCE;
    this.most = MOST;
    this.timer = 0;
    this.isBusy = false;
    this.hasMore = false;
    this.taking = new Set();
    this.channel = globalThis.BroadcastChannel ? new BroadcastChannel(`four-winds-outbox-${slug}`) : null;
    this.channel?.addEventListener("message", () => this.heard());
  }

  async start() {
    await this.reload();
    this.recounted = this.recount();
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    this.flush();
  }

  // Another window of this device has entered or sent something.
  async heard() {
    await this.reload();
    this.recounted = this.recount();
    this.dispatchEvent(new Event("elsewhere"));
  }

  // The network is back or the tablet awake: a request from before may hang for good, and is sent anew.
  hurry() {
    this.going?.abort();
    this.wait = FIRST_WAIT;
    this.flush();
  }

  async reload() {
    this.entries = (await store.unsent()).filter((entry) => entry.slug === this.slug);
    this.tell();
  }

  // What was set aside and is not decided yet.
  async recount() {
    this.asides = (await store.aside()).filter((entry) => entry.slug === this.slug && entry.isOpen);
    if (this.asides.length) this.tell();
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

  async add({ session, table, operation, body, shown = {}, draft = "", hold = 0 }) {
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
      holdUntil: hold ? Date.now() + hold : 0,
      attempts: 0,
      problem: null,
    };
    this.taking.add(entry.key);
    this.tell();
    try {
      await store.queue(entry, draft);
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
        const hasRun = await alone(`outbox-${this.slug}`, () => this.drain());
        if (!hasRun) this.timer = setTimeout(() => this.flush(), ELSEWHERE);
      } while (this.hasMore);
    } finally {
      this.isBusy = false;
    }
  }

  async drain() {
    try {
      for (;;) {
        await this.reload();
        const sendable = this.sendable();
        if (!sendable.length) {
          this.awaitHolds();
          break;
        }
        this.going = new AbortController();
        await this.prepared();
        await this.sent(sendable);
        this.wait = FIRST_WAIT;
      }
    } catch (error) {
      if (error instanceof Unreachable || error instanceof Refused) this.failed(error);
      else if (error.name === "AbortError") this.hasMore = true;
      else {
        this.later(LONGEST_WAIT);
        throw error;
      }
    }
  }

  // In order; behind an entry that waits for a person nothing of its table is sent.
  sendable() {
    const held = new Set();
    const batch = [];
    let bytes = 0;
    for (const entry of this.entries) {
      const place = `${entry.session}/${entry.table}`;
      if (entry.problem || isHeldBack(entry)) held.add(place);
      if (held.has(place)) continue;
      bytes += JSON.stringify(entry.body).length + 200;
      if (batch.length && (batch.length === this.most || bytes > MOST_BYTES)) break;
      batch.push(entry);
    }
    return batch;
  }

  // What is held back goes out when its moment is over.
  awaitHolds() {
    const ends = this.entries.filter(isHeldBack).map((entry) => entry.holdUntil);
    if (!ends.length) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), Math.max(0, Math.min(...ends) - Date.now()) + 20);
  }

  // Nothing is held back any longer: the page is about to be hidden.
  async release() {
    const waiting = this.entries.filter(isHeldBack);
    if (!waiting.length) return;
    await store.change(waiting.map((entry) => ({ ...entry, holdUntil: 0 })));
    await this.changed();
    this.flush();
  }

  // People with a cookie need the token of their session; it is asked for anew each time and never kept.
  async prepared() {
    if (!this.server.credential) this.server.token = (await this.server.get("self/", this.options)).csrf ?? "";
  }

  get options() {
    return { signal: this.going.signal, patience: this.patience };
  }

  async sent(queued) {
    const entries = await store.attempted(queued);
    if (!entries.length) return;
    let answers;
    try {
      ({ answers } = await this.server.post("batch/", { schema: SCHEMA, brief: true, operations: entries.map(asOperation) }, this.options));
    } catch (error) {
      if (!(error instanceof Refused) || !OURS_TO_MEND.includes(error.status)) throw error;
      return this.refusedWhole(entries, error);
    }
    this.patience = PATIENCE;
    this.most = Math.min(this.most * 2, MOST);
    if (!Array.isArray(answers)) throw new Unreachable("broken");
    const settled = await this.settle(entries, answers);
    this.connection = "online";
    await this.changed();
    if (!settled) throw new Unreachable("broken");
  }

  // Goes through the entries in order, and counts those that are settled. Behind one without an answer nothing of its table is settled:
  // what is entered next counts on what is queued before it.
  async settle(entries, answers) {
    const byKey = new Map(answers.map((answer) => [answer?.key, answer]));
    const held = new Set();
    let settled = 0;
    let ahead = [];
    for (const entry of entries) {
      const place = `${entry.session}/${entry.table}`;
      const answer = byKey.get(entry.key);
      if (held.has(place)) continue;
      if (answer && isStepBefore(answer)) ahead.push(entry);
      else {
        if (answer && (await this.taken(entry, answer, ahead))) settled += 1;
        else held.add(place);
        ahead = [];
      }
    }
    return settled;
  }

  // A request that cannot be read at all: one by one it turns out which entry is to blame, and that one is shown.
  async refusedWhole(entries, error) {
    this.connection = "online";
    if (entries.length > 1) {
      for (const entry of entries) {
        await this.sent([entry]);
        if (this.stuck.some((one) => one.id === entry.id)) return;
      }
      return;
    }
    await this.refused(entries[0], error);
  }

  // From here on the entry waits for a person, and those of its table behind it.
  async refused(entry, { problem, status }) {
    await store.change([{ ...entry, problem: { ...problem, status } }]);
    await this.changed();
    this.dispatchEvent(new CustomEvent("refused", { detail: { entry } }));
  }

  // Whether the answer settles the entry: with a receipt it leaves, with a refusal it waits for a person.
  // Those just ahead of it at its table have receipts too, and leave with it: what the table is like afterwards came with this one.
  async taken(entry, answer, ahead) {
    if (isDelivered(answer)) {
      const name = stateName(this.slug, entry.session, entry.table);
      const gone = [...ahead.filter((one) => one.session === entry.session && one.table === entry.table), entry];
      this.entries = this.entries.filter((one) => !gone.some((other) => other.key === one.key));
      this.dispatchEvent(new CustomEvent("delivered", { detail: { entry, answer } }));
      await store.delivered(gone.map((one) => one.id), answer.state ? name : "", answer.state);
      return true;
    }
    if (!isRefusal(answer)) return false;
    await this.refused(entry, answer);
    return true;
  }

  failed(error) {
    if (error instanceof Refused) {
      this.connection = "online";
      this.dispatchEvent(new CustomEvent("rejected", { detail: error }));
    } else this.connection = error.why === "busy" ? "busy" : "offline";
    this.tell();
    if (!this.entries.length || error.status === 401) return;
    if (error.why === "slow") return this.slowed();
    this.later(Math.max(error.wait ?? 0, this.wait));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  // Who has waited for an answer in vain need not rest as well: fewer entries are sent at once, and waited for longer.
  slowed() {
    if (this.most === 1) this.patience = LONGEST_PATIENCE;
    this.most = Math.ceil(this.most / 4);
    this.later(FIRST_WAIT);
  }

  later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), wait * (0.75 + Math.random() / 2));
  }

  // Decisions of a person

  // Whether the entry still waits for a decision: another window may have made it.
  isStuck(entry) {
    return this.stuck.some((one) => one.key === entry.key);
  }

  // Sends an entry anew, as a new intent on top of what the server has now; those behind it follow.
  async again(entry, version, body = {}, shown = {}) {
    const here = this.at(entry.session, entry.table);
    const before = here.filter((other) => other.id < entry.id && "seen" in other.body).at(-1);
    const [first, ...behind] = here.filter((other) => other.id >= entry.id);
    if (first?.key !== entry.key) return;
    const anew = { ...first, problem: null, isDoubted: false, body: { ...first.body, ...body }, shown: { ...first.shown, ...shown } };
    const [top, ...after] = onTop([anew, ...behind], before ? before.body.seen + 1 : version);
    await store.change([top, ...doubted(after, first)]);
    await this.changed();
    this.flush();
  }

  // Takes an entry out of the queue; says whether it was still here, and, if that is asked, had never been sent.
  // An open one goes on being told as not sent. Where it is one with what the server has, `version` is that entry's number:
  // those behind it were entered on top of that one, and what followed there is not passed over.
  async drop(entry, version, why, { isUntried = false, isOpen = false } = {}) {
    const here = this.at(entry.session, entry.table);
    const before = here.filter((other) => other.id < entry.id && "seen" in other.body).at(-1);
    const behind = here.filter((other) => other.id > entry.id);
    const changed = doubted(onTop(behind, before ? before.body.seen + 1 : version), why === "one" ? {} : entry);
    const isDropped = await store.setAside(entry, why, { changed, isUntried, isOpen });
    if (isOpen) await this.recount();
    await this.changed();
    this.flush();
    return isDropped;
  }

  // What was set aside is decided: it counts as not sent no more.
  async decideAside(entry, how) {
    await store.decideAside(entry, how);
    await this.recount();
    await this.changed();
  }
}
