"""Remove events of the demo wholly, with their history, and the demo's accounts with the last of them.

The history of an event is append-only, and so is that of a demo event while it lasts. Its deletion is allowed for that
one event, within one transaction and under its lock, and only where it was marked as a demo when it was created: the
triggers refuse every other event's entries even then (`tournaments.record.triggers.open_for_removal`).
"""

from collections.abc import Iterator

from django.apps import apps
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.db.models import ForeignKey, Model, ProtectedError, Q

from config.tools.demo.play import ORGANIZERS, PLAYED_BY
from tournaments.models import HistoryEntry, Tournament, User
from tournaments.record import triggers
from tournaments.record.locks import lock_tournament

APPS = ("tournaments", "seating", "penalties")


class NotADemo(Exception):
    """An event that was not made by the demo is never removed."""


@transaction.atomic
def remove_event(tournament: Tournament) -> None:
    """Delete an event of the demo with everything that hangs on it."""
    tournament = lock_tournament(tournament)
    if not tournament.is_demo:
        raise NotADemo(f"{tournament} is no event of the demo.")
    with triggers.open_for_removal(connection, tournament.pk):
        for model, path in rows_of_an_event():
            rows = model._base_manager.filter(**{path: tournament.pk}).order_by()
            model._base_manager.filter(pk__in=list(rows.values_list("pk", flat=True)))._raw_delete(
                connection.alias
            )
        Tournament.objects.filter(pk=tournament.pk)._raw_delete(connection.alias)


def rows_of_an_event() -> list[tuple[type[Model], str]]:
    """Return every model whose rows belong to a tournament, with the way there; those farthest away first."""
    found: dict[type[Model], str] = {}
    nearest: list[tuple[type[Model], str]] = [(Tournament, "")]
    while nearest:
        model, way = nearest.pop(0)
        for other, field in _pointing_to(model):
            if other not in found and other is not Tournament:
                found[other] = f"{field}__{way}" if way else field
                nearest.append((other, found[other]))
    return sorted(found.items(), key=lambda known: -known[1].count("__"))


def _pointing_to(model: type[Model]) -> Iterator[tuple[type[Model], str]]:
    """Find the models that belong to rows of this one, by a field that is never empty, or by one of several."""
    for app in APPS:
        for other in apps.get_app_config(app).get_models():
            for field in other._meta.get_fields():
                if isinstance(field, ForeignKey) and field.related_model is model and not field.null:
                    yield other, field.name


def is_touched() -> bool:
    """Return whether anybody but the demo itself has done something in one of its events."""
    maker = User.objects.filter(username=PLAYED_BY).first()
    ours = Q(content__contains=f'"by":"user:{maker.pk}"') if maker else Q(pk=None)
    return (
        HistoryEntry.objects.filter(tournament__is_demo=True, tournament__rehearsal_of=None)
        .exclude(ours)
        .exists()
    )


def remove_all() -> tuple[int, list[str]]:
    """Remove the demo; return how many events that were, and the accounts that stay because they work elsewhere.

    The accounts are those that were made with the demo; whoever else was let in to one of its events is left alone.
    """
    tournaments = list(Tournament.objects.filter(is_demo=True, rehearsal_of=None))
    for tournament in tournaments:
        remove_event(tournament)
    accounts = list(User.objects.filter(Q(groups__name=ORGANIZERS) | Q(username=PLAYED_BY)).distinct())
    Group.objects.filter(name=ORGANIZERS).delete()
    return len(tournaments), [account.username for account in accounts if not _remove_account(account)]


@transaction.atomic
def _remove_account(account: User) -> bool:
    """Delete an account of the demo, unless it works elsewhere or keeps the site."""
    did = Q(content__contains=f'"by":"user:{account.pk}"') | Q(
        content__contains=f'"subject":"user:{account.pk}"'
    )
    if account.is_staff or account.is_superuser or HistoryEntry.objects.filter(did).exists():
        return False
    try:
        with transaction.atomic():
            account.delete()
    except ProtectedError:
        return False
    return True
