// Siamese sport mahjong: what can happen in a hand, in words for the screen, and who pays whom, so that amounts are known without a connection.
// The server works every hand out for itself; a test holds this file against it, hand by hand.

import { _ } from "../words.js";
import { Account, inTurn, passRound, wins } from "./account.js";
import { isOffence, MCR_OFFENCES, offence, TILE_FLAGS } from "./mcr.js";
import { problems } from "./siamese_legality.js";
import { OTHER, WIN } from "./words.js";

function described(rules) {
  return {
    isSequence: true,
    winsEach: 2,
    value: "points",
    minimum: rules.minimum ?? 8,
    most: 400,
    shortKind: "below_minimum",
    hasFanTable: true,
    tileFlags: TILE_FLAGS,
    hasTwoHands: true,
    modes: [WIN, { mode: "over", label: _("Wall is out") }, OTHER],
    others: MCR_OFFENCES,
    unfinished: _("Enter the next win, or press “Wall is out”."),
  };
}

class Siamese {
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
    // Two play as many hands as the regulation says.
    if (number > 12 && at.seats.length > 2) return { ...at, number, is_over: true };
    return { ...this.withoutDealer(at), number };
  }

  withoutDealer(at) {
    return passRound(at);
  }
}

export const SIAMESE = {
  codes: ["SIAM"],
  describe: described,
  arithmetic: () => new Siamese(),
  problems: (known, facts, at) => problems(known, facts, at, [at.dealer, ...inTurn(at.seats, at.dealer)]),
};
