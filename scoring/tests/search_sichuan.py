"""Search for Sichuan hands that are judged wrongly: random legal ones must be accepted, accepted ones must be possible.

    python -m scoring.tests.search_sichuan --hands 200000 --seed 1

Legal hands are made from the rulebook. Each is then changed at random, and what the program makes of the change is held
against a second opinion, which is written from the rulebook alone: it lays out every hand of two suits and follows the
events one by one. [SBR 2.5] [SBR 2.6] [SBR 2.7] [WMSG 2] [WMSG 10] [RULES 8.44] [RULES 8.45] [RULES 8.46] [RULES 8.47]
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import combinations_with_replacement
from random import Random
from typing import Any

from scoring.problems import Refusal
from scoring.record.hands import read_hand
from scoring.seats import Seat
from scoring.systems import ruleset

Facts = dict[str, Any]
Fans = tuple[int, int, int, int, int]
"""Four of a kind outside kongs, all pungs, golden wait, full flush, seven pairs; the first counts how many."""

WORTH = {"quad": 1, "all_pungs": 1, "golden_wait": 1, "pure_suit": 2, "seven_pairs": 2}
FLAGS = ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile")
STATES = {"SBR": ("waiting", "no_wait", "pig_active", "pig_passive"), "WMSG": ("waiting", "no_wait", "pig")}
KINDS = ("concealed", "open", "added", "delayed")
CAP = {"SBR": 4, "WMSG": 3}

# ----------------------------------------------------------------------------------------------------------------------
# The second opinion: which hands there are
# ----------------------------------------------------------------------------------------------------------------------


@cache
def shapes() -> frozenset[tuple[int, int, bool, bool, bool]]:
    """Lay out every hand of four sets and a pair, of one suit and a part of another.

    Of each is told: pungs whose fourth tile is free, fours, whether all sets are pungs, one suit, and whether it holds a
    single tile.
    """
    first, second = range(9), range(9, 14)
    sets = [(t, t + 1, t + 2) for suit in (first, second) for t in suit if t + 2 in suit]
    sets += [(t,) * 3 for t in (*first, *second)]
    found = set()
    for chosen in combinations_with_replacement(sets, 4):
        count = Counter(t for one in chosen for t in one)
        if max(count.values()) > 4:
            continue
        pungs = [one[0] for one in chosen if one[0] == one[1]]
        for pair in (*first, *second):
            if count[pair] > 2:
                continue
            held = count + Counter({pair: 2})
            free = sum(held[t] == 3 for t in pungs)
            fours = sum(n == 4 for n in held.values())
            suits = {t // 9 for t in held}
            found.add((free, fours, len(pungs) == 4, len(suits) == 1, 1 in held.values()))
    return frozenset(found)


@cache
def possible(kongs: int, robbed: int, *, robs: bool = False) -> frozenset[Fans]:
    """Return what hands with so many kongs, and pungs whose fourth tile was robbed, are worth beside the kongs.

    A robbed tile is the only one of its kind in the hand: the other three lie before who declared the kong.
    """
    found: set[Fans] = set()
    for free, fours, all_pungs, pure, has_single in shapes():
        if kongs + robbed > free or (robs and not has_single):
            continue
        for golden in (0, 1) if all_pungs else (0,):
            if kongs + robbed == 4 and not golden:
                continue
            found.add((fours, int(all_pungs), golden, int(pure), 0))
    if not kongs and not robbed and not robs:
        found |= {(fours, 0, 0, pure, 1) for fours in range(4) for pure in (0, 1)}
    return frozenset(found)


def worth(fans: Fans) -> int:
    return sum(points * count for points, count in zip(WORTH.values(), fans, strict=True))


def declared_by(events: list[Facts], seat: str) -> tuple[int, int, int]:
    """Return how many kongs count, how many were delayed, and how many pungs robbed kongs left."""
    own = [one for one in events if one["type"] == "kong" and one["seat"] == seat]
    robbed = sum(bool(one.get("robbed")) for one in own)
    delayed = sum(one["kind"] == "delayed" and not one.get("robbed") for one in own)
    return len(own) - robbed - delayed, delayed, robbed


def written_list(system: str, kongs: int, delayed: int, fans: Fans, win: Facts) -> dict[str, int]:
    """List fans as the edition names them: a kong, or four of a kind."""
    found = dict(zip(WORTH, fans, strict=True))
    if system == "SBR":
        found = {"kong": kongs, **found, "quad": found["quad"] + delayed}
    else:
        found["quad"] += kongs + delayed
    found |= {flag: 1 for flag in FLAGS if win.get(flag)}
    return {name: count for name, count in found.items() if count}


# ----------------------------------------------------------------------------------------------------------------------
# The second opinion: what can happen
# ----------------------------------------------------------------------------------------------------------------------


def tile_of(event: Facts) -> tuple[Any, ...]:
    return event.get("from"), bool(event.get("discard_after_kong")), bool(event.get("robbing_kong"))


def against(facts: Facts, system: str, seats: list[str], false_winner: str) -> Iterator[str]:
    """Say why a hand cannot have happened; nothing when it can."""
    events = facts["events"]
    gone: list[str] = []
    dead: set[str] = set()
    last: Facts | None = None
    for at, event in enumerate(events):
        kind, before, after = event["type"], events[:at], events[at + 1 :]
        if len(seats) - len(gone) < 2:
            yield "the hand is over"
        if last and not (kind == "false_win" and "from" in event and tile_of(event) == tile_of(last)):
            yield "the wall is out"
        playing = [seat for seat in seats if seat not in gone]
        who = [one["seat"] for one in event["winners"]] if kind == "win" else [event["seat"]]
        if any(seat not in playing for seat in who):
            yield "a seat that does not play"
        if "from" in event and (event["from"] not in playing or event["from"] in who):
            yield "a tile from nobody"
        if kind == "kong":
            yield from _against_kong(event, before, after, dead)
        if kind in ("win", "false_win"):
            yield from _against_way(event, before)
        if kind == "win":
            yield from _against_win(event, before, system, seats, dead)
            gone += who
            last = event if event.get("last_tile") else last
        if kind == "false_win" and false_winner == "out":
            gone += who
        if kind == "dead_hand":
            if event["seat"] in dead:
                yield "dead twice"
            dead.add(event["seat"])
    yield from _against_end(facts, system, seats, gone, dead)


def _against_kong(event: Facts, before: list[Facts], after: list[Facts], dead: set[str]) -> Iterator[str]:
    seat = event["seat"]
    if sum(one["type"] == "kong" and one["seat"] == seat for one in before) > 3:
        yield "a fifth kong"
    if (event["kind"] == "open") != ("from" in event) or (event["kind"] == "open" and seat in dead):
        yield "no such kong"
    if event.get("robbed"):
        following = next((one for one in after if one["type"] != "dead_hand"), {"type": ""})
        is_robbed = following.get("robbing_kong") and following.get("from") == seat
        if event["kind"] not in ("added", "delayed") or not is_robbed:
            yield "robbed by nobody"


def _against_way(event: Facts, before: list[Facts]) -> Iterator[str]:
    ways = [flag for flag in FLAGS[:3] if event.get(flag)]
    if len(ways) > 1 or (event.get("robbing_kong") and event.get("last_tile")):
        yield "two ways at once"
    if not ways:
        return
    if ("from" in event) == (ways[0] == "replacement_win"):
        yield "drawn or given"
    giver = event.get("from") or event.get("winners", [event])[0]["seat"]
    others = [one for one in before if one["type"] != "dead_hand"]
    while (
        others and "from" in event and others[-1]["type"] != "kong" and tile_of(others[-1]) == tile_of(event)
    ):
        others.pop()
    kong = others[-1] if others else {"type": ""}
    fits = kong["type"] == "kong" and kong["seat"] == giver
    if not fits or bool(kong.get("robbed")) != bool(event.get("robbing_kong")):
        yield "no such kong before"


def _against_win(
    event: Facts, before: list[Facts], system: str, seats: list[str], dead: set[str]
) -> Iterator[str]:
    who = [one["seat"] for one in event["winners"]]
    if len(set(who)) < len(who) or set(who) & dead or (len(who) > 1 and "from" not in event):
        yield "such winners"
    if "from" in event:
        order = "ESWN"["ESWN".index(event["from"]) :] + "ESWN"
        if sorted(who, key=order.index) != who:
            yield "out of turn"
        same = [one for one in before if one["type"] != "dead_hand"]
        while same and same[-1]["type"] in ("win", "false_win") and tile_of(same[-1]) == tile_of(event):
            one = same.pop()
            marked = event.get("discard_after_kong") or event.get("robbing_kong") or one.get("last_tile")
            if one["type"] == "win" and marked:
                yield "a second win on one tile"
    by_tile = sum(bool(event.get(flag)) for flag in FLAGS)
    for winner in event["winners"]:
        kongs, delayed, robbed = declared_by(before, winner["seat"])
        ways = possible(kongs + delayed, robbed, robs=bool(event.get("robbing_kong")))
        if "fan_list" in winner:
            lists = [(written_list(system, kongs, delayed, way, event), way) for way in ways]
            ways = frozenset(way for written, way in lists if written == winner["fan_list"])
        if winner["fans"] not in {kongs + delayed + by_tile + worth(way) for way in ways}:
            yield "no such hand"


def _against_end(
    facts: Facts, system: str, seats: list[str], gone: list[str], dead: set[str]
) -> Iterator[str]:
    end = facts.get("end", {})
    is_over = len(seats) - len(gone) < 2
    for seat, check in end.items():
        if seat not in seats or seat in gone:
            yield "a check of nobody"
            continue
        if check["state"] not in STATES[system] or ("max_base" in check and check["state"] != "waiting"):
            yield "no such state"
        if check["state"] == "waiting":
            kongs, delayed, robbed = declared_by(facts["events"], seat)
            sums = {kongs + delayed + worth(way) for way in possible(kongs + delayed, robbed)}
            bases = {2 ** min(fans, CAP[system]) for fans in sums} | ({None} if is_over else set())
            if seat in dead or check.get("max_base") not in bases:
                yield "no such waiting hand"
    for seat in seats:
        is_asked = not is_over or (system == "SBR" and _stake(facts, seats, seat))
        if is_asked and seat not in gone and seat not in end:
            yield "not checked"


def _stake(facts: Facts, seats: list[str], seat: str) -> bool:
    """Return whether the last who has declared nothing holds points of a kong. [SBR 2.7.2.4]"""
    kept: list[bool] = []
    lost = False
    left = list(seats)
    for event in facts["events"]:
        own = event.get("seat") == seat
        if event["type"] == "kong" and own and not event.get("robbed"):
            kept.append(event["kind"] != "delayed" and not lost and len(left) > 1)
        if event["type"] in ("dead_hand", "false_win") and own:
            lost, kept = True, []
        if event.get("discard_after_kong") and event.get("from") == seat and kept:
            kept[-1] = False
        if event["type"] == "win":
            left = [one for one in left if one not in {winner["seat"] for winner in event["winners"]}]
    return any(kept)


# ----------------------------------------------------------------------------------------------------------------------
# Legal hands
# ----------------------------------------------------------------------------------------------------------------------


class Maker:
    """Makes one legal hand, step by step."""

    def __init__(self, system: str, seats: list[str], false_winner: str, chance: Random) -> None:
        """Begin with everybody in play."""
        self.system, self.seats, self.false_winner, self.chance = system, seats, false_winner, chance
        self.events: list[Facts] = []
        self.left, self.dead, self.is_out = list(seats), set[str](), False

    def facts(self) -> Facts:
        """Let things happen until the hand ends, and check who is left."""
        for _ in range(self.chance.randint(1, 9)):
            if len(self.left) < 2 or self.is_out:
                break
            self.step()
        facts: Facts = {"number": 1, "events": self.events}
        end = {seat: self.state(seat) for seat in self.left}
        is_needed = len(self.left) > 1 or (self.system == "SBR" and _stake(facts, self.seats, self.left[0]))
        if is_needed or self.chance.random() < 0.5:
            facts["end"] = end
        return facts

    def state(self, seat: str) -> Facts:
        kongs, delayed, robbed = declared_by(self.events, seat)
        sums = sorted({kongs + delayed + worth(way) for way in possible(kongs + delayed, robbed)})
        if seat not in self.dead and sums and self.chance.random() < 0.5:
            return {"state": "waiting", "max_base": 2 ** min(self.chance.choice(sums), CAP[self.system])}
        return {"state": self.chance.choice(STATES[self.system][1:])}

    def kong(self, seat: str, kinds: tuple[str, ...] = KINDS) -> bool:
        own = sum(one["type"] == "kong" and one["seat"] == seat for one in self.events)
        kind = self.chance.choice(kinds)
        if own > 3 or (kind == "open" and seat in self.dead):
            return False
        event: Facts = {"type": "kong", "seat": seat, "kind": kind}
        if kind == "open":
            event["from"] = self.chance.choice([other for other in self.left if other != seat])
        self.events.append(event)
        return True

    def winner(self, seat: str, win: Facts) -> Facts | None:
        kongs, delayed, robbed = declared_by(self.events, seat)
        ways = sorted(possible(kongs + delayed, robbed, robs=bool(win.get("robbing_kong"))))
        if not ways or seat in self.dead:
            return None
        way = self.chance.choice(ways)
        by_tile = sum(bool(win.get(flag)) for flag in FLAGS)
        found: Facts = {"seat": seat, "fans": kongs + delayed + by_tile + worth(way)}
        if self.chance.random() < 0.4:
            found["fan_list"] = written_list(self.system, kongs, delayed, way, win)
        return found

    def win(self, who: list[str], **more: Any) -> bool:
        win: Facts = {"type": "win", "winners": [], **more}
        found = [one for seat in who if (one := self.winner(seat, win))]
        if not found:
            return False
        win["winners"] = found
        self.events.append(win)
        for one in found:
            self.left.remove(one["seat"])
        self.is_out = bool(win.get("last_tile"))
        return True

    def false_win(self, seat: str, **more: Any) -> None:
        kind = self.chance.choice(["waiting", "no_wait"])
        self.events.append({"type": "false_win", "seat": seat, "kind": kind, **more})
        if self.false_winner == "out":
            self.left.remove(seat)

    def step(self) -> None:
        """Let one thing happen."""
        chance = self.chance
        seat, giver = chance.sample(self.left, 2)
        turn = "ESWN"["ESWN".index(giver) :] + "ESWN"
        others = sorted((one for one in self.left if one != giver), key=turn.index)
        last = {"last_tile": True} if chance.random() < 0.15 else {}
        what = chance.choice(
            ["kong", "kong", "draw", "replacement", "discard", "discard", "after", "rob", "false", "dead"]
        )
        some = [one for one in others if chance.random() < 0.6] or others[:1]
        if what == "kong":
            self.kong(seat)
        elif what == "draw":
            self.win([seat], **last)
        elif what == "replacement" and seat not in self.dead and self.kong(seat):
            self.win([seat], replacement_win=True, **last)
        elif what == "discard":
            self.on_one_tile(some, **{"from": giver}, **last)
        elif what == "after" and self.kong(giver):
            self.on_one_tile(some, **{"from": giver}, discard_after_kong=True, **last)
        elif what == "rob":
            self.rob(giver, some)
        elif what == "false":
            self.false_win(seat)
        elif what == "dead" and seat not in self.dead:
            self.events.append({"type": "dead_hand", "seat": seat})
            self.dead.add(seat)

    def rob(self, giver: str, some: list[str]) -> None:
        if not self.kong(giver, ("added", "delayed")):
            return
        kong = self.events[-1]
        kong["robbed"] = True
        before = len(self.events)
        self.on_one_tile(some, **{"from": giver}, robbing_kong=True)
        if len(self.events) == before:
            del kong["robbed"]

    def on_one_tile(self, some: list[str], **more: Any) -> None:
        """Let some declare a win on one tile, perhaps one of them falsely, in any order."""
        how = {name: value for name, value in more.items() if name != "last_tile"}
        false = some.pop() if len(some) > 1 and self.chance.random() < 0.4 else None
        is_first = self.chance.random() < 0.5
        if false and is_first:
            self.false_win(false, **how)
        self.win(some, **more)
        if false and not is_first:
            self.false_win(false, **how)


# ----------------------------------------------------------------------------------------------------------------------
# Changes
# ----------------------------------------------------------------------------------------------------------------------


def changed(facts: Facts, system: str, chance: Random) -> Facts:
    """Return a hand with one to three things changed at random."""
    facts = deepcopy(facts)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        _change(facts, system, chance)
    return facts


def _change(facts: Facts, system: str, chance: Random) -> None:
    events, end = facts["events"], facts.setdefault("end", {})
    what = chance.choice(["event", "event", "event", "drop", "swap", "copy", "end", "end"])
    if what == "end" or not events:
        seat = chance.choice("ESWN")
        state = chance.choice(STATES[system])
        end.pop(seat, None)
        if chance.random() < 0.8:
            end[seat] = {"state": state} | (
                {"max_base": 2 ** chance.randint(0, 4)} if state == "waiting" else {}
            )
    elif what == "drop":
        events.pop(chance.randrange(len(events)))
    elif what == "swap":
        one, other = chance.randrange(len(events)), chance.randrange(len(events))
        events[one], events[other] = events[other], events[one]
    elif what == "copy":
        events.insert(chance.randint(0, len(events)), deepcopy(chance.choice(events)))
    else:
        _change_event(chance.choice(events), chance)
    if not end:
        del facts["end"]


def _change_event(event: Facts, chance: Random) -> None:
    name = chance.choice(["seat", "from", "kind", "flag", "fans", "list", "robbed"])
    if name == "from":
        event.pop("from", None)
        if chance.random() < 0.7:
            event["from"] = chance.choice("ESWN")
    elif name == "flag" and event["type"] in ("win", "false_win"):
        flag = chance.choice(FLAGS if event["type"] == "win" else FLAGS[1:3])
        if not event.pop(flag, False):
            event[flag] = True
    elif name == "robbed" and event["type"] == "kong":
        if not event.pop("robbed", False):
            event["robbed"] = True
    elif name == "kind" and "kind" in event:
        event["kind"] = chance.choice(KINDS if event["type"] == "kong" else ("waiting", "no_wait"))
    elif event["type"] == "win":
        _change_winner(chance.choice(event["winners"]), name, chance)
    elif name == "seat":
        event["seat"] = chance.choice("ESWN")


def _change_winner(winner: Facts, name: str, chance: Random) -> None:
    if name == "seat":
        winner["seat"] = chance.choice("ESWN")
    elif name == "list" and "fan_list" in winner:
        fan = chance.choice(["kong", *WORTH, *FLAGS])
        count = winner["fan_list"].pop(fan, 0) + chance.choice([-1, 1])
        if count > 0:
            winner["fan_list"][fan] = count
        points = {"kong": 1, **WORTH, **dict.fromkeys(FLAGS, 1)}
        winner["fans"] = sum(points[one] * many for one, many in winner["fan_list"].items())
    else:
        winner["fans"] = max(0, winner["fans"] + chance.choice([-2, -1, 1, 2]))
        if chance.random() < 0.5:
            winner.pop("fan_list", None)


# ----------------------------------------------------------------------------------------------------------------------
# The search
# ----------------------------------------------------------------------------------------------------------------------


def search(hands: int, seed: int) -> tuple[Counter[str], list[tuple[str, str, Facts, list[str]]]]:
    """Make so many legal hands and a change of each; return how many there were of each kind, and what is judged wrongly."""
    chance, counted, wrong = Random(seed), Counter[str](), []
    while counted["legal"] < hands:
        system, seats = chance.choice(["SBR", "WMSG"]), chance.choice(["ESWN", "ESWN", "ESWN", "ESW", "SWN"])
        false_winner = chance.choice(["out", "plays_on"])
        rules = ruleset(system, {"false_winner": false_winner})
        at = rules.start(tuple(Seat(seat) for seat in seats))
        legal = Maker(system, list(seats), false_winner, chance).facts()
        counted["legal"] += 1
        for name, facts in (("legal", legal), ("changed", changed(legal, system, chance))):
            try:
                refused = [problem.code for problem in rules.check(read_hand(facts), at)]
            except Refusal as refusal:
                refused = [problem.code for problem in refusal.problems]
                if name == "changed":
                    counted["of no form"] += 1
                    continue
            reasons = list(against(facts, system, list(seats), false_winner))
            counted[f"{name}, {'refused' if refused else 'accepted'}"] += 1
            if bool(refused) != bool(reasons):
                wrong.append((f"{system} {seats} {false_winner}: {name}", str(refused), facts, reasons))
    return counted, wrong


def main() -> None:
    """Search as long as is asked for, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counted, wrong = search(options.hands, options.seed)
    for one in wrong[:20]:
        print(*one, sep="\n  ")
    print(", ".join(f"{number:,} {name}" for name, number in sorted(counted.items())))
    print(f"judged wrongly: {len(wrong):,}")


if __name__ == "__main__":
    main()
