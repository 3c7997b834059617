// Talking to the server. Only its own JSON counts as an answer: a portal's page, half an answer or silence does not.

const PATIENCE = 12_000;

export class Unreachable extends Error {
  constructor(why, wait = 0) {
    super(why);
    this.why = why;
    this.wait = wait;
  }
}

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.title);
    this.status = status;
    this.problem = problem;
    this.code = problem.code;
  }
}

export class Server {
  constructor(api, credential = "") {
    this.api = api;
    this.credential = credential;
    this.token = "";
  }

  get(path) {
    return this.send("GET", path);
  }

  post(path, body, options) {
    return this.send("POST", path, body, options);
  }

  async send(method, path, body, { key = "", signal = null, patience = PATIENCE } = {}) {
    const response = await this.reach(method, path, body, key, signal, patience);
    const answer = await understood(response);
    if (response.ok) return answer;
    if (response.status >= 500 || (response.status === 429 && answer.code !== "too_many_tries")) {
      throw new Unreachable("busy", Number(response.headers.get("Retry-After") ?? 0) * 1000);
    }
    throw new Refused(response.status, answer);
  }

  async reach(method, path, body, key, signal, patience) {
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), patience);
    const give = () => control.abort();
    signal?.addEventListener("abort", give);
    try {
      return await fetch(this.api + path, {
        method,
        headers: this.headers(method, key),
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store",
        redirect: "error",
        signal: control.signal,
      });
    } catch (error) {
      if (signal?.aborted) throw new DOMException("superseded", "AbortError");
      throw new Unreachable("offline");
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", give);
    }
  }

  headers(method, key) {
    const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang };
    if (this.credential) headers.Authorization = `Device ${this.credential}`;
    if (method === "POST") headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    if (this.token && !this.credential) headers["X-CSRFToken"] = this.token;
    return headers;
  }
}

async function understood(response) {
  const kind = (response.headers.get("Content-Type") ?? "").split(";")[0];
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Unreachable(kind.endsWith("json") ? "broken" : "portal");
  }
  const isOurs = response.ok ? kind === "application/json" : kind === "application/problem+json" && answer.code;
  if (!isOurs) throw new Unreachable("portal");
  return answer;
}

// A receipt is what makes a hand saved: the number and digest of its entry in the history.
export function isReceipt(receipt) {
  return Number.isInteger(receipt?.entry) && Number.isInteger(receipt?.version) && /^[0-9a-f]{64}$/.test(receipt?.digest ?? "");
}
