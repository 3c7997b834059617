"""Sport mahjong at the table: payments, dealers and winds of a whole game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import DeadHand, Exposure, FalseWin, Hand, Win, Winner
from scoring.problems import Refusal
from scoring.seats import SEATS, Seat
from scoring.systems import SYSTEMS, ruleset
from scoring.systems.base import Situation
from scoring.systems.mcr.payments import payments, shares
from scoring.systems.mcr.play import Mcr, own_wind, turn_order
from scoring.words import fill

E, S, W, N = SEATS
RULES = Mcr()
START = RULES.start(SEATS)


def hand(*events, number=1):
    """Put events into a hand."""
    return Hand(number, tuple(events))


def win(seat, fans, discarder=None, flowers=0):
    """Write a win."""
    return Win((Winner(seat, fans=fans, flowers=flowers),), discarder)


def moved(*events):
    """Return the payments of a hand by seat."""
    return dict(payments(hand(*events), SEATS).by_seat)


# Payments


def test_discard_example_of_the_source():
    """10 points and 2 flowers on a discard: 8 + 8 + 8 and 12 from the discarder, 36. [MCR payment 1] [MCR scoring 1c2]"""
    assert moved(win(S, 10, discarder=W, flowers=2)) == {E: -8, S: 36, W: -20, N: -8}


def test_self_draw_example_of_the_source():
    """10 points and 2 flowers from the wall: 20 from each, 60. [MCR payment 2] [MCR scoring 1c1]"""
    assert moved(win(S, 10, flowers=2)) == {E: -20, S: 60, W: -20, N: -20}


def test_hand_without_a_win_moves_nothing():
    """A dead hand alone costs nothing. [MCR scoring 1b]"""
    assert moved(DeadHand(W)) == {E: 0, S: 0, W: 0, N: 0}


@pytest.mark.parametrize(
    ("event", "points"),
    [
        (FalseWin(W, "below_minimum"), 10),
        (FalseWin(W, "wrong_claim"), 20),
        (Exposure(W), 10),
    ],
    ids=["below the minimum", "wrong claim", "tiles shown"],
)
def test_false_wins_pay_each_other_player(event, points):
    """Too few points cost 10 to each, a wrong claim 20, shown tiles 10. [MCR offences 6] [MCR offences 7] [RULES 8.21]"""
    assert moved(event) == {E: points, S: points, W: -3 * points, N: points}


def test_second_hand_of_the_record_example():
    """A false win and then a win from the wall. [MCR scoring 1b]"""
    second = hand(FalseWin(W, "below_minimum"), win(N, 12), number=2)

    assert RULES.payments(second, START).by_seat == {E: -10, S: -10, W: -50, N: 70}


def test_lines_explain_every_point():
    """Each line names its clause, and both languages tell it. [MCR scoring 1b1] [MCR scoring 1b2]"""
    lines = payments(hand(FalseWin(E, "wrong_claim"), win(S, 10, W, flowers=2)), SEATS).lines

    assert [(line.clause, fill(line.sentence, line.details)) for line in lines] == [
        ("MCR offences 6", "Wrong claim of a win: 20 to each other player."),
        ("MCR scoring 1b1", "Win: 8 additional points from each other player."),
        (
            "MCR scoring 1c2",
            "Win on a discard: the discarder pays the value of the hand, 12 (10 and 2 for flowers).",
        ),
    ]
    assert (
        fill(lines[0].sentence, lines[0].details, "ru")
        == "Ошибочное требование «Ху»: по 20 каждому из остальных."
    )


@given(
    st.lists(
        st.one_of(
            st.builds(FalseWin, st.sampled_from(SEATS), st.sampled_from(("below_minimum", "wrong_claim"))),
            st.builds(Exposure, st.sampled_from(SEATS)),
            st.builds(win, st.sampled_from(SEATS), st.integers(8, 300), st.none(), st.integers(0, 8)),
        )
    )
)
@settings(deadline=None)
def test_payments_add_up_to_zero(events):
    """Nothing is paid to nobody, and the lines add up to the payments. [MCR scoring 1c]"""
    found = payments(hand(*events), SEATS)

    assert sum(found.by_seat.values()) == found.unpaid == 0
    assert all(sum(line.payments.values()) == 0 for line in found.lines)


@given(st.integers(0, 400), st.booleans())
@settings(deadline=None)
def test_shares_of_a_win_cancel_out(value, self_drawn):
    """Winner, discarder and two others. [MCR scoring 1c1] [MCR scoring 1c2]"""
    winner, discarder, other = shares(value, self_drawn=self_drawn)

    assert winner + discarder + 2 * other == 0


# Dealers, winds, seats


def game():
    """Play all sixteen hands and list what stood before each."""
    situations = [START]
    while not situations[-1].is_over:
        at = situations[-1]
        event = (win(at.dealer, 8),) if at.number % 2 else ()
        situations.append(RULES.following(hand(*event, number=at.number), at))
    return situations


def test_game_has_sixteen_hands_whoever_wins():
    """The deal passes after every hand, and four rounds make a game. [MCR terms 3] [MCR terms 4] [MCR terms 10]"""
    assert [at.number for at in game()] == list(range(1, 18))


def test_dealers_change_order_from_round_to_round():
    """Named by starting seat: E S W N, then S E N W, W N S E and N W E S. [MCR terms 10] [MCR terms 11] [MCR seats]"""
    assert "".join(at.dealer for at in game()[:16]) == "ESWN" + "SENW" + "WNSE" + "NWES"


def test_each_round_has_its_wind():
    """East, South, West and North, four hands each. [MCR terms 3] [MCR terms 5]"""
    assert "".join(at.round_wind for at in game()[:16]) == "EEEESSSSWWWWNNNN"


def test_every_player_has_every_wind_in_every_round():
    """The place of the dealer is East, and on in turn. [MCR terms 6] [MCR play 2]"""
    for at in game()[:16]:
        assert sorted(own_wind(seat, at) for seat in SEATS) == sorted(SEATS)
        assert own_wind(at.dealer, at) is E
    for number in range(4):
        assert {own_wind(W, at) for at in game()[4 * number : 4 * number + 4]} == set(SEATS)


def test_turn_order_follows_the_seats_of_the_round():
    """In the second round A sits to the right of B: S E N W, from the dealer on. [MCR seats] [MCR play 2]"""
    assert turn_order(Situation(SEATS, number=6, dealer=E, round_wind=S)) == (E, N, W, S)
    assert own_wind(S, Situation(SEATS, number=6, dealer=E, round_wind=S)) is N


@pytest.mark.parametrize(
    ("system", "seats", "order"),
    [("MCR", SEATS, (E, N, W, S)), ("RIICHI", SEATS, (E, S, W, N)), ("SIAM", (E, S, N), (E, S, N))],
)
def test_a_system_says_who_sits_where_from_the_dealer_on(system, seats, order):
    """Only sport mahjong changes seats between its rounds. [MCR seats]"""
    at = Situation(seats, number=6, dealer=E, round_wind=S)
    assert SYSTEMS[system].turn_order(at) == order


def test_everybody_sits_before_everybody_else_once():
    """Over the four rounds each player has each other one on the left. [MCR seats]"""
    neighbours = {
        seat: {turn_order(at)[turn_order(at).index(seat) - 1] for at in game()[:16:4]} for seat in SEATS
    }

    assert {seat: len(before) for seat, before in neighbours.items()} == dict.fromkeys(SEATS, 3)


def test_first_dealer_is_the_next_occupied_seat():
    """Where East is empty South deals first, and the empty seat is passed over. [RULES 8.34]"""
    at = RULES.start((S, W, N))
    dealers = [at.dealer]
    for number in range(1, 12):
        at = RULES.following(hand(number=number), at)
        dealers.append(at.dealer)

    assert "".join(dealers) == "SWN" + "SNW" + "WNS" + "NWS"
    assert RULES.following(hand(number=12), at).is_over


# Settings


def test_minimum_is_the_only_setting():
    """The regulation may ask for another minimum. [MCR scoring 1a]"""
    assert Mcr.from_rules("MCR", {}) == Mcr("MCR", 8)
    assert ruleset("MCR", {"minimum": 0}) == Mcr("MCR", 0)


@pytest.mark.parametrize(
    ("rules", "code", "field"),
    [
        ({"minimum": -1}, "out_of_range", "system_rules.minimum"),
        ({"minimum": "8"}, "number_type", "system_rules.minimum"),
        ({"flowers": 8}, "unknown_field", "system_rules.flowers"),
    ],
    ids=["negative", "text", "unknown"],
)
def test_other_settings_are_refused(rules, code, field):
    """A setting that is not known or cannot be is refused. [MCR scoring 1a]"""
    with pytest.raises(Refusal) as refused:
        Mcr.from_rules("MCR", rules)

    assert [(problem.code, problem.field) for problem in refused.value.problems] == [(code, field)]


def test_seats_keep_their_names():
    """Seats are named by the wind of the first round, whatever wind their players have later."""
    assert RULES.start(SEATS) == Situation(SEATS, dealer=Seat.EAST, round_wind=Seat.EAST)
