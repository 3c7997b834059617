// What a press would give: the step of a ladder with its price, and what that does to the places of a table. Pure functions.

const TAKES_POINTS = "game_points";

// A press that waits to be sent counts like one that was given: the next offence of its ladder is one step further.
function takesStep(press, ladder) {
  return ladder.offences.includes(press.offence) && press.effect !== "warning" && !press.to;
}

function roundOf(hand, size) {
  return Math.floor(((hand || 1) - 1) / size);
}

export function countedOn(ladder, index, seat, { hand, size, waiting }) {
  const queued = waiting.filter((press) => press.player === seat.player && takesStep(press, ladder)).map((press) => press.hand ?? 0);
  const hands = [...(seat.steps[index] ?? []), ...queued];
  return ladder.scope === "round" ? hands.filter((one) => roundOf(one, size) === roundOf(hand, size)).length : hands.length;
}

// The step that is the count-th on its ladder: where the step reached is the total, only the difference is taken.
export function stepOf(ladder, count) {
  const last = ladder.steps.length;
  const number = Math.min(count, last);
  const together = ladder.steps[number - 1];
  const before = ladder.mode === "total" && count > 1 ? ladder.steps[Math.min(count - 1, last) - 1] : 0;
  return { number, steps: last, cost: together - before };
}

export function nextStep(session, table, seat, offence, hand, waiting) {
  if (offence.ladder === null) return null;
  const ladder = session.ladders[offence.ladder];
  return stepOf(ladder, countedOn(ladder, offence.ladder, seat, { hand, size: table.seats.length, waiting }) + 1);
}

// The points by which a table is ranked, with what waits to be sent already taken.
function ranked(session, table, waiting) {
  const taken = (seat) => waiting.filter((press) => press.player === seat.player).reduce((sum, press) => sum + (press.cost ?? 0), 0);
  return table.seats.map((seat) => seat.ranked - (session.timing === "before" ? taken(seat) : 0));
}

function placeAmong(points, at) {
  const above = points.filter((one) => one > points[at]).length;
  const equal = points.filter((one) => one === points[at]).length;
  return equal > 1 ? `${above + 1}–${above + equal}` : String(above + 1);
}

export function placesWith(session, table, seat, cost, waiting = []) {
  const at = table.seats.indexOf(seat);
  const now = ranked(session, table, waiting);
  const then = now.map((points, index) => (index === at && session.timing === "before" ? points - cost : points));
  return { now: placeAmong(now, at), then: placeAmong(then, at) };
}

// The four of a table with points and place, now and after so much was taken from one of them. [RULES 8.51]
export function fourWith(session, table, seat, cost, waiting = []) {
  const now = ranked(session, table, waiting);
  const isRankedBy = session.timing === "before";
  const then = now.map((points, index) => (isRankedBy && table.seats[index] === seat ? points - cost : points));
  const taken = (one) => waiting.filter((press) => press.player === one.player).reduce((sum, press) => sum + (press.cost ?? 0), 0);
  return table.seats.map((one, index) => {
    const points = one.points - taken(one);
    return {
      seat: one,
      points: { now: points, then: one === seat ? points - cost : points },
      place: { now: placeAmong(now, index), then: placeAmong(then, index) },
    };
  });
}

// Every price in points that a tap or a long press can take from a player.
export function pricesOf(session, table, seat, offences, hand, { isChief, waiting }) {
  const found = new Set();
  for (const offence of offences) {
    const tap = tapOf(session, table, seat, offence, hand, waiting);
    for (const one of [tap, ...harsher(session, table, seat, offence, hand, { isChief, waiting })]) {
      if (one?.effect === TAKES_POINTS && one.cost) found.add(one.cost);
    }
  }
  return [...found].sort((one, other) => one - other);
}

// What one tap gives; none where the referee has to choose.
export function tapOf(session, table, seat, offence, hand, waiting) {
  if (offence.mode === "in_hand") return { effect: "warning", cost: 0 };
  if (offence.tap === "ladder") {
    const step = nextStep(session, table, seat, offence, hand, waiting);
    return { effect: TAKES_POINTS, step: step.number, steps: step.steps, cost: step.cost };
  }
  if (offence.tap === "fixed") return { effect: TAKES_POINTS, cost: offence.price };
  if (offence.tap === "dead_hand") return { effect: "dead_hand", cost: 0 };
  if (offence.tap === "warning") return { effect: "warning", cost: 0 };
  return null;
}

// What a long press offers beside the tap: a harsher price, a dead hand, a warning, or to be sent away.
export function harsher(session, table, seat, offence, hand, { isChief, waiting }) {
  const tap = tapOf(session, table, seat, offence, hand, waiting);
  const least = offence.ladder === null ? 1 : Math.max(1, nextStep(session, table, seat, offence, hand, waiting).cost + 1);
  const offers = [];
  if (tap?.effect !== "warning") offers.push({ effect: "warning", cost: 0 });
  for (const points of offence.prices) if (points >= least) offers.push({ effect: TAKES_POINTS, points, cost: points });
  if (offence.to) return offers;
  if (tap?.effect !== "dead_hand" && table.has_hands) offers.push({ effect: "dead_hand", cost: 0 });
  if (isChief && session.has_tp) offers.push({ effect: "tournament_points", points: 1, cost: 0 });
  if (isChief) offers.push({ effect: "removal", cost: 0 });
  offers.push({ effect: "disqualification", cost: 0 });
  return offers;
}

export function isGrave({ effect }) {
  return effect === "removal" || effect === "disqualification";
}

// Which consequence of a lateness holds after so many seconds, and when the next one begins.
export function lateNow(bands, seconds) {
  const holds = bands.filter((band) => band.seconds <= seconds).at(-1) ?? null;
  return { holds, next: bands.find((band) => band.seconds > seconds) ?? null };
}
