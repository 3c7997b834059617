// Why a Siamese deal cannot be: two wins a player at most, the golden rule, and what one turn allows.

import { has } from "./legality.js";
import { SportHand } from "./mcr_legality.js";

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
    const hasTwo = pair.some((one) => has(one.fan_list?.[this.tables.replacement]));
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
