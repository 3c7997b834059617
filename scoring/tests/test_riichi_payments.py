"""Riichi: who pays whom, counters, bets, liability, exhausted wall, chombo; dealer, rounds and the end of the game."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import Check, Chombo, DeadHand, Hand, Win, Winner
from scoring.protocol import play, share_left_over
from scoring.record.hands import read_hand
from scoring.seats import SEATS, Seat
from scoring.systems.base import Situation
from scoring.systems.riichi.payments import liability, nearest, price
from scoring.systems.riichi.play import Riichi
from scoring.systems.riichi.replay.played import bets_to_the_nearest, counters_to_the_nearest
from scoring.words import fill

E, S, W, N = SEATS
EMA = Riichi()
START = EMA.start(SEATS)
VECTORS = Path(__file__).parent / "vectors"


def win(*winners, by=None):
    """Record a win of seats with han and fu, or with a limit."""
    return Win(tuple(Winner(seat, **value) for seat, value in winners), by)


def hand(*events, riichi="", end=None):
    """Record a hand."""
    states = (
        {seat: Check("waiting" if seat in end else "no_wait") for seat in SEATS} if end is not None else {}
    )
    return Hand(1, events, states, tuple(Seat(seat) for seat in riichi))


def paid(recorded, at=START, ruleset=EMA):
    """Return the payments in the order E S W N; they add up with what nobody received."""
    payments = ruleset.payments(recorded, at)
    assert sum(payments.by_seat.values()) + payments.unpaid == 0
    assert all(str(line.sentence % line.details) and line.clause for line in payments.lines)
    return [payments.by_seat[seat] for seat in SEATS]


def value(han, fu):
    return {"han": han, "fu": fu}


MANGAN = {"limit": "mangan"}
YAKUMAN = {"limit": "yakuman"}

# East on a discard; others on a discard; East from the wall, from each; others from the wall, from each and from East.
TABLE = [
    (1, 30, 1500, 1000, 500, (300, 500)),
    (1, 40, 2000, 1300, 700, (400, 700)),
    (1, 50, 2400, 1600, 800, (400, 800)),
    (1, 60, 2900, 2000, 1000, (500, 1000)),
    (1, 70, 3400, 2300, 1200, (600, 1200)),
    (1, 80, 3900, 2600, 1300, (700, 1300)),
    (1, 90, 4400, 2900, 1500, (800, 1500)),
    (1, 100, 4800, 3200, 1600, (800, 1600)),
    (1, 110, 5300, 3600, None, None),
    (2, 20, None, None, 700, (400, 700)),
    (2, 25, 2400, 1600, None, None),
    (2, 30, 2900, 2000, 1000, (500, 1000)),
    (2, 40, 3900, 2600, 1300, (700, 1300)),
    (2, 50, 4800, 3200, 1600, (800, 1600)),
    (2, 60, 5800, 3900, 2000, (1000, 2000)),
    (2, 70, 6800, 4500, 2300, (1200, 2300)),
    (2, 80, 7700, 5200, 2600, (1300, 2600)),
    (2, 90, 8700, 5800, 2900, (1500, 2900)),
    (2, 100, 9600, 6400, 3200, (1600, 3200)),
    (2, 110, 10600, 7100, 3600, (1800, 3600)),
    (3, 20, None, None, 1300, (700, 1300)),
    (3, 25, 4800, 3200, 1600, (800, 1600)),
    (3, 30, 5800, 3900, 2000, (1000, 2000)),
    (3, 40, 7700, 5200, 2600, (1300, 2600)),
    (3, 50, 9600, 6400, 3200, (1600, 3200)),
    (3, 60, 11600, 7700, 3900, (2000, 3900)),
    (3, 70, 12000, 8000, 4000, (2000, 4000)),
    (4, 20, None, None, 2600, (1300, 2600)),
    (4, 25, 9600, 6400, 3200, (1600, 3200)),
    (4, 30, 11600, 7700, 3900, (2000, 3900)),
    (4, 40, 12000, 8000, 4000, (2000, 4000)),
    (5, 30, 12000, 8000, 4000, (2000, 4000)),
    (6, 30, 18000, 12000, 6000, (3000, 6000)),
    (7, 30, 18000, 12000, 6000, (3000, 6000)),
    (8, 30, 24000, 16000, 8000, (4000, 8000)),
    (10, 30, 24000, 16000, 8000, (4000, 8000)),
    (11, 30, 36000, 24000, 12000, (6000, 12000)),
    (12, 30, 36000, 24000, 12000, (6000, 12000)),
    (13, 30, 48000, 32000, 16000, (8000, 16000)),
]


@pytest.mark.parametrize(
    ("han", "fu", "east", "other", "from_each", "from_both"), TABLE, ids=[f"{r[0]}han{r[1]}fu" for r in TABLE]
)
def test_payments_follow_the_tables(han, fu, east, other, from_each, from_both):
    """[RIICHI 4.1.2] [RIICHI 4.1.3] [RULES 8.27]"""
    if east:
        assert paid(hand(win((E, value(han, fu)), by=W))) == [east, 0, -east, 0]
        assert paid(hand(win((S, value(han, fu)), by=W))) == [0, other, -other, 0]
    if from_each:
        assert paid(hand(win((E, value(han, fu))))) == [3 * from_each, *[-from_each] * 3]
        low, high = from_both
        assert paid(hand(win((S, value(han, fu))))) == [-high, high + 2 * low, -low, -low]


LIMITS = {"mangan": 8000, "haneman": 12000, "baiman": 16000, "sanbaiman": 24000}
LIMITS |= {"counted_yakuman": 32000, "yakuman": 32000}


@pytest.mark.parametrize(("limit", "points"), LIMITS.items())
def test_limits_by_name(limit, points):
    """Haneman: 18 000 for East and 12 000 for others. [RIICHI 4.1.3]"""
    assert paid(hand(win((N, {"limit": limit}), by=E))) == [-points, 0, 0, points]
    assert paid(hand(win((E, {"limit": limit}), by=N))) == [points * 3 // 2, 0, 0, -points * 3 // 2]


def test_han_alone_make_a_limit():
    """[RIICHI 4.1]"""
    assert paid(hand(win((S, {"han": 6}), by=W))) == [0, 12000, -12000, 0]


def test_counters_are_paid_by_the_discarder_or_by_each():
    """[RIICHI 3.4.10]"""
    at = START.but(counters=2)
    assert paid(hand(win((S, value(1, 30)), by=W)), at) == [0, 1600, -1600, 0]
    assert paid(hand(win((S, value(1, 30)))), at) == [-700, 1700, -500, -500]


def test_each_of_several_winners_gets_the_counters():
    """[RIICHI 4.1]"""
    recorded = hand(win((N, value(1, 30)), (E, value(1, 30)), by=W))
    assert paid(recorded, START.but(counters=1)) == [1800, 0, -3100, 1300]


def test_bets_of_others_go_to_the_winner_nearest_to_the_right():
    """Own bets return; what lay there before goes along. [RIICHI 4.1] [RIICHI 3.3.14]"""
    recorded = hand(win((E, value(1, 30)), (S, value(1, 30)), by=N), riichi="ESWN")
    assert paid(recorded, START.but(bets=3)) == [1500 + 5000, 1000, -1000, -2500 - 1000]
    assert EMA.following(recorded, START.but(bets=3)).bets == 0


def test_order_of_winners_does_not_matter():
    """[RIICHI 4.1]"""
    one, other = (E, value(1, 30)), (S, value(2, 30))
    results = [paid(hand(win(*pair, by=N), riichi="W")) for pair in ((one, other), (other, one))]
    assert results[0] == results[1] == [2500, 2000, -1000, -3500]
    assert nearest([S, E], N, SEATS) == E
    assert nearest([S], None, SEATS) == S


def test_winner_from_the_wall_takes_all_bets():
    """[RIICHI 3.3.14]"""
    recorded = hand(win((W, value(2, 30))), riichi="EW")
    assert paid(recorded, START.but(bets=1)) == [-2000, -500, 3000 + 1000, -500]


@pytest.mark.parametrize(
    ("counters", "bets", "told"),
    [
        (1, 1, {"1 counter: 300 more for the winner.", "The winner takes 1 riichi bet from the table."}),
        (2, 2, {"2 counters: 600 more for the winner.", "The winner takes 2 riichi bets from the table."}),
    ],
)
def test_one_counter_and_one_bet_are_told_in_the_singular(counters, bets, told):
    """[RIICHI 3.3.14] [RIICHI 3.4.10]"""
    at = START.but(counters=counters, bets=bets)
    lines = EMA.payments(hand(win((W, value(2, 30)), by=N)), at).lines
    assert told <= {fill(line.sentence, line.details) for line in lines}
    both = EMA.payments(hand(win((W, value(2, 30)), (E, value(2, 30)), by=N)), at).lines
    assert ("1 riichi bet from" in fill(both[-1].sentence, both[-1].details)) == (bets == 1)


@pytest.mark.parametrize(
    ("declared", "clause"),
    [
        (value(2, 30), "RIICHI 4.1.2"),
        (value(4, 40), "RIICHI 4.1.2"),
        (value(6, 30), "RIICHI 4.1.3, RULES 8.27"),
        (YAKUMAN, "RIICHI 4.2.5"),
    ],
    ids=["formula", "held at mangan", "haneman", "yakuman"],
)
def test_line_of_a_win_cites_its_limit(declared, clause):
    """[RIICHI 4.1.2] [RIICHI 4.1.3] [RULES 8.27]"""
    assert EMA.payments(hand(win((W, declared), by=N)), START).lines[0].clause == clause


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        ("", [0, 0, 0, 0]),
        ("ESWN", [0, 0, 0, 0]),
        ("ESW", [1000, 1000, 1000, -3000]),
        ("EW", [1500, -1500, 1500, -1500]),
        ("N", [-1000, -1000, -1000, 3000]),
    ],
    ids=["nobody", "all", "three", "two", "one"],
)
def test_exhausted_wall_moves_three_thousand(waiting, expected):
    """[RIICHI 3.4.2]"""
    assert paid(hand(end=waiting)) == expected


def test_bets_stay_after_a_hand_without_a_winner():
    """[RIICHI 3.4.4]"""
    recorded = hand(end="E", riichi="E")
    assert paid(recorded) == [2000, -1000, -1000, -1000]
    assert EMA.payments(recorded, START).unpaid == 1000
    assert EMA.following(recorded, START.but(bets=2)).bets == 3


def test_chombo_of_east_pays_four_thousand_to_each():
    """[RIICHI 3.4.6]"""
    assert paid(hand(Chombo(E))) == [-12000, 4000, 4000, 4000]


def test_chombo_of_others_pays_east_double_and_returns_the_bets():
    """The hand is replayed as it was: no counter, the same dealer, older bets stay. [RIICHI 3.4.6]"""
    recorded, at = hand(Chombo(W), riichi="SW"), START.but(counters=3, bets=2, dealer=S)
    assert paid(recorded, at) == [2000, 4000, -8000, 2000]
    assert EMA.following(recorded, at) == at.but(number=2)


@pytest.mark.parametrize(
    ("by", "liable", "expected"),
    [
        (None, N, [0, 32000 + 600, 0, -32600]),
        (W, N, [0, 32600, -16600, -16000]),
        (N, N, [0, 32600, 0, -32600]),
    ],
    ids=["wall", "another discarder", "the liable discarder"],
)
def test_liability_of_a_yakuman(by, liable, expected):
    """All from the wall, half beside a discarder, who also pays the counters. [RIICHI 3.3.9] [RULES 8.29] [RULES 8.42]"""
    recorded = hand(win((S, YAKUMAN | {"liable": liable}), by=by))
    assert paid(recorded, START.but(counters=2)) == expected


def test_liability_for_east():
    """[RIICHI 3.3.9]"""
    assert paid(hand(win((E, YAKUMAN | {"liable": S}), by=W))) == [48000, -24000, -24000, 0]
    assert liability(48000, S, None) == {S: -48000}


def test_nagashi_mangan_is_a_mangan_from_the_wall_with_counters_and_bets():
    """[RIICHI 4.2.6]"""
    recorded = hand(win((S, MANGAN | {"nagashi": True})), riichi="W")
    assert paid(recorded, START.but(counters=1)) == [-4100, 8300 + 1000, -2100 - 1000, -2100]


def test_other_limits_change_the_price():
    """[RULES 7] [RULES 8.27]"""
    ruleset = Riichi.from_rules("RIICHI", {"limits": {"4": "mangan"}, "nagashi_mangan": True})
    assert paid(hand(win((S, value(4, 30)), by=W)), ruleset=ruleset) == [0, 8000, -8000, 0]
    assert (ruleset.nagashi_mangan, ruleset.system) == (True, "RIICHI")
    assert Riichi.from_rules("RIICHI", {}) == EMA


def test_price_is_rounded_up_to_hundreds():
    """[RIICHI 4.1.2]"""
    found = price(320, is_dealer=False)
    assert (found.discarder, found.dealer, found.other) == (1300, 700, 400)
    found = price(320, is_dealer=True)
    assert (found.discarder, found.dealer, found.other) == (2000, 0, 700)


# Dealer, counters, rounds

DEALER = [
    ("East wins", hand(win((E, value(1, 30)), by=W)), (E, 3)),
    ("East wins beside another", hand(win((S, value(1, 30)), (E, value(1, 30)), by=N)), (E, 3)),
    ("another wins", hand(win((S, value(1, 30)), by=N)), (S, 0)),
    ("wall, East waiting", hand(end="EN"), (E, 3)),
    ("wall, East not waiting", hand(end="N"), (S, 3)),
]


@pytest.mark.parametrize(("recorded", "after"), [row[1:] for row in DEALER], ids=[row[0] for row in DEALER])
def test_dealer_and_counters_after_a_hand(recorded, after):
    """[RIICHI 3.4.10] [RIICHI 3.4.11] [RIICHI 3.4.2]"""
    situation = EMA.following(recorded, START.but(counters=2))
    assert (situation.dealer, situation.counters) == after
    assert (situation.number, situation.round_wind, situation.is_over) == (2, E, False)


def test_game_has_an_east_and_a_south_round():
    """[RIICHI 2.2] [RIICHI 3.5] [RIICHI 3.6]"""
    situation, seen = START, []
    while not situation.is_over:
        seen.append(f"{situation.round_wind}{situation.dealer}")
        situation = EMA.following(hand(end=""), situation)
    assert seen == ["EE", "ES", "EW", "EN", "SE", "SS", "SW", "SN"]


def test_east_does_not_end_the_game_by_winning_the_last_hand():
    """[RIICHI 3.6]"""
    last = Situation(SEATS, number=8, dealer=N, round_wind=S)
    after = EMA.following(hand(win((N, value(5, 30)), by=W)), last)
    assert (after.is_over, after.dealer, after.counters) == (False, N, 1)


def test_bets_left_over_go_to_the_leaders_in_whole_hundreds():
    """[RIICHI 3.6] [RULES 8.42]"""
    points = {E: 100, S: 100, W: 100, N: -300}
    assert share_left_over(points, 1000, 100) == {E: 300, S: 300, W: 300}


def test_dead_hand_moves_nothing():
    """[RIICHI 3.4.7]"""
    assert paid(hand(DeadHand(S), win((W, value(1, 30)), by=S))) == [0, -1000, 1000, 0]


# Records


@pytest.mark.parametrize("name", ["record_riichi_ema"])
def test_record_comes_out_as_printed(name):
    """[RIICHI 4.1] [RIICHI 3.4.6] [RIICHI 3.3.9]"""
    record = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    rules = record["declared"]["regulation"]["system_rules"]
    for session, computed in zip(record["declared"]["sessions"], record["computed"]["sessions"], strict=True):
        for table, told in zip(session["tables"], computed["tables"], strict=True):
            seats = [Seat(seat["wind"]) for seat in table["seats"]]
            hands = [read_hand(one) for one in table["protocol"]["hands"]]
            game = play(Riichi.from_rules("RIICHI", rules), seats, hands, points_unit=100)
            assert [_computed(one) for one in game.hands] == told["hands"]


def _computed(one):
    return {
        "number": one.hand.number,
        "dealer": one.before.dealer,
        "round": one.before.round_wind,
        "counters": one.before.counters,
        "payments": dict(one.payments.by_seat),
        "bets_left": one.after.bets,
    }


# Laws


@st.composite
def hands(draw):
    """Draw a hand that may stand: a win on a discard by up to three, a win from the wall, a draw, a chombo."""
    kind = draw(st.sampled_from(["discard", "wall", "end", "chombo"]))
    riichi = "".join(seat for seat in SEATS if draw(st.booleans()))
    if kind == "chombo":
        return hand(Chombo(draw(st.sampled_from(SEATS))), riichi=riichi)
    if kind == "end":
        return hand(end=riichi + "".join(seat for seat in SEATS if draw(st.booleans())), riichi=riichi)
    values = st.one_of(
        st.just({"limit": "yakuman"}), st.builds(value, st.integers(2, 13), st.sampled_from([30, 40, 60]))
    )
    seats = draw(st.permutations(SEATS))
    count = 1 if kind == "wall" else draw(st.integers(1, 3))
    by = None if kind == "wall" else seats[3]
    return hand(win(*((seat, draw(values)) for seat in seats[:count]), by=by), riichi=riichi)


@settings(max_examples=150, deadline=None)
@given(hands(), st.integers(0, 5), st.integers(0, 3), st.sampled_from(SEATS))
def test_points_and_bets_are_conserved(recorded, counters, bets, dealer):
    """What the seats lose lies on the table as bets, and comes back from there. [RIICHI 3.4.4] [RIICHI 4.1]"""
    at = START.but(counters=counters, bets=bets, dealer=dealer)
    assert EMA.check(recorded, at) == []
    after = EMA.following(recorded, at)
    assert sum(paid(recorded, at)) == 1000 * (bets - after.bets)
    assert all(points % 100 == 0 for points in paid(recorded, at))


@settings(max_examples=60, deadline=None)
@given(st.lists(hands(), max_size=30))
def test_game_never_takes_back_a_round(recorded):
    """[RIICHI 3.5]"""
    situation, order = START, []
    for one in recorded:
        if not situation.is_over:
            situation = EMA.following(one, situation)
            order.append(
                (SEATS.index(situation.round_wind), SEATS.index(situation.dealer), situation.is_over)
            )
    rounds = [round_ for round_, _, is_over in order if not is_over]
    assert rounds == sorted(rounds)


TWO_WINNERS = hand(win((S, value(1, 30)), (N, value(1, 30)), by=E), riichi="SN")
LEAGUES = {
    "as the rulebook": ({}, [-3200, 2600, 0, 1600]),
    "counters": ({"counters_to": "nearest"}, [-2600, 2600, 0, 1000]),
    "bets": ({"bets_to": "nearest"}, [-3200, 3600, 0, 600]),
    "both": ({"counters_to": "nearest", "bets_to": "nearest"}, [-2600, 3600, 0, 0]),
}


@pytest.mark.parametrize(("rules", "points"), LEAGUES.values(), ids=LEAGUES)
def test_a_regulation_may_pay_counters_and_bets_to_the_nearest_winner(rules, points):
    """[RULES 9.21] [RIICHI 3.4.10] [RIICHI 4.1]"""
    at = START.but(counters=2, bets=1)
    assert paid(TWO_WINNERS, at, Riichi.from_rules("RIICHI", rules)) == points


@settings(max_examples=100, deadline=None)
@given(hands(), st.integers(0, 5), st.integers(0, 3), st.sampled_from(SEATS), st.sampled_from(list(LEAGUES)))
def test_leagues_differ_from_the_rulebook_as_a_replay_says(recorded, counters, bets, dealer, league):
    """The replay of logs reckons the same differences by itself. [RULES 9.21]"""
    at, (rules, _) = START.but(counters=counters, bets=bets, dealer=dealer), LEAGUES[league]
    expected = dict(zip(SEATS, paid(recorded, at), strict=True))
    chosen = [("counters_to", counters_to_the_nearest), ("bets_to", bets_to_the_nearest)]
    for moves in (house for name, house in chosen if name in rules):
        for seat, points in moves(None, recorded, at, EMA).items():  # type: ignore[arg-type]
            expected[seat] += points
    assert paid(recorded, at, Riichi.from_rules("RIICHI", rules)) == list(expected.values())


def test_sentences_name_all_their_details():
    """[RIICHI 4.1]"""
    from scoring.systems.riichi import payments

    for sentence in vars(payments).values():
        if isinstance(sentence, str) and "%(" in sentence:
            assert set(re.findall(r"%\((\w+)\)", sentence)) <= {
                "han",
                "fu",
                "points",
                "limit",
                "bets",
                "counters",
                "reason",
            }
