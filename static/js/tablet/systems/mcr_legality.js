// Why a hand of sport mahjong cannot be: who wins, the minimum, and lists of fans that no hand has.

import { FanLists } from "./fan_lists.js";
import { has, Refusals } from "./legality.js";

export function problems(known, facts, at, order) {
  const hand = new SportHand(known, facts, at, order);
  hand.check();
  return hand.found;
}

// `order` are the seats in turn from the dealer, who is East.
export class SportHand extends Refusals {
  constructor(known, facts, at, order) {
    super(known);
    Object.assign(this, { facts, at, order });
    this.clauses = {};
    this.declaredDead = new Set();
    this.wins = [];
    this.hasTwoHands = false;
  }

  check() {
    if (this.at.is_over) this.note("game_over", "GAME_IS_OVER", "number", "MCR terms 4", { number: this.at.number - 1 });
    this.facts.events.forEach((event, place) => {
      const at = `events.${place}`;
      if (this.isEnded()) this.note("outcome_conflict", "HAND_IS_OVER", at, this.endClause);
      if (event.type === "win") this.win(event, at);
      else this.offence(event, at);
    });
  }

  isEnded() {
    return this.wins.length > 0;
  }

  get endClause() {
    return "MCR terms 2";
  }

  isAtTable(seat, at) {
    if (this.at.seats.includes(seat)) return true;
    this.note("seat_empty", "NOT_AT_TABLE", at, "", { seat: this.seat(seat) });
    return false;
  }

  offence(event, at) {
    this.isAtTable(event.seat, `${at}.seat`);
    if (event.type === "false_win" && !this.tables.false_wins.includes(event.kind)) {
      const kinds = this.tables.false_wins.map((kind) => this.named("kind", kind)).join(", ");
      this.note("value_unknown", "FALSE_WIN_KIND", `${at}.kind`, "MCR offences 6", { kinds });
    }
    if (event.type === "dead_hand") {
      if (this.declaredDead.has(event.seat)) this.note("outcome_conflict", "DEAD_TWICE", `${at}.seat`, this.deadClause(event), { seat: this.seat(event.seat) });
      this.declaredDead.add(event.seat);
    }
    this.clauses[event.seat] ??= this.deadClause(event);
  }

  deadClause({ type, offence = "" }) {
    if (type === "dead_hand") return this.tables.dead_hands[offence] ?? "MCR offences 2";
    return type === "false_win" ? "MCR offences 6" : "MCR offences 7";
  }

  win(win, at) {
    this.whoWins(win, at);
    win.winners.forEach((winner, place) => {
      const where = `${at}.winners.${place}`;
      const { most_flowers: most } = this.tables;
      if ((winner.flowers ?? 0) > most || winner.flowers < 0) this.note("out_of_range", "TOO_MANY_FLOWERS", `${where}.flowers`, "MCR fan 81", { most });
      this.value(win, winner, where, []);
    });
    this.wins.push(win);
  }

  whoWins(win, at) {
    if (!win.winners.length) this.note("outcome_conflict", "NO_WINNER", `${at}.winners`);
    if (win.winners.length > 1) this.note("multi_win", "ONE_WINNER", `${at}.winners`, "MCR winning 2e");
    if (win.from) this.isAtTable(win.from, `${at}.from`);
    win.winners.forEach(({ seat }, place) => {
      const field = `${at}.winners.${place}.seat`;
      if (seat === win.from) this.note("winner_is_discarder", "WINNER_DISCARDED", field, "MCR winning 2d");
      if (this.isAtTable(seat, field) && this.clauses[seat]) this.note("outcome_conflict", "HAND_IS_DEAD", field, this.clauses[seat], { seat: this.seat(seat) });
    });
  }

  value(win, winner, at, barred) {
    const { minimum, most } = this.tables;
    const { fans } = winner;
    if (!has(fans)) return this.note("field_needed", "FANS_NEEDED", `${at}.fans`, "MCR scoring 1d");
    if (fans < minimum) this.note("below_minimum", "BELOW_MINIMUM", `${at}.fans`, "MCR scoring 1a", { minimum, points: fans });
    if (fans > most) this.note("out_of_range", "TOO_MUCH", `${at}.fans`, "", { largest: most });
    if (winner.fan_list) this.fanList(win, winner, `${at}.fan_list`, barred);
  }

  fanList(win, winner, at, barred) {
    const before = this.found.length;
    const { fans: table } = this.tables;
    const counts = {};
    for (const [name, count] of Object.entries(winner.fan_list)) {
      if (table[name]) counts[name] = count;
      else this.note("value_unknown", "FAN_UNKNOWN", at, "", { name });
    }
    for (const [name, count] of Object.entries(counts)) this.listed(name, count, counts, win, at, barred);
    const sum = Object.entries(counts).reduce((total, [name, count]) => total + table[name].points * count, 0);
    if (sum !== winner.fans) this.note("payment_mismatch", "FAN_LIST_SUM", at, "MCR scoring 1d", { sum, points: winner.fans });
    if (this.found.length === before && !winner.tiles && this.at.seats.includes(winner.seat)) this.someHandHas(win, winner, counts, at, barred);
  }

  listed(name, count, counts, win, at, barred) {
    const { most, only, clause, excludes } = this.tables.fans[name];
    const fan = this.named("fan", name);
    if (count < 1 || count > most) this.note("out_of_range", "FAN_TOO_OFTEN", at, clause, { fan, most });
    if (only && (only === "self_draw") !== !win.from) this.note("outcome_conflict", "FAN_CONTRADICTS", at, clause, { fan });
    if (barred.includes(name)) this.note("outcome_conflict", "FAN_BARRED", at, "SIAM 17", { fan });
    for (const other of Object.keys(excludes)) {
      if (counts[other]) this.note("yaku_conflict", "EXCLUDED", at, excludes[other], { a: fan, b: this.named("fan", other) });
    }
  }

  someHandHas(win, winner, counts, at, barred) {
    const lists = FanLists.of(this.tables);
    const way = {
      isSelfDrawn: !win.from,
      isDoubleWind: ["E", "S", "W", "N"][this.order.indexOf(winner.seat)] === this.at.round,
      usesDrawnTile: !barred.length,
      hasOtherHand: this.hasTwoHands,
    };
    if (lists.isPossible(counts, way)) return;
    const { clause, fans } = lists.conflict(counts, way);
    const [a, b] = fans.map((fan) => this.named("fan", fan));
    const sentence = fans.length === 2 ? "NEVER_TOGETHER" : fans.length ? "NOT_OF_FOUR_CHOWS" : "NO_HAND_HAS";
    this.note("yaku_conflict", sentence, at, clause, { a, b });
  }
}
