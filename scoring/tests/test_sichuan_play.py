"""Sichuan at the table: who deals, and why a recorded hand is impossible."""

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
from scoring.problems import Refusal
from scoring.seats import SEATS, Seat
from scoring.systems.base import Situation
from scoring.systems.sichuan.law import LAWS, FalseWinner
from scoring.systems.sichuan.play import Sichuan, from_rules, next_dealer
from scoring.tiles.tile import parse_compact, write

EAST, SOUTH, WEST, NORTH = SEATS
SBR, WMSG = Sichuan("SBR"), Sichuan("WMSG")
SBR_OUT, WMSG_OUT = (Sichuan(system, FalseWinner.OUT) for system in LAWS)
ALL_IDLE = dict.fromkeys(SEATS, Check("no_wait"))
BOTH = pytest.mark.parametrize("ruleset", [SBR, WMSG], ids=LAWS)


def win(seat, fans=1, discarder=None, **more):
    """Record a win of one seat."""
    return Win((Winner(seat, fans=fans),), discarder, **more)


def kong(seat, kind="concealed", discarder=None, **more):
    """Record a kong."""
    return Kong(seat, KongKind(kind), discarder, **more)


WON_OUT = (win(EAST), win(SOUTH), win(WEST))


def problems(*events, end=None, ruleset=SBR, seats=SEATS, **more):
    """Return codes and fields of the problems of a hand."""
    found = ruleset.check(Hand(1, events, end or {}, **more), Situation(seats))
    return [(problem.code, problem.field) for problem in found]


@pytest.mark.parametrize(
    ("events", "dealer"),
    [
        ((), SOUTH),
        ((FalseWin(WEST, "waiting"),), SOUTH),
        ((win(WEST),), WEST),
        ((win(WEST, discarder=NORTH), win(EAST)), WEST),
        ((Win((Winner(NORTH, fans=1), Winner(EAST, fans=1)), WEST), win(SOUTH)), WEST),
        ((win(NORTH), Win((Winner(EAST, fans=1), Winner(WEST, fans=1)), SOUTH)), NORTH),
    ],
)
def test_the_first_win_decides_who_deals_next(events, dealer):
    """No win: the same; one first winner: that player; several: the discarder; false wins do not count.

    [SBR 2.6.2.6] [WMSG 6.1] [WMSG 6.2] [WMSG 6.3]
    """
    assert next_dealer(Hand(1, events), SOUTH) == dealer


@BOTH
@pytest.mark.parametrize(
    ("seats", "dealer"), [(SEATS, EAST), ((SOUTH, WEST, NORTH), SOUTH), ((EAST, SOUTH, WEST), EAST)]
)
def test_east_deals_first(ruleset, seats, dealer):
    """Or the next occupied seat. [SBR 2.1.9] [RULES 8.34]"""
    at = ruleset.start(list(seats))
    assert (at.seats, at.number, at.dealer, at.is_over) == (seats, 1, dealer, False)


def test_the_next_hand_has_the_next_number():
    """The deal passes on; the game ends by its clock. [SBR 2.6.2.6]"""
    at = SBR.start(SEATS)
    assert SBR.following(Hand(1, WON_OUT[1:]), at) == at.but(number=2, dealer=SOUTH)


def test_the_rulesets_have_one_setting():
    """Rules that do not say what becomes of a false winner are older than the question. [RULES 8.44]"""
    assert from_rules("WMSG", {}) == WMSG == Sichuan("WMSG", FalseWinner.PLAYS_ON)
    assert from_rules("SBR", {"false_winner": "plays_on"}) == SBR
    assert from_rules("SBR", {"false_winner": "out"}) == SBR_OUT


def test_an_unknown_setting_is_refused_by_name():
    with pytest.raises(Refusal) as refused:
        from_rules("SBR", {"minimum": 8, "cap": 5, "false_winner": "stays"})
    found = [problem.field for problem in refused.value.problems]
    assert found == ["system_rules.false_winner", "system_rules.minimum", "system_rules.cap"]


OUT = {
    "wins": ((FalseWin(EAST, "waiting"), win(EAST)), "events.1.winners.0.seat"),
    "discards": ((FalseWin(EAST, "waiting"), win(SOUTH, 1, EAST)), "events.1.from"),
    "declares a kong": ((FalseWin(EAST, "waiting"), kong(EAST)), "events.1.seat"),
    "gives the tile of a kong": ((FalseWin(EAST, "waiting"), kong(SOUTH, "open", EAST)), "events.1.from"),
    "declares a false win": ((FalseWin(EAST, "waiting"), FalseWin(EAST, "waiting")), "events.1.seat"),
    "is declared dead": ((FalseWin(EAST, "waiting"), DeadHand(EAST)), "events.1.seat"),
}  # fmt: skip


@pytest.mark.parametrize(("events", "field"), OUT.values(), ids=OUT)
@pytest.mark.parametrize("ruleset", [SBR_OUT, WMSG_OUT], ids=LAWS)
def test_a_false_winner_takes_no_further_part(ruleset, events, field):
    """Whoever declares a win closes the hand. [SBR 2.1.15] [SBR 2.6.2.2] [WMSG 7.2] [RULES 8.44]"""
    declared = {winner.seat for event in events if isinstance(event, Win) for winner in event.winners} | {
        EAST
    }
    end = {seat: Check("no_wait") for seat in SEATS if seat not in declared}
    assert problems(*events, end=end, ruleset=ruleset) == [("outcome_conflict", field)]


@pytest.mark.parametrize("ruleset", [SBR_OUT, WMSG_OUT], ids=LAWS)
def test_false_wins_are_among_the_declarations_that_end_a_hand(ruleset):
    """Three of four, two of three, true or false; who declared is not checked.

    [SBR 2.5.8.1] [SBR 2.7.4.1] [SBR 3.1.3] [WMSG 4.2] [RULES 8.44]
    """
    three = FalseWin(NORTH, "no_wait"), win(EAST), win(SOUTH)
    assert problems(*three, ruleset=ruleset) == []
    assert problems(*three, kong(WEST), ruleset=ruleset) == [("outcome_conflict", "events.3")]
    assert (
        problems(FalseWin(EAST, "waiting"), FalseWin(SOUTH, "waiting"), ruleset=ruleset, seats=SEATS[:3])
        == []
    )
    all_but_north = {seat: Check("no_wait") for seat in SEATS[:3]}
    assert problems(FalseWin(NORTH, "waiting"), end=all_but_north, ruleset=ruleset) == []
    assert problems(FalseWin(NORTH, "waiting"), end=ALL_IDLE, ruleset=ruleset) == [
        ("outcome_conflict", "end.N")
    ]


def test_the_last_who_has_declared_nothing_returns_kongs():
    """In SBR, though one of the three declarations was false. [SBR 2.7.2.4] [RULES 8.9] [RULES 8.44]"""
    events = kong(WEST), FalseWin(NORTH, "no_wait"), win(EAST), win(SOUTH)
    assert problems(*events, ruleset=SBR_OUT) == [("check_needed", "end.W")]
    assert problems(*events, ruleset=WMSG_OUT) == []
    assert problems(*events, end={WEST: Check("waiting")}, ruleset=SBR_OUT) == []


WITHOUT_KONG = Tiles(tuple(write(one) for one in parse_compact("222m 444m 666p 888p 3p")), (), "p3")
FIRST_READING = {
    "fewer fans than kongs": ((kong(EAST), kong(EAST, "added"), win(EAST, 0)), {}),
    "seven pairs with a kong": ((kong(EAST), Win((Winner(EAST, fans=2, fan_list={"seven_pairs": 1}),))), {}),
    "a second event on a robbed kong": ((kong(SOUTH, "added", robbed=True), win(EAST, 1, SOUTH, robbing_kong=True), win(WEST, 1, SOUTH, robbing_kong=True)), {}),
    "a kong after the last tile": ((win(EAST, 1, SOUTH, last_tile=True), kong(SOUTH)), {}),
    "tiles without the kong that was declared": ((kong(EAST), Win((Winner(EAST, fans=1, tiles=WITHOUT_KONG),), SOUTH)), {}),
    "a dead hand that waits": ((DeadHand(SOUTH),), {SOUTH: Check("waiting", 4)}),
    "a kong that waits for 1": ((kong(SOUTH),), {SOUTH: Check("waiting", 1)}),
}  # fmt: skip


@pytest.mark.parametrize(("events", "shown"), FIRST_READING.values(), ids=FIRST_READING)
@BOTH
def test_a_hand_of_the_first_reading_is_judged_as_it_was_then(ruleset, events, shown):
    """What was recorded before still stands; entered today it would not. [RULES 8.45] [RULES 8.46] [RULES 8.47]"""
    won = {winner.seat for event in events if isinstance(event, Win) for winner in event.winners}
    end = {seat: Check("no_wait") for seat in SEATS if seat not in won} | shown
    assert problems(*events, end=end, ruleset=ruleset, first_reading=True) == []
    assert problems(*events, end=end, ruleset=ruleset) != []


def test_a_hand_of_the_first_reading_is_not_judged_by_nothing():
    """Fans still have their least and their most. [SBR 2.7.3.6]"""
    for fans in (0, 11):
        found = problems(
            win(EAST, fans, SOUTH, last_tile=True),
            end={seat: Check("no_wait") for seat in SEATS[1:]},
            first_reading=True,
        )
        assert found == [("out_of_range", "events.0.winners.0.fans")]


@BOTH
@pytest.mark.parametrize(
    ("events", "end"),
    [
        ((), ALL_IDLE),
        (WON_OUT, {}),
        ((kong(NORTH, "delayed"), *WON_OUT), {}),
        ((kong(NORTH, "open", EAST), *WON_OUT), {NORTH: Check("waiting", 8)}),
        ((kong(EAST), win(EAST, 2, replacement_win=True), *WON_OUT[1:]), {}),
        ((kong(EAST), DeadHand(SOUTH), win(EAST, 2, replacement_win=True)), {seat: Check("no_wait") for seat in SEATS[1:]}),
        ((kong(EAST, "added", robbed=True), win(SOUTH, 1, EAST, robbing_kong=True), win(WEST), win(NORTH)), {}),
        ((kong(EAST, "delayed", robbed=True), DeadHand(NORTH), win(SOUTH, 1, EAST, robbing_kong=True)), {seat: Check("no_wait") for seat in (EAST, WEST, NORTH)}),
        ((kong(EAST, "added", robbed=True), FalseWin(SOUTH, "no_wait", EAST, robbing_kong=True), win(WEST, 1, EAST, robbing_kong=True)), {seat: Check("no_wait") for seat in (EAST, SOUTH, NORTH)}),
        ((kong(EAST), FalseWin(SOUTH, "no_wait", EAST, discard_after_kong=True), win(WEST, 2, EAST, discard_after_kong=True, last_tile=True)), {seat: Check("no_wait") for seat in (EAST, SOUTH, NORTH)}),
        ((DeadHand(EAST), FalseWin(EAST, "no_wait"), kong(EAST)), ALL_IDLE),
        ((win(EAST, 1, SOUTH, last_tile=True), FalseWin(WEST, "waiting", SOUTH)), {seat: Check("no_wait") for seat in SEATS[1:]}),
        ((win(EAST, 1, SOUTH), win(WEST, 1, SOUTH)), {seat: Check("no_wait") for seat in (SOUTH, NORTH)}),
        ((*(kong(EAST),) * 3, kong(EAST, "delayed"), win(EAST, 6)), {seat: Check("no_wait") for seat in SEATS[1:]}),
        ((Win((Winner(NORTH, fans=0), Winner(EAST, fans=7)), WEST), win(SOUTH)), {WEST: Check("no_wait")}),
    ],
    ids=lambda value: None,
)  # fmt: skip
def test_possible_hands_stand(ruleset, events, end):
    """Everything here may happen at a table. [SBR 2.5.7] [SBR 2.5.8.1] [SBR 2.5.8.2] [WMSG 4.2] [RULES 8.14]"""
    assert problems(*events, end=end, ruleset=ruleset) == []


IMPOSSIBLE = {
    "self-draw of two": ((Win((Winner(EAST, fans=0), Winner(SOUTH, fans=0))),), "multi_win", "events.0.winners"),
    "nobody wins": ((Win(()),), "outcome_conflict", "events.0.winners"),
    "nobody wins on a discard": ((Win((), EAST),), "outcome_conflict", "events.0.winners"),
    "winner discards": ((win(EAST, 1, EAST),), "winner_is_discarder", "events.0.winners.0.seat"),
    "winner named twice": ((Win((Winner(EAST, fans=0), Winner(EAST, fans=1)), WEST),), "multi_win", "events.0.winners"),
    "winners out of turn": ((Win((Winner(EAST, fans=0), Winner(NORTH, fans=1)), WEST),), "order_of_winners", "events.0.winners"),
    "wins again": ((win(EAST), win(EAST)), "outcome_conflict", "events.1.winners.0.seat"),
    "discards after winning": ((win(EAST), win(SOUTH, 1, EAST)), "outcome_conflict", "events.1.from"),
    "dead hand wins": ((DeadHand(EAST), win(EAST)), "outcome_conflict", "events.1.winners.0.seat"),
    "no fans given": ((Win((Winner(EAST),)),), "field_needed", "events.0.winners.0.fans"),
    "fewer fans than circumstances": ((kong(EAST), win(EAST, 1, replacement_win=True, last_tile=True)), "out_of_range", "events.1.winners.0.fans"),
    "more fans than there are": ((win(EAST, 11),), "out_of_range", "events.0.winners.0.fans"),
    "han of riichi": ((Win((Winner(EAST, fans=1, han=3),)),), "unknown_field", "events.0.winners.0.han"),
    "flowers": ((Win((Winner(EAST, fans=1, flowers=3),)),), "unknown_field", "events.0.winners.0.flowers"),
    "same turn": ((win(EAST, same_turn=True),), "unknown_field", "events.0.same_turn"),
    "replacement on a discard": ((kong(EAST), win(EAST, 2, SOUTH, replacement_win=True)), "discarder_unexpected", "events.1.from"),
    "replacement without a kong": ((win(EAST, replacement_win=True),), "outcome_conflict", "events.0"),
    "replacement of another's kong": ((kong(SOUTH), win(EAST, replacement_win=True)), "outcome_conflict", "events.1"),
    "replacement of nobody": ((kong(SOUTH), Win((), None, replacement_win=True)), "outcome_conflict", "events.1.winners"),
    "discard after no kong": ((win(EAST, 1, SOUTH, discard_after_kong=True),), "outcome_conflict", "events.0"),
    "self-draw after a discard": ((kong(SOUTH), win(EAST, discard_after_kong=True)), "discarder_needed", "events.1.from"),
    "robbing what was not robbed": ((kong(SOUTH, "added"), win(EAST, 1, SOUTH, robbing_kong=True)), "outcome_conflict", "events.1"),
    "robbed and discarded": ((kong(SOUTH, "added", robbed=True), win(EAST, 2, SOUTH, robbing_kong=True, discard_after_kong=True)), "outcome_conflict", "events.1.robbing_kong"),
    "robbing the last tile": ((kong(SOUTH, "added", robbed=True), win(EAST, 2, SOUTH, robbing_kong=True, last_tile=True)), "outcome_conflict", "events.1.last_tile"),
    "kong of another event before": ((kong(SOUTH), win(WEST), win(EAST, 1, SOUTH, discard_after_kong=True)), "outcome_conflict", "events.2"),
    "fifth kong": ((kong(SOUTH),) * 5, "outcome_conflict", "events.4"),
    "robbed by nobody": ((kong(SOUTH, "added", robbed=True),), "outcome_conflict", "events.0.robbed"),
    "robbed by a plain win": ((kong(SOUTH, "added", robbed=True), win(EAST, 1, SOUTH)), "outcome_conflict", "events.0.robbed"),
    "robbed concealed kong": ((kong(SOUTH, robbed=True), win(EAST, 1, SOUTH, robbing_kong=True)), "outcome_conflict", "events.0.robbed"),
    "kong after winning": ((win(EAST), kong(EAST)), "outcome_conflict", "events.1.seat"),
    "open kong from a winner": ((win(EAST), kong(SOUTH, "open", EAST)), "outcome_conflict", "events.1.from"),
    "open kong from oneself": ((kong(SOUTH, "open", SOUTH),), "outcome_conflict", "events.0.from"),
    "open kong from nobody": ((kong(SOUTH, "open"),), "discarder_needed", "events.0.from"),
    "open kong of a dead hand": ((DeadHand(SOUTH), kong(SOUTH, "open", EAST)), "outcome_conflict", "events.1.seat"),
    "concealed kong from another": ((kong(SOUTH, "concealed", EAST),), "discarder_unexpected", "events.0.from"),
    "false win after winning": ((win(EAST), FalseWin(EAST, "waiting")), "outcome_conflict", "events.1.seat"),
    "false win of no kind": ((FalseWin(EAST),), "value_unknown", "events.0.kind"),
    "false win of another system": ((FalseWin(EAST, "below_minimum"),), "value_unknown", "events.0.kind"),
    "false win on one's own tile": ((FalseWin(EAST, "waiting", EAST),), "outcome_conflict", "events.0.from"),
    "false win on a winner's tile": ((win(SOUTH), FalseWin(EAST, "waiting", SOUTH)), "outcome_conflict", "events.1.from"),
    "false win after no kong": ((FalseWin(EAST, "waiting", SOUTH, discard_after_kong=True),), "outcome_conflict", "events.0"),
    "false win after its own discard": ((kong(EAST), FalseWin(EAST, "waiting", discard_after_kong=True)), "discarder_needed", "events.1.from"),
    "dead twice": ((DeadHand(EAST), DeadHand(EAST)), "outcome_conflict", "events.1.seat"),
    "a second event on a robbed kong": ((kong(SOUTH, "added", robbed=True), win(EAST, 1, SOUTH, robbing_kong=True), win(WEST, 1, SOUTH, robbing_kong=True)), "multi_win", "events.2"),
    "a second event on a discard after a kong": ((kong(SOUTH), win(EAST, 1, SOUTH, discard_after_kong=True), DeadHand(NORTH), win(WEST, 1, SOUTH, discard_after_kong=True)), "multi_win", "events.3"),
    "a second event behind a false win": ((kong(SOUTH), win(EAST, 1, SOUTH, discard_after_kong=True), FalseWin(NORTH, "waiting", SOUTH, discard_after_kong=True), win(WEST, 1, SOUTH, discard_after_kong=True)), "multi_win", "events.3"),
    "a second event on the last tile": ((win(EAST, 1, SOUTH, last_tile=True), win(WEST, 1, SOUTH, last_tile=True)), "multi_win", "events.1"),
    "a kong after the last tile": ((win(EAST, 1, SOUTH, last_tile=True), kong(SOUTH)), "outcome_conflict", "events.1"),
    "a draw after the last tile": ((win(EAST, 1, SOUTH, last_tile=True), win(SOUTH)), "outcome_conflict", "events.1"),
    "a false draw after the last tile": ((win(EAST, 1, last_tile=True), FalseWin(SOUTH, "waiting")), "outcome_conflict", "events.1"),
    "a dead hand after the last tile": ((win(EAST, 1, last_tile=True), DeadHand(SOUTH)), "outcome_conflict", "events.1"),
    "fewer fans than kongs": ((kong(EAST), kong(EAST, "added"), win(EAST, 1)), "out_of_range", "events.2.winners.0.fans"),
    "fewer fans than four kongs": ((*(kong(EAST),) * 4, win(EAST, 5)), "out_of_range", "events.4.winners.0.fans"),
    "more fans than one kong": ((kong(EAST), win(EAST, 6)), "out_of_range", "events.1.winners.0.fans"),
    "robbing with four kongs": ((*(kong(EAST),) * 4, kong(SOUTH, "added", robbed=True), win(EAST, 7, SOUTH, robbing_kong=True)), "outcome_conflict", "events.5.winners.0"),
    "dead after winning": ((win(EAST), DeadHand(EAST)), "outcome_conflict", "events.1.seat"),
    "exposure": ((Exposure(EAST),), "event_unknown", "events.0"),
    "chombo": ((Chombo(EAST),), "event_unknown", "events.0"),
}  # fmt: skip


@pytest.mark.parametrize(("events", "code", "field"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
@BOTH
def test_impossible_events_are_refused(ruleset, events, code, field):
    """Each is named by code and field, and nothing else is reported.

    [SBR 2.5.7] [SBR 2.6.2.2] [SBR 2.6.2.3] [SBR 2.8.3] [WMSG 3.3] [WMSG 7.2] [RULES 8.45] [RULES 8.46]
    """
    winners = {winner.seat for event in events if isinstance(event, Win) for winner in event.winners}
    end = {seat: Check("no_wait") for seat in SEATS if seat not in winners}
    found = problems(*events, end=end, ruleset=ruleset)
    assert found == [(code, field)]


def test_a_robbed_kong_gives_no_discard():
    """Neither is the robbed kong robbed by that win, nor did a discard follow it. [SBR 2.7.3.6 (9)]"""
    events = kong(SOUTH, "added", robbed=True), win(EAST, 1, SOUTH, discard_after_kong=True)
    end = dict.fromkeys(SEATS[1:], Check("no_wait"))
    assert problems(*events, end=end) == [
        ("outcome_conflict", "events.0.robbed"),
        ("outcome_conflict", "events.1"),
    ]


def test_events_after_the_last_win_are_refused():
    """Three wins of four, two of three, and the hand is over. [SBR 2.5.8.1] [SBR 3.1.3] [WMSG 4.2]"""
    assert problems(*WON_OUT, kong(NORTH)) == [("outcome_conflict", "events.3")]
    assert problems(*WON_OUT, DeadHand(NORTH), ruleset=WMSG) == [("outcome_conflict", "events.3")]
    assert problems(win(EAST), win(WEST), win(SOUTH), seats=SEATS[:3]) == [("outcome_conflict", "events.2")]


@pytest.mark.parametrize(
    ("events", "fields"),
    [
        ((kong(NORTH),), ["events.0.seat"]),
        ((kong(EAST, "open", NORTH),), ["events.0.from"]),
        ((win(NORTH),), ["events.0.winners.0.seat"]),
        ((win(EAST, 1, NORTH),), ["events.0.from"]),
        ((FalseWin(NORTH, "waiting"),), ["events.0.seat"]),
        ((FalseWin(EAST, "waiting", NORTH),), ["events.0.from"]),
        ((DeadHand(NORTH),), ["events.0.seat"]),
    ],
)
def test_nobody_sits_in_an_empty_seat(events, fields):
    """Three play; the fourth seat takes part in nothing. [SBR 3.1.3]"""
    winners = {winner.seat for event in events if isinstance(event, Win) for winner in event.winners}
    end = {seat: Check("no_wait") for seat in SEATS[:3] if seat not in winners}
    assert problems(*events, end=end, seats=SEATS[:3]) == [("seat_empty", field) for field in fields]


@pytest.mark.parametrize(
    ("events", "end", "ruleset", "expected"),
    [
        ((), {}, SBR, [("check_needed", f"end.{seat}") for seat in SEATS]),
        ((win(EAST),), ALL_IDLE, SBR, [("outcome_conflict", "end.E")]),
        ((win(EAST),), {SOUTH: Check("no_wait"), WEST: Check("no_wait")}, WMSG, [("check_needed", "end.N")]),
        ((kong(NORTH), *WON_OUT), {}, SBR, [("check_needed", "end.N")]),
        ((kong(NORTH), *WON_OUT), {}, WMSG, []),
        ((kong(NORTH), FalseWin(NORTH, "waiting"), *WON_OUT), {}, SBR, []),
        ((), ALL_IDLE | {EAST: Check("waiting")}, SBR, [("out_of_range", "end.E.max_base")]),
        ((kong(NORTH), *WON_OUT), {NORTH: Check("waiting")}, SBR, []),
        ((kong(NORTH), *WON_OUT), {NORTH: Check("waiting", 3)}, SBR, [("out_of_range", "end.N.max_base")]),
        ((), ALL_IDLE | {EAST: Check("waiting", 3)}, SBR, [("out_of_range", "end.E.max_base")]),
        ((), ALL_IDLE | {EAST: Check("waiting", 16)}, WMSG, [("out_of_range", "end.E.max_base")]),
        ((), ALL_IDLE | {EAST: Check("waiting", 16)}, SBR, []),
        ((), ALL_IDLE | {EAST: Check("no_wait", 1)}, SBR, [("unknown_field", "end.E.max_base")]),
        (
            (kong(EAST), kong(EAST)),
            ALL_IDLE | {EAST: Check("waiting", 2)},
            SBR,
            [("out_of_range", "end.E.max_base")],
        ),
        ((kong(EAST), kong(EAST)), ALL_IDLE | {EAST: Check("waiting", 4)}, WMSG, []),
        (
            (DeadHand(EAST),),
            ALL_IDLE | {EAST: Check("waiting", 4)},
            SBR,
            [("outcome_conflict", "end.E.state")],
        ),
        (
            (DeadHand(EAST),),
            ALL_IDLE | {EAST: Check("waiting", 4)},
            WMSG,
            [("outcome_conflict", "end.E.state")],
        ),
        ((DeadHand(EAST),), ALL_IDLE | {EAST: Check("pig")}, WMSG, []),
        ((), ALL_IDLE | {EAST: Check("pig")}, SBR, [("value_unknown", "end.E.state")]),
        ((), ALL_IDLE | {EAST: Check("pig_active")}, WMSG, [("value_unknown", "end.E.state")]),
        ((), ALL_IDLE | {EAST: Check("pig")}, WMSG, []),
    ],
)
def test_the_check_covers_who_is_left(events, end, ruleset, expected):
    """At the wall everybody who has not won; after the last win, in SBR, who has kong points at stake.

    A dead hand does not wait, and who waits with kongs waits for no less than they are worth.

    [SBR 2.5.8.2] [SBR 2.5.8.3] [SBR 2.7.2.4] [SBR 2.7.4.1] [WMSG 11.1] [RULES 8.46] [RULES 8.47]
    """
    assert problems(*events, end=end, ruleset=ruleset) == expected


def test_an_empty_seat_is_not_checked():
    """Three at the table, three checks. [SBR 3.1.3]"""
    assert problems(end=ALL_IDLE, seats=SEATS[:3]) == [("seat_empty", "end.N")]


def test_riichi_bets_are_refused():
    """They belong to another system."""
    assert problems(*WON_OUT, riichi=(EAST,)) == [("unknown_field", "riichi")]


@pytest.mark.parametrize(
    ("fan_list", "fans", "more", "expected"),
    [
        ({"quad": 1, "pure_suit": 1}, 3, {}, []),
        ({"kong": 1, "pure_suit": 1}, 3, {}, [("outcome_conflict", "fan_list")]),
        ({"all_pungs": 1, "seven_pairs": 1}, 3, {}, [("outcome_conflict", "fan_list")]),
        ({}, 0, {}, []),
        ({"kong": 1}, 2, {}, [("payment_mismatch", "fan_list")]),
        ({"pinfu": 1}, 1, {}, [("value_unknown", "fan_list"), ("payment_mismatch", "fan_list")]),
        ({"pure_suit": 2}, 4, {}, [("out_of_range", "fan_list")]),
        ({"kong": 5}, 5, {}, [("out_of_range", "fan_list")]),
        ({"last_tile": 1}, 1, {}, [("outcome_conflict", "fan_list")]),
        ({"quad": 1}, 1, {"last_tile": True}, [("outcome_conflict", "fan_list")]),
        ({"last_tile": 1, "quad": 1}, 2, {"last_tile": True}, []),
    ],
)
def test_listed_fans_add_up(fan_list, fans, more, expected):
    """Counts times values are the number of fans, and circumstances are those of the win. [SBR 2.7.3.6] [WMSG 10.1]"""
    won = Win((Winner(EAST, fans=fans, fan_list=fan_list),), **more)
    found = problems(*WON_OUT[1:], won)
    assert found == [(code, f"events.2.winners.0.{field}") for code, field in expected]


@pytest.mark.parametrize(
    ("kongs", "fan_list", "fans", "ruleset", "is_possible"),
    [
        (["concealed"], {"kong": 1}, 1, SBR, True),
        (["concealed"], {"quad": 1}, 1, SBR, False),
        (["concealed"], {"kong": 1, "quad": 1}, 2, SBR, True),
        (["concealed"], {"kong": 2}, 2, SBR, False),
        (["concealed"], {"seven_pairs": 1}, 2, SBR, False),
        (["concealed"], {"kong": 1, "seven_pairs": 1}, 3, SBR, False),
        (["delayed"], {"quad": 1}, 1, SBR, True),
        (["delayed"], {"kong": 1}, 1, SBR, False),
        (["open", "delayed"], {"kong": 1, "quad": 1}, 2, SBR, True),
        (["open"] * 3, {"kong": 3, "quad": 1}, 4, SBR, False),
        (["open"] * 4, {"kong": 4, "all_pungs": 1, "golden_wait": 1}, 6, SBR, True),
        (["open"] * 4, {"kong": 4, "pure_suit": 1}, 6, SBR, False),
        (["concealed"], {"quad": 1}, 1, WMSG, True),
        (["concealed"], {"kong": 1}, 1, WMSG, False),
        (["concealed"], {"kong": 1, "quad": 1}, 2, WMSG, False),
    ],
)
def test_listed_fans_are_those_of_a_hand_with_the_declared_kongs(kongs, fan_list, fans, ruleset, is_possible):
    """Each kong once and under its own name, and nothing with it that such a hand cannot have.

    [SBR 2.6.1.1] [SBR 2.7.3.6 (1)] [SBR 2.7.3.6 (2)] [WMSG 10.1] [RULES 8.46]
    """
    declared = [kong(EAST, kind, SOUTH if kind == "open" else None) for kind in kongs]
    won = Win((Winner(EAST, fans=fans, fan_list=fan_list),))
    at = f"events.{len(declared)}.winners.0.fan_list"
    expected = [] if is_possible else [("outcome_conflict", at)]
    assert problems(*declared, won, *WON_OUT[1:], ruleset=ruleset) == expected


@pytest.mark.parametrize(
    ("kongs", "is_possible"),
    [(["added"], True), ([], False), (["added", "added"], False), (["concealed"], False)],
    ids=["as declared", "not declared", "one too few", "concealed"],
)
def test_recorded_tiles_hold_the_declared_kongs(kongs, is_possible):
    """No more of them, no fewer, and lying as they were declared. [RULES 8.46]"""
    recorded = tiles("123m 456m 789m 1m", "m1", "1111p")
    won = Win((Winner(EAST, fans=max(1, len(kongs)), tiles=recorded),))
    found = problems(*(kong(EAST, kind) for kind in kongs), won, *WON_OUT[1:])
    at = f"events.{len(kongs)}.winners.0.tiles"
    assert (("outcome_conflict", at) not in found) == is_possible


@pytest.mark.parametrize(
    ("kind", "fan_list", "ruleset", "is_possible"),
    [
        ("added", {"kong": 1, "all_pungs": 1}, SBR, True),
        ("added", {"kong": 1, "quad": 1}, SBR, False),
        ("delayed", {"quad": 1, "all_pungs": 1}, SBR, True),
        ("added", {"quad": 1, "all_pungs": 1}, WMSG, True),
        ("delayed", {"quad": 1, "all_pungs": 1}, WMSG, True),
        ("added", {"quad": 2}, WMSG, False),
    ],
)
def test_listed_fans_are_those_of_the_tiles(kind, fan_list, ruleset, is_possible):
    """Not others of the same sum; a delayed kong is four of a kind, though tiles do not tell. [SBR 2.5.8.5] [RULES 8.46]"""
    held = tiles("222m 444m 666p 9p", "p9", "1111p")
    won = Win((Winner(EAST, fans=2, fan_list=fan_list, tiles=held),))
    expected = [] if is_possible else [("outcome_conflict", "events.1.winners.0.fan_list")]
    assert problems(kong(EAST, kind), won, *WON_OUT[1:], ruleset=ruleset) == expected


@BOTH
def test_winners_on_one_tile_enter_the_same_tile_and_no_fifth_copy(ruleset):
    """They hold the winning tile in common; of every kind there are four. [SBR 2.3] [SBR 2.6.1.6] [WMSG 1.1]"""
    south, west = tiles("111m 456m 789m 56p 99p", "p7"), tiles("123m 456m 789m 56p 33p", "p7")
    other, five = tiles("123m 456m 789m 12p 55p", "p3"), tiles("111m 444m 789m 56p 33p", "p7")

    def both(second):
        winners = Winner(SOUTH, fans=0, tiles=south), Winner(WEST, fans=0, tiles=second)
        return problems(Win(winners, EAST), win(NORTH), ruleset=ruleset)

    assert both(west) == []
    assert both(other) == [("outcome_conflict", "events.0.winners")]
    assert both(five) == [("outcome_conflict", "events")]


def test_a_robbed_kong_leaves_its_pung_among_the_tiles():
    """Its player wins with it later, and the tiles show it. [RULES 8.14] [RULES 8.46]"""
    robbed = kong(EAST, "added", robbed=True), win(SOUTH, 1, EAST, robbing_kong=True)
    with_pung = Win((Winner(EAST, fans=0, tiles=tiles("123m 456m 789m 1m", "m1", "111p")),))
    without = Win((Winner(EAST, fans=0, tiles=tiles("123m 456m 789m 111p 1m", "m1")),))
    assert problems(*robbed, with_pung, win(WEST)) == []
    assert problems(*robbed, without, win(WEST)) == [("outcome_conflict", "events.2.winners.0.tiles")]


def tiles(concealed, tile, *melds):
    """Record a hand tile by tile."""
    named = [tuple(write(one) for one in parse_compact(text)) for text in (concealed, *melds)]
    sets = tuple(Meld("pung" if len(meld) == 3 else "kong", meld, True) for meld in named[1:])
    return Tiles(named[0], sets, tile)


@pytest.mark.parametrize(
    ("recorded", "fans", "more", "expected"),
    [
        (tiles("123m 456m 789m 1m", "m1", "1111p"), 1, {}, []),
        (tiles("123m 456m 789m 1m", "m1", "1111p"), 2, {"last_tile": True}, []),
        (tiles("123m 456m 789m 1m", "m1", "1111p"), 2, {}, [("payment_mismatch", "fans")]),
        (tiles("123m 456m 789m 1m", "m1", "111p"), 1, {}, [("payment_mismatch", "fans")]),
        (tiles("123m 456m 789m 1s", "s1", "111p"), 0, {}, [("three_suits", "tiles")]),
        (tiles("123m 456m 789m 1m", "m2", "111p"), 0, {}, [("no_form", "tiles")]),
        (tiles("123m 456m 789m 1m", "m1", "11p"), 1, {}, [("no_set", "tiles.melds.0.tiles")]),
        (tiles("123m 456m 789m", "m1", "111p"), 0, {}, [("tile_count", "tiles.concealed")]),
    ],
)
def test_recorded_tiles_are_worth_the_recorded_fans(recorded, fans, more, expected):
    """A hand that is no hand, no win, or worth something else is refused. [SBR 2.5.8.3] [SBR 2.7.3.6]"""
    won = Win((Winner(EAST, fans=fans, tiles=recorded),), **more)
    kongs = [kong(EAST, "added")] * sum(meld.type == "kong" for meld in recorded.melds)
    found = problems(*kongs, *WON_OUT[1:], won)
    assert found == [(code, f"events.{len(kongs) + 2}.winners.0.{field}") for code, field in expected]


def test_recorded_tiles_must_fit_how_the_last_one_came():
    """A replacement win needs a kong among the tiles. [SBR 2.7.3.6 (7)]"""
    won = Win((Winner(EAST, fans=2, tiles=tiles("123m 456m 789m 1m", "m1", "111p")),), replacement_win=True)
    assert problems(kong(EAST), won, *WON_OUT[1:]) == [
        ("outcome_conflict", "events.1.winners.0.tiles"),
        ("outcome_conflict", "events.1.winners.0.tiles"),
        ("payment_mismatch", "events.1.winners.0.fans"),
    ]


def test_all_problems_are_told_at_once():
    """One wrong event does not hide the next, nor make it look wrong. [SBR 2.8.3]"""
    events = win(EAST, 11), kong(SOUTH, "open"), win(WEST, 1, WEST), Seat.EAST
    assert problems(*events, end={SOUTH: Check("no_wait"), NORTH: Check("no_wait")}) == [
        ("out_of_range", "events.0.winners.0.fans"),
        ("discarder_needed", "events.1.from"),
        ("winner_is_discarder", "events.2.winners.0.seat"),
        ("event_unknown", "events.3"),
    ]


@BOTH
@pytest.mark.parametrize("name", ["kong", "quad"])
def test_a_list_has_four_kongs_or_fours_at_most(ruleset, name):
    """[SBR 2.7.3.6] [WMSG 10]"""
    too_often = ("out_of_range", "events.0.winners.0.fan_list")
    found = [
        problems(Win((Winner(EAST, fans=count, fan_list={name: count}),)), ruleset=ruleset)
        for count in (4, 5)
    ]
    assert [too_often in one for one in found] == [False, True]
