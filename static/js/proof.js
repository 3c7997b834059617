// Anybody repeats the draw here and measures what it promises, with our own arithmetic and no help from the server.

import { commitment, drawTables } from "./draw.js";
import { measure, placesAreRight } from "./draw-check.js";

const RANDOM = ["four-winds/1", "four-winds/2"];
const button = document.querySelector("[data-check-draw]");
const result = document.querySelector("[data-check-result]");
const face = JSON.parse(document.getElementById("draw-face").textContent);

const padded = (table) => [...table, ...Array(Math.max(0, face.table_size - table.length)).fill(null)];

function filled({ tables, off }) {
  const waiting = [...face.substitutes];
  const full = tables.map((table) => padded(table).map((who) => who ?? waiting.shift() ?? null));
  if (off.length && off.length + waiting.length >= face.table_size) {
    return { tables: [...full, [...off, ...waiting.slice(0, face.table_size - off.length)]], off: [] };
  }
  return { tables: full, off };
}

function lockedIn({ tables, off }, locks) {
  const rows = [...tables.map((table) => [...table]), [...off]];
  const held = new Set();
  for (const [, who, table, seat] of locks) {
    const home = rows.findIndex((row) => row.includes(who));
    const there = table === null ? home : table - 1;
    if (home < 0 || there >= tables.length) continue;
    const here = rows[home].indexOf(who);
    const wanted = seat !== null ? [seat] : there === home ? [here] : rows[there].keys();
    const free = [...wanted].find((place) => !held.has(`${there} ${place}`));
    if (free === undefined) continue;
    [rows[home][here], rows[there][free]] = [rows[there][free], who];
    held.add(`${there} ${free}`);
  }
  return { tables: rows.slice(0, -1), off: rows.at(-1).filter((who) => who !== null) };
}

function changedByHand(round, session) {
  return face.edits
    .filter((edit) => edit.session === session)
    .reduce(({ tables, off }, { swap: [first, second] }) => {
      const other = new Map([
        [first, second],
        [second, first],
      ]);
      const moved = (who) => (other.has(who) ? other.get(who) : who);
      return { tables: tables.map((table) => table.map(moved)), off: off.map(moved) };
    }, round);
}

async function isRepeated() {
  const drawn = filled(await drawTables(face.seed, face.numbers, face.table_size, face.short));
  const locks = face.locks.filter((lock) => lock[0] === face.session);
  const { tables, off } = changedByHand(lockedIn(drawn, locks), face.session);
  const published = face.plan[String(face.session)];
  return JSON.stringify([tables, off]) === JSON.stringify([published.tables, published.off]);
}

function say(isGood, text) {
  const line = document.createElement("li");
  line.className = `verdict verdict-${isGood ? "good" : "bad"}`;
  const sign = document.createElement("span");
  sign.textContent = isGood ? "✓" : "✗";
  sign.setAttribute("aria-hidden", "true");
  const words = document.createElement("span");
  words.textContent = text;
  line.append(sign, words);
  result.append(line);
}

function sayFigures(rounds) {
  const found = measure(rounds, face.table_size);
  for (const [name, counted] of Object.entries(found)) {
    const stated = face.figures[name];
    if (stated === undefined) continue;
    const words = result.dataset[name].replace("%(counted)s", counted).replace("%(stated)s", stated);
    say(counted === stated, words);
  }
}

button?.addEventListener("click", async () => {
  const words = result.dataset;
  result.replaceChildren();
  if (face.secret) {
    const isKept = commitment(face.secret) === face.commitment && face.seed.startsWith(`${face.secret}:`);
    say(isKept, isKept ? words.kept : words.broken);
  }
  if (RANDOM.includes(face.method)) {
    const isSame = await isRepeated();
    say(isSame, isSame ? words.same : words.other);
  }
  const rounds = face.sessions.map((session) => face.plan[String(session)]);
  const everybody = [...rounds.at(-1).tables.flat().filter((who) => who !== null), ...rounds.at(-1).off];
  const isWhole = rounds.every(({ tables, off }) => {
    const people = [...tables.flat().filter((who) => who !== null), ...off];
    return placesAreRight([{ tables, off }], new Set(people)) && people.every((who) => everybody.includes(who));
  });
  say(isWhole, isWhole ? words.once : words.twice);
  sayFigures([...face.existing, ...rounds]);
});
