"""Sessions: seated, started, timed, closed; and what is done about a seat."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from scoring.problems import Problem, gettext_noop
from scoring.regulation import Regulation, missing_rows
from tournaments.models import (
    Adjustment,
    HistoryEntry,
    Mail,
    Player,
    Protocol,
    Registration,
    Seat,
    Session,
    Table,
    Tournament,
)
from tournaments.models.play import Wind
from tournaments.people.operations import mails, push
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.judges import awaited
from tournaments.record.locks import lock_protocols, lock_session, lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse, refuse_finished
from tournaments.sessions.operations.calls import end_calls, note_answer, note_call, note_end
from tournaments.sessions.operations.tournaments import own_up_to_appeals
from tournaments.sessions.queries import Concern, before_close, before_start
from tournaments.table_numbers import shown_number

STATES = Session.State


@dataclass(frozen=True)
class Seating:
    """Who sits where in one session: per table the players by wind, E S W N; None for an empty seat."""

    tables: Mapping[int, Sequence[Player | None]]
    mode: str
    seed: str = ""
    method: str = ""


@transaction.atomic
def seat_players(session: Session, seating: Seating, *, by: Actor) -> Session:
    """Publish the seating of a session: seats taken, empty protocols laid out, everybody can see it. [RULES 1.3]"""
    tournament = lock_tournament(session.tournament)
    session = lock_session(session)
    if tournament.state not in {Tournament.State.ANNOUNCED, Tournament.State.RUNNING}:
        refuse("wrong_state", gettext_noop("Announce the event before seating its players."))
    if session.is_published:
        refuse(
            "round_exists",
            gettext_noop("Session %(n)s is seated already; withdraw that seating first."),
            n=session.number,
        )
    _check_seating(tournament, session, seating)
    _lay_out(tournament, session, seating)
    session.seating_mode, session.seed, session.method = seating.mode, seating.seed, seating.method
    session.published_at = timezone.now()
    session.save(update_fields=["seating_mode", "seed", "method", "published_at"])
    history.record(
        Kind.SEATING_PUBLISHED,
        tournament=tournament,
        by=by,
        subject=f"session:{session.number}",
        data={
            "mode": seating.mode,
            "seed": seating.seed,
            "method": seating.method,
            "tables": told_tables(seating),
        },
    )
    _mail_seats(tournament, session)
    if tournament.push_subscriptions.exists():
        session.tournament = tournament
        push.queue_seats(session, tournament.entries)
    return session


def _mail_seats(tournament: Tournament, session: Session) -> None:
    """Tell everybody who has a seat, and gave an address, where they sit."""
    if not tournament.mails_players:
        return
    starts_at = session.planned_at.isoformat() if session.planned_at else None
    rows = tournament.registrations.filter(player__seats__session=session).select_related("player")
    seats = {seat.player_id: seat for seat in session.seats.select_related("table")}
    facts = {
        row.pk: {
            "session": session.number,
            "table": seats[row.player_id].table.number,
            "wind": seats[row.player_id].wind,
            "starts_at": starts_at,
        }
        for row in rows
    }
    mails.queue(tournament, Mail.Kind.SEATS, rows, facts)


def _mail_changed(tournament: Tournament, session: Session, seats: Set[Seat], reason: str) -> None:
    """Tell those who have changed places after the publication where they sit now, and why."""
    if not tournament.mails_players:
        return
    starts_at = session.planned_at.isoformat() if session.planned_at else None
    places = [(seat.table_id, seat.wind) for seat in seats]
    now = [seat for seat in session.seats.select_related("table") if (seat.table_id, seat.wind) in places]
    rows = tournament.registrations.filter(player__in=[seat.player_id for seat in now]).select_related(
        "player"
    )
    at = {seat.player_id: seat for seat in now}
    facts = {
        row.pk: {
            "session": session.number,
            "table": at[row.player_id].table.number,
            "wind": at[row.player_id].wind,
            "starts_at": starts_at,
            "reason": reason,
        }
        for row in rows
    }
    mails.queue(tournament, Mail.Kind.SEAT_CHANGED, rows, facts)


def told_tables(seating: Seating) -> dict[str, list[int | None]]:
    """Return the tables of a seating as the history stores them: who sits there, East first."""
    return {
        str(number): [player.pk if player else None for player in seats]
        for number, seats in seating.tables.items()
    }


@transaction.atomic
def withdraw_seating(session: Session, *, by: Actor, reason: str) -> Session:
    """Take back the published seating of a session in which nothing has been recorded, with a reason."""
    need_reason(reason)
    return _withdraw_seating(session, by=by, reason=reason)


@transaction.atomic
def take_back_seating(session: Session, seating: Seating, *, by: Actor) -> Session:
    """Take back a seating that was published by mistake: nobody's seat has changed since. [RULES 9.11]"""
    lock_tournament(session.tournament)
    if not is_as_published(session, seating):
        refuse(
            "has_hands",
            gettext_noop("Seats of session %(n)s were changed since; withdraw its seating with a reason."),
            n=session.number,
        )
    return _withdraw_seating(session, by=by)


def is_as_published(session: Session, seating: Seating) -> bool:
    """Return whether everybody sits as a seating says, and nobody for somebody else."""
    seats = session.seats.values_list("table__number", "wind", "player_id", "kept_for_id")
    wanted: set[tuple[int, str, int | None, int | None]] = {
        (number, wind, player.pk, None)
        for number, players in seating.tables.items()
        for wind, player in zip(Wind.values, players, strict=False)
        if player is not None
    }
    return wanted == set(seats)


def _withdraw_seating(session: Session, *, by: Actor, reason: str = "") -> Session:
    tournament = lock_tournament(session.tournament)
    refuse_finished(tournament)
    session = lock_session(session)
    protocols = lock_protocols(session)
    if session.state != STATES.PLANNED or any(protocol.version for protocol in protocols):
        refuse(
            "has_hands",
            gettext_noop("Session %(n)s has been started; its seating cannot be withdrawn."),
            n=session.number,
        )
    if session.published_at is None:  # taken back already: a second press says nothing new
        return session
    Protocol.objects.filter(table__session=session).delete()
    session.seats.all().delete()
    session.tables.all().delete()
    session.published_at, session.seed, session.method = None, "", ""
    session.save(update_fields=["published_at", "seed", "method"])
    history.record(
        Kind.SEATING_WITHDRAWN,
        tournament=tournament,
        by=by,
        subject=f"session:{session.number}",
        reason=reason,
    )
    return session


@transaction.atomic
def swap_seats(first: Seat, second: Seat, *, by: Actor, reason: str) -> None:
    """Let two players change places after publication, while neither table has begun; with a reason."""
    need_reason(reason)
    tournament = lock_tournament(first.session.tournament)
    refuse_finished(tournament)
    session = lock_session(first.session)
    protocols = lock_protocols(session)
    if session.state == STATES.CLOSED:
        refuse("round_closed", gettext_noop("Session %(n)s is closed."), n=session.number)
    begun = {p.table_id: p.table.number for p in protocols if p.version}
    for seat in (first, second):
        if seat.table_id in begun:
            refuse(
                "table_started",
                gettext_noop("Table %(t)s has started; use “wrong seats” with the referee."),
                t=begun[seat.table_id],
            )
    rows = session.seats.select_related("table").in_bulk([first.pk, second.pk])
    if len(rows) != 2:
        refuse("version", gettext_noop("The page is out of date; reload it. Nothing was saved."))
    one, other = rows[first.pk], rows[second.pk]
    held = (other.player_id, other.kept_for_id), (one.player_id, one.kept_for_id)
    _exchange(one, other, held)
    history.record(
        Kind.SEATING_CHANGED,
        tournament=tournament,
        by=by,
        subject=f"session:{session.number}",
        reason=reason,
        data={
            "seats": [
                [one.table.number, one.wind, *held[0]],
                [other.table.number, other.wind, *held[1]],
            ]
        },
    )
    _mail_changed(tournament, session, {one, other}, reason)
    if tournament.push_subscriptions.exists():
        players = {who for places in held for who in places if who}
        push.queue_seats(session, tournament.entries, players=players)


@transaction.atomic
def write_winds(table: Table, drawn: Mapping[int, str], *, by: Actor) -> None:
    """Write down which wind each player drew with the cards, before the first hand of the table. [SBR 2.4.6]

    `drawn` has the wind of each player whose seat it is. Sent again it changes nothing, and what an old page says of
    players who have changed places since is refused.
    """
    tournament = lock_tournament(table.session.tournament)
    refuse_finished(tournament)
    lock_session(table.session)
    protocols = [protocol for protocol in lock_protocols(table.session) if protocol.table_id == table.pk]
    seats = list(table.seats.all())
    if drawn == {_whose(seat): seat.wind for seat in seats}:
        return
    if any(protocol.version for protocol in protocols):
        refuse(
            "table_started",
            gettext_noop("Table %(t)s has started; use “wrong seats” with the referee."),
            t=table.number,
        )
    if set(drawn) != set(map(_whose, seats)):
        refuse("version", gettext_noop("The page is out of date; reload it. Nothing was saved."))
    if set(drawn.values()) != {seat.wind for seat in seats}:
        refuse("wrong_players", gettext_noop("Every player of the table takes exactly one place."))
    fresh = [_with_wind(seat, drawn[_whose(seat)]) for seat in seats]
    table.seats.all().delete()
    Seat.objects.bulk_create(fresh)
    history.record(
        Kind.SEATING_CHANGED,
        tournament=tournament,
        by=by,
        subject=f"session:{table.session.number}",
        data={
            "table": table.number,
            "winds": {seat.wind: _whose(seat) for seat in fresh},
        },
    )


def _whose(seat: Seat) -> int:
    """Return the player whose seat it is, whoever sits in it."""
    return int(seat.kept_for_id or seat.player_id or 0)


def _with_wind(seat: Seat, wind: str) -> Seat:
    """Return a new row for whoever has the seat, at another wind."""
    return Seat(
        session_id=seat.session_id,
        table_id=seat.table_id,
        wind=wind,
        player_id=seat.player_id,
        kept_for_id=seat.kept_for_id,
        from_hand=seat.from_hand,
    )


@transaction.atomic
def start_session(session: Session, *, by: Actor, knowing: Collection[str] | None = None) -> Session:
    """Give the start signal: the clock runs, the regulation in force is copied into the session. [RULES 8.30]

    A person who presses the button says with it which concerns were looked at; with another one nothing starts. [RULES 9.12]
    """
    tournament = lock_tournament(session.tournament)
    session = lock_session(session)
    refuse_finished(tournament)
    if session.state != STATES.PLANNED or not session.is_published:
        refuse("wrong_state", gettext_noop("Only a session that is seated and not yet started can start."))
    if tournament.sessions.filter(state=STATES.OPEN).exists():
        refuse("games_open", gettext_noop("Another session is still in play. Close it first."))
    session.tournament = tournament
    _refuse_unknown(before_start(session), knowing)
    for size in set(_playable(session, tournament.regulation).values_list("occupied", flat=True)):
        check_points_row(tournament, tournament.regulation, size)
    session.state = STATES.OPEN
    session.started_at = timezone.now()
    session.regulation = tournament.regulation
    session.save(update_fields=["state", "started_at", "regulation"])
    _lay_missing_protocols(session)
    withdrawn = _withdraw_who_cancelled(tournament, session, by=by)
    if tournament.state == Tournament.State.ANNOUNCED:
        tournament.state = Tournament.State.RUNNING
        tournament.save(update_fields=["state"])
        history.record(Kind.TOURNAMENT_STARTED, tournament=tournament, by=by)
    history.record(
        Kind.SESSION_STARTED,
        tournament=tournament,
        by=by,
        subject=f"session:{session.number}",
        data={"regulation": session.regulation, **({"withdrawn": withdrawn} if withdrawn else {})},
    )
    return session


def _refuse_unknown(concerns: Sequence[Concern], knowing: Collection[str] | None) -> None:
    """Refuse over a concern that whoever pressed the button has not seen; programs are asked nothing. [RULES 9.12]"""
    if knowing is None:
        return
    unknown = [
        Problem("look_first", one.sentence, details=one.details)
        for one in concerns
        if one.code not in knowing
    ]
    if unknown:
        raise Refused(*unknown)


def _withdraw_who_cancelled(tournament: Tournament, session: Session, *, by: Actor) -> list[int]:
    """Let players take part who cancelled after the seating was published: they still have a seat. [RULES 9.9]"""
    withdrawn = []
    has_seat = Q(player__seats__session=session) | Q(player__kept_seats__session=session)
    rows = tournament.registrations.filter(has_seat, status=Registration.Status.CANCELLED)
    for row in rows.exclude(player__in=tournament.substitutes.values("player")).distinct():
        row.status, row.last_session = Registration.Status.WITHDRAWN, session.number
        row.save(update_fields=["status", "last_session"])
        subject, data = f"registration:{row.pk}", {"status": row.status}
        history.record(Kind.REGISTRATION_CHANGED, tournament=tournament, by=by, subject=subject, data=data)
        withdrawn.append(row.pk)
    return withdrawn


@transaction.atomic
def change_clock(
    session: Session, *, by: Actor, key: str, minutes: int = 0, is_running: bool | None = None
) -> Session:
    """Add or take minutes, stop the clock or let it run on; time stopped is added.

    Sent again under the same key, it changes nothing.
    """
    tournament = lock_tournament(session.tournament)
    session = lock_session(session)
    body = {"session": session.number, "clock": {"minutes": minutes, "is_running": is_running}}
    if receipts.answered(tournament, key, by=by, body=body) is not None:
        return session
    if session.state != STATES.OPEN:
        refuse("not_started", gettext_noop("The clock runs only while a session is in play."))
    session.extra_seconds += minutes * 60
    now = timezone.now()
    if is_running is False and session.paused_at is None:
        session.paused_at = now
    elif is_running and session.paused_at is not None:
        session.extra_seconds += round((now - session.paused_at) / timedelta(seconds=1))
        session.paused_at = None
    session.save(update_fields=["extra_seconds", "paused_at"])
    history.record(
        Kind.SESSION_CLOCK_CHANGED,
        tournament=tournament,
        by=by,
        subject=f"session:{session.number}",
        data={"extra_seconds": session.extra_seconds, "is_running": session.paused_at is None},
    )
    receipts.store(tournament, key, by=by, body=body, answer={"extra_seconds": session.extra_seconds})
    return session


@transaction.atomic
def close_session(
    session: Session, *, by: Actor, reason: str = "", knowing: Collection[str] | None = None
) -> Session:
    """Close a session whose tables are all settled, and seal it with a checkpoint. [RULES 1.5]

    Nobody calls a referee any more. Over an open appeal about it, it takes a reason; over a concern, that a person has
    looked at it. [SBR 2.9] [RULES 9.12]
    """
    tournament = lock_tournament(session.tournament)
    session = lock_session(session)
    protocols = lock_protocols(session)
    if session.state != STATES.OPEN:
        refuse("wrong_state", gettext_noop("Only a session in play can be closed."))
    unsettled = [protocol.table.number for protocol in protocols if not protocol.is_settled]
    if unsettled:
        refuse(
            "games_open",
            gettext_noop("Not confirmed yet: tables %(tables)s."),
            tables=", ".join(str(shown_number(number)) for number in unsettled),
        )
    _refuse_lines_without_seat(session)
    session.tournament = tournament
    _refuse_awaited(session)
    _refuse_unknown(before_close(session), knowing)
    appeals = own_up_to_appeals(tournament, reason, session=session)
    session.state, session.ended_at = STATES.CLOSED, timezone.now()
    sealed = seal(tournament, protocols)
    session.checkpoint = history.digest(history.canonical(sealed))
    session.save(update_fields=["state", "ended_at", "checkpoint"])
    end_calls(session)
    history.record(
        Kind.SESSION_CLOSED,
        tournament=tournament,
        by=by,
        subject=f"session:{session.number}",
        data={"checkpoint": session.checkpoint, "sealed": sealed, **appeals},
        reason=reason if appeals else "",
    )
    _push_places(tournament, session)
    return session


def _push_places(tournament: Tournament, session: Session) -> None:
    """Have the places told to browsers that follow somebody here."""
    if tournament.push_subscriptions.exists():
        session.tournament = tournament
        push.queue_places(session)


def _refuse_lines_without_seat(session: Session) -> None:
    """Refuse to close over a line about the session on the account of somebody who had no seat: it would be lost. [RULES 8.50]"""
    seats = list(session.seats.values_list("player_id", "kept_for_id"))
    lines = session.adjustments.filter(
        reversed_at=None, origin__in=(Adjustment.Origin.DESK, Adjustment.Origin.APPEAL)
    )
    lost = lines.exclude(player_id__in={who for seat in seats for who in seat if who}).select_related(
        "player"
    )
    if names := sorted({str(line.player) for line in lost}):
        refuse(
            "not_seated",
            gettext_noop(
                "%(names)s had no seat in this session, so that what was posted about it would change nothing. Reverse those lines, or post them for the whole event."
            ),
            names=", ".join(names),
        )


def _refuse_awaited(session: Session) -> None:
    """Refuse to close a session while minutes of lateness run: nobody has decided what they cost. [RULES 8.54]"""
    if names := [str(player) for player in awaited(session)]:
        refuse(
            "lateness_runs",
            gettext_noop(
                "Still awaited: %(names)s. Note under “Lateness” when they came, or that they did not, and then close the session."
            ),
            names=", ".join(names),
        )


@transaction.atomic
def reopen_session(session: Session, *, by: Actor, reason: str) -> Session:
    """Open a closed session again, with a reason; its old checkpoint stays in the history."""
    need_reason(reason)
    tournament = lock_tournament(session.tournament)
    session = lock_session(session)
    if session.state != STATES.CLOSED or tournament.is_finished:
        refuse("wrong_state", gettext_noop("Only a closed session of a running event can be reopened."))
    if tournament.sessions.filter(state=STATES.OPEN).exists():
        refuse("games_open", gettext_noop("Another session is still in play. Close it first."))
    session.state, session.checkpoint, session.ended_at = STATES.OPEN, "", None
    session.save(update_fields=["state", "checkpoint", "ended_at"])
    history.record(
        Kind.SESSION_REOPENED,
        tournament=tournament,
        by=by,
        subject=f"session:{session.number}",
        reason=reason,
    )
    return session


@transaction.atomic
def call_referee(table: Table, *, by: Actor, is_called: bool = True) -> Table:
    """Set or clear a table's call for a referee, which is not part of the record."""
    table.called_at, table.answered_at = timezone.now() if is_called else None, None
    if not Table.objects.filter(pk=table.pk).update(called_at=table.called_at, answered_at=None):
        refuse("not_found", gettext_noop("This table is no more: its seating was withdrawn."))
    if is_called:
        note_call(table)
    else:
        note_end(table)
    history.ask_for_standings(table.session.tournament_id)
    return table


@transaction.atomic
def answer_call(table: Table) -> None:
    """Tell a calling table that somebody is on the way; do nothing if the call is over."""
    Table.objects.filter(pk=table.pk, called_at__isnull=False, answered_at=None).update(
        answered_at=timezone.now()
    )
    note_answer(table)
    history.ask_for_standings(table.session.tournament_id)


def seal(tournament: Tournament, protocols: Sequence[Protocol]) -> dict[str, Any]:
    """Return what a checkpoint covers: the newest digests of all protocols and of the tournament, and the results."""
    heads = [
        HistoryEntry.objects.filter(protocol=protocol)
        .order_by("-number")
        .values_list("number", "digest")
        .first()
        or (0, history.GENESIS)
        for protocol in protocols
    ]
    results = Seat.objects.filter(table__protocol__in=protocols).select_related("table").in_order()
    return {
        "tournament": history.head(tournament),
        "protocols": [
            [protocol.pk, number, digest] for protocol, (number, digest) in zip(protocols, heads, strict=True)
        ],
        "results": [
            [seat.table.number, seat.wind, seat.player_id, seat.kept_for_id, seat.hand_points]
            for seat in results
        ],
    }


def _check_seating(tournament: Tournament, session: Session, seating: Seating) -> None:
    """Refuse a seating with a wrong table, a player twice, or somebody who does not take part."""
    problems: list[Problem] = []
    active = _taking_part(tournament, session)
    table_size = tournament.regulation["table_size"]
    seen: dict[int, int] = {}
    for number, seats in seating.tables.items():
        problems += _table_problems(number, seats, table_size)
        for player in filter(None, seats):
            problems += _player_problems(player, active, seen)
            seen[player.pk] = number
    if problems:
        raise Refused(*problems)


def _taking_part(tournament: Tournament, session: Session) -> set[int]:
    """Return everybody who may sit at a table of the session: those who take part by then, and the substitutes."""
    active = tournament.registrations.filter(
        status=Registration.Status.ACTIVE, first_session__lte=session.number
    )
    substitutes = tournament.substitutes.values_list("player_id", flat=True)
    return {*active.values_list("player_id", flat=True), *substitutes}


def _table_problems(number: int, seats: Sequence[Player | None], table_size: int) -> Iterator[Problem]:
    """Return what is wrong with a table by itself."""
    present = sum(player is not None for player in seats)
    if not 1 <= number <= 9999:
        yield Problem("table_number", gettext_noop("Table numbers run from 1 to 9999."))
    if not 1 <= present <= table_size or len(seats) > len(Wind.values):
        yield Problem(
            "table_size",
            gettext_noop("Table %(t)s has %(n)s players, needs %(size)s."),
            details={"t": number, "n": present, "size": table_size},
        )


def _player_problems(player: Player, active: Set[int], seen: Mapping[int, int]) -> Iterator[Problem]:
    """Return why a player may not sit at a table: a seat elsewhere, or not taking part."""
    if player.pk in seen:
        yield Problem(
            "player_twice",
            gettext_noop("%(name)s is already at table %(t)s."),
            details={"name": player.name, "t": seen[player.pk]},
        )
    if player.pk not in active:
        yield Problem(
            "player_withdrawn",
            gettext_noop("%(name)s does not take part in this session."),
            details={"name": player.name},
        )


def _lay_out(tournament: Tournament, session: Session, seating: Seating) -> None:
    """Write tables, seats and empty protocols. A table with too few players has no protocol. [RULES 8.33]"""
    regulation = tournament.regulation
    for number, players in sorted(seating.tables.items()):
        table = Table.objects.create(session=session, number=number)
        seated = [
            Seat(session=session, table=table, wind=wind, player=player)
            for wind, player in zip(Wind.values, players, strict=False)
            if player is not None
        ]
        Seat.objects.bulk_create(seated)
        if len(seated) >= regulation["smallest_table"]:
            Protocol.objects.create(table=table, mode=regulation["protocol"])


def _lay_missing_protocols(session: Session) -> None:
    """Create the missing protocols of tables that can play; an imported seating may have none yet. [RULES 8.33]"""
    regulation = session.regulation or session.tournament.regulation
    for table in _playable(session, regulation).filter(protocol=None):
        Protocol.objects.create(table=table, mode=regulation["protocol"])


def _playable(session: Session, regulation: Mapping[str, Any]) -> QuerySet[Any]:
    """List the tables with enough players, each with how many. [RULES 8.33]"""
    occupied = Count("seats", filter=Q(seats__player__isnull=False))
    return session.tables.annotate(occupied=occupied).filter(occupied__gte=regulation["smallest_table"])


def check_points_row(tournament: Tournament, regulation: Mapping[str, Any], size: int) -> None:
    """Refuse a table whose places would bring no TP; an imported regulation may lack the row for its size. [RULES 8.33]"""
    rules = Regulation.from_json(regulation, system=tournament.system)
    if lacking := [problem for problem in missing_rows(rules) if problem.details["players"] == size]:
        raise Refused(*lacking)


def _exchange(
    one: Seat, other: Seat, held: tuple[tuple[int | None, int | None], tuple[int | None, int | None]]
) -> None:
    """Exchange the players of two seats by deleting and inserting: a player may never hold two seats, even for a moment."""
    seats = [
        Seat(
            session_id=seat.session_id,
            table_id=seat.table_id,
            wind=seat.wind,
            player_id=player,
            kept_for_id=kept_for,
            from_hand=seat.from_hand,
        )
        for seat, (player, kept_for) in zip((one, other), held, strict=True)
    ]
    Seat.objects.filter(pk__in=[one.pk, other.pk]).delete()
    Seat.objects.bulk_create(seats)
