"""Recorded hands of sport mahjong: what may stand and what is refused, with code, field and clause."""

from dataclasses import replace

import pytest

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
from scoring.seats import SEATS
from scoring.systems.mcr.play import Mcr
from scoring.tests.oracles.mcr_notation import hand as tile_hand
from scoring.tiles.tile import write

E, S, W, N = SEATS
RULES = Mcr()
START = RULES.start(SEATS)


def problems(*events, at=START, rules=RULES, **fields):
    """Return code, field and clause of everything that makes a hand impossible."""
    found = rules.check(Hand(1, tuple(events), **fields), at)
    assert all(str(problem) for problem in found)
    return [(problem.code, problem.field, problem.clause) for problem in found]


def win(seat=S, fans=8, discarder=W, **fields):
    """Write a win on a discard of West, unless said otherwise."""
    return Win((Winner(seat, fans=fans, **fields),), discarder)


def tiles(text):
    """Write a hand as a record does."""
    hand = tile_hand(text)
    melds = tuple(Meld(str(meld.kind), tuple(map(write, meld.tiles)), meld.is_open) for meld in hand.declared)
    return Tiles(tuple(map(write, hand.concealed)), melds, write(hand.winning_tile))


RECORD_TILES = Tiles(
    ("m7", "m8", "m9", "p2", "p3", "p4", "p9", "p9", "s2", "s3"),
    (Meld("chow", ("m2", "m3", "m4"), True),),
    "s4",
)


# What may stand


@pytest.mark.parametrize(
    "events",
    [
        (),
        (win(),),
        (win(discarder=None),),
        (FalseWin(W, "below_minimum"), win(N, 12, None)),
        (FalseWin(W, "wrong_claim"), Exposure(E), DeadHand(N, "touching"), win()),
        (Exposure(E),),
        (FalseWin(W, "wrong_claim"), DeadHand(W)),
        (Win((Winner(S, fans=10, flowers=2, fan_list={"41": 1, "63": 1}, tiles=RECORD_TILES),), W),),
        (win(fans=328, discarder=None),),
    ],
    ids=[
        "no win",
        "discard",
        "self-draw",
        "false win first",
        "everything",
        "exposure alone",
        "dead besides",
        "record example",
        "largest",
    ],
)
def test_possible_hands_may_stand(events):
    """Nothing is held against what can happen. [MCR terms 2] [MCR winning 2d]"""
    assert problems(*events) == []


# Who wins


def test_winner_is_not_the_discarder():
    """A discard is won by another player. [MCR winning 2d]"""
    assert problems(win(S, discarder=S)) == [
        ("winner_is_discarder", "events.0.winners.0.seat", "MCR winning 2d")
    ]


def test_only_the_nearest_in_turn_wins():
    """Two winners are refused. [MCR winning 2e]"""
    both = Win((Winner(N, fans=8), Winner(S, fans=8)), W)

    assert problems(both) == [("multi_win", "events.0.winners", "MCR winning 2e")]


def test_win_needs_a_winner():
    """A win without one says nothing."""
    assert problems(Win(())) == [("outcome_conflict", "events.0.winners", "")]


def test_seats_must_be_occupied():
    """Nobody wins, discards or offends at an empty seat."""
    at = RULES.start((E, S, W))

    assert problems(win(N), win(S, discarder=N), FalseWin(N, "wrong_claim"), at=at)[:2] == [
        ("seat_empty", "events.0.winners.0.seat", ""),
        ("outcome_conflict", "events.1", "MCR terms 2"),
    ]
    assert problems(win(S, discarder=N), at=at) == [("seat_empty", "events.0.from", "")]
    assert problems(FalseWin(N, "wrong_claim"), at=at) == [("seat_empty", "events.0.seat", "")]


def test_empty_seat_is_told_once_for_each_event():
    """That nobody sits there is enough to say."""
    at = RULES.start((E, S, W))

    assert problems(FalseWin(N, "wrong_claim"), win(N), at=at) == [
        ("seat_empty", "events.0.seat", ""),
        ("seat_empty", "events.1.winners.0.seat", ""),
    ]


def test_tiles_of_an_empty_seat_are_not_valued():
    """Without a seat there is no wind to value them by."""
    given = win(N, 10, tiles=RECORD_TILES)

    assert problems(given, at=RULES.start((E, S, W))) == [("seat_empty", "events.0.winners.0.seat", "")]


@pytest.mark.parametrize(
    ("offence", "clause"),
    [
        (FalseWin(S, "below_minimum"), "MCR offences 6"),
        (FalseWin(S, "wrong_claim"), "MCR offences 6"),
        (Exposure(S), "MCR offences 7"),
        (DeadHand(S), "MCR offences 2"),
        (DeadHand(S, "wrong_count"), "MCR offences 8"),
        (DeadHand(S, "tiles_mixed"), "MCR offences 11"),
    ],
    ids=["below the minimum", "wrong claim", "exposure", "dead hand", "wrong count", "tiles mixed"],
)
def test_offender_wins_no_more_in_the_hand(offence, clause):
    """After a false win, shown tiles or with a dead hand there is no win. [MCR offences 2] [MCR offences 6] [MCR offences 7]"""
    assert problems(offence, win(S)) == [("outcome_conflict", "events.1.winners.0.seat", clause)]


def test_hand_that_died_twice_is_blamed_on_the_first_offence():
    """[MCR offences 6] [MCR offences 7]"""
    assert problems(Exposure(S), FalseWin(S, "wrong_claim"), win(S)) == [
        ("outcome_conflict", "events.2.winners.0.seat", "MCR offences 7")
    ]


def test_hand_is_dead_only_once():
    """The same decision is not recorded twice. [MCR offences 2]"""
    assert problems(DeadHand(S), DeadHand(S)) == [("outcome_conflict", "events.1.seat", "MCR offences 2")]


@pytest.mark.parametrize(
    "event",
    [win(N), FalseWin(N, "wrong_claim"), Exposure(N), DeadHand(N)],
    ids=["win", "false win", "exposure", "dead hand"],
)
def test_nothing_happens_after_the_win(event):
    """A win ends the hand. [MCR terms 2]"""
    assert problems(win(S), event) == [("outcome_conflict", "events.1", "MCR terms 2")]


def test_no_hand_after_the_sixteenth():
    """The game is over after four rounds. [MCR terms 4]"""
    over = replace(START, number=17, is_over=True)

    assert problems(at=over) == [("game_over", "number", "MCR terms 4")]
    assert str(RULES.check(Hand(17), over)[0]) == "The game has ended after hand 16."


# Fields of other systems


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"end": {E: Check("waiting", 4)}}, "end"),
        ({"riichi": (E,)}, "riichi"),
    ],
    ids=["check", "riichi"],
)
def test_hand_has_no_fields_of_other_systems(given, field):
    """There is no check at the end and no bet."""
    assert problems(**given) == [("unknown_field", field, "")]


@pytest.mark.parametrize("event", [Kong(S, KongKind.CONCEALED), Chombo(S)], ids=["kong", "chombo"])
def test_events_of_other_systems_are_refused(event):
    """Kongs are not recorded here, and nothing is replayed."""
    assert problems(event) == [("event_unknown", "events.0", "")]


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (replace(win(), replacement_win=True), "replacement_win"),
        (replace(win(), discard_after_kong=True), "discard_after_kong"),
        (replace(win(), robbing_kong=True), "robbing_kong"),
        (replace(win(), last_tile=True), "last_tile"),
        (replace(win(), same_turn=True), "same_turn"),
        (win(han=3), "winners.0.han"),
        (win(fu=30), "winners.0.fu"),
        (win(limit="mangan"), "winners.0.limit"),
        (win(liable=E), "winners.0.liable"),
        (win(nagashi=True), "winners.0.nagashi"),
        (win(yaku={"tanyao": 1}), "winners.0.yaku"),
        (win(without_drawn_tile=True), "winners.0.without_drawn_tile"),
        (FalseWin(S, "wrong_claim", discarder=W), "from"),
        (FalseWin(S, "wrong_claim", discard_after_kong=True), "discard_after_kong"),
        (FalseWin(S, "wrong_claim", robbing_kong=True), "robbing_kong"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_event_has_no_fields_of_other_systems(event, field):
    """What says something in another system only is refused."""
    assert problems(event) == [("unknown_field", f"events.0.{field}", "")]


def test_false_win_is_of_a_known_kind():
    """Too few points, or a wrong claim. [MCR offences 6]"""
    assert problems(FalseWin(S, "no_wait")) == [("value_unknown", "events.0.kind", "MCR offences 6")]


# The value


def test_value_is_needed():
    """The winner declares the points. [MCR scoring 1d]"""
    assert problems(win(fans=None)) == [("field_needed", "events.0.winners.0.fans", "MCR scoring 1d")]


def test_minimum_counts_without_flowers():
    """7 points and 8 flowers are no win; the minimum is a setting. [MCR scoring 1a]"""
    refused = [("below_minimum", "events.0.winners.0.fans", "MCR scoring 1a")]

    assert problems(win(fans=7, flowers=8)) == refused
    assert problems(win(fans=7), rules=Mcr("MCR", 6)) == []
    assert str(RULES.check(Hand(1, (win(fans=7),)), START)[0]) == (
        "At least 8 points without flowers are needed to win; entered 7."
    )


def test_value_has_an_upper_bound():
    """No hand is worth so much."""
    assert problems(win(fans=401)) == [("out_of_range", "events.0.winners.0.fans", "")]


@pytest.mark.parametrize("flowers", [-1, 9])
def test_flowers_are_eight_at_most(flowers):
    """There are four flowers and four seasons. [MCR fan 81]"""
    assert problems(win(flowers=flowers)) == [("out_of_range", "events.0.winners.0.flowers", "MCR fan 81")]


# The listed fans


def listed(fans, discarder=W, **fan_list):
    """Return the problems of a list of fans, written f41=1."""
    named = {name.removeprefix("f"): count for name, count in fan_list.items()}
    return problems(win(fans=fans, discarder=discarder, fan_list=named))


PLACE = "events.0.winners.0.fan_list"


def test_listed_fans_add_up():
    """8 and 2 are 10, not 12. [MCR scoring 1d]"""
    assert listed(10, f41=1, f63=1) == []
    assert listed(12, f41=1, f63=1) == [("payment_mismatch", PLACE, "MCR scoring 1d")]


@pytest.mark.parametrize("name", ["f81", "f0", "f82", "Chicken", "f041"])
def test_listed_fans_are_those_of_the_table(name):
    """Flowers have a field of their own, and names are numbers. [MCR fan 81]"""
    assert listed(8, f41=1, **{name: 1}) == [("value_unknown", PLACE, "")]


def test_listed_fans_do_not_exclude_each_other():
    """Seven Pairs are no Concealed Hand. [MCR fan 19] [MCR scoring 1e1]"""
    assert listed(26, f19=1, f62=1) == [("yaku_conflict", PLACE, "MCR fan 19")]
    assert listed(25, f22=1, f76=1) == [("yaku_conflict", PLACE, "MCR fan 22")]


def test_listed_fans_occur_as_often_as_they_can():
    """Only some fans count more than once."""
    assert listed(16, f41=2) == [("out_of_range", PLACE, "MCR fan 41")]
    assert listed(8, f41=1, f63=0) == [("out_of_range", PLACE, "MCR fan 63")]
    assert listed(9, f50=1, f69=2, f71=1) == []


@pytest.mark.parametrize(
    ("fan", "fans", "other_fan", "is_drawn"),
    [
        ("f80", 11, "f63", True),
        ("f56", 14, "f63", True),
        ("f44", 18, "f63", True),
        ("f46", 17, "f74", True),
        ("f62", 12, "f63", False),
        ("f53", 16, "f63", False),
        ("f45", 18, "f63", False),
        ("f47", 18, "f63", False),
    ],
)
def test_listed_fans_fit_how_the_tile_came(fan, fans, other_fan, is_drawn):
    """Some fans need the wall, some a discard. [MCR fan 44] [MCR fan 45]"""
    fits, other = (None, W) if is_drawn else (W, None)

    assert listed(fans, fits, f41=1, **{other_fan: 1, fan: 1}) == []
    assert listed(fans, other, f41=1, **{other_fan: 1, fan: 1}) == [
        ("outcome_conflict", PLACE, f"MCR fan {fan[1:]}")
    ]


@pytest.mark.parametrize(
    ("fans", "fan_list", "clause", "sentence"),
    [
        (19, {"f28": 1, "f63": 1, "f77": 1}, "", ""),
        (
            20,
            {"f28": 1, "f63": 1, "f77": 1, "f78": 1},
            "RULES 8.16",
            "“Edge Wait” and “Closed Wait” are never counted in one hand.",
        ),
        (
            20,
            {"f28": 1, "f63": 1, "f69": 1, "f71": 1},
            "MCR scoring 1e5",
            "Four chows do not make all the listed fans of chows: a chow that made one fan is joined to the others once only.",
        ),
        (
            13,
            {"f38": 1, "f73": 1},
            "MCR scoring 1e",
            "No hand won in this way has exactly these fans: one is missing or too many.",
        ),
    ],
    ids=["possible", "two waits", "chows joined twice", "something is missing"],
)
def test_listed_fans_are_those_of_some_hand(fans, fan_list, clause, sentence):
    """What no hand has is refused with the clause, and the nearest lists are offered. [RULES 8.48]"""
    named = {name.removeprefix("f"): count for name, count in fan_list.items() if count}
    given = Hand(1, (win(fans=fans, fan_list=named),))
    found = RULES.check(given, START)
    assert [(one.code, one.field, one.clause, str(one)) for one in found] == (
        [("yaku_conflict", PLACE, clause, sentence)] if clause else []
    )
    for offer in (offer for one in found for offer in one.offers):
        assert problems(win(**offer.facts)) == []
    assert [len(one.offers) for one in found] == ([3] if clause else [])


def test_hands_of_the_first_reading_are_held_against_no_other_hands():
    """What was taken in then stays readable. [RULES 8.44] [RULES 8.48]"""
    old = Hand(1, (win(fans=14, fan_list={"38": 1, "77": 1, "78": 1}),), first_reading=True)
    assert RULES.check(old, START) == []
    assert RULES.check(replace(old, first_reading=False), START) != []


# The tiles


def valued(text, fans, discarder=W, seat=S, at=START, **fields):
    """Return the problems of a declared value beside its tiles."""
    return problems(win(seat, fans, discarder, tiles=tiles(text), **fields), at=at)


MISMATCH = [("payment_mismatch", "events.0.winners.0.fans", "MCR scoring 1d")]


def test_tiles_are_worth_the_declared_value():
    """A declared value that no circumstances explain is refused. [MCR scoring 1d]"""
    assert valued("(123m) (123p) (123s) 67m 77p + 8m", 10) == []
    assert valued("(123m) (123p) (123s) 67m 77p + 8m", 11) == MISMATCH
    assert valued("(123m) (123p) (123s) 67m 77p + 8m", 12, None) == MISMATCH


def test_circumstances_are_taken_from_the_listed_fans():
    """Without a list the last tile may explain 4 more; with one it must stand there. [MCR fan 58]"""
    assert valued("(123m) (123p) (123s) 67m 77p + 8m", 14) == []
    assert valued("(123m) (123p) (123s) 67m 77p + 8m", 14, fan_list={"41": 1, "63": 1, "58": 1}) == []
    assert valued("(123m) (123p) (123s) 67m 77p + 8m", 14, fan_list={"41": 1, "54": 1}) == MISMATCH


@pytest.mark.parametrize(
    ("fan", "points", "discarder"),
    [(44, 18, None), (46, 18, None), (45, 18, W), (47, 18, W), (58, 14, W), (58, 15, None)],
)
def test_listed_circumstances_are_worth_their_fans(fan, points, discarder):
    """The tiles with the listed circumstances are worth 10, and the circumstance; from the wall one more or it. [MCR fan 44]"""
    text = "(1111z) (123p) (123s) 23m 88p + 1m" if fan == 46 else "(123m) (123p) (123s) 67m 77p + 8m"
    base = {"41": 1, "74": 1, "73": 1} if fan == 46 else {"41": 1, "63": 1}
    drawn = {"80": 1} if fan == 58 and discarder is None else {}

    given = valued(
        text,
        points,
        discarder,
        seat=S,
        at=replace(START, round_wind=W),
        fan_list=base | drawn | {str(fan): 1},
    )

    assert given == []


def test_listed_fans_are_those_of_the_tiles():
    """The same value by other fans is refused, and the fans of the tiles are offered. [RULES 8.48]"""
    text = "(123m) (123p) (123s) 67m 77p + 8m"
    assert valued(text, 10, fan_list={"41": 1, "63": 1}) == []
    wrong = win(S, 10, fan_list={"41": 1, "66": 1}, tiles=tiles(text))
    (problem,) = RULES.check(Hand(1, (wrong,)), START)
    assert (problem.code, problem.field, problem.clause) == ("payment_mismatch", PLACE, "RULES 8.48")
    assert [offer.facts for offer in problem.offers] == [{"fans": 10, "fan_list": {"41": 1, "63": 1}}]
    assert RULES.check(Hand(1, (wrong,), first_reading=True), START) == []


def test_listed_circumstances_must_fit_the_tiles():
    """A hand without a kong is not won on its replacement. [MCR fan 46]"""
    given = valued("(123m) (123p) (123s) 67m 77p + 8m", 18, None, fan_list={"41": 1, "63": 1, "46": 1})

    assert given == [("outcome_conflict", PLACE, "")]


def test_winds_of_the_tiles_follow_the_dealer():
    """In the second hand South deals and is East; a pung of East is worth 2 and 2. [MCR terms 6] [MCR fan 61]"""
    second = RULES.following(Hand(1), START)
    text = "(111z) (123p) (123s) 23m 77p + 1m"

    assert valued(text, 12, at=second) == []
    assert valued(text, 10, seat=N, at=second) == []
    assert valued(text, 12, seat=N, at=second) == MISMATCH


def test_tiles_must_be_a_win():
    """Tiles that are none are refused. [MCR winning 2a]"""
    assert valued("(123m) (123p) (123s) 67m 77p + 1z", 10) == [
        ("no_win", "events.0.winners.0.tiles", "MCR winning 2a")
    ]


def test_tiles_must_be_legal():
    """A wrong number of tiles is told as such."""
    assert valued("(123m) (123p) (123s) 67m 777p + 8m", 10) == [
        ("tile_count", "events.0.winners.0.tiles.concealed", "")
    ]
