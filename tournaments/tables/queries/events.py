"""A tournament's rows as the values from which the rulebook works out its standings."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import Any

from django.db.models import BooleanField, ExpressionWrapper, Q

from scoring.regulation import GivenResult, Regulation, Timing
from scoring.seats import SEATS
from scoring.standings.book import Entrant
from scoring.standings.sessions import Charge, Event, Origin, SeatFact, SessionFact, TableFact, session_ledger
from tournaments.models import Adjustment, Registration, Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce

TAKING_PART = (
    Registration.Status.ACTIVE,
    Registration.Status.WITHDRAWN,
    Registration.Status.REMOVED,
    Registration.Status.DISQUALIFIED,
)
PLACES = {str(seat): seat for seat in SEATS}
TURNS = {seat: turn for turn, seat in enumerate(SEATS)}
SEAT_FACT = partial(tuple.__new__, SeatFact)
"""Make a fact from a row by position, several times faster than by name: there are tens of thousands."""
NUMBER = itemgetter(0)
HAS_CHECKED_IN = ExpressionWrapper(Q(checked_in_at__isnull=False), BooleanField())
"""Asked of the database, for thousands of moments would be read only to see that they are there."""
UNRANKED = (Registration.Status.REMOVED, Registration.Status.DISQUALIFIED)


def sessions_that_count(tournament: Tournament) -> list[Session]:
    """List the sessions in the standings: those closed, and the one in play, which is provisional."""
    return list(tournament.sessions.exclude(state=Session.State.PLANNED).order_by("number"))


def event_of(tournament: Tournament, sessions: Sequence[Session] | None = None) -> Event:
    """Gather everything that moves points, of all sessions that count or of some of them. [RULES 8.30]"""
    if sessions is None:
        sessions = sessions_that_count(tournament)
    regulation = Regulation.from_json(tournament.regulation, system=tournament.system)
    seats = _seats(tournament) if sessions else {}
    return Event(
        regulation=regulation,
        entrants=_entrants(tournament, seats, has_begun=bool(sessions)),
        sessions=_sessions(tournament, sessions, regulation, seats),
        charges=_charges(tournament),
        given=_given(tournament),
    )


def _entrants(
    tournament: Tournament, seats: Mapping[int, Sequence[SeatFact]], *, has_begun: bool
) -> list[Entrant]:
    """List who is in the standings; who never came is unranked once a session counts. [RULES 8.7] [RULES 8.59]"""
    registered = tournament.registrations.filter(status__in=TAKING_PART).order_by("pk")
    rows = list(registered.values_list("player_id", "status", "lot", HAS_CHECKED_IN))
    absent = {player for player, _, _, has_checked_in in rows if not has_checked_in}
    never_came = _without_seat(absent, seats) if has_begun else set()
    return [
        Entrant(player, status not in UNRANKED and player not in never_came, lot)
        for player, status, lot, _ in rows
    ]


def _without_seat(absent: set[int], seats: Mapping[int, Sequence[SeatFact]]) -> set[int]:
    """Return who of those not checked in has never had a seat; one that is kept for somebody is enough. [RULES 8.59]"""
    left: set[object] = set(absent)
    for sitting in seats.values():
        if not left:
            break
        for _, player, kept_for, _ in sitting:
            left.discard(player)
            left.discard(kept_for)
    return absent & left


def _sessions(
    tournament: Tournament,
    sessions: Sequence[Session],
    regulation: Regulation,
    seats: Mapping[int, Sequence[SeatFact]],
) -> list[SessionFact]:
    """Read the tables and seats of all sessions at once; a table in play counts from its first hand on."""
    begun = _begun(sessions)
    by_session: dict[int, list[TableFact]] = {session.pk: [] for session in sessions}
    closed = {session.pk for session in sessions if session.state == Session.State.CLOSED}
    tables = Table.objects.filter(session__in=by_session).order_by()
    for table, session, number, protocol in tables.values_list("pk", "session_id", "number", "protocol"):
        if session in closed or protocol is None or table in begun:
            by_session[session].append(TableFact(number, tuple(seats.get(table, ())), protocol is not None))
    for facts in by_session.values():
        facts.sort(key=NUMBER)
    known: dict[str, Regulation] = {}
    return [
        SessionFact(
            number=session.number,
            regulation=_regulation_of(session, tournament, regulation, known),
            tables=by_session[session.pk],
        )
        for session in sessions
    ]


def _seats(tournament: Tournament) -> dict[int, list[SeatFact]]:
    """Read every seat of the tournament without joins or sorting in the database; the four seats of a table are sorted here."""
    rows = Seat.objects.filter(session__tournament=tournament).order_by()
    seats: dict[int, list[SeatFact]] = defaultdict(list)
    read = rows.values_list("table_id", "wind", "player_id", "kept_for_id", "hand_points")
    for table, wind, player, kept_for, points in read:
        seats[table].append(SEAT_FACT((PLACES[wind], player, kept_for, points)))
    for sitting in seats.values():
        sitting.sort(key=_turn)
    return seats


def _turn(fact: SeatFact) -> int:
    return TURNS[fact[0]]


def _begun(sessions: Sequence[Session]) -> set[int]:
    """Find the tables in play that have something to count."""
    playing = [session.pk for session in sessions if session.state == Session.State.OPEN]
    if not playing:
        return set()
    tables = Table.objects.filter(session__in=playing)
    by_hands = tables.filter(protocol__hands__status=InForce.IN_FORCE)
    by_result = tables.filter(protocol__final_results__status=InForce.IN_FORCE)
    return {pk for rows in (by_hands, by_result) for pk in rows.values_list("pk", flat=True).distinct()}


def _regulation_of(
    session: Session, tournament: Tournament, regulation: Regulation, known: dict[str, Regulation]
) -> Regulation:
    """Return the session's own copy, read once for all sessions that share it."""
    if session.regulation is None or session.regulation == tournament.regulation:
        return regulation
    key = repr(session.regulation)
    if key not in known:
        known[key] = Regulation.from_json(session.regulation, system=tournament.system)
    return known[key]


def _charges(tournament: Tournament) -> list[Charge]:
    rows = tournament.adjustments.filter(reversed_at=None, result__isnull=True).select_related("session")
    return [_charge(row, tournament) for row in rows]


def _charge(row: Adjustment, tournament: Tournament) -> Charge:
    regulation = (row.session.regulation if row.session else None) or tournament.regulation
    return Charge(
        player=row.player_id,
        session=row.session.number if row.session else None,
        game_points=row.game_points or 0,
        tournament_points=Fraction(row.tournament_points or 0),
        timing=Timing(row.timing or regulation["penalties"]["timing"]),
        origin=Origin(row.origin) if row.origin in {"penalty", "lateness"} else Origin.ADJUSTMENT,
    )


def taken_before_places(table: Table) -> dict[str, int]:
    """Return, by seat, what was taken (negative) or given beside the hands and counts before the places. [RULES 8.36]"""
    session, tournament = table.session, table.session.tournament
    rows = tournament.adjustments.filter(session=session, reversed_at=None, result__isnull=True)
    charges = [_charge(row, tournament) for row in rows.select_related("session")]
    if not charges:
        return {}
    regulation = Regulation.from_json(session.regulation or tournament.regulation, system=tournament.system)
    seats = table.seats.values_list("wind", "player_id", "kept_for_id", "hand_points")
    fact = TableFact(table.number, tuple(SeatFact(PLACES[wind], *rest) for wind, *rest in seats))
    alone = SessionFact(session.number, regulation, [fact])
    ledger = session_ledger(Event(regulation, [], [alone], charges), alone).tables[table.number]
    return {
        str(seat): one.table_points - one.hands
        for seat, one in ledger.items()
        if one.table_points != one.hands
    }


def _given(tournament: Tournament) -> dict[tuple[int, Hashable], GivenResult]:
    rows = tournament.adjustments.filter(reversed_at=None, session__isnull=False, result__isnull=False)
    return {
        (row.session.number, row.player_id): _given_result(row.result)
        for row in rows.select_related("session")
        if row.session is not None and row.result is not None
    }


def _given_result(said: Mapping[str, Any]) -> GivenResult:
    points = said["tournament_points"]
    return GivenResult(
        tournament_points=None if points is None else Fraction(points),
        game_points=said["game_points"],
        place=said["place"],
    )
