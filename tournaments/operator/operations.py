"""What an operator does: each act in one transaction, with a reason, told in the operator's log."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from scoring.problems import Problem, gettext_noop
from tournaments.models import AbuseReport, EventTemplate, Player, Receipt, Role, Tournament, User
from tournaments.operator import queries
from tournaments.operator.rules import creation_problems, listing_problems, waits_for_operator
from tournaments.people.operations.mails import take_texts
from tournaments.people.operations.wishes import take_wishes
from tournaments.privacy import operations as privacy
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse
from tournaments.record.rules import Act
from tournaments.record.site_log import log
from tournaments.sessions.operations import tournaments as events
from tournaments.sessions.operations.templates import take_template
from tournaments.sessions.operations.timetable import plan_sessions
from tournaments.sessions.operations.tournaments import Announcement
from tournaments.sessions.rules.series import moved_starts, taken_along

LISTING = Tournament.Listing
MOST_OPEN_REPORTS = 20


# Events of accounts


@transaction.atomic
def create_event(
    announcement: Announcement,
    *,
    preset: str,
    by: Actor,
    changes: Mapping[str, Any] | None = None,
    key: str = "",
) -> Tournament:
    """Create an event within its account's limits; one of an account that nobody knows waits before lists show it.

    The account is locked, so that two requests at a time are counted one after the other. Sent again under the same key, it
    makes no second draft. [INTEGRITY 2]
    """
    said = {"preset": preset, **_said(announcement)}

    def make(user: User) -> Tournament:
        return _create(user, announcement, preset=preset, by=by, changes=changes)

    return _once(make, said, by=by, key=key)


def _once(make: Callable[[User], Tournament], said: Mapping[str, Any], *, by: Actor, key: str) -> Tournament:
    """Lock the account and return the event that was made of the same words under the key, else make it.

    Whoever is second waits for the first.
    """
    user = lock_account(User(pk=by.id))
    if not key:
        return make(user)
    own = Tournament.objects.filter(created_by=by.id).exclude(listing=LISTING.DELETED)
    known = Receipt.objects.filter(tournament__in=own, key=key, actor=str(by))
    if row := known.filter(body_digest=receipts.body_digest(said)).select_related("tournament").first():
        return row.tournament
    made = make(user)
    receipts.store(made, key, by=by, body=said, answer={"made": made.slug})
    return made


def _said(announcement: Announcement) -> dict[str, Any]:
    """Return what was entered; the address is left out, since it is made anew from the name while another has it."""
    said = {name: value if value is None else str(value) for name, value in vars(announcement).items()}
    del said["slug"]
    return said


def _create(
    user: User, announcement: Announcement, *, preset: str, by: Actor, changes: Mapping[str, Any] | None
) -> Tournament:
    organizer, has_operator = queries.organizer(user), queries.has_operator()
    problems = creation_problems(
        organizer,
        settings.NEW_ORGANIZERS,
        queries.limits(),
        made_today=queries.made_today(user),
        drafts=queries.drafts_of(user),
        has_operator=has_operator,
    )
    if problems:
        raise Refused(*problems)
    tournament = events.create_tournament(announcement, preset=preset, by=by, changes=changes)
    if waits_for_operator(organizer, has_operator=has_operator):
        tournament.listing = LISTING.AWAITING
        tournament.save(update_fields=["listing"])
    return tournament


@transaction.atomic
def clone_event(
    source: Tournament,
    announcement: Announcement,
    *,
    by: Actor,
    staff: Collection[int] = (),
    preset: str = "",
    key: str = "",
) -> Tournament:
    """Create an event with the regulation of an earlier one and the staff that is chosen by its roles, within the account's limits.

    Its sessions begin as many days later as the event does. By another preset only what no rulebook says goes along.
    """
    preset = preset or source.preset

    def make(user: User) -> Tournament:
        changes = taken_along(source.regulation, was=source.preset, preset=preset)
        made = _create(user, announcement, preset=preset, by=by, changes=changes)
        _plan_again(source, made, by=by)
        take_texts(source, made)
        take_wishes(source, made)
        events.take_staff(source, made, by=by, only=set(staff))
        return made

    said = {"like": source.pk, "preset": preset, "staff": sorted(staff), **_said(announcement)}
    return _once(make, said, by=by, key=key)


@transaction.atomic
def create_from_template(
    template: EventTemplate, announcement: Announcement, *, by: Actor, key: str = ""
) -> Tournament:
    """Create an event with the regulation, quotas and questions of a template, within the account's limits."""

    def make(user: User) -> Tournament:
        made = _create(user, announcement, preset=template.preset, by=by, changes=template.regulation)
        take_template(template, made)
        return made

    return _once(make, {"template": template.pk, **_said(announcement)}, by=by, key=key)


def _plan_again(source: Tournament, made: Tournament, *, by: Actor) -> None:
    """Plan the sessions of a new event by those of an earlier one; a timetable that does not fit is left to the organizer."""
    planned = source.sessions.exclude(planned_at=None).values_list("number", "planned_at")
    starts = {number: start.astimezone(source.zone) for number, start in planned if start}
    moved = moved_starts(starts, was=source.first_day, now=made.first_day, zone=made.zone)
    try:
        with transaction.atomic():
            plan_sessions(made, moved, by=by)
    except Refused:
        return


@transaction.atomic
def set_listing(tournament: Tournament, listing: str, *, by: Actor, reason: str = "") -> Tournament:
    """Put an event on the lists, take it off them, close it to strangers or archive it; all but the first with a reason.

    The event's own history tells its organizers who did so and why.
    """
    if listing != LISTING.LISTED:
        need_reason(reason)
    tournament = lock_tournament(tournament)
    before = tournament.listing
    is_running = tournament.state == Tournament.State.RUNNING
    if problems := listing_problems(before, listing, is_running=is_running):
        raise Refused(*problems)
    tournament.listing = listing
    tournament.save(update_fields=["listing"])
    data = {"from": before, "to": listing}
    history.record(Kind.LISTING_CHANGED, tournament=tournament, by=by, data=data, reason=reason.strip())
    log(Act.LISTING_CHANGED, f"tournament:{tournament.pk}", by=by, reason=reason, data=data)
    return tournament


@transaction.atomic
def hand_over(
    tournament: Tournament, user: User, *, by: Actor, reason: str, ends_others: bool = False
) -> Tournament:
    """Make an account an organizer of an event that has none, or whose organizers cannot; end the others' role if asked.

    Pressed twice it is one act: the second finds nothing to do.
    """
    need_reason(reason)
    user = lock_account(user)
    if not user.is_active:
        refuse("account_blocked", gettext_noop("This account is blocked or deleted."), field="username")
    tournament = lock_tournament(tournament)
    if tournament.is_deleted:
        refuse("not_found", gettext_noop("This draft was deleted."))
    organizers = tournament.roles.filter(kind=Role.Kind.ORGANIZER, user__isnull=False)
    others = organizers.exclude(user=user).select_related("tournament") if ends_others else ()
    if organizers.filter(user=user).exists() and not others:
        return tournament
    events.grant_role(tournament, user, Role.Kind.ORGANIZER, by=by)
    for role in others:
        events.take_role(role, by=by)
    data = {"to": user.pk, "ends_others": ends_others}
    log(Act.EVENT_HANDED_OVER, f"tournament:{tournament.pk}", by=by, reason=reason, data=data)
    return tournament


@transaction.atomic
def delete_draft(tournament: Tournament, *, by: Actor, reason: str) -> Tournament:
    """Delete somebody's draft in which nobody plays."""
    need_reason(reason)
    tournament = events.delete_draft(tournament, by=by, reason=reason)
    log(Act.EVENT_DELETED, f"tournament:{tournament.pk}", by=by, reason=reason)
    return tournament


# Accounts


def lock_account(user: User) -> User:
    """Lock an account before any tournament, and read it afresh."""
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)


@transaction.atomic
def approve_account(user: User, *, by: Actor) -> User:
    """Let an account make events that stand on the home page at once; those that waited are listed now."""
    user = _moderated(user)
    if user.approved_at is not None:
        return user
    user.approved_at = timezone.now()
    user.save(update_fields=["approved_at"])
    log(Act.ACCOUNT_APPROVED, f"user:{user.pk}", by=by)
    for tournament in user.created_tournaments.filter(listing=LISTING.AWAITING).order_by("pk"):
        set_listing(tournament, LISTING.LISTED, by=by)
    return user


@transaction.atomic
def take_approval(user: User, *, by: Actor, reason: str) -> User:
    """Take an approval back; the account's events stay as they are listed."""
    need_reason(reason)
    user = _moderated(user)
    if user.approved_at is not None:
        user.approved_at = None
        user.save(update_fields=["approved_at"])
        log(Act.APPROVAL_TAKEN, f"user:{user.pk}", by=by, reason=reason)
    return user


@transaction.atomic
def block_account(user: User, *, by: Actor, reason: str, listing: str = "") -> User:
    """Shut an account out from its next request on, and take its unplayed events off the lists in the same act."""
    need_reason(reason)
    user = _moderated(user)
    if user.is_active:
        user.is_active = False
        user.save(update_fields=["is_active"])
        privacy.sign_out_everywhere(user)
        log(Act.ACCOUNT_BLOCKED, f"user:{user.pk}", by=by, reason=reason, data={"events": listing})
    for tournament in queries.owned_events(user) if listing else ():
        if not listing_problems(tournament.listing, listing, is_running=False):
            set_listing(tournament, listing, by=by, reason=reason)
    return user


@transaction.atomic
def unblock_account(user: User, *, by: Actor, reason: str) -> User:
    """Let a blocked account in again; its events are shown again one by one."""
    need_reason(reason)
    user = _moderated(user)
    if not user.is_active:
        user.is_active = True
        user.save(update_fields=["is_active"])
        log(Act.ACCOUNT_UNBLOCKED, f"user:{user.pk}", by=by, reason=reason)
    return user


@dataclass(frozen=True)
class ResetLink:
    """What a link to set a new password is made of; good once, and only until the password is set."""

    uid: str
    key: str


@transaction.atomic
def reset_access(user: User, *, by: Actor, reason: str, ends_second_factor: bool = False) -> ResetLink:
    """Make a link by which the owner of an account sets a new password; the operator never knows one.

    The old password ends at once: whoever had it is out.
    """
    need_reason(reason)
    user = _moderated(user)
    if not user.is_active:
        refuse("account_blocked", gettext_noop("This account is blocked or deleted."))
    user.set_unusable_password()
    user.save(update_fields=["password"])
    privacy.sign_out_everywhere(user)
    if ends_second_factor:
        Authenticator.objects.filter(user=user).delete()
    data = {"ends_second_factor": ends_second_factor}
    log(Act.ACCESS_RESET, f"user:{user.pk}", by=by, reason=reason, data=data)
    return ResetLink(user_pk_to_url_str(user), default_token_generator.make_token(user))


@transaction.atomic
def delete_account(user: User, *, by: Actor, reason: str) -> User:
    """Delete an account for its owner; its events are left to the operator."""
    need_reason(reason)
    return privacy.delete_account(_moderated(user), by=by, reason=reason, leaves_events=True)


def _moderated(user: User) -> User:
    """Lock an account that may be moderated: operators do not shut each other out, nor is there anything in a deleted one."""
    user = lock_account(user)
    if user.is_superuser:
        refuse(
            "forbidden",
            gettext_noop("This account runs the site. Only the server's command line changes that."),
        )
    if user.erased_at is not None:
        refuse("not_found", gettext_noop("This account was deleted."))
    return user


# Persons


@transaction.atomic
def erase_persons(players: Sequence[Player], *, by: Actor, reason: str) -> list[Player]:
    """Erase one person wherever they played: all of it or nothing, the events locked in one order. Pressed twice it changes nothing."""
    need_reason(reason)
    erased: list[Player] = []
    problems: list[Problem] = []
    for player in sorted(players, key=lambda row: (row.tournament_id, row.pk)):
        lock_tournament(player.tournament)
        was_erased = Player.objects.filter(pk=player.pk, erased_at__isnull=False).exists()
        try:
            erased.append(privacy.erase_player(player, by=by, reason=reason))
        except Refused as refused:
            told = [_of_event(problem, player.tournament) for problem in refused.problems]
            problems += [problem for problem in told if problem not in problems]
        if not was_erased:
            log(Act.PERSON_ERASED, f"player:{player.pk}", by=by, reason=reason)
    if problems:
        raise Refused(*problems)
    return erased


def _of_event(problem: Problem, tournament: Tournament) -> Problem:
    """Name the event beside what stands in the way there, since an operator erases in several at once."""
    return replace(problem, details={key: f"{what} ({tournament})" for key, what in problem.details.items()})


@transaction.atomic
def note_export(act: Act, subject: str, *, by: Actor) -> None:
    """Tell the log that personal data left the site for somebody who asked for theirs."""
    log(act, subject, by=by)


# Reports of abuse


@transaction.atomic
def report_abuse(tournament: Tournament, *, kind: str, text: str, email: str = "") -> AbuseReport | None:
    """Keep a report about a public page; of an event with many open reports no more, for the operator knows."""
    tournament = lock_tournament(tournament)
    if tournament.reports.filter(resolved_at=None).count() >= MOST_OPEN_REPORTS:
        return None
    return AbuseReport.objects.create(tournament=tournament, kind=kind, text=text, email=email)


@transaction.atomic
def resolve_report(report: AbuseReport, *, by: Actor, reason: str) -> AbuseReport:
    """Close a report, with what was done about it; the sender's address is not needed any more."""
    need_reason(reason)
    row = AbuseReport.objects.select_for_update(no_key=True).get(pk=report.pk)
    if row.resolved_at is None:
        row.resolved_at, row.email = timezone.now(), ""
        row.save(update_fields=["resolved_at", "email"])
        subject = f"tournament:{row.tournament_id}"
        log(Act.REPORT_RESOLVED, subject, by=by, reason=reason, data={"report": row.pk})
    return row
