"""Siamese sport mahjong: payments for three and two, which wins count, dealers and checks."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import DeadHand, Exposure, FalseWin, Hand, Win, Winner
from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.protocol import play
from scoring.regulation import contradictions
from scoring.seats import SEATS
from scoring.systems import ruleset
from scoring.systems.base import Situation
from scoring.systems.mcr.fans import FANS
from scoring.systems.siamese.payments import counted_wins, payments, shares, win_points
from scoring.systems.siamese.play import Siamese, own_wind
from scoring.tests.test_mcr_checks import tiles
from scoring.words import fill

E, S, W, N = SEATS
THREE, TWO = (E, S, W), (E, S)
RULES = Siamese()
START = RULES.start(THREE)


def win(seat, fans, discarder=None, same_turn=False, **fields):
    """Write a win, from the wall unless said otherwise."""
    return Win((Winner(seat, fans=fans, **fields),), discarder, same_turn=same_turn)


def moved(*events, seats=THREE):
    """Return the payments of a deal by seat."""
    return dict(payments(Hand(1, tuple(events)), seats).by_seat)


def problems(*events, at=START, rules=RULES):
    """Return code, field and clause of everything that makes a deal impossible."""
    found = rules.check(Hand(1, tuple(events)), at)
    assert all(str(problem) for problem in found)
    return [(problem.code, problem.field, problem.clause) for problem in found]


# Payments


def test_self_draw_pays_twice_from_three():
    """The winner gets 2 (H + 8), each other pays H + 8. [SIAM 15]"""
    assert moved(win(S, 20)) == {E: -28, S: 56, W: -28}


def test_discard_pays_sixteen_more():
    """The winner gets H + 16, the discarder pays H + 8, the other 8. [SIAM 16]"""
    assert moved(win(S, 20, W)) == {E: -8, S: 36, W: -28}


@pytest.mark.parametrize("discarder", [None, E], ids=["wall", "discard"])
def test_two_players_move_the_bare_value(discarder):
    """Without the 8, whether from the wall or on a discard. [SIAM 23] [RULES 8.22]"""
    assert moved(win(S, 20, discarder), seats=TWO) == {E: -20, S: 20}


def test_wins_of_others_lapse_when_one_wins_twice():
    """The first deal of the record example: East wins twice, South's 40 are gone. [SIAM 3] [SIAM 13]"""
    deal = (win(S, 40, W), win(E, 28, without_drawn_tile=True), win(E, 30, S))

    assert moved(*deal) == {E: 118, S: -74, W: -44}
    lines = payments(Hand(1, deal), THREE).lines
    assert [(line.clause, sum(map(abs, line.payments.values()))) for line in lines] == [
        ("SIAM 13", 0),
        ("SIAM 15", 32),
        ("SIAM 15", 112),
        ("SIAM 16", 32),
        ("SIAM 16", 60),
    ]
    assert (
        fill(lines[0].sentence, lines[0].details) == "East won with both hands, so this win does not count."
    )


def test_all_wins_count_when_the_wall_is_out():
    """The second deal of the record example, and two wins of different players. [SIAM 14]"""
    assert moved(win(W, 12, E)) == {E: -20, S: -8, W: 28}
    assert moved(win(W, 12, E), win(S, 20)) == {E: -48, S: 48, W: 0}


def test_false_wins_cost_as_in_sport_mahjong():
    """10, 20 and 10 to each of the two others, also when a win lapses. [RULES 8.41] [MCR offences 6]"""
    assert moved(FalseWin(E, "below_minimum")) == {E: -20, S: 10, W: 10}
    assert moved(FalseWin(E, "wrong_claim")) == {E: -40, S: 20, W: 20}
    assert moved(Exposure(W), DeadHand(W)) == {E: 10, S: 10, W: -20}
    assert moved(FalseWin(E, "below_minimum"), seats=TWO) == {E: -10, S: 10}


@pytest.mark.parametrize(
    ("winners", "counted"),
    [
        ((), ()),
        ((E, S, W), (0, 1, 2)),
        ((S, E, E), (1, 2)),
        ((S, E, S), (0, 2)),
        ((S, S), (0, 1)),
    ],
    ids=["no win", "one each", "two in a row", "two around another", "at once"],
)
def test_counted_wins_are_those_of_who_won_twice(winners, counted):
    """Or all of them. [SIAM 3] [SIAM 13] [SIAM 14]"""
    assert counted_wins(winners) == counted


@given(st.integers(8, 400), st.sampled_from(list(product(THREE, (None, *THREE)))))
@settings(deadline=None)
def test_points_of_a_win_add_up_to_zero(value, seats):
    """Nothing is paid to nobody, and the lines say the same as the shares. [SIAM 15] [SIAM 16]"""
    winner, discarder = seats
    if winner == discarder:
        return
    points = win_points(winner, discarder, value, THREE)

    assert sum(points.values()) == 0
    assert points == moved(win(winner, value, discarder))


def test_shares_of_two_cancel_out():
    """One wins what the other loses. [SIAM 23]"""
    assert shares(20, self_drawn=True, players=2) == (20, -20, -20)
    assert win_points(E, S, 20, TWO) == {E: 20, S: -20}


# Dealers and winds


def played(seats, most=20):
    """List what stands before each deal of a game, as far as so many."""
    situations = [RULES.start(seats)]
    while not situations[-1].is_over and len(situations) <= most:
        situations.append(RULES.following(Hand(situations[-1].number), situations[-1]))
    return situations[:-1]


def test_three_play_twelve_deals_without_north():
    """Deals 4, 8, 12 and 16 are left out and the others numbered without a gap; seats stay. [SIAM 6] [RULES 8.41]"""
    game = played(THREE)

    assert [at.number for at in game] == list(range(1, 13))
    assert "".join(at.dealer for at in game) == "ESW" * 4
    assert "".join(at.round_wind for at in game) == "EEESSSWWWNNN"


def test_two_deal_in_turn():
    """An even number of deals, the dealer alternating; a round has as many deals as players. [SIAM 24]"""
    game = played(TWO, 12)

    assert "".join(at.dealer for at in game) == "ES" * 6
    assert "".join(at.round_wind for at in game) == "EESSWWNNEESS"


def test_two_play_as_many_deals_as_were_agreed():
    """Sixteen as well as twelve: the regulation ends the game. [SIAM 24] [RULES 8.49]"""
    deals = [Hand(number) for number in range(1, 17)]

    assert "".join(at.dealer for at in played(TWO, 16)) == "ES" * 8
    assert len(play(RULES, TWO, deals, hands_limit=16).hands) == 16
    with pytest.raises(Refusal):
        play(RULES, TWO, deals, hands_limit=12)


@pytest.mark.parametrize(
    ("size", "hands", "codes"),
    [(2, 16, []), (2, None, []), (2, 13, ["hands_limit"]), (3, 9, [])],
    ids=["even", "no limit", "odd", "three players"],
)
def test_two_agree_on_an_even_number_of_deals(size, hands, codes):
    """[SIAM 24] [RULES 8.49]"""
    regulation = PRESETS["siamese"].regulation.but(table_size=size, smallest_table=2, hands_limit=hands)

    assert [problem.code for problem in contradictions(regulation, system="SIAM")] == codes
    assert contradictions(regulation) == contradictions(regulation, system="RED") == []


def test_dealer_is_east_and_the_others_follow():
    """The players are East, South and West in every deal. [SIAM 6] [SIAM 8]"""
    second = Situation(THREE, number=2, dealer=S)

    assert [own_wind(seat, second) for seat in (S, W, E)] == [E, S, W]


def test_first_dealer_is_the_next_occupied_seat():
    """Where East is empty South deals first. [SIAM 6] [RULES 8.34]"""
    assert RULES.start((S, W)).dealer is S


def test_ruleset_is_found_by_its_code():
    """The minimum is its only setting. [MCR scoring 1a]"""
    assert ruleset("SIAM", {"minimum": 6}) == Siamese("SIAM", 6)
    assert RULES.payments(Hand(1, (win(S, 20),)), START).by_seat == {E: -28, S: 56, W: -28}


# What may stand


@pytest.mark.parametrize(
    "events",
    [
        (),
        (win(S, 40, W), win(E, 28, without_drawn_tile=True, fan_list={"19": 1, "56": 1}), win(E, 30, S)),
        (win(S, 8, W), win(S, 8)),
        (win(S, 8, without_drawn_tile=True), win(S, 30, same_turn=True)),
        (win(S, 8), win(S, 30, same_turn=True, without_drawn_tile=True)),
        (
            win(S, 26, fan_list={"22": 1, "79": 1, "80": 1}),
            win(S, 36, same_turn=True, fan_list={"46": 1, "19": 1, "56": 1}),
        ),
        (win(S, 28), win(S, 40, same_turn=True)),
        (win(S, 8), FalseWin(W, "wrong_claim"), win(E, 9, S)),
    ],
    ids=[
        "no win",
        "record example",
        "equal values",
        "two in a turn",
        "double strike",
        "a kong between",
        "values alone",
        "false win between",
    ],
)
def test_possible_deals_may_stand(events):
    """A player may win twice, and go on after a first win. [SIAM 2] [SIAM 9]"""
    assert problems(*events) == []


def test_second_win_is_worth_at_least_the_first():
    """The golden rule. [SIAM 4]"""
    assert problems(win(S, 20), win(S, 19)) == [("golden_rule", "events.1.winners.0.fans", "SIAM 4")]
    assert problems(win(S, 20), win(E, 19), win(S, 20)) == []


@pytest.mark.parametrize(
    "event",
    [win(W, 30), FalseWin(W, "wrong_claim"), DeadHand(W)],
    ids=["win", "false win", "dead hand"],
)
def test_deal_ends_at_the_second_win_of_a_player(event):
    """Nothing happens after it. [SIAM 3]"""
    assert problems(win(S, 20), win(S, 20), event) == [("outcome_conflict", "events.2", "SIAM 3")]


@pytest.mark.parametrize(
    "events",
    [
        (win(S, 20, same_turn=True),),
        (win(S, 20, W), win(S, 20, same_turn=True)),
        (win(S, 20), win(S, 20, W, same_turn=True)),
        (win(E, 20), win(S, 20, same_turn=True)),
    ],
    ids=["first", "discard, then wall", "wall, then discard", "another player"],
)
def test_two_wins_in_a_turn_need_a_draw(events):
    """First on a discard and then from the wall is forbidden. [SIAM 5]"""
    assert problems(*events) == [("outcome_conflict", f"events.{len(events) - 1}.same_turn", "SIAM 5")]


@pytest.mark.parametrize(
    "events",
    [
        (win(S, 20, W, without_drawn_tile=True),),
        (win(S, 20), win(S, 20, without_drawn_tile=True)),
    ],
    ids=["discard", "second win"],
)
def test_only_a_first_win_from_the_wall_leaves_the_drawn_tile(events):
    """On a discard there is none, and a second win uses its tile. [SIAM 17]"""
    place = f"events.{len(events) - 1}.winners.0.without_drawn_tile"

    assert problems(*events) == [("outcome_conflict", place, "SIAM 17")]


@pytest.mark.parametrize("number", [4, 46, 58, 77, 78, 79])
def test_barred_fans_are_not_listed_without_the_drawn_tile(number):
    """Six fans need the drawn tile. [SIAM 17] [RULES 8.22]"""
    others = {4: {"56": 1, "71": 1}, 46: {"22": 1}}.get(number, {"22": 1, "80": 1})
    listed = others | {str(number): 1}
    value = sum(FANS[int(name)].value for name in listed)

    assert problems(win(S, value, without_drawn_tile=True, fan_list=listed)) == [
        ("outcome_conflict", "events.0.winners.0.fan_list", "SIAM 17")
    ]
    assert problems(win(S, value, fan_list=listed)) == []


def test_barred_fans_are_left_out_of_the_tiles():
    """The same tiles are worth less without the drawn one. [SIAM 17]"""
    nine_gates = tiles("1112345678999m + 5m")

    assert problems(win(S, 94, tiles=nine_gates)) == []
    assert problems(win(S, 32, tiles=nine_gates, without_drawn_tile=True)) == []
    assert problems(win(S, 94, tiles=nine_gates, without_drawn_tile=True)) == [
        ("payment_mismatch", "events.0.winners.0.fans", "MCR scoring 1d")
    ]


WAITED = {"22": 1, "79": 1, "80": 1}
DRAWN = tiles("(123m) (123p) (123s) 67m 77p + 8m")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"fan_list": WAITED}, {"fan_list": WAITED}),
        ({"fan_list": WAITED}, {"tiles": DRAWN}),
        ({"without_drawn_tile": True}, {"without_drawn_tile": True}),
    ],
    ids=["both wait for it", "both use it", "neither uses it"],
)
def test_drawn_tile_completes_one_of_two_hands(first, second):
    """Of two wins in one turn only one uses it, and the hands hold all 28 tiles. [SIAM 17] [RULES 8.49]"""
    found = problems(win(S, 26, **first), win(S, 26, same_turn=True, **second))

    assert ("outcome_conflict", "events.1.winners.0.without_drawn_tile", "RULES 8.49") in found
    marked = problems(
        win(S, 26, **first),
        win(S, 26, same_turn=True, without_drawn_tile=not first.get("without_drawn_tile")),
    )
    assert marked == []


def test_second_win_without_the_drawn_tile_lists_no_barred_fan():
    """[SIAM 17] [RULES 8.49]"""
    second = win(S, 26, same_turn=True, without_drawn_tile=True, fan_list=WAITED)

    assert problems(win(S, 20), second) == [("outcome_conflict", "events.1.winners.0.fan_list", "SIAM 17")]


def test_hands_of_a_deal_hold_each_tile_four_times_at_most():
    """Two hands of the same pungs would need six copies. [SIAM 7] [RULES 8.49]"""
    pungs = tiles("(111m) (222m) (333m) 456p 9s + 9s")
    others = tiles("(444m) (555m) (666m) 456p 9s + 9s")
    fans = 27

    worth = problems(win(S, fans, tiles=pungs), win(S, fans, tiles=pungs))
    assert ("tile_copies", "events.1.winners.0.tiles", "RULES 8.49") in worth
    assert [code for code, _, _ in worth].count("tile_copies") == 3
    assert "tile_copies" not in {
        code for code, _, _ in problems(win(S, fans, tiles=pungs), win(S, fans, tiles=others))
    }
    assert "tile_copies" not in {code for code, _, _ in problems(win(S, fans, tiles=pungs), win(S, fans))}


def test_a_kong_between_two_wins_is_known_by_the_worth_of_the_tiles():
    """No list of fans is needed to see that the second tile replaced a kong. [RULES 8.49] [MCR fan 46]"""
    kong = tiles("[1111s] (123p) (456p) 67m 77p + 8m")

    def both_use_it(first, second):
        found = problems(first, replace(second, same_turn=True))
        return ("outcome_conflict", "events.1.winners.0.without_drawn_tile", "RULES 8.49") in found

    assert both_use_it(win(S, 18, tiles=DRAWN), win(S, 18, tiles=DRAWN))
    assert not both_use_it(win(S, 11, tiles=DRAWN), win(S, 13, tiles=kong))
    assert both_use_it(win(S, 11, tiles=DRAWN), win(S, 6, tiles=kong))
    assert not both_use_it(win(S, 11, tiles=kong), win(S, 18, tiles=DRAWN))
    assert not both_use_it(win(S, 30, fan_list={"79": 1, "5": 1}), win(S, 18, tiles=DRAWN))
    assert both_use_it(win(S, 30, fan_list={"79": 1}), win(S, 18, tiles=DRAWN))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"60": 1}, {"60": 1}),
        ({"61": 1}, {"61": 1}),
        ({"38": 1}, {"38": 1}),
        ({"9": 1}, {"61": 1}),
        ({"2": 1}, {"59": 1}),
        ({"10": 1}, {"54": 1}),
        ({"59": 2}, {"54": 1}),
    ],
    ids=["round wind", "own wind", "three winds", "all winds", "dragons", "small dragons", "four dragons"],
)
def test_no_two_hands_of_a_deal_hold_a_set_of_the_same_honor(first, second):
    """A pung of a wind or dragon leaves one tile of it. [SIAM 7] [RULES 8.49]"""
    sum_of = [sum(FANS[int(name)].value * count for name, count in one.items()) for one in (first, second)]
    found = problems(win(S, sum_of[0], fan_list=first), win(S, sum_of[1], fan_list=second))
    alone = problems(win(S, sum_of[0], fan_list=first), win(S, sum_of[1]))

    wrong = ("yaku_conflict", "events.1.winners.0.fan_list", "RULES 8.49")
    assert wrong in found
    assert wrong not in alone


def test_two_hands_of_a_deal_may_hold_sets_of_different_honors():
    """Each player has a wind of their own, and there are three dragons. [RULES 8.49]"""
    listed = {"61": 1, "59": 1}
    found = problems(win(S, 8, fan_list=listed), win(E, 8, fan_list=listed), win(W, 8, fan_list=listed))

    assert "RULES 8.49" not in {clause for _, _, clause in found}


def test_kong_may_be_in_the_other_hand():
    """A replacement tile may win a hand that has no kong itself. [SIAM 10]"""
    given = win(S, 18, tiles=tiles("(123m) (123p) (123s) 67m 77p + 8m"), fan_list={"41": 1, "63": 1, "46": 1})

    assert problems(given) == []


def test_there_are_no_flowers():
    """136 tiles. [SIAM 7]"""
    assert problems(win(S, 20, flowers=1)) == [("unknown_field", "events.0.winners.0.flowers", "")]


def test_offender_wins_no_more_in_the_deal():
    """False wins are as in sport mahjong. [RULES 8.41]"""
    assert problems(FalseWin(S, "below_minimum"), win(S, 20)) == [
        ("outcome_conflict", "events.1.winners.0.seat", "MCR offences 6")
    ]


def test_one_player_wins_on_a_discard():
    """The nearest in turn, as in sport mahjong. [MCR winning 2e]"""
    both = Win((Winner(E, fans=8), Winner(S, fans=8)), W)

    assert problems(both) == [("multi_win", "events.0.winners", "MCR winning 2e")]


def test_value_is_needed_for_the_golden_rule_too():
    """A missing value is told as such, and so is a win below the minimum. [MCR scoring 1a]"""
    assert problems(win(S, None), win(S, 7)) == [
        ("field_needed", "events.0.winners.0.fans", "MCR scoring 1d"),
        ("below_minimum", "events.1.winners.0.fans", "MCR scoring 1a"),
    ]


def test_no_deal_after_the_twelfth():
    """The game is over. [SIAM 6]"""
    assert problems(at=replace(START, number=13, is_over=True)) == [("game_over", "number", "MCR terms 4")]
