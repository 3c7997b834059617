"""What an operator looks through: accounts, events, reports, persons, and what waits for an answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import (
    AbuseReport,
    OperatorEntry,
    Player,
    Role,
    Session,
    Tournament,
    User,
)
from tournaments.operator.labels import ACTS
from tournaments.operator.rules import Limits, Organizer, Policy
from tournaments.people.rules.names import search_key
from tournaments.people.rules.spelling import answers
from tournaments.privacy.queries import overdue_requests, today

LISTING = Tournament.Listing
STATES = Tournament.State
DAY = timedelta(days=1)
MOST_ALIKE = 500
ORGANIZES = Role.objects.filter(
    tournament=OuterRef("pk"), kind=Role.Kind.ORGANIZER, user__is_active=True, user__erased_at=None
)
REPORTED = AbuseReport.objects.filter(tournament=OuterRef("pk"), resolved_at=None)
GIVEN_UP = Q(state__in=(STATES.DRAFT, STATES.ANNOUNCED)) & (
    Q(listing=LISTING.WITHHELD) | Q(listing__in=(LISTING.HIDDEN, LISTING.ARCHIVED), registrations=None)
)
"""What an operator has put aside and nobody has begun to play: closed to strangers, or off the lists with nobody on its own."""


def has_operator() -> bool:
    """Return whether anybody runs the site who could approve something."""
    return User.objects.filter(is_superuser=True, is_active=True).exists()


def needs_approval() -> bool:
    """Return whether new organizers wait for an operator's approval."""
    return bool(settings.NEW_ORGANIZERS == Policy.APPROVAL)


def limits() -> Limits:
    """Return how many events an account may make."""
    return Limits(a_day=settings.MOST_EVENTS_A_DAY, drafts=settings.MOST_DRAFTS)


def organizer(user: User) -> Organizer:
    """Return what the site knows of an account. An event that was played to the end of a session speaks for its organizer."""
    held = Tournament.objects.filter(
        roles__user=user,
        roles__kind=Role.Kind.ORGANIZER,
        listing__in=(LISTING.LISTED, LISTING.ARCHIVED),
        sessions__state=Session.State.CLOSED,
    )
    return Organizer(
        is_operator=user.is_superuser,
        is_approved=user.approved_at is not None,
        has_held_an_event=held.exists(),
    )


def made_today(user: User) -> int:
    """Count the events that the account made in the last 24 hours, deleted ones too."""
    return Tournament.objects.filter(created_by=user, created_at__gt=timezone.now() - DAY).count()


def drafts_of(user: User) -> int:
    """Count the drafts that the account has made and not announced or deleted."""
    return user.created_tournaments.filter(state=STATES.DRAFT).exclude(listing=LISTING.DELETED).count()


@dataclass(frozen=True)
class Waiting:
    """What waits for the operator, by kind."""

    accounts: int
    events: int
    reports: int
    orphans: int
    requests: int


def waiting() -> Waiting:
    """Count what waits for the operator."""
    return Waiting(
        accounts=accounts("waiting").count() if needs_approval() else 0,
        events=events("awaiting").count(),
        reports=AbuseReport.objects.filter(resolved_at=None).count(),
        orphans=events("orphans").count(),
        requests=overdue_requests(today()).count(),
    )


@dataclass(frozen=True)
class Outlook:
    """What an account may expect of a new event: whether it must be approved first, or waits for the home page."""

    needs_approval: bool
    waits: bool


def creation_outlook(user: User) -> Outlook:
    """Return what awaits a new event of an account, before its form is filled in."""
    if not has_operator():
        return Outlook(needs_approval=False, waits=False)
    is_trusted = organizer(user).is_trusted
    return Outlook(needs_approval=needs_approval() and not is_trusted, waits=not is_trusted)


# Accounts

ACCOUNT_KINDS: Mapping[str, Q] = {
    "": Q(erased_at=None),
    "waiting": Q(approved_at=None, erased_at=None, is_superuser=False, is_active=True)
    & ~Q(password__startswith=UNUSABLE_PASSWORD_PREFIX),
    "approved": Q(approved_at__isnull=False, erased_at=None),
    "blocked": Q(is_active=False, erased_at=None),
    "operators": Q(is_superuser=True),
    "deleted": Q(erased_at__isnull=False),
}


def accounts(kind: str = "", words: str = "") -> QuerySet[User]:
    """List accounts of a kind that answer the words, the newest first, with the number of their events."""
    rows = User.objects.filter(ACCOUNT_KINDS[kind])
    if words:
        texts = rows.values_list("pk", "username", "email", "first_name", "last_name")
        rows = rows.filter(pk__in=_matching(texts, words))
    events_made = Count("roles__tournament", filter=Q(roles__kind=Role.Kind.ORGANIZER), distinct=True)
    return rows.annotate(event_count=events_made).order_by("-date_joined", "-pk")


# Events

EVENT_KINDS = (
    "",
    "awaiting",
    "drafts",
    "empty",
    "orphans",
    "reported",
    "hidden",
    "withheld",
    "archived",
    "deleted",
)


def events(kind: str = "", words: str = "") -> QuerySet[Tournament]:
    """List events of a kind that answer the words, the newest first, with players and open reports."""
    rows = _of_kind(Tournament.objects.all(), kind)
    if words:
        texts = rows.values_list("pk", "name", "city", "venue", "slug", "description", "created_by__username")
        rows = rows.filter(pk__in=_matching(texts, words))
    return (
        rows.select_related("created_by")
        .annotate(
            player_count=Count("registrations", distinct=True),
            report_count=Count("reports", filter=Q(reports__resolved_at=None), distinct=True),
            is_owned=Exists(ORGANIZES),
        )
        .order_by("-created_at", "-pk")
    )


def _of_kind(rows: QuerySet[Tournament], kind: str) -> QuerySet[Tournament]:
    """Keep the events of one filter; deleted ones are shown by their own alone."""
    if kind == "deleted":
        return rows.filter(listing=LISTING.DELETED)
    rows = rows.exclude(listing=LISTING.DELETED)
    if kind in ("hidden", "withheld", "archived"):
        return rows.filter(listing=kind)
    kinds: Mapping[str, Q] = {
        "": Q(),
        "awaiting": Q(listing=LISTING.AWAITING) & ~Q(state=STATES.DRAFT),
        "drafts": Q(state=STATES.DRAFT),
        "empty": Q(registrations=None),
        "orphans": ~Q(Exists(ORGANIZES)) & ~Q(state__in=(STATES.CLOSED, STATES.CANCELLED)) & ~GIVEN_UP,
        "reported": Q(Exists(REPORTED)),
    }
    return rows.filter(kinds[kind])


def events_of(user: User) -> list[Tournament]:
    """List the events at which an account works or that it made, the newest first."""
    rows = Tournament.objects.filter(Q(roles__user=user) | Q(created_by=user)).distinct()
    return list(rows.order_by("-created_at", "-pk"))


def owned_events(user: User) -> list[Tournament]:
    """List the events that an account made or organizes alone and in which nobody has played: a spammer's, as a rule."""
    shared = Role.objects.filter(kind=Role.Kind.ORGANIZER, user__is_active=True).exclude(user=user)
    rows = Tournament.objects.filter(
        Q(roles__user=user, roles__kind=Role.Kind.ORGANIZER) | Q(created_by=user)
    )
    rows = rows.filter(state__in=(STATES.DRAFT, STATES.ANNOUNCED)).exclude(listing=LISTING.DELETED)
    return list(rows.exclude(pk__in=shared.values("tournament")).distinct().order_by("pk"))


# Persons


def persons(words: str) -> QuerySet[Player]:
    """List players of all events by a part of the name in either alphabet, the e-mail, the telephone or a federation number."""
    key = search_key(words)
    if not key:
        return Player.objects.none()
    wanted = Q(search_key__contains=key) | Q(email__icontains=words) | Q(phone__contains=words)
    if words.isascii() and words.isdigit():
        numbered = Player.objects.exclude(federation_ids={}).values_list("pk", "federation_ids")
        wanted |= Q(pk__in=[pk for pk, ids in numbered if words in map(str, ids.values())])
    else:
        wanted |= Q(name__in=_names_alike(words, key))
    rows = Player.objects.filter(wanted, erased_at=None)
    return rows.select_related("tournament", "registration", "team").order_by("search_key", "pk")


def _names_alike(words: str, key: str) -> list[str]:
    """List names that are found in the other alphabet alone; as many as a question to the database may hold."""
    rows = Player.objects.filter(erased_at=None).exclude(search_key__contains=key)
    names = rows.order_by("name").values_list("name", flat=True).distinct()
    return list(islice((name for name in names.iterator() if answers(words, name)), MOST_ALIKE))


# The log


@dataclass(frozen=True)
class LogRow:
    """An entry of the operator's log with names in place of ids, as far as they are still known."""

    row: OperatorEntry
    label: str
    by: str
    subject: str
    detail: str


def described(rows: Iterable[OperatorEntry]) -> list[LogRow]:
    """Return entries in words; the number of queries does not depend on the number of entries."""
    rows = list(rows)
    wanted: dict[str, set[str]] = {}
    for row in rows:
        for reference in (row.by, row.subject):
            kind, _colon, number = reference.partition(":")
            if number:
                wanted.setdefault(kind, set()).add(number)
    names = _names(wanted)
    return [
        LogRow(
            row=row,
            label=str(ACTS[row.kind]),
            by=names.get(row.by, row.by),
            subject=names.get(row.subject, row.subject),
            detail=_detail(row),
        )
        for row in rows
    ]


def _detail(row: OperatorEntry) -> str:
    """Say from which place in the lists an event was taken to which."""
    if not {"from", "to"} <= row.data.keys():
        return ""
    return " → ".join(str(LISTING(row.data[side]).label) for side in ("from", "to"))


def _names(wanted: Mapping[str, set[str]]) -> dict[str, str]:
    users = User.objects.filter(pk__in=wanted.get("user", ()))
    events = Tournament.objects.filter(pk__in=wanted.get("tournament", ()))
    players = Player.objects.filter(pk__in=wanted.get("player", ())).select_related("tournament")
    return {
        "system": _("the server's command line"),
        **{f"user:{row.pk}": _numbered(row.title, row) for row in users},
        **{f"tournament:{row.pk}": str(row) for row in events},
        **{f"player:{row.pk}": f"{_numbered(str(row), row)} · {row.tournament}" for row in players},
    }


def _numbered(name: str, row: User | Player) -> str:
    """Add the number where the name is gone: it leads to the page on which an erasure is done again after a restore."""
    if row.erased_at is None:
        return name
    return _("%(name)s, number %(number)s") % {"name": name, "number": row.pk}


def _matching(texts: Iterable[tuple[Any, ...]], words: str) -> list[Any]:
    """Return the keys of the rows with all the words, whatever their case: SQLite folds ASCII only."""
    wanted = search_key(words).split()
    return [
        pk for pk, *parts in texts if all(word in search_key(" ".join(map(str, parts))) for word in wanted)
    ]
