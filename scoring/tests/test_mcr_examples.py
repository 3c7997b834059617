"""Every example hand that the rulebook of sport mahjong prints is worth what it prints, or a clause says why not."""

import pytest

from scoring.systems.mcr.examples import PRINTED
from scoring.tests.oracles.mcr_notation import fans


@pytest.mark.parametrize("example", PRINTED, ids=lambda example: f"fan {example.name}")
def test_example_hand_has_the_printed_fans(example):
    """An example of the source is worth what the source prints, or a clause says why not. [MCR scoring 1e] [RULES 8.20]"""
    counted = fans(example.hand, *example.flags, seat=example.seat, round_=example.round_)

    assert counted == example.expected


def test_only_four_examples_are_overruled():
    """Beyond the four that contradict their clauses every printed fan is counted. [RULES 8.20]"""
    overruled = [example.name for example in PRINTED if example.overruled]

    assert overruled == ["32 (2)", "15", "36 (3)", "31 (1)"]
