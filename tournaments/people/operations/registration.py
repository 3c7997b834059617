"""Players: on the list, changed, checked in, withdrawn, imported."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language

from scoring.problems import Problem, gettext_noop
from tournaments.models import HistoryEntry, Mail, Player, Registration, Substitute, Team, Tournament
from tournaments.people.operations import mails, push
from tournaments.people.queries import barred
from tournaments.people.queries.places import HELD, Places, in_line, waits_for_a_place
from tournaments.people.rules.barred import Bar, Person, bar_against
from tournaments.people.rules.names import name_problems, search_key, tidy_name
from tournaments.people.rules.pasted import Teams, too_long
from tournaments.people.rules.quotas import BY, group_of
from tournaments.people.rules.registration import Listed, double_problems, is_full, window_problems
from tournaments.person_fields import OF_THE_PLAYER, PERSON, Spelling
from tournaments.record import history, receipts
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.history import Kind
from tournaments.record.locks import lock_registration, lock_tournament
from tournaments.record.refusal import CANCELLED, Refused, need_reason, refuse, refuse_finished

STATUS = Registration.Status
IN_TOURNAMENT = (STATUS.ACTIVE, STATUS.WAITING)
SPELT: Mapping[Spelling, Callable[[str], str]] = {
    Spelling.WORDS: tidy_name,
    Spelling.CAPITALS: str.upper,
    Spelling.AS_TYPED: str,
}
SHORTEST_OFFER = timedelta(hours=2)
LINK_ENDED = gettext_noop(
    "This registration was received before, and its private link has ended since. Ask the organizer."
)


@dataclass(frozen=True)
class Details:
    """What is known of a person; everything but the name may be missing."""

    name: str
    country: str = ""
    region: str = ""
    city: str = ""
    club: str = ""
    team: str = ""
    group: str = ""
    email: str = ""
    phone: str = ""
    federation_ids: Mapping[str, str] = field(default_factory=dict)
    comment: str = ""
    answers: Mapping[str, str] | None = None
    may_be_remembered: bool | None = None


@transaction.atomic
def register_player(
    tournament: Tournament,
    details: Details,
    *,
    by: Actor,
    is_another: bool = False,
    override: str = "",
    key: str = "",
) -> Registration:
    """Put a player on the list, or on the waiting list when the tournament is full. [RULES 1.2]

    Beyond the quota of a country or a club the place is one of the waiting list, too. [RULES 9.28]
    Who is disqualified on the day of play is refused, unless the desk says why not. [SBR 2.8.5]
    Sent again under the same key, it changes nothing: somebody of the same name may be meant only once.
    """
    tournament = lock_tournament(tournament)
    body = said_of(details, is_another=is_another)
    if key and (given := receipts.answered(tournament, key, by=by, body=body)) is not None:
        return _registered_before(tournament, given)
    details = replace(details, name=tidy_name(details.name))
    _refuse_if(_detail_problems(details))
    _refuse_if(_not_now(tournament, by))
    if not is_another:
        _refuse_if(_doubles(tournament, details))
    _refuse_if(_team_full(tournament, details.team))
    bar = _check_not_barred(tournament, details, by=by, override=override)
    registration = _put_on_list(tournament, details)
    if by.kind == ActorKind.ANYONE:
        registration.language = get_language() or ""
        registration.save(update_fields=["language"])
    _clear(registration, bar)
    data = {"status": registration.status, **({"despite": bar.number} if bar else {})}
    _record(Kind.PLAYER_REGISTERED, registration, by=by, data=data, reason=override if bar else "")
    mails.queue(tournament, Mail.Kind.REGISTERED, [registration])
    if key:
        receipts.store(tournament, key, by=by, body=body, answer=_answer(registration))
    return registration


def said_of(details: Details, *, is_another: bool) -> dict[str, Any]:
    """Return the words of a registration, by which it is known when it is sent again."""
    return {"player": asdict(details), "is_another": is_another}


def _answer(registration: Registration) -> receipts.Answer:
    """Return what a receipt keeps of a registration: nothing that opens the player's own page."""
    return {"number": registration.number, "link": registration.link_version}


def _registered_before(tournament: Tournament, given: receipts.Answer) -> Registration:
    """Return the registration of a receipt; whoever has the form of an ended link is not given the new one."""
    row = tournament.registrations.select_related("player").get(number=given["number"])
    if row.link_version != given.get("link", row.link_version):
        refuse("wrong_state", LINK_ENDED)
    return row


@transaction.atomic
def import_players(tournament: Tournament, rows: Sequence[Details], *, by: Actor, key: str) -> int:
    """Put all on the list or none, and return how many; every row that cannot be is named. Rows already checked by a preview pass.

    Sent again under the same key, it changes nothing. [INTEGRITY 2]
    """
    tournament = lock_tournament(tournament)
    body = {"players": [asdict(row) for row in rows]}
    if (known := receipts.answered(tournament, key, by=by, body=body)) is not None:
        return int(known["added"])
    _refuse_if(_not_now(tournament, by))
    rows = [replace(row, name=tidy_name(row.name)) for row in rows]
    problems = [
        replace(problem, field=f"rows.{index}.{problem.field}")
        for index, row in enumerate(rows, start=1)
        for problem in _detail_problems(row)
    ]
    _refuse_if(problems or bars_on_rows(tournament, dict(enumerate(rows, start=1)), by=by))
    roll = _Roll(tournament)
    registrations = [_put_on_list(tournament, row, roll) for row in rows]
    for registration in registrations:
        _record(Kind.PLAYER_REGISTERED, registration, by=by, data={"status": registration.status})
    mails.queue(tournament, Mail.Kind.REGISTERED, registrations)
    receipts.store(tournament, key, by=by, body=body, answer={"added": len(registrations)})
    return len(registrations)


@transaction.atomic
def add_all(
    tournament: Tournament,
    rows: Sequence[tuple[Details, int | None]],
    *,
    by: Actor,
    report: Callable[[float], None] = lambda share: None,
) -> list[Registration]:
    """Put the players of a table that was looked through on the list, each under the number wished for.

    The tournament is locked by whoever asks. Which share is done is reported on the way.
    """
    roll = _Roll(tournament)
    for details, _ in rows:
        _refuse_if(_detail_problems(details))
    roll.last = max([roll.last, *(number for _, number in rows if number)])
    registrations = []
    for done, (details, number) in enumerate(rows, start=1):
        registration = _put_on_list(tournament, details, roll, number)
        _record(Kind.PLAYER_REGISTERED, registration, by=by, data={"status": registration.status})
        registrations.append(registration)
        report(done / len(rows))
    mails.queue(tournament, Mail.Kind.REGISTERED, registrations)
    return registrations


@transaction.atomic
def change_player(
    registration: Registration,
    details: Details,
    *,
    by: Actor,
    is_another: bool = False,
    is_beyond_quota: bool = False,
    override: str = "",
) -> Registration:
    """Change what is known of a player. The player may do so until the tournament is in play.

    Nobody may once it is finished: the group tables and the published record would be others. Nobody takes a place beyond a
    quota by another country or club, unless the desk says so. [RULES 9.28]
    """
    tournament = lock_tournament(registration.tournament)
    registration = lock_registration(registration)
    if by.kind != ActorKind.PLAYER:
        refuse_finished(tournament)
    details = replace(details, name=tidy_name(details.name))
    _refuse_if(_detail_problems(details))
    if by.kind == ActorKind.PLAYER and tournament.state != Tournament.State.ANNOUNCED:
        refuse("registration_closed", gettext_noop("The event has started; ask the organizer."))
    if not is_another and details.name != registration.player.name:
        _refuse_if(_doubles(tournament, details, but=registration))
    if details.team != str(registration.player.team or ""):
        _refuse_if(_team_full(tournament, details.team))
    if not (is_beyond_quota and by.kind != ActorKind.PLAYER):
        _refuse_if(_quota_problems(tournament, registration, details))
    bar = None
    if _is_somebody_else(registration, details):
        bar = _check_not_barred(tournament, details, by=by, override=override, but=registration)
    changed = [*_write_details(registration.player, details), *_write_said(registration, details)]
    if changed:
        data: dict[str, object] = {"fields": changed, **({"despite": bar.number} if bar else {})}
        _record(Kind.PLAYER_CHANGED, registration, by=by, data=data, reason=override if bar else "")
    return registration


@transaction.atomic
def withdraw(registration: Registration, *, by: Actor, reason: str = "") -> Registration:
    """Take a player off the list: cancelled before the tournament, withdrawn during it. [RULES 8.7]"""
    tournament = lock_tournament(registration.tournament)
    registration = lock_registration(registration)
    refuse_finished(tournament)
    running = tournament.state != Tournament.State.ANNOUNCED and tournament.state != Tournament.State.DRAFT
    if by.kind == ActorKind.PLAYER and running:
        refuse("withdraw_needs_referee", gettext_noop("The event has started; ask the chief referee."))
    if registration.status not in IN_TOURNAMENT:
        refuse("wrong_state", gettext_noop("This player is not on the list any more."))
    played = registration.player.seats.filter(session__started_at__isnull=False).exists() or (
        registration.player.kept_seats.filter(session__started_at__isnull=False).exists()
    )
    before, had_offer = _place_of(registration), registration.offered_until is not None
    registration.offered_until = None
    registration.status = STATUS.WITHDRAWN if running or played else STATUS.CANCELLED
    registration.withdrawn_at = timezone.now()
    registration.last_session = (
        tournament.sessions.filter(published_at__isnull=False).aggregate(last=Max("number"))["last"]
        if played
        else None
    )
    registration.checked_in_at = registration.checked_in_at if played else None
    fields = ["status", "withdrawn_at", "last_session", "checked_in_at", "offered_until"]
    registration.save(update_fields=fields)
    _record(
        Kind.REGISTRATION_CHANGED,
        registration,
        by=by,
        reason=reason,
        data={"status": registration.status, "before": before},
    )
    if before["status"] == STATUS.ACTIVE or had_offer:
        move_up(tournament, by=by, place_of=registration)
    return registration


def move_up(tournament: Tournament, *, by: Actor, place_of: Registration | None = None) -> list[Registration]:
    """Give or offer free places to those who wait, in the order of their registration, until the event begins. [RULES 1.2]

    The tournament is locked. Whose place it was is named, so that a withdrawal by mistake can be taken back. An offer holds
    its place until it is accepted, declined or lapses; whoever let one lapse is not asked again. Whom a quota keeps waiting is
    passed over and keeps the place in line. [RULES 9.28]
    """
    if tournament.state not in (Tournament.State.DRAFT, Tournament.State.ANNOUNCED):
        return []
    until = _offered_until(tournament)
    places, moved = Places(tournament), []
    for row in in_line(tournament).filter(offered_until=None).select_related("player"):
        if is_full(places.taken, places.limit):
            break
        if places.beyond_quota(row.player):
            continue
        places.take(row.player)
        row.tournament = tournament
        if until is None:
            _give_place(row, by=by, place_of=place_of)
            mails.queue(tournament, Mail.Kind.PLACE_GIVEN, [row])
        else:
            row.offered_until = until
            row.save(update_fields=["offered_until"])
            data = {"until": until.isoformat(), **({"place_of": place_of.pk} if place_of else {})}
            _record(Kind.PLACE_OFFERED, row, by=by, data=data)
            mails.queue(tournament, Mail.Kind.PLACE_OFFERED, [row], {row.pk: {"until": until.isoformat()}})
        moved.append(row)
    return moved


def moved_into(registration: Registration) -> Registration | None:
    """Return who was given, or is offered, the place that somebody has just left. [RULES 1.2]"""
    told = HistoryEntry.objects.filter(
        tournament=registration.tournament_id, kind__in=(Kind.REGISTRATION_CHANGED, Kind.PLACE_OFFERED)
    )
    for content in told.order_by("-number").values_list("content", flat=True)[:MOST_MOVED]:
        said = history.read(content)
        if said["data"].get("place_of") == registration.pk:
            number = int(said["subject"].partition(":")[2])
            return registration.tournament.registrations.select_related("player").get(pk=number)
    return None


MOST_MOVED = 3
"""So many entries after a withdrawal tell who moved up: one place is left, and one person has it."""


def offers_places(tournament: Tournament) -> bool:
    """Return whether a place that becomes free now is offered; on the last days it is given at once. [RULES 1.2]"""
    return _offered_until(tournament) is not None


def places_taken(tournament: Tournament) -> int:
    """Count the places that are given or held by an offer."""
    return tournament.registrations.filter(HELD).count()


def _offered_until(tournament: Tournament) -> datetime | None:
    """Return until when a place that is free now is offered; none where it is given at once: no hours are set, or few are left."""
    if tournament.offer_hours is None:
        return None
    now = timezone.now()
    begins = datetime.combine(tournament.first_day, time(), tournament.zone)
    if begins - now < SHORTEST_OFFER:
        return None
    return min(now + timedelta(hours=tournament.offer_hours), begins)


def _give_place(row: Registration, *, by: Actor, place_of: Registration | None = None) -> None:
    """Put somebody who waited on the list."""
    row.status, row.offered_until, row.passed_over_at = STATUS.ACTIVE, None, None
    row.first_session = max(row.first_session, _first_open_session(row.tournament))
    row.save(update_fields=["status", "first_session", "offered_until", "passed_over_at"])
    data = {"status": row.status, **({"place_of": place_of.pk} if place_of else {})}
    _record(Kind.REGISTRATION_CHANGED, row, by=by, data=data)


@transaction.atomic
def accept_place(registration: Registration, *, by: Actor) -> Registration:
    """Take the place that is offered; after the deadline only if it is still free and nobody else is in line. [RULES 1.2]"""
    tournament = lock_tournament(registration.tournament)
    registration = lock_registration(registration)
    registration.tournament = tournament
    refuse_finished(tournament)
    if registration.status == STATUS.ACTIVE:
        return registration
    if registration.status != STATUS.WAITING:
        refuse("wrong_state", gettext_noop("This player is not on the list any more."))
    if tournament.state != Tournament.State.ANNOUNCED:
        refuse("registration_closed", gettext_noop("The event has started; ask the organizer."))
    if registration.offered_until is None and registration.passed_over_at is None:
        refuse("not_offered", gettext_noop("No place is free for you yet."))
    if registration.offered_until is None or registration.offered_until < timezone.now():
        places = Places(tournament, but=registration)
        others = in_line(tournament).exclude(pk=registration.pk).select_related("player")
        is_wanted = any(row.offered_until or not places.beyond_quota(row.player) for row in others)
        if is_wanted or places.why_not(registration.player):
            refuse(
                "offer_lapsed", gettext_noop("The time to accept has passed, and the place went to the next.")
            )
    _record(Kind.PLACE_ACCEPTED, registration, by=by)
    _give_place(registration, by=by)
    return registration


@transaction.atomic
def lapse_offers(tournament: Tournament, *, by: Actor) -> list[Registration]:
    """End the offers whose time has passed, and offer their places to the next in line. [RULES 1.2]"""
    tournament = lock_tournament(tournament)
    rows = in_line(tournament).filter(offered_until__lt=timezone.now())
    lapsed = list(rows.select_related("player"))
    for row in lapsed:
        row.tournament, row.offered_until, row.passed_over_at = tournament, None, timezone.now()
        row.save(update_fields=["offered_until", "passed_over_at"])
        _record(Kind.OFFER_LAPSED, row, by=by)
    if lapsed:
        move_up(tournament, by=by)
    return lapsed


def with_lapsed_offers() -> QuerySet[Tournament]:
    """List the events in which an offer's time has passed."""
    lapsed = Registration.objects.filter(status=STATUS.WAITING, offered_until__lt=timezone.now())
    return Tournament.objects.filter(pk__in=lapsed.values("tournament"), state=Tournament.State.ANNOUNCED)


def waiting_place(registration: Registration) -> int:
    """Return which place on the waiting list somebody has; 0 for who is not in line. [RULES 1.2]"""
    if registration.status != STATUS.WAITING or registration.passed_over_at or registration.offered_until:
        return 0
    waiting = in_line(registration.tournament).filter(offered_until=None)
    return waiting.filter(number__lte=registration.number).count()


def _place_of(registration: Registration) -> dict[str, str | None]:
    """Return what a withdrawal takes from somebody, so that it can be given back."""
    came = registration.checked_in_at
    return {"status": registration.status, "checked_in_at": came.isoformat() if came else None}


@transaction.atomic
def take_back_withdrawal(registration: Registration, *, by: Actor) -> Registration:
    """Give somebody who was withdrawn by mistake the place back, as it was, while nobody else has it. [RULES 9.11]"""
    tournament = lock_tournament(registration.tournament)
    registration = lock_registration(registration)
    registration.tournament = tournament
    refuse_finished(tournament)
    before = place_before(registration)
    if before is None:
        refuse("wrong_state", gettext_noop("Only a withdrawal can be taken back."))
    _wait_again(registration, by=by)
    if before["status"] == STATUS.ACTIVE:
        _take_offer_back(tournament, registration, by=by)
    active = places_taken(tournament)
    if before["status"] == STATUS.ACTIVE and is_full(active, tournament.regulation["max_players"]):
        refuse("event_full", gettext_noop("The place has been taken since: all %(n)s places are."), n=active)
    if before["status"] == STATUS.ACTIVE and (
        problem := Places(tournament).beyond_quota(registration.player)
    ):
        raise Refused(problem)
    came = before["checked_in_at"]
    registration.status, registration.last_session = before["status"], None
    registration.withdrawn_at = None
    registration.checked_in_at = datetime.fromisoformat(came) if came else None
    registration.save(update_fields=["status", "withdrawn_at", "last_session", "checked_in_at"])
    _record(Kind.REGISTRATION_CHANGED, registration, by=by, data={"status": registration.status})
    return registration


def _wait_again(registration: Registration, *, by: Actor) -> None:
    """Let who moved up into the place wait again, unless they have come or have a seat already."""
    moved = HistoryEntry.objects.filter(
        tournament=registration.tournament_id,
        kind=Kind.REGISTRATION_CHANGED,
        content__contains='"place_of"',
    )
    told = [history.read(content) for content in moved.order_by("-number").values_list("content", flat=True)]
    subject = next(
        (said["subject"] for said in told if said["data"].get("place_of") == registration.pk),
        "registration:0",
    )
    rows = registration.tournament.registrations.filter(
        pk=int(subject.partition(":")[2]), status=STATUS.ACTIVE, checked_in_at=None
    )
    for row in rows.exclude(player__seats__isnull=False):
        row.tournament, row.status = registration.tournament, STATUS.WAITING
        row.save(update_fields=["status"])
        _record(Kind.REGISTRATION_CHANGED, row, by=by, data={"status": row.status})


def _take_offer_back(tournament: Tournament, registration: Registration, *, by: Actor) -> None:
    """Take the newest offer back whose place somebody needs again: who it was made to waits as before. [RULES 9.11] [RULES 9.28]"""
    if Places(tournament).why_not(registration.player) is None:
        return
    offered = in_line(tournament).filter(offered_until__isnull=False).select_related("player")
    for row in offered.reverse():
        if Places(tournament, but=row).why_not(registration.player) is None:
            row.tournament, row.offered_until = tournament, None
            row.save(update_fields=["offered_until"])
            _record(Kind.OFFER_TAKEN_BACK, row, by=by)
            return


def place_before(registration: Registration) -> dict[str, Any] | None:
    """Return the place that somebody had before the withdrawal; none for those who did not just withdraw."""
    if registration.status not in (STATUS.WITHDRAWN, STATUS.CANCELLED):
        return None
    entries = HistoryEntry.objects.filter(
        tournament=registration.tournament_id,
        kind=Kind.REGISTRATION_CHANGED,
        content__contains=f'"registration:{registration.pk}"',
    )
    newest = entries.order_by("-number").first()
    before: dict[str, Any] | None = history.read(newest.content)["data"].get("before") if newest else None
    return before


@transaction.atomic
def admit(registration: Registration, *, by: Actor, is_sure: bool = True) -> Registration:
    """Put a player from the waiting list, or one who had left, on the list.

    A person is asked first where that goes beyond the maximum or past others who wait. [RULES 1.2]
    """
    tournament = lock_tournament(registration.tournament)
    registration = lock_registration(registration)
    if registration.status == STATUS.ACTIVE:
        return registration
    refuse_finished(tournament)
    if registration.status in (STATUS.REMOVED, STATUS.DISQUALIFIED):
        refuse(
            "disqualified",
            gettext_noop("%(name)s was removed by a penalty; only its revocation brings the player back."),
            name=registration.player.name,
        )
    registration.tournament = tournament
    if not is_sure:
        _refuse_if(admission_questions(registration))
    has_waited = registration.status == STATUS.WAITING
    registration.status = STATUS.ACTIVE
    registration.withdrawn_at = registration.last_session = None
    registration.offered_until = registration.passed_over_at = None
    fields = ["status", "withdrawn_at", "last_session", "offered_until", "passed_over_at"]
    registration.save(update_fields=fields)
    _record(Kind.REGISTRATION_CHANGED, registration, by=by, data={"status": registration.status})
    if has_waited:
        mails.queue(tournament, Mail.Kind.PLACE_GIVEN, [registration])
    return registration


def admission_questions(registration: Registration) -> list[Problem]:
    """Return what speaks against putting somebody on the list now: no place, a quota, others who waited longer. [RULES 1.2]"""
    tournament = registration.tournament
    active = places_taken(tournament) - (1 if registration.offered_until else 0)
    limit = tournament.regulation["max_players"]
    questions = []
    if is_full(active, limit):
        details = {"limit": limit, "n": active + 1}
        questions.append(Problem("event_full", BEYOND_THE_MAXIMUM, details=details))
    places = Places(tournament, but=registration)
    if problem := places.beyond_quota(registration.player):
        questions.append(replace(problem, sentence=BEYOND_THE_QUOTA))
    waiting = in_line(tournament).filter(offered_until=None).exclude(pk=registration.pk)
    if registration.status == STATUS.WAITING and registration.passed_over_at is None:
        waiting = waiting.filter(number__lt=registration.number)
    rows = waiting.select_related("player").order_by("number")
    names = [str(row.player) for row in rows if not places.beyond_quota(row.player)][:MOST_NAMED]
    if names:
        details = {"names": ", ".join(names)}
        questions.append(Problem("others_wait", OTHERS_WAIT, details=details))
    return questions


BEYOND_THE_MAXIMUM = gettext_noop("All %(limit)s places are taken; this player would be number %(n)s.")
BEYOND_THE_QUOTA = gettext_noop(
    "The quota of %(name)s is %(limit)s, and all of these places are taken; with this player there is one more."
)
OTHERS_WAIT = gettext_noop("Others have waited longer: %(names)s.")
MOST_NAMED = 10


@transaction.atomic
def let_in_from(registration: Registration, session: int, *, by: Actor) -> Registration:
    """Let a late player in from a session that was seated before they came and is seated anew. [RULES 8.7]"""
    lock_tournament(registration.tournament)
    registration = lock_registration(registration)
    registration.first_session = session
    registration.save(update_fields=["first_session"])
    _record(Kind.REGISTRATION_CHANGED, registration, by=by, data={"first_session": session})
    return registration


@transaction.atomic
def check_in(registration: Registration, *, by: Actor, now: datetime | None = None) -> Registration:
    """Note that a player came. Pressed twice it changes nothing. [SBR 2.4.5]"""
    refuse_finished(lock_tournament(registration.tournament))
    registration = lock_registration(registration)
    if registration.status != STATUS.ACTIVE:
        refuse("wrong_state", gettext_noop("Only players on the list can be checked in."))
    if registration.checked_in_at is None:
        registration.checked_in_at = now or timezone.now()
        registration.save(update_fields=["checked_in_at"])
        _record(Kind.PLAYER_CHECKED_IN, registration, by=by)
    return registration


@transaction.atomic
def check_in_all(
    tournament: Tournament, registrations: Sequence[Registration], *, by: Actor
) -> list[Registration]:
    """Note that all of these came, at one moment, so that it can be taken back at once. [SBR 2.4.5] [RULES 9.11]"""
    refuse_finished(lock_tournament(tournament))
    rows = sorted(registrations, key=lambda row: row.pk)
    now = timezone.now()
    return [check_in(row, by=by, now=now) for row in rows if row.status == STATUS.ACTIVE]


@transaction.atomic
def undo_check_in_all(tournament: Tournament, at: datetime, *, by: Actor) -> list[Registration]:
    """Take back that several were checked in at one moment; who was checked in otherwise stays so. [RULES 9.11]"""
    refuse_finished(lock_tournament(tournament))
    rows = tournament.registrations.filter(checked_in_at=at, status=STATUS.ACTIVE).order_by("pk")
    return [undo_check_in(row, by=by) for row in rows.select_related("tournament")]


@transaction.atomic
def note_payment(registration: Registration, *, by: Actor, now: datetime | None = None) -> Registration:
    """Note that the fee is paid. Pressed twice it changes nothing. [RULES 1.2]"""
    refuse_finished(lock_tournament(registration.tournament))
    registration = lock_registration(registration)
    if registration.paid_at is None:
        registration.paid_at = now or timezone.now()
        registration.save(update_fields=["paid_at"])
        _record(Kind.FEE_PAID, registration, by=by)
        mails.queue_receipt(registration)
    return registration


@transaction.atomic
def note_payments(
    tournament: Tournament, registrations: Sequence[Registration], *, by: Actor
) -> list[Registration]:
    """Note that all of these have paid the fee. [RULES 1.2]"""
    refuse_finished(lock_tournament(tournament))
    now = timezone.now()
    return [note_payment(row, by=by, now=now) for row in sorted(registrations, key=lambda row: row.pk)]


@transaction.atomic
def undo_payment(registration: Registration, *, by: Actor) -> Registration:
    """Take back that the fee is paid. [RULES 9.11]"""
    refuse_finished(lock_tournament(registration.tournament))
    registration = lock_registration(registration)
    if registration.paid_at is not None:
        registration.paid_at = None
        registration.save(update_fields=["paid_at"])
        _record(Kind.FEE_PAYMENT_UNDONE, registration, by=by)
    return registration


@transaction.atomic
def undo_payments(tournament: Tournament, at: datetime, *, by: Actor) -> list[Registration]:
    """Take back that several were noted as paid at one moment. [RULES 9.11]"""
    refuse_finished(lock_tournament(tournament))
    rows = tournament.registrations.filter(paid_at=at).order_by("pk")
    return [undo_payment(row, by=by) for row in rows.select_related("tournament")]


@transaction.atomic
def undo_check_in(registration: Registration, *, by: Actor) -> Registration:
    """Take a check-in back."""
    refuse_finished(lock_tournament(registration.tournament))
    registration = lock_registration(registration)
    if registration.status != STATUS.ACTIVE:
        refuse("wrong_state", gettext_noop("Only players on the list can be checked in."))
    if registration.checked_in_at is not None:
        registration.checked_in_at = None
        registration.save(update_fields=["checked_in_at"])
        _record(Kind.CHECK_IN_UNDONE, registration, by=by)
    return registration


@transaction.atomic
def renew_link(registration: Registration, *, by: Actor, key: str) -> Registration:
    """Make the player's private link anew; the old one ends.

    Sent again under the same key, it changes nothing: the link that was copied meanwhile still opens the page.
    """
    tournament = lock_tournament(registration.tournament)
    registration = lock_registration(registration)
    body = {"registration": registration.number, "new_link": True}
    if receipts.answered(tournament, key, by=by, body=body) is not None:
        return registration
    registration.link_version += 1
    registration.save(update_fields=["link_version"])
    push.end_own(registration)
    answer = {"link_version": registration.link_version}
    _record(Kind.REGISTRATION_CHANGED, registration, by=by, data=answer)
    receipts.store(tournament, key, by=by, body=body, answer=answer)
    return registration


@transaction.atomic
def name_substitute(
    tournament: Tournament, details: Details, *, by: Actor, is_assistant: bool = False, override: str = ""
) -> Substitute:
    """Put somebody into the pool of replacement players; a disqualification bars from it too. [RIICHI reg. 5.5]"""
    tournament = lock_tournament(tournament)
    refuse_finished(tournament)
    details = replace(details, name=tidy_name(details.name))
    _refuse_if(_detail_problems(details))
    bar = _check_not_barred(tournament, details, by=by, override=override)
    player = _new_player(tournament, details)
    substitute = Substitute.objects.create(tournament=tournament, player=player, is_assistant=is_assistant)
    history.record(
        Kind.SUBSTITUTE_NAMED,
        tournament=tournament,
        by=by,
        subject=f"player:{player.pk}",
        data={"assistant": is_assistant, **({"despite": bar.number} if bar else {})},
        reason=override if bar else "",
    )
    return substitute


def teams(tournament: Tournament) -> Teams:
    """Count the players of every team on the list, for what is pasted beside them."""
    rows = tournament.registrations.filter(status__in=IN_TOURNAMENT, player__team__isnull=False)
    members = Counter(rows.values_list("player__team__name", flat=True))
    return Teams(members, tournament.regulation["team_size"])


def listed(tournament: Tournament, but: Registration | None = None) -> list[Listed]:
    """List who is on the list, for finding doubles."""
    rows = tournament.registrations.filter(status__in=IN_TOURNAMENT).select_related("player")
    return [
        Listed(
            number=row.number,
            name=row.player.name,
            city=row.player.city,
            federation_ids=frozenset(row.player.federation_ids.values()),
        )
        for row in rows
        if but is None or row.pk != but.pk
    ]


def _not_now(tournament: Tournament, by: Actor) -> list[Problem]:
    """Return why nobody may register now: strangers have a window, the desk until the tournament is closed."""
    if tournament.is_cancelled:
        return [Problem("event_cancelled", CANCELLED)]
    if tournament.state == Tournament.State.CLOSED:
        return [Problem("event_finished", gettext_noop("The event is finished."))]
    if by.kind == ActorKind.USER and by.has_role("organizer", "chief_referee"):
        return []
    closes_at = tournament.registration_closes_at
    closed_on = (
        date_format(timezone.localtime(closes_at, tournament.zone), "DATETIME_FORMAT") if closes_at else ""
    )
    return window_problems(
        timezone.now(),
        tournament.registration_opens_at,
        closes_at,
        is_open=tournament.state == Tournament.State.ANNOUNCED,
        closed_on=closed_on,
    )


def _detail_problems(details: Details) -> list[Problem]:
    """Return what is wrong with the name, and what is too long once its letters are composed as they are stored."""
    words = [one.name for one in PERSON if one.spelling is Spelling.WORDS]
    said = {name: tidy_name(getattr(details, name)) for name in words}
    return [*name_problems(details.name), *too_long(said)]


def _doubles(tournament: Tournament, details: Details, but: Registration | None = None) -> list[Problem]:
    ids = details.federation_ids.values()
    return double_problems(details.name, details.city, listed(tournament, but), federation_ids=ids)


def bars_on_rows(tournament: Tournament, rows: Mapping[int, Details], *, by: Actor) -> list[Problem]:
    """List the rows with players who may not play: such players are added one by one. [SBR 2.8.5]"""
    bars = barred.bars(tournament)
    found = {number: bar_against(Person.of(row), bars) for number, row in rows.items()}
    return [
        replace(problem, field=f"rows.{number}.name")
        for number, bar in found.items()
        for problem in barred.problems_of(rows[number].name, bar, by=by)
    ]


@transaction.atomic
def answer_bar(registration: Registration, bar: int, *, by: Actor, reason: str) -> Registration:
    """Say why somebody plays who is disqualified at another event, or may be: it is another person, or it was lifted. [RULES 8.56]"""
    need_reason(reason)
    tournament = lock_tournament(registration.tournament)
    row = lock_registration(registration)
    row.tournament = tournament
    known = {one.number: one for one in barred.bars(tournament) if not one.is_here}
    if bar not in known:
        refuse("not_found", gettext_noop("There is no such disqualification any more."))
    if bar in row.cleared:
        return row
    _clear(row, known[bar])
    _record(Kind.REGISTRATION_CHANGED, row, by=by, data={"status": row.status, "despite": bar}, reason=reason)
    return row


@transaction.atomic
def name_captain(registration: Registration, *, by: Actor, is_captain: bool) -> Team:
    """Name the captain of a player's team, who alone speaks for it, or name nobody. [SBR 2.9.2]"""
    tournament = lock_tournament(registration.tournament)
    refuse_finished(tournament)
    row = lock_registration(registration)
    row.tournament = tournament
    team = row.player.team
    if team is None:
        refuse("no_team", gettext_noop("This player is in no team."))
    captain = row.player if is_captain else None
    if team.captain_id != (captain.pk if captain else None):
        team.captain = captain
        team.save(update_fields=["captain"])
        _record(Kind.PLAYER_CHANGED, row, by=by, data={"fields": ["captain"], "captain": is_captain})
    return team


def _clear(registration: Registration, bar: Bar | None) -> None:
    """Remember that the desk has answered about a disqualification, so that it is not asked again."""
    if bar is not None:
        registration.cleared = [*registration.cleared, bar.number]
        registration.save(update_fields=["cleared"])


def _check_not_barred(
    tournament: Tournament,
    details: Details,
    *,
    by: Actor,
    override: str = "",
    but: Registration | None = None,
) -> Bar | None:
    """Keep out who is disqualified on the day of play; return what the desk has set aside. [SBR 2.8.5]"""
    ids = details.federation_ids
    bar = barred.bar_of(tournament, details.name, details.city, ids, but=but.pk if but else 0)
    _refuse_if(barred.problems_of(details.name, bar, by=by, reason=override))
    if bar is not None:
        need_reason(override)
    return bar


def _is_somebody_else(registration: Registration, details: Details) -> bool:
    """Return whether a change makes another person of a player, as far as bars are concerned."""
    said = Person.of(details)
    return said != barred.person_of(registration)


def _team_full(tournament: Tournament, name: str) -> list[Problem]:
    """Return why nobody can join a team: it has as many players as the regulation allows. [SBR 2.4.3]"""
    limit = tournament.regulation["team_size"]
    team = tidy_name(name)
    members = tournament.registrations.filter(status__in=IN_TOURNAMENT, player__team__name=team).count()
    if not team or limit is None or members < limit:
        return []
    sentence = gettext_noop("Team %(t)s already has %(n)s players.")
    return [Problem("team_full", sentence, field="team", details={"t": team, "n": members})]


class _Roll:
    """What the list is like while players are put on it: read once, counted on. The tournament is locked."""

    def __init__(self, tournament: Tournament) -> None:
        """Read numbers, codes and places."""
        self.places = Places(tournament)
        self.is_waited = waits_for_a_place(tournament, self.places)
        self.last = tournament.registrations.aggregate(last=Max("number"))["last"] or 0
        self.first_session = _first_open_session(tournament)
        self.codes = set(tournament.players.values_list("code", flat=True))
        self.next_code = len(self.codes) + 1

    def status(self, player: Player) -> str:
        """Return the status of one more player: active while there is a place for which nobody waits, else waiting."""
        if self.is_waited or self.places.why_not(player):
            return STATUS.WAITING
        self.places.take(player)
        return STATUS.ACTIVE

    def number(self, wished: int | None) -> int:
        """Return the number wished for, else the next."""
        self.last = max(self.last, wished or self.last + 1)
        return wished or self.last

    def code(self) -> str:
        """Return the next code that nobody has."""
        while f"p{self.next_code}" in self.codes:
            self.next_code += 1
        self.codes.add(f"p{self.next_code}")
        return f"p{self.next_code}"


def _put_on_list(
    tournament: Tournament, details: Details, roll: _Roll | None = None, number: int | None = None
) -> Registration:
    """Create player and registration under the number wished for, else the next; the tournament is locked."""
    roll = roll or _Roll(tournament)
    player = Player(tournament=tournament, code=roll.code())
    _write_details(player, details)
    return Registration.objects.create(
        tournament=tournament,
        player=player,
        number=roll.number(number),
        status=roll.status(player),
        first_session=roll.first_session,
        comment=details.comment,
        answers=dict(details.answers or {}),
        may_be_remembered=bool(details.may_be_remembered),
    )


def _first_open_session(tournament: Tournament) -> int:
    """Return the first session that is not seated yet: a late entry plays from there."""
    seated = tournament.sessions.filter(published_at__isnull=False).aggregate(last=Max("number"))["last"]
    return (seated or 0) + 1


def _new_player(tournament: Tournament, details: Details) -> Player:
    taken = set(tournament.players.values_list("code", flat=True))
    number = len(taken) + 1
    while f"p{number}" in taken:
        number += 1
    player = Player(tournament=tournament, code=f"p{number}")
    _write_details(player, details)
    return player


def _write_details(player: Player, details: Details) -> list[str]:
    """Set what differs and save; return the names of the fields that changed."""
    team = None
    if details.team.strip():
        team, _ = Team.objects.get_or_create(tournament=player.tournament, name=tidy_name(details.team))
    texts = {
        one.name: SPELT[one.spelling](getattr(details, one.name)) for one in OF_THE_PLAYER if one.spelling
    }
    wanted: dict[str, Any] = texts | {
        "name": details.name,
        "search_key": search_key(details.name),
        "team": team,
        "federation_ids": dict(details.federation_ids),
    }
    changed = sorted(name for name, value in wanted.items() if getattr(player, name) != value)
    for name in changed:
        setattr(player, name, wanted[name])
    player.save()
    return [name for name in changed if name != "search_key"]


def _write_said(registration: Registration, details: Details) -> list[str]:
    """Set what the player said to the organizer and save; return the names of the fields that changed and are told."""
    answers = registration.answers if details.answers is None else dict(details.answers)
    remembered = details.may_be_remembered
    remembered = registration.may_be_remembered if remembered is None else remembered
    changed = ["answers"] if answers != registration.answers else []
    if remembered != registration.may_be_remembered:
        changed.append("may_be_remembered")
    registration.comment, registration.answers = details.comment, answers
    registration.may_be_remembered = remembered
    registration.save(update_fields=["comment", "answers", "may_be_remembered"])
    return changed


def _quota_problems(tournament: Tournament, registration: Registration, details: Details) -> list[Problem]:
    """Return why a player who has a place cannot have it as one of another country or club. [RULES 9.28]"""
    is_placed = registration.status == STATUS.ACTIVE or registration.offered_until is not None
    labels = [(getattr(registration.player, by), getattr(details, by), by) for by in BY]
    moved = {by for before, now, by in labels if group_of(by, before) != group_of(by, now)}
    if not (is_placed and moved):
        return []
    found = Places(tournament, but=registration).beyond_quotas(details)
    return [problem for problem in found if problem.field in moved]


def _record(
    kind: Kind,
    registration: Registration,
    *,
    by: Actor,
    reason: str = "",
    data: Mapping[str, object] | None = None,
) -> None:
    history.record(
        kind,
        tournament=registration.tournament,
        by=by,
        subject=f"registration:{registration.pk}",
        data=data,
        reason=reason,
    )


def _refuse_if(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(*problems)
