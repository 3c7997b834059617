// Sichuan mahjong: what can happen in a hand, in words for the screen, and who pays whom, so that amounts are known without a connection.
// The server works every hand out for itself; a test holds this file against it, hand by hand.

import { _ } from "../words.js";
import { Account, inTurn, wins } from "./account.js";
import { problems } from "./sichuan_legality.js";
import { DEAD_HAND, NOT_WAITING, WAITING, WIN } from "./words.js";

const KONG_POINTS = { open: 2, concealed: 2, added: 1, delayed: 0 };
const LAWS = {
  SBR: { cap: 4, falseWin: { waiting: 8, no_wait: 16 }, fined: "pig_active", pigsPay: true, returns: true },
  WMSG: { cap: 3, falseWin: { waiting: 8, no_wait: 8 }, fined: "pig", pigsPay: false, returns: false },
};

// Kongs are counted as they were declared, and not chosen.
const SICHUAN_FANS = [
  { name: "kong", label: _("Kong"), fans: 1, most: 4, isDeclared: true },
  { name: "quad", label: _("Four of a kind"), fans: 1, most: 4 },
  { name: "all_pungs", label: _("All pungs"), fans: 1, most: 1 },
  { name: "golden_wait", label: _("Golden wait"), fans: 1, most: 1 },
  { name: "pure_suit", label: _("Full flush"), fans: 2, most: 1 },
  { name: "seven_pairs", label: _("Seven pairs"), fans: 2, most: 1 },
];

// `by` says how the tile must have come; `kong` whose kong comes just before.
const SICHUAN_CIRCUMSTANCES = [
  { name: "replacement_win", label: _("On a replacement tile"), by: "wall", kong: "winner" },
  { name: "discard_after_kong", label: _("Discard after a kong"), by: "discard", kong: "discarder" },
  { name: "robbing_kong", label: _("Robbing a kong"), by: "discard", kong: "robbed" },
  { name: "last_tile", label: _("Last tile"), by: "", kong: "" },
];

const KONGS = [
  { kind: "concealed", label: _("Concealed"), note: _("2 from each") },
  { kind: "open", label: _("Open"), note: _("2 from the discarder") },
  { kind: "added", label: _("Added"), note: _("1 from each") },
  { kind: "delayed", label: _("Delayed"), note: _("earns nothing") },
];

const MOST_SETS = 4;

// The sets that a seat's kongs left on the table: kongs, delayed ones, and pungs where a kong was robbed.
function shownBy(events, seat) {
  const own = events.filter((event) => event.type === "kong" && event.seat === seat && event.kind);
  const robbed = own.filter((kong) => kong.robbed).length;
  const delayed = own.filter((kong) => kong.kind === "delayed" && !kong.robbed).length;
  return { kongs: own.length - robbed - delayed, delayed, pungs: robbed };
}

// What the rest of a hand can be worth beside its kongs: with a chow, of pungs alone, or seven pairs, in which nothing is declared.
function otherFans({ kongs, delayed, pungs }, robs) {
  const left = MOST_SETS - kongs - delayed - pungs;
  const sums = [];
  for (const pure of [0, 2]) {
    for (let quads = 0; quads < left; quads += 1) if (!(robs && quads === MOST_SETS - 1 && !pure)) sums.push(quads + pure);
    if (robs || left < 0) continue;
    for (const golden of left ? [0, 1] : [1]) sums.push(1 + golden + pure);
    if (left === MOST_SETS) for (let quads = 0; quads < MOST_SETS; quads += 1) sums.push(2 + quads + pure);
  }
  return sums;
}

// The numbers of fans that a win or a waiting hand can have after these events, from few to many.
function possibleFans(events, seat, { robs = false, byTile = 0 } = {}) {
  const shown = shownBy(events, seat);
  const sums = otherFans(shown, robs).map((fans) => shown.kongs + shown.delayed + byTile + fans);
  return [...new Set(sums)].sort((one, other) => one - other);
}

// How often a hand counts a fan for its declared kongs: each is a kong or four of a kind, as the edition says.
function fansOfKongs(system, events, seat) {
  const { kongs, delayed } = shownBy(events, seat);
  return system === "SBR" ? { kong: kongs, quad: delayed } : { quad: kongs + delayed };
}

function described(system, rules) {
  const pigs =
    system === "SBR"
      ? [
          { state: "pig_active", label: _("Active pig") },
          { state: "pig_passive", label: _("Passive pig") },
        ]
      : [{ state: "pig", label: _("Pig") }];
  const kinds =
    system === "SBR"
      ? [
          { kind: "waiting", label: _("Was waiting"), note: _("8 to each") },
          { kind: "no_wait", label: _("Was not waiting"), note: _("16 to each") },
        ]
      : [
          { kind: "waiting", label: _("Was waiting"), note: _("8 to each") },
          { kind: "no_wait", label: _("Was not waiting"), note: _("8 to each") },
        ];
  return {
    keepsWinds: true,
    isSequence: true,
    sharesDiscard: true,
    winsEach: 1,
    value: "fans",
    most: 10,
    cap: system === "SBR" ? 4 : 3,
    fans: system === "SBR" ? SICHUAN_FANS : SICHUAN_FANS.filter((fan) => fan.name !== "kong"),
    circumstances: SICHUAN_CIRCUMSTANCES,
    kongs: KONGS,
    modes: [WIN, { mode: "kong", label: _("Kong") }, { mode: "over", label: _("Wall is out") }, { mode: "more", label: _("Other") }],
    others: [
      { mode: "false_win", label: _("False win"), ask: _("Whose false win?"), kinds, hasDiscarder: true },
      DEAD_HAND,
    ],
    end: { states: [WAITING, NOT_WAITING, ...pigs], bases: system === "SBR" ? [1, 2, 4, 8, 16] : [1, 2, 4, 8] },
    isCheckedAfterLastWin: system === "SBR",
    falseWinnerIsOut: rules.false_winner === "out",
    possibleFans,
    fansOfKongs: (events, seat) => fansOfKongs(system, events, seat),
    unfinished: _("Enter the next win, or press “Wall is out”."),
  };
}

class Sichuan {
  constructor(system, rules) {
    this.law = LAWS[system];
    this.falseWinnerIsOut = rules.false_winner === "out";
    this.keepsWinds = true;
  }

  base(fans) {
    return 2 ** Math.min(fans, this.law.cap);
  }

  payments(facts, at) {
    const deal = this.told(facts, at.seats);
    this.settle(deal, facts.end ?? {});
    return deal.account;
  }

  // Goes through the events; what stands then are the points, the kongs and who takes no further part.
  told(facts, seats) {
    const deal = { account: new Account(seats), out: [], kongs: [], forfeited: new Set(), moment: null };
    for (const event of facts.events) {
      if (!facts.first_reading) this.atMoment(deal, event);
      if (event.type === "kong") this.kong(deal, event);
      if (event.type === "win") this.win(deal, event);
      if (event.type === "false_win") this.falseWin(deal, event);
      if (event.type === "dead_hand") this.forfeit(deal, event.seat);
    }
    return deal;
  }

  opponents(deal, seat) {
    return deal.account.others(seat).filter((other) => !deal.out.includes(other));
  }

  // Wins and false wins on one tile are one moment: who was in play before it receives the points of a false win.
  atMoment(deal, event) {
    if (event.type === "dead_hand") return;
    if (event.type === "kong" || !event.from) {
      deal.moment = null;
      return;
    }
    const tile = [event.from, Boolean(event.discard_after_kong), Boolean(event.robbing_kong)].join();
    const isWin = event.type === "win";
    const isSame = deal.moment?.tile === tile && !(isWin && deal.moment.isWon);
    const inPlay = isSame ? deal.moment.inPlay : deal.account.seats.filter((seat) => !deal.out.includes(seat));
    deal.moment = { tile, inPlay, isWon: isWin || (isSame && deal.moment.isWon) };
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
    deal.out.push(...win.winners.map((winner) => winner.seat));
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
    const inPlay = deal.moment ? deal.moment.inPlay.filter((seat) => seat !== event.seat) : this.opponents(deal, event.seat);
    for (const other of inPlay) deal.account.move(other, [event.seat], this.law.falseWin[event.kind]);
    if (this.law.returns) this.forfeit(deal, event.seat);
    if (event.discard_after_kong) this.spoil(deal, event.from);
    if (this.falseWinnerIsOut) deal.out.push(event.seat);
  }

  forfeit(deal, seat) {
    for (const kong of deal.kongs) if (kong.seat === seat) this.giveBack(deal, kong);
    deal.forfeited.add(seat);
  }

  settle(deal, end) {
    const seats = Object.keys(end);
    const isWonOut = deal.account.seats.length - deal.out.length <= 1;
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

  withoutDealer(at) {
    return { ...at, dealer: inTurn(at.seats, at.dealer)[0] };
  }
}

export const SICHUAN = {
  codes: ["SBR", "WMSG"],
  countsFans: true,
  describe: (rules, code) => described(code, rules),
  arithmetic: (rules, code) => new Sichuan(code, rules),
  problems: (known, facts, at, rules, code) => problems(known, facts, at, { shownBy, stake: (...told) => new Sichuan(code, rules).stake(...told) }),
};
