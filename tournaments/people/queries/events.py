"""Which events people see, and who takes part in them."""

from django.db.models import Case, Count, Q, QuerySet, When

from tournaments.models import Registration, Role, Tournament
from tournaments.models.tournament import IN_LISTS
from tournaments.people.rules.checkin import Headcount, headcount

GONE = (Registration.Status.WITHDRAWN, Registration.Status.REMOVED, Registration.Status.DISQUALIFIED)


def visible_tournaments(user_id: int | None = None) -> QuerySet[Tournament]:
    """List what the operator lets stand in lists, and every event at which the user works, the latest first; no rehearsals.

    The order is named here: a count drops the one of the model.
    """
    seen = IN_LISTS
    if user_id:
        seen |= Q(roles__user_id=user_id)
    rows = Tournament.objects.filter(seen, rehearsal_of=None).annotate(player_count=taking_part()).distinct()
    return rows.order_by("-first_day", "-id")


def events_run_by(user_id: int) -> QuerySet[Tournament]:
    """List the events that somebody organizes, the latest first: another one can begin from any of them."""
    rows = Tournament.objects.filter(roles__user_id=user_id, roles__kind=Role.Kind.ORGANIZER)
    rows = rows.exclude(listing=Tournament.Listing.DELETED).filter(is_demo=False)
    return rows.distinct().order_by("-first_day", "-id")


def taking_part() -> Case:
    """Count the players of an event: those on the list, and once it is finished those who have a place.

    So whoever left it has taken part, and who never came has not. [RULES 8.59]
    """
    listed = Count("registrations", filter=Q(registrations__status=Registration.Status.ACTIVE), distinct=True)
    placed = Count("standings", filter=Q(standings__place__isnull=False), distinct=True)
    return Case(When(state=Tournament.State.CLOSED, then=placed), default=listed)


def finished_tournaments() -> QuerySet[Tournament]:
    """List the archive, the latest first, with how many took part."""
    return visible_tournaments().filter(state=Tournament.State.CLOSED)


def headcount_of(tournament: Tournament) -> Headcount:
    """Count the tables that those who are here make; while nobody is checked in, those on the list."""
    active = tournament.registrations.filter(status=Registration.Status.ACTIVE)
    regulation = tournament.regulation
    return headcount(
        active.filter(checked_in_at__isnull=False).count() or active.count(),
        table_size=regulation["table_size"],
        smallest_table=regulation["smallest_table"],
        substitutes=tournament.substitutes.count(),
        points=regulation["tournament_points"],
    )
