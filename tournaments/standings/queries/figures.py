"""What pages show of the figures: the best hands, a player's figures, opponents, and places over the sessions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.systems import SYSTEMS
from tournaments.models import Player, Registration, Seat, Session, Standing, Tournament
from tournaments.standings.queries.as_of import courses_of
from tournaments.standings.queries.statistics import event_figures, people_of
from tournaments.standings.rules.figures import WINDS, Figures, Part, Tally, WonHand
from tournaments.standings.rules.plot import NARROW, WIDE, Course, Plot, plot
from tournaments.templatetags.looks import number
from tournaments.web.labels import fan_name, han_in_words, worth_in_words

LEADERS = 6
BESIDE_ME = 3


# Hands


@dataclass(frozen=True)
class HandCard:
    """A winning hand as people read it."""

    won: WonHand
    player: Player | None
    discarder: Player | None
    worth: str
    detail: str
    fans: list[tuple[str, int]]

    @property
    def tiles(self) -> Any:
        """Return the tiles, where the table recorded them."""
        return self.won.value.get("tiles")


def hand_cards(tournament: Tournament, hands: Sequence[WonHand]) -> list[HandCard]:
    """Describe hands with their players, in one query for all."""
    people = people_of(player for won in hands for player in (won.player, won.discarder))
    return [
        HandCard(
            won=won,
            player=people.get(won.player or 0),
            discarder=people.get(won.discarder or 0),
            worth=worth_in_words(tournament.system, won.worth),
            detail=_detail(tournament.system, won),
            fans=_fans(tournament.system, won),
        )
        for won in hands
    ]


def _detail(system: str, won: WonHand) -> str:
    """Return what riichi counts besides points."""
    value = won.value
    if limit := value.get("limit"):
        return _(SYSTEMS[system].limits[limit])
    if "han" in value:
        return han_in_words(value["han"], value.get("fu"))
    if value.get("flowers"):
        return _("flowers: %(n)s") % {"n": value["flowers"]}
    return ""


def _fans(system: str, won: WonHand) -> list[tuple[str, int]]:
    """Return the names of a hand's fans, as far as they were recorded."""
    listed = won.value.get("fan_list") or won.value.get("yaku") or {}
    is_by_times = SYSTEMS[system].worth.counts_times
    return [(fan_name(system, code), count if is_by_times else 1) for code, count in listed.items()]


# Figures of an event or a session


def figure_rows(tournament: Tournament, figures: Figures) -> list[tuple[str, str, str]]:
    """List the figures that make sense for the system: label, value, and what stands beneath."""
    return [
        (_("Hands played"), number(figures.hands), ""),
        (_("Nobody won"), share(figures.no_win, figures.hands), part_of(figures.no_win, figures.hands)),
        (
            _("Average hand"),
            average(figures.worth, figures.wins),
            pgettext("unit", "fans")
            if SYSTEMS[tournament.system].worth.in_fans
            else pgettext("unit", "points"),
        ),
        (
            _("Wins from the wall"),
            share(figures.self_draws, figures.wins),
            part_of(figures.self_draws, figures.wins),
        ),
    ]


def part_of(part: int, whole: int) -> str:
    """Describe the numbers that a share is made of."""
    return _("%(part)s of %(whole)s") % {"part": number(part), "whole": number(whole)}


def share(part: int, whole: int) -> str:
    """Write a share as whole per cents; of nothing there is none."""
    return f"{(200 * part + whole) // (2 * whole)} %" if whole else "–"


def average(total: int, count: int) -> str:
    """Write an average with one decimal, large ones whole."""
    if not count:
        return "–"
    if total >= 1000 * count:
        return number((2 * total + count) // (2 * count))
    tenths = (20 * total + count) // (2 * count)
    whole, rest = divmod(tenths, 10)
    return f"{whole}{_decimal_mark()}{rest}"


def _decimal_mark() -> str:
    from django.utils.formats import get_format

    return str(get_format("DECIMAL_SEPARATOR"))


def frequent_fans(system: str, figures: Figures, most: int = 12) -> list[dict[str, Any]]:
    """List the fans seen most often, with how many of the hands whose fans are known had them."""
    top = sorted(figures.fans.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    highest = top[0][1] if top else 1
    return [
        {
            "name": fan_name(system, code),
            "count": count,
            "share": share(count, figures.told),
            "of_highest": 100 * count // highest,
        }
        for code, count in top
    ]


# One player


def player_figures(
    tournament: Tournament,
    registration: Registration,
    standing: Standing | None,
    said: dict[str, Any],
    *,
    sees_all: bool = False,
) -> dict[str, Any]:
    """Gather a player's figures, opponents and places over the sessions; while standings are frozen strangers see no figures.

    [RULES 9.15]
    """
    is_frozen = tournament.is_frozen and not sees_all
    tally = None if is_frozen else event_figures(tournament).whole.players.get(registration.player_id)
    return {
        "tally": tally,
        "tally_rows": tally_rows(tournament.system, tally) if tally else [],
        "winds": wind_rows(tally) if tally else [],
        "best_hand": hand_cards(tournament, [tally.best])[0] if tally and tally.best else None,
        "distribution": distribution(standing.results, tournament.regulation["table_size"])
        if standing
        else [],
        "opponents": opponents(tournament, registration, tally, is_frozen=is_frozen),
        "course": own_course(tournament, registration, said),
    }


def tally_rows(system: str, tally: Tally) -> list[tuple[str, str, str]]:
    """List a player's figures: label, value, and what stands beneath."""
    return [
        (_("Hands"), number(tally.hands), ""),
        (_("Wins"), number(tally.wins), share(tally.wins, tally.hands)),
        (_("From the wall"), number(tally.self_draws), share(tally.self_draws, tally.wins)),
        (_("Deals in"), number(tally.deals_in), share(tally.deals_in, tally.hands)),
        (
            _("Average hand"),
            average(tally.worth, tally.wins),
            pgettext("unit", "fans") if SYSTEMS[system].worth.in_fans else pgettext("unit", "points"),
        ),
    ]


def wind_rows(tally: Tally) -> list[dict[str, Any]]:
    """List a player's hands by the wind of the hand."""
    return [
        {
            "wind": wind,
            "hands": part.hands,
            "wins": part.wins,
            "win_share": share(part.wins, part.hands),
            "deals_in": part.deals_in,
            "deal_in_share": share(part.deals_in, part.hands),
            "average": average(part.worth, part.wins),
        }
        for wind in WINDS
        if (part := tally.winds.get(wind))
    ]


def distribution(results: Iterable[dict[str, Any]], table_size: int) -> list[dict[str, Any]]:
    """Count the places at the table: as many as sit at one, and the shared ones that occurred. [RULES 1.6]"""
    places = Counter(
        Fraction(row["place"]) for row in results if row.get("place") and row.get("kind") == "played"
    )
    if not places:
        return []
    rows = sorted({Fraction(place) for place in range(1, table_size + 1)} | set(places))
    highest = max(places.values())
    return [
        {"place": place, "count": places[place], "of_highest": 100 * places[place] // highest}
        for place in rows
    ]


@dataclass
class Opponent:
    """Somebody met at a table: where, and how often each was ahead."""

    player: Player
    number: int | None
    tables: list[tuple[int, int, bool]]
    hands: Part | None = None
    ahead: int = 0
    behind: int = 0


def opponents(
    tournament: Tournament,
    registration: Registration,
    tally: Tally | None = None,
    *,
    is_frozen: bool = False,
) -> list[Opponent]:
    """List whom the player has met, most often first, with who was ahead in points of the game; a freeze hides who was."""
    own = Seat.objects.filter(
        player=registration.player, session__tournament=tournament, table__protocol__isnull=False
    ).exclude(session__state=Session.State.PLANNED)
    tables = dict(own.values_list("table_id", "hand_points"))
    others = (
        Seat.objects.filter(table_id__in=tables)
        .exclude(player=registration.player)
        .select_related("player__registration", "table", "session")
        .order_by("session__number")
    )
    met: dict[int, Opponent] = {}
    for seat in others:
        if seat.player is None:
            continue
        hands = tally.against.get(seat.player.pk) if tally else None
        row = met.setdefault(seat.player.pk, Opponent(seat.player, _number_of(seat.player), [], hands))
        is_open = seat.session.state == Session.State.OPEN
        row.tables.append((seat.session.number, seat.table.number, is_open))
        if not is_open and not (is_frozen and tournament.hides_session(seat.session.number)):
            row.ahead += tables[seat.table_id] > seat.hand_points
            row.behind += tables[seat.table_id] < seat.hand_points
    return sorted(met.values(), key=lambda row: (-len(row.tables), row.tables[0], row.player.search_key))


def _number_of(player: Player) -> int | None:
    found = getattr(player, "registration", None)
    return found.number if found else None


# Places over the sessions


@dataclass(frozen=True)
class CoursePlot:
    """The drawing in two sizes, and the same as a table."""

    sessions: list[str]
    courses: list[Course]
    plots: tuple[Plot, Plot]
    is_last_open: bool


def leaders_course(tournament: Tournament, said: dict[str, Any]) -> CoursePlot | None:
    """Draw the places of those who lead now."""
    leading = [row for row in said["rows"] if row["place"]][:LEADERS]
    return _drawn(tournament, said, [(row, False) for row in leading])


def own_course(tournament: Tournament, registration: Registration, said: dict[str, Any]) -> CoursePlot | None:
    """Draw the player's places among those who lead."""
    leading = [row for row in said["rows"] if row["place"]][:BESIDE_ME]
    own = next((row for row in said["rows"] if row["number"] == registration.number), None)
    if own is None:
        return None
    rows = leading if own in leading else [*leading, own]
    return _drawn(tournament, said, [(row, row is own) for row in rows])


def _drawn(
    tournament: Tournament, said: dict[str, Any], rows: Sequence[tuple[dict[str, Any], bool]]
) -> CoursePlot | None:
    """Draw the rows once there are two sessions to draw between."""
    known = courses_of(tournament)
    faces = () if "frozen" in said else said.get("sessions", ())
    playing = [face["number"] for face in faces if face["state"] == Session.State.OPEN]
    sessions = [*known.sessions, *playing[:1]]
    if len(sessions) < 2 or not rows:
        return None
    courses = []
    for row, is_own in rows:
        places = list(known.places.get(row["number"], [None] * len(known.sessions)))
        places += [row["place"]] if playing else []
        courses.append(Course(row["number"], row["name"], places, is_own))
    if not any(place for course in courses for place in course.places):
        return None
    names = [str(session) for session in sessions]
    plots = (
        plot(names, courses, NARROW, is_last_open=bool(playing)),
        plot(names, courses, WIDE, is_last_open=bool(playing)),
    )
    return CoursePlot(names, courses, plots, bool(playing))
