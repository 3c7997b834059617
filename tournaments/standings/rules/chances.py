"""How chances are told: in per cents that claim no more than finishes say, over the event, and beside what came true."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tournaments.standings.rules.plot import dodged

NAME_GAP = 14.0
CERTAIN, IMPOSSIBLE = "certain", "impossible"
TENTHS = 10


class Chance(NamedTuple):
    """A chance as it is read: a word of certainty where it is proved, else so many finishes of all."""

    text: str
    share: float
    proved: str = ""


def chance_of(reached: int, finishes: int, *, last: int, best: int, worst: int) -> Chance:
    """Tell a chance; only what is proved is certain or impossible, whatever all finishes say. [RULES 9.22]"""
    if worst <= last:
        return Chance("100 %", 1.0, CERTAIN)
    if best > last:
        return Chance("0 %", 0.0, IMPOSSIBLE)
    share = reached / finishes
    return Chance(per_cent(share), share)


def per_cent(share: float) -> str:
    """Write a share as whole per cents; next to nothing and next to all are told as such."""
    if share < 0.005:
        return "< 1 %"
    if share > 0.995:
        return "> 99 %"
    return f"{min(max(round(share * 100), 1), 99)} %"


class Point(NamedTuple):
    """A moment of the event and what a player was given for each goal."""

    label: str
    at: float
    shares: Mapping[str, float]


class Line(NamedTuple):
    """A goal over the event as a drawing needs it, and its last value."""

    goal: str
    path: str
    last: str
    x: str
    y: str


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 180, 40, 60, 12, 24


def drawn(points: Sequence[Point], goals: Iterable[str]) -> list[Line]:
    """Draw each goal's chances over the moments of the event, as far as they are known."""
    if len(points) < 2:
        return []
    least, most = points[0].at, points[-1].at
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    lines, heights = [], []
    for goal in goals:
        known = [(one.at, one.shares[goal]) for one in points if goal in one.shares]
        if len(known) < 2:
            continue
        spots = [
            (LEFT + wide * (at - least) / ((most - least) or 1), TOP + high * (1 - share))
            for at, share in known
        ]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        x, y = spots[-1]
        lines.append((goal, path, per_cent(known[-1][1]), f"{x + 6:.1f}"))
        heights.append(y + 4)
    names = dodged(heights, least=float(TOP), most=float(HEIGHT - 4), gap=NAME_GAP)
    return [Line(*line, f"{y:.1f}") for line, y in zip(lines, names, strict=True)]


class Tenth(NamedTuple):
    """Those who were given about the same: how many, what they were given on average, how many did it."""

    least: int
    most: int
    cases: int
    given: str
    did: int
    share: str


def calibration(cases: Iterable[tuple[float, bool]]) -> list[Tenth]:
    """Sort chances that were given into tenths and count how many came true. [RULES 9.22]"""
    counts = [[0, 0.0, 0] for _ in range(TENTHS)]
    for given, happened in cases:
        tenth = counts[min(TENTHS - 1, int(given * TENTHS))]
        tenth[0] += 1
        tenth[1] += given
        tenth[2] += happened
    return [
        Tenth(at * 10, at * 10 + 10, int(number), per_cent(given / number), int(did), per_cent(did / number))
        for at, (number, given, did) in enumerate(counts)
        if number
    ]


def shares_of(said: Mapping[str, Any], number: int) -> dict[str, float]:
    """Return what a player was given for each goal at a moment; nothing where the player was not known."""
    row = said.get("players", {}).get(str(number))
    if row is None:
        return {}
    return {goal: reached / said["finishes"] for goal, reached in zip(said["goals"], row[0], strict=True)}
