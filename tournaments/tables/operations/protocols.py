"""The protocol of a table after its hands: undone, corrected, voided; the end, the confirmations, the sign-off."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.hands import Hand as Deal
from scoring.problems import Refusal, gettext_noop
from scoring.protocol import Game, PlayedHand, check_final, check_next, final_totals
from scoring.record.hands import write_hand
from scoring.record.readings import without_mark
from scoring.seats import Seat as SeatWind
from scoring.systems import SYSTEMS
from tournaments.models import FinalResult, Hand, HistoryEntry, Objection, Protocol, Seat, Session, Tournament
from tournaments.models.protocol import InForce
from tournaments.people.operations import push
from tournaments.record import history, receipts
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.history import Kind
from tournaments.record.judges import tell_hand_restored, tell_hand_struck
from tournaments.record.locks import lock_protocol, lock_tournament
from tournaments.record.receipts import Answer
from tournaments.record.refusal import Refused, need_reason, refuse, refuse_finished
from tournaments.sessions.operations.calls import note_call
from tournaments.tables.operations.dealers import FIELD, dealt_after, told, with_dealers, write_dealers
from tournaments.tables.operations.pins import check_pin, counted
from tournaments.tables.operations.recording import (
    STATES,
    Intent,
    check_open,
    check_seen,
    check_session,
    hand_columns,
    hand_row,
    play_on_by_hand,
    read_deal,
    receipt_of,
    refuse_if,
    said_of,
    write_totals,
)
from tournaments.tables.queries.protocol_rows import place_of_struck
from tournaments.tables.queries.sheets import Sheet, sheet_of
from tournaments.tables.queries.state import GRACE


@transaction.atomic
def undo_hand(protocol: Protocol, *, number: int, intent: Intent, by: Actor, reason: str = "") -> Answer:
    """Take back the last hand: at first without a reason, after the time of grace with one."""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    check_open(protocol)
    check_seen(protocol, intent.seen)
    sheet = sheet_of(protocol)
    if not sheet.rows or sheet.rows[-1].number != number:
        refuse(
            "not_last",
            gettext_noop("Only the last hand can be taken back here; call the referee for earlier ones."),
        )
    _check_nobody_left(sheet, number)
    last = sheet.rows[-1]
    if timezone.now() - last.recorded_at > GRACE:
        need_reason(reason)
    play_on_by_hand(protocol)
    _retire(last, InForce.UNDONE, reason)
    _refresh(sheet_of(protocol))
    entry = _note(Kind.HAND_UNDONE, protocol, by=by, hand=last, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def correct_hand(
    protocol: Protocol,
    facts: Mapping[str, Any],
    *,
    number: int,
    intent: Intent,
    by: Actor,
    reason: str,
    keep_dealers: bool | None = None,
) -> Answer:
    """Replace an earlier hand, with a reason; the old one stays in the history, and later hands are computed again.

    `keep_dealers` says whether the later ones were dealt as they stand or go on by the rules. [RULES 9.23]
    """
    need_reason(reason)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_referee(protocol, by)
    check_seen(protocol, intent.seen)
    sheet = sheet_of(protocol)
    row = _row(sheet, number)
    deal = _read_instead(row, facts)
    if without_mark(write_hand(deal)) == without_mark(row.facts):
        refuse("no_change", gettext_noop("The new result equals the old one."))
    deals = _corrected(sheet, deal, keep_dealers)
    game = _played(sheet, deals)
    _retire(row, InForce.CORRECTED, reason)
    hand = hand_row(protocol, game.hands[number - 1], replaces=row)
    hand.save(force_insert=True)
    dealt = write_dealers([later for later in sheet.rows if later.number > number], deals)
    _refresh(sheet_of(protocol))
    _reopen_confirmation(protocol)
    entry = _note(Kind.HAND_CORRECTED, protocol, by=by, hand=hand, reason=reason, replaces=row, data=dealt)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def void_hand(
    protocol: Protocol,
    *,
    number: int,
    intent: Intent,
    by: Actor,
    reason: str,
    keep_dealers: bool | None = None,
) -> Answer:
    """Void a hand, with a reason; later hands, and penalties on them, move up one number.

    `keep_dealers` says whether they were dealt as they stand or go on by the rules. [RULES 9.23]
    """
    need_reason(reason)
    lock_tournament(protocol.table.session.tournament)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_referee(protocol, by)
    check_seen(protocol, intent.seen)
    sheet = sheet_of(protocol)
    row = _row(sheet, number)
    deals = _without(sheet, number, keep_dealers)
    _played(_sheet_without(sheet, number), deals)
    _retire(row, InForce.VOIDED, reason)
    moved = _move_vacancies(_seats_without(sheet, number))
    for later in (later for later in sheet.rows if later.number > number):
        later.number -= 1
        later.facts = {**later.facts, "number": later.number}
        later.save(update_fields=["number", "facts"])
    moved |= write_dealers([later for later in sheet.rows if later.number >= number and later != row], deals)
    _refresh(sheet_of(protocol))
    _reopen_confirmation(protocol)
    entry = _note(Kind.HAND_VOIDED, protocol, by=by, hand=row, reason=reason, data=moved)
    tell_hand_struck(protocol.table, number, row, by=by, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def restore_hand(protocol: Protocol, *, hand: int, intent: Intent, by: Actor, reason: str) -> Answer:
    """Put a voided hand back where it was, with a reason; later hands, and penalties on them, move down one. [RULES 8.53]"""
    need_reason(reason)
    lock_tournament(protocol.table.session.tournament)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_referee(protocol, by)
    check_seen(protocol, intent.seen)
    struck = _struck(protocol, hand)
    sheet = sheet_of(protocol)
    game = _played(replace(sheet, seats=_seats_with(sheet, struck)), _with_restored(sheet, struck))
    number = place_of_struck(struck)
    for later in reversed([later for later in sheet.rows if later.number >= number]):
        later.number += 1
        later.facts = {**later.facts, "number": later.number}
        later.save(update_fields=["number", "facts"])
    row = hand_row(protocol, game.hands[number - 1], replaces=struck)
    row.save(force_insert=True)
    moved = _move_vacancies(_seats_with(sheet, struck))
    _refresh(sheet_of(protocol))
    _reopen_confirmation(protocol)
    entry = _note(Kind.HAND_RESTORED, protocol, by=by, hand=row, reason=reason, replaces=struck, data=moved)
    tell_hand_restored(protocol.table, number, struck, by=by, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def record_final_result(
    protocol: Protocol,
    points: Mapping[str, int],
    *,
    left_on_table: int = 0,
    intent: Intent,
    by: Actor,
    reason: str = "",
) -> Answer:
    """Record the points counted at the end; a second result replaces the first. [RIICHI reg. 6.2]"""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    if protocol.is_settled:
        _check_referee(protocol, by)
        need_reason(reason)
    else:
        check_open(protocol, may_be_ended=True)
    check_seen(protocol, intent.seen)
    sheet = sheet_of(protocol)
    final = {SeatWind(wind): amount for wind, amount in points.items()}
    _check_final_points(sheet, final, left_on_table)
    if not reason.strip():
        _check_final_fits_hands(sheet, final, left_on_table)
    protocol.final_results.filter(status=InForce.IN_FORCE).update(status=InForce.CORRECTED, reason=reason)
    FinalResult.objects.create(protocol=protocol, points=dict(points), left_on_table=left_on_table)
    _refresh(sheet)
    _reopen_confirmation(protocol)
    if protocol.table.session.state == Session.State.OPEN:
        _move(protocol, STATES.ENDED)
    entry = _note(
        Kind.FINAL_RESULT_RECORDED,
        protocol,
        by=by,
        reason=reason,
        data={"points": dict(points), "left_on_table": left_on_table},
    )
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def end_protocol(protocol: Protocol, *, intent: Intent, by: Actor) -> Answer:
    """End the table's session after its last hand; the players confirm now."""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    check_open(protocol)
    check_seen(protocol, intent.seen)
    _move(protocol, STATES.ENDED)
    entry = _note(Kind.PROTOCOL_ENDED, protocol, by=by)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def resume_protocol(protocol: Protocol, *, intent: Intent, by: Actor, reason: str = "") -> Answer:
    """Continue play after the end; confirmations are withdrawn. If all had confirmed, a referee must give a reason."""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    if protocol.state == STATES.OPEN:
        refuse("wrong_state", gettext_noop("This table is in play."))
    if protocol.is_settled:
        _check_referee(protocol, by)
        need_reason(reason)
    check_session(protocol)
    check_seen(protocol, intent.seen)
    protocol.table.seats.update(confirmed_at=None)
    _move(protocol, STATES.OPEN)
    entry = _note(Kind.PROTOCOL_RESUMED, protocol, by=by, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


def confirm_seat(
    protocol: Protocol,
    wind: str,
    *,
    totals: Mapping[str, int],
    intent: Intent,
    by: Actor,
    pin: str = "",
    reason: str = "",
) -> Answer:
    """Confirm the result for a player at the table; after the last confirmation it is final. [SBR 2.5.8.4]

    Where the tournament asks for PINs, the player's own is needed, or a referee's reason for going without.
    """
    with _counted_if_asked(protocol, wind, pin=pin, reason=reason, by=by):
        return _confirm_seat(protocol, wind, totals=totals, intent=intent, by=by, pin=pin, reason=reason)


def _counted_if_asked(
    protocol: Protocol, wind: str, *, pin: str, reason: str, by: Actor
) -> AbstractContextManager[None]:
    """Count the try if a PIN is asked, before the transaction: a refusal would undo the count with everything else in it."""
    seat = protocol.table.seats.select_related("player").filter(wind=wind, player__isnull=False).first()
    player = seat.player if seat else None
    if not pin or reason or player is None or not protocol.table.session.tournament.asks_pin:
        return nullcontext()
    return counted(player, by=by)


@transaction.atomic
def _confirm_seat(
    protocol: Protocol,
    wind: str,
    *,
    totals: Mapping[str, int],
    intent: Intent,
    by: Actor,
    pin: str,
    reason: str,
) -> Answer:
    """Confirm under the protocol's lock."""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    check_session(protocol)
    if protocol.state == STATES.OPEN:
        refuse("wrong_state", gettext_noop("The table is still in play. Press “End of session” first."))
    seats = [seat for seat in sheet_of(protocol).seats if seat.player_id]
    confirming = [seat for seat in seats if not seat.has_left]
    seat = next((seat for seat in confirming if seat.wind == wind), None)
    if seat is None:
        refuse(
            "not_seated",
            gettext_noop("Only %(names)s can confirm."),
            names=", ".join(str(seat.player) for seat in confirming),
        )
    if seat.confirmed_at is not None:
        refuse("already_confirmed", gettext_noop("%(name)s has already confirmed."), name=str(seat.player))
    if dict(totals) != {seat.wind: seat.hand_points for seat in seats}:
        refuse("totals_changed", gettext_noop("The result changed after you saw it; check it again."))
    _check_pin(protocol, seat, pin=pin, reason=reason, by=by)
    Seat.objects.filter(pk=seat.pk).update(confirmed_at=timezone.now())
    if all(other.confirmed_at or other.pk == seat.pk for other in confirming):
        _move(protocol, STATES.CONFIRMED)
    data = {"wind": wind, "totals": dict(totals)}
    entry = _note(Kind.SEAT_CONFIRMED, protocol, by=by, data=data, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def sign_off(protocol: Protocol, *, intent: Intent, by: Actor, reason: str) -> Answer:
    """Sign a protocol off as a referee, without the missing confirmations, with a reason."""
    need_reason(reason)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    check_session(protocol)
    _check_own_table(protocol, by)
    if protocol.state == STATES.OPEN:
        refuse("wrong_state", gettext_noop("The table is still in play. Press “End of session” first."))
    check_seen(protocol, intent.seen)
    _move(protocol, STATES.SIGNED_OFF)
    entry = _note(Kind.PROTOCOL_SIGNED_OFF, protocol, by=by, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def repair_seats(
    protocol: Protocol, sitting: Mapping[str, str], *, intent: Intent, by: Actor, reason: str
) -> Answer:
    """Correct who sat where: players exchange seats in the protocol, and the hands stay with the seats."""
    need_reason(reason)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_referee(protocol, by)
    check_seen(protocol, intent.seen)
    seats = {seat.wind: seat for seat in sheet_of(protocol).seats}
    moved = {wind: other for wind, other in sitting.items() if wind != other}
    if not moved:
        refuse("no_change", gettext_noop("The new seats equal the old ones."))
    if any(seats[wind].left_after is not None for wind in moved if wind in seats):
        refuse(
            "wrong_state",
            gettext_noop("A seat whose player left in the middle of the game cannot be exchanged any more."),
        )
    if set(moved) != set(moved.values()) or not set(moved) <= set(seats):
        refuse("wrong_players", gettext_noop("Every player of the table takes exactly one place."))
    _reseat(seats, moved)
    _reopen_confirmation(protocol)
    entry = _note(
        Kind.SEATS_REPAIRED,
        protocol,
        by=by,
        reason=reason,
        data={"seats": {wind: seats[other].player_id for wind, other in moved.items()}},
    )
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def note_objection(protocol: Protocol, wind: str, *, text: str, intent: Intent, by: Actor) -> Answer:
    """Record a player's objection to the result in the history, and call the referee. [SBR 2.5.8.4]

    The words stay out of the chain, which is sealed: beside the entry they can be erased with their author.
    """
    need_reason(text)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    check_session(protocol)
    seat = protocol.table.seats.filter(wind=wind, player__isnull=False).first()
    if seat is None or seat.player_id is None:
        refuse("not_seated", gettext_noop("Nobody sits there."))
    protocol.table.called_at, protocol.table.answered_at = timezone.now(), None
    protocol.table.save(update_fields=["called_at", "answered_at"])
    note_call(protocol.table)
    data = {"wind": wind, "player": seat.player_id}
    entry = _note(Kind.OBJECTION_NOTED, protocol, by=by, data=data)
    Objection.objects.create(entry=entry, player_id=seat.player_id, text=text.strip())
    return _answer(tournament, protocol, entry, intent=intent, by=by)


def preview_hand(protocol: Protocol, facts: Mapping[str, Any], *, number: int | None = None) -> PlayedHand:
    """Compute a hand as if it were recorded next, or in place of an earlier one. Nothing is written."""
    sheet = sheet_of(protocol)
    if number is None:
        game = sheet.play()
        deal = read_deal({**facts, "number": game.situation.number})
        refuse_if(check_next(sheet.rules, game, deal, hands_limit=sheet.regulation["hands_limit"]))
        return sheet.play([*sheet.deals, deal]).hands[-1]
    deal = _read_instead(_row(sheet, number), facts)
    return _played(sheet, _corrected(sheet, deal, None)).hands[number - 1]


def preview_correction(
    protocol: Protocol, facts: Mapping[str, Any], *, number: int, keep_dealers: bool | None = None
) -> tuple[Game, Game]:
    """Return the game as it is and as it would be with the corrected hand. Nothing is written."""
    sheet = sheet_of(protocol)
    deal = _read_instead(_row(sheet, number), facts)
    return sheet.play(), _played(sheet, _corrected(sheet, deal, keep_dealers))


def _corrected(sheet: Sheet, deal: Deal, keep_dealers: bool | None) -> list[Deal]:
    """Return the deals with one corrected."""
    deals = [deal if old.number == deal.number else old for old in sheet.deals]
    return with_dealers(sheet, deals, dealt_after(sheet.play(), deal.number), keep=keep_dealers)


def preview_void(protocol: Protocol, *, number: int, keep_dealers: bool | None = None) -> tuple[Game, Game]:
    """Return the game as it is and as it would be without a hand. Nothing is written."""
    sheet = sheet_of(protocol)
    _row(sheet, number)
    return sheet.play(), _played(_sheet_without(sheet, number), _without(sheet, number, keep_dealers))


def _sheet_without(sheet: Sheet, number: int) -> Sheet:
    return replace(sheet, seats=_seats_without(sheet, number))


def preview_struck(protocol: Protocol, *, number: int, keep_dealers: bool | None = None) -> dict[str, int]:
    """Return the totals by seat as they would be without a hand. Nothing is written. [RULES 8.53]"""
    sheet = sheet_of(protocol)
    _row(sheet, number)
    return _totals(_sheet_without(sheet, number), _without(sheet, number, keep_dealers))


def preview_restored(protocol: Protocol, *, hand: int) -> dict[str, int]:
    """Return the totals by seat as they would be with a voided hand back in its place. Nothing is written."""
    sheet = sheet_of(protocol)
    struck = _struck(protocol, hand)
    return _totals(replace(sheet, seats=_seats_with(sheet, struck)), _with_restored(sheet, struck))


# Checks


def _check_referee(protocol: Protocol, by: Actor) -> None:
    """Refuse corrections to all but referees, in a closed session to all but the chief referee, and at one's own table to everybody."""
    if not by.has_role("referee", "chief_referee"):
        refuse("forbidden", gettext_noop("Only a referee can correct a recorded hand."))
    session = protocol.table.session
    if session.state == Session.State.PLANNED:
        refuse("not_started", gettext_noop("Session %(n)s has not started."), n=session.number)
    if session.state == Session.State.CLOSED and not by.has_role("chief_referee"):
        refuse("forbidden", gettext_noop("In a closed session only the chief referee can correct."))
    refuse_finished(session.tournament)
    _check_own_table(protocol, by)


def _check_nobody_left(sheet: Sheet, number: int) -> None:
    """The hands that somebody played who has left stand; only a referee corrects or voids one of them. [RULES 8.55]"""
    for seat in sheet.seats:
        if seat.left_after is not None and number <= seat.left_after:
            refuse(
                "forbidden",
                gettext_noop(
                    "%(name)s has left the table after hand %(n)s, and the hands up to it stand; a referee corrects or voids them."
                ),
                name=str(seat.kept_for or seat.player),
                n=seat.left_after,
            )


def _check_pin(protocol: Protocol, seat: Seat, *, pin: str, reason: str, by: Actor) -> None:
    """Refuse a confirmation unless the player types the PIN that the tournament asks for, or a referee confirms instead.

    Whoever comes by the player's own private link needs no PIN: the link says more than four digits.
    """
    is_oneself = by.kind == ActorKind.PLAYER and by.id == seat.player_id
    if reason:
        _check_referee(protocol, by)
        need_reason(reason)
    elif protocol.table.session.tournament.asks_pin and seat.player and not is_oneself:
        check_pin(seat.player, pin)


def _check_own_table(protocol: Protocol, by: Actor) -> None:
    if protocol.table.seats.filter(player_id__in=by.player_ids).exists():
        refuse("conflict_of_interest", gettext_noop("You play at this table; ask another referee."))


def _check_final_points(sheet: Sheet, final: Mapping[SeatWind, int], left_on_table: int) -> None:
    """Refuse points that the table cannot have come to; only riichi bets may be left over. [RIICHI reg. 6.2]"""
    system = sheet.protocol.table.session.tournament.system
    refuse_if(
        check_final(
            final,
            left_on_table,
            seats=sheet.places,
            start_points=sheet.regulation["start_points"],
            points_unit=sheet.regulation["points_unit"],
            has_bets=SYSTEMS[system].recorded.has_bets,
        )
    )


def _check_final_fits_hands(sheet: Sheet, final: Mapping[SeatWind, int], left_on_table: int) -> None:
    """Ask for a reason if a final result is not what the recorded hands give, such as hands played on paper.

    [INTEGRITY 111]
    """
    if not sheet.rows:
        return
    start, unit = sheet.regulation["start_points"], sheet.regulation["points_unit"]
    said = final_totals(final, left_on_table, seats=sheet.places, start_points=start, points_unit=unit)
    hands = sheet.play().totals
    for seat in sheet.seats:
        place = SeatWind(seat.wind)
        if place in said and said[place] != hands[place]:
            refuse(
                "totals_mismatch",
                gettext_noop(
                    "%(name)s: the hands add up to %(a)s, the totals say %(b)s. Check them, or say why they differ."
                ),
                field="points",
                name=str(seat.player),
                a=hands[place] + start,
                b=said[place] + start,
            )


def _played(sheet: Sheet, deals: Sequence[Deal]) -> Game:
    try:
        return sheet.play(deals)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal


def _totals(sheet: Sheet, deals: Sequence[Deal]) -> dict[str, int]:
    return {str(seat): total for seat, total in counted_totals(sheet, _played(sheet, deals)).items()}


def _read_instead(row: Hand, facts: Mapping[str, Any]) -> Deal:
    """Read what replaces a hand: the number and how it was dealt stay. [RULES 9.23]"""
    return read_deal(told({**facts, "number": row.number}, row.facts.get(FIELD)), instead_of=row)


def _without(sheet: Sheet, number: int, keep_dealers: bool | None) -> list[Deal]:
    """Return the deals without one; later ones move up one number."""
    kept = [deal for deal in sheet.deals if deal.number != number]
    deals = [replace(deal, number=place) for place, deal in enumerate(kept, start=1)]
    dealt = dealt_after(sheet.play(), number, moved=-1)
    return with_dealers(_sheet_without(sheet, number), deals, dealt, keep=keep_dealers)


def _with_restored(sheet: Sheet, struck: Hand) -> list[Deal]:
    """Return the deals with a voided one back in its place; later ones move down one number."""
    place = place_of_struck(struck)
    deals = list(sheet.deals)
    deals.insert(place - 1, read_deal({**struck.facts, "number": place}, instead_of=struck))
    return [replace(deal, number=number) for number, deal in enumerate(deals, start=1)]


def _seats_without(sheet: Sheet, number: int) -> tuple[Seat, ...]:
    """Return the seats as they are once a hand is struck: who left after it has played one hand less. [RULES 8.55]"""
    return tuple(
        _shifted(seat, -1, left=number <= (seat.left_after or 0), came=number < seat.from_hand)
        for seat in sheet.seats
    )


def _seats_with(sheet: Sheet, struck: Hand) -> tuple[Seat, ...]:
    """Return the seats as they are once a struck hand is back; whether somebody who left played it, its payments tell. [RULES 8.55]"""
    place = place_of_struck(struck)
    moved = []
    for seat in sheet.seats:
        sat = seat.wind in struck.payments
        is_before = sat and place <= (seat.left_after or 0) + 1
        moved.append(_shifted(seat, 1, left=is_before, came=is_before or not sat))
    return tuple(moved)


def _shifted(seat: Seat, by: int, *, left: bool, came: bool) -> Seat:
    """Return a seat that somebody left with its hands counted anew; any other as it is."""
    if seat.left_after is None:
        return seat
    moved = copy(seat)
    moved.left_after = seat.left_after + by * left
    if seat.is_taken_again:
        moved.from_hand = seat.from_hand + by * came
    return moved


def _move_vacancies(seats: Sequence[Seat]) -> dict[str, Any]:
    """Store from when to when seats are empty; return what the history says of it."""
    left = [seat for seat in seats if seat.left_after is not None]
    for seat in left:
        Seat.objects.filter(pk=seat.pk).update(left_after=seat.left_after, from_hand=seat.from_hand)
    return {"left_after": {seat.wind: seat.left_after for seat in left}} if left else {}


def _struck(protocol: Protocol, hand: int) -> Hand:
    """Find a voided hand that is not back yet."""
    row = protocol.hands.filter(pk=hand, status=InForce.VOIDED, replaced_by=None).first()
    if row is None:
        refuse("not_found", gettext_noop("There is no struck hand to put back."))
    return row


def _row(sheet: Sheet, number: int) -> Hand:
    for row in sheet.rows:
        if row.number == number:
            return row
    return refuse("not_found", gettext_noop("There is no hand %(n)s."), n=number)


# Writing


def refresh_protocol(protocol: Protocol) -> None:
    """Compute a locked table anew because of who sits there; what then cannot have been played is refused. [RULES 8.55]"""
    sheet = sheet_of(Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk))
    _played(sheet, sheet.deals)
    _refresh(sheet)


def _refresh(sheet: Sheet) -> None:
    """Compute every hand and total again from the facts; nothing is patched."""
    game = sheet.play()
    for row, played in zip(sheet.rows, game.hands, strict=True):
        wanted = hand_columns(played)
        if any(getattr(row, name) != value for name, value in wanted.items()):
            Hand.objects.filter(pk=row.pk).update(**wanted)
    write_totals((sheet, counted_totals(sheet, game)))


def counted_totals(sheet: Sheet, game: Game) -> Mapping[SeatWind, int]:
    """Return the totals that count: those of the final result if one is in force, else those of the hands."""
    final = sheet.protocol.final_results.filter(status=InForce.IN_FORCE).first()
    if final is None:
        return game.totals
    return final_totals(
        {SeatWind(wind): points for wind, points in final.points.items()},
        final.left_on_table,
        seats=sheet.places,
        start_points=sheet.regulation["start_points"],
        points_unit=sheet.regulation["points_unit"],
    )


def _retire(hand: Hand, status: InForce, reason: str) -> None:
    hand.status, hand.reason = status, reason
    hand.save(update_fields=["status", "reason"])


def _reseat(seats: Mapping[str, Seat], moved: Mapping[str, str]) -> None:
    """Exchange the players of seats by writing the rows anew: nobody may hold two seats, even for a moment."""
    rows = [
        Seat(
            session_id=seats[wind].session_id,
            table_id=seats[wind].table_id,
            wind=wind,
            player_id=seats[other].player_id,
            kept_for_id=seats[other].kept_for_id,
            from_hand=seats[other].from_hand,
            hand_points=seats[wind].hand_points,
        )
        for wind, other in moved.items()
    ]
    Seat.objects.filter(pk__in=[seats[wind].pk for wind in moved]).delete()
    Seat.objects.bulk_create(rows)


def _reopen_confirmation(protocol: Protocol) -> None:
    """Withdraw all confirmations of a result that has changed; in a closed session it counts as signed off, else it waits for new ones."""
    protocol.table.seats.update(confirmed_at=None)
    if protocol.state == STATES.CONFIRMED:
        closed = protocol.table.session.state == Session.State.CLOSED
        _move(protocol, STATES.SIGNED_OFF if closed else STATES.ENDED)


def _move(protocol: Protocol, state: Protocol.State) -> None:
    protocol.state = state
    protocol.save(update_fields=["state"])
    session = protocol.table.session
    if protocol.is_settled and session.tournament.push_subscriptions.exists():
        push.queue_result(session, protocol.table.number)


def _note(
    kind: Kind,
    protocol: Protocol,
    *,
    by: Actor,
    hand: Hand | None = None,
    replaces: Hand | None = None,
    reason: str = "",
    data: Mapping[str, Any] | None = None,
) -> HistoryEntry:
    """Write the history entry of a change to the protocol."""
    said: dict[str, Any] = dict(data or {})
    if hand is not None:
        said |= said_of(hand)
    if replaces is not None:
        said |= {"replaces": replaces.pk}
    return history.record(
        kind,
        tournament=protocol.table.session.tournament,
        protocol=protocol,
        by=by,
        subject=f"hand:{hand.pk}" if hand else "",
        data=said,
        reason=reason,
    )


def _answer(
    tournament: Tournament, protocol: Protocol, entry: HistoryEntry, *, intent: Intent, by: Actor
) -> Answer:
    """Store the receipt and return it."""
    answer = receipt_of(entry)
    receipts.store(tournament, intent.key, by=by, body=intent.body, answer=answer)
    return answer
