// Why a hand of Red mahjong cannot be: who wins, the value with its minimum, and fans that exclude one another.

import { has, Refusals } from "./legality.js";

export function problems(known, facts, at) {
  const hand = new Checked(known, at);
  hand.check(facts);
  return hand.found;
}

class Checked extends Refusals {
  constructor(known, at) {
    super(known);
    this.at = at;
    this.dead = new Set();
  }

  check({ events }) {
    const [fewest, most] = this.tables.players;
    if (this.at.seats.length < fewest || this.at.seats.length > most) return this.note("wrong_players", "PLAYERS", "", "RED dealer 4");
    events.forEach((event, place) => {
      const at = `events.${place}`;
      if (event.type === "win") this.win(event, at);
      else {
        this.atTable(event.seat, `${at}.seat`);
        if (event.type === "dead_hand" && this.dead.has(event.seat)) this.note("dead_hand", "DEAD_HAND_TWICE", `${at}.seat`, "RED count 5");
      }
      if (events.slice(0, place).some((earlier) => earlier.type === "win")) this.note("outcome_conflict", "NOTHING_AFTER", at, "RED course 4");
      if (event.type !== "win") this.dead.add(event.seat);
    });
  }

  atTable(seat, at) {
    if (!this.at.seats.includes(seat)) this.note("wrong_players", "NOT_AT_TABLE", at, "RED seats 4", { seat: this.seat(seat) });
  }

  win(event, at) {
    if (!event.winners.length) this.note("outcome_conflict", "NO_WINNER", `${at}.winners`, "RED win 4");
    if (event.winners.length > 1) this.note("multi_win", "ONE_WINNER", `${at}.winners`, "RED win 5");
    if (event.from) this.atTable(event.from, `${at}.from`);
    event.winners.forEach((winner, place) => this.winner(winner, event, `${at}.winners.${place}`));
  }

  winner(winner, event, at) {
    this.atTable(winner.seat, `${at}.seat`);
    if (winner.seat === event.from) this.note("winner_is_discarder", "WINNER_DISCARDED", `${at}.seat`, "RED win 3");
    if (this.dead.has(winner.seat)) this.note("dead_hand", "DEAD_HAND_WON", `${at}.seat`, "RED count 1");
    this.value(winner, at);
    if (winner.fan_list) this.fanList(winner.fan_list, winner.fans, `${at}.fan_list`);
  }

  value({ fans, flowers = 0 }, at) {
    const { minimum, most, most_flowers: mostFlowers } = this.tables;
    if (!has(fans)) this.note("value_needed", "FANS_NEEDED", `${at}.fans`, "RED scoring 1");
    else if (fans < 0 || fans > most) this.note("out_of_range", "FANS_RANGE", `${at}.fans`, "RED scoring 2", { fans, most });
    else if (fans < minimum) this.note("below_minimum", "BELOW_MINIMUM", `${at}.fans`, "RED scoring 4", { fans, minimum });
    if (flowers < 0 || flowers > mostFlowers) this.note("out_of_range", "FLOWERS_RANGE", `${at}.flowers`, "RED tiles 7", { flowers });
  }

  fanList(list, fans, at) {
    const { fans: table, flower } = this.tables;
    const known = {};
    for (const [name, count] of Object.entries(list)) {
      const fan = table[name];
      if (!fan) this.note("fan_unknown", "FAN_UNKNOWN", at, "RED scoring 2", { number: name });
      else if (name === flower) this.note("fan_unknown", "FAN_FLOWERS", at, "RED scoring 4");
      else if (count < 1 || count > fan.most) this.note("fan_count", "FAN_COUNT", at, fan.clause, { fan: this.named("fan", name), most: fan.most });
      else known[name] = count;
    }
    const noted = this.found.length;
    for (const a of Object.keys(known)) {
      for (const b of table[a].apart) {
        if (known[b]) this.note("yaku_conflict", "FANS_APART", at, `RED fan ${a}`, { a: this.named("fan", a), b: this.named("fan", b) });
      }
    }
    const areAllKnown = Object.keys(known).length === Object.keys(list).length;
    if (areAllKnown && this.found.length === noted && !this.isOfSomeHand(known)) this.note("yaku_conflict", "NO_HAND_HAS", at, "RED scoring 2");
    const sum = Object.entries(known).reduce((total, [name, count]) => total + table[name].points * count, 0);
    if (areAllKnown && has(fans) && sum !== fans) this.note("payment_mismatch", "FAN_SUM", at, "RED scoring 2", { sum, fans });
  }

  isOfSomeHand(known) {
    const numbers = Object.keys(known).sort((a, b) => a - b);
    return this.tables.lists.includes(numbers.map((number) => `${number}×${known[number]}`).join(" "));
  }
}
