// Words that several systems offer on the screen of a hand.

import { _ } from "../words.js";

export const WAITING = { state: "waiting", label: _("Waiting") };
export const NOT_WAITING = { state: "no_wait", label: _("Not waiting") };

export const WIN = { mode: "win", label: _("Win") };
export const NO_WIN = { mode: "over", label: _("No win") };
export const OTHER = { mode: "more", label: _("Other") };
export const DEAD_HAND = { mode: "dead_hand", label: _("Dead hand"), ask: _("Whose hand is dead?"), kinds: [] };
