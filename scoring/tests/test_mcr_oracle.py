"""Random hands valued as PyMahjongGB values them, and each way in which the rulebook differs from that library.

The long run is `python -m scoring.tests.oracles.mcr --hands 20000 --seed 1`.
"""

import pytest

from scoring.systems.mcr.fans import FANS
from scoring.systems.mcr.hand import evaluate
from scoring.tests.oracles import mcr
from scoring.tests.oracles.mcr_hands import Drawn, random_hands
from scoring.tests.oracles.mcr_notation import fans, hand, value, won

needs_library = pytest.mark.skipif(not mcr.IS_HERE, reason=mcr.NOT_HERE)


def theirs(text, *flags):
    """Return the library's fans, of which the chow pairs may be others of the same worth."""
    return dict(mcr.merged(mcr.their_fans(Drawn(hand(text), won(*flags)))))


@needs_library
def test_random_hands_agree():
    """A short run; whatever differs must be one of the listed differences. [MCR scoring 1e]"""
    found = [str(disagreement) for disagreement in mcr.disagreements(random_hands(20_250_510, 1_500))]

    assert found == []


@needs_library
def test_disagreement_is_found_and_told():
    """A difference that nobody listed shows up, so the comparison can fail."""
    drawn = Drawn(hand("(123p) (444s) (789m) 34p 77z + 2p"), won())
    told = mcr.Disagreement(
        drawn, mcr.our_fans(value("(123p) (444s) (789m) 34p 77z + 2p")), mcr.Fans({80: 1})
    )

    assert str(told).startswith("34p 77z + 2p [chow:123p pung:444s chow:789m] Circumstances(")
    assert str(told).endswith("ours Counter({43: 1}), theirs Counter({80: 1})")


DIFFERENCES = (
    (
        "one concealed kong among three",
        mcr.one_concealed_kong_among_several,
        ("(2222m) [3333m] (4444m) 22s 33s + 2s",),
        {67: (0, 1)},
    ),
    (
        "fully concealed special hand",
        mcr.fully_concealed_special_hands,
        ("22s 33m 77p 11z 44z 77z 5z + 5z", "self_drawn"),
        {56: (0, 1), 80: (1, 0)},
    ),
    (
        "seven pairs before fives",
        mcr.seven_pairs_before_fives,
        ("445566m 4555566s + 4s", "self_drawn"),
        {19: (0, 1), 31: (1, 0)},
    ),
    (
        "knitted straight on a discard",
        mcr.knitted_straight_on_a_discard,
        ("147m 258p 369s 666z 1z + 1z",),
        {62: (1, 0)},
    ),
    ("half flush in green", mcr.green_half_flush, ("(234s) (234s) (888s) 66z 66s + 6z",), {50: (0, 1)}),
    ("pungs in nine gates", mcr.nine_gates_without_pungs, ("1112345678999m + 5m",), {73: (1, 0)}),
    (
        "double pungs of terminals",
        mcr.terminals_in_two_suits,
        ("(111m) (111s) (999m) 99s 11p + 9s",),
        {65: (0, 2)},
    ),
)


@needs_library
@pytest.mark.parametrize(
    ("name", "bring_over", "case", "changed"), DIFFERENCES, ids=[row[0] for row in DIFFERENCES]
)
def test_rulebook_differs_from_the_library(name, bring_over, case, changed):
    """The clause decides for us: theirs and ours, fan by fan. [RULES 8.17] [RULES 8.18] [RULES 8.19]"""
    library, ours = theirs(*case), fans(*case)

    assert {number: (library.get(number, 0), ours.get(number, 0)) for number in changed} == changed
    assert bring_over in [difference.bring_over for difference in mcr.DIFFERENCES]
    assert list(mcr.disagreements([Drawn(hand(case[0]), won(*case[1:]))])) == []


@needs_library
def test_two_kongs_are_worth_more_than_in_the_library():
    """Two concealed kongs are 8 with their pungs, one open and one concealed are 4 and 2. [RULES 8.17]"""
    both = Drawn(hand("(2222s) [5555p] (123m) 68m 77z + 7m"), won())
    concealed = Drawn(hand("[2222s] [5555p] (123m) 68m 77z + 7m"), won())

    assert (mcr.points(mcr.their_fans(both)), mcr.points(mcr.their_fans(concealed))) == (7, 9)
    assert list(mcr.disagreements([both, concealed])) == []


def test_run_says_plainly_what_was_compared(monkeypatch, capsys):
    """The long run ends with a verdict, or says that nothing was compared."""
    monkeypatch.setattr("sys.argv", ["mcr", "--hands", "5", "--seed", "7"])
    code = mcr.main()
    told = capsys.readouterr()

    assert code == (0 if mcr.IS_HERE else 2)
    assert (told.out, told.err) == (
        ("5 hands, seed 7: 0 disagreements\n", "") if mcr.IS_HERE else ("", mcr.NOT_HERE + "\n")
    )


def test_random_hands_have_every_fan():
    """What is never drawn is never compared."""
    found = {
        row.fan.number for drawn in random_hands(5, 8_000) for row in evaluate(drawn.hand, drawn.win).fans
    }

    assert sorted(set(FANS) - found) == []


def test_random_hands_repeat_from_their_seed():
    """The same seed draws the same hands, another one others."""
    assert list(random_hands(3, 20)) == list(random_hands(3, 20))
    assert list(random_hands(3, 20)) != list(random_hands(4, 20))
