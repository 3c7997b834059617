"""Riichi: recorded hands that cannot be are refused, each with its code, field and clause; possible ones stand."""

from itertools import combinations, combinations_with_replacement
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.hands import (
    Check,
    Chombo,
    DeadHand,
    Exposure,
    FalseWin,
    Hand,
    Kong,
    KongKind,
    Meld,
    Tiles,
    Win,
    Winner,
)
from scoring.problems import Refusal
from scoring.seats import SEATS, Seat
from scoring.systems.riichi.declared import CONFLICTS, LEAST_HAN_FROM_WALL, LEAST_HAN_ON_DISCARD
from scoring.systems.riichi.fans import YAKU
from scoring.systems.riichi.hand import evaluate, views_of, yaku_of
from scoring.systems.riichi.play import Riichi
from scoring.tests.oracles.riichi_hands import hand as tile_hand
from scoring.tests.oracles.riichi_hands import random_case
from scoring.tiles.tile import EAST, write

E, S, W, N = SEATS
EMA = Riichi()
START = EMA.start(SEATS)
GOOD = {"han": 1, "fu": 30}


def win(value=None, *, seat=S, by=W, **more):
    """Record a win of one seat."""
    return Win((Winner(seat, **(GOOD if value is None else value)),), by, **more)


def hand(*events, riichi="", end=None):
    """Record a hand; `end` maps seats to states."""
    checks = {
        Seat(seat): state if isinstance(state, Check) else Check(state) for seat, state in (end or {}).items()
    }
    return Hand(1, events, checks, tuple(Seat(seat) for seat in riichi))


def draw(waiting=""):
    return {seat: "waiting" if seat in waiting else "no_wait" for seat in SEATS}


def problems(recorded, at=START, ruleset=EMA):
    """Return codes and fields; each problem reads as a sentence and names its clause."""
    found = ruleset.check(recorded, at)
    assert all(str(problem) for problem in found)
    assert all(problem.clause for problem in found if problem.code != "tile_copies")
    return [(problem.code, problem.field) for problem in found]


def of_winner(value, **more):
    """Return the problems of a single winner, fields within it."""
    riichi = more.pop("riichi", "")
    found = problems(hand(win(value, **more), riichi=riichi))
    return [(code, field.removeprefix("events.0.winners.0.")) for code, field in found]


# What may stand


@pytest.mark.parametrize(
    "recorded",
    [
        hand(win()),
        hand(win(by=None)),
        hand(win({"limit": "yakuman"})),
        hand(win({"han": 6})),
        hand(win({"han": 6, "limit": "haneman"})),
        hand(win({"han": 4, "fu": 40, "limit": "mangan"})),
        hand(win({"han": 13, "limit": "yakuman"})),
        hand(win({"limit": "yakuman", "liable": N})),
        hand(win({"limit": "yakuman", "liable": W})),
        hand(win({"han": 4, "fu": 30, "yaku": {"riichi": 1, "dora": 3}}), riichi="S"),
        hand(win({"limit": "yakuman", "yaku": {"daisangen": 13, "tsuuiisou": 13}, "liable": N})),
        hand(win({"limit": "mangan", "yaku": {"haku": 1, "dora": 2}})),
        hand(
            win({"han": 13, "limit": "counted_yakuman", "yaku": {"chinitsu": 6, "riichi": 1, "dora": 8}}),
            riichi="S",
        ),
        hand(Win((Winner(N, han=2, fu=40), Winner(E, han=4, fu=30)), W), riichi="ES"),
        hand(DeadHand(S), DeadHand(W), win(seat=N, by=E)),
        hand(Chombo(E), riichi="ESWN"),
        hand(end=draw()),
        hand(end=draw("EN"), riichi="EN"),
        hand(DeadHand(N), end=draw("E"), riichi="EN"),
        hand(win(), riichi="ESWN"),
    ],
)
def test_possible_hands_stand(recorded):
    """[RIICHI 3.4] [RIICHI 3.4.2] [RIICHI 3.4.6] [RIICHI 3.4.7] [RIICHI 4.1]"""
    assert problems(recorded) == []


# Events and outcome

FOREIGN = {"kong": Kong(S, KongKind.ADDED), "false_win": FalseWin(S), "exposure": Exposure(S)}


@pytest.mark.parametrize("name", FOREIGN)
def test_events_of_other_systems_are_refused(name):
    """[RIICHI 3.4]"""
    recorded = hand(FOREIGN[name], win())
    assert problems(recorded) == [("event_unknown", "events.0")]
    assert EMA.check(recorded, START)[0].details == {"event": name}


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        (hand(), [("outcome_conflict", "events")]),
        (hand(DeadHand(S)), [("outcome_conflict", "events")]),
        (hand(win(), end=draw("E")), [("outcome_conflict", "end")]),
        (hand(Chombo(S), end=draw("E")), [("outcome_conflict", "end")]),
        (hand(win(), Chombo(N)), [("outcome_conflict", "events.1")]),
        (hand(win(), win(seat=N)), [("outcome_conflict", "events.1")]),
        (hand(win(), DeadHand(N)), [("outcome_conflict", "events.1")]),
        (hand(Chombo(S), Chombo(N)), [("outcome_conflict", "events.1")]),
        (hand(Win((), W)), [("outcome_conflict", "events.0.winners")]),
    ],
    ids=[
        "nothing",
        "only a dead hand",
        "win and wall",
        "chombo and wall",
        "win and chombo",
        "two wins",
        "dead after the end",
        "two chombos",
        "no winner",
    ],
)
def test_hand_ends_once(recorded, expected):
    """[RIICHI 3.4] [RIICHI 3.4.6]"""
    assert problems(recorded) == expected


def test_win_annuls_a_chombo():
    """[RIICHI 3.4.6]"""
    found = EMA.check(hand(win(), Chombo(N)), START)
    assert "annuls the chombo" in str(found[0])


def test_four_play():
    """[RIICHI 2.1]"""
    assert problems(hand(win()), EMA.start((E, S, W))) == [("wrong_players", "")]


def test_dead_hands():
    """[RIICHI 3.4.7]"""
    assert problems(hand(DeadHand(S), DeadHand(S), win(seat=N))) == [("dead_hand", "events.1.seat")]
    assert problems(hand(DeadHand(S), win())) == [("dead_hand", "events.1.winners.0.seat")]


def test_winner_cannot_be_the_discarder():
    """[RIICHI 3.3.11]"""
    assert of_winner(None, by=S) == [("winner_is_discarder", "seat")]


def test_several_win_only_on_a_discard():
    """[RIICHI 3.4.9]"""
    two = (Winner(S, **GOOD), Winner(W, **GOOD))
    assert problems(hand(Win(two))) == [("discarder_needed", "events.0.from")]
    assert problems(hand(Win((two[0], two[0]), N))) == [("outcome_conflict", "events.0.winners")]


@pytest.mark.parametrize(
    "name", ["replacement_win", "discard_after_kong", "robbing_kong", "last_tile", "same_turn"]
)
def test_circumstances_of_other_systems_are_refused(name):
    """[RIICHI 3.4.9]"""
    assert problems(hand(win(**{name: True}))) == [("unknown_field", f"events.0.{name}")]


@pytest.mark.parametrize(
    "extra", [{"fans": 3}, {"flowers": 1}, {"fan_list": {}}, {"without_drawn_tile": True}]
)
def test_values_of_other_systems_are_refused(extra):
    """[RIICHI 4.1]"""
    assert of_winner(GOOD | extra) == [("unknown_field", next(iter(extra)))]


# Riichi and the exhausted wall


def test_riichi_is_declared_once():
    """[RIICHI 3.3.14]"""
    assert problems(hand(win(), riichi="EE")) == [("riichi_twice", "riichi")]


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        (hand(end={"E": "waiting"}), [("tenpai_list", "end")]),
        (hand(end=draw() | {"E": "pig"}), [("tenpai_list", "end.E")]),
        (hand(end=draw() | {"E": Check("waiting", 4)}), [("unknown_field", "end.E")]),
        (hand(DeadHand(E), end=draw("E")), [("tenpai_list", "end.E")]),
        (hand(end=draw("E"), riichi="ES"), [("riichi_not_ready", "end.S")]),
    ],
    ids=["seats", "state", "max_base", "dead hand", "riichi"],
)
def test_exhausted_wall_names_who_waits(recorded, expected):
    """[RIICHI 3.4.2] [RIICHI 3.3.13] [RIICHI 3.4.6]"""
    assert problems(recorded) == expected


# Han, minipoints, limits


@pytest.mark.parametrize(
    ("value", "by", "field"),
    [
        ({"han": 0, "fu": 30}, W, "han"),
        ({"han": 14, "fu": 30}, W, "han"),
        ({"han": 14}, W, "han"),
        ({"han": 1, "fu": 21}, W, "fu"),
        ({"han": 1, "fu": 25}, W, "fu"),
        ({"han": 2, "fu": 25}, None, "fu"),
        ({"han": 3, "fu": 20}, W, "fu"),
        ({"han": 1, "fu": 20}, None, "fu"),
        ({"han": 1, "fu": 110}, None, "fu"),
        ({"han": 3, "fu": 120}, W, "fu"),
        ({"han": 4, "fu": 140}, None, "fu"),
        ({"han": 4, "fu": 150}, W, "fu"),
        ({"han": 6, "fu": 0}, W, "fu"),
        ({"han": 4}, W, "fu"),
        ({"fu": 30}, W, "han"),
        ({"fu": 30, "limit": "mangan"}, W, "han"),
        ({}, W, "han"),
        ({"limit": "kazoe"}, W, "limit"),
        ({"han": 5, "limit": "haneman"}, W, "limit"),
        ({"han": 4, "fu": 30, "limit": "mangan"}, W, "limit"),
        ({"han": 2, "limit": "mangan"}, W, "limit"),
        ({"han": 12, "limit": "yakuman"}, W, "limit"),
    ],
)
def test_impossible_values_are_refused(value, by, field):
    """[RIICHI 4.1.1] [RIICHI 4.1.2] [RIICHI 4.2] [RULES 8.27]"""
    assert of_winner(value, by=by) == [("han_fu", field)]


def test_limits_of_the_regulation():
    """[RULES 8.27]"""
    ruleset = Riichi.from_rules("RIICHI", {"limits": {"5": "mangan"}})
    recorded = hand(win({"limit": "baiman"}))
    assert problems(recorded, ruleset=ruleset) == [("han_fu", "events.0.winners.0.limit")]


def _minimum():
    """Find the fewest han for minipoints by building every sort of hand: sets, pair, wait, wall or discard."""
    least = {}
    triples = [(kong, outer, is_open) for kong in (0, 1) for outer in (0, 1) for is_open in (0, 1)]
    for sets in combinations_with_replacement(["chow", "open chow", *triples], 4):
        for worth in (0, 1, 2):
            for is_wall in (False, True):
                for wait in [(-1, "pair"), *_waits(sets)]:
                    found = _reckon(sets, worth, is_wall, *wait)
                    if found:
                        han, fu = found
                        least[is_wall, fu] = min(han, least.get((is_wall, fu), 99))
    return least


def _waits(sets):
    for index, formed in enumerate(sets):
        if formed == "chow":
            yield index, "two sides"
            yield index, "one tile"
        elif formed != "open chow" and not formed[0] and not formed[2]:
            yield index, "pung"


def _reckon(sets, worth, is_wall, at, wait):
    fu, concealed, kongs, triples = 2 * worth + 2 * (wait in ("pair", "one tile")), 0, 0, 0
    is_open = "open chow" in sets or any(formed[2] == 1 for formed in sets if isinstance(formed, tuple))
    for index, formed in enumerate(sets):
        if isinstance(formed, tuple):
            taken = formed[2] or (not is_wall and index == at)
            fu += (2 << (not taken)) << (2 * formed[0] + formed[1])
            triples, kongs, concealed = triples + 1, kongs + formed[0], concealed + (not taken)
    if concealed == 4 or kongs == 4:
        return None
    pinfu = not is_open and not triples and not worth and wait == "two sides"
    han = pinfu + (is_wall and not is_open) + 2 * (triples == 4) + 2 * (concealed == 3) + 2 * (kongs == 3)
    fu += 2 * (is_wall and not pinfu) + 2 * (not is_wall and is_open and not fu)
    fu += 20 if is_open or is_wall else 30
    return max(1, han), -(-fu // 10) * 10


def test_least_han_for_minipoints_are_those_of_every_sort_of_hand():
    """Seven pairs are 2 han, 3 from the wall. [RIICHI 4.1.1]"""
    least = _minimum() | {(False, 25): 2, (True, 25): 3}
    assert {fu: han for (is_wall, fu), han in least.items() if is_wall} == dict(LEAST_HAN_FROM_WALL)
    assert {fu: han for (is_wall, fu), han in least.items() if not is_wall} == dict(LEAST_HAN_ON_DISCARD)


# Yaku


@pytest.mark.parametrize(
    ("yaku", "by", "riichi", "expected"),
    [
        ({"xyz": 1}, W, "", [("yaku_unknown", "yaku")]),
        ({"haku": 2}, W, "", [("yaku_han", "yaku")]),
        ({"tanyao": 1, "dora": 21}, W, "", [("too_many_dora", "yaku")]),
        ({"dora": 1}, W, "", [("no_yaku", "yaku")]),
        ({"pinfu": 1, "toitoi": 2}, W, "", [("yaku_conflict", "yaku")]),
        ({"menzen_tsumo": 1}, W, "", [("yaku_conflict", "yaku")]),
        ({"houtei": 1}, None, "", [("yaku_conflict", "yaku")]),
        ({"chanta": 1, "iipeikou": 1}, W, "", [("closed_only", "yaku")]),
        ({"chanta": 1, "riichi": 1}, W, "S", [("closed_only", "yaku")]),
        ({"chanta": 1}, W, "S", [("closed_only", "yaku"), ("riichi_bet", "yaku")]),
        ({"riichi": 1}, W, "", [("riichi_bet", "yaku")]),
        ({"tanyao": 1}, W, "S", [("riichi_bet", "yaku")]),
        ({"tanyao": 1, "ippatsu": 1}, W, "", [("yaku_conflict", "yaku")]),
        ({"tanyao": 1, "ura_dora": 1}, W, "", [("yaku_conflict", "yaku")]),
    ],
)
def test_yaku_written_down_must_be_possible(yaku, by, riichi, expected):
    """[RIICHI 4.2] [RIICHI 4.2.1] [RIICHI 3.3.14] [RIICHI 3.3.10] [RIICHI 3.2]"""
    han = min(13, sum(yaku.values()))
    found = of_winner(
        {"han": max(han, 2) if by is None else han, "fu": 40, "yaku": yaku}, by=by, riichi=riichi
    )
    assert [one for one in found if one[0] != "payment_mismatch"] == expected


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"han": 3, "fu": 30, "yaku": {"tanyao": 1, "dora": 1}}, "yaku"),
        ({"limit": "haneman", "yaku": {"tanyao": 1, "dora": 4}}, "limit"),
        ({"limit": "yakuman", "yaku": {"tanyao": 1, "dora": 12}}, "limit"),
        ({"han": 13, "yaku": {"daisangen": 13}}, "limit"),
        ({"limit": "mangan", "yaku": {"daisangen": 13}}, "limit"),
    ],
)
def test_yaku_written_down_must_make_the_value(value, field):
    """[RIICHI 4.1] [RIICHI 4.2.5]"""
    assert of_winner(value) == [("payment_mismatch", field)]


def test_nothing_stands_beside_a_yakuman():
    """[RIICHI 4.2]"""
    value = {"limit": "yakuman", "yaku": {"daisangen": 13, "haku": 1, "dora": 1, "what": 1}}
    assert of_winner(value) == [
        ("yaku_unknown", "yaku"),
        ("yaku_conflict", "yaku"),
        ("yaku_conflict", "yaku"),
    ]
    assert of_winner({"limit": "yakuman", "yaku": {"suuankou": 13}}, riichi="S") == []


def test_conflicts_never_meet_in_a_hand():
    """No random hand shows two yaku that are said to contradict one another. [RIICHI 4.2]"""
    random = Random(9)
    for _ in range(8000):
        case = random_case(random)
        for view in views_of(case.hand, case.how):
            names = [yaku.name for yaku in yaku_of(view)]
            assert not [pair for pair in combinations(names, 2) if frozenset(pair) in CONFLICTS]


def test_conflicts_name_known_yaku():
    """[RIICHI 4.2]"""
    assert {name for pair in CONFLICTS for name in pair} <= {yaku.name for yaku in YAKU}


# Liability and nagashi mangan


@pytest.mark.parametrize(
    ("value", "by"),
    [
        ({"limit": "mangan", "liable": N}, W),
        ({"limit": "yakuman", "liable": N, "yaku": {"suuankou": 13}}, None),
        ({"limit": "yakuman", "liable": S}, W),
    ],
    ids=["no yakuman", "another yakuman", "the winner"],
)
def test_liability_only_where_there_is_one(value, by):
    """[RIICHI 3.3.9]"""
    assert of_winner(value, by=by) == [("pao_unexpected", "liable")]


def test_nagashi_mangan_is_off_unless_chosen():
    """[RULES 7] [RIICHI 4.2.6]"""
    recorded = hand(win({"limit": "mangan", "nagashi": True}, by=None), riichi="S")
    assert problems(recorded) == [("nagashi_off", "events.0.winners.0.nagashi")]
    assert problems(recorded, ruleset=Riichi(nagashi_mangan=True)) == []


@pytest.mark.parametrize(
    ("value", "by"),
    [
        ({"limit": "haneman"}, None),
        ({"limit": "mangan"}, W),
        ({"limit": "mangan", "yaku": {"tanyao": 1}}, None),
        ({"limit": "mangan", "han": 5}, None),
    ],
)
def test_nagashi_mangan_stands_alone(value, by):
    """[RIICHI 4.2.6]"""
    recorded = hand(win(value | {"nagashi": True}, by=by))
    found = problems(recorded, ruleset=Riichi(nagashi_mangan=True))
    assert found == [("outcome_conflict", "events.0.winners.0.nagashi")]


# Tiles


def recorded(tiles):
    """Write a hand as records do."""
    melds = tuple(Meld(str(m.kind), tuple(map(write, m.tiles)), m.is_open) for m in tiles.declared)
    return Tiles(tuple(map(write, tiles.concealed)), melds, write(tiles.winning_tile))


PINFU = recorded(tile_hand("234m 567m 345p 99s 67s", "s8"))
NO_YAKU = recorded(tile_hand("567m 345p 99s 88p", "s9", "111s"))
THREE_DRAGONS = recorded(tile_hand("123m 8p", "p8", "555z 666z 777z"))
HIDDEN_DRAGONS = recorded(tile_hand("555z 666z 777z 123m 8p", "p8"))
LIABLE = {
    "three open dragons": THREE_DRAGONS,
    "a kong of dragons that is not open": recorded(tile_hand("123m 8p", "p8", "-5555z 666z 777z")),
    "four open winds": recorded(tile_hand("8p", "p8", "111z 222z 333z 444z")),
    "a kong of winds that is not open": recorded(tile_hand("8p", "p8", "111z 222z 333z -4444z")),
}
NOT_LIABLE = {
    "dragons in the hand": HIDDEN_DRAGONS,
    "the third dragons in the hand": recorded(tile_hand("777z 123m 8p", "p8", "555z 666z")),
    "the fourth winds in the hand": recorded(tile_hand("444z 8p", "p8", "111z 222z 333z")),
    "dragons in kongs that nobody fed": recorded(tile_hand("123m 8p", "p8", "-5555z -6666z -7777z")),
}


@pytest.mark.parametrize(
    ("value", "by", "riichi"),
    [
        ({"han": 1, "fu": 30, "tiles": PINFU}, W, ""),
        ({"han": 3, "fu": 30, "tiles": PINFU}, W, ""),
        ({"han": 5, "tiles": PINFU}, W, ""),
        ({"han": 1, "fu": 30, "tiles": NO_YAKU}, W, ""),
        ({"limit": "haneman", "tiles": PINFU}, W, ""),
        ({"han": 2, "fu": 20, "tiles": PINFU}, None, ""),
        ({"limit": "yakuman", "tiles": PINFU}, None, ""),
        ({"han": 3, "fu": 30, "tiles": PINFU, "yaku": {"riichi": 1, "pinfu": 1, "dora": 1}}, W, "S"),
        ({"han": 2, "fu": 30, "tiles": PINFU, "yaku": {"pinfu": 1, "chankan": 1}}, W, ""),
        ({"limit": "yakuman", "tiles": THREE_DRAGONS, "liable": N}, W, ""),
        ({"limit": "yakuman", "tiles": THREE_DRAGONS, "yaku": {"daisangen": 13}}, W, ""),
    ],
)
def test_tiles_worth_what_was_declared_stand(value, by, riichi):
    """Dora and the way of winning may add han where the yaku are not written down. [RIICHI 4.1]"""
    assert of_winner(value, by=by, riichi=riichi) == []


@pytest.mark.parametrize(
    ("value", "by", "riichi", "expected"),
    [
        ({"han": 1, "fu": 40, "tiles": PINFU}, W, "", [("payment_mismatch", "tiles")]),
        ({"han": 1, "fu": 30, "tiles": PINFU}, W, "S", [("payment_mismatch", "tiles")]),
        ({"limit": "yakuman", "tiles": PINFU}, W, "", [("payment_mismatch", "tiles")]),
        ({"limit": "mangan", "tiles": THREE_DRAGONS}, W, "", [("payment_mismatch", "tiles")]),
        ({"han": 1, "fu": 50, "tiles": NO_YAKU}, W, "", [("payment_mismatch", "tiles")]),
        ({"han": 1, "fu": 30, "tiles": PINFU, "yaku": {"tanyao": 1}}, W, "", [("payment_mismatch", "yaku")]),
        ({"han": 1, "fu": 40, "tiles": PINFU, "yaku": {"pinfu": 1}}, W, "", [("payment_mismatch", "tiles")]),
        (
            {"limit": "yakuman", "tiles": HIDDEN_DRAGONS, "liable": N},
            None,
            "",
            [("pao_unexpected", "liable")],
        ),
        (
            {"han": 1, "fu": 30, "tiles": recorded(tile_hand("234m 567m 345p 99s 66s", "s8"))},
            W,
            "",
            [("no_win", "tiles")],
        ),
        (
            {"han": 1, "fu": 30, "tiles": Tiles(("m1",) * 13, (), "m1")},
            W,
            "",
            [("tile_copies", "tiles")],
        ),
    ],
)
def test_tiles_worth_something_else_are_refused(value, by, riichi, expected):
    """[RIICHI 4.1] [RIICHI 3.2] [RIICHI 3.3.9]"""
    assert of_winner(value, by=by, riichi=riichi) == expected


@pytest.mark.parametrize("tiles", LIABLE.values(), ids=LIABLE)
def test_liability_stands_when_all_those_sets_are_laid_out(tiles):
    """[RIICHI 3.3.9]"""
    assert of_winner({"limit": "yakuman", "tiles": tiles, "liable": N}, by=None) == []


@pytest.mark.parametrize("tiles", NOT_LIABLE.values(), ids=NOT_LIABLE)
def test_liability_is_refused_when_one_of_those_sets_is_in_the_hand(tiles):
    """[RIICHI 3.3.9]"""
    value = {"limit": "yakuman", "tiles": tiles, "liable": N}
    assert of_winner(value, by=None) == [("pao_unexpected", "liable")]


def test_dora_are_added_to_what_the_tiles_are_worth():
    """[RIICHI 4.1]"""
    value = {"han": 3, "fu": 40, "tiles": PINFU, "yaku": {"pinfu": 1, "dora": 2}}
    (problem,) = EMA.check(hand(win(value)), START)
    assert problem.details == {"worth": "3 han, 30 fu", "declared": "3 han, 40 fu"}


def test_circumstances_that_the_tiles_contradict_are_refused():
    """[RIICHI 4.2.1]"""
    open_hand = recorded(tile_hand("567m 345p 66s 67s", "s8", "234m"))
    value = {"han": 2, "fu": 30, "tiles": open_hand, "yaku": {"riichi": 1, "tanyao": 1}}
    assert of_winner(value, riichi="S") == [("closed_only", "yaku")]


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
@example(seed=212, with_yaku=True)
def test_evaluated_hands_can_be_recorded(seed, with_yaku):
    """What a hand is worth may be declared for it, with its yaku and without. [RIICHI 4.1] [RIICHI 4.2]"""
    case = random_case(Random(seed))
    try:
        value = evaluate(case.hand, case.how)
    except Refusal:
        return
    flags = case.how.flags
    if not with_yaku and ("tenhou" in flags or "chiihou" in flags):
        return
    in_riichi = bool(flags & {"riichi", "double_riichi"})
    seat = SEATS[case.how.seat_wind - EAST]
    others = [other for other in SEATS if other != seat]
    yaku = {counted.name: counted.han for counted in value.yaku}
    if value.is_yakuman:
        declared = {"limit": "yakuman"}
        yaku = dict.fromkeys(yaku, 13)
    else:
        declared = {"han": value.han, "fu": value.fu}
    winner = Winner(seat, tiles=recorded(case.hand), yaku=yaku if with_yaku else None, **declared)
    found = Hand(
        1, (Win((winner,), None if case.how.self_draw else others[0]),), riichi=(seat,) if in_riichi else ()
    )
    at = START.but(round_wind=SEATS[case.how.round_wind - EAST])
    if value.is_yakuman and with_yaku and flags - {"tenhou", "chiihou"}:
        assert [code for code, _ in problems(found, at)] in ([], ["flag_conflict"])
    else:
        assert problems(found, at) == []
