"""Riichi as leagues play it: abortive draws, a west round, several yakuman; without a word of them as EMA 2016 plays."""

from dataclasses import replace

import pytest

from scoring.hands import Abort, Check, Chombo, Hand, Win, Winner
from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.protocol import play
from scoring.record.hands import read_hand, write_hand
from scoring.regulation import Regulation
from scoring.seats import SEATS
from scoring.systems import SYSTEMS
from scoring.systems.riichi.circumstances import problems as contradictions
from scoring.systems.riichi.hand import evaluate
from scoring.systems.riichi.limits import EMA_LIMITS, YakumanCount
from scoring.systems.riichi.play import Riichi
from scoring.tests.oracles.riichi_hands import hand as tile_hand
from scoring.tests.test_riichi_hand import RON

E, S, W, N = SEATS
EMA = Riichi()
ALL = Riichi(abortive_draws=frozenset(Abort))
START = EMA.start(SEATS)
NOBODY = {seat: Check("no_wait") for seat in SEATS}


def on_discard(*winners, by=N):
    return Win(tuple(Winner(seat, **value) for seat, value in winners), by)


def refused(ruleset, hand, at=START):
    return [(one.code, one.field) for one in ruleset.check(hand, at)]


def test_settings_that_are_not_said_mean_the_rulebook():
    """Stored regulations and records without them keep their meaning. [RULES 9.33] [RULES 9.34] [RULES 9.35]"""
    rules = PRESETS["riichi_ema"].regulation.system_rules
    assert not {"yakuman", "abortive_draws", "west_round"} & set(rules)
    assert Riichi.from_rules("RIICHI", rules) == EMA
    said = {**rules, "yakuman": "one", "abortive_draws": [], "west_round": 0}
    assert Riichi.from_rules("RIICHI", said) == EMA
    settings = SYSTEMS["RIICHI"].settings
    assert [settings[name].unsaid for name in ("yakuman", "abortive_draws", "west_round")] == ["one", (), 0]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("yakuman", "many"),
        ("abortive_draws", ["rain"]),
        ("abortive_draws", ["nine_kinds"] * 2),
        ("west_round", -1),
    ],
)
def test_settings_are_read_strictly(name, wrong):
    """[RECORD 2]"""
    written = PRESETS["riichi_ema"].regulation.to_json()
    written["system_rules"][name] = wrong
    with pytest.raises(Refusal):
        Regulation.from_json(written, system="RIICHI")


# Abortive draws


@pytest.mark.parametrize("abort", Abort)
def test_a_hand_is_broken_off_where_the_regulation_allows_it(abort):
    """Nobody pays, bets stay, the dealer deals again with one counter more. [RULES 9.34]"""
    riichi = SEATS if abort is Abort.FOUR_RIICHI else (W,)
    hand = Hand(1, riichi=riichi, abort=abort)
    assert refused(EMA, hand) == [("abort_unknown", "abort")]
    assert refused(ALL, hand) == []
    at = START.but(counters=2, bets=1, dealer=S)
    paid = ALL.payments(hand, at)
    assert paid.by_seat == {seat: -1000 * (seat in riichi) for seat in SEATS}
    assert [line.clause for line in paid.lines] == ["RIICHI 3.3.14", "RULES 9.34"]
    assert ALL.following(hand, at) == at.but(number=2, counters=3, bets=1 + len(riichi))
    assert read_hand(write_hand(hand)) == hand
    assert write_hand(hand)["abort"] == abort


WON = {"han": 1, "fu": 30}


@pytest.mark.parametrize(
    ("hand", "problem"),
    [
        (Hand(1, riichi=(E, S, W), abort=Abort.FOUR_RIICHI), ("outcome_conflict", "riichi")),
        (Hand(1, riichi=SEATS, abort=Abort.NINE_KINDS), ("outcome_conflict", "riichi")),
        (Hand(1, riichi=SEATS, abort=Abort.FOUR_KONGS), ("outcome_conflict", "riichi")),
        (Hand(1, (on_discard((E, WON)),), abort=Abort.FOUR_WINDS), ("outcome_conflict", "abort")),
        (Hand(1, (Chombo(E),), abort=Abort.FOUR_WINDS), ("outcome_conflict", "abort")),
        (Hand(1, end=NOBODY, abort=Abort.FOUR_WINDS), ("outcome_conflict", "abort")),
        (Hand(1, (on_discard((E, WON)),), riichi=SEATS), ("outcome_conflict", "riichi")),
        (
            Hand(1, end={seat: Check("waiting") for seat in SEATS}, riichi=SEATS),
            ("outcome_conflict", "riichi"),
        ),
        (Hand(1, (on_discard((E, WON), (S, WON), (W, WON)),)), ("outcome_conflict", "events")),
    ],
)
def test_what_an_abortive_draw_rules_out_is_refused(hand, problem):
    """[RULES 9.34]"""
    assert problem in refused(ALL, hand)


@pytest.mark.parametrize(
    "hand",
    [
        Hand(1, (Chombo(E),), riichi=SEATS),
        Hand(1, (on_discard((E, WON), (S, WON)),), riichi=(N, W)),
        Hand(1, riichi=(E, S, W), abort=Abort.NINE_KINDS),
    ],
)
def test_what_may_happen_beside_abortive_draws_stands(hand):
    """[RULES 9.34]"""
    assert refused(ALL, hand) == []


def test_three_winners_and_four_riichi_play_on_where_the_regulation_says_nothing():
    """[RIICHI 3.4.9] [RIICHI 3.4.1]"""
    assert refused(EMA, Hand(1, (on_discard((E, WON), (S, WON), (W, WON)),))) == []
    assert refused(EMA, Hand(1, end={seat: Check("waiting") for seat in SEATS}, riichi=SEATS)) == []


# Several yakuman


def law(counts):
    return Riichi.from_rules("RIICHI", {"yakuman": counts})


@pytest.mark.parametrize(
    ("tiles", "winning", "how", "several", "double"),
    [
        ("111z 222z 333z 44z 55z", "N", RON, 2, 3),
        ("111z 222z 333z 555z 4z", "N", RON, 3, 4),
        ("111z 222z 333z 444z 5z", "Wh", RON, 3, 5),
        ("19m19p19s1234567z", "m1", RON, 1, 2),
        ("119m19p19s123456z", "R", RON, 1, 1),
        ("1112345678999m", "m5", RON, 1, 2),
        ("1112345678999m", "m1", RON, 1, 2),
        ("1112344678999m", "m5", RON, 1, 1),
    ],
)
def test_yakuman_are_counted_as_the_regulation_says(tiles, winning, how, several, double):
    """[RULES 9.33]"""
    hand = tile_hand(tiles, winning)
    assert not contradictions(hand, how)
    counted = [evaluate(hand, how, replace(EMA_LIMITS, yakuman=counts)) for counts in YakumanCount]
    assert [(one.times, one.base) for one in counted] == [(n, 8000 * n) for n in (1, several, double)]


def test_a_hand_of_several_yakuman_is_paid_so_many_times():
    """[RULES 9.33]"""
    twice = {"limit": "yakuman", "yakuman": 2}
    hand = Hand(1, (on_discard((S, twice)),))
    assert refused(EMA, hand) == [("han_fu", "events.0.winners.0.yakuman")]
    assert refused(law("several"), hand) == []
    assert law("several").payments(hand, START).by_seat == {E: 0, S: 64000, W: 0, N: -64000}
    drawn = Hand(1, (Win((Winner(E, **twice),)),))
    (line,) = law("several").payments(drawn, START).lines
    assert (line.payments, line.details["limit"]) == (
        {E: 96000, S: -32000, W: -32000, N: -32000},
        "Double yakuman",
    )
    wrong = Hand(1, (on_discard((S, {"limit": "mangan", "yakuman": 2})),))
    assert refused(law("several"), wrong) == [("han_fu", "events.0.winners.0.yakuman")]
    worth = SYSTEMS["RIICHI"].worth.of(twice, {"yakuman": "several"}, False, False)
    assert worth == 64000
    assert read_hand(write_hand(hand)) == hand


def test_the_liable_player_answers_for_one_of_several_yakuman():
    """[RIICHI 3.3.9] [RULES 9.33]"""
    value = {"limit": "yakuman", "yakuman": 2, "liable": W}
    found = law("several").payments(Hand(1, (on_discard((S, value)),)), START)
    assert found.by_seat == {E: 0, S: 64000, W: -16000, N: -48000}
    drawn = law("several").payments(Hand(1, (Win((Winner(S, **value),)),)), START)
    assert drawn.by_seat == {E: -16000, S: 64000, W: -40000, N: -8000}


@pytest.mark.parametrize(
    ("counts", "yaku", "times", "stands"),
    [
        ("several", ["daisangen", "tsuuiisou"], 2, True),
        ("several", ["daisangen", "tsuuiisou"], None, False),
        ("several", ["daisangen"], 2, False),
        ("double", ["suuankou"], 2, True),
        ("double", ["suuankou"], None, True),
        ("double", ["suuankou"], 3, False),
        ("double", ["daisuushii"], None, False),
        ("double", ["daisuushii", "tsuuiisou"], 3, True),
        ("one", ["daisangen", "tsuuiisou"], None, True),
    ],
)
def test_yaku_written_down_are_as_many_yakuman_as_declared(counts, yaku, times, stands):
    """[RULES 9.33]"""
    value = {"limit": "yakuman", "yakuman": times, "yaku": dict.fromkeys(yaku, 13)}
    found = refused(law(counts), Hand(1, (on_discard((S, value)),)))
    assert found == ([] if stands else [("payment_mismatch", "events.0.winners.0.yakuman")])


@pytest.mark.parametrize(
    ("counts", "times", "stands"),
    [("one", None, True), ("several", 3, True), ("several", 2, False), ("double", 4, True)],
)
def test_recorded_tiles_are_as_many_yakuman_as_declared(counts, times, stands):
    """[RULES 9.33]"""
    tiles = {
        "concealed": ["E"] * 3 + ["S"] * 3 + ["W"] * 3 + ["R"] * 3 + ["N"],
        "melds": [],
        "winning_tile": "N",
    }
    winner = {"seat": "S", "limit": "yakuman", "tiles": tiles} | ({"yakuman": times} if times else {})
    hand = read_hand({"number": 1, "events": [{"type": "win", "from": "N", "winners": [winner]}]})
    found = refused(law(counts), hand)
    assert found == ([] if stands else [("payment_mismatch", "events.0.winners.0.tiles")])


def test_a_drawn_yakuman_may_be_the_blessing_of_heaven_or_earth_besides():
    """[RULES 9.33] [RIICHI 4.2.5]"""
    tiles = {
        "concealed": ["R"] * 3 + ["G"] * 3 + ["Wh"] * 3 + ["m1", "m1", "m2", "m2"],
        "melds": [],
        "winning_tile": "m1",
    }
    for times, stands in ((None, False), (2, True), (3, True), (4, False)):
        winner = {"seat": "S", "limit": "yakuman", "tiles": tiles} | ({"yakuman": times} if times else {})
        hand = read_hand({"number": 1, "events": [{"type": "win", "winners": [winner]}]})
        assert (refused(law("several"), hand) == []) is stands


# A west round


def flat(number):
    return Hand(number, end=NOBODY)


def wind_of(game):
    return game.situation.round_wind, game.situation.dealer, game.situation.is_over


def test_a_west_round_is_played_while_nobody_has_won_enough():
    """[RIICHI 3.6] [RULES 9.35]"""
    west = Riichi(west_round=5000)
    hands = [flat(number) for number in range(1, 13)]
    assert wind_of(play(EMA, SEATS, hands[:8]))[2]
    assert wind_of(play(west, SEATS, hands[:8])) == (W, E, False)
    assert wind_of(play(west, SEATS, hands[:11])) == (W, N, False)
    assert wind_of(play(west, SEATS, hands))[2]


@pytest.mark.parametrize(("fu", "is_over"), [(50, False), (60, True)])
def test_the_west_round_ends_once_somebody_has_won_enough_and_the_deal_passes(fu, is_over):
    """South wins 1 600 or 2 000 and 2 400 of counters. [RULES 9.35]"""
    west = Riichi(west_round=4400)
    hands = [flat(number) for number in range(1, 9)]
    won_now = Hand(9, (on_discard((S, {"han": 1, "fu": fu})),))
    assert wind_of(play(west, SEATS, [*hands, won_now])) == (W, E if is_over else S, is_over)
    dealer = Hand(9, (on_discard((E, {"han": 4, "fu": 40})),))
    assert wind_of(play(west, SEATS, [*hands, dealer])) == (W, E, False)
    assert wind_of(play(west, SEATS, [*hands, dealer, flat(10)])) == (W, E, True)


def test_who_has_won_enough_in_the_south_round_ends_the_game_there():
    """Bets, counters and a chombo count as points do. [RULES 9.35]"""
    west = Riichi(west_round=8000)
    hands = [Hand(1, (on_discard((S, {"limit": "mangan"})),)), *(flat(number) for number in range(2, 9))]
    assert wind_of(play(west, SEATS, hands)) == (S, E, True)
    lost = [hands[0], Hand(2, (Chombo(S),)), *(flat(number) for number in range(3, 10))]
    assert wind_of(play(west, SEATS, lost)) == (W, E, False)
    assert play(EMA, SEATS, hands).situation.gained == ()
