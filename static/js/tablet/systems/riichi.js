// Riichi: what can happen in a hand, in words for the screen, and who pays whom, so that amounts are known without a connection.
// The server works every hand out for itself; a test holds this file against it, hand by hand.

import { _, windName } from "../words.js";
import { Account, inTurn, wins } from "./account.js";
import { problems } from "./riichi_legality.js";
import { DEAD_HAND, NOT_WAITING, OTHER, WAITING, WIN } from "./words.js";

const BET = 1000;
const LIMIT_BASES = { mangan: 2000, haneman: 3000, baiman: 4000, sanbaiman: 6000, counted_yakuman: 8000, yakuman: 8000 };

const TILE_FLAGS = [
  { name: "double_riichi", label: _("Double riichi") },
  { name: "ippatsu", label: _("Ippatsu") },
  { name: "rinshan", label: _("After a kong (rinshan)") },
  { name: "chankan", label: _("Robbing a kong (chankan)") },
  { name: "haitei", label: _("Last tile from the wall (haitei)") },
  { name: "houtei", label: _("Last discard (houtei)") },
  { name: "tenhou", label: _("Blessing of heaven (tenhou)") },
  { name: "chiihou", label: _("Blessing of earth (chiihou)") },
  { name: "renhou", label: _("Blessing of man (renhou)") },
];

// Why a hand was broken off, where the regulation allows it.
const ABORTS = {
  nine_kinds: _("Nine terminals and honors"),
  four_winds: _("Four equal winds"),
  four_riichi: _("Four riichi"),
  four_kongs: _("Four kongs"),
  three_wins: _("Three winners"),
};

const MOST_HAN = 13;
const MOST_YAKUMAN = 6;
const ADDING_UP = ["several", "double"];
const LIMITS = [
  { limit: "mangan", label: _("Mangan") },
  { limit: "haneman", label: _("Haneman") },
  { limit: "baiman", label: _("Baiman") },
  { limit: "sanbaiman", label: _("Sanbaiman") },
  { limit: "counted_yakuman", label: _("Counted yakuman") },
  { limit: "yakuman", label: _("Yakuman") },
];

function described(rules) {
  const aborts = (rules.abortive_draws ?? []).map((reason) => ({ reason, label: ABORTS[reason] }));
  const reachable = new Set(["mangan", "yakuman", ...Object.values(rules.limits ?? {})]);
  const steps = Object.keys(rules.limits ?? { 5: "" }).map(Number);
  const least = steps.length ? Math.min(...steps) : MOST_HAN + 1;
  return {
    sharesDiscard: true,
    winsEach: 1,
    value: "han",
    mostHan: least - 1,
    largeHan: Array.from({ length: MOST_HAN - least + 1 }, (_unused, index) => least + index),
    limits: LIMITS.filter((one) => reachable.has(one.limit)),
    fu: (han) => [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, ...(han > 3 ? [120, 130, 140] : [])],
    hasRiichi: true,
    // How everybody names a hand: by its round and dealer. A hand that is replayed keeps its name.
    handName: ({ round, dealer }, seats) => `${windName(round)} ${seats.indexOf(dealer) + 1}`,
    tileFlags: TILE_FLAGS,
    // Of several yakuman a hand is paid for so many, where they add up.
    mostYakuman: ADDING_UP.includes(rules.yakuman) ? MOST_YAKUMAN : 1,
    aborts,
    modes: [WIN, { mode: "over", label: aborts.length ? _("No win") : _("Exhausted wall") }, OTHER],
    others: [
      { mode: "chombo", label: _("Chombo"), ask: _("Whose chombo?"), kinds: [] },
      DEAD_HAND,
      ...(rules.nagashi_mangan ? [{ mode: "nagashi", label: _("Nagashi mangan"), ask: _("Whose nagashi mangan?"), kinds: [] }] : []),
    ],
    end: { states: [WAITING, NOT_WAITING], bases: [] },
    unfinished: aborts.length ? _("Who won? If nobody did, press “No win”.") : _("Who won? If nobody did, press “Exhausted wall”."),
  };
}

const hundreds = (points) => Math.ceil(points / 100) * 100;

class Riichi {
  constructor(rules) {
    this.rules = rules;
    this.limits = Object.entries(rules.limits ?? {}).map(([han, name]) => [Number(han), name]).sort((one, other) => other[0] - one[0]);
  }

  limitOf(han, fu) {
    const reached = this.limits.find(([least]) => han >= least);
    if (reached) return reached[1];
    return fu * 2 ** (han + 2) > LIMIT_BASES.mangan ? "mangan" : "";
  }

  base(winner) {
    const name = winner.limit || this.limitOf(winner.han, winner.fu ?? 0);
    return name ? LIMIT_BASES[name] * (winner.yakuman ?? 1) : winner.fu * 2 ** (winner.han + 2);
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
    const first = this.nearest(win, at);
    for (const winner of win.winners) {
      const base = this.base(winner);
      let parts = win.from
        ? new Map([[win.from, hundreds(base * (winner.seat === at.dealer ? 6 : 4))]])
        : this.fromWall(base, winner.seat, at);
      if (winner.liable) parts = this.answered(parts, winner, win.from);
      for (const [seat, points] of parts) account.move(winner.seat, [seat], points);
      if (this.rules.counters_to === "nearest" && winner.seat !== first) continue;
      const payer = win.from ?? winner.liable;
      if (payer) account.move(winner.seat, [payer], 300 * at.counters);
      else account.move(winner.seat, account.others(winner.seat), 100 * at.counters);
    }
    this.takeBets(account, win, riichi, at);
  }

  // Whoever is liable answers for one yakuman; if the hand has more, the others are paid as usual.
  answered(parts, { liable, yakuman = 1 }, from) {
    const total = [...parts.values()].reduce((sum, part) => sum + part, 0);
    const found = this.liability(total / yakuman, liable, from);
    for (const [seat, points] of yakuman > 1 ? parts : []) found.set(seat, (found.get(seat) ?? 0) + points - points / yakuman);
    return found;
  }

  liability(total, liable, from) {
    if (!from || from === liable) return new Map([[liable, total]]);
    return new Map([[from, total / 2], [liable, total / 2]]);
  }

  takeBets(account, win, riichi, at) {
    const nearest = this.nearest(win, at);
    const kept = this.rules.bets_to === "nearest" ? [nearest] : win.winners.map((winner) => winner.seat);
    const own = riichi.filter((seat) => kept.includes(seat));
    for (const seat of own) account.fine(seat, -BET);
    account.fine(nearest, -BET * (at.bets + riichi.length - own.length));
  }

  nearest(win, at) {
    const seats = win.winners.map((winner) => winner.seat);
    return win.from ? inTurn(at.seats, win.from).find((seat) => seats.includes(seat)) : seats[0];
  }

  chombo(account, event, riichi, at) {
    for (const [seat, points] of this.fromWall(LIMIT_BASES.mangan, event.seat, at)) account.move(seat, [event.seat], points);
    for (const seat of riichi) account.fine(seat, -BET);
  }

  following(facts, at) {
    const number = at.number + 1;
    const riichi = (facts.riichi ?? []).length;
    const gained = this.rules.west_round ? { gained: this.gained(facts, at) } : {};
    if (facts.events.some((event) => event.type === "chombo")) return { ...at, ...gained, number };
    const winners = wins(facts).flatMap((win) => win.winners.map((winner) => winner.seat));
    const isDraw = !winners.length;
    const bets = isDraw ? at.bets + riichi : 0;
    const counters = isDraw || winners.includes(at.dealer) ? at.counters + 1 : 0;
    const stays = isDraw ? Boolean(facts.abort) || facts.end?.[at.dealer]?.state === "waiting" : winners.includes(at.dealer);
    const after = { ...at, ...gained, number, bets, counters };
    return stays ? after : this.withoutDealer(after);
  }

  // After the south round the game is over, unless nobody has won enough and a west round is played.
  withoutDealer(at) {
    const dealer = inTurn(at.seats, at.dealer)[0];
    const isReached = !this.rules.west_round || Object.values(at.gained ?? {}).some((points) => points >= this.rules.west_round);
    if (at.round === "W" && isReached) return { ...at, is_over: true };
    if (dealer !== at.seats[0]) return { ...at, dealer };
    if (at.round === "E") return { ...at, dealer, round: "S" };
    if (at.round === "S" && !isReached) return { ...at, dealer, round: "W" };
    return { ...at, dealer, is_over: true };
  }

  // What everybody has won so far, bets included: a west round depends on it.
  gained(facts, at) {
    const { points } = this.payments(facts, at);
    return Object.fromEntries(at.seats.map((seat) => [seat, (at.gained?.[seat] ?? 0) + (points[seat] ?? 0)]));
  }
}

export const RIICHI = { codes: ["RIICHI"], describe: described, arithmetic: (rules) => new Riichi(rules), problems, aborts: ABORTS };
