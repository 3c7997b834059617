"""A tournament as far as it is over, and what is left of it, for whoever works out what may still happen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Count, Q

from scoring.regulation import Regulation
from scoring.standings.chances.left import Outlook, SessionLeft, TableLeft, goals_of
from scoring.standings.sessions import Event, SeatFact, SessionFact, TableFact
from tournaments.models import Protocol, Registration, Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.tables.queries.events import PLACES, TURNS, event_of, sessions_that_count

USUAL_HANDS = 12
"""How many hands a game is taken to have where neither the regulation nor any game of the event says so."""
NEARLY_OVER = 0.03
"""The part of a game that is left at least, as long as nobody has ended it."""


class Moment(NamedTuple):
    """How far a tournament is: the session last begun, and how many tenths of its games were played."""

    session: int
    tenth: int


def outlook_of(tournament: Tournament) -> tuple[Outlook, Moment]:
    """Gather what is over and what is left, and say of which moment that is."""
    counted = sessions_that_count(tournament)
    event = event_of(tournament, counted)
    left, moment = _left(tournament, counted, event)
    over = {(one.number, table.number) for one in left for table in one.tables}
    sessions = [
        replace(one, tables=[table for table in one.tables if (one.number, table.number) not in over])
        for one in event.sessions
    ]
    ranked = {entrant.player for entrant in event.entrants if entrant.is_ranked}
    active = tournament.registrations.filter(status=Registration.Status.ACTIVE)
    return (
        Outlook(
            event=replace(event, sessions=sessions),
            left=left,
            goals=goals_of(len(ranked), cut=_cut(event, counted), prizes=tournament.prize_places),
            plays=frozenset(active.values_list("player_id", flat=True)) & frozenset(ranked),
        ),
        moment,
    )


def _cut(event: Event, counted: Sequence[Session]) -> int | None:
    """Return how many go on to the next stage that has not begun."""
    last = max((session.number for session in counted), default=0)
    cuts = [stage.cut for stage in event.regulation.stages if stage.from_session > last and stage.cut]
    return cuts[0] if cuts else None


def _left(
    tournament: Tournament, counted: Sequence[Session], event: Event
) -> tuple[list[SessionLeft], Moment]:
    """List the sessions with games to play; seats that are not published are nobody's yet."""
    if tournament.is_finished:
        return [], Moment(max((one.number for one in counted), default=0), 10)
    playing = [session for session in counted if session.state == Session.State.OPEN]
    to_come = [
        session
        for session in tournament.sessions.filter(state=Session.State.PLANNED).order_by("number")
        if session.number <= event.regulation.sessions
    ]
    seated = [session for session in to_come if session.is_published]
    tables = _tables([*playing, *seated])
    hands = _usual_hands(tournament, event.regulation)
    rules = {one.number: one.regulation for one in event.sessions}
    left, done = [], 10
    for session in [*playing, *to_come]:
        games = tables.get(session.pk, [])
        still = tuple(game.table._replace(part=game.part(hands)) for game in games if not game.is_over)
        if session.state == Session.State.OPEN:
            played = sum(1 - game.part(hands) for game in games)
            done = int(10 * played / len(games)) if games else 10
        if still or (session.state == Session.State.PLANNED and not games):
            left.append(SessionLeft(session.number, rules.get(session.number, event.regulation), still))
    return left, Moment(max((one.number for one in counted), default=0), min(10, done))


class _Game(NamedTuple):
    """A table that will have a protocol: who sits there, how many hands were played, whether it is over."""

    table: TableLeft
    hands: int
    is_over: bool

    def part(self, usual: float) -> float:
        """Return which part of the game is still to play."""
        return 0.0 if self.is_over else max(NEARLY_OVER, 1 - self.hands / usual)


def _tables(sessions: Sequence[Session]) -> Mapping[int, list[_Game]]:
    """Read the games of some sessions with their seats, in three queries."""
    by_table: dict[int, list[SeatFact]] = {}
    rows = Seat.objects.filter(session__in=sessions).order_by()
    for table, wind, *who in rows.values_list("table_id", "wind", "player_id", "kept_for_id", "hand_points"):
        by_table.setdefault(table, []).append(SeatFact(PLACES[wind], *who))
    in_force = Count("protocol__hands", filter=Q(protocol__hands__status=InForce.IN_FORCE))
    found: dict[int, list[_Game]] = {}
    for table, session, number, state, hands in (
        Table.objects.filter(session__in=sessions, protocol__isnull=False)
        .annotate(hands=in_force)
        .order_by("number")
        .values_list("pk", "session_id", "number", "protocol__state", "hands")
    ):
        seats = tuple(sorted(by_table.get(table, ()), key=lambda seat: TURNS[seat.seat]))
        game = _Game(TableLeft(number, seats), hands, state != Protocol.State.OPEN)
        found.setdefault(session, []).append(game)
    return found


def _usual_hands(tournament: Tournament, regulation: Regulation) -> float:
    """Return how many hands a game has: by the regulation, or as the games of this event that are over."""
    if regulation.hands_limit:
        return float(regulation.hands_limit)
    over = Protocol.objects.filter(
        table__session__tournament=tournament, table__session__state=Session.State.CLOSED
    )
    games = over.count()
    hands = over.aggregate(n=Count("hands", filter=Q(hands__status=InForce.IN_FORCE)))["n"]
    return hands / games if games and hands else USUAL_HANDS


def finished_with(event: Event, outlook: Outlook, results: Mapping[tuple[int, int], Sequence[int]]) -> Event:
    """Return the event with points written in for tables that are left, as somebody imagines them. [RULES 9.22]"""
    sessions = {one.number: one for one in event.sessions}
    for left in outlook.left:
        for table in left.tables:
            points = results.get((left.number, table.number))
            if points is None:
                continue
            seats = tuple(
                seat._replace(points=value) for seat, value in zip(table.seats, points, strict=True)
            )
            now = sessions.get(left.number) or SessionFact(left.number, left.regulation, [])
            others = [one for one in now.tables if one.number != table.number]
            sessions[left.number] = replace(now, tables=[*others, TableFact(table.number, seats)])
    return replace(event, sessions=[sessions[number] for number in sorted(sessions)])
