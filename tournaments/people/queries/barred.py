"""Who of a list may not play here: what this and other events of the site decided, read once."""

from collections.abc import Mapping
from datetime import date

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from scoring.problems import Problem
from tournaments.models import Registration, Tournament
from tournaments.people.rules.barred import Bar, Person, bar_against, bar_problems
from tournaments.record.actors import Actor, ActorKind

STATUS = Registration.Status


def day_of_play(tournament: Tournament) -> date:
    """Return the day that a disqualification must reach: the first of the event, or today once that has passed."""
    return max(tournament.first_day, timezone.localdate(timezone=tournament.zone))


def bars(tournament: Tournament) -> list[Bar]:
    """List who was removed from this event, or is disqualified on the day of play. [SBR 2.8.5] [RULES 1.8]"""
    here = Q(tournament=tournament, status__in=(STATUS.REMOVED, STATUS.DISQUALIFIED))
    elsewhere = Q(status=STATUS.DISQUALIFIED, disqualified_until__gte=day_of_play(tournament))
    rows = Registration.objects.filter(here | (elsewhere & ~Q(tournament=tournament)))
    return [
        Bar(
            person=person_of(row),
            number=row.pk,
            event=row.tournament.name,
            until=row.disqualified_until if row.tournament_id != tournament.pk else None,
        )
        for row in rows.select_related("player", "tournament").order_by("pk")
    ]


def person_of(row: Registration) -> Person:
    """Return what tells a registered player from another person."""
    return Person.of(row.player.name, row.player.city, row.player.federation_ids)


def is_desk(by: Actor) -> bool:
    """Return whether somebody may let a barred player in, with a reason."""
    return by.kind == ActorKind.USER and by.has_role("organizer", "chief_referee")


def bar_of(
    tournament: Tournament, name: str, city: str, federation_ids: Mapping[str, str], *, but: int = 0
) -> Bar | None:
    """Find what keeps somebody out."""
    return bar_against(Person.of(name, city, federation_ids), bars(tournament), but={but})


def problems_of(name: str, bar: Bar | None, *, by: Actor, reason: str = "") -> list[Problem]:
    """Return why somebody cannot be put on the list, or None."""
    until = date_format(bar.until, "DATE_FORMAT") if bar and bar.until else ""
    return bar_problems(name, bar, is_desk=is_desk(by), is_overridden=bool(reason.strip()), until=until)


def barred_here(tournament: Tournament) -> list[tuple[Registration, Bar]]:
    """Find players of this event whom another event of the site disqualified until a day of play or later."""
    known = [bar for bar in bars(tournament) if bar.until]
    if not known:
        return []
    rows = tournament.registrations.filter(status__in=(STATUS.ACTIVE, STATUS.WAITING))
    found = []
    for row in rows.select_related("player").order_by("number"):
        if bar := bar_against(person_of(row), known):
            found.append((row, bar))
    return found
