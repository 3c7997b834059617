"""A draw as people read it: sentences, who meets whom, everybody's winds and tables, two proposals side by side."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from django.utils.translation import gettext

from scoring.problems import gettext_noop
from seating.drafts.queries import Person
from seating.drafts.working import all_rounds
from seating.models import Draw
from seating.rules.plan import Id, Round
from seating.rules.random_draw import METHODS
from tournaments.table_numbers import shown_number

MOST_IN_MATRIX = 64
MOST_NAMED = 24
WINDS = "ESWN"


@dataclass(frozen=True)
class Figure:
    """One measure of a plan in words, and whom it concerns."""

    code: str
    text: str
    value: int
    is_best: bool
    affected: tuple[tuple[str, ...], ...] = ()
    more: int = 0
    is_by_lot: bool = False

    @property
    def is_good(self) -> bool:
        """Return whether there is nothing to better."""
        return not self.value or self.is_best

    @property
    def is_flaw(self) -> bool:
        """Return whether somebody could do better: what lots decide is a fact."""
        return not self.is_good and not self.is_by_lot


@dataclass
class Path:
    """One player through all sessions: tables, winds, company."""

    person: Person
    stops: list["Stop"] = field(default_factory=list)
    winds: Counter[int] = field(default_factory=Counter)

    @property
    def wind_counts(self) -> list[int]:
        """Return how often each wind comes, East first."""
        return [self.winds[wind] for wind in range(len(WINDS))]

    @property
    def is_uneven(self) -> bool:
        """Return whether one wind comes twice more often than another."""
        counts = self.wind_counts
        return max(counts) - min(counts) > 1


@dataclass(frozen=True)
class Stop:
    """Where somebody sits in one session; without a table there is no game."""

    session: int
    table: int | None = None
    wind: str = ""
    company: tuple[Id, ...] = ()
    is_new: bool = True


def figures(
    written: Sequence[Mapping[str, Any]], people: Mapping[Id, Person], lots: Collection[str] = ()
) -> list[Figure]:
    """Return the measures of a draw in the reader's language; `lots` names those that lots decide."""
    return [replace(_figure(said, people), is_by_lot=said["code"] in lots) for said in written]


def left_to_lots(draw: Draw) -> frozenset[str]:
    """Name the measures that nobody steers in a draw: winds drawn by lot or by cards, and of plain lots the meetings and tables, too."""
    if draw.method in METHODS:
        return BY_WINDS | {"repeats", "table_repeats"}
    return BY_WINDS if draw.settings.get("winds") in ("seed", "cards") else frozenset()


BY_WINDS = frozenset({"winds", "winds_in_between"})


def translated(sentence: str, details: Mapping[str, Any]) -> str:
    """Return a sentence of the rules in the reader's language, with its details."""
    words = gettext(sentence)
    return words % details if details else words


def _figure(said: Mapping[str, Any], people: Mapping[Id, Person]) -> Figure:
    affected = said.get("affected", []) if said["value"] else []
    return Figure(
        code=said["code"],
        text=translated(said["sentence"], said["details"]),
        value=said["value"],
        is_best=said["is_best"],
        affected=tuple(
            tuple(people[who].label if who in people else str(who) for who in group)
            for group in affected[:MOST_NAMED]
        ),
        more=max(0, len(affected) - MOST_NAMED),
    )


def flaws(draw: Draw, people: Mapping[Id, Person], figures: Sequence[Figure]) -> list[str]:
    """Return what is wrong with a draft, in words: who has no game or a short table, who is not here, what could be better."""
    return [
        *(said for number in draw.sessions for said in _short_of(draw, number, people)),
        *_absent(draw, people),
        *(figure.text for figure in figures if figure.is_flaw),
    ]


def _short_of(draw: Draw, number: int, people: Mapping[Id, Person]) -> Iterator[str]:
    """Say for whom a session has no game or a short table, and what that brings them. [SBR 3.1.3] [SBR 3.1.4]"""
    plan, regulation = draw.plan[str(number)], draw.tournament.regulation
    at_table = [[who for who in seats if who is not None] for seats in plan["tables"]]
    too_few = [who for sitting in at_table if len(sitting) < regulation["smallest_table"] for who in sitting]
    if without := [*plan["off"], *too_few]:
        award = (regulation.get("awarded_result") or {}).get("tournament_points")
        with_points = regulation["tournament_points"] and award is not None
        sentence = NO_GAME_POINTS if with_points else NO_GAME
        yield gettext(sentence) % {"n": number, "names": _names(without, people), "tp": award}
    for table, sitting in enumerate(at_table, start=1):
        if regulation["smallest_table"] <= len(sitting) < regulation["table_size"]:
            details = {"n": number, "table": shown_number(table), "names": _names(sitting, people)}
            yield gettext(SHORT_TABLE) % details


def _absent(draw: Draw, people: Mapping[Id, Person]) -> Iterator[str]:
    """Say who has a seat and has not checked in, though others have."""
    rows = draw.tournament.registrations
    if not rows.filter(checked_in_at__isnull=False).exists():
        return
    seated = {who for plan in draw.plan.values() for table in plan["tables"] for who in table}
    missing = rows.filter(checked_in_at=None, number__in=[who for who in seated if isinstance(who, int)])
    if numbers := list(missing.order_by("number").values_list("number", flat=True)):
        yield gettext("Seated, but not checked in: %(names)s.") % {"names": _names(numbers, people)}


def _names(who: Iterable[Id], people: Mapping[Id, Person]) -> str:
    named = [str(people[one].player) for one in who if one in people]
    return ", ".join([*named[:MOST_NAMED], *(["…"] if len(named) > MOST_NAMED else [])])


NO_GAME = gettext_noop("No game in session %(n)s, but the awarded result: %(names)s.")
NO_GAME_POINTS = gettext_noop("No game in session %(n)s, but %(tp)s TP awarded: %(names)s.")
SHORT_TABLE = gettext_noop("Not full in session %(n)s: table %(table)s (%(names)s).")


def numbered_rounds(draw: Draw) -> list[tuple[int, Round, bool]]:
    """Return all rounds with the numbers of their sessions, those that stand first."""
    before, new = all_rounds(draw, draw.plan)
    first = draw.sessions[0]
    standing = [(first - len(before) + place, a_round, False) for place, a_round in enumerate(before)]
    return [*standing, *((number, r, True) for number, r in zip(draw.sessions, new, strict=True))]


def meeting_sessions(draw: Draw) -> dict[frozenset[Id], list[int]]:
    """Return in which sessions each two meet."""
    met: dict[frozenset[Id], list[int]] = {}
    for number, a_round, _ in numbered_rounds(draw):
        for table in a_round.tables:
            for pair in combinations([who for who in table if who is not None], 2):
                met.setdefault(frozenset(pair), []).append(number)
    return met


def matrix(draw: Draw, people: Mapping[Id, Person]) -> dict[str, Any]:
    """Return who meets whom: a row for each player while it can be read, a summary beyond."""
    met = meeting_sessions(draw)
    ids = sorted({who for pair in met for who in pair}, key=_by_number)
    again = sorted(
        ((pair, sessions) for pair, sessions in met.items() if len(sessions) > 1),
        key=lambda item: (-len(item[1]), sorted(map(_by_number, item[0]))),
    )
    counts = Counter(len(sessions) for sessions in met.values())
    counts[0] = len(ids) * (len(ids) - 1) // 2 - sum(counts.values())
    return {
        "rows": _matrix_rows(ids, met, people) if len(ids) <= MOST_IN_MATRIX else [],
        "heads": [str(who) for who in ids] if len(ids) <= MOST_IN_MATRIX else [],
        "people": len(ids),
        "counts": [{"times": times, "pairs": counts[times]} for times in sorted(counts) if counts[times]],
        "again": [
            {"names": [_label(who, people) for who in sorted(pair, key=_by_number)], "sessions": sessions}
            for pair, sessions in again[:100]
        ],
        "again_more": max(0, len(again) - 100),
    }


def _matrix_rows(
    ids: Sequence[Id], met: Mapping[frozenset[Id], list[int]], people: Mapping[Id, Person]
) -> list[dict[str, Any]]:
    return [
        {
            "head": str(one),
            "name": _label(one, people),
            "cells": [
                {"self": one == other, "sessions": met.get(frozenset((one, other)), [])} for other in ids
            ],
        }
        for one in ids
    ]


def paths(draw: Draw, people: Mapping[Id, Person]) -> list[Path]:
    """Return everybody's path through the sessions, in the order of their numbers."""
    found: dict[Id, Path] = {}
    rounds = numbered_rounds(draw)
    for number, a_round, is_new in rounds:
        for table, seats in enumerate(a_round.tables, start=1):
            for wind, who in enumerate(seats):
                if who not in people or who is None:
                    continue
                path = found.setdefault(who, Path(people[who]))
                path.winds[wind] += 1
                company = tuple(other for other in seats if other not in (None, who))
                path.stops.append(Stop(number, table, WINDS[wind], company, is_new))
        for who in a_round.off:
            if who in people:
                found.setdefault(who, Path(people[who])).stops.append(Stop(number, is_new=is_new))
    return [
        _with_gaps(found[who], [number for number, _, _ in rounds]) for who in sorted(found, key=_by_number)
    ]


def _with_gaps(path: Path, numbers: Sequence[int]) -> Path:
    by_session = {stop.session: stop for stop in path.stops}
    path.stops = [by_session.get(number, Stop(number)) for number in numbers]
    return path


def compared(one: Draw, other: Draw, people: Mapping[Id, Person]) -> list[dict[str, Any]]:
    """Put the figures of two proposals side by side and mark the better of each."""
    left = {figure.code: figure for figure in figures(one.quality, people)}
    right = {figure.code: figure for figure in figures(other.quality, people)}
    rows = []
    for code in dict.fromkeys([*left, *right]):
        a, b = left.get(code), right.get(code)
        rows.append(
            {
                "one": a,
                "other": b,
                "one_is_better": bool(a and b and a.value < b.value),
                "other_is_better": bool(a and b and b.value < a.value),
            }
        )
    return rows


def _by_number(who: Id) -> tuple[bool, Any]:
    return (not isinstance(who, int), who)


def _label(who: Id, people: Mapping[Id, Person]) -> str:
    return people[who].label if who in people else str(who)
