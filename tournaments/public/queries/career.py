"""A person over the events of the site: results, places over time, style, favourite hands, opponents; and two persons beside each other.

Nothing is told here that the events' own pages do not show; what a freeze hides there is left out. [RULES 9.15] [RULES 9.36]
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext

from scoring.systems import SYSTEMS
from tournaments.models import Player, Registration, Seat, Session, Standing, Tournament
from tournaments.people.queries.persons import appearances, identities
from tournaments.standings.queries.figures import HandCard, hand_cards
from tournaments.standings.queries.frozen import shown_standing
from tournaments.standings.queries.statistics import event_figures
from tournaments.standings.queries.table import value_text
from tournaments.standings.rules.figures import Part, Tally, WonHand
from tournaments.standings.rules.plot import NARROW, WIDE, Course, Plot, plot
from tournaments.web.labels import fan_name, heading_of

MOST_FANS = 12
MOST_HANDS = 3
MOST_OPPONENTS = 60


@dataclass(frozen=True)
class Result:
    """One event of a person: the place among how many, and what decides there; a number for the drawing.

    A first place at a table counts whole for each who shares it; how many of them were shared is counted beside. [RULES 8.43]
    """

    at: int
    row: Registration
    place: int | None
    is_shared: bool
    taking_part: int
    value: str
    criterion: str
    played: int
    tables_won: int
    tables_shared: int

    @property
    def tournament(self) -> Tournament:
        """Return the event."""
        return self.row.tournament


@dataclass
class Style:
    """What a person's hands of one system come to, over all its events."""

    system: str
    tally: Tally = field(default_factory=Tally)
    best: list[tuple[Tournament, WonHand]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the name of the system in the reader's language."""
        return gettext(SYSTEMS[self.system].name)

    @property
    def fans(self) -> list[tuple[str, int]]:
        """List the fans of the winning hands, the most frequent first."""
        top = sorted(self.tally.fans.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_FANS]
        return [(fan_name(self.system, code), count) for code, count in top]

    @property
    def cards(self) -> list[tuple[Tournament, HandCard]]:
        """List the best hands with the events in which they were won."""
        best = sorted(self.best, key=lambda pair: (-pair[1].worth, -(pair[1].gained or 0), -pair[0].pk))
        return [(of, hand_cards(of, [won])[0]) for of, won in best[:MOST_HANDS]]


@dataclass
class Met:
    """Somebody met at tables that are over: how often, how often each had more points, and where to read on."""

    player: Player
    row: Registration | None
    own: int | None
    slug: str
    tables: int = 0
    ahead: int = 0
    behind: int = 0


@dataclass(frozen=True)
class Career:
    """Everything on a person's page, the latest event first."""

    results: Sequence[Result]
    styles: Sequence[Style]
    opponents: Sequence[Met]
    plots: Sequence[Plot]

    @property
    def sums(self) -> dict[str, int | None]:
        """Return what all results come to; a place of an event in play is not yet one that was reached."""
        over = [one for one in self.results if one.tournament.state == Tournament.State.CLOSED]
        places = [one.place for one in over if one.place and not one.tournament.is_frozen]
        return {
            "events": len(self.results),
            "games": sum(one.played for one in self.results),
            "tables_won": sum(one.tables_won for one in self.results),
            "tables_shared": sum(one.tables_shared for one in self.results),
            "best": min(places, default=None),
        }


def career_of(row: Registration) -> Career:
    """Gather a person's events, whichever of them is asked from. [RULES 9.36]"""
    rows = appearances(row)
    results = _results(rows)
    return Career(results, _styles(rows), _opponents(rows), _plots(str(row.player), results))


# Results


def _results(rows: Sequence[Registration]) -> list[Result]:
    """List the events, the latest first; numbered from the earliest on."""
    stored = {
        one.player_id: one for one in Standing.objects.filter(player__in=[row.player_id for row in rows])
    }
    events = Tournament.objects.filter(pk__in=[row.tournament_id for row in rows])
    counts = dict(
        events.annotate(n=Count("standings", filter=Q(standings__place__isnull=False))).values_list("pk", "n")
    )
    found = []
    for at, row in zip(range(len(rows), 0, -1), rows, strict=True):
        of = row.tournament
        standing = shown_standing(of, row.number) if of.is_frozen else stored.get(row.player_id)
        first = of.regulation["ranking"][0]
        played = [
            one for one in (standing.results if standing else []) if one["kind"] == "played" and one["place"]
        ]
        found.append(
            Result(
                at=at,
                row=row,
                place=standing.place if standing else None,
                is_shared=bool(standing and standing.is_shared),
                taking_part=counts.get(of.pk, 0),
                value=value_text(first, standing.values.get(first)) if standing and standing.place else "",
                criterion=heading_of(first),
                played=len(played),
                tables_won=sum(one["is_first"] for one in played),
                tables_shared=sum(one["is_first"] and Fraction(one["place"]) > 1 for one in played),
            )
        )
    return found


def _plots(name: str, results: Sequence[Result]) -> tuple[Plot, ...]:
    """Draw the places over the events, once there are two."""
    known = [one for one in reversed(results) if one.place]
    if len(known) < 2:
        return ()
    course = Course(0, name, [one.place for one in known], is_own=True)
    marks = [str(one.at) for one in known]
    return tuple(plot(marks, [course], size) for size in (NARROW, WIDE))


# Hands


def _styles(rows: Iterable[Registration]) -> list[Style]:
    """Add up what the hands of each system tell; hands that a freeze hides are not counted."""
    found: dict[str, Style] = {}
    for row in rows:
        of = row.tournament
        if of.is_frozen or of.state in (Tournament.State.ANNOUNCED, Tournament.State.CANCELLED):
            continue
        tally = event_figures(of).whole.players.get(row.player_id)
        if tally is None:
            continue
        style = found.setdefault(of.system, Style(of.system))
        style.tally.add(tally)
        if tally.best:
            style.best.append((of, tally.best))
    return sorted(found.values(), key=lambda style: -style.tally.hands)


# Opponents


def _tables_of(rows: Iterable[Registration]) -> list[Seat]:
    """List the seats at tables that are over, the latest first, nothing of a session that a freeze hides."""
    known = {row.player_id: row for row in rows}
    seats = Seat.objects.filter(
        player__in=known, table__protocol__isnull=False, session__state=Session.State.CLOSED
    ).select_related("session", "table")
    found = []
    for seat in seats.order_by("-session__tournament__first_day", "-session_id"):
        seat.session.tournament = known[seat.player_id or 0].tournament
        if not seat.session.tournament.hides_session(seat.session.number):
            found.append(seat)
    return found


def _opponents(rows: Sequence[Registration]) -> list[Met]:
    """List whom a person has met, most often first; who has no number is counted event by event. [RULES 9.36]"""
    seats = _tables_of(rows)
    own_tables = {seat.table_id: seat for seat in seats}
    numbers = {row.player_id: row.number for row in rows}
    others = list(
        Seat.objects.filter(table__in=own_tables, player__isnull=False, player__erased_at=None)
        .exclude(player__in=numbers)
        .select_related("player__registration")
    )
    order = {table: at for at, table in enumerate(own_tables)}
    others.sort(key=lambda seat: (order[seat.table_id], seat.pk))
    known = identities(seat.player for seat in others if seat.player)
    met: dict[Any, Met] = {}
    for seat in others:
        if seat.player is None:
            continue
        own = own_tables[seat.table_id]
        person = getattr(seat.player, "registration", None)
        one = met.setdefault(
            known[seat.player.pk],
            Met(seat.player, person, numbers.get(own.player_id or 0), own.session.tournament.slug),
        )
        one.tables += 1
        one.ahead += own.hand_points > seat.hand_points
        one.behind += own.hand_points < seat.hand_points
    ordered = sorted(met.values(), key=lambda one: (-one.tables, one.player.search_key, one.player.pk))
    return ordered[:MOST_OPPONENTS]


# Two of them


@dataclass(frozen=True)
class Meeting:
    """A table at which two persons sat, and what each had at its end."""

    tournament: Tournament
    session: int
    table: int
    one: int
    other: int


@dataclass
class Duel:
    """What two persons did to each other in the hands of one system."""

    system: str
    one: Part = field(default_factory=Part)
    other: Part = field(default_factory=Part)

    @property
    def name(self) -> str:
        """Return the name of the system in the reader's language."""
        return gettext(SYSTEMS[self.system].name)


@dataclass(frozen=True)
class HeadToHead:
    """Two persons over all their tables: meetings, the latest first, and hands by system."""

    meetings: Sequence[Meeting]
    duels: Sequence[Duel]

    @property
    def ahead(self) -> Counter[str]:
        """Count who had more points."""
        return Counter(
            "one" if met.one > met.other else "other" if met.other > met.one else "level"
            for met in self.meetings
        )


def head_to_head(row: Registration, other: Registration) -> HeadToHead:
    """Gather every table at which two persons met, over all events where both are known. [RULES 9.36]"""
    own = {one.tournament_id: one for one in appearances(row)}
    theirs = {one.tournament_id: one for one in appearances(other)}
    shared = [(one, theirs[of]) for of, one in own.items() if of in theirs]
    at = {seat.table_id: seat for seat in _tables_of(other for _one, other in shared)}
    meetings = [
        Meeting(
            seat.session.tournament,
            seat.session.number,
            seat.table.number,
            seat.hand_points,
            at[seat.table_id].hand_points,
        )
        for seat in _tables_of(one for one, _other in shared)
        if seat.table_id in at
    ]
    return HeadToHead(meetings, _duels(shared))


def _duels(pairs: Iterable[tuple[Registration, Registration]]) -> list[Duel]:
    found: dict[str, Duel] = {}
    for one, other in pairs:
        of = one.tournament
        if of.is_frozen:
            continue
        players = event_figures(of).whole.players
        own = players.get(one.player_id, Tally()).against.get(other.player_id)
        if own is None:
            continue
        duel = found.setdefault(of.system, Duel(of.system))
        duel.one.add(own)
        duel.other.add(players[other.player_id].against[one.player_id])
    return list(found.values())
