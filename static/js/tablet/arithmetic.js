// Who pays whom, worked out on the device, so that amounts are known at once and without a connection.
// The server works every hand out for itself; a test holds this page against it, hand by hand.

const SEATS = ["E", "S", "W", "N"];
const BET = 1000;
const KONG_POINTS = { open: 2, concealed: 2, added: 1, delayed: 0 };
const LAWS = {
  SBR: { cap: 4, falseWin: { waiting: 8, no_wait: 16 }, fined: "pig_active", pigsPay: true, returns: true },
  WMSG: { cap: 3, falseWin: { waiting: 8, no_wait: 8 }, fined: "pig", pigsPay: false, returns: false },
};
const LIMIT_BASES = { mangan: 2000, haneman: 3000, baiman: 4000, sanbaiman: 6000, counted_yakuman: 8000, yakuman: 8000 };
const MCR_ROUNDS = ["ESWN", "SENW", "WNSE", "NWES"];
const MCR_FALSE_WINS = { below_minimum: 10, wrong_claim: 20 };

class Account {
  constructor(seats) {
    this.seats = seats;
    this.points = Object.fromEntries(seats.map((seat) => [seat, 0]));
    this.unpaid = 0;
  }

  move(to, payers, points) {
    for (const payer of payers) {
      this.points[payer] -= points;
      this.points[to] += points;
    }
  }

  fine(seat, points) {
    this.points[seat] -= points;
    this.unpaid += points;
  }

  others(seat) {
    return this.seats.filter((other) => other !== seat);
  }
}

export function inTurn(seats, from) {
  const start = seats.indexOf(from);
  return seats.map((_, step) => seats[(start + step) % seats.length]).slice(1);
}

function wins(facts) {
  return facts.events.filter((event) => event.type === "win");
}

// Sichuan

export class Sichuan {
  constructor(system) {
    this.law = LAWS[system];
  }

  base(fans) {
    return 2 ** Math.min(fans, this.law.cap);
  }

  payments(facts, at) {
    const deal = this.told(facts, at.seats);
    this.settle(deal, facts.end ?? {});
    return deal.account;
  }

  // Goes through the events; what stands then are the points, the kongs and who has won.
  told(facts, seats) {
    const deal = { account: new Account(seats), won: [], kongs: [], forfeited: new Set() };
    for (const event of facts.events) {
      if (event.type === "kong") this.kong(deal, event);
      if (event.type === "win") this.win(deal, event);
      if (event.type === "false_win") this.falseWin(deal, event);
      if (event.type === "dead_hand") this.forfeit(deal, event.seat);
    }
    return deal;
  }

  opponents(deal, seat) {
    return deal.account.others(seat).filter((other) => !deal.won.includes(other));
  }

  kong(deal, kong) {
    if (kong.robbed) return;
    const payers = kong.from ? [kong.from] : this.opponents(deal, kong.seat);
    const points = deal.forfeited.has(kong.seat) ? 0 : KONG_POINTS[kong.kind];
    deal.account.move(kong.seat, payers, points);
    deal.kongs.push({ seat: kong.seat, payers, points });
  }

  win(deal, win) {
    for (const winner of win.winners) {
      const base = this.base(winner.fans);
      if (win.from) deal.account.move(winner.seat, [win.from], base);
      else deal.account.move(winner.seat, this.opponents(deal, winner.seat), base + 1);
    }
    deal.won.push(...win.winners.map((winner) => winner.seat));
    if (win.discard_after_kong) this.spoil(deal, win.from);
  }

  spoil(deal, seat) {
    const last = deal.kongs.filter((kong) => kong.seat === seat).at(-1);
    if (last) this.giveBack(deal, last);
  }

  giveBack(deal, kong) {
    for (const payer of kong.payers) deal.account.move(payer, [kong.seat], kong.points);
    kong.points = 0;
  }

  falseWin(deal, event) {
    for (const other of this.opponents(deal, event.seat)) deal.account.move(other, [event.seat], this.law.falseWin[event.kind]);
    if (this.law.returns) this.forfeit(deal, event.seat);
    if (event.discard_after_kong) this.spoil(deal, event.from);
  }

  forfeit(deal, seat) {
    for (const kong of deal.kongs) if (kong.seat === seat) this.giveBack(deal, kong);
    deal.forfeited.add(seat);
  }

  settle(deal, end) {
    const seats = Object.keys(end);
    const isWonOut = deal.account.seats.length - deal.won.length <= 1;
    for (const kong of deal.kongs) {
      const isLost = kong.seat in end && end[kong.seat].state !== "waiting";
      if (isLost && (this.law.returns || !isWonOut)) this.giveBack(deal, kong);
    }
    for (const seat of seats) if (end[seat].state === this.law.fined) deal.account.fine(seat, 48);
    const payers = seats.filter((seat) => this.law.pigsPay ? end[seat].state !== "waiting" : end[seat].state === "no_wait");
    for (const seat of seats) if (end[seat].state === "waiting") deal.account.move(seat, payers, end[seat].max_base);
  }

  // Kong points that the seat holds and could still lose.
  stake(facts, seats, seat) {
    const deal = this.told(facts, seats);
    return deal.kongs.reduce((sum, kong) => sum + (kong.seat === seat ? kong.points * kong.payers.length : 0), 0);
  }

  following(facts, at) {
    const [first] = wins(facts);
    const dealer = !first ? at.dealer : first.winners.length > 1 ? first.from : first.winners[0].seat;
    return { ...at, number: at.number + 1, dealer };
  }
}

// Sport mahjong and its Siamese form

function offence(account, event) {
  const points = event.type === "exposure" ? 10 : MCR_FALSE_WINS[event.kind];
  for (const other of account.others(event.seat)) account.move(other, [event.seat], points);
}

function isOffence(event) {
  return event.type === "false_win" || event.type === "exposure";
}

export class Mcr {
  payments(facts, at) {
    const account = new Account(at.seats);
    for (const event of facts.events) {
      if (isOffence(event)) offence(account, event);
      if (event.type === "win") this.win(account, event);
    }
    return account;
  }

  win(account, win) {
    const [winner] = win.winners;
    const others = account.others(winner.seat);
    account.move(winner.seat, others, 8);
    account.move(winner.seat, win.from ? [win.from] : others, winner.fans + (winner.flowers ?? 0));
  }

  following(facts, at) {
    const round = Math.floor(at.number / at.seats.length);
    if (round >= MCR_ROUNDS.length) return { ...at, number: at.number + 1, is_over: true };
    const order = this.order(at.seats, SEATS[round]);
    return { ...at, number: at.number + 1, dealer: order[at.number % at.seats.length], round: SEATS[round] };
  }

  // The seats in the order in which they sit and deal in a round.
  order(seats, round) {
    return [...MCR_ROUNDS[SEATS.indexOf(round)]].filter((seat) => seats.includes(seat));
  }
}

export class Siamese {
  payments(facts, at) {
    const account = new Account(at.seats);
    const twice = this.wonTwice(facts);
    for (const event of facts.events) {
      if (isOffence(event)) offence(account, event);
      if (event.type === "win" && (!twice || event.winners[0].seat === twice)) this.win(account, event);
    }
    return account;
  }

  wonTwice(facts) {
    const winners = wins(facts).map((win) => win.winners[0].seat);
    return winners.find((seat, place) => winners.indexOf(seat) !== place) ?? null;
  }

  win(account, win) {
    const [winner] = win.winners;
    const others = account.others(winner.seat);
    if (others.length > 1) account.move(winner.seat, others, 8);
    account.move(winner.seat, win.from ? [win.from] : others, winner.fans);
  }

  following(facts, at) {
    const number = at.number + 1;
    if (number > 12) return { ...at, number, is_over: true };
    const round = SEATS[Math.floor(at.number / at.seats.length) % 4];
    return { ...at, number, dealer: inTurn(at.seats, at.dealer)[0], round };
  }
}

// Red mahjong

export class Red {
  constructor(rules) {
    this.rules = rules;
  }

  payments(facts, at) {
    const account = new Account(at.seats);
    for (const event of facts.events) {
      if (event.type === "false_win") for (const other of account.others(event.seat)) account.move(other, [event.seat], 9);
      if (event.type === "win") this.win(account, event);
    }
    return account;
  }

  win(account, win) {
    const [winner] = win.winners;
    const points = Math.min(winner.fans + 3 * (winner.flowers ?? 0), this.rules.limit ?? 300);
    account.move(winner.seat, win.from ? [win.from] : account.others(winner.seat), points);
  }

  following(facts, at) {
    const [win] = wins(facts);
    const stays = win ? win.winners[0].seat === at.dealer : at.seats.length > 2 || this.rules.two_players_no_win === "stays";
    if (stays) return { ...at, number: at.number + 1 };
    const dealer = inTurn(at.seats, at.dealer)[0];
    const isRound = dealer === at.seats[0];
    const round = isRound ? SEATS[(SEATS.indexOf(at.round) + 1) % 4] : at.round;
    return { ...at, number: at.number + 1, dealer, round };
  }
}

// Riichi

const hundreds = (points) => Math.ceil(points / 100) * 100;

export class Riichi {
  constructor(rules) {
    this.limits = Object.entries(rules.limits ?? {}).map(([han, name]) => [Number(han), name]).sort((one, other) => other[0] - one[0]);
  }

  limitOf(han, fu) {
    const reached = this.limits.find(([least]) => han >= least);
    if (reached) return reached[1];
    return fu * 2 ** (han + 2) > LIMIT_BASES.mangan ? "mangan" : "";
  }

  base(winner) {
    const name = winner.limit || this.limitOf(winner.han, winner.fu ?? 0);
    return name ? LIMIT_BASES[name] : winner.fu * 2 ** (winner.han + 2);
  }

  payments(facts, at) {
    const account = new Account(at.seats);
    const riichi = facts.riichi ?? [];
    for (const seat of riichi) account.fine(seat, BET);
    if (facts.end && Object.keys(facts.end).length) this.exhausted(account, facts.end);
    for (const event of facts.events) {
      if (event.type === "win") this.win(account, event, riichi, at);
      if (event.type === "chombo") this.chombo(account, event, riichi, at);
    }
    return account;
  }

  exhausted(account, end) {
    const waiting = account.seats.filter((seat) => end[seat]?.state === "waiting");
    const others = account.seats.filter((seat) => !waiting.includes(seat));
    for (const seat of others) if (waiting.length) account.points[seat] -= 3000 / others.length;
    for (const seat of waiting) if (others.length) account.points[seat] += 3000 / waiting.length;
  }

  fromWall(base, winner, at) {
    const parts = new Map();
    for (const seat of at.seats) {
      if (seat !== winner) parts.set(seat, hundreds(base * (winner === at.dealer || seat === at.dealer ? 2 : 1)));
    }
    return parts;
  }

  win(account, win, riichi, at) {
    for (const winner of win.winners) {
      const base = this.base(winner);
      let parts = win.from
        ? new Map([[win.from, hundreds(base * (winner.seat === at.dealer ? 6 : 4))]])
        : this.fromWall(base, winner.seat, at);
      if (winner.liable) parts = this.liability([...parts.values()].reduce((sum, part) => sum + part, 0), winner.liable, win.from);
      for (const [seat, points] of parts) account.move(winner.seat, [seat], points);
      const payer = win.from ?? winner.liable;
      if (payer) account.move(winner.seat, [payer], 300 * at.counters);
      else account.move(winner.seat, account.others(winner.seat), 100 * at.counters);
    }
    this.takeBets(account, win, riichi, at);
  }

  liability(total, liable, from) {
    if (!from || from === liable) return new Map([[liable, total]]);
    return new Map([[from, total / 2], [liable, total / 2]]);
  }

  takeBets(account, win, riichi, at) {
    const seats = win.winners.map((winner) => winner.seat);
    const own = riichi.filter((seat) => seats.includes(seat));
    for (const seat of own) account.fine(seat, -BET);
    const nearest = win.from ? inTurn(at.seats, win.from).find((seat) => seats.includes(seat)) : seats[0];
    account.fine(nearest, -BET * (at.bets + riichi.length - own.length));
  }

  chombo(account, event, riichi, at) {
    for (const [seat, points] of this.fromWall(LIMIT_BASES.mangan, event.seat, at)) account.move(seat, [event.seat], points);
    for (const seat of riichi) account.fine(seat, -BET);
  }

  following(facts, at) {
    const number = at.number + 1;
    const riichi = (facts.riichi ?? []).length;
    if (facts.events.some((event) => event.type === "chombo")) return { ...at, number };
    const winners = wins(facts).flatMap((win) => win.winners.map((winner) => winner.seat));
    const isDraw = !winners.length;
    const bets = isDraw ? at.bets + riichi : 0;
    const counters = isDraw || winners.includes(at.dealer) ? at.counters + 1 : 0;
    const stays = isDraw ? facts.end?.[at.dealer]?.state === "waiting" : winners.includes(at.dealer);
    if (stays) return { ...at, number, bets, counters };
    const dealer = inTurn(at.seats, at.dealer)[0];
    if (dealer !== at.seats[0]) return { ...at, number, bets, counters, dealer };
    if (at.round === "E") return { ...at, number, bets, counters, dealer, round: "S" };
    return { ...at, number, bets, counters, dealer, is_over: true };
  }
}

export function arithmeticOf(system, rules) {
  switch (system) {
    case "SBR":
    case "WMSG":
      return new Sichuan(system);
    case "MCR":
      return new Mcr();
    case "SIAM":
      return new Siamese();
    case "RED":
      return new Red(rules);
    default:
      return new Riichi(rules);
  }
}
