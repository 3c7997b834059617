// What can happen in a hand of each system: one description drives the entry, the checks on the way and the words.

import { _ } from "./words.js";

const SICHUAN_FANS = [
  { name: "kong", label: _("Kong"), fans: 1, most: 4 },
  { name: "quad", label: _("Four of a kind"), fans: 1, most: 4 },
  { name: "all_pungs", label: _("All pungs"), fans: 1, most: 1 },
  { name: "golden_wait", label: _("Golden wait"), fans: 1, most: 1 },
  { name: "pure_suit", label: _("Full flush"), fans: 2, most: 1 },
  { name: "seven_pairs", label: _("Seven pairs"), fans: 2, most: 1 },
];

// `by` says how the tile must have come; `kong` whose kong comes just before.
const SICHUAN_CIRCUMSTANCES = [
  { name: "replacement_win", label: _("On a replacement tile"), by: "wall", kong: "winner" },
  { name: "discard_after_kong", label: _("Discard after a kong"), by: "discard", kong: "discarder" },
  { name: "robbing_kong", label: _("Robbing a kong"), by: "discard", kong: "robbed" },
  { name: "last_tile", label: _("Last tile"), by: "", kong: "" },
];

const KONGS = [
  { kind: "concealed", label: _("Concealed"), note: _("2 from each") },
  { kind: "open", label: _("Open"), note: _("2 from the discarder") },
  { kind: "added", label: _("Added"), note: _("1 from each") },
  { kind: "delayed", label: _("Delayed"), note: _("earns nothing") },
];

const WAITING = { state: "waiting", label: _("Waiting") };
const NOT_WAITING = { state: "no_wait", label: _("Not waiting") };

const WIN = { mode: "win", label: _("Win") };
const DEAD_HAND = { mode: "dead_hand", label: _("Dead hand"), ask: _("Whose hand is dead?"), kinds: [] };

function sichuan(system) {
  const pigs =
    system === "SBR"
      ? [
          { state: "pig_active", label: _("Active pig") },
          { state: "pig_passive", label: _("Passive pig") },
        ]
      : [{ state: "pig", label: _("Pig") }];
  const kinds =
    system === "SBR"
      ? [
          { kind: "waiting", label: _("Was waiting"), note: _("8 to each") },
          { kind: "no_wait", label: _("Was not waiting"), note: _("16 to each") },
        ]
      : [
          { kind: "waiting", label: _("Was waiting"), note: _("8 to each") },
          { kind: "no_wait", label: _("Was not waiting"), note: _("8 to each") },
        ];
  return {
    isSequence: true,
    sharesDiscard: true,
    winsEach: 1,
    value: "fans",
    most: 10,
    cap: system === "SBR" ? 4 : 3,
    fans: system === "SBR" ? SICHUAN_FANS : SICHUAN_FANS.filter((fan) => fan.name !== "kong"),
    circumstances: SICHUAN_CIRCUMSTANCES,
    kongs: KONGS,
    modes: [WIN, { mode: "kong", label: _("Kong") }, { mode: "over", label: _("Wall is out") }, { mode: "more", label: _("Other") }],
    others: [
      { mode: "false_win", label: _("False win"), ask: _("Whose false win?"), kinds, hasDiscarder: true },
      DEAD_HAND,
    ],
    end: { states: [WAITING, NOT_WAITING, ...pigs], bases: system === "SBR" ? [1, 2, 4, 8, 16] : [1, 2, 4, 8] },
    isCheckedAfterLastWin: system === "SBR",
    unfinished: _("Enter the next win, or press “Wall is out”."),
  };
}

const MCR_OFFENCES = [
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

const NO_WIN = { mode: "over", label: _("No win") };
const OTHER = { mode: "more", label: _("Other") };

function mcr(rules) {
  return {
    winsEach: 1,
    value: "points",
    minimum: rules.minimum ?? 8,
    most: 400,
    hasFlowers: true,
    hasFanTable: true,
    modes: [WIN, NO_WIN, OTHER],
    others: MCR_OFFENCES,
    unfinished: _("Who won? If nobody did, press “No win”."),
  };
}

function siamese(rules) {
  return {
    isSequence: true,
    winsEach: 2,
    value: "points",
    minimum: rules.minimum ?? 8,
    most: 400,
    hasFanTable: true,
    hasTwoHands: true,
    modes: [WIN, { mode: "over", label: _("Wall is out") }, OTHER],
    others: MCR_OFFENCES,
    unfinished: _("Enter the next win, or press “Wall is out”."),
  };
}

function red(rules) {
  return {
    winsEach: 1,
    value: "points",
    minimum: rules.minimum ?? 0,
    most: 608,
    limit: rules.limit ?? 300,
    hasFlowers: true,
    hasFanTable: true,
    modes: [WIN, NO_WIN, OTHER],
    others: [
      { mode: "false_win", label: _("False win"), ask: _("Whose false win?"), kinds: [] },
      DEAD_HAND,
    ],
    unfinished: _("Who won? If nobody did, press “No win”."),
  };
}

const MOST_HAN = 13;
const LIMITS = [
  { limit: "mangan", label: _("Mangan") },
  { limit: "haneman", label: _("Haneman") },
  { limit: "baiman", label: _("Baiman") },
  { limit: "sanbaiman", label: _("Sanbaiman") },
  { limit: "counted_yakuman", label: _("Counted yakuman") },
  { limit: "yakuman", label: _("Yakuman") },
];

function riichi(rules) {
  const reachable = new Set(["mangan", "yakuman", ...Object.values(rules.limits ?? {})]);
  const steps = Object.keys(rules.limits ?? { 5: "" }).map(Number);
  const least = steps.length ? Math.min(...steps) : MOST_HAN + 1;
  return {
    sharesDiscard: true,
    winsEach: 1,
    value: "han",
    mostHan: least - 1,
    largeHan: Array.from({ length: MOST_HAN - least + 1 }, (_unused, index) => least + index),
    limits: LIMITS.filter((one) => reachable.has(one.limit)),
    fu: (han) => [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, ...(han > 3 ? [120, 130, 140] : [])],
    hasRiichi: true,
    modes: [WIN, { mode: "over", label: _("Exhausted wall") }, OTHER],
    others: [
      { mode: "chombo", label: _("Chombo"), ask: _("Whose chombo?"), kinds: [] },
      DEAD_HAND,
      ...(rules.nagashi_mangan ? [{ mode: "nagashi", label: _("Nagashi mangan"), ask: _("Whose nagashi mangan?"), kinds: [] }] : []),
    ],
    end: { states: [WAITING, NOT_WAITING], bases: [] },
    unfinished: _("Who won? If nobody did, press “Exhausted wall”."),
  };
}

// Describes the system of a table; `seats` are the occupied ones, E S W N.
export function describe(state) {
  const seats = state.seats.filter((seat) => seat.player).map((seat) => seat.wind);
  const rules = state.rules ?? {};
  const described = { SBR: sichuan, WMSG: sichuan, MCR: mcr, SIAM: siamese, RED: red, RIICHI: riichi };
  const own = described[state.system](state.system === "SBR" || state.system === "WMSG" ? state.system : rules);
  return { system: state.system, rules, seats, fans: [], circumstances: [], kongs: [], ...own };
}
