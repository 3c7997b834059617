"""The story of an event from its numbers alone: a chapter for each closed session, and one for the whole once it is over."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import F, Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.criteria import CRITERIA
from tournaments.models import Seat, Session, Tournament
from tournaments.models.tournament import CLOSED_LISTINGS
from tournaments.standings.queries.as_of import Courses, courses_of
from tournaments.standings.queries.figures import HandCard, hand_cards
from tournaments.standings.queries.statistics import event_figures
from tournaments.standings.queries.table import distance_text, newest_snapshot, standings_after, value_plain
from tournaments.standings.rules.gaps import behind
from tournaments.table_numbers import shown_number
from tournaments.templatetags.looks import plus
from tournaments.web.labels import heading_of

PODIUM = 3
LEAST_STEPS = 2


@dataclass(frozen=True)
class Chapter:
    """What is told of a session, or with number 0 of the whole event: a title, sentences, and the hand that was worth most."""

    number: int
    title: str
    at: datetime
    lines: Sequence[str]
    hand: HandCard | None

    @property
    def text(self) -> str:
        """Return the chapter as text to copy."""
        return "\n".join([self.title, *self.lines])


def story_of(tournament: Tournament) -> list[Chapter]:
    """Return the chapters, the newest first; a freeze ends the story where it ends the standings. [RULES 9.15]

    What costs something, standings and figures, is kept for the revision where it is worked out.
    """
    return list(_chapters(tournament))


def _chapters(tournament: Tournament) -> Iterator[Chapter]:
    rows = tournament.sessions.filter(state=Session.State.CLOSED).order_by("number")
    sessions = [row for row in rows if not tournament.hides_session(row.number)]
    courses = courses_of(tournament)
    if tournament.state == Tournament.State.CLOSED and not tournament.is_frozen and sessions:
        yield _of_the_event(tournament, sessions)
    for session in reversed(sessions):
        yield _of_a_session(tournament, session, courses)


def _of_a_session(tournament: Tournament, session: Session, courses: Courses) -> Chapter:
    figures = event_figures(tournament).sessions.get(session.number)
    cards = hand_cards(tournament, figures.best[:1]) if figures else []
    lines = [
        *_leaders(tournament, standings_after(tournament, session.number), courses, session.number),
        *_climbers(tournament, courses, session.number),
        *_hand(cards),
        *_tables(tournament, session),
    ]
    title = _("%(event)s: session %(n)s") % {"event": tournament.name, "n": session.number}
    return Chapter(
        session.number, title, session.ended_at or tournament.created_at, lines, next(iter(cards), None)
    )


def _of_the_event(tournament: Tournament, sessions: Sequence[Session]) -> Chapter:
    figures = event_figures(tournament).whole
    cards = hand_cards(tournament, figures.best[:1])
    said = newest_snapshot(tournament)
    lines = [*_podium(said), *_teams(said), *_played(figures.hands), *_hand(cards)]
    title = _("%(event)s: the result") % {"event": tournament.name}
    return Chapter(0, title, sessions[-1].ended_at or tournament.created_at, lines, next(iter(cards), None))


# Sentences


def _podium(said: dict[str, Any]) -> Iterator[str]:
    """Name the first three with what they have."""
    first = said["ranking"][0]
    for row in said["rows"]:
        if row["place"] and row["place"] <= PODIUM:
            told = {
                "place": row["place"],
                "name": row["name"],
                "value": value_plain(first, row["values"][first]),
            }
            if row["shared"]:
                yield _("%(place)s. %(name)s, %(value)s (the place is shared)") % told
            else:
                yield _("%(place)s. %(name)s, %(value)s") % told


def _teams(said: dict[str, Any]) -> Iterator[str]:
    for table in said["groups"]:
        if table["by"] == "team" and table["rows"]:
            yield _("First team: %(name)s") % {"name": table["rows"][0]["name"]}


def _played(hands: int) -> Iterator[str]:
    if hands:
        yield ngettext("%(n)s hand was played.", "%(n)s hands were played.", hands) % {"n": hands}


def _leaders(tournament: Tournament, said: dict[str, Any], courses: Courses, session: int) -> Iterator[str]:
    """Tell who leads, whether that is new, and by how much."""
    first = said["ranking"][0]
    placed = [row for row in said["rows"] if row["place"]]
    if not placed:
        return
    leader, value = placed[0], value_plain(first, placed[0]["values"][first])
    told = {"name": leader["name"], "value": value, "criterion": heading_of(first)}
    before = _before(courses, session).get(leader["number"])
    if before is None or before == 1:
        yield _("In the lead: %(name)s, %(value)s (%(criterion)s).") % told
    else:
        yield _("New leader: %(name)s, %(value)s (%(criterion)s), up from place %(before)s.") % {
            **told,
            "before": before,
        }
    if len(placed) > 1:
        yield from _gap(first, placed[0], placed[1])


def _gap(first: str, leader: dict[str, Any], second: dict[str, Any]) -> Iterator[str]:
    own, best = second["values"][first], leader["values"][first]
    gap = behind(own, best, less_is_better=CRITERIA[first].less_is_better)
    if gap is None:
        return
    if gap == Fraction(0):
        yield _("Level with the leader: %(name)s.") % {"name": second["name"]}
    else:
        yield _("Second: %(name)s, %(gap)s behind.") % {"name": second["name"], "gap": distance_text(gap)}


def _before(courses: Courses, session: int) -> dict[int, int]:
    """Return everybody's place after the session before."""
    if session not in courses.sessions or courses.sessions.index(session) == 0:
        return {}
    at = courses.sessions.index(session) - 1
    return {number: place for number, row in courses.places.items() if at < len(row) and (place := row[at])}


def _climbers(tournament: Tournament, courses: Courses, session: int) -> Iterator[str]:
    """Name whoever gained most places and whoever lost most, all of them where several did."""
    before = _before(courses, session)
    at = courses.sessions.index(session) if session in courses.sessions else 0
    steps = {
        number: before[number] - now
        for number, row in courses.places.items()
        if number in before and at < len(row) and (now := row[at])
    }
    names = dict(tournament.registrations.values_list("number", "player__name"))
    for best, sentence in (
        (max(steps.values(), default=0), _("Biggest climb: %(name)s, from place %(before)s to %(now)s.")),
        (min(steps.values(), default=0), _("Biggest fall: %(name)s, from place %(before)s to %(now)s.")),
    ):
        if abs(best) >= LEAST_STEPS:
            number = min(number for number, step in steps.items() if step == best)
            told = {"name": names.get(number) or "—", "before": before[number], "now": before[number] - best}
            yield sentence % told


def _hand(cards: Sequence[HandCard]) -> Iterator[str]:
    for card in cards:
        fans = ", ".join(name for name, _times in card.fans)
        told = {
            "name": card.player or "—",
            "worth": card.worth,
            "table": shown_number(card.won.table),
            "hand": card.won.hand,
            "fans": fans,
        }
        if fans:
            yield _("Best hand: %(name)s, %(worth)s at table %(table)s, hand %(hand)s: %(fans)s.") % told
        else:
            yield _("Best hand: %(name)s, %(worth)s at table %(table)s, hand %(hand)s.") % told


def _tables(tournament: Tournament, session: Session) -> Iterator[str]:
    """Tell of the closest finish and of the best result at a table, and whether that is a record of the site.

    Of two players who are level each has nothing: such a table is told of if hands were played at it.
    """
    tables: dict[int, list[Seat]] = {}
    rows = session.seats.filter(player__isnull=False, table__protocol__isnull=False)
    played = set(rows.filter(table__protocol__hands__isnull=False).values_list("table_id", flat=True))
    for seat in rows.select_related("player", "kept_for", "table").order_by("-hand_points", "pk"):
        tables.setdefault(seat.table.number, []).append(seat)
    full = {
        number: seats
        for number, seats in sorted(tables.items())
        if len(seats) > 1 and (seats[0].hand_points or seats[0].table_id in played)
    }
    if full:
        yield _closest(full)
    alone = [
        seat for seats in full.values() for seat in seats if seat.kept_for_id is None or seat.from_hand == 1
    ]
    best = max(alone, key=lambda seat: seat.hand_points, default=None)
    if best and best.hand_points > 0:
        yield _best(best, is_record=best.hand_points > _record_before(tournament, session))


def _closest(tables: dict[int, list[Seat]]) -> str:
    """Tell of the table whose first two were closest to each other."""
    closest = min(tables, key=lambda number: tables[number][0].hand_points - tables[number][1].hand_points)
    one, other = tables[closest][:2]
    gap = one.hand_points - other.hand_points
    told = {
        "table": shown_number(closest),
        "one": _sitter(one),
        "other": _sitter(other),
        "gap": distance_text(Fraction(gap)),
    }
    if gap:
        return _("Closest finish: table %(table)s, %(one)s ahead of %(other)s by %(gap)s.") % told
    return _("Closest finish: table %(table)s, %(one)s and %(other)s level.") % told


def _best(seat: Seat, *, is_record: bool) -> str:
    """Tell of the best result; a seat in which two played makes none of either. [RULES 8.35]"""
    said = {
        "name": _sitter(seat),
        "points": plus(seat.hand_points),
        "table": shown_number(seat.table.number),
    }
    if is_record:
        return _("Best result: %(name)s, %(points)s at table %(table)s, a record of this site.") % said
    return _("Best result: %(name)s, %(points)s at table %(table)s.") % said


def _sitter(seat: Seat) -> str:
    """Name who sat in a seat, and for whom."""
    if seat.kept_for is None or seat.kept_for == seat.player:
        return str(seat.player)
    return _("%(player)s for %(name)s") % {"player": seat.player, "name": seat.kept_for}


def _record_before(tournament: Tournament, session: Session) -> int:
    """Return the best result at a table of this system that strangers could know of before a session was closed."""
    rows = Seat.objects.filter(
        OPEN_TO_STRANGERS_AT,
        Q(kept_for=None) | Q(from_hand=1),
        session__tournament__system=tournament.system,
        session__state=Session.State.CLOSED,
        session__tournament__is_demo=tournament.is_demo,
    ).exclude(session=session)
    if session.ended_at is not None:
        rows = rows.filter(session__ended_at__lt=session.ended_at)
    best: int | None = rows.aggregate(best=Max("hand_points"))["best"]
    return best if best is not None else 2**62


NOT_FROZEN = (
    Q(session__tournament__frozen_after=None)
    | Q(session__tournament__places_hidden=0)
    | Q(session__number__lte=F("session__tournament__frozen_after"))
)
OPEN_TO_STRANGERS_AT = (
    NOT_FROZEN
    & ~Q(session__tournament__state=Tournament.State.DRAFT)
    & ~Q(session__tournament__listing__in=sorted(CLOSED_LISTINGS))
)
"""`tournaments.models.tournament.OPEN_TO_STRANGERS`, asked of a seat, and nothing that a freeze hides."""
