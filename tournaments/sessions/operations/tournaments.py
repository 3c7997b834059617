"""Creating, changing, announcing, closing a tournament, and who works at it."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from secrets import token_hex
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring.presets import PRESETS
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.regulation import Regulation, altering_results, differences, missing_rows
from scoring.sense import nonsense
from tournaments.models import Mail, Player, Registration, Role, Session, StandingsRevision, Tournament, User
from tournaments.people.operations import mails
from tournaments.people.operations.registration import IN_TOURNAMENT, move_up
from tournaments.people.rules.names import staff_name_problems, tidy_name
from tournaments.people.rules.substitutes import CHIEF_REFEREE
from tournaments.record import history
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.judges import open_appeals, tell_regulation_changed
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse, refuse_finished
from tournaments.sessions.queries import state_but_for_cancellation

STATES = Tournament.State
LONGEST_CANCEL_REASON = 1000
RESERVED = frozenset(
    {
        "accounts",
        "api",
        "archive",
        "calculator",
        "find",
        "following",
        "healthz",
        "help",
        "i18n",
        "invitation",
        "live",
        "messages",
        "metrics",
        "new",
        "operator",
        "new-password",
        "privacy",
        "readyz",
        "records",
        "robots.txt",
        "rulebooks",
        "static",
        "styleguide",
        "theme",
        "tablet",
    }
)

SLUG_TAKEN = Problem("slug_taken", gettext_noop("This address is taken; choose another."), field="slug")


@dataclass(frozen=True)
class Announcement:
    """What an organizer enters about a tournament besides its regulation."""

    name: str
    slug: str
    first_day: date
    last_day: date
    time_zone: str
    city: str = ""
    venue: str = ""
    description: str = ""
    currency: str = ""
    prize_places: int = 3
    first_table: int = 1
    language: str = ""
    registration_opens_at: datetime | None = None
    registration_closes_at: datetime | None = None
    offer_hours: int | None = None
    mails_players: bool = False
    asks_pin: bool = False


@transaction.atomic
def create_tournament(
    announcement: Announcement,
    *,
    preset: str,
    by: Actor,
    changes: Mapping[str, Any] | None = None,
    is_demo: bool = False,
) -> Tournament:
    """Create a tournament from a preset of the rulebooks; its creator is its first organizer. [RULES 1.1]

    One of the demo is marked as such here and never later, since only what is marked can be removed with its history.
    """
    shipped = PRESETS[preset]
    _check_slug(announcement.slug)
    regulation = _regulation({**shipped.regulation.to_json(), **(changes or {})}, shipped.system)
    if lacking := missing_rows(regulation):
        raise Refused(*lacking)
    with taking_an_address(SLUG_TAKEN):
        tournament = Tournament.objects.create(
            **vars(announcement),
            system=shipped.system,
            preset=preset,
            regulation=regulation.to_json(),
            created_by_id=by.id,
            is_demo=is_demo,
        )
    StandingsRevision.objects.create(tournament=tournament)
    Role.objects.create(tournament=tournament, kind=Role.Kind.ORGANIZER, user_id=by.id)
    _plan_sessions(tournament, regulation.sessions)
    history.record(
        Kind.TOURNAMENT_CREATED,
        tournament=tournament,
        by=by,
        data={"preset": preset, "regulation": tournament.regulation},
    )
    return tournament


@transaction.atomic
def clone_tournament(source: Tournament, announcement: Announcement, *, by: Actor) -> Tournament:
    """Create a tournament with the regulation of an earlier one. Nobody is registered in it yet."""
    return create_tournament(announcement, preset=source.preset, by=by, changes=source.regulation)


@transaction.atomic
def change_tournament(tournament: Tournament, announcement: Announcement, *, by: Actor) -> Tournament:
    """Change the tournament's details. Its address no longer changes once it is announced."""
    tournament = lock_tournament(tournament)
    changed = {
        field: value for field, value in vars(announcement).items() if getattr(tournament, field) != value
    }
    if "slug" in changed:
        if tournament.state != STATES.DRAFT:
            refuse(
                "slug_fixed",
                gettext_noop("The address stays as it is: players already have it."),
                field="slug",
            )
        _check_slug(announcement.slug, but=tournament)
    if not changed:
        return tournament
    for field, value in changed.items():
        setattr(tournament, field, value)
    with taking_an_address(SLUG_TAKEN):
        tournament.save(update_fields=list(changed))
    history.record(Kind.TOURNAMENT_CHANGED, tournament=tournament, by=by, data={"fields": sorted(changed)})
    return tournament


@transaction.atomic
def change_regulation(
    tournament: Tournament, changes: Mapping[str, Any], *, by: Actor, reason: str = "", is_sure: bool = False
) -> Tournament:
    """Change values of the regulation. Once there are results, those that alter them ask for a reason. [RULES 1.1]"""
    tournament = lock_tournament(tournament)
    refuse_finished(tournament)
    old = Regulation.from_json(tournament.regulation)
    new = _regulation({**tournament.regulation, **changes}, tournament.system)
    asked, before_that = ([*missing_rows(one), *nonsense(one)] for one in (new, old))
    if wrong := [problem for problem in asked if problem not in before_that]:
        raise Refused(*wrong)
    changed = differences(old, new)
    if not changed:
        return tournament
    played = tournament.sessions.exclude(state=Session.State.PLANNED).exists()
    if played and altering_results(old, new) and not (is_sure and reason.strip()):
        refuse(
            "reason_required",
            gettext_noop(
                "Sessions have been played. Give a reason and confirm: standings will be worked out anew."
            ),
            field="reason",
        )
    before, after = old.to_json(), new.to_json()
    tournament.regulation = after
    tournament.save(update_fields=["regulation"])
    _plan_sessions(tournament, new.sessions)
    history.record(
        Kind.REGULATION_CHANGED,
        tournament=tournament,
        by=by,
        reason=reason,
        data={"changes": {name: [before.get(name), after.get(name)] for name in changed}},
    )
    tell_regulation_changed(tournament, by=by, reason=reason)
    move_up(tournament, by=by)
    return tournament


@transaction.atomic
def announce_tournament(tournament: Tournament, *, by: Actor) -> Tournament:
    """Make the tournament public and open its registration."""
    tournament = _move(tournament, {STATES.DRAFT}, STATES.ANNOUNCED, Kind.TOURNAMENT_ANNOUNCED, by=by)
    mails.queue(tournament, Mail.Kind.REGISTERED, _on_the_list(tournament))
    return tournament


@transaction.atomic
def close_tournament(tournament: Tournament, *, by: Actor, reason: str = "") -> Tournament:
    """Close a tournament whose sessions are all closed; its archive stays. Over an open appeal it takes a reason."""
    tournament = lock_tournament(tournament)
    if tournament.sessions.filter(state=Session.State.OPEN).exists():
        refuse("games_open", gettext_noop("A session is still in play. Close it first."))
    if not tournament.sessions.filter(state=Session.State.CLOSED).exists():
        refuse("wrong_state", gettext_noop("No session has been played yet."))
    appeals = own_up_to_appeals(tournament, reason)
    closed = _move(
        tournament,
        {STATES.RUNNING},
        STATES.CLOSED,
        Kind.TOURNAMENT_CLOSED,
        by=by,
        reason=reason if appeals else "",
        data=appeals,
    )
    mails.queue_results(closed)
    return closed


@transaction.atomic
def reopen_tournament(tournament: Tournament, *, by: Actor, reason: str) -> Tournament:
    """Open a closed tournament again, with a reason."""
    need_reason(reason)
    return _move(tournament, {STATES.CLOSED}, STATES.RUNNING, Kind.TOURNAMENT_REOPENED, by=by, reason=reason)


@transaction.atomic
def cancel_tournament(tournament: Tournament, *, by: Actor, reason: str) -> Tournament:
    """Cancel an event that was announced: registration closes, every page says so and why, nothing is deleted. [RULES 1.2]"""
    need_reason(reason)
    if len(reason.strip()) > LONGEST_CANCEL_REASON:
        sentence = gettext_noop("Write at most %(most)s characters; everybody reads them.")
        refuse("reason_length", sentence, field="reason", most=LONGEST_CANCEL_REASON)
    tournament = lock_tournament(tournament)
    if tournament.sessions.filter(state=Session.State.OPEN).exists():
        refuse("games_open", gettext_noop("A session is still in play. Close it first."))
    tournament.cancelled_at, tournament.cancel_reason = timezone.now(), reason.strip()
    tournament.save(update_fields=["cancelled_at", "cancel_reason"])
    states = {STATES.ANNOUNCED, STATES.RUNNING}
    tournament = _move(tournament, states, STATES.CANCELLED, Kind.TOURNAMENT_CANCELLED, by=by, reason=reason)
    people = _on_the_list(tournament)
    facts = {row.pk: {"reason": tournament.cancel_reason} for row in people}
    mails.queue(tournament, Mail.Kind.CANCELLED, people, facts)
    return tournament


@transaction.atomic
def take_back_cancellation(tournament: Tournament, *, by: Actor) -> Tournament:
    """Let a cancelled event take place after all, as far as it was. [RULES 9.11]"""
    tournament = lock_tournament(tournament)
    tournament.cancelled_at, tournament.cancel_reason = None, ""
    tournament.save(update_fields=["cancelled_at", "cancel_reason"])
    back = state_but_for_cancellation(tournament)
    tournament = _move(tournament, {STATES.CANCELLED}, back, Kind.CANCELLATION_TAKEN_BACK, by=by)
    told = tournament.mails.filter(kind=Mail.Kind.CANCELLED, state__in=(Mail.State.SENT, Mail.State.SENDING))
    ids = set(told.values_list("registration", flat=True))
    mails.queue(tournament, Mail.Kind.TAKES_PLACE, [row for row in _on_the_list(tournament) if row.pk in ids])
    return tournament


def _on_the_list(tournament: Tournament) -> list[Registration]:
    """List who takes part or waits."""
    return list(tournament.registrations.filter(status__in=IN_TOURNAMENT).select_related("player"))


@transaction.atomic
def delete_draft(tournament: Tournament, *, by: Actor, reason: str = "") -> Tournament:
    """Delete a draft in which nobody plays: its texts are emptied, its address is free again, its history stays."""
    tournament = lock_tournament(tournament)
    if tournament.is_deleted:
        return tournament
    if tournament.state != STATES.DRAFT or tournament.players.exists():
        refuse("not_empty", gettext_noop("Only a draft on whose list nobody is can be deleted."))
    tournament.name = tournament.city = tournament.venue = tournament.description = tournament.currency = ""
    tournament.quotas, tournament.questions = {}, []
    tournament.slug, tournament.listing = (
        f"deleted-{tournament.pk}-{token_hex(4)}",
        Tournament.Listing.DELETED,
    )
    with taking_an_address(SLUG_TAKEN):
        tournament.save()
    tournament.roles.all().delete()
    history.record(Kind.TOURNAMENT_DELETED, tournament=tournament, by=by, reason=reason)
    return tournament


@transaction.atomic
def grant_role(
    tournament: Tournament, user: User, kind: str, *, by: Actor, player: Player | None = None
) -> Role:
    """Give a user a role at the tournament; if the user also plays, every role names that player. [INTEGRITY 3]"""
    tournament = lock_tournament(tournament)
    role, is_new = Role.objects.get_or_create(tournament=tournament, user=user, kind=kind)
    own = tournament.roles.filter(user=user)
    plays_as = player or next((one.player for one in own.exclude(player=None)), None)
    if plays_as is not None and own.filter(kind=Role.Kind.CHIEF_REFEREE).exists():
        raise Refused(Problem("conflict_of_interest", CHIEF_REFEREE, field="player"))
    is_other = player is not None and own.exclude(player=player).exists()
    named = own.exclude(name="", name_latin="").first()
    own.update(player=plays_as)
    if is_new and named is not None:
        own.update(name=named.name, name_latin=named.name_latin)
    if is_new or is_other:
        history.record(
            Kind.ROLE_GRANTED,
            tournament=tournament,
            by=by,
            subject=f"user:{user.pk}",
            data={"role": kind, "player": plays_as.pk if plays_as else None},
        )
    return role


@transaction.atomic
def take_staff(
    source: Tournament, tournament: Tournament, *, by: Actor, only: Collection[int] | None = None
) -> None:
    """Let whoever works at one event work at another, in the same roles and under the same names; who plays is not taken.

    Where some are chosen, by their roles, the others stay behind.
    """
    for row in staff_to_take(source):
        if only is not None and row.pk not in only:
            continue
        assert row.user is not None
        let_in(tournament, row.user, row.kind, by=by, name=row.name, name_latin=row.name_latin)


def staff_to_take(source: Tournament) -> QuerySet[Role]:
    """List the roles of those who work at an event and can work at another."""
    rows = source.roles.filter(user__isnull=False, user__is_active=True)
    return rows.select_related("user").order_by("pk")


@transaction.atomic
def let_in(
    tournament: Tournament,
    user: User,
    kind: str,
    *,
    by: Actor,
    player: Player | None = None,
    name: str = "",
    name_latin: str = "",
) -> Role:
    """Give a user a role, under a name for papers if one is written."""
    role = grant_role(tournament, user, kind, by=by, player=player)
    if name.strip() or name_latin.strip():
        name_member(tournament, user, name=name, name_latin=name_latin, by=by)
    return role


@transaction.atomic
def name_member(tournament: Tournament, user: User, *, name: str, name_latin: str, by: Actor) -> None:
    """Say how papers name somebody who works here, in both alphabets; every role of theirs has the same name."""
    tournament = lock_tournament(tournament)
    wanted = staff_names(name, name_latin)
    own = tournament.roles.filter(user=user)
    if not own.exclude(**wanted).exists():
        return
    own.update(**wanted)
    history.record(Kind.STAFF_NAMED, tournament=tournament, by=by, subject=f"user:{user.pk}")


def staff_names(name: str, name_latin: str) -> dict[str, str]:
    """Return the names by which papers know somebody, tidied; refuse what is too long once its letters are composed."""
    said = {"name": tidy_name(name), "name_latin": tidy_name(name_latin)}
    if problems := staff_name_problems(said):
        raise Refused(*problems)
    return said


@transaction.atomic
def take_role(role: Role, *, by: Actor) -> None:
    """End a user's role at the tournament; the last organizer cannot leave."""
    tournament = lock_tournament(role.tournament)
    organizers = tournament.roles.filter(kind=Role.Kind.ORGANIZER, user__isnull=False)
    if not tournament.roles.filter(pk=role.pk).exists():
        return
    if role.kind == Role.Kind.ORGANIZER and organizers.count() == 1:
        refuse("last_organizer", gettext_noop("An event needs at least one organizer."))
    history.record(
        Kind.ROLE_TAKEN,
        tournament=tournament,
        by=by,
        subject=f"user:{role.user_id}",
        data={"role": role.kind},
    )
    role.delete()


def own_up_to_appeals(
    tournament: Tournament, reason: str, *, session: Session | None = None
) -> dict[str, Any]:
    """Refuse to close over an open appeal without a reason; return what the history stores about it. [SBR 2.9]

    Play goes on beside an appeal, since a ruling changes a closed session as well; but nobody closes it unawares.
    """
    numbers = [
        appeal.number
        for appeal in open_appeals(tournament)
        if session is None or appeal.session == session.number
    ]
    if not numbers:
        return {}
    if not reason.strip():
        refuse(
            "appeals_open",
            gettext_noop(
                "Appeals not decided yet: %(numbers)s. Rule on them first, or say why you close all the same."
            ),
            field="reason",
            numbers=", ".join(map(str, numbers)),
        )
    need_reason(reason)
    return {"open_appeals": numbers}


def _move(
    tournament: Tournament,
    states: set[STATES],
    to: STATES,
    kind: Kind,
    *,
    by: Actor,
    reason: str = "",
    data: Mapping[str, Any] | None = None,
) -> Tournament:
    """Take the tournament from one of the states to the next."""
    tournament = lock_tournament(tournament)
    if tournament.state not in states:
        refuse(
            "wrong_state",
            gettext_noop("This cannot be done now: the event is in the state “%(state)s”."),
            state=STATES(tournament.state).label,
        )
    tournament.state = to
    tournament.save(update_fields=["state"])
    history.record(kind, tournament=tournament, by=by, data=dict(data or {}), reason=reason)
    return tournament


def _plan_sessions(tournament: Tournament, planned: int) -> None:
    """Add or remove sessions until there are as many as the regulation plans; seated and played ones stay."""
    present = set(tournament.sessions.values_list("number", flat=True))
    Session.objects.bulk_create(
        Session(tournament=tournament, number=number)
        for number in range(1, planned + 1)
        if number not in present
    )
    beyond = tournament.sessions.filter(number__gt=planned)
    if beyond.exclude(state=Session.State.PLANNED, published_at=None).exists():
        refuse(
            "has_hands",
            gettext_noop("Sessions beyond number %(n)s are seated or played already."),
            field="sessions",
            n=planned,
        )
    beyond.delete()


def _regulation(values: Mapping[str, Any], system: str) -> Regulation:
    try:
        return Regulation.from_json(values, system=system)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal


def _check_slug(slug: str, but: Tournament | None = None) -> None:
    taken = Tournament.objects.filter(slug=slug)
    if but is not None:
        taken = taken.exclude(pk=but.pk)
    if slug in RESERVED or taken.exists():
        raise Refused(SLUG_TAKEN)


@contextmanager
def taking_an_address(refusal: Problem) -> Iterator[None]:
    """Store a tournament; if two take the same address at once, the later one is refused with the usual sentence."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise Refused(refusal) from error
