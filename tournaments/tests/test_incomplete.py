"""Incomplete tables: whether they play, where the gap goes, who sits there, and what is proposed first."""

import pytest

from tournaments.sessions.rules.incomplete import (
    Gap,
    Outcome,
    Proposal,
    Remedy,
    gap,
    more_than_once,
    outcome,
    proposals,
)

OUTCOMES = [
    (4, 4, 3, Outcome.FULL),
    (3, 4, 3, Outcome.SHORT),
    (2, 4, 3, Outcome.NOT_PLAYED),
    (1, 4, 3, Outcome.NOT_PLAYED),
    (3, 4, 4, Outcome.NOT_PLAYED),
    (2, 4, 2, Outcome.SHORT),
    (3, 3, 2, Outcome.FULL),
]


@pytest.mark.parametrize(("present", "size", "smallest", "expected"), OUTCOMES)
def test_a_table_plays_with_as_many_as_the_regulation_lets(present, size, smallest, expected):
    """[SBR 3.1.3] [SBR 3.1.4] [RULES 8.33] [RULES 8.34]"""
    assert outcome(present, table_size=size, smallest_table=smallest) is expected


GAPS = {
    "fixed": Gap.AT_ITS_TABLE,
    "programmed": Gap.LAST_TABLE,
    "swiss": Gap.LAST_TABLE,
    "random": Gap.NORTH,
}


@pytest.mark.parametrize(("seating", "expected"), GAPS.items())
def test_the_gap_stands_where_the_seating_puts_it(seating, expected):
    """[SBR 3.1.3] [RULES 1.3]"""
    assert gap(seating) is expected


def propose(over: int, substitutes: int, smallest: int = 3) -> tuple[Proposal, ...]:
    return proposals(over, table_size=4, smallest_table=smallest, substitutes=substitutes, seating="swiss")


SHORT = Proposal(Remedy.SHORT_TABLE, 3, Gap.LAST_TABLE)
CASES = {
    "full": (0, 3, 3, ()),
    "three-and-a-substitute": (3, 1, 3, (Proposal(Remedy.SUBSTITUTES, 1), SHORT)),
    "three-alone": (3, 0, 3, (SHORT,)),
    "two-and-two": (
        2,
        2,
        3,
        (Proposal(Remedy.SUBSTITUTES, 2), Proposal(Remedy.AWARDED, 2, Gap.LAST_TABLE)),
    ),
    "two-and-one": (
        2,
        1,
        3,
        (Proposal(Remedy.SUBSTITUTES, 1, Gap.LAST_TABLE), Proposal(Remedy.AWARDED, 2, Gap.LAST_TABLE)),
    ),
    "one-alone": (1, 0, 3, (Proposal(Remedy.AWARDED, 1, Gap.LAST_TABLE),)),
    "three-where-four-must-play": (3, 0, 4, (Proposal(Remedy.AWARDED, 3, Gap.LAST_TABLE),)),
}


@pytest.mark.parametrize(("over", "substitutes", "smallest", "expected"), CASES.values(), ids=CASES)
def test_substitutes_are_proposed_first(over, substitutes, smallest, expected):
    """[SBR 3.1.1] [SBR 3.1.2] [SBR 3.1.4]"""
    assert propose(over, substitutes, smallest) == expected


def test_nobody_sits_at_an_incomplete_table_twice_while_others_have_not():
    """[SBR 3.1.4] [RULES 8.33]"""
    assert more_than_once({"a": 1}, ["a", "b"]) == ["a"]
