// The systems that the tablet can enter: one object each, listed here and nowhere else.

import { isKnown } from "./legality.js";
import { MCR } from "./mcr.js";
import { RED } from "./red.js";
import { RIICHI } from "./riichi.js";
import { SIAMESE } from "./siamese.js";
import { SICHUAN } from "./sichuan.js";

const SYSTEMS = [SICHUAN, MCR, SIAMESE, RED, RIICHI];

export function systemOf(code) {
  return SYSTEMS.find((one) => one.codes.includes(code));
}

// Describes the system of a table; `seats` are those who play the hand, E S W N: everybody, unless somebody has left.
export function describe(state, seats = state.seats.filter((seat) => seat.player).map((seat) => seat.wind)) {
  const rules = state.rules ?? {};
  const own = systemOf(state.system).describe(rules, state.system);
  return { system: state.system, rules, seats, fans: [], circumstances: [], kongs: [], tileFlags: [], ...own };
}

export function arithmeticOf(code, rules) {
  return systemOf(code).arithmetic(rules, code);
}

// Why a hand cannot be, as far as it can be told without tiles, by what the engine has told of its rules; nothing where it has not.
export function problemsOf(code, rules, known, facts, at) {
  return isKnown(known) ? systemOf(code).problems(known, facts, at, rules, code) : [];
}
