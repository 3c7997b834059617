// Why a Siamese deal cannot be: two wins a player at most, the golden rule, and what one turn allows.

import { has } from "./legality.js";
import { SportHand } from "./mcr_legality.js";

const WINDS = ["E", "S", "W", "N"];

export function problems(known, facts, at, order) {
  const deal = new Deal(known, facts, at, order);
  deal.check();
  return deal.found;
}

class Deal extends SportHand {
  constructor(known, facts, at, order) {
    super(known, facts, at, order);
    this.hasTwoHands = true;
  }

  isEnded() {
    const winners = this.wins.flatMap((win) => win.winners.map((winner) => winner.seat));
    return new Set(winners).size < winners.length;
  }

  get endClause() {
    return "SIAM 3";
  }

  win(win, at) {
    this.whoWins(win, at);
    const isSecond = this.isSecondOfTurn(win, at);
    win.winners.forEach((winner, place) => {
      const where = `${at}.winners.${place}`;
      const earlier = this.wins.flatMap((before) => before.winners).filter((one) => one.seat === winner.seat);
      if (isSecond) this.drawnTile(winner, earlier.at(-1), where);
      else if (winner.without_drawn_tile && (earlier.length || win.from)) this.note("outcome_conflict", "ONLY_FIRST_DRAW", `${where}.without_drawn_tile`, "SIAM 17");
      this.goldenRule(winner, earlier, where);
      const isFirst = !earlier.length || isSecond;
      this.value(win, winner, where, !win.from && isFirst && winner.without_drawn_tile ? this.tables.barred : []);
    });
    this.wins.push(win);
    this.honors(win, at);
  }

  // A pung of one kind leaves too few for another in any other hand, and so does the pair of a fan of small sets.
  honors(win, at) {
    const { dragons, winds, round_wind: roundWind, own_wind: ownWind } = this.tables.honors;
    const count = { dragons: 0, winds: 0 };
    const named = [];
    for (const { seat, fan_list: list = {} } of this.wins.flatMap((one) => one.winners)) {
      const own = has(list[ownWind]) && this.order.includes(seat) ? [WINDS[this.order.indexOf(seat)]] : [];
      const kinds = new Set([...own, ...(has(list[roundWind]) ? [this.at.round] : [])]);
      count.dragons += most(dragons.needed, list);
      count.winds += Math.max(most(winds.needed, list), kinds.size);
      named.push(...kinds);
    }
    const isWrong = count.dragons > dragons.most || count.winds > winds.most || new Set(named).size < named.length;
    const isListed = win.winners.some((winner) => Object.keys(winner.fan_list ?? {}).length);
    if (isWrong && isListed) this.note("yaku_conflict", "HONORS_OF_ANOTHER", `${at}.winners.0.fan_list`, "RULES 8.49");
  }

  isSecondOfTurn(win, at) {
    if (!win.same_turn) return false;
    const before = this.wins.at(-1);
    const seats = (one) => [...new Set(one.winners.map((winner) => winner.seat))].sort().join();
    if (before && !before.from && !win.from && seats(before) === seats(win)) return true;
    this.note("outcome_conflict", "ONE_TURN", `${at}.same_turn`, "SIAM 5");
    return false;
  }

  drawnTile(winner, before, at) {
    const pair = [before, winner];
    // Whether tiles without a list may have come by a kong is the server's to say.
    const hasTwo = pair.some((one) => has(one.fan_list?.[this.tables.replacement]) || (one.tiles && !one.fan_list));
    if (pair.every((one) => one.without_drawn_tile)) this.note("outcome_conflict", "NOBODY_USED", `${at}.without_drawn_tile`, "RULES 8.49");
    else if (!hasTwo && pair.every((one) => this.showsTheDrawnTile(one))) this.note("outcome_conflict", "BOTH_USED", `${at}.without_drawn_tile`, "RULES 8.49");
  }

  showsTheDrawnTile(winner) {
    const isListed = this.tables.barred.some((fan) => has(winner.fan_list?.[fan]));
    return !winner.without_drawn_tile && (Boolean(winner.tiles) || isListed);
  }

  goldenRule(winner, earlier, at) {
    if (!earlier.length || (winner.fans ?? 0) >= (earlier[0].fans ?? 0)) return;
    this.note("golden_rule", "GOLDEN_RULE", `${at}.fans`, "SIAM 4", { first: earlier[0].fans, second: winner.fans });
  }
}

// How many kinds the listed fans need; a fan listed twice needs twice as many.
function most(needed, list) {
  return Math.max(0, ...Object.entries(needed).map(([fan, kinds]) => kinds * (list[fan] ?? 0)));
}
