"""What is stored about a person, told to that person; where requests and contacts stand."""

import json
from datetime import date
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import ForeignObjectRel, Model, Q, QuerySet
from django.utils import timezone

from tournaments.models import (
    ErasureRequest,
    HandCheck,
    HistoryEntry,
    Player,
    Registration,
    Role,
    Seat,
    Session,
    Standing,
    Tournament,
    User,
)
from tournaments.people.rules.names import search_key
from tournaments.people.rules.questions import read_questions
from tournaments.person_fields import CONTACTS
from tournaments.privacy.rules import Situation
from tournaments.record import judges
from tournaments.standings.queries.frozen import shown_standing

SECRET = frozenset({"password", "content", "link_version"})
"""Never written into an export: what signs in, and files, which are named only."""


def fields_of(row: Model) -> dict[str, Any]:
    """Return every stored field of a row as plain values; a field that is added later is told as well."""
    told = (field for field in row._meta.concrete_fields if field.name not in SECRET)
    return {field.name: _plain(field.value_from_object(row)) for field in told}


def _plain(value: Any) -> Any:
    """Return what JSON can hold."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return None
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)


def player_data(player: Player) -> dict[str, Any]:
    """Return everything that is stored about a player of one event."""
    registration = Registration.objects.filter(player=player).first()
    about = [f"player:{player.pk}", *([f"registration:{registration.pk}"] if registration else [])]
    seats = Seat.objects.filter(Q(player=player) | Q(kept_for=player))
    return {
        "event": {"name": player.tournament.name, "address": player.tournament.slug},
        "player": fields_of(player) | {"team": str(player.team or "")},
        "registration": fields_of(registration) | {"questions": _questions(registration)}
        if registration
        else None,
        "substitute": [fields_of(row) for row in _substitute(player)],
        "roles": [fields_of(row) for row in player.roles.all()],
        "seats": [
            fields_of(seat) | {"session": seat.session.number, "table": seat.table.number}
            for seat in seats.select_related("session", "table").order_by("session__number")
        ],
        "standing": [fields_of(row) for row in _standings(player)],
        "adjustments": [fields_of(row) for row in player.adjustments.all()],
        "mails": [fields_of(row) for row in registration.mails.all()] if registration else [],
        "notifications": [fields_of(row) for row in registration.push_subscriptions.all()]
        if registration
        else [],
        "requests": [fields_of(row) for row in player.erasure_requests.all()],
        "objections": [fields_of(row) for row in player.objections.all()],
        "words_on_hands": [fields_of(row) for row in HandCheck.objects.filter(player=player)],
        **judges.data_of(player),
        "history": _entries(player.tournament, about),
    }


def _questions(registration: Registration) -> dict[str, str]:
    """Return the words of the organizer's questions that were answered, under the codes that the answers have."""
    found = read_questions(registration.tournament.questions)
    return {one.code: one.label for one in found if one.code in registration.answers}


def _standings(player: Player) -> list[Standing]:
    """Return the player's place and values; while standings are frozen, those that everybody sees. [RULES 9.15]"""
    registration = Registration.objects.filter(player=player).first()
    if registration is None or not player.tournament.is_frozen:
        return list(player.standings.all())
    shown = shown_standing(player.tournament, registration.number)
    return [shown] if shown else []


def sealed_mentions(player: Player) -> int:
    """Count the entries of the event's history in whose reason an official typed the player's name."""
    if not player.name:
        return 0
    wanted = search_key(player.name)
    rows = HistoryEntry.objects.filter(tournament=player.tournament).exclude(content__contains='"reason":""')
    reasons = (json.loads(content)["reason"] for content in rows.values_list("content", flat=True))
    return sum(1 for reason in reasons if wanted in search_key(reason))


def _substitute(player: Player) -> list[Model]:
    row = getattr(player, "substitute", None)
    return [row] if row else []


def _entries(tournament: Tournament, references: list[str]) -> list[dict[str, Any]]:
    """Return the entries of an event's history that a person made or that are about the person."""
    wanted = Q()
    for reference in references:
        wanted |= Q(content__contains=f'"by":"{reference}"') | Q(content__contains=f'"subject":"{reference}"')
    rows = HistoryEntry.objects.filter(wanted, tournament=tournament)
    return [{"at": row.at.isoformat(), "kind": row.kind, "number": row.number} for row in rows]


def account_data(user: User) -> dict[str, Any]:
    """Return everything that is stored about an account."""
    return {
        "account": fields_of(user),
        "addresses": [fields_of(row) for row in EmailAddress.objects.filter(user=user)],
        "second_factors": [
            {"type": row.type, "created_at": row.created_at.isoformat()}
            for row in Authenticator.objects.filter(user=user)
        ],
        "signed_in_devices": [
            fields_of(row) for row in UserSession.objects.filter(user=user).defer("session_key", "data")
        ],
        "roles": [
            fields_of(row) | {"event": row.tournament.slug}
            for row in Role.objects.filter(user=user).select_related("tournament")
        ],
        "templates": [fields_of(row) for row in user.event_templates.all()],
        "people_called_one": [fields_of(row) for row in user.same_persons.all()],
        "events_made": list(user.created_tournaments.values("slug", "name", "state")),
        "rows_that_name_the_account": _mentions(user),
    }


def _mentions(user: User) -> dict[str, int]:
    """Count in every other table the rows that name the account: who decided, made or admitted something."""
    counts: dict[str, int] = {}
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and not relation.many_to_many:
            model, name = relation.related_model, relation.field.name
            if number := model._base_manager.filter(**{name: user}).count():
                counts[f"{model._meta.label}.{name}"] = number
    return counts


def situation_of(player: Player) -> Situation:
    """Return the facts about a player that decide whether their data can be erased."""
    registration = Registration.objects.filter(player=player).first()
    mine = Seat.objects.filter(Q(player=player) | Q(kept_for=player))
    return Situation(
        is_running=player.tournament.state == Tournament.State.RUNNING,
        is_on_the_list=registration is not None and registration.status == Registration.Status.ACTIVE,
        is_at_a_table=mine.filter(session__state=Session.State.OPEN, player=player).exists(),
        has_played=mine.filter(session__started_at__isnull=False).exists(),
        open_appeals=tuple(judges.open_appeals_of(player)),
    )


def grouping_labels(tournament: Tournament) -> frozenset[str]:
    """Name the labels by which the event has tables of teams or groups."""
    return frozenset(str(table["by"]) for table in tournament.regulation["group_tables"])


def open_requests(tournament: Tournament) -> QuerySet[ErasureRequest]:
    """List the requests that the organizer has not answered yet, the most urgent first."""
    rows = tournament.erasure_requests.filter(state=ErasureRequest.State.OPEN)
    return rows.select_related("player__registration")


def overdue_requests(today: date) -> QuerySet[ErasureRequest]:
    """List the requests of all events whose day has passed."""
    rows = ErasureRequest.objects.filter(state=ErasureRequest.State.OPEN, due_on__lt=today)
    return rows.select_related("player__registration", "tournament")


def with_contacts(before: date) -> QuerySet[Player]:
    """List the players of events that ended before a day whose contacts or notes are still known."""
    said = ~Q(registration__comment="") | ~Q(registration__answers={})
    known = Q(registration__isnull=False) & said
    for one in CONTACTS:
        known |= ~Q((one.column, one.blank))
    return Player.objects.filter(known, tournament__last_day__lt=before).order_by("tournament_id", "pk")


def namesakes(player: Player) -> list[Player]:
    """List who is likely the same person in other events: of the same name, e-mail or federation number."""
    if not player.name:
        return []
    same = Q(search_key=player.search_key)
    if player.email:
        same |= Q(email__iexact=player.email)
    rows = Player.objects.filter(same, erased_at=None).exclude(pk=player.pk)
    ids = set(map(str, player.federation_ids.values()))
    found = list(rows.select_related("tournament", "registration", "team"))
    if ids:
        others = Player.objects.filter(erased_at=None).exclude(pk__in=[player.pk, *(row.pk for row in found)])
        found += [
            row
            for row in others.exclude(federation_ids={}).select_related("tournament", "registration", "team")
            if ids & set(map(str, row.federation_ids.values()))
        ]
    return found


def owned_alone(user: User) -> list[Tournament]:
    """List the events that would belong to nobody without this account, the finished ones left out."""
    rows = Tournament.objects.filter(roles__user=user, roles__kind=Role.Kind.ORGANIZER)
    shared = Role.objects.filter(kind=Role.Kind.ORGANIZER, user__is_active=True).exclude(user=user)
    return list(
        rows.exclude(state__in=(Tournament.State.CLOSED, Tournament.State.CANCELLED))
        .exclude(pk__in=shared.values("tournament"))
        .distinct()
        .order_by("pk")
    )


def today() -> date:
    """Return the day by which deadlines are counted."""
    return timezone.now().date()
