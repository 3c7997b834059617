// Why a Sichuan hand cannot be: every event held against those before it, and the check at the end against them all.

import { inTurn, SEATS } from "./account.js";
import { has, Refusals } from "./legality.js";

// `stake` tells how many kong points a seat holds after these events and could still lose.
export function problems(known, facts, at, { shownBy, stake }) {
  const hand = new Hand(known, facts, at, { shownBy, stake });
  hand.check();
  return hand.found;
}

class Hand extends Refusals {
  constructor(known, facts, at, helpers) {
    super(known);
    Object.assign(this, { facts, seats: at.seats, ...helpers });
    this.end = facts.end ?? {};
    this.before = [];
    this.happened = [];
    this.winners = [];
    this.falseWinners = [];
    this.dead = new Set();
  }

  tell(code, name, field, clause = "", details = {}) {
    this.note(code, name, field, this.tables.clauses[clause] ?? clause, details);
  }

  get inPlay() {
    return this.seats.filter((seat) => !this.winners.includes(seat) && !this.falseWinners.includes(seat));
  }

  get isWonOut() {
    return this.inPlay.length <= 1;
  }

  check() {
    this.facts.events.forEach((event, place) => this.event(event, place));
    this.atTheEnd();
  }

  event(event, place) {
    const at = `events.${place}`;
    if (this.isWonOut) this.tell("outcome_conflict", "HAND_IS_OVER", at, "after_end");
    else if (this.isAfterLastTile(event)) this.tell("outcome_conflict", "WALL_WAS_OUT", at, "no_kong_without_wall");
    if (event.type === "kong") this.kong(event, place);
    if (event.type === "win") this.win(event, at);
    if (event.type === "false_win") this.falseWin(event, at);
    if (event.type === "dead_hand") this.deadHand(event, at);
    this.before.push(event);
    if (!this.canHappen(event)) return;
    this.happened.push(event);
    if (event.type === "win") this.winners.push(...event.winners.map((winner) => winner.seat));
    if (event.type === "false_win" && this.tables.false_winner_is_out) this.falseWinners.push(event.seat);
    if (event.type === "dead_hand") this.dead.add(event.seat);
  }

  // One wrong event does not make the next look wrong too.
  canHappen(event) {
    const seats = event.type === "win" ? event.winners.map((winner) => winner.seat) : [event.seat];
    return seats.every((seat) => this.seats.includes(seat)) && (event.type !== "false_win" || this.tables.false_wins.includes(event.kind));
  }

  isAfterLastTile(event) {
    const last = this.before.find((one) => one.type === "win" && one.last_tile);
    return Boolean(last) && !(["win", "false_win"].includes(event.type) && isOnSameTile(last, event));
  }

  isInPlay(seat, at) {
    if (!this.seats.includes(seat)) this.tell("seat_empty", "NOT_AT_TABLE", at, "", { seat: this.seat(seat) });
    else if (this.winners.includes(seat)) this.tell("outcome_conflict", "OUT_OF_PLAY", at, "out_of_play", { seat: this.seat(seat) });
    else if (this.falseWinners.includes(seat)) this.tell("outcome_conflict", "OUT_OF_PLAY", at, "false_winner", { seat: this.seat(seat) });
    else return true;
    return false;
  }

  kong(kong, place) {
    const at = `events.${place}`;
    const seat = { seat: this.seat(kong.seat) };
    this.isInPlay(kong.seat, `${at}.seat`);
    const own = [...this.before, kong].filter((event) => event.type === "kong" && event.seat === kong.seat);
    if (own.length > this.tables.most_sets) this.tell("outcome_conflict", "TOO_MANY_KONGS", at, "shape", seat);
    if (kong.kind === "open") {
      if (this.dead.has(kong.seat)) this.tell("outcome_conflict", "HAND_IS_DEAD", `${at}.seat`, "dead_hand", seat);
      if (kong.from) this.discarder(kong.seat, kong.from, `${at}.from`);
      else this.tell("discarder_needed", "DISCARDER_NEEDED", `${at}.from`, "open");
    } else if (kong.from) this.tell("discarder_unexpected", "DISCARDER_UNEXPECTED", `${at}.from`, kong.kind);
    if (!kong.robbed) return;
    if (!["added", "delayed"].includes(kong.kind)) this.tell("outcome_conflict", "ONLY_ADDED_ROBBED", `${at}.robbed`, "robbed");
    else if (!this.isRobbed(place, kong.seat)) this.tell("outcome_conflict", "KONG_NOT_ROBBED", `${at}.robbed`, "robbed");
  }

  discarder(seat, from, at) {
    if (from === seat) this.tell("outcome_conflict", "DISCARDER_IS_SELF", at);
    else this.isInPlay(from, at);
  }

  isRobbed(place, seat) {
    const next = this.facts.events.slice(place + 1).find((event) => event.type !== "dead_hand");
    return ["win", "false_win"].includes(next?.type) && Boolean(next.robbing_kong) && next.from === seat;
  }

  win(win, at) {
    if (!win.winners.length) this.tell("outcome_conflict", "NO_WINNER", `${at}.winners`);
    if (!win.from && win.winners.length > 1) this.tell("multi_win", "ONE_DRAWS", `${at}.winners`, "self_draw");
    if (win.from && this.isInPlay(win.from, `${at}.from`)) this.order(win, `${at}.winners`);
    this.circumstances(win, at);
    if (this.isSecondOnTile(win)) this.tell("multi_win", "ONE_TILE_ONE_EVENT", at, "one_tile");
    win.winners.forEach((winner, place) => this.winner(win, winner, `${at}.winners.${place}`));
  }

  order(win, at) {
    const named = win.winners.map((winner) => winner.seat);
    const twice = SEATS.filter((seat) => named.filter((other) => other === seat).length > 1);
    for (const seat of twice) this.tell("multi_win", "WINS_TWICE", at, "several_wins", { seat: this.seat(seat) });
    const turn = inTurn(this.seats, win.from).filter((seat) => named.includes(seat));
    const told = named.filter((seat) => turn.includes(seat));
    if (!twice.length && told.join() !== turn.join()) this.tell("order_of_winners", "ORDER_OF_WINNERS", at, "several_wins");
  }

  isSecondOnTile(win) {
    const place = this.before.findLastIndex((event) => !isOnSameTile(event, win));
    return this.before.slice(place + 1).some((event) => event.type === "win" && (win.discard_after_kong || win.robbing_kong || event.last_tile));
  }

  circumstances(win, at) {
    const isDrawn = win.type === "win" && win.replacement_win;
    if (isDrawn && win.from) this.tell("discarder_unexpected", "ONLY_SELF_DRAW", `${at}.from`, "replacement");
    if ((win.discard_after_kong || win.robbing_kong) && !win.from) this.tell("discarder_needed", "ONLY_DISCARD", `${at}.from`, "discard_after_kong");
    if (win.discard_after_kong && win.robbing_kong) this.tell("outcome_conflict", "EITHER_KONG", `${at}.robbing_kong`, "robbed");
    if (win.type === "win" && win.robbing_kong && win.last_tile) this.tell("outcome_conflict", "WALL_IS_NOT_EMPTY", `${at}.last_tile`, "no_kong_without_wall");
    const declarer = isDrawn ? win.winners[0]?.seat : win.from;
    if (!declarer || !(isDrawn || win.discard_after_kong || win.robbing_kong)) return;
    const kong = this.before.findLast((event) => !isOnSameTile(event, win));
    if (kong?.type === "kong" && kong.seat === declarer && Boolean(kong.robbed) === Boolean(win.robbing_kong)) return;
    this.tell("outcome_conflict", "KONG_NOT_BEFORE", at, win.robbing_kong ? "robbed" : isDrawn ? "replacement" : "discard_after_kong");
  }

  winner(win, winner, at) {
    if (winner.seat === win.from) this.tell("winner_is_discarder", "WINNER_DISCARDED", `${at}.seat`);
    else if (this.isInPlay(winner.seat, `${at}.seat`) && this.dead.has(winner.seat)) this.tell("outcome_conflict", "HAND_IS_DEAD", `${at}.seat`, "dead_hand", { seat: this.seat(winner.seat) });
    if (!has(winner.fans)) return this.tell("field_needed", "FANS_NEEDED", `${at}.fans`, "base");
    const shown = this.shownBy(this.before, winner.seat);
    this.possible(win, winner.fans, shown, at);
    if (!winner.fan_list) return;
    const noted = this.found.length;
    this.fanList(win, winner.fan_list, winner.fans, `${at}.fan_list`);
    if (this.found.length === noted) this.together(win, winner.fan_list, shown, `${at}.fan_list`);
  }

  ways({ kongs, delayed, pungs }, robs) {
    return this.tables.ways[`${kongs} ${delayed} ${pungs}${robs ? " robs" : ""}`] ?? [];
  }

  worths(shown, { robs = false, byTile = 0 } = {}) {
    const { other_fans: names, fans } = this.tables;
    const sums = this.ways(shown, robs).map((way) => way.reduce((sum, count, place) => sum + count * fans[names[place]].fans, shown.kongs + shown.delayed + byTile));
    return [...new Set(sums)].sort((one, other) => one - other);
  }

  possible(win, fans, shown, at) {
    const byTile = this.tables.circumstances.filter((name) => win[name]).length;
    const possible = this.worths(shown, { robs: Boolean(win.robbing_kong), byTile });
    if (!possible.length) this.tell("outcome_conflict", "NO_SUCH_HAND", at, "kongs");
    else if (!possible.includes(fans)) this.tell("out_of_range", "FANS_IMPOSSIBLE", `${at}.fans`, "kongs", { possible: possible.join(", "), fans });
  }

  fanList(win, list, fans, at) {
    const { fans: table, circumstances } = this.tables;
    for (const [name, count] of Object.entries(list)) {
      const fan = table[name];
      if (!fan) this.tell("value_unknown", "FAN_UNKNOWN", at, "", { name });
      else if (count < 1 || count > fan.most) this.tell("out_of_range", "FAN_TOO_OFTEN", at, fan.clause, { fan: this.named("fan", name), most: fan.most });
    }
    for (const name of circumstances) {
      if (has(list[name]) !== Boolean(win[name])) this.tell("outcome_conflict", "FAN_CONTRADICTS", at, table[name].clause, { fan: this.named("fan", name) });
    }
    const sum = Object.entries(list).reduce((total, [name, count]) => total + (table[name]?.fans ?? 0) * count, 0);
    if (sum !== fans) this.tell("payment_mismatch", "FAN_LIST_SUM", at, "base", { sum, fans });
  }

  together(win, list, shown, at) {
    const { kongs_count_as_quads: asQuads, fans, other_fans: names } = this.tables;
    const standing = shown.kongs + shown.delayed;
    const quads = asQuads ? standing : shown.delayed;
    const kongs = standing - quads;
    const wrong = (list.kong ?? 0) !== kongs ? ["kong", kongs] : (list.quad ?? 0) < quads ? ["quad", quads] : null;
    if (wrong) {
      const [name, declared] = wrong;
      return this.tell("outcome_conflict", "FAN_LIST_KONGS", at, fans[name].clause, { kongs: declared, fan: this.named("fan", name), listed: list[name] ?? 0 });
    }
    const others = names.map((name) => (list[name] ?? 0) - (name === "quad" ? quads : 0));
    const ways = this.ways(shown, Boolean(win.robbing_kong));
    if (ways.length && !ways.some((way) => way.join() === others.join())) this.tell("outcome_conflict", "FANS_APART", at, "kongs");
  }

  falseWin(event, at) {
    this.isInPlay(event.seat, `${at}.seat`);
    if (!this.tables.false_wins.includes(event.kind)) this.tell("value_unknown", "FALSE_WIN_KIND", `${at}.kind`, "false_win");
    if (event.from) this.discarder(event.seat, event.from, `${at}.from`);
    this.circumstances(event, at);
  }

  deadHand({ seat }, at) {
    if (this.isInPlay(seat, `${at}.seat`) && this.dead.has(seat)) this.tell("outcome_conflict", "DEAD_TWICE", `${at}.seat`, "dead_hand", { seat: this.seat(seat) });
  }

  atTheEnd() {
    const hasStake = (seat) => this.tables.last_win_returns_kongs && this.stake({ events: this.happened }, this.seats, seat) > 0;
    for (const seat of this.inPlay) {
      if ((hasStake(seat) || !this.isWonOut) && !this.end[seat]) this.tell("check_needed", "CHECK_NEEDED", `end.${seat}`, "states", { seat: this.seat(seat) });
    }
    for (const [seat, check] of Object.entries(this.end)) {
      const at = `end.${seat}`;
      const who = { seat: this.seat(seat) };
      if (!this.seats.includes(seat)) this.tell("seat_empty", "NOT_AT_TABLE", at, "", who);
      else if (this.winners.includes(seat)) this.tell("outcome_conflict", "CHECK_OF_WINNER", at, "states", who);
      else if (this.falseWinners.includes(seat)) this.tell("outcome_conflict", "CHECK_OF_WINNER", at, "false_winner", who);
      this.state(seat, check, at);
    }
  }

  state(seat, { state, max_base: base }, at) {
    const { states, cap } = this.tables;
    const possible = this.worths(this.shownBy(this.facts.events, seat)).map((fans) => 2 ** Math.min(fans, cap));
    const bases = [...new Set(possible)].sort((one, other) => one - other);
    if (!states.includes(state)) {
      this.tell("value_unknown", "STATE_UNKNOWN", `${at}.state`, "states", { states: states.map((one) => this.named("state", one)).join(", ") });
    } else if (state !== "waiting") {
      if (has(base)) this.tell("unknown_field", "MAX_BASE_UNEXPECTED", `${at}.max_base`, "no_wait");
    } else if (this.dead.has(seat)) this.tell("outcome_conflict", "DEAD_HAND_WAITS", `${at}.state`, "dead_hand_waits", { seat: this.seat(seat) });
    else if (!(bases.includes(base) || (this.isWonOut && !has(base)))) this.tell("out_of_range", "MAX_BASE_NEEDED", `${at}.max_base`, "no_wait", { bases: bases.join(", ") });
  }
}

function isOnSameTile(event, win) {
  if (event.type === "dead_hand") return true;
  if (!["win", "false_win"].includes(event.type) || !win.from) return false;
  const flags = ["discard_after_kong", "robbing_kong"];
  return event.from === win.from && flags.every((name) => Boolean(event[name]) === Boolean(win[name]));
}
