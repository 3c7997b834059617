"""Who can have a place now: the maximum of the event and its quotas, counted once for as many as ask."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import get_language

from scoring.problems import Problem, gettext_noop
from tournaments.models import Player, Registration, Tournament
from tournaments.people.rules.quotas import BY, Quota, group_of, quota_problem, read_quotas
from tournaments.people.rules.registration import is_full
from tournaments.record.refusal import say
from tournaments.templatetags.looks import country_name

STATUS = Registration.Status
HELD = Q(status=STATUS.ACTIVE) | Q(status=STATUS.WAITING, offered_until__isnull=False)
"""Places that are given, or held by an offer."""
ALL_TAKEN = gettext_noop("All %(limit)s places of the event are taken.")


class Places:
    """The places that are taken, in all and by each country and club that has a quota."""

    def __init__(self, tournament: Tournament, *, but: Registration | None = None) -> None:
        """Count the places; that of one registration may be left out."""
        self.limit: int | None = tournament.regulation["max_players"]
        self.quotas = read_quotas(tournament.quotas)
        rows = tournament.registrations.filter(HELD)
        if but is not None:
            rows = rows.exclude(pk=but.pk)
        self.counts: dict[str, Counter[str]] = {by: Counter() for by in self.quotas}
        if not self.quotas:
            self.taken = rows.count()
            return
        people = list(rows.values_list("player__country", "player__club"))
        self.taken = len(people)
        for country, club in people:
            self._count({"country": country, "club": club})

    def why_not(self, who: Any) -> Problem | None:
        """Return why a player cannot have a place now; who it is are details or a player with a country and a club."""
        if is_full(self.taken, self.limit):
            return Problem("event_full", ALL_TAKEN, details={"limit": self.limit})
        return self.beyond_quota(who)

    def beyond_quota(self, who: Any) -> Problem | None:
        """Return the first quota that leaves a player no place. [RULES 9.28]"""
        return next(iter(self.beyond_quotas(who)), None)

    def beyond_quotas(self, who: Any) -> list[Problem]:
        """List the quotas that leave a player no place. [RULES 9.28]"""
        said = [(by, getattr(who, by), quota) for by, quota in self.quotas.items()]
        return [
            quota_problem(by, named_group(by, value), most)
            for by, value, quota in said
            if (most := quota.of(by, value)) is not None and self.counts[by][group_of(by, value)] >= most
        ]

    def take(self, who: Any) -> None:
        """Count one more place as taken."""
        self.taken += 1
        self._count({by: getattr(who, by) for by in self.quotas})

    def _count(self, labels: Mapping[str, str]) -> None:
        for by in self.quotas:
            self.counts[by][group_of(by, labels[by])] += 1


def named_group(by: str, value: str) -> str:
    """Name a country or a club as people read it."""
    return country_name(value) if by == "country" and get_language() else value.strip()


def in_line(tournament: Tournament) -> QuerySet[Registration]:
    """List who waits for a place or is offered one, the first in line first; who let an offer lapse is not in line."""
    return tournament.registrations.filter(status=STATUS.WAITING, passed_over_at=None).order_by("number")


def waits_for_a_place(tournament: Tournament, places: Places) -> bool:
    """Return whether somebody is in line whom no quota keeps waiting: nobody who comes later goes before them.

    Whoever is offered a place has it held already, and keeps nobody from another.
    """
    rows = in_line(tournament).filter(offered_until=None)
    if not places.quotas:
        return rows.exists()
    return any(places.beyond_quota(row.player) is None for row in rows.select_related("player"))


def why_waiting(registration: Registration) -> Problem | None:
    """Return why somebody who is in line has no place yet. [RULES 9.28]"""
    if registration.status != STATUS.WAITING or registration.offered_until or registration.passed_over_at:
        return None
    return Places(registration.tournament).why_not(registration.player)


def quota_sentence(registration: Registration) -> str:
    """Say which quota keeps somebody waiting; nothing where it is not a quota."""
    why = why_waiting(registration)
    return say(why) if why is not None and why.code == "quota_full" else ""


def will_wait(tournament: Tournament, people: Sequence[Any]) -> list[tuple[Any, Problem | None]]:
    """Return who of a list would be put on the waiting list, in its order, each with the reason; None where others are in line."""
    places = Places(tournament)
    is_waited = waits_for_a_place(tournament, places)
    found = []
    for who in people:
        why = places.why_not(who)
        if is_waited or why is not None:
            found.append((who, why))
        else:
            places.take(who)
    return found


def quotas_of(tournament: Tournament) -> list[tuple[str, Quota]]:
    """List the quotas of an event with what they count."""
    return list(read_quotas(tournament.quotas).items())


def held_by(tournament: Tournament) -> dict[str, dict[str, int]]:
    """Count the places of each country and club as people call them, the largest first, for the desk."""
    rows = Player.objects.filter(registration__in=tournament.registrations.filter(HELD))
    found: dict[str, dict[str, int]] = {}
    for by in BY:
        counts = Counter(value for value in rows.values_list(by, flat=True) if value)
        found[by] = {named_group(by, value): number for value, number in counts.most_common(12)}
    return found
