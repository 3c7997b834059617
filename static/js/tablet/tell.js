// Hands in words: who won from whom, what else happened, who was waiting.

import { systemOf } from "./systems/index.js";
import { _, ngettext, number, windName } from "./words.js";

const LIMITS = {
  mangan: () => _("Mangan"),
  haneman: () => _("Haneman"),
  baiman: () => _("Baiman"),
  sanbaiman: () => _("Sanbaiman"),
  counted_yakuman: () => _("Counted yakuman"),
  yakuman: () => _("Yakuman"),
};

const KONGS = {
  concealed: () => _("concealed kong"),
  open: () => _("open kong"),
  added: () => _("added kong"),
  delayed: () => _("delayed kong"),
};

const STATES = {
  waiting: () => _("waiting"),
  no_wait: () => _("not waiting"),
  pig: () => _("pig"),
  pig_active: () => _("active pig"),
  pig_passive: () => _("passive pig"),
};

// A seat is told by the name of who sits there; in a narrow place by the family name, unless two share it.
export function namesOf(seats) {
  const known = Object.fromEntries(seats.map((seat) => [seat.wind, seat.player ?? windName(seat.wind)]));
  const first = Object.fromEntries(Object.entries(known).map(([wind, name]) => [wind, name.split(" ")[0]]));
  const shared = new Set(Object.values(first)).size < Object.keys(first).length;
  return { full: known, short: shared ? known : first };
}

export function valueWords(winner, system) {
  if (winner.nagashi) return _("Nagashi mangan");
  if (winner.yakuman > 1) return _("%(count)s × yakuman", { count: winner.yakuman });
  if (winner.limit) return LIMITS[winner.limit]();
  if (winner.han) return winner.fu ? _("%(han)s han, %(fu)s fu", winner) : ngettext("%(count)s han", "%(count)s han", winner.han);
  if (winner.fans === null || winner.fans === undefined) return "…";
  const flowers = winner.flowers ? ` + ${ngettext("%(count)s flower", "%(count)s flowers", winner.flowers)}` : "";
  if (systemOf(system).countsFans) return ngettext("%(count)s fan", "%(count)s fans", winner.fans);
  return ngettext("%(count)s point", "%(count)s points", winner.fans) + flowers;
}

export function eventWords(event, names, system) {
  const who = names[event.seat];
  switch (event.type) {
    case "win":
      return winWords(event, names, system);
    case "kong":
      return kongWords(event, names);
    case "false_win":
      return _("%(who)s: false win", { who });
    case "exposure":
      return _("%(who)s: showed the tiles", { who });
    case "dead_hand":
      return _("%(who)s: dead hand", { who });
    default:
      return _("%(who)s: chombo", { who });
  }
}

function winWords(event, names, system) {
  const winners = event.winners.map((winner) => `${names[winner.seat]} (${valueWords(winner, system)})`).join(", ");
  if (event.from === undefined) return `${winners} …`;
  return event.from ? `${winners} ← ${names[event.from]}` : _("%(winners)s from the wall", { winners });
}

function kongWords(event, names) {
  const kind = event.kind ? KONGS[event.kind]() : _("kong");
  const said = `${names[event.seat]}: ${kind}`;
  if (event.from) return `${said} ← ${names[event.from]}`;
  return event.robbed ? _("%(said)s, robbed", { said }) : said;
}

export function stateWords(check) {
  const said = STATES[check.state]();
  return check.max_base ? `${said}, ${number(check.max_base)}` : said;
}

// The whole hand, a line for each thing that happened.
export function handWords(facts, names, system) {
  const lines = facts.events.map((event) => eventWords({ from: null, ...event }, names, system));
  const end = Object.entries(facts.end ?? {}).map(([seat, check]) => `${names[seat]}: ${stateWords(check)}`);
  const riichi = (facts.riichi ?? []).map((seat) => names[seat]);
  if (!facts.events.some((event) => event.type === "win" || event.type === "chombo")) lines.push(_("No win"));
  if (facts.abort) lines.push(systemOf(system).aborts[facts.abort]);
  if (end.length) lines.push(end.join("; "));
  if (riichi.length) lines.push(_("Riichi: %(names)s", { names: riichi.join(", ") }));
  return lines;
}

export function operationWords(entry) {
  const words = {
    hands: () => _("Hand %(number)s", { number: entry.shown?.number ?? "?" }),
    undo: () => _("Taking back hand %(number)s", { number: entry.body.number }),
    final: () => _("Final result"),
    end: () => _("End of the session"),
    resume: () => _("Play on"),
    confirm: () => _("Confirmation by %(wind)s", { wind: windName(entry.body.wind) }),
    correct: () => _("Correction of hand %(number)s", { number: entry.body.number }),
    void: () => _("Striking hand %(number)s", { number: entry.body.number }),
    seats: () => _("Repair of wrong seats"),
    objection: () => _("Objection to the result"),
    "sign-off": () => _("Sign-off by the referee"),
  };
  return words[entry.operation]();
}
