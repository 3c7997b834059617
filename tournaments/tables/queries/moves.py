"""Tablets that are to go on to another event in the same hall: where to, and by which secret. [RULES 9.42]"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournaments.models import Admission, Role, Tournament
from tournaments.people.queries.shared import in_the_same_hall


@dataclass(frozen=True)
class Move:
    """Where a tablet is to go: the name of the event, and the address of its tablets with the secret that admits this one."""

    event: str
    address: str


def destinations(tournament: Tournament, user_id: int, kinds: Collection[str]) -> list[Tournament]:
    """List the events in the same hall in which somebody has one of these roles."""
    roles = Role.objects.filter(user=user_id, kind__in=kinds)
    theirs = set(roles.values_list("tournament_id", flat=True))
    return [beside.event for beside in in_the_same_hall(tournament) if beside.event.pk in theirs]


def pending(tournament: Tournament) -> QuerySet[Admission]:
    """List the tablets of an event that are still to go, as the invitations that wait for them."""
    rows = Admission.objects.filter(
        moved_from__tournament=tournament, moved_from__revoked_at=None, used_at=None
    )
    rows = rows.filter(expires_at__gt=timezone.now()).exclude(tournament__listing=Tournament.Listing.DELETED)
    return rows.select_related("tournament")


def move_of(tournament: Tournament, device_id: int | None) -> Move | None:
    """Return where a tablet is to go; None while nobody has said so."""
    found = pending(tournament).filter(moved_from=device_id).first() if device_id else None
    if found is None:
        return None
    address = reverse("tournaments:tablet", args=[found.tournament.slug])
    return Move(found.tournament.name, f"{address}#{secret_of(device_id or 0, found.tournament_id)}")


def secret_of(device_id: int, tournament_id: int) -> str:
    """Return the secret by which this tablet, and no other, is admitted to that event; it is made anew whenever it is told."""
    return salted_hmac(
        "four-winds moved tablet", f"{device_id}:{tournament_id}", algorithm="sha256"
    ).hexdigest()
