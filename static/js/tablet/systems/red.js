// Red mahjong: what can happen in a hand, in words for the screen, and who pays whom, so that amounts are known without a connection.
// The server works every hand out for itself; a test holds this file against it, hand by hand.

import { _ } from "../words.js";
import { Account, passRound, wins } from "./account.js";
import { problems } from "./red_legality.js";
import { DEAD_HAND, NO_WIN, OTHER, WIN } from "./words.js";

function described(rules) {
  return {
    winsEach: 1,
    value: "points",
    minimum: rules.minimum ?? 0,
    most: 608,
    limit: rules.limit ?? 300,
    hasFlowers: true,
    hasFanTable: true,
    isWithoutWinds: true,
    isWithoutKongs: true,
    modes: [WIN, NO_WIN, OTHER],
    others: [
      { mode: "false_win", label: _("False win"), ask: _("Whose false win?"), kinds: [] },
      DEAD_HAND,
    ],
    unfinished: _("Who won? If nobody did, press “No win”."),
  };
}

class Red {
  constructor(rules) {
    this.rules = rules;
  }

  payments(facts, at) {
    const account = new Account(at.seats);
    for (const event of facts.events) {
      if (event.type === "false_win") for (const other of account.others(event.seat)) account.move(other, [event.seat], 9);
      if (event.type === "win") this.win(account, event);
    }
    return account;
  }

  win(account, win) {
    const [winner] = win.winners;
    const points = Math.min(winner.fans + 3 * (winner.flowers ?? 0), this.rules.limit ?? 300);
    account.move(winner.seat, win.from ? [win.from] : account.others(winner.seat), points);
  }

  following(facts, at) {
    const [win] = wins(facts);
    const stays = win ? win.winners[0].seat === at.dealer : at.seats.length > 2 || this.rules.two_players_no_win === "stays";
    if (stays) return { ...at, number: at.number + 1 };
    return { ...passRound(at), number: at.number + 1 };
  }

  withoutDealer(at) {
    return passRound(at);
  }
}

export const RED = { codes: ["RED"], describe: described, arithmetic: (rules) => new Red(rules), problems };
