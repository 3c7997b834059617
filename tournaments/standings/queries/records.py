"""Records of an event and of the site: the best hands, runs of wins, results at a table; from sealed sessions alone. [RULES 9.37]"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic

from django.core.cache import cache
from django.db.models import Q
from django.utils.translation import gettext

from scoring.systems import SYSTEMS
from tournaments.models import Player, Seat, Session, Snapshot, Tournament
from tournaments.models.tournament import IN_LISTS
from tournaments.standings.queries.figures import HandCard, hand_cards
from tournaments.standings.queries.revision_cache import A_DAY
from tournaments.standings.queries.statistics import people_of, sealed_figures
from tournaments.standings.rules.figures import Figures, Streak, WonHand

MOST_HANDS = 5
MOST_ROWS = 3
A_MONTH = 30 * A_DAY
PATIENCE = 2.0
"""So many seconds a reader waits at most while events are counted for the first time; the others follow with the next reader."""


@dataclass(frozen=True)
class AtTable:
    """A result at a table: whose, and how many points."""

    points: int
    player: int
    session: int
    table: int


@dataclass(frozen=True)
class Marks:
    """The highest of one event, as numbers: small enough to be kept for every event of the site."""

    hands: Sequence[WonHand]
    runs: Sequence[Streak]
    wins: Sequence[tuple[int, int]]
    results: Sequence[AtTable]


@dataclass(frozen=True)
class Told:
    """A record as a page shows it: how much, by whom, in which event, and where to read it."""

    value: int
    player: Player | None
    tournament: Tournament
    session: int | None = None
    table: int | None = None


@dataclass(frozen=True)
class Records:
    """The records of one system over some events."""

    system: str
    hands: Sequence[tuple[Tournament, HandCard]]
    runs: Sequence[Told]
    wins: Sequence[Told]
    results: Sequence[Told]

    @property
    def name(self) -> str:
        """Return the name of the system in the reader's language."""
        return gettext(SYSTEMS[self.system].name)


@dataclass(frozen=True)
class SiteRecords:
    """The records of every system, from how many of how many finished events."""

    systems: Sequence[Records]
    counted: int
    events: int


def event_records(tournament: Tournament) -> Records | None:
    """Return the records of an event; none before a session is sealed."""
    marks = marks_of(tournament)
    if not marks.hands and not marks.results:
        return None
    return _told(tournament.system, [(tournament, marks)])


def marks_of(tournament: Tournament) -> Marks:
    """Find the highest of an event's sealed sessions; a seat in which two played makes no record of either. [RULES 8.35] [RULES 9.37]"""
    figures = sealed_figures(tournament)
    seats = Seat.objects.filter(
        Q(kept_for=None) | Q(from_hand=1),
        session__tournament=tournament,
        session__state=Session.State.CLOSED,
        table__protocol__isnull=False,
        player__isnull=False,
    ).order_by("-hand_points", "session__number", "table__number", "pk")
    rows = seats.values_list("hand_points", "player_id", "session__number", "table__number")
    return Marks(
        hands=figures.best[:MOST_HANDS],
        runs=[figures.streak] if figures.streak and figures.streak.length > 1 else [],
        wins=_most_wins(figures),
        results=[AtTable(*row) for row in rows[:MOST_ROWS]],
    )


def _most_wins(figures: Figures) -> list[tuple[int, int]]:
    rows = sorted((-tally.wins, player) for player, tally in figures.players.items() if tally.wins)
    return [(-wins, player) for wins, player in rows[:MOST_ROWS]]


# The site


def site_records() -> SiteRecords:
    """Return the records of the finished events that stand in lists; what was never counted is counted while there is time."""
    events = _finished()
    keys = _keys(events)
    found = cache.get_many(keys.values())
    begun = monotonic()
    for of in events:
        if keys[of.pk] not in found and monotonic() - begun < PATIENCE:
            found[keys[of.pk]] = marks_of(of)
            cache.set(keys[of.pk], found[keys[of.pk]], A_MONTH)
    known = [(of, found[keys[of.pk]]) for of in events if keys[of.pk] in found]
    systems = [
        _told(system, [(of, marks) for of, marks in known if of.system == system])
        for system in SYSTEMS
        if any(of.system == system for of, _marks in known)
    ]
    return SiteRecords([one for one in systems if one.hands or one.results], len(known), len(events))


def _finished() -> list[Tournament]:
    """List the finished events, the latest first; those of a demonstration only where there are no others."""
    rows = Tournament.objects.filter(
        IN_LISTS, state=Tournament.State.CLOSED, rehearsal_of=None, is_demo=False
    )
    if not rows.exists():
        rows = Tournament.objects.filter(IN_LISTS, state=Tournament.State.CLOSED, rehearsal_of=None)
    return [of for of in rows.order_by("-first_day", "-pk") if not of.is_frozen]


def _keys(events: Iterable[Tournament]) -> dict[int, str]:
    """Return a key for the newest revision of each event."""
    rows = Snapshot.objects.filter(tournament__in=[of.pk for of in events])
    made = {
        pk: f"{revision}-{at.timestamp()}"
        for pk, revision, at in rows.values_list("pk", "revision", "made_at")
    }
    return {of.pk: f"records-of-{of.pk}-{of.entries}-{made.get(of.pk, 0)}" for of in events}


def _told(system: str, known: Sequence[tuple[Tournament, Marks]]) -> Records:
    """Choose the highest of all, equal ones in the order in which they were played, and name their people."""
    oldest = list(reversed(known))
    hands = sorted(
        ((of, won) for of, marks in oldest for won in marks.hands),
        key=lambda pair: (-pair[1].worth, -(pair[1].gained or 0)),
    )[:MOST_HANDS]
    runs = _top((of, one.length, one.player, one.session, one.table) for of, m in oldest for one in m.runs)
    wins = _top((of, count, player, None, None) for of, m in oldest for count, player in m.wins)
    results = _top(
        (of, one.points, one.player, one.session, one.table) for of, m in oldest for one in m.results
    )
    people = people_of(row[2] for rows in (runs, wins, results) for row in rows)
    return Records(
        system,
        [(of, hand_cards(of, [won])[0]) for of, won in hands],
        *(
            [
                Told(value, people.get(player or 0), of, session, table)
                for of, value, player, session, table in rows
            ]
            for rows in (runs, wins, results)
        ),
    )


Row = tuple[Tournament, int, int | None, int | None, int | None]


def _top(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: -row[1])[:MOST_ROWS]
