// Measures a plan with nothing but the plan itself, so that nobody need believe what is said of it.

const seated = (tables) => tables.flat().filter((who) => who !== null);

function counted(items) {
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

const pairsOf = (times) => (times * (times - 1)) / 2;
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

function meetings(rounds) {
  return rounds.flatMap(({ tables }) =>
    tables.flatMap((table) => {
      const people = table.filter((who) => who !== null);
      return people.flatMap((one, place) =>
        people.slice(place + 1).map((other) => [String(one), String(other)].sort().join(" ")),
      );
    }),
  );
}

function unevenWinds(rounds, size) {
  const winds = new Map();
  for (const { tables } of rounds) {
    for (const table of tables) {
      table.forEach((who, wind) => {
        if (who === null) return;
        const had = winds.get(who) ?? Array(size).fill(0);
        had[wind] += 1;
        winds.set(who, had);
      });
    }
  }
  return [...winds.values()].filter((had) => Math.max(...had) - Math.min(...had) > 1).length;
}

function visits(rounds) {
  return rounds.flatMap(({ tables }) =>
    tables.flatMap((table, number) => table.filter((who) => who !== null).map((who) => `${who} ${number}`)),
  );
}

/** Says whether each round gives every player listed one place and nobody two. */
export function placesAreRight(rounds, people) {
  const wanted = [...people].map(String).sort().join(" ");
  return rounds.every(({ tables, off }) => [...seated(tables), ...off].map(String).sort().join(" ") === wanted);
}

/** Counts repeated meetings, players with uneven winds, and returns to a table number. */
export function measure(rounds, size) {
  return {
    repeats: sum([...counted(meetings(rounds)).values()].map(pairsOf)),
    winds: unevenWinds(rounds, size),
    table_repeats: sum([...counted(visits(rounds)).values()].map(pairsOf)),
  };
}
