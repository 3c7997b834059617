"""The final: fours or snake, and what is carried along."""

from fractions import Fraction

import pytest

from scoring.problems import Refusal
from seating.rules.cut import Carry, Pattern, carried, cut, finalists


def test_final_in_fours():
    assert cut(range(1, 20), 8) == ((1, 2, 3, 4), (5, 6, 7, 8))


def test_semi_final_as_a_snake():
    assert cut(range(1, 20), 16, Pattern.SNAKE) == (
        (1, 8, 9, 16),
        (2, 7, 10, 15),
        (3, 6, 11, 14),
        (4, 5, 12, 13),
    )


def test_one_final_table_is_the_same_either_way():
    assert cut("abcdef", 4) == cut("abcdef", 4, Pattern.SNAKE) == (("a", "b", "c", "d"),)


def test_finalists_are_the_first_of_the_standings():
    assert finalists([7, 3, 9, 1, 4], 4) == (7, 3, 9, 1)


@pytest.mark.parametrize(("size", "problems"), [(6, 1), (0, 1), (12, 1), (10, 2), (-4, 1)])
def test_cut_that_makes_no_whole_tables_is_refused(size, problems):
    with pytest.raises(Refusal) as refusal:
        cut(range(9), size)
    assert [problem.code for problem in refusal.value.problems] == ["cut_size"] * problems


@pytest.mark.parametrize(
    ("carry", "points"), [(Carry.WHOLE, Fraction(25, 2)), (Carry.PART, Fraction(25, 4)), (Carry.NOTHING, 0)]
)
def test_points_are_carried_exactly(carry, points):
    assert carried(Fraction(25, 2), carry) == points
    assert carried(Fraction(25, 2), Carry.PART, Fraction(1, 3)) == Fraction(25, 6)
