"""The protocol of a table: hands recorded, undone, corrected; the end, the confirmations, the sign-off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from scoring.hands import Chombo
from scoring.hands import Hand as Deal
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.protocol import Game, PlayedHand, check_final, check_next, final_totals, play_on
from scoring.records import read_hand, write_hand
from scoring.regulation import LastHand
from scoring.seats import Seat as Place
from tournaments.actors import Actor, ActorKind
from tournaments.judges import tell_hand_struck
from tournaments.models import FinalResult, Hand, HistoryEntry, Protocol, Seat, Session, Tournament
from tournaments.models.protocol import InForce
from tournaments.operations import history, receipts
from tournaments.operations.history import Kind
from tournaments.operations.locks import lock_protocol, lock_tournament
from tournaments.operations.pins import check_pin
from tournaments.operations.receipts import Answer
from tournaments.operations.tournaments import need_reason, refuse_finished
from tournaments.queries import entries_since, protocol_state
from tournaments.refusal import Refused, Stale
from tournaments.rules.last_hand import signal_at, time_problems
from tournaments.sheets import COLUMNS, Sheet, sheet_of
from tournaments.strict import refuse

STATES = Protocol.State
STORE_TOTAL = "UPDATE tournaments_seat SET hand_points = %s WHERE id = %s"
GRACE = timedelta(minutes=2)
"""How long the last hand may be undone without saying why."""
TWICE = timedelta(seconds=10)
"""An identical hand sooner after the last one is probably the same hand."""


@dataclass(frozen=True)
class Intent:
    """One tap on a device: the number of entries it had seen, its key, and the body that came with it."""

    seen: int
    key: str
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Tap:
    """A hand as a device sends it: what was played, why it comes, and whether somebody was asked if it is meant."""

    facts: Mapping[str, Any]
    intent: Intent
    is_sure: bool = False


@dataclass(frozen=True)
class Entered:
    """What became of hands sent together: their receipts, and the sheet with its game as written.

    Nothing was written where all had been sent before.
    """

    answers: tuple[Answer, ...]
    written: tuple[Sheet, Game] | None = None


def record_hand(
    protocol: Protocol, facts: Mapping[str, Any], *, intent: Intent, by: Actor, is_sure: bool = False
) -> Answer:
    """Record the next hand. Sent again under the same key, it changes nothing. [RULES 1.5]"""
    return enter_hands(protocol, [Tap(facts, intent, is_sure)], by=by).answers[0]


@transaction.atomic
def enter_hands(protocol: Protocol, taps: Sequence[Tap], *, by: Actor) -> Entered:
    """Record as many hands that came together as stand one upon the other; what the first is refused for is raised.

    The table is locked, read and written once for all of them: an outage ends with many hands of every table at once.
    One that is refused behind others learns why when it is sent as the first, after those are stored. [RULES 1.5]
    """
    protocol = lock_protocol(protocol)
    known = receipts.known(protocol.table.session.tournament, [tap.intent.key for tap in taps])
    answers: list[Answer | None] = []
    page: _Page | None = None
    for tap in taps:
        try:
            answer = receipts.answer_of(known, tap.intent.key, by=by, body=tap.intent.body)
            if answer is None:
                page = page or _opened(protocol)
                _add(page, tap, by)
        except Refused:
            if not answers:
                raise
            break
        answers.append(answer)
    if page is None or not page.taps:
        return Entered(tuple(answer for answer in answers if answer))
    given = iter(_store(page, by))
    return Entered(tuple(answer or next(given) for answer in answers), page.written)


@dataclass
class _Page:
    """Hands added to a sheet that was read under its lock, not yet stored."""

    sheet: Sheet
    game: Game
    rows: list[Hand]
    deals: list[Deal]
    taps: list[Tap] = field(default_factory=list)

    @property
    def written(self) -> tuple[Sheet, Game]:
        """Give the sheet as it is once all is stored, with its game."""
        return replace(self.sheet, rows=tuple(self.rows), deals=tuple(self.deals)), self.game


def _opened(protocol: Protocol) -> _Page:
    _check_open(protocol)
    sheet = sheet_of(protocol)
    return _Page(sheet, sheet.play(), [*sheet.rows], [*sheet.deals])


def _add(page: _Page, tap: Tap, by: Actor) -> None:
    """Add the next hand, if nothing speaks against it."""
    protocol, regulation = page.sheet.protocol, page.sheet.regulation
    _check_seen(protocol, tap.intent.seen, version=protocol.version + len(page.taps))
    if any(tap.intent.key == before.intent.key for before in page.taps):
        refuse("in_progress", gettext_noop("The first submission is still being processed."))
    deal = _read({**tap.facts, "number": page.game.situation.number})
    _refuse_if(check_next(page.sheet.rules, page.game, deal, hands_limit=regulation["hands_limit"]))
    if not tap.is_sure:
        _check_not_twice(page, deal, by)
        _check_time(page)
    page.game = play_on(page.sheet.rules, page.game, deal, points_unit=regulation["points_unit"])
    page.rows.append(_hand(protocol, page.game.hands[-1], recorded_at=timezone.now()))
    page.deals.append(deal)
    page.taps.append(tap)


def _store(page: _Page, by: Actor) -> list[Answer]:
    """Write what was added with its totals, entries and receipts, each by one statement; give the receipts."""
    protocol = page.sheet.protocol
    tournament = protocol.table.session.tournament
    _play_on_by_hand(protocol)
    hands = Hand.objects.bulk_create(page.rows[-len(page.taps) :])
    _write_totals(page.sheet, page.game.totals)
    told = [history.Told(Kind.HAND_RECORDED, f"hand:{hand.pk}", _said_of(hand)) for hand in hands]
    entries = history.record_all(told, tournament=tournament, protocol=protocol, by=by)
    kept = [
        receipts.Kept(tap.intent.key, tap.intent.body, _receipt(entry))
        for tap, entry in zip(page.taps, entries, strict=True)
    ]
    receipts.keep_all(tournament, kept, by=by)
    return [one.answer for one in kept]


@transaction.atomic
def undo_hand(protocol: Protocol, *, number: int, intent: Intent, by: Actor, reason: str = "") -> Answer:
    """Take back the last hand: within a moment's grace without a word, later with a reason."""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_open(protocol)
    _check_seen(protocol, intent.seen)
    sheet = sheet_of(protocol)
    if not sheet.rows or sheet.rows[-1].number != number:
        refuse(
            "not_last",
            gettext_noop("Only the last hand can be taken back here; call the referee for earlier ones."),
        )
    last = sheet.rows[-1]
    if timezone.now() - last.recorded_at > GRACE:
        need_reason(reason)
    _play_on_by_hand(protocol)
    _retire(last, InForce.UNDONE, reason)
    _refresh(sheet_of(protocol))
    entry = _note(Kind.HAND_UNDONE, protocol, by=by, hand=last, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def correct_hand(
    protocol: Protocol, facts: Mapping[str, Any], *, number: int, intent: Intent, by: Actor, reason: str
) -> Answer:
    """Replace an earlier hand, with a reason; the old value stays readable and what follows is worked out anew."""
    need_reason(reason)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_referee(protocol, by)
    _check_seen(protocol, intent.seen)
    sheet = sheet_of(protocol)
    row = _row(sheet, number)
    deal = _read({**facts, "number": number})
    if write_hand(deal) == row.facts:
        refuse("no_change", gettext_noop("The new result equals the old one."))
    game = _played(sheet, [deal if old.number == number else old for old in sheet.deals])
    _retire(row, InForce.CORRECTED, reason)
    hand = _hand(protocol, game.hands[number - 1], replaces=row)
    hand.save(force_insert=True)
    _refresh(sheet_of(protocol))
    _reopen_confirmation(protocol)
    entry = _note(Kind.HAND_CORRECTED, protocol, by=by, hand=hand, reason=reason, replaces=row)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def void_hand(protocol: Protocol, *, number: int, intent: Intent, by: Actor, reason: str) -> Answer:
    """Strike a hand that should not stand, with a reason; later hands move up one number, penalties on them too."""
    need_reason(reason)
    lock_tournament(protocol.table.session.tournament)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_referee(protocol, by)
    _check_seen(protocol, intent.seen)
    sheet = sheet_of(protocol)
    row = _row(sheet, number)
    kept = [deal for deal in sheet.deals if deal.number != number]
    renumbered = [replace(deal, number=place) for place, deal in enumerate(kept, start=1)]
    _played(sheet, renumbered)
    _retire(row, InForce.VOIDED, reason)
    for later in (later for later in sheet.rows if later.number > number):
        later.number -= 1
        later.facts = {**later.facts, "number": later.number}
        later.save(update_fields=["number", "facts"])
    _refresh(sheet_of(protocol))
    _reopen_confirmation(protocol)
    entry = _note(Kind.HAND_VOIDED, protocol, by=by, hand=row, reason=reason)
    tell_hand_struck(protocol.table, number, by=by, reason=reason)
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
    """Record the points counted at the end; once more replaces them. [RIICHI reg. 6.2]"""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    if protocol.is_settled:
        _check_referee(protocol, by)
        need_reason(reason)
    else:
        _check_open(protocol, may_be_ended=True)
    _check_seen(protocol, intent.seen)
    sheet = sheet_of(protocol)
    final = {Place(wind): amount for wind, amount in points.items()}
    start, unit = sheet.regulation["start_points"], sheet.regulation["points_unit"]
    _refuse_if(check_final(final, left_on_table, seats=sheet.places, start_points=start, points_unit=unit))
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
    """Say that the table has played its last hand; the players confirm now."""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_open(protocol)
    _check_seen(protocol, intent.seen)
    _move(protocol, STATES.ENDED)
    entry = _note(Kind.PROTOCOL_ENDED, protocol, by=by)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def resume_protocol(protocol: Protocol, *, intent: Intent, by: Actor, reason: str = "") -> Answer:
    """Play on after all; confirmations given so far fall away. What all had confirmed needs a referee's reason."""
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    if protocol.state == STATES.OPEN:
        refuse("wrong_state", gettext_noop("This table is in play."))
    if protocol.is_settled:
        _check_referee(protocol, by)
        need_reason(reason)
    _check_session(protocol)
    _check_seen(protocol, intent.seen)
    protocol.table.seats.update(confirmed_at=None)
    _move(protocol, STATES.OPEN)
    entry = _note(Kind.PROTOCOL_RESUMED, protocol, by=by, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
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
    """A player at the table confirms the result as shown; with the last one it stands. [SBR 2.5.8.4]

    Where the tournament asks for PINs, the player's own is needed, or a referee's reason for going without.
    """
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_session(protocol)
    if protocol.state == STATES.OPEN:
        refuse("wrong_state", gettext_noop("The table is still in play. Press “End of session” first."))
    seats = [seat for seat in sheet_of(protocol).seats if seat.player_id]
    seat = next((seat for seat in seats if seat.wind == wind), None)
    if seat is None:
        refuse(
            "not_seated",
            gettext_noop("Only %(names)s can confirm."),
            names=", ".join(str(seat.player) for seat in seats),
        )
    if seat.confirmed_at is not None:
        refuse("already_confirmed", gettext_noop("%(name)s has already confirmed."), name=str(seat.player))
    if dict(totals) != {seat.wind: seat.hand_points for seat in seats}:
        refuse("totals_changed", gettext_noop("The result changed after you saw it; check it again."))
    _check_pin(protocol, seat, pin=pin, reason=reason, by=by)
    Seat.objects.filter(pk=seat.pk).update(confirmed_at=timezone.now())
    if all(other.confirmed_at or other.pk == seat.pk for other in seats):
        _move(protocol, STATES.CONFIRMED)
    data = {"wind": wind, "totals": dict(totals)}
    entry = _note(Kind.SEAT_CONFIRMED, protocol, by=by, data=data, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def sign_off(protocol: Protocol, *, intent: Intent, by: Actor, reason: str) -> Answer:
    """A referee lets the protocol stand without the missing confirmations, with a reason."""
    need_reason(reason)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_session(protocol)
    _check_own_table(protocol, by)
    if protocol.state == STATES.OPEN:
        refuse("wrong_state", gettext_noop("The table is still in play. Press “End of session” first."))
    _check_seen(protocol, intent.seen)
    _move(protocol, STATES.SIGNED_OFF)
    entry = _note(Kind.PROTOCOL_SIGNED_OFF, protocol, by=by, reason=reason)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


@transaction.atomic
def repair_seats(
    protocol: Protocol, sitting: Mapping[str, str], *, intent: Intent, by: Actor, reason: str
) -> Answer:
    """Write down who really sat where: each place gets whoever was written at another; hands stay with the places."""
    need_reason(reason)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_referee(protocol, by)
    _check_seen(protocol, intent.seen)
    seats = {seat.wind: seat for seat in sheet_of(protocol).seats}
    moved = {wind: other for wind, other in sitting.items() if wind != other}
    if not moved:
        refuse("no_change", gettext_noop("The new seats equal the old ones."))
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
    """Keep a player's objection to the result in the history, and call the referee. [SBR 2.5.8.4]"""
    need_reason(text)
    protocol = lock_protocol(protocol)
    tournament = protocol.table.session.tournament
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    _check_session(protocol)
    seat = protocol.table.seats.filter(wind=wind, player__isnull=False).first()
    if seat is None:
        refuse("not_seated", gettext_noop("Nobody sits there."))
    protocol.table.called_at, protocol.table.answered_at = timezone.now(), None
    protocol.table.save(update_fields=["called_at", "answered_at"])
    data = {"wind": wind, "player": seat.player_id}
    entry = _note(Kind.OBJECTION_NOTED, protocol, by=by, reason=text, data=data)
    return _answer(tournament, protocol, entry, intent=intent, by=by)


def preview_hand(protocol: Protocol, facts: Mapping[str, Any], *, number: int | None = None) -> PlayedHand:
    """Work out a hand as if it were recorded next, or in place of an earlier one. Nothing is written."""
    sheet = sheet_of(protocol)
    if number is None:
        game = sheet.play()
        deal = _read({**facts, "number": game.situation.number})
        _refuse_if(check_next(sheet.rules, game, deal, hands_limit=sheet.regulation["hands_limit"]))
        return sheet.play([*sheet.deals, deal]).hands[-1]
    deal = _read({**facts, "number": number})
    return _played(sheet, [deal if old.number == number else old for old in sheet.deals]).hands[number - 1]


def preview_correction(protocol: Protocol, facts: Mapping[str, Any], *, number: int) -> tuple[Game, Game]:
    """Give the game as it stands and as it would be with the corrected hand. Nothing is written."""
    sheet = sheet_of(protocol)
    _row(sheet, number)
    deal = _read({**facts, "number": number})
    return sheet.play(), _played(sheet, [deal if old.number == number else old for old in sheet.deals])


# Checks


def _check_session(protocol: Protocol) -> None:
    session = protocol.table.session
    if session.state == Session.State.PLANNED:
        refuse("not_started", gettext_noop("Session %(n)s has not started."), n=session.number)
    if session.tournament.state == Tournament.State.CLOSED:
        refuse("event_finished", gettext_noop("The event is finished. Show this to the chief referee."))
    if session.state == Session.State.CLOSED:
        refuse("round_closed", gettext_noop("Session %(n)s is closed."), n=session.number)


def _check_open(protocol: Protocol, *, may_be_ended: bool = False) -> None:
    """Entry is open while the session is in play and the table has not ended it."""
    _check_session(protocol)
    if protocol.is_settled:
        refuse("game_signed", gettext_noop("The protocol is confirmed; only a referee can correct it."))
    if protocol.state == STATES.ENDED and not may_be_ended:
        refuse("game_signed", gettext_noop("The table has ended its session. Press “Play on” to go on."))


def _check_referee(protocol: Protocol, by: Actor) -> None:
    """Corrections are a referee's; in a closed session the chief referee's; never at one's own table."""
    if not by.has_role("referee", "chief_referee"):
        refuse("forbidden", gettext_noop("Only a referee can correct a recorded hand."))
    session = protocol.table.session
    if session.state == Session.State.PLANNED:
        refuse("not_started", gettext_noop("Session %(n)s has not started."), n=session.number)
    if session.state == Session.State.CLOSED and not by.has_role("chief_referee"):
        refuse("forbidden", gettext_noop("In a closed session only the chief referee can correct."))
    refuse_finished(session.tournament)
    _check_own_table(protocol, by)


def _check_pin(protocol: Protocol, seat: Seat, *, pin: str, reason: str, by: Actor) -> None:
    """Let the player confirm with the PIN that the tournament asks for, or a referee in the player's stead.

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


def _check_seen(protocol: Protocol, seen: int, *, version: int | None = None) -> None:
    """Refuse a writer who has not seen the newest entry, or claims to have seen more than there is."""
    version = protocol.version if version is None else version
    if seen > version:
        raise Stale(
            Problem(
                "sequence_gap",
                gettext_noop("The tablet knows of entries that the server does not have; reload the table."),
            ),
            current=protocol_state(protocol),
        )
    if seen < version:
        since = entries_since(protocol, seen)
        raise Stale(
            Problem(
                "sequence",
                gettext_noop("Entries made since you looked: %(k)s. Check and enter again if needed."),
                details={"k": len(since)},
            ),
            current={**protocol_state(protocol), "since": since},
        )


def _check_not_twice(page: _Page, deal: Deal, by: Actor) -> None:
    """Ask before recording what the same device recorded seconds ago. [INTEGRITY 98]"""
    if not page.rows or not deal.events:
        return
    last = page.rows[-1]
    same = {**last.facts, "number": 0} == {**write_hand(deal), "number": 0}
    if not same or timezone.now() - last.recorded_at >= TWICE:
        return
    if page.taps or _recorded_by(page.sheet.protocol) == str(by):
        refuse(
            "looks_doubled",
            gettext_noop("This is identical to hand %(n)s. If it really happened twice, confirm."),
            n=last.number,
        )


def _check_time(page: _Page) -> None:
    """Ask before recording a hand that was begun after time was called. [INTEGRITY 102]"""
    session, regulation = page.sheet.protocol.table.session, page.sheet.regulation
    if session.ends_at is None or session.paused_at is not None:
        return
    last_hand = LastHand(regulation["last_hand"])
    signal = signal_at(last_hand, session.ends_at, warning_minutes=regulation["warning_minutes"])
    recorded = [
        row.recorded_at
        for row, deal in zip(page.rows, page.deals, strict=True)
        if not any(isinstance(event, Chombo) for event in deal.events)
    ]
    clock = timezone.localtime(signal, session.tournament.zone).strftime("%H:%M")
    _refuse_if(time_problems(last_hand, signal, now=timezone.now(), recorded=recorded, clock=clock))


def _check_final_fits_hands(sheet: Sheet, final: Mapping[Place, int], left_on_table: int) -> None:
    """Totals from paper that the recorded hands do not give need a reason, such as hands played on paper.

    [INTEGRITY 111]
    """
    if not sheet.rows:
        return
    start, unit = sheet.regulation["start_points"], sheet.regulation["points_unit"]
    said = final_totals(final, left_on_table, seats=sheet.places, start_points=start, points_unit=unit)
    hands = sheet.play().totals
    for seat in sheet.seats:
        place = Place(seat.wind)
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


def _recorded_by(protocol: Protocol) -> str:
    content = (
        HistoryEntry.objects.filter(protocol=protocol).order_by("-number").values_list("content", flat=True)
    )
    return str(history.read(content[0])["by"]) if content else ""


def _read(facts: Mapping[str, Any]) -> Deal:
    try:
        return read_hand(facts)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal


def _played(sheet: Sheet, deals: Sequence[Deal]) -> Game:
    try:
        return sheet.play(deals)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal


def _refuse_if(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(*problems)


def _row(sheet: Sheet, number: int) -> Hand:
    for row in sheet.rows:
        if row.number == number:
            return row
    return refuse("not_found", gettext_noop("There is no hand %(n)s."), n=number)


# Writing


def hand_columns(played: PlayedHand) -> dict[str, Any]:
    """Give the derived columns of a hand."""
    return {
        "dealer": str(played.before.dealer),
        "round_wind": str(played.before.round_wind),
        "counters": played.before.counters,
        "bets_left": played.after.bets,
        "unpaid": played.payments.unpaid,
        **{column: played.payments.by_seat.get(Place(wind)) for wind, column in COLUMNS.items()},
    }


def _hand(protocol: Protocol, played: PlayedHand, **more: Any) -> Hand:
    """Make the row of a hand with its payments, not yet stored."""
    facts = write_hand(played.hand)
    return Hand(protocol=protocol, number=played.hand.number, facts=facts, **hand_columns(played), **more)


def _refresh(sheet: Sheet) -> None:
    """Work out every hand and total anew from the facts; nothing is patched."""
    game = sheet.play()
    for row, played in zip(sheet.rows, game.hands, strict=True):
        wanted = hand_columns(played)
        if any(getattr(row, name) != value for name, value in wanted.items()):
            Hand.objects.filter(pk=row.pk).update(**wanted)
    _write_totals(sheet, counted_totals(sheet, game))


def counted_totals(sheet: Sheet, game: Game) -> Mapping[Place, int]:
    """Give the totals that stand: those of the final result where one is in force, else those of the hands."""
    final = sheet.protocol.final_results.filter(status=InForce.IN_FORCE).first()
    if final is None:
        return game.totals
    return final_totals(
        {Place(wind): points for wind, points in final.points.items()},
        final.left_on_table,
        seats=sheet.places,
        start_points=sheet.regulation["start_points"],
        points_unit=sheet.regulation["points_unit"],
    )


def _play_on_by_hand(protocol: Protocol) -> None:
    """A table that plays on after its final result is counted by its hands again."""
    if protocol.has_final:  # type: ignore[attr-defined]
        protocol.final_results.filter(status=InForce.IN_FORCE).update(status=InForce.UNDONE)
        protocol.has_final = False  # type: ignore[attr-defined]


def _write_totals(sheet: Sheet, totals: Mapping[Place, int]) -> None:
    """Store the totals that moved; said in SQL, since putting this one question together costs as much as all of it."""
    moved = [seat for seat in sheet.seats if seat.hand_points != totals.get(Place(seat.wind), 0)]
    for seat in moved:
        seat.hand_points = totals.get(Place(seat.wind), 0)
    if not moved:
        return
    with connection.cursor() as cursor:
        cursor.executemany(STORE_TOTAL, [(seat.hand_points, seat.pk) for seat in moved])


def _retire(hand: Hand, status: InForce, reason: str) -> None:
    hand.status, hand.reason = status, reason
    hand.save(update_fields=["status", "reason"])


def _reseat(seats: Mapping[str, Seat], moved: Mapping[str, str]) -> None:
    """Exchange who sits on the places; rows are written anew, since nobody may sit twice at any moment."""
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
    """What was confirmed has changed, so it must be confirmed again, unless the session is closed already."""
    protocol.table.seats.update(confirmed_at=None)
    if protocol.state == STATES.CONFIRMED:
        closed = protocol.table.session.state == Session.State.CLOSED
        _move(protocol, STATES.SIGNED_OFF if closed else STATES.ENDED)


def _move(protocol: Protocol, state: Protocol.State) -> None:
    protocol.state = state
    protocol.save(update_fields=["state"])


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
        said |= _said_of(hand)
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


def _said_of(hand: Hand) -> dict[str, Any]:
    return {"number": hand.number, "facts": hand.facts, "payments": hand.payments}


def _receipt(entry: HistoryEntry) -> Answer:
    """Make the receipt: the entry's number and digest say that the server has it."""
    return {"entry": entry.number, "digest": entry.digest, "version": entry.number}


def _answer(
    tournament: Tournament, protocol: Protocol, entry: HistoryEntry, *, intent: Intent, by: Actor
) -> Answer:
    """Keep and give the receipt."""
    answer = _receipt(entry)
    receipts.keep(tournament, intent.key, by=by, body=intent.body, answer=answer)
    return answer
