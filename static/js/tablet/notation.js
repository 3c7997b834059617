// A hand as people write, paste or say it: `234m 55p 678s EEE`, `2–3–4 man`, “pung of east”, «пять шесть семь точек».
// What the engine's own notation says is read as the engine reads it; whatever is not understood is named and never guessed.

const SUIT_WORDS = {
  m: /^(m|м|man|wan|crack|crak|character|символ|знак|ман|ван)(s|zu|а|у|ов|ы|ами)?$/,
  p: /^(p|п|pin|dot|circle|ball|точ|точк|точек|пин|кру[гж]|дот)(s|zu|а|и|у|ок|ов|ы|ек|ами)?$/,
  s: /^(s|с|sou|soz|bam|bamboo|bambo|stick|бамбук|бам|соу|со)(s|zu|u|а|у|ов|и|ами)?$/,
};
const HONOR_WORDS = {
  E: /^(e|east|вост(ок|ока|оки|очный|очных))$/,
  S: /^(south|юг|юга|южный|южных)$/,
  W: /^(w|west|запад|запада|западный|западных)$/,
  N: /^(n|north|север|севера|северный|северных)$/,
  R: /^(r|red|chun|красн(ый|ого|ых)|тюн)$/,
  G: /^(g|green|hatsu|зел[её]н(ый|ого|ых)|хацу)$/,
  Wh: /^(wh|white|haku|бел(ый|ого|ых)|хаку)$/,
  J: /^(j|joker|jokers|джокер|джокера|джокеры)$/,
};
const NUMBERS = [
  /^(one|один|одна|одного|единица)$/,
  /^(two|два|две|двойка)$/,
  /^(three|три|тройка)$/,
  /^(four|четыре|четв[её]рка)$/,
  /^(five|пять|пят[её]рка)$/,
  /^(six|шесть|шест[её]рка)$/,
  /^(seven|семь|сем[её]рка)$/,
  /^(eight|восемь|восьм[её]рка)$/,
  /^(nine|девять|девятка)$/,
];
const SETS = {
  chow: /^(chow|chii?|чоу|чи)$/,
  pung: /^(pung|pon|панг|пунг|пон)$/,
  kong: /^(kong|kan|конг|кан)$/,
  pair: /^(pair|пара|пару)$/,
};
const CLOSED = /^(concealed|closed|hidden|закрыт(ый|ого|ая)|скрыт(ый|ого))$/;
const EMPTY = /^(of|and|the|wind|winds|dragon|dragons|open|tile|tiles|и|из|на|ветер|ветра|ветров|дракон|дракона|драконов|открыт(ый|ого))$/;
const LATER = /^(added|delayed)$/;

const HONORS_BY_DIGIT = ["J", "E", "S", "W", "N", "Wh", "G", "R"];
const CYRILLIC_WINDS = { В: "E", Ю: "S", З: "W", С: "N" };
const PICTURES = ["E", "S", "W", "N", "R", "G", "Wh", ..."msp".split("").flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => suit + rank))];
const FIRST_PICTURE = 0x1f000;

// In this order: digits with their letter, names of single tiles, a run of digits, brackets, a drawn tile, a word.
const TOKEN = /(\d+)([mpszMPSZ])(?![a-z])|((?:Wh|[mps][1-9]|[ESWNRGJ])+)(?![A-Za-zА-ЯЁа-яё])|([ВЮЗС]+)(?![А-ЯЁа-яё])|(\d+)|([()[\]])|([\u{1f000}-\u{1f021}])|([A-Za-zА-ЯЁа-яё]+)/gu;
const NAMES = /Wh|[mps][1-9]|[ESWNRGJ]/g;

const spelled = (table, word) => Object.keys(table).find((code) => table[code].test(word));

class Reader {
  constructor() {
    Object.assign(this, { tiles: [], melds: [], unknown: [], numbers: [], set: "", isClosed: false, bracket: null, laid: [] });
  }

  // Numbers wait for their suit; a set that was named waits for its tiles.
  lay(codes) {
    const sides = { chow: 3, pung: 3, kong: 4, pair: 2 }[this.set];
    if (this.set && this.set !== "chow" && codes.length === 1) codes = Array(sides).fill(codes[0]);
    if (!this.set || this.set === "pair") (this.bracket ? this.laid : this.tiles).push(...codes);
    else this.declare(codes, !this.isClosed, this.set);
    Object.assign(this, { set: "", isClosed: false });
  }

  declare(codes, isOpen, kind = "", kong = "") {
    const type = codes.length === 4 ? "kong" : new Set(codes.filter((code) => code !== "J")).size > 1 ? "chow" : "pung";
    if (codes.length < 3 || codes.length > 4 || (kind && kind !== type)) return this.unknown.push([kind, ...codes].filter(Boolean).join(" "));
    this.melds.push({ type, tiles: codes, open: isOpen, ...(type === "kong" && kong ? { kong } : {}) });
  }

  suited(suit) {
    if (!this.numbers.length) return false;
    const codes = this.numbers.map((digit) => suit + digit);
    this.numbers = [];
    this.lay(codes);
    return true;
  }

  // “Three east” is three of them.
  honor(code) {
    const [times = 1, ...more] = this.numbers;
    if (more.length || times > 4) this.drop();
    this.numbers = [];
    this.lay(Array(more.length || times > 4 ? 1 : times).fill(code));
  }

  drop() {
    if (this.numbers.length) this.unknown.push(this.numbers.join(" "));
    this.numbers = [];
  }

  digits(text) {
    for (const digit of text) {
      if (digit === "0") this.unknown.push(text);
      else this.numbers.push(Number(digit));
    }
  }

  compact(digits, letter) {
    this.drop();
    const codes = [...digits].map((digit) => (letter === "z" ? HONORS_BY_DIGIT[digit] : digit === "0" ? undefined : letter + digit));
    if (codes.includes(undefined)) this.unknown.push(digits + letter);
    else this.lay(codes);
  }

  // Brackets hold one declared set each.
  fence(sign) {
    this.drop();
    if (sign === "(" || sign === "[") {
      Object.assign(this, { bracket: sign, laid: [], kong: "" });
      return;
    }
    if (this.bracket) this.declare(this.laid, this.bracket === "(", "", this.kong);
    else this.unknown.push(sign);
    this.bracket = null;
  }

  word(text) {
    const word = text.toLowerCase();
    const suit = this.numbers.length ? spelled(SUIT_WORDS, word) : undefined;
    const honor = word === "s" ? "S" : spelled(HONOR_WORDS, word);
    const rank = NUMBERS.findIndex((one) => one.test(word));
    const set = spelled(SETS, word);
    if (suit) this.suited(suit);
    else if (honor) this.honor(honor);
    else if (rank >= 0) this.numbers.push(rank + 1);
    else if (set) Object.assign(this, { set });
    else if (CLOSED.test(word)) this.isClosed = true;
    else if (LATER.test(word) && this.bracket) this.kong = word;
    else if (!EMPTY.test(word)) this.unknown.push(text);
  }

  read(text) {
    for (const [, digits, letter, names, winds, run, bracket, picture, word] of text.matchAll(TOKEN)) {
      if (digits) this.compact(digits, letter.toLowerCase());
      else if (names && !this.isSuit(names)) this.named(names.match(NAMES));
      else if (winds && !this.isSuit(winds)) this.named([...winds].map((one) => CYRILLIC_WINDS[one]));
      else if (run) this.digits(run);
      else if (bracket) this.fence(bracket);
      else if (picture) this.named([PICTURES[picture.codePointAt(0) - FIRST_PICTURE]]);
      else this.word(names ?? winds ?? word);
    }
    this.drop();
    if (this.bracket) this.fence(")");
    return { tiles: this.tiles, melds: this.melds, unknown: this.unknown };
  }

  // Behind numbers the letter of the south wind, in Russian of the north wind, is that of the bamboos.
  isSuit(text) {
    return this.numbers.length > 0 && (text === "S" || text === "С");
  }

  named(codes) {
    if (codes.length === 1 && !/\d/.test(codes[0])) return this.honor(codes[0]);
    this.drop();
    this.lay(codes);
  }
}

/** Read a hand: its tiles in the order told, its declared sets, and the words that were not understood. */
export function readHand(text) {
  return new Reader().read(text.normalize("NFC"));
}

/** Write a hand so that the engine's own parser reads it. */
export function writeHand({ tiles, melds }) {
  const set = (meld) => (meld.open ? `(${meld.tiles.join("")}${["added", "delayed"].includes(meld.kong) ? ` ${meld.kong}` : ""})` : `[${meld.tiles.join("")}]`);
  return [...melds.map(set), tiles.join("")].filter(Boolean).join(" ");
}
