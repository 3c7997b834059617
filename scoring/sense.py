"""Values of a regulation that can be read but make no sense together: an organizer is told what would do.

A record is taken as it is, since its event was played; whoever sets a regulation is asked first.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from scoring.criteria import CRITERIA, Need
from scoring.problems import Problem, gettext_noop
from scoring.regulation import LatenessBand, Regulation

MOST_UMA = 1000


def nonsense(regulation: Regulation) -> list[Problem]:
    """List where values contradict what they are for, each with what would do instead. [RULES 1.1]"""
    return [problem for check in CHECKS for problem in check(regulation)]


def _ranking(rules: Regulation) -> Iterator[Problem]:
    """Check that a criterion needs what it counts. [RULES 1.7]"""
    given = {
        Need.NOTHING: True,
        Need.TOURNAMENT_POINTS: rules.tournament_points is not None,
        Need.UMA: rules.uma is not None,
    }
    lacking = next((one for one in rules.ranking if not given[one.needs]), None)
    if lacking is not None:
        details = {"criterion": lacking.heading}
        yield Problem("no_sense", LACKING[lacking.needs], "ranking", "RULES 1.7", details)


def _uma(rules: Regulation) -> Iterator[Problem]:
    """Uma is counted by somebody, written in thousands, and not the less for the better place. [RULES 1.7]"""
    if rules.uma is None:
        return
    if not any(one.needs is Need.UMA for one in rules.ranking):
        heading = next(one.heading for one in CRITERIA.values() if one.needs is Need.UMA)
        yield Problem("no_sense", UMA_UNCOUNTED, "uma", "RULES 1.7", {"criterion": heading})
    if max(abs(points) for points in rules.uma) > MOST_UMA:
        yield Problem("no_sense", UMA_IN_POINTS, "uma", "RULES 1.7")
    elif _rises(rules.uma):
        yield Problem("no_sense", WORSE_IS_MORE, "uma", "RULES 1.7")


def _tournament_points(rules: Regulation) -> Iterator[Problem]:
    """Check that a better place brings no less. [SBR 2.7.5]"""
    for size, row in (rules.tournament_points or {}).items():
        if _rises(row):
            yield Problem("no_sense", WORSE_IS_MORE, f"tournament_points.{size}", "SBR 2.7.5")


def _rises(row: tuple[Fraction, ...]) -> bool:
    return any(better < worse for better, worse in pairwise(row))


def _times(rules: Regulation) -> Iterator[Problem]:
    """Check that the end is announced within the session. [SBR 2.4.4]"""
    if rules.warning_minutes >= rules.session_minutes:
        details = {"minutes": rules.session_minutes}
        yield Problem("no_sense", WARNING_TOO_EARLY, "warning_minutes", "SBR 2.4.4", details)


def _amounts(rules: Regulation) -> Iterator[Problem]:
    """Check that the points of the start can be counted in the smallest amount. [RULES 8.42]"""
    if rules.start_points % rules.points_unit:
        details = {"unit": rules.points_unit}
        yield Problem("no_sense", START_BROKEN, "start_points", "RULES 8.42", details)


def _players(rules: Regulation) -> Iterator[Problem]:
    """Check that there are players for one table at least. [SBR 2.4.2]"""
    if rules.max_players is not None and rules.max_players < rules.table_size:
        details = {"size": rules.table_size}
        yield Problem("no_sense", TOO_FEW_FOR_A_TABLE, "max_players", "SBR 2.4.2", details)


def _given_results(rules: Regulation) -> Iterator[Problem]:
    """Check that a result that is given names a place that there is. [RULES 8.32]"""
    for name in ("fixed_result", "awarded_result"):
        place = getattr(rules, name).place
        if place is not None and place > rules.table_size:
            yield Problem(
                "no_sense", NO_SUCH_PLACE, f"{name}.place", "RULES 8.32", {"size": rules.table_size}
            )


def _lateness(rules: Regulation) -> Iterator[Problem]:
    """Check that each band reaches further than the one before, else nobody falls into it. [SBR 2.8.4.5]"""
    bands = rules.lateness.bands if rules.lateness else ()
    for place, (before, band) in enumerate(pairwise(bands), start=1):
        if _reach(band) <= _reach(before):
            yield Problem("no_sense", BAND_UNREACHED, f"lateness.bands.{place}", "SBR 2.8.4.5")


def _reach(band: LatenessBand) -> tuple[int, bool]:
    """Return the last second of a band, comparable with another's."""
    return (band.below, False) if band.below is not None else (band.up_to or 0, True)


CHECKS: tuple[Callable[[Regulation], Iterator[Problem]], ...] = (
    _ranking,
    _uma,
    _tournament_points,
    _times,
    _amounts,
    _players,
    _given_results,
    _lateness,
)
LACKING = {
    Need.TOURNAMENT_POINTS: gettext_noop(
        "“%(criterion)s” ranks by tournament points, and none are given. Write them by place, or rank by points."
    ),
    Need.UMA: gettext_noop(
        "“%(criterion)s” counts uma, and there is none. Write uma by place, or rank by points."
    ),
}
UMA_UNCOUNTED = gettext_noop(
    "No criterion of the ranking counts this uma. Rank by “%(criterion)s” too, or leave uma empty."
)
UMA_IN_POINTS = gettext_noop("Uma is written in thousands: 15, not 15000.")
WORSE_IS_MORE = gettext_noop("A worse place may not bring more. Write the values from first place to last.")
WARNING_TOO_EARLY = gettext_noop(
    "The warning comes before the session begins. Write less than %(minutes)s minutes; 0 is no warning."
)
START_BROKEN = gettext_noop("Write a multiple of %(unit)s, the smallest amount of points.")
TOO_FEW_FOR_A_TABLE = gettext_noop("Write at least %(size)s, the players of one table, or leave it empty.")
NO_SUCH_PLACE = gettext_noop("A table has the places 1 to %(size)s.")
BAND_UNREACHED = gettext_noop("Write a later time than in the line above; nobody would fall into this one.")
