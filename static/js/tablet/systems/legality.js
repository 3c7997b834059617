// Why a hand cannot be, as far as it can be told without tiles: the server's sentences, found by tables that the engine made.
// The rules themselves are the engine's; a test holds what is found here against it, hand by hand.

import { number } from "../words.js";

export class Refusals {
  constructor({ sentences, names, tables }) {
    Object.assign(this, { sentences, names, tables });
    this.found = [];
  }

  note(code, name, field, clause = "", details = {}) {
    this.found.push({ code, field, sentence: filled(this.sentences[name], details), clause });
  }

  named(kind, code) {
    return this.names[kind]?.[code] ?? code;
  }

  seat(seat) {
    return this.named("seat", seat);
  }
}

function filled(sentence, details) {
  return sentence.replace(/%\((\w+)\)s/g, (_whole, name) => (typeof details[name] === "number" ? number(details[name]) : String(details[name])));
}

export function isKnown(known) {
  return Boolean(known?.sentences && Object.keys(known.sentences).length);
}

export function has(value) {
  return value !== undefined && value !== null;
}
