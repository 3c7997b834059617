// What was entered tile by tile of late on this device at this table: sets to lay again, and the hand that was left.

import * as store from "./store.js";

const MELDS = 6;

const nameOf = (screen) => `lately:${screen.slug}:${screen.path}`;
const same = (one, other) => one.open === other.open && one.tiles.join() === other.tiles.join();

export async function lately(screen) {
  const kept = await store.read(nameOf(screen));
  return { melds: kept?.melds ?? [], hand: kept?.hand ?? null };
}

// The newest come first, each set once; a hand that was hardly begun is not worth offering.
export async function remember(screen, { melds, tiles }) {
  if (!melds.length && tiles.length < 3) return;
  const kept = await lately(screen);
  const others = kept.melds.filter((old) => !melds.some((one) => same(one, old)));
  const distinct = melds.filter((one, place) => melds.findIndex((other) => same(one, other)) === place);
  await store.keep(nameOf(screen), structuredClone({ melds: [...distinct, ...others].slice(0, MELDS), hand: { melds, tiles } }));
}
