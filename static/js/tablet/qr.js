// QR codes made on the device, for when there is nothing else: bytes at the lowest correction level, versions 1 to 40.

const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, ...Array(14).fill(30)];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25];
const LEVEL = 1;
const MASK = 0;

// The field of 256 elements in which the correction is worked out.
const POWERS = [1];
for (let index = 1; index < 255; index += 1) {
  const doubled = POWERS[index - 1] * 2;
  POWERS.push(doubled > 255 ? doubled ^ 0x11d : doubled);
}
const LOGS = Object.fromEntries(POWERS.map((value, power) => [value, power]));
const product = (one, other) => (one && other ? POWERS[(LOGS[one] + LOGS[other]) % 255] : 0);

function modulesOf(version) {
  const alignments = version > 1 ? Math.floor(version / 7) + 2 : 0;
  let modules = (16 * version + 128) * version + 64;
  if (alignments) modules -= (25 * alignments - 10) * alignments - 55;
  return version > 6 ? modules - 36 : modules;
}

function capacity(version) {
  return Math.floor(modulesOf(version) / 8) - CORRECTION[version - 1] * BLOCKS[version - 1];
}

function versionFor(length) {
  for (let version = 1; version <= 40; version += 1) {
    const header = version < 10 ? 2 : 3;
    if (length + header <= capacity(version)) return version;
  }
  return null;
}

function dataOf(bytes, version) {
  const bits = [];
  const put = (value, width) => {
    for (let place = width - 1; place >= 0; place -= 1) bits.push((value >> place) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  const room = capacity(version) * 8;
  put(0, Math.min(4, room - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let filler = 0xec; bits.length < room; filler ^= 0xec ^ 0x11) put(filler, 8);
  return Array.from({ length: bits.length / 8 }, (_unused, index) => parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2));
}

function generator(degree) {
  let result = [1];
  for (let power = 0; power < degree; power += 1) {
    const next = [...result, 0];
    result.forEach((value, place) => (next[place + 1] ^= product(value, POWERS[power])));
    result = next;
  }
  return result.slice(1);
}

function remainder(data, divisor) {
  const result = Array(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ result.shift();
    result.push(0);
    divisor.forEach((value, place) => (result[place] ^= product(value, factor)));
  }
  return result;
}

// Data and correction, woven together block by block.
function woven(data, version) {
  const count = BLOCKS[version - 1];
  const correction = CORRECTION[version - 1];
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  const divisor = generator(correction);
  const blocks = [];
  let at = 0;
  for (let block = 0; block < count; block += 1) {
    const length = short + (block >= count - longer ? 1 : 0);
    const own = data.slice(at, at + length);
    at += length;
    blocks.push({ own, check: remainder(own, divisor) });
  }
  const result = [];
  for (let place = 0; place <= short; place += 1) for (const { own } of blocks) if (place < own.length) result.push(own[place]);
  for (let place = 0; place < correction; place += 1) for (const { check } of blocks) result.push(check[place]);
  return result;
}

function alignmentsOf(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const found = [6];
  for (let position = version * 4 + 10; found.length < count; position -= step) found.splice(1, 0, position);
  return found;
}

class Matrix {
  constructor(version) {
    this.version = version;
    this.size = version * 4 + 17;
    this.dark = Array.from({ length: this.size }, () => Array(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => Array(this.size).fill(false));
  }

  fix(row, column, isDark) {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return;
    this.dark[row][column] = isDark;
    this.fixed[row][column] = true;
  }

  patterns() {
    for (let place = 0; place < this.size; place += 1) {
      this.fix(6, place, place % 2 === 0);
      this.fix(place, 6, place % 2 === 0);
    }
    for (const [row, column] of [[3, 3], [3, this.size - 4], [this.size - 4, 3]]) this.square(row, column, 4, (ring) => ring !== 2 && ring !== 4);
    const places = alignmentsOf(this.version);
    const last = places.length - 1;
    places.forEach((row, one) =>
      places.forEach((column, other) => {
        const isCorner = (one === 0 && other === 0) || (one === 0 && other === last) || (one === last && other === 0);
        if (!isCorner) this.square(row, column, 2, (ring) => ring !== 1);
      }),
    );
    this.format();
    this.versions();
  }

  square(row, column, reach, isDark) {
    for (let down = -reach; down <= reach; down += 1) {
      for (let right = -reach; right <= reach; right += 1) this.fix(row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))));
    }
  }

  format() {
    const data = (LEVEL << 3) | MASK;
    let rest = data;
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (place) => ((bits >> place) & 1) === 1;
    for (let place = 0; place <= 5; place += 1) this.fix(place, 8, bit(place));
    this.fix(7, 8, bit(6));
    this.fix(8, 8, bit(7));
    this.fix(8, 7, bit(8));
    for (let place = 9; place < 15; place += 1) this.fix(8, 14 - place, bit(place));
    for (let place = 0; place < 8; place += 1) this.fix(8, this.size - 1 - place, bit(place));
    for (let place = 8; place < 15; place += 1) this.fix(this.size - 15 + place, 8, bit(place));
    this.fix(this.size - 8, 8, true);
  }

  versions() {
    if (this.version < 7) return;
    let rest = this.version;
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (this.version << 12) | rest;
    for (let place = 0; place < 18; place += 1) {
      const isDark = ((bits >> place) & 1) === 1;
      const far = this.size - 11 + (place % 3);
      const near = Math.floor(place / 3);
      this.fix(near, far, isDark);
      this.fix(far, near, isDark);
    }
  }

  // Two columns at a time, up and down, around the column of the timing pattern; the mask turns every other module.
  fill(codewords) {
    let at = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step += 1) {
        const isUpward = ((right + 1) & 2) === 0;
        const row = isUpward ? this.size - 1 - step : step;
        for (const column of [right, right - 1]) {
          if (this.fixed[row][column]) continue;
          const bit = at < codewords.length * 8 && (codewords[at >> 3] >> (7 - (at & 7))) & 1;
          this.dark[row][column] = Boolean(bit) !== ((row + column) % 2 === 0);
          at += 1;
        }
      }
    }
  }
}

// The modules of a text, row by row; null when it is too long for one code.
export function qrOf(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  if (!version) return null;
  const matrix = new Matrix(version);
  matrix.patterns();
  matrix.fill(woven(dataOf(bytes, version), version));
  return matrix.dark;
}

export function qrPath(modules) {
  return modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
}
