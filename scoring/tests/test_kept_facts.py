"""What records keep besides hands: marks of the first reading, who left, how a hand was dealt, stages told in names."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from scoring import description
from scoring.hands import Check, FalseWin, Hand, Kong, KongKind, Win, Winner
from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.protocol import needs_first_reading, play
from scoring.record.computed import compute
from scoring.record.hands import read_hand, write_hand
from scoring.record.readings import MARK, with_final_marks, with_marks
from scoring.record.upgrades import RECORD, found_stages
from scoring.regulation import Carry, Stage
from scoring.seats import SEATS
from scoring.systems import SYSTEMS, ruleset
from scoring.systems.mcr import lists

E, S, W, N = SEATS
SBR = PRESETS["sbr"]
VECTORS = Path(__file__).parent / "vectors"


def test_a_hand_is_written_with_all_that_is_kept_of_it():
    """[RECORD 3]"""
    written = {
        "number": 2,
        "events": [],
        "first_reading": True,
        "as_played": {"dealer": "S", "round": "E", "counters": 2},
    }
    assert write_hand(read_hand(written)) == written
    plain = {**written, "as_played": {"dealer": "S", "round": "E"}}
    assert write_hand(read_hand(plain)) == plain


def a_false_win(**more):
    """South declares without waiting; the hand goes on, as it did by the first reading."""
    return {
        "number": 1,
        "events": [{"type": "false_win", "seat": "S", "kind": "no_wait"}],
        "end": {seat: {"state": "no_wait"} for seat in "ESWN"},
        **more,
    }


def test_only_hands_that_the_rules_of_today_judge_otherwise_need_the_first_reading():
    """[RULES 8.44]"""
    law = ruleset("SBR", SBR.regulation.system_rules)
    (played,) = play(
        law, SEATS, [read_hand(a_false_win(first_reading=True, end={s: {"state": "no_wait"} for s in "EWN"}))]
    ).hands
    assert not needs_first_reading(law, played)
    (today,) = play(law, SEATS, [Hand(1, (FalseWin(S, "no_wait"),), end=played.hand.end)]).hands
    assert not needs_first_reading(law, today)


def test_a_hand_that_is_refused_today_needs_the_first_reading():
    """Seven pairs go with no declared kong; the first reading did not look. [RULES 8.46]"""
    law = ruleset("SBR", SBR.regulation.system_rules)
    events = (
        Kong(E, KongKind("concealed")),
        Win((Winner(E, fans=3, fan_list={"seven_pairs": 1, "kong": 1}),)),
    )
    old = Hand(1, events, dict.fromkeys((S, W, N), Check("no_wait")), first_reading=True)
    (played,) = play(law, SEATS, [old]).hands
    assert needs_first_reading(law, played)


def test_marks_stand_in_the_hands_that_need_them_and_nowhere_else():
    """[RULES 8.44] [RECORD 3]"""
    law = ruleset("SBR", SBR.regulation.system_rules)
    old = a_false_win(first_reading=True, end={seat: {"state": "no_wait"} for seat in "EWN"})
    game = play(law, SEATS, [read_hand(old)])
    bare = {name: value for name, value in old.items() if name != MARK}
    other = {"number": 2, "protocol": None}
    declared = {"sessions": [{"number": 1, "tables": [{"number": 1, "protocol": {"hands": [bare]}}, other]}]}
    marked = with_marks(declared, {(1, 1): game})
    assert marked["sessions"][0]["tables"] == [
        {"number": 1, "protocol": {"hands": [bare | {MARK: True}]}},
        other,
    ]
    assert MARK not in declared["sessions"][0]["tables"][0]["protocol"]["hands"][0]
    today = play(law, SEATS, [read_hand(bare)])
    assert with_marks(declared, {(1, 1): today}) is declared


@pytest.mark.parametrize(
    ("has_bets", "left", "marked"), [(False, 10, True), (True, 10, False), (False, 0, False)]
)
def test_final_points_that_left_something_on_the_table_are_marked_where_there_are_no_bets(
    has_bets, left, marked
):
    """[RULES 8.42]"""
    final = {"mode": "final_result", "final": {"E": 0}, "left_on_table": left}
    declared = {
        "sessions": [
            {"number": 1, "tables": [{"protocol": final}, {"protocol": None}, {"protocol": {"hands": []}}]}
        ]
    }
    found = with_final_marks(declared, has_bets=has_bets)
    assert (found is declared) is not marked
    assert (MARK in found["sessions"][0]["tables"][0]["protocol"]) is marked


def record(name="record_volga_open"):
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["declared"]


def a_played_table(declared):
    return next(
        table
        for session in declared["sessions"]
        for table in session["tables"]
        if session["state"] == "closed" and table["protocol"] and len(table["protocol"].get("hands", ())) > 1
    )


def test_who_left_after_the_last_hand_changes_nothing_and_who_never_sat_cannot_leave():
    """[RULES 8.55]"""
    declared = record()
    before = compute(deepcopy(declared))
    table = a_played_table(declared)
    seat = next(one for one in table["seats"] if one["player"] and "for" not in one)
    seat["left_after"] = len(table["protocol"]["hands"])
    after = compute(deepcopy(declared))
    assert after["standings"] == before["standings"]
    seat["left_after"] = 1
    table["protocol"] = None
    with pytest.raises(Refusal) as refusal:
        compute(deepcopy(declared))
    assert ("left_after", "RULES 8.55") in {(one.code, one.clause) for one in refusal.value.problems}


def test_stages_told_in_the_methods_of_seatings_are_found_unless_no_tournament_can_have_them():
    """[RECORD 7] [RULES 9.7]"""
    methods = ["draw 1", "draw 2 [stage half 16]", "[stage none]"]
    plain, stages = found_stages(methods, 4)
    assert plain == ["draw 1", "draw 2", ""]
    assert stages == [
        {"from_session": 2, "carry": "half", "cut": 16},
        {"from_session": 3, "carry": "none", "cut": None},
    ]
    assert found_stages(methods, 2) == (methods, [])
    assert found_stages(methods, None) == (methods, [])
    assert found_stages(["[stage full]"], 4) == (["[stage full]"], [])
    assert found_stages(["", "[stage full 4]", "[stage full 4]"], 4)[1] == []


def test_the_copy_of_a_session_that_plans_fewer_sessions_has_only_their_stages():
    """[RECORD 7]"""
    sessions = [
        {"seating": {"method": method}, "regulation": {"sessions": planned}}
        for method, planned in (("a", 1), ("b [stage half]", 2), ("c", 3))
    ]
    found = RECORD.upgraded({"regulation": {"sessions": 3}, "sessions": sessions}, 1)
    assert [one["regulation"].get("stages") for one in found["sessions"]] == [[], None, None]
    assert found["regulation"]["stages"] == [{"from_session": 2, "carry": "half", "cut": None}]


def test_the_deal_of_siamese_passes_round_the_seats():
    """[SIAM 6] [RULES 8.55]"""
    law = ruleset("SIAM", PRESETS["siamese"].regulation.system_rules)
    at = law.start((E, S, W))
    assert [at.dealer, law.without_dealer(at).dealer] == [E, S]


def test_a_hand_without_fans_is_a_chicken_hand_and_the_table_can_be_sent():
    """[RULES 8.48]"""
    assert lists.counts_of(0) == {lists.CHICKEN: 1}
    told = lists.for_scripts()
    assert json.loads(json.dumps(told)) == told
    assert all(one.startswith("0x") for one in told["cores"][0]["bits"])


def test_stages_that_have_begun_are_told_and_what_changes_with_the_system():
    """[RULES 9.7] [RULES 1.1]"""
    rules = SBR.regulation.but(stages=(Stage(2, Carry.HALF, 8), Stage(4, Carry.NONE, None)))
    assert description.describe_stages(rules, until=1) == []
    assert len(description.describe_stages(rules, until=2)) == 3
    assert len(description.describe_stages(rules, until=4)) == 5
    other = PRESETS["mcr"]
    found = description.describe_change(SBR.regulation, "SBR", other.regulation, "MCR")
    assert {one.field for one in found} >= {"tournament_points", "system_rules", "sessions"}
    assert description.describe_change(SBR.regulation, "SBR", SBR.regulation, "SBR") == []
    assert SYSTEMS["SBR"].name not in found[0].label
