"""Values of a regulation that make no sense together are told with what would do. [RULES 8.58]"""

from fractions import Fraction

import pytest

from scoring import criteria
from scoring.presets import PRESETS
from scoring.regulation import GivenResult, LatenessBand, LatenessRules
from scoring.sense import nonsense

SBR, RIICHI = PRESETS["sbr"].regulation, PRESETS["riichi_ema"].regulation
LATE = LatenessBand(below=600, points=8)


def fractions(*numbers):
    return tuple(map(Fraction, numbers))


@pytest.mark.parametrize("code", PRESETS)
def test_what_is_shipped_makes_sense(code):
    assert nonsense(PRESETS[code].regulation) == []


@pytest.mark.parametrize(
    ("rules", "changes", "fields"),
    [
        (SBR, {"tournament_points": None}, ["ranking"]),
        (SBR, {"ranking": (criteria.UMA_SCORE,)}, ["ranking"]),
        (RIICHI, {"uma": None}, ["ranking"]),
        (RIICHI, {"ranking": (criteria.POINTS,)}, ["uma"]),
        (RIICHI, {"uma": fractions(1001, 0, 0, -1001)}, ["uma"]),
        (RIICHI, {"uma": fractions(1000, 0, 0, -1000)}, []),
        (RIICHI, {"uma": fractions(5, 15, -5, -15)}, ["uma"]),
        (RIICHI, {"uma": fractions(5, 5, -5, -5)}, []),
        (SBR, {"tournament_points": {4: fractions(4, 3, 2, 1), 3: fractions(4, 2, 3)}}, ["tournament_points.3"]),
        (SBR, {"warning_minutes": 90, "session_minutes": 90}, ["warning_minutes"]),
        (SBR, {"warning_minutes": 89, "session_minutes": 90}, []),
        (RIICHI, {"start_points": 30050}, ["start_points"]),
        (SBR, {"max_players": 3}, ["max_players"]),
        (SBR, {"max_players": 4}, []),
        (SBR, {"table_size": 3, "smallest_table": 3, "fixed_result": GivenResult(None, 0, 4)}, ["fixed_result.place"]),
        (SBR, {"awarded_result": GivenResult(None, 0, 4)}, []),
        (SBR, {"lateness": LatenessRules((LATE, LATE))}, ["lateness.bands.1"]),
        (SBR, {"lateness": LatenessRules((LATE, LatenessBand(up_to=600, points=9)))}, []),
        (SBR, {"lateness": LatenessRules((LatenessBand(up_to=600, points=8), LATE))}, ["lateness.bands.1"]),
        (SBR, {"lateness": None}, []),
    ],
)  # fmt: skip
def test_what_contradicts_what_it_is_for_is_named(rules, changes, fields):
    """[RULES 1.1] [RULES 1.7] [SBR 2.7.5] [SBR 2.4.4] [RULES 8.42] [RULES 8.32] [SBR 2.8.4.5]"""
    found = nonsense(rules.but(**changes))
    assert [problem.field for problem in found] == fields
    assert all(str(problem) and problem.clause for problem in found)


def test_the_criterion_that_lacks_something_is_named():
    """[RULES 1.7]"""
    (problem,) = nonsense(RIICHI.but(uma=None))
    assert problem.details == {"criterion": criteria.UMA_SCORE.heading}
    (uncounted,) = nonsense(RIICHI.but(ranking=(criteria.POINTS,)))
    assert uncounted.details == {"criterion": criteria.UMA_SCORE.heading}
