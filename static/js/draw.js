// Re-runs the random draws "four-winds/1" and "four-winds/2" in the visitor's own browser: from the seed, the numbers, and
// for the latter who was left over or at an incomplete table before.

const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
const TABLE_SIZE = 4;
const SMALLEST_TABLE = 3;
const RANGE = 1n << 64n;

// The round constants are the first 32 bits behind the point of the cube roots of the first 64 primes.
const CONSTANTS = cubeRootsOfPrimes(64);

function cubeRootsOfPrimes(count) {
  const roots = [];
  for (let candidate = 2n; roots.length < count; candidate += 1n) {
    if (isPrime(candidate)) roots.push(Number(cubeRoot(candidate << 96n) & 0xffffffffn));
  }
  return roots;
}

function isPrime(candidate) {
  for (let divisor = 2n; divisor * divisor <= candidate; divisor += 1n) {
    if (candidate % divisor === 0n) return false;
  }
  return true;
}

function cubeRoot(value) {
  let root = 0n;
  for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) {
    if ((root + bit) ** 3n <= value) root += bit;
  }
  return root;
}

function padded(bytes) {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const message = new Uint8Array(length);
  message.set(bytes);
  message[bytes.length] = 0x80;
  new DataView(message.buffer).setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  return new DataView(message.buffer);
}

const turned = (word, by) => (word >>> by) | (word << (32 - by));

function schedule(message, start) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = message.getUint32(start + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const near = words[i - 2];
    const far = words[i - 15];
    const nearMix = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    const farMix = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    words[i] = words[i - 16] + farMix + words[i - 7] + nearMix;
  }
  return words;
}

function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const sumE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + sumE + ((e & f) ^ (~e & g)) + CONSTANTS[i] + words[i]) | 0;
    const sumA = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) >>> 0);
}

// Own SHA-256: browsers keep theirs from pages that came by plain http, as pages in a hall often do.
export function sha256(bytes) {
  const message = padded(bytes);
  let state = INITIAL;
  for (let start = 0; start < message.byteLength; start += 64) {
    state = compress(state, schedule(message, start));
  }
  return state;
}

export function hexadecimal(words) {
  return words.map((word) => word.toString(16).padStart(8, "0")).join("");
}

export function commitment(secret) {
  return hexadecimal(sha256(new TextEncoder().encode(secret)));
}

function* stream(seed) {
  const text = new TextEncoder();
  for (let block = 0; ; block += 1) {
    const words = sha256(text.encode(`${seed}/${block}`));
    for (let i = 0; i < 8; i += 2) yield (BigInt(words[i]) << 32n) | BigInt(words[i + 1]);
  }
}

function below(numbers, limit) {
  const size = BigInt(limit);
  const fair = RANGE - (RANGE % size);
  for (;;) {
    const number = numbers.next().value;
    if (number < fair) return Number(number % size);
  }
}

function shuffled(seed, items) {
  const numbers = stream(seed);
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = below(numbers, last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

// Those who fill no table come last: of those who were short least often, the last of the shuffled order.
function shortestLast(order, remainder, short) {
  const times = new Map();
  for (const who of short) times.set(who, (times.get(who) ?? 0) + 1);
  const turn = (place) => times.get(order[place]) ?? 0;
  const places = [...order.keys()].sort((one, other) => turn(one) - turn(other) || other - one);
  const last = new Set(places.slice(0, remainder));
  const keep = (wanted) => order.filter((_, place) => last.has(place) === wanted);
  return [...keep(false), ...keep(true)];
}

// Gives {tables, off}: every table East, South, West, North; at a table of three North is missing.
// Systems with smaller tables deal in threes or twos.
export async function drawTables(seed, numbers, size = TABLE_SIZE, short = []) {
  const chance = shuffled(seed, [...numbers].sort((one, other) => one - other));
  const order = shortestLast(chance, chance.length % size, short);
  const tables = [];
  for (let start = 0; start < order.length; start += size) {
    tables.push(order.slice(start, start + size));
  }
  const last = tables.at(-1) ?? [];
  const off = tables.length && last.length < Math.min(size, SMALLEST_TABLE) ? tables.pop() : [];
  return { tables, off };
}
