"""Who of a list may not play here: what this and other events of the site decided, read once."""

from collections.abc import Mapping
from datetime import date

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from scoring.problems import Problem
from tournaments.models import Registration, Tournament
from tournaments.people.rules.barred import Bar, Person, bar_against, bar_problems, question_about
from tournaments.record.actors import Actor, ActorKind

STATUS = Registration.Status


def day_of_play(tournament: Tournament) -> date:
    """Return the day that a disqualification must reach: the first of the event, or today once that has passed."""
    return max(tournament.first_day, timezone.localdate(timezone=tournament.zone))


def bars(tournament: Tournament) -> list[Bar]:
    """List who was removed from this event, or is disqualified on the day of play, or until that is lifted.

    [SBR 2.8.5] [RULES 1.8] [RULES 8.56]
    """
    here = Q(tournament=tournament, status__in=(STATUS.REMOVED, STATUS.DISQUALIFIED))
    lasts = Q(disqualified_until__gte=day_of_play(tournament)) | Q(disqualified_until=None)
    elsewhere = Q(status=STATUS.DISQUALIFIED) & lasts
    rows = Registration.objects.filter(here | (elsewhere & ~Q(tournament=tournament)))
    return [
        Bar(
            person=person_of(row),
            number=row.pk,
            event=row.tournament.name,
            until=row.disqualified_until if row.tournament_id != tournament.pk else None,
            is_here=row.tournament_id == tournament.pk,
        )
        for row in rows.select_related("player", "tournament").order_by("pk")
    ]


def person_of(row: Registration) -> Person:
    """Return what tells a registered player from another person."""
    return Person.of(row.player)


def is_desk(by: Actor) -> bool:
    """Return whether somebody may let a barred player in, with a reason."""
    return by.kind == ActorKind.USER and by.has_role("organizer", "chief_referee")


def bar_of(
    tournament: Tournament, name: str, city: str, federation_ids: Mapping[str, str], *, but: int = 0
) -> Bar | None:
    """Find what keeps somebody out."""
    return bar_against(Person.known_as(name, city, federation_ids), bars(tournament), but={but})


def problems_of(name: str, bar: Bar | None, *, by: Actor, reason: str = "") -> list[Problem]:
    """Return why somebody cannot be put on the list, or None."""
    until = date_format(bar.until, "DATE_FORMAT") if bar and bar.until else ""
    return bar_problems(name, bar, is_desk=is_desk(by), is_overridden=bool(reason.strip()), until=until)


def barred_here(tournament: Tournament) -> list[tuple[Registration, Bar, bool]]:
    """Find players of this event who are disqualified by another one, or may be: the desk is asked. [RULES 8.56]

    The last says whether it is the same person as far as that can be known; whom the desk has answered about is left out.
    """
    known = [bar for bar in bars(tournament) if not bar.is_here]
    if not known:
        return []
    rows = tournament.registrations.filter(status__in=(STATUS.ACTIVE, STATUS.WAITING))
    found = []
    for row in rows.select_related("player").order_by("number"):
        person = person_of(row)
        if bar := question_about(person, known, but=row.cleared):
            found.append((row, bar, bar.person.is_same(person)))
    return found
