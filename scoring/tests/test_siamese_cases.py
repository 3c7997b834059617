"""The Siamese cases of docs/HANDS.md, as another program would send them."""

import pytest

from scoring.problems import Refusal
from scoring.systems.siamese.cases import answer
from scoring.systems.siamese.hand import barred_fans, evaluate
from scoring.tests import test_mcr_cases
from scoring.tests.oracles.mcr_notation import hand, won


def case(text, by="self_draw", **changes):
    """Write one of a player's hands as a case."""
    return test_mcr_cases.case(text, by, **changes) | {"ruleset": "siamese_mcr", "kind": "hand"}


def deal(*wins, players=3, **changes):
    """Write a deal as a case, its wins as (player, points, discarder)."""
    rows = [
        {"player": player, "points": points, "by": "discard" if discarder else "self_draw"}
        | ({"discarder": discarder} if discarder else {})
        for player, points, discarder in wins
    ]
    return {"ruleset": "siamese_mcr", "kind": "deal", "players": players, "wins_in_order": rows} | changes


def problems(given):
    """Return the problems for which a case is refused."""
    with pytest.raises(Refusal) as refused:
        answer(given)
    return [(problem.code, problem.field, problem.clause) for problem in refused.value.problems]


def numbers(text, **flags):
    """Return the numbers of the fans of a hand from the wall."""
    return [row["no"] for row in answer(case(text, win=flags))["fans"]]


# Hands


def test_hand_is_valued_as_in_sport_mahjong():
    """Every fan of the table, without flowers. [SIAM 7] [SIAM 12]"""
    found = answer(case("(123m) (123p) (123s) 67m 77p + 8m", "discard"))

    assert found == {
        "fans": [
            {"no": 41, "name": "Mixed Triple Chow", "count": 1, "points": 8},
            {"no": 63, "name": "All Chows", "count": 1, "points": 2},
        ],
        "total": 10,
    }


def test_flowers_are_refused():
    """There are none in the set. [SIAM 7]"""
    given = case("(123m) (123p) (123s) 67m 77p + 8m")

    assert problems(given | {"flowers": 1}) == [("out_of_range", "flowers", "")]
    assert answer(given | {"flowers": 0}) == answer(given)


def test_first_win_without_the_drawn_tile_bars_six_fans():
    """Nine Gates becomes a full flush, a wait does not count. [SIAM 17] [RULES 8.22]"""
    assert numbers("1112345678999m + 5m", first_win=True, drawn_tile_used=True) == [4, 56, 66]
    assert numbers("1112345678999m + 5m", first_win=True) == [22, 56, 66, 73]
    assert numbers("(345p) (444s) (789m) 12s 77z + 3s", first_win=True) == [80]
    assert numbers("(345p) (444s) (789m) 12s 77z + 3s", first_win=True, drawn_tile_used=True) == [77, 80]


def test_barred_replacement_leaves_the_self_draw():
    """The last tile of the wall may still count. [SIAM 17] [RULES 8.22]"""
    flags = {"first_win": True, "replacement_after_kong": True}

    assert numbers("(123p) (888s) (789m) 34s 77z + 2s", **flags) == [80]
    assert numbers("(123p) (888s) (789m) 34s 77z + 2s", **flags, last_wall_tile=True) == [44]


def test_second_wins_and_discards_bar_nothing():
    """Only a first win from the wall can leave the drawn tile. [SIAM 17]"""
    assert numbers("1112345678999m + 5m") == [4, 56, 66]
    discard = answer(case("1112345678999m + 5m", "discard", win={"first_win": True}))

    assert [row["no"] for row in discard["fans"]] == [4, 66]


@pytest.mark.parametrize("self_drawn", [True, False])
@pytest.mark.parametrize("first_win", [True, False])
@pytest.mark.parametrize("used", [True, False])
def test_fans_are_barred_in_one_case_only(self_drawn, first_win, used):
    """From the wall, a first win, without the drawn tile. [SIAM 17]"""
    barred = barred_fans(self_drawn=self_drawn, first_win=first_win, drawn_tile_used=used)

    assert bool(barred) is (self_drawn and first_win and not used)


def test_hand_without_flags_bars_nothing():
    """Called from a program, a hand is any win with its tile. [SIAM 12]"""
    assert evaluate(hand("1112345678999m + 5m"), won("self_drawn")).points == 94
    assert evaluate(hand("1112345678999m + 5m"), won("self_drawn"), first_win=True).points == 94


def test_contradictions_are_refused_as_in_sport_mahjong():
    """All problems at once, and the tiles must be a win. [MCR fan 47] [MCR winning 2a]"""
    given = case("(123p) (444s) (789m) 34s 77z + 9s", win={"robbing_kong": True})

    assert problems(given) == [
        ("outcome_conflict", "win.robbing_kong", "MCR fan 47"),
        ("no_win", "hand", "MCR winning 2a"),
    ]


def test_unreadable_hands_are_refused():
    """A wrong number of tiles and an unknown field are told together."""
    given = case("(123p) (444s) (789m) 34s 777z + 2s", win={"colour": True})

    assert problems(given) == [("tile_count", "hand.concealed", ""), ("unknown_field", "win.colour", "")]


def test_kind_is_known():
    """A hand or a deal."""
    assert problems({"ruleset": "siamese_mcr", "kind": "waiting_value"}) == [("value_unknown", "kind", "")]


# Deals


def test_two_wins_make_the_others_lapse():
    """The deal of the record example. [SIAM 3] [SIAM 13]"""
    found = answer(deal(("S", 40, "W"), ("E", 28, None), ("E", 30, "S")))

    assert found == {"counted_wins": [2, 3], "final": {"E": 118, "S": -74, "W": -44}}


def test_all_wins_count_at_the_end_of_the_wall():
    """Nobody has won twice. [SIAM 14] [SIAM 15] [SIAM 16]"""
    found = answer(deal(("W", 12, "E"), ("S", 20, None)))

    assert found == {"counted_wins": [1, 2], "final": {"E": -48, "S": 48, "W": 0}}


def test_deal_without_a_win_moves_nothing():
    """The wall is out and nobody has won. [SIAM 14]"""
    assert answer(deal()) == {"counted_wins": [], "final": {"E": 0, "S": 0, "W": 0}}


def test_two_players_move_the_bare_value():
    """East and South. [SIAM 23] [RULES 8.22]"""
    found = answer(deal(("E", 10, "S"), ("S", 30, None), players=2))

    assert found == {"counted_wins": [1, 2], "final": {"E": -20, "S": 20}}
    untold = [{"player": "E", "points": 10, "by": "discard"}]
    assert answer(deal(players=2, wins_in_order=untold))["final"] == {"E": 10, "S": -10}


@pytest.mark.parametrize(
    ("wins", "problem"),
    [
        ([("E", 7, None)], ("below_minimum", "wins_in_order.0.points", "MCR scoring 1a")),
        ([("E", 20, None), ("E", 19, None)], ("golden_rule", "wins_in_order.1.points", "SIAM 4")),
        (
            [("E", 20, None), ("E", 20, None), ("S", 20, None)],
            ("outcome_conflict", "wins_in_order.2", "SIAM 3"),
        ),
        ([("E", 20, "E")], ("winner_is_discarder", "wins_in_order.0.discarder", "MCR winning 2d")),
        ([("E", 401, None)], ("out_of_range", "wins_in_order.0.points", "")),
        ([("N", 20, None)], ("value_unknown", "wins_in_order.0.player", "")),
    ],
    ids=["minimum", "golden rule", "after the end", "own discard", "too much", "no such seat"],
)
def test_impossible_deals_are_refused(wins, problem):
    """With code, field and clause. [SIAM 3] [SIAM 4] [MCR scoring 1a] [MCR winning 2d]"""
    assert problems(deal(*wins)) == [problem]


def test_discarder_belongs_to_a_discard():
    """It is needed there and nowhere else. [SIAM 15] [SIAM 16]"""
    rows = [
        {"player": "E", "points": 20, "by": "discard"},
        {"player": "S", "points": 20, "by": "self_draw", "discarder": "W"},
    ]

    assert problems(deal(wins_in_order=rows)) == [
        ("discarder_needed", "wins_in_order.0.discarder", "SIAM 16"),
        ("discarder_unexpected", "wins_in_order.1.discarder", "SIAM 15"),
    ]


@pytest.mark.parametrize("players", [1, 4, "3", None, True])
def test_three_or_two_play(players):
    """Nobody else sits at the table. [SIAM 24]"""
    found = problems(deal(players=players))

    assert [field for _, field, _ in found] == ["players"]
