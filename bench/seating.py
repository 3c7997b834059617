"""Measures the draws beside the figures known of others: `python bench/seating.py [part …]`, all parts without a name.

Every plan is asked through the door as a stranger would ask, in JSON, and judged by bench/checker.py, which knows
nothing of how it was made. Times are seconds of this process's own work.
"""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import checker
from scoring.problems import Refusal
from seating.rules import door
from seating.rules.random_draw import random_draw
from seating.tests.requests import random_request

Request = dict[str, Any]
Tables = list[list[int | None]]
Label = Callable[[int], int | None]

# size: what is proved, then others' repeats/moments/tables/seconds as published or measured, then our aim.
PEERS = {
    (8, 4): (24, "32/0/12/0.0", "24/8/0.1", "24/5", "-", (24, 0, 8)),
    (12, 4): (18, "19/2/15/0.1", "18/11/0.3", "22/0.3", "-", (18, 0, 7)),
    (12, 6): (45, "67/6/30/0.1", "45/24/0.3", "45/7", "-", (45, 0, 9)),
    (16, 5): (0, "24/8/26/0.1", "8/26/0.2", "0/0.4", "0/8/24", (0, 0, 24)),
    (20, 5): (0, "27/12/40/0.1", "0/39/0.1", "0/2", "0/18/0", (0, 0, 0)),
    (20, 6): (1, "42/4/43/0.2", "13/44/0.4", "6/5", "22/24/19", (6, 0, 0)),
    (20, 8): (50, "95/20/43/0.3", "51/40/0.6", "52/7", "67/37/0", (50, 0, 4)),
    (24, 7): (0, "56/16/58/0.3", "16/51/0.1", "13/5", "0/46/30", (0, 0, 0)),
    (24, 8): (12, "87/17/60/0.3", "31/62/0.8", "49/0.1", "33/56/16", (18, 0, 9)),
    (28, 4): (0, "11/11/32/0.1", "0/30/0.1", "0/2", "0/6/4", (0, 0, 0)),
    (28, 7): (0, "64/15/91/0.3", "6/76/0.2", "4/5", "0/50/33", (0, 0, 0)),
    (28, 8): (0, "88/20/95/0.4", "16/89/0.2", "12/5", "0/53/41", (0, 0, 15)),
    (28, 9): (0, "114/26/102/0.5", "32/94/0.4", "25/10", "0/86/33", (0, 0, 6)),
    (32, 8): (0, "87/28/123/0.4", "8/117/0.1", "5/5", "0/72/30", (0, 0, 0)),
    (32, 10): (0, "153/28/138/0.6", "32/109/1", "26/5", "0/151/57", (0, 0, 6)),
    (36, 10): (0, "149/38/135/0.7", "17/128/0.6", "14/6", "0/149/80", (0, 0, 30)),
    (40, 8): (0, "77/33/140/0.5", "0/121/0.4", "0/3", "0/82/27", (0, 0, 0)),
    (40, 10): (0, "137/52/203/0.8", "7/168/0.5", "4/6", "0/166/58", (0, 0, 54)),
    (48, 10): (0, "131/48/205/0.9", "0/179/0.5", "-", "0/189/43", (0, 0, 0)),
    (64, 10): (0, "147/60/186/1.2", "0/176/1.3", "-", "0/301/18", (0, 0, 0)),
    (100, 12): (0, "188/127/293/2.7", "0/273/11", "-", "0/474/0", (0, 0, 0)),
    (160, 10): (0, "124/166/181/3.2", "0/180/22", "-", "0/683/0", (0, 0, 0)),
    (172, 15): (0, "307/258/428/7.7", "0/437/61", "-", "0/1429/0", (0, 0, 0)),
    (400, 15): (0, "288+/637/-/19", "over 150 s", "-", "-", (0, 0, 0)),
    (1000, 15): (0, "306+/1450/-/61", "no memory", "-", "-", (0, 0, 0)),
}
REMAINDERS = (29, 30, 31, 45, 46, 47, 101, 102, 103)
THREES = ((9, 4), (15, 7), (18, 6), (24, 8), (36, 10))
SECONDS = 10

SWISS_AIMS = {
    ("balanced", 28): (19.5, 8.9),
    ("balanced", 64): (7, 4.3),
    ("balanced", 128): (2.5, 2.1),
    ("no_repeats", 28): (16, 9.9),
    ("no_repeats", 64): (0, 5.3),
    ("no_repeats", 128): (0, 2.25),
    ("strict", 28): (None, 0),
    ("strict", 64): (None, 0),
    ("strict", 128): (None, 0),
}
SWISS_PEER = {28: "28.1 / 9.46 / 9.1 / 8.6", 64: "13.5 / 5.07 / 23.6 / 5.8", 128: "8.8 / 2.22 / 47.3 / 4.0"}

missed: list[str] = []


def players(count: int, group: Label | None = None, team: Label | None = None) -> list[dict[str, int | None]]:
    """List players for a request."""
    return [
        {
            "id": number,
            **({} if group is None or group(number) is None else {"group": group(number)}),
            **({} if team is None else {"team": team(number)}),
        }
        for number in range(count)
    ]


def asked(request: Request) -> tuple[dict[str, int], dict[str, Any], float]:
    """Ask for a plan, let the checker judge it, and return its figures with the seconds it took."""
    start = time.process_time()
    answer = json.loads(json.dumps(door.fixed(json.loads(json.dumps(request)))))
    seconds = time.process_time() - start
    found = checker.faults(request, answer)
    if found:
        missed.append(f"{found[:3]} in {json.dumps(request)[:200]}")
    return checker.figures(request, answer), answer["quality"], seconds


def verdict(name: str, holds: bool) -> str:
    """Note a missed aim and say it in a word."""
    if not holds:
        missed.append(name)
    return "met" if holds else "MISSED"


def fixed() -> None:
    """Print every size of the comparison: ours beside the others."""
    print("Fixed plans: repeats / moments with uneven winds / table repeats above the even spread / seconds")
    print(
        f"{'size':>8} {'bound':>5} {'ours':>16} {'aim':>10} {'':>6}  Pantheon | good-enough-golfers c2/t/s | flagboy c2/s | AIM c2/p/t"
    )
    for (count, rounds), (bound, *others, aim) in PEERS.items():
        figures, _, seconds = asked({"players": players(count), "rounds_wanted": rounds})
        ours = (figures["repeats"], figures["moments"], figures["tables"])
        proved = checker.least_repeats(count, rounds)
        holds = ours[0] <= aim[0] and ours[1] <= aim[1] and ours[2] <= aim[2] and seconds <= SECONDS
        holds = holds and proved <= ours[0] and proved <= bound
        print(
            f"{count:>5}x{rounds:<2} {bound:>5} {'/'.join(map(str, ours)):>10}/{seconds:<5.2f} "
            f"{'/'.join(map(str, aim)):>10} {verdict(f'{count}x{rounds}', holds):>6}  {' | '.join(others)}",
            flush=True,
        )


def remainders() -> None:
    """Print plans for numbers that four does not divide, and for tables of three."""
    print(
        "Remainders, eight rounds, and tables of three: repeats / moments / table repeats / short again / seconds"
    )
    wanted = [(count, 8, 4) for count in REMAINDERS] + [(count, rounds, 3) for count, rounds in THREES]
    for count, rounds, size in wanted:
        figures, _, seconds = asked({"players": players(count), "rounds_wanted": rounds, "table_size": size})
        row = [figures[name] for name in ("repeats", "moments", "tables", "short_again")]
        holds = row[0] == row[1] == row[3] == 0 and (size == 3 or row[2] <= 18) and seconds <= SECONDS
        print(
            f"{count:>5}x{rounds:<2} of {size}: {row} {seconds:.2f} {verdict(f'{count}x{rounds}/{size}', holds)}",
            flush=True,
        )


def apart() -> None:
    """Print teams of four from 6 to 25 teams over as many rounds, and groups of every kind."""
    print("Teams of four, as many rounds as teams: meetings of teammates / repeats / seconds")
    for teams in range(5, 26):
        figures, _, seconds = asked(
            {"players": players(4 * teams, team=lambda n: n // 4), "rounds_wanted": teams}
        )
        holds = figures["team"] == 0 and figures["repeats"] <= (6 if teams == 5 else 0) and seconds <= SECONDS
        print(
            f"{teams:>3} teams: {figures['team']}/{figures['repeats']}/{seconds:.2f} {verdict(f'{teams} teams', holds)}",
            flush=True,
        )
    print("Groups: meetings inside / proved minimum / repeats / seconds")
    for name, count, rounds, group in GROUPS:
        figures, quality, seconds = asked({"players": players(count, group), "rounds_wanted": rounds})
        least = quality["same_group"]["bound"]
        holds = figures["group"] == least and figures["repeats"] <= 2 and seconds <= SECONDS
        print(
            f"{name:>34} {count}x{rounds}: {figures['group']}/{least}/{figures['repeats']}/{seconds:.2f} {verdict(name, holds)}",
            flush=True,
        )


GROUPS: list[tuple[str, int, int, Label]] = [
    ("five clubs of eight", 40, 8, lambda n: n // 8),
    ("four clubs of ten", 40, 8, lambda n: n // 10),
    ("four clubs of ten", 40, 9, lambda n: n // 10),
    ("four clubs of fourteen", 56, 8, lambda n: n // 14),
    ("five clubs of eight or nine", 42, 8, lambda n: n % 5),
    ("four clubs of ten, one short", 39, 7, lambda n: n // 10),
    ("ten clubs of four", 40, 8, lambda n: n // 4),
    ("half from one country", 40, 8, lambda n: 0 if n < 20 else None),
    ("a third from one country", 40, 8, lambda n: 0 if n < 14 else None),
    ("half from one country", 32, 8, lambda n: 0 if n < 16 else n),
    ("four countries", 64, 10, lambda n: n // 16),
    ("two thirds from one country", 100, 8, lambda n: 0 if n < 66 else n),
    ("twelve clubs", 160, 10, lambda n: n % 12),
]


def changes() -> None:
    """Print what happens around a plan: given rounds, locks, withdrawals, late arrivals."""
    print("Changes: repeats added / moments / table repeats / seconds")
    chance = random.Random(4)
    given = []
    for _ in range(3):
        order = chance.sample(range(32), 32)
        given.append([order[place : place + 4] for place in range(0, 32, 4)])
    whole: dict[str, Any] = door.fixed({"players": players(36), "rounds_wanted": 8})
    first = whole["rounds"][:2]
    locks = [{"round": number, "id": 1, "table": 1} for number in range(1, 9)]
    late = {str(number): 3 for number in range(37, 41)}
    cases: list[tuple[str, Request, int]] = [
        (
            "three given rounds of 32, five more",
            {"players": players(32), "rounds_wanted": 8, "existing": given},
            1,
        ),
        (
            "36, two gone after round 2",
            {"players": players(36)[:34], "rounds_wanted": 8, "existing": first},
            1,
        ),
        ("40, one always at table 1", {"players": players(40), "rounds_wanted": 8, "locks": locks}, 0),
        ("41, four join in round 3", {"players": players(41), "rounds_wanted": 8, "joined": late}, 0),
        (
            "40, four away in round 2",
            {"players": players(40), "rounds_wanted": 8, "absent": {"2": [1, 2, 3, 4]}},
            0,
        ),
    ]
    for name, request, aim in cases:
        figures, _, seconds = asked(request)
        past = checker.figures({**request, "rounds_wanted": 0}, {"rounds": request.get("existing", [])})
        added = figures["repeats"] - past["repeats"]
        holds = added <= aim and seconds <= SECONDS
        print(
            f"{name:>36}: {added}/{figures['moments']}/{figures['tables']}/{seconds:.2f} {verdict(name, holds)}",
            flush=True,
        )


def requests(count: int = 1000) -> None:
    """Ask so many requests by chance; no answer may have a fault, every refusal has its reasons."""
    refused: Counter[str] = Counter()
    slowest = 0.0
    for number in range(count):
        try:
            _, _, seconds = asked(random_request(number))
            slowest = max(slowest, seconds)
        except Refusal as refusal:
            refused.update({problem.code for problem in refusal.problems})
    print(f"{count} requests: refused {dict(refused)}, slowest {slowest:.1f} s")


def swiss(events: int = 20) -> None:
    """Play random events of eight sessions in each mode, everybody there and with a tenth away."""
    print("Swiss, eight sessions: repeats / rank span / winds off / tables out of order / slowest round")
    for (mode, count), (repeats, span) in SWISS_AIMS.items():
        for away in (0, 10):
            rows = [event(count, mode, number, away) for number in range(events)]
            means = [sum(row[place] for row in rows) / events for place in range(4)]
            slowest, twice = max(row[4] for row in rows), max(row[5] for row in rows)
            holds = twice <= 1 and means[3] == 0 and slowest <= 1
            if not away:
                holds = holds and (repeats is None or means[0] <= repeats) and means[1] <= span
            print(
                f"{mode:>10} {count:>4} {away:>2} % away: {means[0]:.1f} / {means[1]:.2f} / {means[2]:.1f} / "
                f"{means[3]:.1f} / {slowest:.2f} {verdict(f'swiss {mode} {count} {away}', holds)}"
                f"   (aim {repeats} / {span}; Pantheon {SWISS_PEER[count]})",
                flush=True,
            )
    start = time.process_time()
    door.swiss(
        {"standings": [{"id": number} for number in range(1000)], "round": 2, "history": [_fours(1000)]}
    )
    seconds = time.process_time() - start
    print(f"a round of 1000: {seconds:.2f} s {verdict('swiss 1000', seconds <= 5)}")


def _fours(count: int) -> list[list[int]]:
    return [list(range(place, place + 4)) for place in range(0, count, 4)]


def event(count: int, mode: str, number: int, away: int) -> tuple[float, float, float, float, float, float]:
    """Play one random event and return repeats, mean rank span after the first session, winds off, tables out of order,
    the slowest round, and how often the unluckiest was at a short table or sat out."""
    played = Event(count, number)
    for session in range(1, 9):
        played.session(session, mode, away)
    figures = checker.figures({"players": [{"id": p} for p in range(count)]}, {"rounds": played.history})
    return (
        played.repeats(),
        sum(played.spans) / len(played.spans),
        figures["uneven"],
        played.unordered,
        played.slowest,
        max(Counter(played.short).values(), default=0),
    )


class Event:
    """A random event as it goes: who is how good, who stands where, who met whom, and what its draws were like."""

    def __init__(self, count: int, number: int) -> None:
        """Give everybody a skill by chance and no points."""
        self.count, self.number = count, number
        self.chance = random.Random(f"{count}/{number}")
        self.skill = [self.chance.gauss(0, 1) for _ in range(count)]
        self.points = [(0, 0)] * count
        self.history: list[dict[str, Any]] = []
        self.short: list[int] = []
        self.spans: list[int] = []
        self.unordered, self.slowest = 0, 0.0

    def session(self, session: int, mode: str, away: int) -> None:
        """Draw and play one session with whoever has come."""
        there = [player for player in range(self.count) if self.chance.random() * 100 >= away]
        ranks = {player: 1 + sum(self.points[one] > self.points[player] for one in there) for player in there}
        tables = self.drawn(session, mode, ranks)
        seated = _people(tables)
        assert sorted(set(seated)) == sorted(seated)
        assert set(seated) <= set(there)
        full = [_people([table]) for table in tables if None not in table]
        assert tables[: len(full)] == full
        if session > 1:
            self.judge(full, ranks)
        off = [player for player in there if player not in set(seated)]
        self.short += off + _people(tables[len(full) :])
        self.history.append({"tables": tables, "off": off})
        for table in tables:
            self.play(_people([table]))

    def drawn(self, session: int, mode: str, ranks: dict[int, int]) -> Tables:
        """Ask for the draw and note how long it took."""
        order = sorted(ranks, key=lambda player: self.points[player], reverse=True)
        request = {
            "round": session,
            "seed": self.number,
            "standings": [{"id": player, "rank": ranks[player]} for player in order],
            "history": self.history,
            "was_short": self.short,
        }
        start = time.process_time()
        tables: Tables = door.swiss(request, mode)
        self.slowest = max(self.slowest, time.process_time() - start)
        return tables

    def judge(self, full: list[list[int]], ranks: dict[int, int]) -> None:
        """Note which tables stand in the wrong order and how far apart their players stand."""
        means = [sum(ranks[player] for player in table) for table in full]
        self.unordered += sum(one > other for one, other in pairwise(means))
        seated = [player for table in full for player in table]
        place = {player: at for at, player in enumerate(sorted(seated, key=ranks.__getitem__))}
        self.spans += [_span(table, place, ranks) for table in full]

    def play(self, people: Sequence[int]) -> None:
        """Play a table: whoever shows more gets more."""
        shown = {player: self.skill[player] + self.chance.gauss(0, 2) for player in people}
        for place, player in enumerate(sorted(people, key=shown.__getitem__, reverse=True)):
            tournament, game = self.points[player]
            self.points[player] = (tournament + 4 - place, game + round(shown[player] * 20))

    def repeats(self) -> int:
        """Count the meetings beyond the first of each pair."""
        tables = [_people([table]) for session in self.history for table in session["tables"]]
        met = Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
        return sum(times - 1 for times in met.values())


def _people(tables: Tables) -> list[int]:
    return [player for table in tables for player in table if player is not None]


def _span(table: Sequence[int], place: dict[int, int], ranks: dict[int, int]) -> int:
    """Return how much further apart the ends of a table stand than four neighbours; equals count as neighbours."""
    spread = max(place[player] for player in table) - min(place[player] for player in table) - 3
    level = max(ranks[player] for player in table) - min(ranks[player] for player in table) - 3
    return max(0, min(spread, level))


def chance() -> None:
    """Count seats and pairs of the random draw over 20 000 seeds."""
    seeds = 20_000
    seats: Counter[tuple[int, int]] = Counter()
    pairs: Counter[tuple[int, ...]] = Counter()
    for seed in range(seeds):
        for table in random_draw(f"bench {seed}", range(16)).tables:
            seats.update((player, seat) for seat, player in enumerate(table))
            pairs.update(combinations(sorted(table), 2))
    for name, counts, share in (("seats", seats, 0.25), ("pairs", pairs, 0.2)):
        deviation = (seeds * share * (1 - share)) ** 0.5
        worst = max(abs(count - seeds * share) for count in counts.values()) / deviation
        print(
            f"random draw, {name}: worst of {len(counts)} is {worst:.2f} deviations {verdict(name, worst < 5)}"
        )


PARTS = {part.__name__: part for part in (chance, fixed, remainders, apart, changes, swiss, requests)}


def main(names: list[str]) -> int:
    """Run the parts asked for and return the status: 0 when every aim was met."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"Not a part: {', '.join(unknown)}. Parts: {', '.join(PARTS)}.")
    for name in names or PARTS:
        PARTS[name]()
    print("missed: " + "; ".join(missed) if missed else "every aim was met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
