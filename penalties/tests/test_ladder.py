"""Ladders: steps, costs, who pays whom, and what may be given at all."""

from dataclasses import replace
from fractions import Fraction

import pytest

from penalties.ladder.rules import ladder
from penalties.ladder.rules.ladder import Given, ProposedPenalty, priced
from penalties.ladder.rules.offences import offence, offences
from scoring.presets import MCR, PRESETS, RED, RIICHI_FESTIVAL, SBR, SICHUAN_OFFENCES
from scoring.regulation import PenaltyRules, Timing
from scoring.standings.sessions import step
from scoring.systems import SYSTEMS
from scoring.systems.offences import Mode


def given(number: int, offence: str = "touching", **said: object) -> Given:
    said = {"player": "p", "session": 1, "kind": "ladder", "effect": "game_points", **said}
    return Given(key=number, offence=offence, **said)


def costs(penalties, regulation, others=lambda session, player: ["q", "r", "s"]):
    return [
        [(charge.player, charge.game_points) for charge in one.charges]
        for one in priced(penalties, lambda session: regulation, others)
    ]


def test_sichuan_offences_cost_the_step_reached_in_all():
    """[SBR 2.8.2] [RULES 8.1]"""
    seven = [given(number, code) for number, code in enumerate(SICHUAN_OFFENCES[:8])]
    assert costs(seven, SBR) == [
        [],
        [("p", -2)],
        [("p", -2)],
        [("p", -4)],
        [("p", -8)],
        [("p", -8)],
        [("p", -24)],
        [],
    ]


def test_sport_mahjong_offences_cost_their_own_step_each_on_its_own_ladder():
    """[MCR offences 3] [MCR offences 4] [RULES 8.38]"""
    four = [given(1), given(2), given(3, "empty_claim"), given(4)]
    assert costs(four, MCR) == [[], [("p", -5)], [], [("p", -10)]]


def test_late_claims_begin_anew_in_each_round():
    """[MCR offences 5]"""
    hands = [given(number, "late_claim", hand=hand) for number, hand in enumerate((1, 4, 5, 8, 9))]
    assert costs(hands, MCR) == [[], [("p", -5)], [], [("p", -5)], []]


def test_a_round_has_as_many_hands_as_players():
    """[RULES 5]"""
    hands = [given(number, "late_claim", hand=hand) for number, hand in enumerate((1, 3, 4))]
    assert costs(hands, MCR, lambda session, player: ["q", "r"]) == [[], [("p", -5)], []]


def test_a_ladder_is_the_players_own_and_the_sessions():
    """[SBR 2.8.2]"""
    three = [given(1), given(2, player="q"), given(3, session=2), given(4)]
    assert costs(three, SBR) == [[], [], [], [("p", -2)]]


@pytest.mark.parametrize("revoked", range(4))
def test_a_revoked_penalty_leaves_the_ladder_and_later_ones_move_down(revoked):
    """[RULES 8.38]"""
    four = [given(number, counts=number != revoked) for number in range(4)]
    taken = [sum(points for _, points in lines) for lines in costs(four, SBR)]
    assert taken.pop(revoked) == 0
    assert taken == [0, -2, -2]


def test_points_for_the_table_are_paid_once_to_each():
    """[RULES 8.39]"""
    one = given(1, "violation", kind="decision", points=5, to=ladder.TABLE)
    assert costs([one], MCR) == [[("p", -15), ("q", 5), ("r", 5), ("s", 5)]]


def test_points_for_one_player_are_paid_once():
    """[MCR offences 7]"""
    one = given(1, "knocked_tile", kind="decision", points=30, to="r")
    assert costs([one], MCR) == [[("p", -30), ("r", 30)]]


def test_points_count_when_the_regulation_says():
    """[RULES 8.36]"""
    one = given(1, "disturbance", kind="decision", points=8000)
    (row,) = priced([one], lambda session: RIICHI_FESTIVAL, lambda session, player: [])
    assert [charge.timing for charge in row.charges] == [Timing.AFTER]


def test_a_fixed_penalty_costs_its_price():
    rules = SBR.but(penalties=PenaltyRules(Timing.BEFORE, (), {"phone": 8}, {}))
    assert costs([given(1, "phone", kind="fixed")], rules) == [[("p", -8)]]


def test_the_next_step_is_seen_before_it_is_given():
    """[SBR 2.8.2]"""
    earlier = [given(1), given(2), given(3, counts=False)]
    climbed = SBR.penalties.ladder_of("touching")
    reached = ladder.next_step(climbed, given(4), earlier, lambda session: SBR, lambda session, player: [])
    assert (reached.number, reached.cost, reached.total) == (3, 2, 4)
    assert not ladder.is_last(climbed, reached)
    assert ladder.is_last(climbed, step(climbed, 7))


# What may be given


def refusals(regulation=SBR, *, is_chief=True, **said):
    wanted = {"offence": "phone", "kind": "decision", "effect": "game_points", "clause": "SBR 2.8.4 (6)"}
    wanted |= {"session": 1, "points": Fraction(8)}
    found = ladder.problems(ProposedPenalty(**{**wanted, **said}), regulation, is_chief=is_chief)
    return [(problem.code, problem.field) for problem in found]


BAD = {
    "type": ({"offence": "nonsense", "kind": "ladder"}, [("penalty_type", "offence")]),
    "fixed-unknown": ({"kind": "fixed"}, [("penalty_type", "offence")]),
    "ladder-with-effect": (
        {"offence": "touching", "kind": "ladder", "effect": "warning"},
        [("penalty_type", "effect")],
    ),
    "zero": ({"points": Fraction(0)}, [("penalty_amount", "points")]),
    "positive-where-taken": ({"points": Fraction(-8)}, [("penalty_amount", "points")]),
    "nothing": ({"points": None}, [("penalty_amount", "points")]),
    "fraction": ({"points": Fraction(5, 2)}, [("unit", "points")]),
    "no-clause": ({"clause": " "}, [("reason_required", "clause")]),
    "no-words": ({"offence": "other", "reason": ""}, [("reason_required", "reason")]),
    "long": ({"reason": "x" * 5001}, [("reason_length", "reason")]),
    "received-warning": ({"effect": "warning", "is_received": True}, [("receiver", "to")]),
    "received-nowhere": ({"session": None, "is_received": True}, [("session_needed", "session")]),
    "ladder-nowhere": (
        {"offence": "touching", "kind": "ladder", "session": None},
        [("session_needed", "session")],
    ),
    "until": ({"effect": "warning", "has_until": True}, [("until_unexpected", "until")]),
    "dead-hand-of-no-hand": ({"effect": "dead_hand"}, [("hand_needed", "hand")]),
    "tp-nothing": ({"effect": "tournament_points", "points": None}, [("penalty_amount", "points")]),
}


@pytest.mark.parametrize(("said", "expected"), BAD.values(), ids=BAD)
def test_bad_penalties_are_refused(said, expected):
    """[INTEGRITY 112-117]"""
    assert refusals(**said) == expected


LIMITS = {
    "over-the-ladder": ({"points": Fraction(49)}, [("penalty_limit", "points")]),
    "at-the-ladder": ({"points": Fraction(48)}, []),
    "tp": ({"effect": "tournament_points", "points": Fraction(1)}, [("penalty_limit", "points")]),
    "removal": ({"effect": "removal", "points": None}, [("penalty_limit", "effect")]),
    "warning": ({"effect": "warning", "points": None}, []),
}


@pytest.mark.parametrize(("said", "expected"), LIMITS.values(), ids=LIMITS)
def test_a_referee_has_limits_that_the_chief_referee_has_not(said, expected):
    """[INTEGRITY 114] [SBR 2.8.5]"""
    assert refusals(is_chief=False, **said) == expected
    assert refusals(is_chief=True, **said) == []


BOUNDS = [
    ("disturbance", 8000, True),
    ("disturbance", 12000, True),
    ("disturbance", 10000, False),
    ("grave_disturbance", 11900, False),
    ("grave_disturbance", 12000, True),
    ("grave_disturbance", 48000, True),
    ("grave_disturbance", 48100, False),
]


@pytest.mark.parametrize(("offence", "points", "may"), BOUNDS)
def test_riichi_decisions_keep_to_their_bounds(offence, points, may):
    """[RIICHI 5.5]"""
    found = refusals(RIICHI_FESTIVAL, offence=offence, clause="RIICHI 5.5", points=Fraction(points))
    assert (found == []) is may


@pytest.mark.parametrize("points", [5, 10, 20, 40, 50, 60, 30, 15])
def test_other_sport_mahjong_violations_cost_one_of_six_amounts(points):
    """[MCR penalties 1]"""
    found = refusals(MCR, offence="violation", clause="MCR penalties 1", points=Fraction(points))
    assert (found == []) is (points in (5, 10, 20, 40, 50, 60))


def test_points_of_riichi_come_in_hundreds():
    """[INTEGRITY 115]"""
    found = refusals(RIICHI_FESTIVAL, offence="phone", clause="RIICHI 5.6", points=Fraction(1050))
    assert found == [("unit", "points")]


# The list of offences


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_offence_has_a_clause_and_a_code_once(system):
    """[RULES 1.8]"""
    codes = [one.code for one in SYSTEMS[system].offences]
    assert len(codes) == len(set(codes))
    assert all(one.clause and one.name for one in SYSTEMS[system].offences)


def test_the_eleven_minor_offences_stand_in_the_order_of_the_clause():
    """[SBR 2.8.2]"""
    minor = [one for one in offences("SBR", SBR.penalties) if one.mode is Mode.LADDER]
    assert [one.code for one in minor] == [*SICHUAN_OFFENCES, "phone"]
    assert [one.clause for one in minor[:-1]] == [f"SBR 2.8.2 ({number})" for number in range(1, 12)]


def test_a_telephone_climbs_the_ladder_or_costs_more_by_decision():
    """Where the regulation puts it there, beside the minor offences. [SBR 2.8.4.6]"""
    (ladder_,) = SBR.penalties.ladders
    with_phone = replace(SBR.penalties, ladders=(replace(ladder_, offences=(*ladder_.offences, "phone")),))
    rules = SBR.but(penalties=with_phone)
    found = offence("SBR", with_phone, "phone")
    assert found
    assert (found.mode, found.clause) == (Mode.LADDER, "SBR 2.8.4 (6)")
    four = [given(1), given(2, "phone"), given(3, "phone", kind="decision", points=10), given(4, "phone")]
    assert costs(four, rules) == [[], [("p", -2)], [("p", -10)], [("p", -2)]]


SPORT_CLAUSES = {
    "empty_claim": 3, "touching": 4, "late_claim": 5, "knocked_tile": 7, "wrong_set": 2, "tile_seen": 4, "tiles_shown": 11,
    "wrong_count": 8, "information": 9, "tile_not_taken": 11, "reached_over": 11, "tiles_mixed": 11, "cheating": 1,
    "disorder": 10, "false_win": 6, "exposure": 7, "shown_after_win": 7,
}  # fmt: skip


def test_sport_mahjong_offences_stand_under_the_numbers_of_the_rulebook():
    """[MCR offences 1] [MCR offences 11]"""
    named = {one.code: one.clause for one in SYSTEMS["MCR"].offences if one.code != "violation"}
    assert named == {code: f"MCR offences {number}" for code, number in SPORT_CLAUSES.items()}
    assert {one.code for one in SYSTEMS["MCR"].offences if one.mode is Mode.DEAD_HAND} == {
        "wrong_set", "tile_seen", "tiles_shown", "wrong_count", "information", "tile_not_taken", "reached_over", "tiles_mixed",
    }  # fmt: skip


def test_riichi_dead_hands_are_those_of_the_rulebook():
    """Six of the list, two of the chapter on claims. [RIICHI 3.4.7] [RIICHI 5.1.1] [RIICHI 5.1.3]"""
    dead = [one.clause for one in SYSTEMS["RIICHI"].offences if one.mode is Mode.DEAD_HAND]
    assert dead == ["RIICHI 3.4.7"] * 6 + ["RIICHI 5.1.1", "RIICHI 5.1.3"]


def test_six_offences_make_a_dead_hand():
    """[SBR 2.8.3]"""
    assert sum(one.mode is Mode.DEAD_HAND for one in offences("SBR", SBR.penalties)) == 6


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_offence_of_a_preset_is_offered_by_name(preset):
    """[RECORD 2]"""
    rules = preset.regulation.penalties
    known = [*(code for one in rules.ladders for code in one.offences), *rules.decision, *rules.fixed]
    for code in known:
        if code != "*":
            found = offence(preset.system, rules, code)
            assert found
            assert found.clause != "RULES 1.1"


def test_an_organizers_own_offence_is_offered_by_its_code():
    """[RULES 1.1]"""
    rules = PenaltyRules(Timing.BEFORE, (), {"loud_phone": 8}, {})
    found = offence("RED", rules, "loud_phone")
    assert found
    assert (found.name, found.mode) == ("Loud phone", Mode.FIXED)


def test_red_mahjong_has_no_ladder():
    """[RULES 8.37]"""
    assert [one.code for one in offences("RED", RED.penalties) if one.mode is Mode.LADDER] == []
