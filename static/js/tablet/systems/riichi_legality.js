// Why a hand of riichi cannot be: events, winners, bets, han and fu, the check at an exhausted wall.

import { has, Refusals } from "./legality.js";

export function problems(known, facts, at) {
  const hand = new Checked(known, facts, at);
  hand.check();
  return hand.found;
}

class Checked extends Refusals {
  constructor(known, facts, at) {
    super(known);
    this.facts = facts;
    this.at = at;
    this.end = facts.end ?? {};
    this.riichi = facts.riichi ?? [];
    this.dead = facts.events.filter((event) => event.type === "dead_hand").map((event) => event.seat);
  }

  check() {
    if (this.at.seats.length !== this.tables.players) return this.note("wrong_players", "FOUR_PLAYERS", "", "RIICHI 2.1");
    this.events();
    this.outcome();
    if (new Set(this.riichi).size < this.riichi.length) this.note("riichi_twice", "RIICHI_TWICE", "riichi", "RIICHI 3.3.14");
    this.abort();
    this.atTheEnd();
    this.facts.events.forEach((event, place) => event.type === "win" && this.win(event, `events.${place}`));
  }

  events() {
    const dead = new Set();
    this.facts.events.forEach((event, place) => {
      if (event.type !== "dead_hand") return;
      if (dead.has(event.seat)) this.note("dead_hand", "DEAD_HAND_TWICE", `events.${place}.seat`, "RIICHI 3.4.7");
      dead.add(event.seat);
    });
  }

  outcome() {
    const { events } = this.facts;
    const ends = events.flatMap((event, place) => (["win", "chombo"].includes(event.type) ? [place] : []));
    const isChecked = Object.keys(this.end).length > 0;
    const { abort } = this.facts;
    if (!ends.length && !isChecked && !abort) this.note("outcome_conflict", "NO_OUTCOME", "events", "RIICHI 3.4");
    if (ends.length && isChecked) this.note("outcome_conflict", "TWO_OUTCOMES", "end", "RIICHI 3.4");
    if (abort && (ends.length || isChecked)) this.note("outcome_conflict", "ABORTED_WITH_OUTCOME", "abort", "RULES 9.34");
    if (!ends.length || ends[0] === events.length - 1) return;
    const areBoth = new Set(ends.map((place) => events[place].type)).size > 1;
    this.note("outcome_conflict", areBoth ? "CHOMBO_ANNULLED" : "NOTHING_AFTER", `events.${ends[0] + 1}`, "RIICHI 3.4.6");
  }

  abort() {
    const { abort, events } = this.facts;
    const { abortive } = this.tables;
    const areFour = this.riichi.length === this.tables.players;
    const wins = events.filter((event) => event.type === "win");
    if (abort && !abortive.includes(abort)) this.note("abort_unknown", "ABORT_OFF", "abort", "RULES 9.34");
    if (abort === "four_riichi" && !areFour) this.note("outcome_conflict", "FOUR_BETS", "riichi", "RULES 9.34");
    if (abort === "nine_kinds" && areFour) this.note("outcome_conflict", "NINE_KINDS_BET", "riichi", "RULES 9.34");
    const isOut = (abort && abort !== "four_riichi") || wins.length || Object.keys(this.end).length;
    if (areFour && isOut && abortive.includes("four_riichi")) this.note("outcome_conflict", "FOUR_RIICHI_END", "riichi", "RULES 9.34");
    const areThree = wins.some((event) => event.winners.length === this.tables.players - 1);
    if (areThree && abortive.includes("three_wins")) this.note("outcome_conflict", "THREE_WINS_END", "events", "RULES 9.34");
  }

  atTheEnd() {
    const told = Object.keys(this.end);
    if (told.length && (told.length !== this.at.seats.length || !told.every((seat) => this.at.seats.includes(seat)))) {
      this.note("tenpai_list", "TENPAI_SEATS", "end", "RIICHI 3.4.2", { seats: this.at.seats.map((seat) => this.seat(seat)).join(", ") });
    }
    for (const [seat, { state }] of Object.entries(this.end)) {
      if (state === "waiting" && this.dead.includes(seat)) this.note("tenpai_list", "DEAD_HAND_WAITING", `end.${seat}`, "RIICHI 3.3.13");
      if (state === "no_wait" && this.riichi.includes(seat) && !this.dead.includes(seat)) this.note("riichi_not_ready", "RIICHI_NOT_READY", `end.${seat}`, "RIICHI 3.4.6");
    }
  }

  win(event, at) {
    const seats = event.winners.map((winner) => winner.seat);
    if (!seats.length) this.note("outcome_conflict", "NO_WINNER", `${at}.winners`, "RIICHI 3.4.9");
    if (new Set(seats).size < seats.length) this.note("outcome_conflict", "WINNER_TWICE", `${at}.winners`, "RIICHI 3.4.9");
    if (!event.from && new Set(seats).size > 1) this.note("discarder_needed", "DISCARDER_NEEDED", `${at}.from`, "RIICHI 3.4.9");
    event.winners.forEach((winner, place) => this.winner(winner, event, `${at}.winners.${place}`));
  }

  winner(winner, event, at) {
    if (winner.seat === event.from) this.note("winner_is_discarder", "WINNER_DISCARDED", `${at}.seat`, "RIICHI 3.3.11");
    if (this.dead.includes(winner.seat)) this.note("dead_hand", "DEAD_HAND_WON", `${at}.seat`, "RIICHI 3.4.7");
    if (winner.liable === winner.seat) this.note("pao_unexpected", "LIABLE_SELF", `${at}.liable`, "RIICHI 3.3.9");
    if (winner.nagashi) return this.nagashi(winner, event, at);
    this.value(winner, event, at);
    if (has(winner.yakuman) && (this.tables.yakuman === "one" || winner.limit !== "yakuman")) this.note("han_fu", "YAKUMAN_ONCE", `${at}.yakuman`, "RULES 9.33");
    if (winner.liable && winner.limit !== "yakuman") this.note("pao_unexpected", "PAO_UNEXPECTED", `${at}.liable`, "RIICHI 3.3.9");
  }

  nagashi(winner, event, at) {
    if (!this.tables.nagashi) this.note("nagashi_off", "NAGASHI_OFF", `${at}.nagashi`, "RIICHI 4.2.6");
    const others = [winner.han, winner.fu, winner.liable, winner.yaku, winner.tiles, winner.yakuman];
    if (winner.limit !== "mangan" || event.from || others.some(has)) this.note("outcome_conflict", "NAGASHI_FORM", `${at}.nagashi`, "RIICHI 4.2.6");
  }

  value({ han, fu, limit }, { from }, at) {
    const { most_han: most, limit_names: limits } = this.tables;
    const said = { han, fu: has(fu) ? fu : "–", limit: limit && this.named("limit", limit) };
    if (limit && !limits.includes(limit)) this.note("han_fu", "LIMIT_UNKNOWN", `${at}.limit`, "RULES 8.27", said);
    else if (!has(han)) {
      if (has(fu) || !limit) this.note("han_fu", "HAN_NEEDED", `${at}.han`, "RIICHI 4.1");
    } else if (han < 1 || han > most) this.note("han_fu", "HAN_FU", `${at}.han`, "RIICHI 4.2", said);
    else if (has(fu)) this.hanAndFu(han, fu, limit, from, at, said);
    else if (!limit && !this.byHan(han)) this.note("han_fu", "FU_NEEDED", `${at}.fu`, "RIICHI 4.1", said);
    else if (limit && !this.fits(limit, han, undefined, from)) this.note("han_fu", "LIMIT_DIFFERS", `${at}.limit`, "RULES 8.27", said);
  }

  hanAndFu(han, fu, limit, from, at, said) {
    const least = this.leastHan(from)[fu];
    const otherwise = this.leastHan(!from)[fu];
    if (!has(least) || han < least) {
      const name = !has(otherwise) || han < otherwise ? "HAN_FU" : "HAN_FU_THIS_WAY";
      this.note("han_fu", name, `${at}.fu`, "RIICHI 4.1.1", said);
    } else if (limit && !this.fits(limit, han, fu, from)) this.note("han_fu", "LIMIT_DIFFERS", `${at}.limit`, "RULES 8.27", said);
  }

  leastHan(isDiscard) {
    return this.tables.least_han[isDiscard ? "discard" : "wall"];
  }

  byHan(han) {
    return this.tables.limits.find(([least]) => han >= least)?.[1] ?? "";
  }

  limitOf(han, fu) {
    return this.byHan(han) || (fu * 2 ** (han + 2) > this.tables.mangan ? "mangan" : "");
  }

  fits(limit, han, fu, from) {
    if (limit === "yakuman" && han === this.tables.yakuman_han) return true;
    const table = this.leastHan(from);
    const possible = has(fu) ? [fu] : Object.keys(table).filter((one) => han >= table[one]).map(Number);
    return possible.some((points) => this.limitOf(han, points) === limit);
  }
}
