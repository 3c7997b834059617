// Talking to the server. Only its own JSON counts as an answer: a portal's page, half an answer or silence does not.

const PATIENCE = 12_000;
// However long a server asks to be left alone, it is asked again after this.
const LONGEST_REST = 30_000;

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

  get(path, options) {
    return this.send("GET", path, undefined, options);
  }

  post(path, body, options) {
    return this.send("POST", path, body, options);
  }

  async send(method, path, body, { key = "", signal = null, patience = PATIENCE } = {}) {
    const { response, answer } = await this.reach(method, path, body, key, signal, patience);
    if (response.ok) return answer;
    if (response.status >= 500 || (response.status === 429 && answer.code !== "too_many_tries")) {
      throw new Unreachable("busy", rest(response.headers.get("Retry-After")));
    }
    throw new Refused(response.status, answer);
  }

  // Patience ends only with the last byte of the answer: one that breaks off in its middle may never end by itself.
  async reach(method, path, body, key, signal, patience) {
    const control = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      control.abort();
    }, patience);
    const give = () => control.abort();
    signal?.addEventListener("abort", give);
    if (signal?.aborted) give();
    try {
      const response = await fetch(this.api + path, {
        method,
        headers: this.headers(method, key),
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store",
        redirect: "error",
        signal: control.signal,
      });
      return { response, answer: await understood(response) };
    } catch (error) {
      if (signal?.aborted) throw new DOMException("superseded", "AbortError");
      if (isLate) throw new Unreachable("slow");
      throw error instanceof Unreachable ? error : new Unreachable("offline");
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

function rest(seconds) {
  return Math.min(Number(seconds) * 1000 || 0, LONGEST_REST);
}

// A receipt is what makes a hand saved: the number and digest of its entry in the history.
export function isReceipt(receipt) {
  return Number.isInteger(receipt?.entry) && Number.isInteger(receipt?.version) && /^[0-9a-f]{64}$/.test(receipt?.digest ?? "");
}
