"""The standings of a tournament, stage by stage: what is carried over, and who plays on. [RULES 9.7]"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm, prod
from typing import NamedTuple

from scoring.regulation import Carry, Stage
from scoring.standings.book import Book, Player
from scoring.standings.ranking import Standing, rank
from scoring.standings.sessions import Event, tally, tally_in_parts, tally_with_sources


class Account(NamedTuple):
    """The standings with the book of all sessions, and the session and the table of each of the book's sources."""

    standings: tuple[Standing, ...]
    book: Book
    sources: list[tuple[int, int]]


def account(event: Event) -> Account:
    """Rank a tournament from its tables, and keep the book to show where every number came from."""
    book, sources = tally_with_sources(event)
    stages = begun_stages(event)
    ranked = _of_stages(event, stages) if stages else rank(book, event.regulation.ranking)
    return Account(ranked, book, sources)


def standings(event: Event) -> tuple[Standing, ...]:
    """Rank a tournament from its tables by its own criteria, stage by stage. [RULES 1.7] [RULES 8.30] [RULES 9.7]"""
    stages = begun_stages(event)
    return _of_stages(event, stages) if stages else rank(tally(event), event.regulation.ranking)


def begun_stages(event: Event) -> tuple[Stage, ...]:
    """List the stages after the first of which a session is among those that count. [RULES 9.7]"""
    last = max((session.number for session in event.sessions), default=0)
    return tuple(stage for stage in event.regulation.stages if stage.from_session <= last)


def book_of(event: Event) -> Book:
    """Enter what counts now: everything, or what the stage that has begun carries over. [RULES 9.7]"""
    stages = begun_stages(event)
    return _carried(event, stages) if stages else tally(event)


def _of_stages(event: Event, stages: Sequence[Stage]) -> tuple[Standing, ...]:
    """Rank those who came through, then those who did not as they stood at the cut, then who is unranked."""
    stage = stages[-1]
    before = standings(_until(event, stage))
    rows = rank(_carried(event, stages), event.regulation.ranking)
    if stage.cut is None:
        return tuple(row._replace(stage=len(stages) + 1) for row in rows)
    through = _came_through(event, stage, before)
    inside = [row for row in rows if row.place is not None and row.player in through]
    ranked = [
        *_renumbered(inside, 0, len(stages) + 1),
        *_renumbered(
            [row for row in before if row.place is not None and row.player not in through], len(inside)
        ),
    ]
    known = {row.player for row in ranked}
    return (*ranked, *(row for row in rows if row.player not in known))


def _until(event: Event, stage: Stage) -> Event:
    """Return the event as it stood before the stage."""
    return replace(event, sessions=[s for s in event.sessions if s.number < stage.from_session])


def _came_through(event: Event, stage: Stage, before: Sequence[Standing]) -> set[Player]:
    """Name whoever plays on: all whose place is within the cut, and whoever was seated in the stage after all."""
    places = {row.player for row in before if row.place is not None and row.place <= (stage.cut or 0)}
    seats = (
        seat
        for session in event.sessions
        if session.number >= stage.from_session
        for table in session.tables
        for seat in table.seats
    )
    return places | {person for _, player, kept_for, _ in seats for person in (player, kept_for) if person}


def _renumbered(rows: Sequence[Standing], above: int, stage: int | None = None) -> Iterator[Standing]:
    """Number the places of some rows anew below others; equals stay equal, the first owes its place to the cut."""
    place, old = above, None
    for count, row in enumerate(rows, start=above + 1):
        if row.place != old:
            place, old = count, row.place
        shared = sum(1 for other in rows if other.place == row.place) > 1 if row.shared else False
        reached = row.stage or 1 if stage is None else stage
        yield row._replace(
            place=place, shared=shared, reason=None if count == above + 1 else row.reason, stage=reached
        )


SHARE_CARRIED = {Carry.FULL: Fraction(1), Carry.HALF: Fraction(1, 2), Carry.NONE: Fraction(0)}


def _carried(event: Event, stages: Sequence[Stage]) -> Book:
    """Enter the sessions that count in the last of the stages; of the sums, take off what was not carried over.

    What is halved are totals: TP, GP, sum of points and score with uma. Places and single games stay. [RULES 9.7]
    """
    weights = {session.number: _weight(session.number, stages) for session in event.sessions}
    counted = replace(event, sessions=[s for s in event.sessions if weights[s.number]])
    unit = lcm(*(weight.denominator for weight in weights.values()))
    book, rows_of = tally_in_parts(counted, unit)
    book.stage_begins = stages[-1].from_session
    for number, sources in enumerate(book.sources):
        for row, source in enumerate(sources):
            lost = unit - weights[rows_of[source][0]] * unit
            if lost:
                _take_off(book, number, row, int(lost))
    return book


def _weight(session: int, stages: Sequence[Stage]) -> Fraction:
    """Return how much of a session counts once the stages after it have begun."""
    carried = [SHARE_CARRIED[stage.carry] for stage in stages if session < stage.from_session]
    return prod(carried, start=Fraction(1))


def _take_off(book: Book, number: int, row: int, lost: int) -> None:
    """Take so many parts of the unit off what a row brought."""
    points, share = book.games[number][row], book.shares[number][row]
    book.game_points[number] -= points * lost
    book.tournament_points[number] -= share.tournament_points * lost // book.unit
    book.points_left[number] += (points + share.start) * lost
    book.uma_left[number] += (points * book.scale + share.uma * 1000) * lost // book.unit
