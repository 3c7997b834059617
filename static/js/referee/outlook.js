// What a price does to the four of a table, before it is given: at the table, and in the standings where there is a connection.

import { h, icon, wind } from "../tablet/dom.js";
import { signed, _ } from "../tablet/words.js";
import { fourWith } from "./rules.js";
import { changeWords } from "./words.js";

// The server's answers, by session and player; what was told of another state of the event is asked for anew.
export class Foreseen {
  constructor(server) {
    this.server = server;
    this.known = new Map();
    this.at = "";
  }

  // Resolves to whether anything new was learnt; without a connection nothing is, and the table is told alone.
  async ask(session, player, prices, at) {
    if (at !== this.at) this.known.clear();
    this.at = at;
    const name = `${session} ${player} ${prices.join()}`;
    if (!prices.length || this.asked === name + at) return false;
    this.asked = name + at;
    try {
      const answer = await this.server.get(`session-${session}/outlook/?player=${player}&takes=${prices.join()}`);
      if (at !== this.at) return false;
      this.known.set(`${session} ${player}`, answer.prices);
      return true;
    } catch {
      this.asked = "";
      return false;
    }
  }

  of(session, player, cost) {
    return this.known.get(`${session} ${player}`)?.[cost] ?? null;
  }
}

export function fourRows(session, table, seat, cost, waiting, standings) {
  const rows = fourWith(session, table, seat, cost, waiting).map(({ seat: one, points, place }) => {
    const move = standings?.moves.find((found) => found.player === one.player);
    const [heading, now, then] = move?.total ?? [];
    return h(
      "li",
      {},
      h("span", { class: "phone-four-name" }, wind(one.wind), " ", one.name),
      h("span", {}, [changeWords(points, signed), _("place %(place)s", { place: changeWords(place) })].join(" · ")),
      move ? h("span", { class: "small soft" }, _("standings: place %(place)s", { place: changeWords(move, (value) => value ?? "–") }), heading ? ` · ${heading} ${changeWords({ now, then })}` : "") : null,
    );
  });
  return h(
    "div",
    { class: "phone-four" },
    standings?.is_nothing ? h("div", { class: "notice notice-danger" }, icon("alert"), h("div", {}, _("It changes nothing: no points, no places. Such a penalty is not taken."))) : null,
    h("ul", {}, rows),
    standings ? null : h("p", { class: "small soft" }, _("The standings are told with a connection, once everything before is sent.")),
  );
}
