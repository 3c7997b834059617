// What a hand is worth, in another way than by a number: fans from a list, or tile by tile with the engine's reading.

import { ask, h, icon, tile, tileName } from "./dom.js";
import { toggle } from "./entry.js";
import { lately, remember } from "./lately.js";
import { readHand, writeHand } from "./notation.js";
import { Refused, Unreachable } from "./server.js";
import * as store from "./store.js";
import { _, ngettext, number } from "./words.js";

const PAUSE = 200;
// So few tiles may be lacking for the engine to look what the hand is near to.
const NEAR = 2;
const COPIES = 4;
const SUITS = ["m", "p", "s"];
const HONORS = ["E", "S", "W", "N", "R", "G", "Wh"];


// What the engine tells of the rules: its fans, and which hands cannot be. Fetched once for a version of the screen, a language and settings.
export async function rulesOf(screen) {
  const name = `fans:${screen.slug}:${document.documentElement.lang}`;
  const of = JSON.stringify([screen.root.dataset.version ?? "", screen.state.rules ?? {}]);
  const kept = (await store.read(name)) ?? null;
  if (kept?.of === of) return kept;
  try {
    const found = { ...(await screen.server.get(`${screen.path}fans/`)), of };
    if (!Array.isArray(found.fans)) throw new Unreachable("portal");
    await store.keep(name, found);
    return found;
  } catch (error) {
    // The fans of other settings can still be chosen from; what they make impossible is the server's to say.
    if (error instanceof Unreachable || error instanceof Refused) return kept && { ...kept, legality: null };
    throw error;
  }
}

// Fans from the list

export async function chooseFans(screen, winner, isSelfDraw) {
  const table = await rulesOf(screen);
  if (!table) return screen.say(_("The list of fans needs a connection the first time."), { kind: "warning" });
  const counts = { ...(winner.fan_list ?? {}) };
  const byCode = Object.fromEntries(table.fans.map((fan) => [fan.code, fan]));
  const sum = () => Object.entries(counts).reduce((total, [code, times]) => total + byCode[code].points * times, 0);
  const total = h("output", { class: "fans-total" });
  const list = h("div", { class: "fans-list" });
  const search = h("input", { class: "input", type: "search", id: "fan-search", autocomplete: "off", placeholder: _("Find a fan"), "aria-label": _("Find a fan"), oninput: () => draw() });
  const press = (fan) => {
    counts[fan.code] = ((counts[fan.code] ?? 0) + 1) % (fan.most + 1);
    if (!counts[fan.code]) delete counts[fan.code];
    for (const code of fan.excludes) if (counts[fan.code]) delete counts[code];
    draw(fan.code);
  };
  const draw = (focus = "") => {
    total.textContent = ngettext("%(count)s point", "%(count)s points", sum());
    list.replaceChildren(...groups(table.fans, counts, byCode, search.value, isSelfDraw, press));
    list.querySelector(`[data-focus="list-${focus}"]`)?.focus({ preventScroll: true });
  };
  draw();
  const taken = await ask(_("Fans of the hand"), h("div", {}, h("div", { class: "fans-head" }, search, total), list), [
    { text: _("Take these fans"), take: () => ({ list: counts, fans: sum() }), kind: "" },
    { text: _("Go back"), value: null },
  ], { wide: true });
  return taken;
}

// Fans of equal value stand together, the dearest first; what another chosen fan excludes cannot be pressed.
function groups(fans, counts, byCode, search, isSelfDraw, press) {
  const barred = new Set(Object.keys(counts).flatMap((code) => byCode[code].excludes));
  const sought = search.trim().toLowerCase();
  const shown = fans.filter((fan) => !sought || fan.name.toLowerCase().includes(sought) || fan.code === sought);
  const values = [...new Set(shown.map((fan) => fan.points))].sort((one, other) => other - one);
  return values.map((points) =>
    h(
      "section",
      {},
      h("h3", {}, ngettext("%(count)s point", "%(count)s points", points)),
      h(
        "div",
        { class: "fans-of-value" },
        shown
          .filter((fan) => fan.points === points)
          .map((fan) =>
            toggle(fan.name, Boolean(counts[fan.code]), () => press(fan), {
              id: `list-${fan.code}`,
              kind: "choice-fan",
              disabled: barred.has(fan.code) || Boolean(fan.only && (fan.only === "self_draw") !== isSelfDraw),
              note: counts[fan.code] > 1 ? `×${counts[fan.code]}` : `№ ${fan.code}`,
            }),
          ),
      ),
    ),
  );
}

// Tile by tile

class TileHand {
  constructor(winner, size = 14) {
    this.size = size;
    this.melds = structuredClone(winner.tiles?.melds ?? []);
    this.tiles = winner.tiles ? [...winner.tiles.concealed, winner.tiles.winning_tile] : [];
    this.flags = new Set();
    this.dora_indicators = [];
    this.ura_indicators = [];
    this.target = "tiles";
    this.meld = "";
    this.forbidden = "";
  }

  get room() {
    return this.size - 3 * this.melds.length - this.tiles.length;
  }

  count(code) {
    const all = [...this.tiles, ...this.melds.flatMap((meld) => meld.tiles), ...this.dora_indicators, ...this.ura_indicators];
    return all.filter((one) => one === code).length;
  }

  // Whether pressing a tile would make something that can be.
  takes(code) {
    if (this.target !== "tiles") return this[this.target].length < 5 && this.count(code) < COPIES;
    if (!this.meld) return this.room > 0 && this.count(code) < COPIES;
    const tiles = this.setOf(code);
    return this.room >= 3 && Boolean(tiles) && [...new Set(tiles)].every((one) => this.count(one) + tiles.filter((other) => other === one).length <= COPIES);
  }

  setOf(code) {
    if (this.meld === "pung") return [code, code, code];
    if (this.meld.endsWith("kong")) return [code, code, code, code];
    const rank = Number(code[1]);
    if (!SUITS.includes(code[0]) || code.length < 2 || !(rank <= 7)) return null;
    return [0, 1, 2].map((step) => code[0] + (rank + step));
  }

  press(code) {
    if (!this.takes(code)) return;
    if (this.target !== "tiles") this[this.target].push(code);
    else if (!this.meld) this.tiles.push(code);
    else {
      const type = this.meld.endsWith("kong") ? "kong" : this.meld;
      this.melds.push({ type, tiles: this.setOf(code), open: this.meld !== "concealed_kong" });
      this.meld = "";
    }
  }

  // Whether a set fits into the hand as it is.
  fits(meld) {
    return this.room >= 3 && [...new Set(meld.tiles)].every((one) => this.count(one) + meld.tiles.filter((other) => other === one).length <= COPIES);
  }

  // Takes a hand that was read, as far as there is room and there are such tiles; returns what was too much.
  lay({ melds, tiles }) {
    Object.assign(this, { melds: [], tiles: [], target: "tiles", meld: "" });
    const left = [];
    for (const meld of melds) this.fits(meld) ? this.melds.push(structuredClone(meld)) : left.push(...meld.tiles);
    for (const code of tiles) this.room > 0 && this.count(code) < COPIES ? this.tiles.push(code) : left.push(code);
    return left;
  }

  written(isSichuan) {
    const melds = this.melds.map(({ kong, ...meld }) => (isSichuan && meld.type === "kong" ? { ...meld, kong: kong ?? (meld.open ? "open" : "concealed") } : meld));
    if (this.size === 13) return { concealed: this.tiles, melds };
    return { concealed: this.tiles.slice(0, -1), melds, winning_tile: this.tiles.at(-1) };
  }
}

export async function chooseTiles(screen, winner, event, context) {
  const { system } = screen;
  const isSichuan = system.value === "fans";
  const hand = new TileHand(winner);
  const before = await lately(screen);
  const result = resultBar();
  const pad = h("div", { class: "tiles-body" });
  const label = _("Type, paste or dictate the hand, the winning tile last");
  const text = h("input", { class: "input", id: "tiles-text", type: "text", autocomplete: "off", spellcheck: false, "aria-label": label, placeholder: label, oninput: () => readText() });
  const misread = h("p", { class: "tiles-misread", role: "status" });
  // The field is never taken out of the page, or a keyboard and a dictation would end with every word.
  const typed = h("div", { class: "tiles-typed" }, text, misread);
  const foot = h("div", {});
  let found = null;
  let timer = 0;
  let asked = 0;

  const asking = async (address, what, show) => {
    const mine = asked;
    const how = howOf(system, hand, winner, event, context);
    try {
      const said = await screen.server.post(`${screen.path}${address}/`, { ...what, how });
      // An answer for tiles that have been changed since is not shown, and not taken.
      if (mine === asked) show(said, null);
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
      if (mine === asked) show(null, error);
    }
  };
  const evaluate = () =>
    asking("evaluate", { tiles: hand.written(isSichuan) }, (said, error) => {
      found = said;
      if (said) result.replaceChildren(...told(said));
      else if (error instanceof Unreachable) result.replaceChildren(h("p", {}, _("The tiles can be evaluated when the connection is back.")));
      else result.replaceChildren(...error.problem.problems.map((one) => refusal(one)));
    });
  // What cannot be asked is not told: without a connection the pad says nothing of what is near.
  const lookAhead = () => asking("near", { text: writeHand(hand) }, (said) => said?.near.length && result.replaceChildren(...nearTo(said)));
  const change = (work, { isTyped = false } = {}) => {
    work();
    if (!isTyped) {
      text.value = "";
      misread.textContent = "";
    }
    pad.replaceChildren(...padOf(system, hand, change, before));
    foot.replaceChildren(flags(system, hand, change));
    clearTimeout(timer);
    found = null;
    asked += 1;
    result.replaceChildren();
    result.className = hand.room ? "tiles-result" : "tiles-result is-whole";
    if (hand.room === 0) {
      timer = setTimeout(evaluate, PAUSE);
      return;
    }
    result.replaceChildren(h("p", { class: "soft" }, ngettext("%(count)s more tile; the last one is the winning tile.", "%(count)s more tiles; the last one is the winning tile.", Math.max(0, hand.room))));
    if (hand.room <= NEAR) timer = setTimeout(lookAhead, PAUSE);
  };
  const readText = () => {
    const read = readHand(text.value);
    change(() => (read.left = hand.lay(read)), { isTyped: true });
    misread.textContent = [
      read.unknown.length ? _("Not understood: %(words)s", { words: read.unknown.join(", ") }) : "",
      read.left.length ? _("Too much: %(tiles)s", { tiles: read.left.map(tileName).join(", ") }) : "",
    ].filter(Boolean).join(". ");
  };
  change(() => {});
  const taken = await ask(
    _("Tiles of the hand"),
    h("div", {}, pad, typed, foot),
    [
      { text: _("Take this value"), take: () => (found?.winner ? { ...found.winner, tiles: found.tiles } : void refuseToTake(result, hand)), kind: "" },
      { text: _("Go back"), value: null },
    ],
    { wide: true, kind: "is-tiles", said: result },
  );
  asked += 1;
  clearTimeout(timer);
  await remember(screen, hand);
  return taken;
}

// What is told of the tiles has a place of its own size above the buttons: it is seen without scrolling, and nothing moves when it comes.
function resultBar() {
  return h("div", { class: "tiles-result", role: "status", tabindex: "0" });
}

// Fans that one or two more tiles would bring, with these tiles; the engine has valued each of them.
function nearTo({ lacking, sure, near }) {
  const named = near.map(({ name, clause, tiles, worth }) =>
    h(
      "li",
      {},
      h("span", {}, ngettext("%(count)s tile from %(fan)s", "%(count)s tiles from %(fan)s", lacking, { fan: name }), h("small", {}, ` [${clause}]`)),
      h("span", { class: "tiles" }, tiles.map((code) => tile(code, "tile-small"))),
      h("small", {}, worth),
    ),
  );
  return [
    named.length ? h("ul", { class: "terms tiles-near" }, named) : null,
    sure.length ? h("p", { class: "tiles-sure" }, _("In any case: %(fans)s", { fans: sure.map((one) => one.name).join(", ") })) : null,
  ].filter(Boolean);
}

// A press that can take nothing says why.
function refuseToTake(result, hand) {
  const text = hand.room > 0 ? _("The hand is not complete: there is no value to take.") : _("This hand has no value that could be taken.");
  result.querySelector(".tiles-refusal")?.remove();
  result.prepend(h("p", { class: "tiles-refusal tablet-notice", role: "alert" }, icon("alert"), text));
}

// What a hand waits for at the end, and the most it could be worth.
export async function chooseWaiting(screen, name) {
  const hand = new TileHand({}, 13);
  const result = resultBar();
  const pad = h("div", { class: "tiles-body" });
  const foot = h("div", {});
  let found = null;
  let asked = 0;
  const change = async (work) => {
    work();
    found = null;
    asked += 1;
    const mine = asked;
    pad.replaceChildren(...padOf(screen.system, hand, change));
    foot.replaceChildren(flags(screen.system, hand, change));
    if (hand.room) return result.replaceChildren(h("p", { class: "soft" }, ngettext("%(count)s more tile.", "%(count)s more tiles.", hand.room)));
    try {
      const forbidden = hand.forbidden ? { forbidden_suit: hand.forbidden } : {};
      const said = await screen.server.post(`${screen.path}waits/`, { tiles: hand.written(true), ...forbidden });
      if (mine !== asked) return;
      found = said;
      result.replaceChildren(...waits(found));
    } catch (error) {
      if (mine !== asked) return;
      if (error instanceof Unreachable) result.replaceChildren(h("p", {}, _("The tiles can be evaluated when the connection is back.")));
      else if (error instanceof Refused) result.replaceChildren(...error.problem.problems.map((one) => refusal(one)));
      else throw error;
    }
  };
  change(() => {});
  return ask(_("The hand of %(name)s at the end", { name }), h("div", {}, pad, foot), [
    { text: _("Take this"), take: () => (found ? { state: found.waiting ? "waiting" : "no_wait", base: found.waiting ? found.max_base : null } : void refuseToTake(result, hand)), kind: "" },
    { text: _("Go back"), value: null },
  ], { wide: true, kind: "is-tiles", said: result });
}

function waits(found) {
  if (!found.waiting) return [h("p", {}, h("strong", {}, _("Not waiting")))];
  const best = ngettext("%(count)s fan", "%(count)s fans", found.max_fans);
  return [
    h("p", {}, h("strong", {}, _("Waiting, at most %(base)s", { base: number(found.max_base) })), ` (${best})`),
    h("p", { class: "tiles" }, found.waits.map((code) => tile(code, "tile-small"))),
  ];
}

function howOf(system, hand, winner, event, context) {
  const how = { self_draw: event.from === null };
  if (system.value === "fans") {
    for (const one of system.circumstances) if (event[one.name]) how[one.name] = true;
    if (hand.forbidden) how.forbidden_suit = hand.forbidden;
    return how;
  }
  for (const flag of hand.flags) how[flag] = true;
  if (system.hasFlowers) how.flowers = winner.flowers ?? 0;
  if (system.isWithoutWinds) return how;
  how.seat_wind = context.seatWind;
  how.round_wind = context.roundWind;
  if (system.hasTwoHands) Object.assign(how, { first_win: context.isFirstWin, without_drawn_tile: Boolean(winner.without_drawn_tile) });
  if (system.hasRiichi) {
    if (context.hasRiichi && !hand.flags.has("double_riichi")) how.riichi = true;
    how.dora_indicators = hand.dora_indicators;
    how.ura_indicators = hand.ura_indicators;
  }
  return how;
}

// A full hand shows what it is worth; the pad comes back when a tile is taken away.
function padOf(system, hand, change, before = null) {
  const suits = SUITS.map((suit) => Array.from({ length: 9 }, (_unused, index) => `${suit}${index + 1}`));
  const honors = system.value === "fans" ? [] : [[...HONORS, ...(system.rules.jokers ? ["J"] : [])]];
  const key = (code) =>
    h(
      "button",
      { type: "button", class: "tile-key", disabled: !hand.takes(code), onclick: () => change(() => hand.press(code)), data: { tile: code } },
      tile(code),
    );
  const rows = [...suits, ...honors].map((row) => h("div", { class: "tile-pad" }, row.map(key)));
  const isFull = hand.room === 0 && hand.target === "tiles";
  return [laid(hand, change), targets(system, hand, change), ...(isFull ? [] : [...offers(hand, before, change), ...rows])];
}

// Sets that were entered lately at this table, and the hand that was left, are laid by one press.
function offers(hand, before, change) {
  if (!before?.melds.length && !before?.hand) return [];
  const again = (meld) =>
    h(
      "button",
      { type: "button", class: "tiles-set", disabled: !hand.fits(meld), "aria-label": _("Lay again: %(tiles)s", { tiles: meld.tiles.map(tileName).join(", ") }), onclick: () => change(() => hand.melds.push(structuredClone(meld))) },
      shownOf(meld).map((code) => tile(code, "tile-small")),
    );
  const isBegun = hand.melds.length + hand.tiles.length > 0;
  const whole = before.hand && toggle(_("The last hand"), false, () => change(() => hand.lay(before.hand)), { id: "last-hand", disabled: isBegun });
  return [h("div", { class: "tiles-lately", role: "group", "aria-label": _("Entered lately at this table") }, whole, before.melds.map(again))];
}

// A concealed kong shows two of its tiles.
function shownOf(meld) {
  return meld.type === "kong" && !meld.open ? ["back", meld.tiles[1], meld.tiles[2], "back"] : meld.tiles;
}

// The hand as it lies: declared sets, tiles in hand, the winning tile apart; a press takes a tile or a set away.
function laid(hand, change) {
  const take = (label, children, act, kind = "") => h("button", { type: "button", class: `tiles-set ${kind}`.trim(), "aria-label": _("Take away: %(tiles)s", { tiles: label }), onclick: act }, children);
  const last = hand.tiles.length - 1;
  const isFull = hand.room === 0;
  return h(
    "div",
    { class: "tiles-laid" },
    hand.melds.map((meld, place) => take(meld.tiles.map(tileName).join(", "), shownOf(meld).map((code) => tile(code, "tile-small")), () => change(() => hand.melds.splice(place, 1)))),
    hand.tiles.map((code, place) => take(tileName(code), tile(code, "tile-small"), () => change(() => hand.tiles.splice(place, 1)), isFull && place === last ? "is-winning" : "")),
    [...hand.dora_indicators, ...hand.ura_indicators].length ? h("span", { class: "soft" }, _("Indicators:"), [...hand.dora_indicators, ...hand.ura_indicators].map((code) => tile(code, "tile-small"))) : null,
  );
}

function targets(system, hand, change) {
  const melds = [
    ...(system.value === "fans" ? [] : [["chow", _("Chow")]]),
    ["pung", _("Pung")],
    ...(system.isWithoutKongs ? [] : [["kong", _("Open kong")], ["concealed_kong", _("Concealed kong")]]),
  ];
  const meld = melds.map(([code, text]) =>
    toggle(text, hand.meld === code, () => change(() => Object.assign(hand, { meld: hand.meld === code ? "" : code, target: "tiles" })), { id: `meld-${code}` }),
  );
  const indicators = [["dora_indicators", _("Dora indicator")], ["ura_indicators", _("Ura indicator")]].map(([code, text]) =>
    toggle(text, hand.target === code, () => change(() => Object.assign(hand, { target: hand.target === code ? "tiles" : code, meld: "" })), { id: code }),
  );
  return h(
    "div",
    { class: "win-row", role: "group", "aria-label": _("What the next tile makes") },
    meld,
    system.hasRiichi ? indicators : null,
    h("button", { type: "button", class: "choice", onclick: () => change(() => Object.assign(hand, { tiles: [], melds: [], dora_indicators: [], ura_indicators: [] })) }, h("span", {}, _("Clear"))),
  );
}

function flags(system, hand, change) {
  if (system.value === "fans") {
    const suits = { m: _("characters"), p: _("dots"), s: _("bamboos") };
    return h(
      "div",
      { class: "win-row", role: "group", "aria-label": _("Forbidden suit") },
      h("span", {}, _("Forbidden suit:")),
      SUITS.map((suit) => toggle(suits[suit], hand.forbidden === suit, () => change(() => (hand.forbidden = hand.forbidden === suit ? "" : suit)), { id: `forbidden-${suit}` })),
    );
  }
  return h(
    "div",
    { class: "tile-flags", role: "group", "aria-label": _("How the tile came") },
    system.tileFlags.map(({ name, label }) => toggle(label, hand.flags.has(name), () => change(() => hand.flags.delete(name) || hand.flags.add(name)), { id: `flag-${name}`, kind: "choice-fan" })),
  );
}

// What the engine says

function told(found) {
  return [
    h("p", { class: "tiles-totals" }, found.totals.map((one) => h("strong", {}, `${one.label}: ${typeof one.value === "number" ? number(one.value) : one.value}`, one.clause ? h("small", {}, ` [${one.clause}]`) : null))),
    h(
      "ul",
      { class: "terms" },
      found.terms.map((term) => h("li", {}, h("span", {}, term.times > 1 ? `${term.name} ×${term.times}` : term.name, h("small", {}, ` [${term.clause}] ${term.made_of.join("; ")}`)), h("strong", {}, number(term.points)))),
    ),
    found.payment ? h("p", {}, found.payment) : null,
    ...found.reasons.map((one) => refusal(one)),
    found.omissions.length
      ? h("details", { class: "disclosure" }, h("summary", {}, _("Not counted")), h("ul", {}, found.omissions.map((one) => h("li", {}, `${one.name}: ${one.reason} [${one.clause}]`))))
      : null,
  ].filter(Boolean);
}

function refusal({ sentence, clause }) {
  return h("p", { class: "tablet-notice" }, icon("alert"), h("span", {}, sentence, clause ? h("small", {}, ` [${clause}]`) : null));
}
