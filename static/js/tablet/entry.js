// The middle of the screen: what happened, how much it was worth, who was waiting. Draws a draft; every tap goes to `act`.

import { button, h, icon } from "./dom.js";
import { draggable } from "./drag.js";
import * as entry from "./draft.js";
import { eventWords, stateWords } from "./tell.js";
import { _, ngettext, number } from "./words.js";

const FEW_FANS = 6;
// So many letters fill two lines of a phone.
const LONG = 64;

const PROMPTS = {
  winner: () => _("Who won? Tap the player."),
  next: (system) => system.unfinished,
  from: () => _("From whom? Tap the player who discarded, or “From the wall”."),
  value: (system) => (system.value === "fans" ? _("How many fans?") : _("How much is the hand worth?")),
  fu: () => _("How many fu?"),
  another: () => _("Who else won on this discard? Tap the player."),
  kong: () => _("Who declared the kong? Tap the player."),
  kong_kind: () => _("What kind of kong?"),
  kong_from: () => _("Who discarded the tile? Tap the player."),
  kind: () => _("Which kind?"),
  more: () => _("What else happened?"),
  end: (system) => (system.hasRiichi ? _("Who was waiting?") : _("What did the check of the hands show?")),
  "": () => _("Check the amounts and save."),
};

export function promptOf(draft, system, names) {
  const code = entry.missing(draft, system);
  if (draft.isReseating) return _("Who was it instead? Tap the player.");
  if (draft.insertAt !== null && draft.insertAt !== undefined) return promptBefore(system, eventWords(draft.events[draft.insertAt], names.short, system.system));
  if (draft.isEditing && code !== "another") return _("Changing “%(words)s”: tap the player to say who it was instead, or what else is different.", { words: eventWords(entry.current(draft), names.short, system.system) });
  if (draft.mode === "more") return PROMPTS.more();
  if (isLate(draft) && code !== "end") return lateKongs(draft, system, names);
  if (code === "unfinished") return _("Not finished: “%(words)s”. Tap it to go on, or remove it.", { words: eventWords(entry.leftOpen(draft, system), names.short, system.system) });
  const other = system.others.find((one) => one.mode === code);
  if (other) return other.ask;
  if (code === "value" && system.minimum) return _("How much is the hand worth? At least %(minimum)s.", { minimum: system.minimum });
  return PROMPTS[code](system);
}

function promptBefore(system, words) {
  const hasKongs = system.modes.some(({ mode }) => mode === "kong");
  return hasKongs ? _("What happened before “%(words)s”? A win, a kong or something else.", { words }) : _("What happened before “%(words)s”? A win or something else.", { words });
}

// Kongs are being told when the wins are.
function isLate(draft) {
  return draft.mode === "kong" && draft.when !== null && draft.at === null;
}

function lateKongs(draft, system, names) {
  if (draft.when === "end") return _("Who declared a kong after the last win? Tap the player; save when all are entered.");
  return _("Who declared a kong before “%(words)s”? Tap the player; save when all are entered.", { words: eventWords(draft.events[draft.when], names.short, system.system) });
}

// What was said, or what is asked: one row that is always there, so that nothing below it moves and nothing lies beneath it.
export function entryArea({ draft, system, names, act, tools, unpaid, explain, said = null }) {
  return [
    modes(draft, system, act),
    timeline(draft, system, names, act),
    h("div", { class: isLongCheck(draft, system) ? "prompt-row is-short" : "prompt-row" }, said ?? prompted({ draft, system, names, act, unpaid, explain })),
    h("div", { class: "entry-body" }, ...body(draft, system, names, act, tools)),
  ];
}

// The check of four hands fills the screen.
function isLongCheck(draft, system) {
  return draft.mode === "over" && !draft.events.length && Boolean(system.end?.bases.length);
}

function prompted({ draft, system, names, act, unpaid, explain }) {
  const short = entry.shortWin(draft, system);
  const words = promptOf(draft, system, names);
  return [
    h("p", { class: words.length > LONG || (short && words.length > LONG / 2) ? "scoring-prompt is-long" : "scoring-prompt", id: "prompt" }, words, unpaid ? ` ${_("%(points)s go to nobody.", { points: number(unpaid) })}` : ""),
    short ? button(`${short.label}: ${short.note}`, () => act(entry.declareShort), { kind: "button-plain", id: "short-win" }) : null,
    explain ? button(_("Why?"), explain, { kind: "button-plain", id: "why", label: _("Why these amounts?") }) : null,
  ];
}

// Segments

function modes(draft, system, act) {
  const other = system.others.find((one) => one.mode === draft.mode);
  const chosen = other ? "more" : draft.mode;
  return h(
    "div",
    { class: "segments", role: "group", "aria-label": _("What happened") },
    system.modes.map(({ mode, label }) =>
      toggle(mode === "more" && other ? other.label : label, chosen === mode, () => act((one) => entry.setMode(one, system, mode)), {
        id: `mode-${mode}`,
        kind: "segment",
      }),
    ),
  );
}

export function toggle(text, isOn, onclick, { id, kind = "", disabled = false, note = "", label = "" } = {}) {
  return h(
    "button",
    {
      type: "button",
      class: `choice ${kind}`.trim(),
      "aria-pressed": String(isOn),
      "aria-label": label || null,
      onclick,
      disabled,
      data: { focus: id },
    },
    h("span", {}, text),
    note ? h("small", {}, note) : null,
  );
}

// Where a hand is a sequence, its row is there before the first event is.
function timeline(draft, system, names, act) {
  const isShort = !system.isSequence && draft.events.length < 2 && !draft.events.some((event) => event.type !== "win");
  if (isShort || !draft.events.length) return system.isSequence && !isLongCheck(draft, system) ? h("div", { class: "events" }) : null;
  return h(
    "ol",
    { class: "events", "aria-label": _("This hand so far"), ...(system.isSequence ? draggable((place, by) => act((one) => entry.dragEvent(one, system, place, by))) : {}) },
    draft.events.map((event, place) => {
      const words = eventWords(event, names.short, system.system);
      const isLeft = draft.at !== place && !entry.isComplete(event, system);
      return h(
        "li",
        { class: draft.insertAt === place ? "event is-before" : draft.at === place ? "event is-current" : isLeft ? "event is-unfinished" : "event" },
        h(
          "button",
          { type: "button", class: "event-edit", onclick: () => act((one) => entry.edit(one, system, place)), data: { focus: `event-${place}` } },
          isLeft ? _("%(words)s: not finished", { words }) : words,
        ),
        system.isSequence && draft.isEditing && draft.at === place ? order(draft, place, words, act) : null,
        h(
          "button",
          {
            type: "button",
            class: "event-remove",
            "aria-label": _("Remove: %(words)s", { words }),
            onclick: () => act((one) => entry.removeEvent(one, system, place)),
            data: { focus: `remove-${place}` },
          },
          icon("close"),
        ),
      );
    }),
  );
}

// Where it stands in the hand: earlier, later, or after something that was forgotten.
function order(draft, place, words, act) {
  const step = (sign, label, id, work, isOff = false) =>
    h("button", { type: "button", class: "event-remove", "aria-label": label, disabled: isOff, onclick: () => act(work), data: { focus: id } }, sign);
  return [
    step("◀", _("Earlier: %(words)s", { words }), `earlier-${place}`, (one) => entry.moveEvent(one, place, -1), place === 0),
    step("▶", _("Later: %(words)s", { words }), `later-${place}`, (one) => entry.moveEvent(one, place, 1), place === draft.events.length - 1),
    step("+", _("Insert before: %(words)s", { words }), `before-${place}`, (one) => entry.insertBefore(one, place)),
  ];
}

function body(draft, system, names, act, tools) {
  const other = system.others.find((one) => one.mode === draft.mode);
  const atStake = !draft.isOver && entry.checked(draft, system).must.length;
  if (draft.mode === "kong") return [...kongs(draft, system, names, act), ...(isLate(draft) && atStake ? ends(draft, system, names, act, { isStake: true, weigh: tools.weigh }) : [])];
  if (draft.mode === "more") return others(system, act);
  if (other) return kinds(draft, system, names, other, act);
  if (draft.mode === "over") {
    const stakes = system.hasRiichi ? [bets(draft, system, names, act), aborts(draft, system, act)] : [];
    return [...stakes, ...(draft.abort ? [] : ends(draft, system, names, act, { weigh: tools.weigh }))];
  }
  if (atStake) return [...ends(draft, system, names, act, { isStake: true, weigh: tools.weigh }), ...wins(draft, system, names, act, tools)];
  return wins(draft, system, names, act, tools);
}

// Wins

function wins(draft, system, names, act, tools) {
  const event = entry.current(draft);
  const win = event?.type === "win" ? event : null;
  const isReady = Boolean(win) && win.from !== undefined;
  return [
    h(
      "div",
      { class: system.sharesDiscard ? "win-row win-row-shared" : "win-row" },
      toggle(_("From the wall"), win?.from === null, () => act(entry.fromWall), { id: "wall", kind: "choice-wide", disabled: !win }),
      system.sharesDiscard
        ? toggle(_("Another winner"), draft.isSharing, () => act(entry.share), {
            id: "share",
            kind: "choice-wide",
            disabled: !win?.from || !entry.isComplete(win, system) || win.winners.length > 2,
          })
        : null,
      win && win.winners.length > 1 ? winners(draft, win, names, act) : null,
      system.isSequence && system.sharesDiscard && entry.mayShareTile(draft)
        ? toggle(_("On the same tile?"), false, () => act(entry.shareTile), { id: "same-tile", kind: "choice-tile" })
        : null,
    ),
    system.hasRiichi ? bets(draft, system, names, act) : null,
    ...values(draft, system, win, isReady, act, names, tools),
  ];
}

function winners(draft, win, names, act) {
  return win.winners.map((winner, place) =>
    toggle(names.short[winner.seat], draft.winner === place, () => act((one) => entry.choose(one, place)), {
      id: `winner-${place}`,
      label: _("Value of the hand of %(name)s", { name: names.full[winner.seat] }),
    }),
  );
}

function values(draft, system, win, isReady, act, names, tools) {
  const winner = isReady ? win.winners[draft.winner] : null;
  if (system.value === "fans") return fanValues(draft, system, win, winner, act, tools);
  if (system.value === "han") return hanValues(system, winner, act, names, tools);
  return pointValues(draft, system, win, winner, act, tools);
}

function fanValues(draft, system, win, winner, act, tools) {
  const possible = winner ? entry.possibleFans(draft, system) : [];
  const ofKongs = entry.fansOfKongs(draft, system);
  return [
    h(
      "div",
      { class: "fan-counts", role: "group", "aria-label": _("Number of fans") },
      Array.from({ length: FEW_FANS }, (_unused, fans) =>
        toggle(number(fans), winner?.fans === fans, () => act((one) => entry.setFans(one, fans)), {
          id: `fans-${fans}`,
          kind: "choice-big",
          disabled: !possible.includes(fans),
          note: `= ${2 ** Math.min(fans, system.cap)}`,
        }),
      ),
      manyFans(system, winner, possible, act),
    ),
    h(
      "div",
      { class: "fan-grid", role: "group", "aria-label": _("Fans of the hand") },
      system.fans.map((fan) => {
        const count = winner?.fan_list?.[fan.name] ?? ofKongs[fan.name] ?? 0;
        return toggle(fan.label, count > 0, () => act((one) => entry.toggleFan(one, system, fan.name)), {
          id: `fan-${fan.name}`,
          kind: "choice-fan",
          disabled: !winner || Boolean(fan.isDeclared),
          note: count > 1 ? `${count} × ${fan.fans}` : `+${fan.fans}`,
        });
      }),
      system.circumstances.map((one) =>
        toggle(one.label, Boolean(win?.[one.name]), () => act((next) => entry.toggleCircumstance(next, system, one.name)), {
          id: `came-${one.name}`,
          kind: "choice-fan",
          disabled: !winner || (!win[one.name] && !entry.circumstanceFits(win, one)),
          note: "+1",
        }),
      ),
    ),
    h("div", { class: "win-row" }, tools.winner(winner)),
  ];
}

// The last of the chips counts on: six, and the next number that is possible with each further tap.
function manyFans(system, winner, possible, act) {
  const fans = winner?.fans ?? 0;
  const isMany = fans >= FEW_FANS;
  const many = possible.filter((one) => one >= FEW_FANS);
  const next = (isMany ? many.find((one) => one > fans) : null) ?? many[0];
  return toggle(isMany ? number(fans) : `${FEW_FANS}+`, isMany, () => act((one) => entry.setFans(one, next)), {
    id: `fans-${FEW_FANS}`,
    kind: "choice-big",
    disabled: !many.length,
    note: `= ${2 ** Math.min(Math.max(fans, FEW_FANS), system.cap)}`,
  });
}

function pointValues(draft, system, win, winner, act, tools) {
  const digits = "123456789".split("");
  const key = (text, onclick, id, kind = "", label = "") =>
    h("button", { type: "button", class: `key ${kind}`, onclick, disabled: !winner, "aria-label": label || null, data: { focus: id } }, text);
  return [
    h(
      "div",
      { class: "keypad" },
      h(
        "div",
        { class: "keypad-value" },
        h("span", {}, system.limit ? _("Points without flowers, at most %(limit)s paid", { limit: system.limit }) : _("Points of the hand")),
        h("output", {}, winner?.fans === null || winner?.fans === undefined ? "—" : number(winner.fans)),
      ),
      digits.map((digit) => key(digit, () => act((one) => entry.pressDigit(one, system, digit)), `digit-${digit}`)),
      key(_("Clear"), () => act((one) => entry.setFans(one, null)), "clear", "key-soft"),
      key("0", () => act((one) => entry.pressDigit(one, system, "0")), "digit-0"),
      key("⌫", () => act(entry.eraseDigit), "erase", "key-soft", _("Delete the last digit")),
    ),
    h(
      "div",
      { class: "win-row" },
      system.hasFlowers ? flowers(winner, act) : null,
      system.hasTwoHands ? turns(draft, win, winner, act) : null,
      h("div", { class: "tools" }, tools.winner(winner)),
    ),
  ];
}

function flowers(winner, act) {
  const count = winner?.flowers ?? 0;
  const step = (by, label, id, sign) =>
    h(
      "button",
      {
        type: "button",
        class: "choice",
        "aria-label": label,
        disabled: !winner || count + by < 0 || count + by > 8,
        onclick: () => act((one) => entry.setFlowers(one, count + by)),
        data: { focus: id },
      },
      sign,
    );
  return h(
    "div",
    { class: "flowers", role: "group", "aria-label": _("Flowers and seasons") },
    h("span", {}, _("Flowers")),
    step(-1, _("One flower less"), "flower-less", "−"),
    h("output", {}, number(count)),
    step(1, _("One flower more"), "flower-more", "+"),
  );
}

// On a discard no tile was drawn; a second win uses its tile unless it comes in the turn of the first.
function turns(draft, win, winner, act) {
  const isOff = !winner || win.from !== null;
  const isSecond = Boolean(winner) && entry.winsOf(draft, winner.seat) > 1;
  return [
    toggle(_("Without the drawn tile"), Boolean(winner?.without_drawn_tile), () => act(entry.toggleUndrawn), {
      id: "undrawn",
      kind: "choice-wide choice-turn",
      disabled: isOff || (isSecond && !win.same_turn),
    }),
    toggle(_("In the same turn"), Boolean(win?.same_turn), () => act(entry.toggleSameTurn), {
      id: "same-turn",
      kind: "choice-wide choice-turn",
      disabled: isOff || !isSecond,
    }),
  ];
}

function hanValues(system, winner, act, names, tools) {
  const hans = Array.from({ length: system.mostHan }, (_unused, index) => index + 1);
  const isLarge = entry.isLarge(winner, system);
  const [least] = system.largeHan;
  return [
    h(
      "div",
      { class: "han-counts", role: "group", "aria-label": _("Number of han") },
      hans.map((han) =>
        toggle(number(han), winner?.han === han, () => act((one) => entry.setHan(one, system, han)), {
          id: `han-${han}`,
          kind: "choice-big",
          disabled: !winner,
          note: _("han"),
        }),
      ),
      least
        ? toggle(`${least}+`, isLarge, () => act((one) => entry.setHan(one, system, isLarge ? winner.han : least)), {
            id: "han-more",
            kind: "choice-big",
            disabled: !winner,
            note: _("han"),
          })
        : null,
    ),
    beneathHan(system, winner, act, names),
    h(
      "div",
      { class: "limits", role: "group", "aria-label": _("Limit") },
      system.limits.map(({ limit, label }) =>
        toggle(label, winner?.limit === limit, () => act((one) => entry.setLimit(one, limit)), { id: limit, disabled: !winner }),
      ),
    ),
    h("div", { class: "win-row" }, tools.winner(winner)),
  ];
}

// Fu, or the larger numbers of han. A yakuman has neither: in their place, and as high, stands what is asked of it.
function beneathHan(system, winner, act, names) {
  if (winner?.limit === "yakuman") return h("div", { class: "fu-counts is-yakuman" }, system.mostYakuman > 1 ? times(system, winner, act) : null, liable(system, winner, act, names));
  if (entry.isLarge(winner, system)) {
    return h(
      "div",
      { class: "fu-counts", role: "group", "aria-label": _("Number of han") },
      system.largeHan.map((han) =>
        toggle(number(han), winner.han === han, () => act((one) => entry.setHan(one, system, han)), { id: `han-${han}`, label: ngettext("%(count)s han", "%(count)s han", han) }),
      ),
    );
  }
  return h(
    "div",
    { class: "fu-counts", role: "group", "aria-label": _("Number of fu") },
    system.fu(system.mostHan).map((fu) =>
      toggle(number(fu), winner?.fu === fu, () => act((one) => entry.setFu(one, fu)), {
        id: `fu-${fu}`,
        disabled: !winner?.han || Boolean(winner.limit) || !system.fu(winner.han).includes(fu),
        label: _("%(fu)s fu", { fu }),
        note: _("fu"),
      }),
    ),
  );
}

function times(system, winner, act) {
  return h(
    "div",
    { class: "seat-row", role: "group", "aria-label": _("Number of yakuman") },
    h("span", {}, _("Yakuman:")),
    Array.from({ length: system.mostYakuman }, (_unused, index) => index + 1).map((count) =>
      toggle(`×${count}`, (winner.yakuman ?? 1) === count, () => act((one) => entry.setTimes(one, count)), { id: `times-${count}` }),
    ),
  );
}

function liable(system, winner, act, names) {
  return h(
    "div",
    { class: "seat-row", role: "group", "aria-label": _("Liability") },
    h("span", {}, _("Liable:")),
    system.seats
      .filter((seat) => seat !== winner.seat)
      .map((seat) =>
        toggle(names.short[seat], winner.liable === seat, () => act((one) => entry.setLiable(one, seat)), { id: `liable-${seat}` }),
      ),
  );
}

function bets(draft, system, names, act) {
  return h(
    "div",
    { class: "seat-row", role: "group", "aria-label": _("Riichi bets") },
    system.seats.map((seat) =>
      toggle(names.short[seat], draft.riichi.includes(seat), () => act((one) => entry.toggleRiichi(one, system, seat)), { id: `riichi-${seat}`, note: _("riichi") }),
    ),
  );
}

// Where the regulation allows it, a hand without a winner may have been broken off instead.
function aborts(draft, system, act) {
  if (!system.aborts?.length) return null;
  return h(
    "div",
    { class: "abort-row", role: "group", "aria-label": _("Abortive draw") },
    system.aborts.map(({ reason, label }) =>
      toggle(label, draft.abort === reason, () => act((one) => entry.toggleAbort(one, system, reason)), { id: `abort-${reason}` }),
    ),
  );
}

// Beside the wins

function kongs(draft, system, names, act) {
  const kong = entry.current(draft);
  const wins = entry.winsToTell(draft, system);
  const when = entry.whenOf(draft);
  return [
    h(
      "div",
      { class: "big-choices" },
      system.kongs.map(({ kind, label, note }) =>
        toggle(label, kong?.kind === kind, () => act((one) => entry.setKong(one, system, kind)), {
          id: `kong-${kind}`,
          kind: "choice-big",
          disabled: kong?.type !== "kong",
          note,
        }),
      ),
    ),
    wins.length
      ? h(
          "div",
          { class: "big-choices", role: "group", "aria-label": _("When it was declared") },
          wins.map((place) =>
            toggle(_("Before: %(words)s", { words: eventWords(draft.events[place], names.short, system.system) }), when === place, () => act((one) => entry.setWhen(one, place)), { id: `when-${place}` }),
          ),
          toggle(_("After the last win"), when === "end", () => act((one) => entry.setWhen(one, "end")), { id: "when-end" }),
        )
      : null,
  ];
}

function others(system, act) {
  return [
    h(
      "div",
      { class: "big-choices" },
      system.others.map(({ mode, label }) =>
        toggle(label, false, () => act((one) => entry.setMode(one, system, mode)), { id: `other-${mode}`, kind: "choice-big" }),
      ),
    ),
  ];
}

function kinds(draft, system, names, other, act) {
  const event = entry.current(draft);
  return [
    h(
      "div",
      { class: "big-choices" },
      other.kinds.map(({ kind, label, note }) =>
        toggle(label, event?.kind === kind, () => act((one) => entry.setKind(one, system, kind)), {
          id: `kind-${kind}`,
          kind: "choice-big",
          disabled: event?.type !== other.mode,
          note,
        }),
      ),
    ),
    other.hasDiscarder && event?.type === other.mode ? claimed(draft, system, names, event, act) : null,
    spoiled(draft, system, names, event, act),
  ];
}

// A false win on a discard names who discarded; one from the wall names nobody.
function claimed(draft, system, names, event, act) {
  return h(
    "div",
    { class: "seat-row", role: "group", "aria-label": _("On whose discard") },
    h("span", {}, _("On the discard of:")),
    entry
      .whoDiscarded(draft, system, event.seat)
      .map((seat) => toggle(names.short[seat], event.from === seat, () => act((one) => entry.setFalseFrom(one, seat)), { id: `false-from-${seat}` })),
  );
}

function spoiled(draft, system, names, event, act) {
  const kong = system.kongs.length ? entry.kongJustBefore(draft) : null;
  if (!kong) return null;
  const name = names.short[kong.seat];
  const choice = (flag, text) =>
    toggle(text, Boolean(event[flag]), () => act((one) => entry.toggleSpoiled(one, flag)), { id: flag, kind: "choice-wide" });
  return h(
    "div",
    { class: "win-row", role: "group", "aria-label": _("How the tile came") },
    choice("discard_after_kong", _("On the discard after the kong of %(name)s", { name })),
    ["added", "delayed"].includes(kong.kind) ? choice("robbing_kong", _("Robbing the kong of %(name)s", { name })) : null,
  );
}

// The check at the end

function ends(draft, system, names, act, { isStake = false, weigh = null } = {}) {
  const { must, may } = entry.checked(draft, system);
  const seats = isStake ? must : [...new Set([...must, ...may])];
  if (!system.end) return [h("p", { class: "soft" }, _("Nothing more is to be entered."))];
  const together = system.hasRiichi
    ? h(
        "div",
        { class: "win-row" },
        toggle(_("All are waiting"), false, () => act((one) => entry.setEnds(one, system, "waiting")), { id: "all-waiting", kind: "choice-wide" }),
        toggle(_("Nobody is waiting"), false, () => act((one) => entry.setEnds(one, system, "no_wait")), { id: "none-waiting", kind: "choice-wide" }),
      )
    : null;
  return [together, h("div", { class: "checks" }, seats.map((seat) => check(draft, system, names, seat, act, weigh)))];
}

function check(draft, system, names, seat, act, weigh) {
  const found = entry.shown(draft, system, seat);
  const bases = system.end.bases.length ? entry.possibleBases(draft, system, seat) : [];
  const base = (points) =>
    toggle(number(points), found?.max_base === points, () => act((one) => entry.setEnd(one, seat, "waiting", points)), {
      id: `base-${seat}-${points}`,
      disabled: !bases.includes(points),
      label: _("%(name)s waits for at most %(points)s", { name: names.full[seat], points }),
    });
  const state = ({ state: code, label }) =>
    toggle(label, found?.state === code, () => act((one) => entry.setEnd(one, seat, code)), {
      id: `state-${seat}-${code}`,
      disabled: code === "waiting" && !entry.mayWait(draft, seat),
    });
  const tiles = h(
    "button",
    { type: "button", class: "choice check-tiles", onclick: () => weigh(seat), "aria-label": _("Tiles of %(name)s", { name: names.full[seat] }), data: { focus: `weigh-${seat}` } },
    icon("keyboard"),
  );
  const states = system.end.bases.length ? system.end.states.slice(1) : system.end.states;
  return h(
    "fieldset",
    { class: system.end.bases.length ? "check-seat" : "check-seat is-brief" },
    h("legend", {}, names.full[seat], found ? h("small", {}, ` ${stateWords(found)}`) : null),
    h("div", { class: "check-states" }, states.map(state)),
    system.end.bases.length ? h("div", { class: "check-bases" }, h("span", {}, _("Waiting, up to")), system.end.bases.map(base), weigh ? tiles : null) : null,
  );
}
