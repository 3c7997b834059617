"""One person over the events of the site: known by the number of a federation, never by name alone. [RULES 9.36]"""

import re
from collections.abc import Iterable, Mapping

from django.db.models import Q, QuerySet

from tournaments.models import Player, Registration, Tournament
from tournaments.models.tournament import IN_LISTS

STATUS = Registration.Status
SEEN = (STATUS.ACTIVE, STATUS.WITHDRAWN, STATUS.REMOVED, STATUS.DISQUALIFIED)
FEDERATION = re.compile(r"[A-Z]{2,8}")

Key = tuple[str, str]


def keys_of(federation_ids: Mapping[str, str]) -> frozenset[Key]:
    """Return the numbers that tell a person from everybody else; an empty one tells nothing."""
    return frozenset(
        (federation, number.strip())
        for federation, number in federation_ids.items()
        if FEDERATION.fullmatch(federation) and number.strip()
    )


def appearances(row: Registration) -> list[Registration]:
    """List where a person plays or played, the latest event first: this event, and those of the site's lists.

    Where an event knows a second number, that joins others as well: whichever is asked from, the same are found.
    An erased person has no number any more and appears nowhere. [RULES 9.36]
    """
    keys = keys_of(row.player.federation_ids)
    while True:
        rows = _seen(row.tournament).filter(
            _same(keys) | Q(pk=row.pk), Q(tournament__in=_listed()) | Q(pk=row.pk)
        )
        found = list(rows.order_by("-tournament__first_day", "-tournament_id", "number"))
        joined = keys.union(*(keys_of(one.player.federation_ids) for one in found))
        if joined == keys:
            return found
        keys = joined


def also_now(rows: Iterable[Registration]) -> list[Registration]:
    """List where the same persons take part in other events that are announced or in play. [RULES 9.36]"""
    found: dict[int, Registration] = {}
    for is_demo in (False, True):
        known = [row for row in rows if row.tournament.is_demo == is_demo]
        keys = frozenset().union(*(keys_of(row.player.federation_ids) for row in known))
        if keys:
            states = (Tournament.State.ANNOUNCED, Tournament.State.RUNNING)
            others = _seen(known[0].tournament).filter(_same(keys), tournament__in=_listed())
            found |= {row.pk: row for row in others.filter(tournament__state__in=states)}
    for row in rows:
        found.pop(row.pk, None)
    return list(found.values())


def identities(players: Iterable[Player]) -> dict[int, Key | int]:
    """Return what each player is counted under: one of the numbers that belong together, else this appearance alone. [RULES 9.36]"""
    known = {player.pk: sorted(keys_of(player.federation_ids)) for player in players}
    above: dict[Key, Key] = {}

    def top(key: Key) -> Key:
        while (up := above.setdefault(key, key)) != key:
            key = up
        return key

    for keys in known.values():
        for key in keys[1:]:
            above[top(key)] = top(keys[0])
    return {pk: top(keys[0]) if keys else pk for pk, keys in known.items()}


def _same(keys: Iterable[Key]) -> Q:
    same = Q(pk=None)
    for federation, number in keys:
        same |= Q(**{f"player__federation_ids__{federation}": number})
    return same


def _seen(tournament: Tournament) -> QuerySet[Registration]:
    """List whoever public pages show; events of a demonstration keep to themselves."""
    rows = Registration.objects.filter(
        player__erased_at=None, status__in=SEEN, tournament__is_demo=tournament.is_demo
    )
    return rows.select_related("player", "tournament")


def _listed() -> QuerySet[Tournament]:
    return Tournament.objects.filter(IN_LISTS, rehearsal_of=None)
