"""Substitutes: named, seated from a hand on, sent away when the player returns; seats left empty."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.db.models import Q

from scoring.problems import Problem, gettext_noop
from tournaments.models import (
    HistoryEntry,
    Player,
    Protocol,
    Registration,
    Role,
    Seat,
    Session,
    Substitute,
    Table,
    Tournament,
)
from tournaments.models.play import Wind
from tournaments.models.protocol import InForce
from tournaments.people.operations.registration import Details, name_substitute
from tournaments.people.rules.substitutes import (
    Candidate,
    SeatState,
    candidate_problems,
    empty_problems,
    leave_problems,
    return_problems,
    substitution_problems,
)
from tournaments.record import history, judges, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_protocols, lock_session, lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse, refuse_finished
from tournaments.sessions.operations.play import check_points_row
from tournaments.tables.operations.protocols import refresh_protocol

STATES = Session.State
CHANGED = ["player", "kept_for", "from_hand", "left_after", "confirmed_at"]
NO_HANDS = gettext_noop(
    "Table %(t)s records no hands: at the end write the points of everybody, also of who left, and sign off."
)


@transaction.atomic
def enrol_substitute(
    tournament: Tournament,
    details: Details,
    *,
    by: Actor,
    is_assistant: bool = False,
    role: Role | None = None,
    override: str = "",
    key: str = "",
) -> Substitute:
    """Put somebody into the pool; who works at the tournament is tied to the role. [RIICHI reg. 5.5] [RIICHI reg. 5.6]

    Sent again under the same key, it puts nobody in a second time.
    """
    tournament = lock_tournament(tournament)
    body = {
        "name": history.digest(details.name),
        "assistant": is_assistant,
        "role": role.pk if role else None,
    }
    if key and (answer := receipts.answered(tournament, key, by=by, body=body)):
        return Substitute.objects.select_related("player").get(pk=answer["substitute"])
    candidate = Candidate(
        name=details.name,
        is_assistant=is_assistant or role is not None,
        is_chief_referee=role is not None and _is_chief_referee(tournament, user=role.user_id),
    )
    allowed = tournament.regulation["assistants_substitute"]
    _refuse_if(candidate_problems(candidate, assistants_substitute=allowed))
    substitute = name_substitute(
        tournament, details, by=by, is_assistant=candidate.is_assistant, override=override
    )
    if role is not None and role.user_id is not None:
        tournament.roles.filter(user_id=role.user_id).update(player=substitute.player)
    if key:
        receipts.store(tournament, key, by=by, body=body, answer={"substitute": substitute.pk})
    return substitute


@transaction.atomic
def seat_substitute(
    player: Player,
    substitute: Substitute,
    sessions: Sequence[Session],
    *,
    by: Actor,
    reason: str,
    from_hand: int | None = None,
) -> list[Seat]:
    """Let a substitute play for a registered player in one or more sessions. [SBR 2.8.4.5] [RIICHI 5.8] [RULES 8.35]

    The seat stays the player's, the game in it becomes the substitute's; `from_hand` counts in the first session, and
    unless it is given the substitute plays from the hand that the table has not recorded yet.
    """
    need_reason(reason)
    tournament, locked = _lock(player.tournament, sessions)
    seats = [_seat_of(player, session) for session in locked]
    firsts = [1 if turn else from_hand or _next_hand(seat) for turn, seat in enumerate(seats)]
    for seat, first in zip(seats, firsts, strict=True):
        _check_substitution(tournament, seat, substitute, first)
    for seat, first in zip(seats, firsts, strict=True):
        _sit(tournament, seat, substitute, first, by=by, reason=reason)
    return seats


@transaction.atomic
def leave_empty(player: Player, session: Session, *, by: Actor, reason: str, **because: int) -> Seat:
    """Keep a missing player's seat empty: the others play short or not at all. [SBR 3.1.3] [RULES 8.33] [RULES 8.34]"""
    need_reason(reason)
    tournament, (locked,) = _lock(player.tournament, [session])
    seat = _seat_of(player, locked)
    _refuse_if(empty_problems(_seat_state(seat)))
    if seat.player_id is None:
        refuse("wrong_state", gettext_noop("This seat is empty already."))
    if not _is_registered(player):
        refuse("wrong_state", gettext_noop("A substitute in nobody's seat can only be replaced by another."))
    seat.player, seat.kept_for, seat.from_hand, seat.confirmed_at = None, player, 1, None
    seat.left_after = None
    seat.save(update_fields=CHANGED)
    _fit_protocol(tournament, seat.table)
    _record(Kind.SEAT_LEFT_EMPTY, tournament, seat, by=by, reason=reason, **because)
    return seat


@transaction.atomic
def leave_table(
    player: Player, session: Session, *, by: Actor, reason: str, last_hand: int | None = None, **because: int
) -> Seat:
    """Leave a seat empty in the middle of a game: the hands so far stand, and the others go on. [SBR 3.1.2] [RULES 8.55]

    Unless `last_hand` names the last hand that was played in the seat, it is the last one recorded. Hands recorded after it
    are worked out anew for those who stayed, and refused if the seat has a part in them. Where too few are left to go
    on, the game ends with the hands that it has.
    """
    need_reason(reason)
    tournament, (locked,) = _lock(player.tournament, [session])
    seat = _seat_of(player, locked)
    protocol = Protocol.objects.filter(table_id=seat.table_id, mode=Protocol.Mode.HANDS).first()
    if seat.player_id is None or protocol is None:
        refuse("wrong_state", NO_HANDS, t=seat.table.number)
    state = _seat_state(seat)
    after = state.hands if last_hand is None else last_hand
    _refuse_if(leave_problems(state, after))
    seat.left_after, seat.confirmed_at = after, None
    seat.save(update_fields=CHANGED)
    refresh_protocol(protocol)
    _record(Kind.SEAT_LEFT_EMPTY, tournament, seat, by=by, reason=reason, **because)
    return seat


@transaction.atomic
def vacate(player: Player, session: Session, *, by: Actor, reason: str, last_hand: int | None = None) -> Seat:
    """Leave a seat empty, whether its table has played hands or not. [SBR 3.1.2] [SBR 3.1.3]"""
    seat = _seat_of(player, session)
    if _seat_state(seat).hands or last_hand:
        return leave_table(player, session, by=by, reason=reason, last_hand=last_hand)
    return leave_empty(player, session, by=by, reason=reason)


def clear_seats(player: Player, *, by: Actor, reason: str, penalty: int) -> list[Seat]:
    """Leave the seats empty in which a removed player sits in a game in play, until a substitute takes one. [RULES 8.55]

    Before the first hand the others play without the player, where they are enough; else nothing more is recorded.
    """
    return [
        _clear(player, seat, by=by, reason=reason, penalty=penalty)
        for seat in _seats_in_play(player)
        if seat.kept_for_id is None and seat.left_after is None
    ]


def _clear(player: Player, seat: Seat, *, by: Actor, reason: str, penalty: int) -> Seat:
    regulation = seat.session.regulation or player.tournament.regulation
    others = seat.table.seats.filter(player__isnull=False).exclude(pk=seat.pk).count()
    if not _seat_state(seat).hands and others >= regulation["smallest_table"]:
        with suppress(Refused):
            return leave_empty(player, seat.session, by=by, reason=reason, penalty=penalty)
    return leave_table(player, seat.session, by=by, reason=reason, penalty=penalty)


def give_back_seats(player: Player, *, by: Actor, reason: str, penalty: int) -> list[Seat]:
    """Give back the seats that a removal left empty, where no hand was played without its player. [RULES 8.55]"""
    return [
        return_player(player, [seat.session], by=by, reason=reason)[0]
        for seat in _seats_in_play(player)
        if (seat.has_left or seat.player_id is None)
        and _why_empty(seat).get("penalty") == penalty
        and not hindrances(seat)
    ]


def _seats_in_play(player: Player) -> list[Seat]:
    """Find the seats of a player at tables that record hands and have not ended. [RULES 8.55]"""
    rows = Seat.objects.filter(
        Q(player=player) | Q(kept_for=player),
        session__state=STATES.OPEN,
        table__protocol__state=Protocol.State.OPEN,
        table__protocol__mode=Protocol.Mode.HANDS,
    )
    seats = list(rows.select_related("table", "session", "player", "kept_for").order_by("session__number"))
    for seat in seats:
        seat.session.tournament = player.tournament
        seat.table.session = seat.session
    return seats


def _why_empty(seat: Seat) -> dict[str, Any]:
    """Return what the history says of the moment when a seat was left empty."""
    rows = HistoryEntry.objects.filter(tournament=seat.session.tournament_id, kind=Kind.SEAT_LEFT_EMPTY)
    told = (history.read(row.content) for row in rows.order_by("-pk"))
    return next((one["data"] for one in told if one["subject"] == _subject(seat)), {})


def hindrances(seat: Seat) -> list[Problem]:
    """Return why the player of a seat that is another's may not take it again. [RULES 8.35] [RULES 9.9]"""
    player = seat.kept_for or seat.player
    return return_problems(_seat_state(seat)) or (
        judges.return_problems(seat.session, player) if player else []
    )


@transaction.atomic
def return_player(player: Player, sessions: Sequence[Session], *, by: Actor, reason: str) -> list[Seat]:
    """Give a seat back to its player while nobody has played a hand in it, and no judge objects. [RULES 8.35] [RULES 9.9]"""
    need_reason(reason)
    tournament, locked = _lock(player.tournament, sessions)
    seats = [_seat_of(player, session) for session in locked]
    for seat in seats:
        _refuse_if(hindrances(seat))
    for seat in seats:
        seat.player, seat.kept_for, seat.from_hand, seat.confirmed_at = player, None, 1, None
        seat.left_after = None
        seat.save(update_fields=CHANGED)
        _fit_protocol(tournament, seat.table)
        _record(Kind.PLAYER_RETURNED, tournament, seat, by=by, reason=reason)
    return seats


@transaction.atomic
def fill_seat(table: Table, wind: str, substitute: Substitute, *, by: Actor, reason: str) -> Seat:
    """Fill a seat that the draw gave to nobody, so that an incomplete table can play. [SBR 3.1.1] [RULES 8.34]"""
    need_reason(reason)
    tournament, (session,) = _lock(table.session.tournament, [table.session])
    if wind not in Wind.values or table.seats.filter(wind=wind).exists():
        refuse("wrong_state", gettext_noop("This seat is taken."), field="wind")
    if table.seats.count() >= tournament.regulation["table_size"]:
        refuse("table_size", gettext_noop("This table is full already."), field="wind")
    seat = Seat(session=session, table=table, wind=wind, player=substitute.player)
    _refuse_if(empty_problems(_seat_state(seat)))
    _check_substitution(tournament, seat, substitute, 1)
    seat.save()
    _fit_protocol(tournament, table)
    _record_nobodys(tournament, seat, by=by, reason=reason)
    return seat


# Reading


def _lock(tournament: Tournament, sessions: Sequence[Session]) -> tuple[Tournament, list[Session]]:
    """Lock tournament, sessions and their protocols in the one order, before anything is recorded."""
    tournament = lock_tournament(tournament)
    refuse_finished(tournament)
    if not sessions:
        refuse("session_needed", gettext_noop("Choose at least one session."), field="sessions")
    locked = []
    for session in sorted(sessions, key=lambda session: session.number):
        row = lock_session(session)
        row.tournament = tournament
        lock_protocols(row)
        locked.append(row)
    return tournament, locked


def _seat_of(player: Player, session: Session) -> Seat:
    """Find the player's seat, whoever sits in it."""
    seats = session.seats.select_related("table", "player", "kept_for")
    seat = seats.filter(kept_for=player).first() or seats.filter(player=player, kept_for=None).first()
    if seat is None:
        refuse(
            "player_not_found",
            gettext_noop("%(name)s has no seat in session %(n)s."),
            name=player.name,
            n=session.number,
        )
    seat.session = session
    return seat


def _next_hand(seat: Seat) -> int:
    """Count the hand that whoever sits down now plays first; in nobody's seat all hands are the substitute's."""
    return 1 if _is_nobodys(seat) else _seat_state(seat).hands + 1


def _is_nobodys(seat: Seat) -> bool:
    return seat.kept_for_id is None and seat.player is not None and not _is_registered(seat.player)


def _seat_state(seat: Seat) -> SeatState:
    """Return what the rules must know of a seat."""
    protocol = Protocol.objects.filter(table_id=seat.table_id).first()
    hands = protocol.hands.filter(status=InForce.IN_FORCE).count() if protocol else 0
    if protocol and protocol.final_results.filter(status=InForce.IN_FORCE).exists():
        hands = max(hands, 1)
    return SeatState(
        player=str(seat.kept_for or seat.player),
        table=seat.table.number,
        session=seat.session.number,
        hands=hands,
        from_hand=seat.from_hand,
        is_session_over=seat.session.state == STATES.CLOSED,
        is_settled=protocol is not None and protocol.is_settled,
        is_replaced=seat.kept_for_id is not None,
        left_after=seat.left_after,
        has_left=seat.has_left,
    )


def _check_substitution(tournament: Tournament, seat: Seat, substitute: Substitute, from_hand: int) -> None:
    sits = seat.session.seats.filter(player=substitute.player).select_related("table").first()
    candidate = Candidate(
        name=str(substitute),
        is_assistant=substitute.is_assistant,
        is_chief_referee=_is_chief_referee(tournament, player=substitute.player),
        table=sits.table.number if sits else None,
    )
    regulation = seat.session.regulation or tournament.regulation
    allowed = regulation["assistants_substitute"]
    problems = substitution_problems(candidate, _seat_state(seat), from_hand, assistants_substitute=allowed)
    if substitute.tournament_id != tournament.pk:
        problems.append(Problem("player_not_found", gettext_noop("No such player in this event.")))
    _refuse_if(problems)


def _is_registered(player: Player) -> bool:
    return Registration.objects.filter(player=player).exists()


def _is_chief_referee(
    tournament: Tournament, *, player: Player | None = None, user: int | None = None
) -> bool:
    roles = tournament.roles.filter(kind=Role.Kind.CHIEF_REFEREE).values_list("player_id", "user_id")
    return any((player and held[0] == player.pk) or (user and held[1] == user) for held in roles)


# Writing


def _sit(
    tournament: Tournament, seat: Seat, substitute: Substitute, from_hand: int, *, by: Actor, reason: str
) -> None:
    is_nobodys = _is_nobodys(seat)
    played_short = _protocol_played_short(seat)
    if played_short and from_hand > 1:
        seat.left_after = 0
    if not is_nobodys:
        seat.kept_for = seat.kept_for or seat.player
    seat.player, seat.from_hand, seat.confirmed_at = substitute.player, from_hand, None
    if seat.left_after is not None and from_hand == seat.left_after + 1:
        seat.left_after = None
    seat.save(update_fields=CHANGED)
    _fit_protocol(tournament, seat.table)
    if played_short:
        refresh_protocol(played_short)
    if is_nobodys:
        _record_nobodys(tournament, seat, by=by, reason=reason)
    else:
        _record(Kind.SUBSTITUTE_SEATED, tournament, seat, by=by, reason=reason)


def _protocol_played_short(seat: Seat) -> Protocol | None:
    """Find the protocol in which hands were played without anybody in a seat that was empty from the start. [RULES 8.33] [RULES 8.55]"""
    if seat.player_id is not None:
        return None
    rows = Protocol.objects.filter(table_id=seat.table_id, mode=Protocol.Mode.HANDS)
    return rows.filter(hands__status=InForce.IN_FORCE).first()


def _fit_protocol(tournament: Tournament, table: Table) -> None:
    """Give a table that can play a protocol, and take it from one that cannot. [RULES 8.33] [RULES 8.34]"""
    session = table.session
    regulation = session.regulation or tournament.regulation
    present = table.seats.filter(player__isnull=False).count()
    protocol = Protocol.objects.filter(table=table).first()
    if present >= regulation["smallest_table"]:
        check_points_row(tournament, regulation, present)
    if present >= regulation["smallest_table"] and protocol is None:
        Protocol.objects.create(table=table, mode=regulation["protocol"])
    elif present < regulation["smallest_table"] and protocol is not None:
        if protocol.version:
            refuse(
                "table_started",
                gettext_noop(
                    "Table %(t)s has entries in its protocol, so it cannot be taken out of play; seat a substitute."
                ),
                t=table.number,
            )
        protocol.delete()


def _record(
    kind: Kind, tournament: Tournament, seat: Seat, *, by: Actor, reason: str, **because: int
) -> None:
    """Write the entry into the chain of the table, or of the tournament where the table does not play."""
    history.record(
        kind,
        tournament=tournament,
        protocol=_chain_of(seat),
        by=by,
        subject=_subject(seat),
        reason=reason,
        data={
            "player": seat.player_id,
            "kept_for": seat.kept_for_id,
            "from_hand": seat.from_hand,
            **({} if seat.left_after is None else {"left_after": seat.left_after}),
            **because,
        },
    )


def _subject(seat: Seat) -> str:
    return f"seat:{seat.session.number}/{seat.table.number}/{seat.wind}"


def _record_nobodys(tournament: Tournament, seat: Seat, *, by: Actor, reason: str) -> None:
    """Record who sits in a seat that is nobody's: it has no player to go back to, so this is part of the seating."""
    history.record(
        Kind.SEATING_CHANGED,
        tournament=tournament,
        by=by,
        subject=f"session:{seat.session.number}",
        reason=reason,
        data={"seats": [[seat.table.number, seat.wind, seat.player_id, None]]},
    )


def _chain_of(seat: Seat) -> Protocol | None:
    """Return the chain for a change: the table's once it has entries, else the tournament's."""
    protocol = Protocol.objects.filter(table_id=seat.table_id).first()
    return protocol if protocol and protocol.version else None


def _refuse_if(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(*problems)
