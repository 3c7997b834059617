"""Random events played to the end by players of known strength, for tests and measurements of chances."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scoring.presets import PRESETS
from scoring.regulation import Regulation
from scoring.seats import SEATS
from scoring.standings.book import Entrant
from scoring.standings.chances.finishes import simulate
from scoring.standings.chances.left import Outlook, SessionLeft, TableLeft, goals_of
from scoring.standings.sessions import Event, SeatFact, SessionFact, TableFact
from scoring.standings.stages import standings


def random_event(
    chance: random.Random,
    *,
    players: int,
    sessions: int,
    preset: str = "sbr",
    rules: Regulation | None = None,
    spread: float = 14.0,
    strength: float = 4.0,
    final: int = 0,
) -> Event:
    """Play an event to its end: strengths are normal, chance leans to the right as real hands do.

    In the stage after a cut only the first `final` of the standings go on playing.
    """
    rules = (rules or PRESETS[preset].regulation).but(sessions=sessions)
    unit = rules.points_unit
    strengths = {player: chance.gauss(0, strength) for player in range(players)}
    event = Event(rules, [Entrant(player) for player in range(players)], [])
    for number in range(1, sessions + 1):
        cut = next((stage for stage in rules.stages if stage.cut and stage.from_session <= number), None)
        playing = list(range(players))
        if cut and final:
            before = replace(event, sessions=event.sessions[: cut.from_session - 1])
            playing = [int(str(row.player)) for row in standings(before)][:final]
        chance.shuffle(playing)
        size = rules.table_size
        tables = []
        for at in range(0, len(playing) - size + 1, size):
            row = playing[at : at + size]
            raw = [strengths[who] + spread * (chance.gammavariate(2, 1) - 2) / 1.41 for who in row]
            mean = sum(raw) / size
            points = [unit * round(value - mean) for value in raw]
            points[0] -= sum(points)
            seats = zip(SEATS, row, points, strict=False)
            facts = tuple(SeatFact(seat, who, None, has) for seat, who, has in seats)
            tables.append(TableFact(at // size + 1, facts))
        event = replace(event, sessions=[*event.sessions, SessionFact(number, rules, tables)])
    return event


def until(event: Event, session: int, *, is_seated: bool = True) -> tuple[Event, Outlook]:
    """Return the event, and the outlook as it was once so many of its sessions had been played."""
    left = [
        SessionLeft(
            one.number,
            one.regulation,
            tuple(
                TableLeft(table.number, tuple(seat._replace(points=0) for seat in table.seats))
                for table in one.tables
            )
            if is_seated
            else (),
        )
        for one in event.sessions[session:]
    ]
    so_far = replace(event, sessions=event.sessions[:session])
    everybody = frozenset(entrant.player for entrant in event.entrants)
    return event, Outlook(so_far, left, goals_of(len(event.entrants)), everybody)


PRESETS_IN_TURN = ("sbr", "mcr", "riichi_ema", "riichi_festival")


class Tenth(NamedTuple):
    """A tenth of the chances given: how many cases, what they were given on average, which part came true."""

    cases: int
    given: float
    happened: float


def calibration(*, events: int, players: int, sessions: int, finishes: int, seed: int) -> Iterator[Tenth]:
    """Play events to their end, ask for chances on the way, and compare with what came true."""
    chance = random.Random(seed)
    cases: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for number in range(events):
        preset = PRESETS_IN_TURN[number % len(PRESETS_IN_TURN)]
        event = random_event(
            chance,
            players=players,
            sessions=sessions,
            preset=preset,
            spread=chance.uniform(10, 40),
            strength=chance.uniform(0, 12),
        )
        places = {row.player: row.place or 0 for row in standings(event)}
        session = 1 + number % (sessions - 1)
        _, outlook = until(event, session, is_seated=number % 2 == 0)
        found = simulate(outlook, seed=str(number), finishes=finishes)
        if found is None:
            continue
        for goal, last in outlook.goals.items():
            for player, place in places.items():
                given = found.chance(player, goal)
                cases[min(9, int(given * 10))].append((given, place <= last))
    for told in cases:
        count = max(1, len(told))
        yield Tenth(len(told), sum(given for given, _ in told) / count, sum(did for _, did in told) / count)
