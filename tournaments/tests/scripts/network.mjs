// A server that keeps tables as the real one does, behind a network that fails wherever a test wants it to.

import { soon } from "./turns.mjs";

const DIGEST = "0123456789abcdef".repeat(4);
const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";

export class Network {
  constructor() {
    this.tables = new Map();
    this.receipts = new Map();
    this.requests = [];
    // Asked for every request, before it arrives and after it was answered; `pass` lets it through.
    this.fault = () => "pass";
    // Asked for every operation of a batch: a status with which it alone is answered, though nothing is wrong with it.
    this.trouble = () => null;
    // What becomes of the answers of a batch on their way.
    this.bent = (answers) => answers;
    this.refuses = () => null;
  }

  at(session, table) {
    const name = `${session}/${table}`;
    if (!this.tables.has(name)) this.tables.set(name, { session, table, version: 0, done: [] });
    return this.tables.get(name);
  }

  batches() {
    return this.requests.filter((request) => request.path === "batch/");
  }

  async fetch(address, { method, body, headers, signal }, window) {
    const path = address.replace(/^.*\/api\//, "");
    const request = { path, method, headers, body: body && JSON.parse(body), at: this.clock.now, window };
    this.requests.push(request);
    const fault = this.fault(request, this.requests.length);
    return new Promise((resolve, reject) => {
      const give = () => reject(new DOMException("aborted", "AbortError"));
      if (signal.aborted) return give();
      signal.addEventListener("abort", give);
      soon(() => this.travel(fault, request, resolve, reject, signal));
    });
  }

  travel(fault, request, resolve, reject, signal) {
    if (!request.window.isOpen) return;
    switch (fault) {
      case "pass":
        return resolve(this.handled(request));
      case "request lost":
        return reject(new TypeError("Failed to fetch"));
      case "answer lost":
        this.handled(request);
        return reject(new TypeError("Failed to fetch"));
      case "request never answered":
        return undefined;
      case "answer never comes":
        this.handled(request);
        return undefined;
      case "half an answer":
        this.handled(request);
        return resolve(broken(JSON_TYPE));
      case "half an answer that never ends":
        this.handled(request);
        return resolve(endless(signal));
      case "portal":
        return resolve(answered(200, "text/html", null));
      case "portal that speaks JSON":
        return resolve(answered(200, JSON_TYPE, { login: "please" }));
      case "gateway's page":
        return resolve(answered(502, "text/html", null));
      case "answered by a gateway's page":
        this.handled(request);
        return resolve(answered(504, "text/html", null));
      default:
        return resolve(answered(fault.status, PROBLEM_TYPE, { title: "No", code: "busy", ...fault.problem }, fault.headers));
    }
  }

  handled({ path, body, headers }) {
    const refusal = this.refuses(path, body, headers);
    if (refusal) return answered(refusal.status, PROBLEM_TYPE, { title: "Refused", code: "refused", ...refusal.problem }, refusal.headers);
    if (path === "self/") return answered(200, JSON_TYPE, { csrf: "token", may: ["record_hands"] });
    if (path === "batch/") return answered(200, JSON_TYPE, { answers: plain(this.bent(this.batch(body))) });
    return answered(200, JSON_TYPE, this.other?.(path, body) ?? {});
  }

  batch({ operations }) {
    const held = new Set();
    const answers = operations.map((operation) => {
      const place = `${operation.session}/${operation.table}`;
      if (held.has(place)) return { key: operation.key, status: 424, problem: { code: "not_tried", title: "Not tried" } };
      const answer = { key: operation.key, ...(this.trouble(operation) ?? this.perform(operation)) };
      if (answer.status !== 200) held.add(place);
      return answer;
    });
    return this.brief(operations, answers);
  }

  // Of hands in a row only the last one tells how the table stands.
  brief(operations, answers) {
    return answers.map((answer, place) => {
      const next = operations[place + 1];
      const own = operations[place];
      const isStep = next && own.operation === "hands" && next.operation === "hands" && next.table === own.table && next.session === own.session && answers[place + 1].status === 200;
      if (answer.status !== 200 || !isStep) return answer;
      const { state, ...step } = answer;
      return step;
    });
  }

  perform({ key, session, table, operation, body }) {
    const at = this.at(session, table);
    if (this.receipts.has(key)) return { status: 200, receipt: this.receipts.get(key), state: this.state(at) };
    const told = JSON.parse(body);
    // A hand that somebody else recorded in this one's place with the same facts is one hand.
    const there = at.done[told.seen];
    if (operation === "hands" && there?.operation === "hands" && JSON.stringify(there.facts) === JSON.stringify(told.facts)) {
      this.receipts.set(key, { entry: told.seen + 1, version: told.seen + 1, digest: DIGEST });
      return { status: 200, receipt: this.receipts.get(key), state: this.state(at) };
    }
    if (told.seen !== at.version) return { status: 409, problem: { code: "sequence", title: "Changed", current: { ...this.state(at), ...this.since(at, told.seen) } } };
    at.version += 1;
    at.done.push({ key, operation, ...told });
    this.receipts.set(key, { entry: this.receipts.size + 1, version: at.version, digest: DIGEST });
    return { status: 200, receipt: this.receipts.get(key), state: this.state(at) };
  }

  // What a writer has not seen, where a test asks for it.
  since(at, seen) {
    if (!this.tellsSince) return {};
    const number = (place) => at.done.slice(0, place + 1).filter((one) => one.operation === "hands").length;
    const rows = at.done.map((one, place) => ({ number: place + 1, kind: "hand_recorded", at: new Date(this.clock.now).toISOString(), data: { number: number(place), facts: one.facts } }));
    return { since: rows.slice(seen) };
  }

  state(at) {
    return { session: at.session, table: at.table, version: at.version };
  }
}

function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

function answered(status, type, body, headers = {}) {
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => ({ "Content-Type": `${type}; charset=utf-8`, ...headers })[name] ?? null },
    json: async () => {
      if (body === null) throw new SyntaxError("Unexpected token <");
      return plain(body);
    },
  };
}

function broken(type) {
  return { ...answered(200, type, null) };
}

function endless(signal) {
  return { ...answered(200, JSON_TYPE, {}), json: () => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")))) };
}
