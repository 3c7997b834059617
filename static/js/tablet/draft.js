// A hand as far as it is entered. Every function takes a draft and gives the next; none of them touches the page.

import { inTurn } from "./systems/account.js";
import { arithmeticOf } from "./systems/index.js";

const FLAGS = ["replacement_win", "discard_after_kong", "robbing_kong", "last_tile", "same_turn"];

export function start() {
  return { mode: "win", at: null, winner: 0, isSharing: false, isEditing: false, isReseating: false, insertAt: null, when: null, back: null, events: [], end: {}, isOver: false, abort: "", riichi: [] };
}

function but(draft, work) {
  const next = structuredClone(draft);
  work(next);
  return next;
}

export function current(draft) {
  return draft.at === null ? null : (draft.events[draft.at] ?? null);
}

export function isEmpty(draft) {
  return !draft.events.length && !draft.isOver && !draft.riichi.length;
}

// What stands

export function winsOf(draft, seat) {
  return draft.events.filter((event) => event.type === "win" && event.winners.some((winner) => winner.seat === seat)).length;
}

function isDead(draft, system, seat) {
  const kinds = system.value === "fans" || system.hasRiichi ? ["dead_hand"] : ["dead_hand", "false_win", "exposure"];
  return isOut(draft, system, seat) || draft.events.some((event) => event.seat === seat && kinds.includes(event.type));
}

// Whether a false win took the seat out of the hand, where the regulation says that it does.
function isOut(draft, system, seat) {
  return Boolean(system.falseWinnerIsOut) && draft.events.some((event) => event.type === "false_win" && event.seat === seat);
}

export function canWin(draft, system, seat) {
  return winsOf(draft, seat) < system.winsEach && !isDead(draft, system, seat);
}

// Sichuan lets those who have declared a win take no further part.
export function inPlay(draft, system) {
  if (system.value !== "fans") return system.seats;
  return system.seats.filter((seat) => !winsOf(draft, seat) && !isOut(draft, system, seat));
}

// What is entered beside a declaration that is not finished happened before it: for that its player still plays.
function inPlayBeside(draft, system) {
  const isDeclared = (event) => !["win", "false_win"].includes(event.type) || isComplete(event, system);
  return inPlay({ events: draft.events.filter(isDeclared) }, system);
}

// Who played when that happened which is being put in between or changed.
function inPlayThere(draft, system) {
  const place = draft.insertAt ?? lateKong(draft) ?? (draft.isEditing || (draft.at !== null && draft.at < draft.events.length - 1) ? draft.at : null);
  return place === null ? inPlayBeside(draft, system) : inPlayBeside({ ...draft, events: draft.events.slice(0, place) }, system);
}

// Where a kong belongs that is entered when the hand is over: the place of the win before which it was declared.
function lateKong(draft) {
  return draft.at === null && Number.isInteger(draft.when) ? draft.when : null;
}

function unfinished(draft, system, type) {
  const place = draft.events.findIndex((event) => event.type === type && !isComplete(event, system));
  return place < 0 ? null : place;
}

export function isWonOut(draft, system) {
  const ending = system.falseWinnerIsOut ? ["win", "false_win"] : ["win"];
  if (!draft.events.some((event) => ending.includes(event.type))) return false;
  if (system.hasTwoHands) return system.seats.some((seat) => winsOf(draft, seat) > 1);
  return system.isSequence ? inPlay(draft, system).length <= 1 : true;
}

export function isComplete(event, system) {
  if (!event) return false;
  switch (event.type) {
    case "win":
      return event.from !== undefined && event.winners.length > 0 && event.winners.every((winner) => hasValue(winner, system));
    case "kong":
      return Boolean(event.kind) && (event.kind !== "open" || Boolean(event.from));
    case "false_win":
      return Boolean(event.kind) || !kindsOf(system, "false_win").length;
    default:
      return Boolean(event.seat);
  }
}

function hasValue(winner, system) {
  if (system.value === "han") return Boolean(winner.limit) || Boolean(winner.han && (winner.fu || isLarge(winner, system)));
  return winner.fans !== null && winner.fans !== undefined && winner.fans >= (system.minimum ?? 0);
}

// From so many han on the limit alone tells what the hand is worth.
export function isLarge(winner, system) {
  return Boolean(winner?.han > system.mostHan);
}

export function kindsOf(system, mode) {
  return system.others.find((other) => other.mode === mode)?.kinds ?? [];
}

// Seats

export function tapSeat(draft, system, seat) {
  const event = current(draft);
  switch (draft.mode) {
    case "win":
      return tapInWin(draft, system, seat, event);
    case "kong":
      return tapInKong(draft, system, seat, event);
    case "over":
    case "more":
      return draft;
    default:
      return tapInOther(draft, system, seat, event);
  }
}

function tapInWin(draft, system, seat, event) {
  if (!event || event.type !== "win") return newWin(draft, system, seat);
  const isWinner = event.winners.some((winner) => winner.seat === seat);
  if (draft.isSharing) return isWinner ? but(draft, (next) => (next.isSharing = false)) : addWinner(draft, system, seat);
  if (draft.isReseating) return reseat(draft, system, seat);
  if (draft.isEditing && isWinner) return but(draft, (next) => (next.isReseating = event.winners.length === 1));
  const isDone = isComplete(event, system) && system.isSequence && !draft.isEditing;
  if (isWinner && !isDone) return isTold(event) ? but(draft, (next) => (next.isReseating = true)) : removeWinner(draft, system, seat);
  if (isDone) return newWin(draft, system, seat);
  if (!inPlayBefore(draft, system).includes(seat)) return draft;
  return setFrom(draft, seat);
}

// More is known of the win than who won: it belongs to whoever is tapped next, with all that was entered.
function isTold(event) {
  return event.winners.length === 1 && event.from !== undefined;
}

// Whatever else is entered than who it was instead leaves the winner as entered.
export function seated(draft, before) {
  return draft !== before && before.isReseating && draft.isReseating ? but(draft, (next) => (next.isReseating = false)) : draft;
}

function inPlayBefore(draft, system) {
  const event = current(draft);
  const before = { ...draft, events: draft.events.slice(0, draft.at) };
  return inPlay(before, system).filter((seat) => !event.winners.some((winner) => winner.seat === seat));
}

function newWin(draft, system, seat) {
  // Where a second win ends the hand, one that was forgotten came before that end.
  const isBefore = system.hasTwoHands && draft.insertAt !== null && draft.insertAt !== undefined;
  const until = isBefore ? { ...draft, events: draft.events.slice(0, draft.insertAt) } : draft;
  if (!canWin(draft, system, seat) || isWonOut(until, system)) return draft;
  return but(draft, (next) => {
    next.isOver = false;
    next.at = next.insertAt ?? next.events.length;
    next.events.splice(next.at, 0, { type: "win", winners: [{ seat, fans: null }] });
    next.winner = 0;
    settle(next);
  });
}

// What was being changed or put in between is done with.
function settle(next) {
  next.when = null;
  next.isEditing = false;
  next.isReseating = false;
  next.insertAt = null;
}

// Somebody else than was entered: whoever discarded changes places with them.
function reseat(draft, system, seat) {
  const event = current(draft);
  const old = event.type === "win" ? event.winners[0].seat : event.seat;
  const mayBe = seat === event.from || (event.type === "win" ? canWin(draft, system, seat) : inPlay({ events: draft.events.slice(0, draft.at) }, system).includes(seat));
  if (seat === old || !mayBe) return but(draft, (next) => (next.isReseating = false));
  return but(draft, (next) => {
    const changed = next.events[next.at];
    if (changed.type === "win") changed.winners[0].seat = seat;
    else changed.seat = seat;
    if (changed.from === seat) changed.from = old;
    next.isReseating = false;
  });
}

// The line of events

export function moveEvent(draft, place, by) {
  const to = place + by;
  if (to < 0 || to >= draft.events.length) return draft;
  return but(draft, (next) => {
    const [event] = next.events.splice(place, 1);
    next.events.splice(to, 0, event);
    next.at = to;
    next.back = null;
  });
}

// What was being changed is laid down by it.
export function dragEvent(draft, system, place, by) {
  const moved = moveEvent(draft, place, by);
  return moved === draft ? draft : but(moved, (next) => {
    settle(next);
    next.mode = "win";
    next.at = openWin(next, system);
  });
}

// The next thing that is entered stands before this one.
export function insertBefore(draft, place) {
  return but(draft, (next) => {
    settle(next);
    next.mode = "win";
    next.insertAt = place;
    next.at = null;
    next.back = null;
    next.isSharing = false;
  });
}

// A winner's list counts the kongs that were declared before the win, also when one of them is moved, added or taken out.
export function withKongFans(draft, before, system) {
  if (!system.fansOfKongs || draft === before) return draft;
  const changes = draft.events.flatMap((event, place) => (event.type === "win" ? event.winners.flatMap((winner, index) => recounted(draft, before, system, place, index)) : []));
  if (!changes.length) return draft;
  return but(draft, (next) => {
    for (const { place, index, list } of changes) {
      const event = next.events[place];
      event.winners[index].fan_list = list;
      event.winners[index].fans = listed(list, system) + circumstancesOf(event, system);
    }
  });
}

function recounted(draft, before, system, place, index) {
  const { seat, fan_list: list, tiles } = draft.events[place].winners[index];
  const old = before.events.findIndex((event) => event.type === "win" && event.winners.some((winner) => winner.seat === seat));
  if (!list || tiles || old < 0) return [];
  const was = system.fansOfKongs(before.events.slice(0, old), seat);
  const is = system.fansOfKongs(draft.events.slice(0, place), seat);
  const names = Object.keys({ ...was, ...is }).filter((name) => (was[name] ?? 0) !== (is[name] ?? 0));
  // What the list counts beyond the declared kongs is in the hand, and stays.
  const counts = names.map((name) => [name, (is[name] ?? 0) + Math.max(0, (list[name] ?? 0) - (was[name] ?? 0))]);
  const changed = Object.fromEntries(Object.entries({ ...list, ...Object.fromEntries(counts) }).filter(([, count]) => count));
  return names.length ? [{ place, index, list: changed }] : [];
}

export function append(draft) {
  return but(draft, settle);
}

// Declarations on one tile are one event.
export function mayShareTile(draft) {
  const event = current(draft);
  const before = draft.events[draft.at - 1];
  if (event?.type !== "win" || before?.type !== "win" || !event.from || before.from !== event.from) return false;
  return before.winners.length + event.winners.length <= 3 && FLAGS.every((name) => Boolean(before[name]) === Boolean(event[name]));
}

export function shareTile(draft) {
  return but(draft, (next) => {
    const [event] = next.events.splice(next.at, 1);
    next.at -= 1;
    const shared = next.events[next.at];
    shared.winners.push(...event.winners);
    next.winner = shared.winners.length - 1;
    settle(next);
  });
}

function addWinner(draft, system, seat) {
  const event = current(draft);
  if (seat === event.from || !canWin(draft, system, seat)) return draft;
  return but(draft, (next) => {
    const shared = next.events[next.at];
    shared.winners.push({ seat, fans: null });
    next.winner = shared.winners.length - 1;
    next.isSharing = false;
  });
}

function removeWinner(draft, system, seat) {
  const event = current(draft);
  if (event.winners.length === 1) return removeEvent(draft, system, draft.at);
  return but(draft, (next) => {
    const shared = next.events[next.at];
    shared.winners = shared.winners.filter((winner) => winner.seat !== seat);
    next.winner = 0;
  });
}

function setFrom(draft, from) {
  return but(withoutKongFlags(draft), (next) => {
    const event = next.events[next.at];
    event.from = from;
    if (from === null) event.winners = event.winners.slice(0, 1);
    if (from === null) next.winner = 0;
    // Without a draw there is no drawn tile to leave, and no second win in the turn.
    else {
      delete event.same_turn;
      for (const winner of event.winners) delete winner.without_drawn_tile;
    }
  });
}

export function fromWall(draft) {
  const event = current(draft);
  return event?.type === "win" ? setFrom(draft, null) : draft;
}

export function share(draft) {
  return but(draft, (next) => (next.isSharing = !next.isSharing));
}

export function choose(draft, winner) {
  return but(draft, (next) => (next.winner = winner));
}

function tapInKong(draft, system, seat, event) {
  const seats = inPlayThere(draft, system);
  if (draft.isReseating) return reseat(draft, system, seat);
  if (draft.isEditing && event?.type === "kong" && event.seat === seat) return but(draft, (next) => (next.isReseating = true));
  if (!seats.includes(seat)) return draft;
  if (draft.isEditing && event?.type === "kong") return but(draft, (next) => (event.kind === "open" ? (next.events[next.at].from = seat) : (next.events[next.at].seat = seat)));
  if (event?.type === "kong" && !isComplete(event, system)) {
    if (event.seat === seat) return draft.back === null ? removeEvent(draft, system, draft.at) : draft;
    if (event.kind === "open") return finished(but(draft, (next) => (next.events[next.at].from = seat)), system);
    if (draft.back !== null) return draft;
    return but(draft, (next) => (next.events[next.at].seat = seat));
  }
  return but(draft, (next) => {
    next.at = next.insertAt ?? lateKong(next) ?? (next.when === "end" ? next.events.length : (unfinished(next, system, "win") ?? next.events.length));
    next.insertAt = null;
    if (Number.isInteger(next.when)) next.when += 1;
    next.events.splice(next.at, 0, { type: "kong", seat, kind: "" });
  });
}

// Kongs at the end: for each the win before which it was declared, or that it was declared after all of them.
export function winsToTell(draft, system) {
  return draft.events.flatMap((event, place) => (event.type === "win" && isComplete(event, system) ? [place] : []));
}

// Before which win the kong stands that is entered or changed, or the next ones are to stand.
export function whenOf(draft) {
  if (current(draft)?.type !== "kong") return draft.when;
  const place = draft.events.findIndex((event, index) => index > draft.at && event.type === "win");
  return place < 0 ? "end" : place;
}

export function setWhen(draft, when) {
  const isMoved = current(draft)?.type === "kong";
  return but(draft, (next) => {
    next.insertAt = null;
    next.back = null;
    if (!isMoved) {
      next.when = when;
      next.at = null;
      return;
    }
    const [kong] = next.events.splice(next.at, 1);
    next.at = when === "end" ? next.events.length : when - Number(when > next.at);
    next.events.splice(next.at, 0, kong);
    if (!next.isEditing) next.when = when === "end" ? when : next.at + 1;
  });
}

export function setKong(draft, system, kind) {
  const changed = but(draft, (next) => {
    const event = next.events[next.at];
    event.kind = kind;
    delete event.from;
  });
  return finished(changed, system);
}

// A finished side event leads back to the wins, and to the one that it interrupted.
function finished(draft, system) {
  if (!isComplete(current(draft), system)) return draft;
  const isOneOfSeveral = draft.when !== null && current(draft).type === "kong";
  return but(draft, (next) => {
    settle(next);
    next.when = isOneOfSeveral ? draft.when : null;
    next.mode = isOneOfSeveral ? "kong" : "win";
    next.at = isOneOfSeveral ? null : (next.back ?? openWin(next, system));
    next.back = null;
  });
}

function tapInOther(draft, system, seat, event) {
  const type = draft.mode;
  if (!inPlayThere(draft, system).includes(seat)) return draft;
  if (type === "nagashi") return nagashi(draft, seat);
  if (event?.type === type && !isComplete(event, system)) return but(draft, (next) => (next.events[next.at].seat = seat));
  if (type === "dead_hand" && isMarkedDead(draft, seat)) return draft;
  const win = type === "chombo" ? null : openWin(draft, system);
  const added = but(draft, (next) => {
    next.at = next.insertAt ?? win ?? next.events.length;
    next.insertAt = null;
    next.events.splice(next.at, 0, { type, seat });
  });
  return finished(added, system);
}

// Marks the hands that a referee declared dead by a penalty, once each; what is entered already stays as it is.
export function withDead(draft, system, dead) {
  const canDie = (seat) => system.seats.includes(seat) && !isMarkedDead(draft, seat) && !winsOf(draft, seat) && !isOut(draft, system, seat);
  const missing = dead.filter((one) => canDie(one.seat));
  if (!missing.length) return draft;
  return but(draft, (next) => {
    const win = system.isSequence ? null : lastWin(next);
    const at = win ?? next.events.length;
    next.events.splice(at, 0, ...missing.map(({ seat, offence }) => ({ type: "dead_hand", seat, offence })));
    if (next.at !== null && next.at >= at) next.at += missing.length;
  });
}

function isMarkedDead(draft, seat) {
  return draft.events.some((event) => event.type === "dead_hand" && event.seat === seat);
}

function nagashi(draft, seat) {
  return but(draft, (next) => {
    next.events.push({ type: "win", from: null, winners: [{ seat, limit: "mangan", nagashi: true }] });
    next.mode = "win";
    next.at = null;
  });
}

export function setKind(draft, system, kind) {
  return finished(but(draft, (next) => (next.events[next.at].kind = kind)), system);
}

// A false win on the discard after a kong, or on the kong's own tile: that kong stays spoiled.
export function kongJustBefore(draft) {
  const event = current(draft);
  const kong = event?.type === "false_win" ? kongBefore(draft.events, draft.at) : null;
  return kong && kong.seat !== event.seat ? kong : null;
}

// On whose discard the false win was declared, where that is known.
export function setFalseFrom(draft, seat) {
  const kong = kongJustBefore(draft);
  const place = kong ? draft.events.indexOf(kong) : -1;
  return but(draft, (next) => {
    const event = next.events[next.at];
    for (const flag of ["discard_after_kong", "robbing_kong"]) delete event[flag];
    if (place >= 0) delete next.events[place].robbed;
    if (event.from === seat) delete event.from;
    else event.from = seat;
  });
}

export function whoDiscarded(draft, system, seat) {
  return inPlayBeside(draft, system).filter((other) => other !== seat);
}

export function toggleSpoiled(draft, name) {
  const place = draft.events.indexOf(kongJustBefore(draft));
  return but(draft, (next) => {
    const event = next.events[next.at];
    const kong = next.events[place];
    const isOn = !event[name];
    for (const flag of ["discard_after_kong", "robbing_kong"]) delete event[flag];
    delete event.from;
    delete kong.robbed;
    if (!isOn) return;
    event[name] = true;
    event.from = kong.seat;
    if (name === "robbing_kong") kong.robbed = true;
  });
}

// What is left unfinished stays in its place until it is gone on with or taken out.
export function setMode(draft, system, mode) {
  const event = current(draft);
  const isKept = event?.type === mode && (mode === "win" || !isComplete(event, system));
  return but(draft, (next) => {
    next.mode = mode;
    next.isOver = mode === "over";
    // Whoever has bet on being ready is.
    if (next.isOver && system.hasRiichi) for (const seat of next.riichi) next.end[seat] ??= { state: "waiting" };
    next.isSharing = false;
    if (mode !== "kong") next.when = null;
    if (isKept) return;
    next.isEditing = false;
    next.isReseating = false;
    next.back = null;
    if (!system.isSequence) shelve(next, mode);
    next.at = mode === "win" ? openWin(next, system) : unfinished(next, system, mode);
    next.winner = 0;
  });
}

// Where a win ends the hand, a hand without a winner puts it on a shelf, from which it comes back untouched.
function shelve(next, mode) {
  const isWin = (event) => event.type === "win" && !event.winners.some((winner) => winner.nagashi);
  if (mode === "over") {
    next.shelf = [...(next.shelf ?? []), ...next.events.filter(isWin)];
    next.events = next.events.filter((event) => !isWin(event));
    next.at = null;
  } else if (next.shelf?.length) {
    if (!next.events.some(isWin)) next.events.push(...next.shelf);
    next.shelf = [];
  }
}

// The win that is gone on with: where a hand has several, only one that is not finished.
function openWin(draft, system) {
  return system.isSequence ? unfinished(draft, system, "win") : lastWin(draft);
}

function lastWin(draft) {
  const place = draft.events.findLastIndex((event) => event.type === "win");
  return place < 0 ? null : place;
}

// A chip is taken up again as a whole; pressed once more, it is laid down.
export function edit(draft, system, place) {
  const event = draft.events[place];
  const isDown = draft.isEditing && draft.at === place;
  return but(draft, (next) => {
    if (next.at !== place) next.back = null;
    settle(next);
    next.isEditing = !isDown && isComplete(event, system);
    next.mode = isDown ? "win" : event.type;
    next.at = isDown ? openWin(next, system) : place;
    next.winner = 0;
    next.isSharing = false;
  });
}

export function removeEvent(draft, system, place) {
  const event = draft.events[place];
  const cleared = event.type === "win" ? withoutKongFlags({ ...draft, at: place }) : draft;
  return but(cleared, (next) => {
    const at = next.events.findIndex((_, index) => index === next.at && event.type === "win");
    next.events.splice(event.type === "win" ? at : place, 1);
    settle(next);
    next.at = next.mode === "win" ? openWin(next, system) : null;
    next.back = null;
    next.winner = 0;
    next.isSharing = false;
  });
}

// The value of the hand

function valued(draft, work) {
  return but(draft, (next) => work(next.events[next.at].winners[next.winner], next.events[next.at]));
}

function circumstancesOf(event, system) {
  return system.circumstances.filter((one) => event[one.name]).length;
}

// What the hand can be worth: its kongs, how the tile came, and the sets that are left to form.
export function possibleFans(draft, system) {
  const event = current(draft);
  const winner = event?.winners?.[draft.winner];
  if (!winner) return [];
  return system.possibleFans(draft.events.slice(0, draft.at), winner.seat, {
    robs: Boolean(event.robbing_kong),
    byTile: circumstancesOf(event, system),
  });
}

// The number of fans that is possible and nearest to the one that was asked for, from there on up.
export function nearestFans(draft, system, wanted) {
  const possible = possibleFans(draft, system);
  return possible.find((fans) => fans >= wanted) ?? possible.at(-1) ?? wanted;
}

// How often the winner's declared kongs count each fan.
export function fansOfKongs(draft, system) {
  const winner = current(draft)?.winners?.[draft.winner];
  return winner && system.fansOfKongs ? system.fansOfKongs(draft.events.slice(0, draft.at), winner.seat) : {};
}

// A value below the minimum, and which false win it is where the rules have one for it.
export function shortWin(draft, system) {
  const event = current(draft);
  const winner = event?.type === "win" && !draft.isEditing ? event.winners[draft.winner] : null;
  const isShort = Boolean(winner?.fans) && winner.fans < (system.minimum ?? 0) && event.from !== undefined;
  return isShort ? (kindsOf(system, "false_win").find((one) => one.kind === system.shortKind) ?? null) : null;
}

// Who declared it did so falsely; the hand goes on.
export function declareShort(draft, system) {
  const { seat } = current(draft).winners[0];
  const { kind } = shortWin(draft, system);
  return finished(but(draft, (next) => (next.events[next.at] = { type: "false_win", seat, kind })), system);
}

export function setFans(draft, fans) {
  return valued(draft, (winner) => {
    winner.fans = fans;
    delete winner.fan_list;
    delete winner.tiles;
  });
}

export function toggleFan(draft, system, name) {
  const most = system.fans.find((fan) => fan.name === name).most;
  const ofKongs = fansOfKongs(draft, system);
  return valued(draft, (winner, event) => {
    const least = ofKongs[name] ?? 0;
    const list = { ...ofKongs, ...(winner.fan_list ?? {}) };
    list[name] = (list[name] ?? 0) < most ? Math.max(least, (list[name] ?? 0) + 1) : least;
    winner.fan_list = Object.fromEntries(Object.entries(list).filter(([, count]) => count));
    delete winner.tiles;
    winner.fans = listed(winner.fan_list, system) + circumstancesOf(event, system);
  });
}

function listed(list, system) {
  return system.fans.reduce((sum, fan) => sum + fan.fans * (list[fan.name] ?? 0), 0);
}

export function pressDigit(draft, system, digit) {
  return valued(draft, (winner) => {
    const next = Number(`${winner.fan_list || winner.tiles ? "" : (winner.fans ?? "")}${digit}`);
    if (next <= system.most) winner.fans = next;
    delete winner.fan_list;
    delete winner.tiles;
  });
}

export function eraseDigit(draft) {
  return valued(draft, (winner) => {
    const left = String(winner.fans ?? "").slice(0, -1);
    winner.fans = left === "" ? null : Number(left);
    delete winner.fan_list;
    delete winner.tiles;
  });
}

export function setFanList(draft, list, fans) {
  return valued(draft, (winner) => {
    winner.fans = fans;
    winner.fan_list = list;
    delete winner.tiles;
  });
}

// Takes a value that a refusal offers, for the winner whose value was refused.
export function takeOffer(draft, field, facts) {
  const [, event, winner] = /events\.(\d+)\.winners\.(\d+)/.exec(field);
  return but(draft, (next) => Object.assign(next.events[event].winners[winner], facts));
}

export function setFlowers(draft, flowers) {
  return valued(draft, (winner) => (winner.flowers = Math.min(8, Math.max(0, flowers))));
}

export function setHan(draft, system, han) {
  return valued(draft, (winner) => {
    winner.han = han;
    delete winner.yakuman;
    if (isLarge(winner, system)) delete winner.fu;
    delete winner.limit;
    delete winner.liable;
    delete winner.yaku;
    delete winner.tiles;
  });
}

export function setFu(draft, fu) {
  return valued(draft, (winner) => {
    winner.fu = fu;
    delete winner.limit;
    delete winner.yaku;
    delete winner.tiles;
  });
}

export function setLimit(draft, limit) {
  return valued(draft, (winner) => {
    winner.limit = limit;
    delete winner.han;
    delete winner.fu;
    delete winner.yaku;
    delete winner.tiles;
    delete winner.yakuman;
    if (limit !== "yakuman") delete winner.liable;
  });
}

// How many yakuman a hand is paid for, where they add up.
export function setTimes(draft, times) {
  return valued(draft, (winner) => {
    if (times > 1) winner.yakuman = times;
    else delete winner.yakuman;
    delete winner.yaku;
    delete winner.tiles;
  });
}

export function setLiable(draft, seat) {
  return valued(draft, (winner) => {
    if (!seat || winner.liable === seat) delete winner.liable;
    else winner.liable = seat;
  });
}

// The engine's reading takes the place of whatever value was entered; how the tile came is told by the event.
export function setTiles(draft, system, found) {
  const came = new Set(system.circumstances.map((one) => one.name));
  return valued(draft, (winner) => {
    for (const name of ["fans", "fan_list", "han", "fu", "limit", "yakuman", "liable", "yaku"]) delete winner[name];
    Object.assign(winner, found);
    if (!system.circumstances.length || !found.fan_list) return;
    winner.fan_list = Object.fromEntries(Object.entries(found.fan_list).filter(([name]) => !came.has(name)));
  });
}

export function toggleUndrawn(draft) {
  return valued(draft, (winner) => (winner.without_drawn_tile = !winner.without_drawn_tile));
}

export function toggleSameTurn(draft) {
  return but(draft, (next) => {
    const event = next.events[next.at];
    event.same_turn = !event.same_turn;
    // A second win of another turn uses the tile of that turn.
    if (!event.same_turn) for (const winner of event.winners) delete winner.without_drawn_tile;
  });
}

// How the tile came

function isOnSameTile(event, win) {
  const flags = ["discard_after_kong", "robbing_kong"];
  const isWin = ["win", "false_win"].includes(event.type) && Boolean(event.from);
  return isWin && event.from === win.from && flags.every((name) => Boolean(event[name]) === Boolean(win[name]));
}

function kongBefore(events, place) {
  const win = events[place];
  for (let index = place - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event.type !== "dead_hand" && !isOnSameTile(event, win)) return event.type === "kong" ? event : null;
  }
  return null;
}

function fit(kong, event, need) {
  if (!kong) return false;
  if (need === "winner") return kong.seat === event.winners[0].seat && !kong.robbed;
  if (need === "robbed") return kong.seat === event.from && ["added", "delayed"].includes(kong.kind);
  return kong.seat === event.from && !kong.robbed;
}

export function circumstanceFits(event, circumstance) {
  if (!event || event.from === undefined) return false;
  if (circumstance.by === "wall") return event.from === null;
  if (circumstance.by === "discard") return event.from !== null;
  return !event.robbing_kong;
}

// A circumstance that speaks of a kong finds it just before the win, or puts one there and asks of what kind it was.
export function toggleCircumstance(draft, system, name) {
  const event = current(draft);
  const circumstance = system.circumstances.find((one) => one.name === name);
  if (event[name]) return withoutFlag(draft, system, name);
  const alone = ["discard_after_kong", "robbing_kong", "replacement_win"].includes(name) ? withoutKongFlags(draft, system) : draft;
  const flagged = but(alone, (next) => {
    const win = next.events[next.at];
    win[name] = true;
    if (name === "robbing_kong" && win.last_tile) {
      delete win.last_tile;
      recount(win, system, -1);
    }
    recount(win, system, 1);
  });
  return circumstance.kong ? withKong(flagged, circumstance) : flagged;
}

function recount(event, system, step) {
  for (const winner of event.winners) {
    if (winner.fan_list) winner.fans = listed(winner.fan_list, system) + circumstancesOf(event, system);
    else if (winner.fans !== null && winner.fans !== undefined) winner.fans = Math.max(0, winner.fans + step);
  }
}

function withKong(draft, circumstance) {
  const event = current(draft);
  const found = kongBefore(draft.events, draft.at);
  if (fit(found, event, circumstance.kong)) {
    return but(draft, (next) => {
      const kong = kongBefore(next.events, next.at);
      if (circumstance.kong === "robbed") kong.robbed = true;
    });
  }
  return but(draft, (next) => {
    const seat = circumstance.kong === "winner" ? event.winners[0].seat : event.from;
    const robbed = circumstance.kong === "robbed" ? { kind: "added", robbed: true } : { kind: "" };
    next.events.splice(next.at, 0, { type: "kong", seat, ...robbed, isImplied: true });
    if (robbed.robbed) next.at += 1;
    else {
      next.back = next.at + 1;
      next.mode = "kong";
    }
  });
}

function withoutFlag(draft, system, name) {
  const isOfKong = name !== "last_tile";
  return but(isOfKong ? withoutImpliedKong(draft) : draft, (next) => {
    const win = next.events[next.at];
    delete win[name];
    recount(win, system, -1);
  });
}

function withoutImpliedKong(draft) {
  const kong = kongBefore(draft.events, draft.at);
  return but(draft, (next) => {
    const place = kong ? draft.events.indexOf(kong) : -1;
    if (place < 0) return;
    delete next.events[place].robbed;
    if (kong.isImplied) {
      next.events.splice(place, 1);
      next.at -= 1;
    }
  });
}

function withoutKongFlags(draft, system = null) {
  const event = current(draft);
  const flags = ["replacement_win", "discard_after_kong", "robbing_kong"].filter((name) => event?.[name]);
  if (!flags.length) return draft;
  return but(withoutImpliedKong(draft), (next) => {
    const win = next.events[next.at];
    for (const name of flags) delete win[name];
    if (system) recount(win, system, -flags.length);
    else for (const winner of win.winners) shrink(winner, flags);
  });
}

function shrink(winner, flags) {
  if (winner.fans) winner.fans = Math.max(0, winner.fans - flags.length);
}

// The end of the hand

export function setEnd(draft, seat, state, base = null) {
  return but(draft, (next) => {
    next.end[seat] = base === null ? { state } : { state, max_base: base };
    if (state !== "waiting") delete next.end[seat].max_base;
  });
}

// One tap for all that are still open to it: whoever called riichi is waiting and stays so.
export function setEnds(draft, system, state) {
  return but(draft, (next) => {
    for (const seat of system.seats) if (state === "waiting" || !next.riichi.includes(seat)) next.end[seat] = { state };
  });
}

export function toggleRiichi(draft, system, seat) {
  return but(draft, (next) => {
    const seats = new Set(next.riichi);
    if (!seats.delete(seat)) seats.add(seat);
    next.riichi = system.seats.filter((one) => seats.has(one));
    if (next.isOver && seats.has(seat)) next.end[seat] = { state: "waiting" };
  });
}

// A hand that is broken off needs no check; with four riichi the bets of all lie on the table.
export function toggleAbort(draft, system, reason) {
  return but(draft, (next) => {
    next.abort = next.abort === reason ? "" : reason;
    if (next.abort === "four_riichi") next.riichi = [...system.seats];
  });
}

// Who must be checked, and who may be: at an exhausted wall all that are left; after the last win whose kongs are at stake.
export function checked(draft, system) {
  if (!system.end) return { must: [], may: [] };
  if (system.hasRiichi) return { must: draft.isOver && !draft.abort ? system.seats : [], may: [] };
  const left = inPlay(draft, system);
  if (!isWonOut(draft, system)) return { must: draft.isOver ? left : [], may: [] };
  const hasStake = (seat) => system.isCheckedAfterLastWin && arithmeticOf(system.system, system.rules).stake(cleaned(draft, system), system.seats, seat) > 0;
  return { must: left.filter(hasStake), may: left };
}

// Whether a hand may be waiting at the end: a dead one cannot win, and so waits for nothing.
export function mayWait(draft, seat) {
  return !isMarkedDead(draft, seat);
}

// The highest base points that a waiting hand can have, with the kongs that it declared.
export function possibleBases(draft, system, seat) {
  if (!mayWait(draft, seat)) return [];
  const found = new Set(system.possibleFans(draft.events, seat).map((fans) => 2 ** Math.min(fans, system.cap)));
  return system.end.bases.filter((base) => found.has(base));
}

// What the check of a hand showed, unless what was entered since makes it impossible.
export function shown(draft, system, seat) {
  const end = draft.end[seat];
  if (end?.state !== "waiting") return end;
  if (!system.end.bases.length) return mayWait(draft, seat) ? end : undefined;
  return possibleBases(draft, system, seat).includes(end.max_base) ? end : undefined;
}

// What is still missing: a code for the prompt, or nothing when the hand can be saved.
export function missing(draft, system) {
  const event = current(draft);
  if ((event && !isComplete(event, system)) || draft.isSharing) return wanted(draft, event, system);
  const areLate = draft.mode === "kong" && draft.when !== null;
  if (draft.mode === "kong" && !areLate) return "kong";
  if (!areLate && !["win", "over", "more"].includes(draft.mode)) return draft.mode;
  if (leftOpen(draft, system)) return "unfinished";
  const { must } = checked(draft, system);
  if (must.some((seat) => !shown(draft, system, seat))) return "end";
  const isEnded = draft.isOver || isWonOut(draft, system) || draft.events.some((one) => one.type === "chombo");
  if (isEnded) return "";
  return draft.events.some((one) => one.type === "win") ? "next" : "winner";
}

// What was begun and left: the hand waits for it.
export function leftOpen(draft, system) {
  return draft.events.find((event) => !isComplete(event, system)) ?? null;
}

function wanted(draft, event, system) {
  if (draft.isSharing) return "another";
  if (event.type === "kong") return event.kind === "open" ? "kong_from" : "kong_kind";
  if (event.type !== "win") return "kind";
  if (event.from === undefined) return "from";
  const winner = event.winners[draft.winner];
  if (system.value === "han" && winner?.han && !winner.fu && !isLarge(winner, system)) return "fu";
  return "value";
}

// The record's form

export function cleaned(draft, system) {
  return { events: draft.events.filter((event) => isComplete(event, system)).map((event) => written(event, system)) };
}

export function facts(draft, system) {
  const said = cleaned(draft, system);
  const { must, may } = checked(draft, system);
  const end = {};
  for (const seat of system.seats) {
    const state = shown(draft, system, seat);
    const isPig = state?.state.startsWith("pig");
    if (state && (must.includes(seat) || (may.includes(seat) && isPig))) end[seat] = state;
  }
  if (Object.keys(end).length) said.end = end;
  if (draft.riichi.length) said.riichi = draft.riichi;
  if (draft.isOver && draft.abort) said.abort = draft.abort;
  return said;
}

function written(event, system) {
  if (event.type !== "win") {
    const { type, seat, kind, from, robbed, discard_after_kong, robbing_kong, offence } = event;
    return said({ type, seat, kind, from, robbed, discard_after_kong, robbing_kong, offence });
  }
  const flags = Object.fromEntries(FLAGS.map((name) => [name, event[name]]));
  return said({ type: "win", from: event.from, winners: ordered(event, system).map((winner) => worth(winner, event, system)), ...flags });
}

function ordered(event, system) {
  if (event.winners.length === 1 || !event.from) return event.winners;
  const turn = inTurn(system.seats, event.from);
  return [...event.winners].sort((one, other) => turn.indexOf(one.seat) - turn.indexOf(other.seat));
}

function worth(winner, event, system) {
  const list = fanList(winner, event, system);
  return said({ ...winner, fan_list: list, flowers: winner.flowers || undefined });
}

// In Sichuan how the tile came is among the listed fans.
function fanList(winner, event, system) {
  if (!winner.fan_list) return undefined;
  const came = system.circumstances.filter((one) => event[one.name]).map((one) => [one.name, 1]);
  const list = { ...winner.fan_list, ...Object.fromEntries(came) };
  return Object.keys(list).length ? list : undefined;
}

function said(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== false && value !== ""));
}

// Takes up a recorded hand again, for a correction or a second look.
export function load(facts, system) {
  const draft = start();
  draft.events = structuredClone(facts.events).map((event) => loaded(event, system));
  draft.end = structuredClone(facts.end ?? {});
  draft.riichi = [...(facts.riichi ?? [])];
  draft.abort = facts.abort ?? "";
  draft.isOver = !isWonOut(draft, system) && !draft.events.some((event) => event.type === "chombo");
  draft.mode = draft.isOver ? "over" : "win";
  if (!system.isSequence && !draft.isOver) draft.at = lastWin(draft);
  return draft;
}

function loaded(event, system) {
  if (event.type !== "win") return event;
  const names = new Set(system.circumstances.map((one) => one.name));
  const winners = event.winners.map((winner) =>
    winner.fan_list && system.fans.length
      ? { ...winner, fan_list: Object.fromEntries(Object.entries(winner.fan_list).filter(([name]) => !names.has(name))) }
      : winner,
  );
  return { ...event, from: event.from ?? null, winners };
}
