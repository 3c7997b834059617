// Sport mahjong: what can happen in a hand, in words for the screen, and who pays whom, so that amounts are known without a connection.
// The server works every hand out for itself; a test holds this file against it, hand by hand.

import { _ } from "../words.js";
import { Account, inTurn, SEATS } from "./account.js";
import { problems } from "./mcr_legality.js";
import { DEAD_HAND, NO_WIN, OTHER, WIN } from "./words.js";

const MCR_ROUNDS = ["ESWN", "SENW", "WNSE", "NWES"];
const MCR_FALSE_WINS = { below_minimum: 10, wrong_claim: 20 };

export const MCR_OFFENCES = [
  {
    mode: "false_win",
    label: _("False win"),
    ask: _("Whose false win?"),
    kinds: [
      { kind: "below_minimum", label: _("Below the minimum"), note: _("10 to each") },
      { kind: "wrong_claim", label: _("Wrong claim"), note: _("20 to each") },
    ],
  },
  { mode: "exposure", label: _("Tiles shown"), ask: _("Who showed all tiles?"), kinds: [] },
  DEAD_HAND,
];

export const TILE_FLAGS = [
  { name: "last_of_kind", label: _("Last of its kind") },
  { name: "replacement_after_kong", label: _("On a replacement tile") },
  { name: "robbing_kong", label: _("Robbing a kong") },
  { name: "last_wall_tile", label: _("Last tile of the wall") },
];

function described(rules) {
  return {
    winsEach: 1,
    value: "points",
    minimum: rules.minimum ?? 8,
    most: 400,
    shortKind: "below_minimum",
    hasFlowers: true,
    hasFanTable: true,
    tileFlags: TILE_FLAGS,
    modes: [WIN, NO_WIN, OTHER],
    others: MCR_OFFENCES,
    unfinished: _("Who won? If nobody did, press “No win”."),
  };
}

export function offence(account, event) {
  const points = event.type === "exposure" ? 10 : MCR_FALSE_WINS[event.kind];
  for (const other of account.others(event.seat)) account.move(other, [event.seat], points);
}

export function isOffence(event) {
  return event.type === "false_win" || event.type === "exposure";
}

class Mcr {
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
    return { ...this.withoutDealer(at), number: at.number + 1 };
  }

  // The deal passes to the next of the round, else to the first of the next round.
  withoutDealer(at) {
    const order = this.order(at.seats, at.round);
    const next = order[order.indexOf(at.dealer) + 1];
    if (next) return { ...at, dealer: next };
    const round = SEATS[SEATS.indexOf(at.round) + 1];
    if (!round) return { ...at, is_over: true };
    return { ...at, dealer: this.order(at.seats, round)[0], round };
  }

  // The seats in the order in which they sit and deal in a round.
  order(seats, round) {
    return [...MCR_ROUNDS[SEATS.indexOf(round)]].filter((seat) => seats.includes(seat));
  }
}

export const MCR = {
  codes: ["MCR"],
  describe: described,
  arithmetic: () => new Mcr(),
  problems: (known, facts, at) => problems(known, facts, at, [at.dealer, ...inTurn(new Mcr().order(at.seats, at.round), at.dealer)]),
};
