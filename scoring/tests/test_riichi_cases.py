"""Riichi cases of the JSON Lines door: exactly the promised fields, or a refusal with every problem."""

import pytest

from scoring.problems import Refusal
from scoring.systems.riichi.cases import answer


def case(**changes):
    """Build a case; a change to None takes the field away."""
    fields = {
        "id": "a",
        "ruleset": "riichi_ema2016",
        "hand": {
            "concealed": ["m2", "m3", "m4", "m5", "m6", "m7", "p3", "p4", "p5", "s9", "s9", "s6", "s7"],
            "melds": [],
            "winning_tile": "s8",
        },
        "win": {"by": "ron"},
        "seat_wind": "S",
        "round_wind": "E",
        "dora_indicators": ["s8"],
        "ura_indicators": [],
        "honba": 0,
        "riichi_sticks_on_table": 0,
    }
    return {name: value for name, value in (fields | changes).items() if value is not None}


def refused(**changes):
    """Return codes and fields of the refusal."""
    with pytest.raises(Refusal) as refusal:
        answer(case(**changes))
    return [(problem.code, problem.field) for problem in refusal.value.problems]


def test_discard_pays_with_counters():
    """[RIICHI 4.1.2] [RIICHI 3.4.10]"""
    assert answer(case(honba=2, riichi_sticks_on_table=3)) == {
        "yaku": [{"name": "pinfu", "han": 1}, {"name": "dora", "han": 2}],
        "han": 3,
        "fu": 30,
        "limit": None,
        "payments": {"discarder": 4500},
        "winner_receives_from_players": 4500,
        "riichi_sticks_points": 3000,
    }


def test_draw_is_paid_by_east_and_others():
    """[RIICHI 4.1.2] [RIICHI 3.4.10]"""
    found = answer(case(win={"by": "tsumo"}, honba=1, kind="hand"))
    assert (found["han"], found["fu"]) == (4, 20)
    assert found["payments"] == {"dealer": 2700, "nondealer": 1400}
    assert found["winner_receives_from_players"] == 5500


def test_east_is_paid_by_each():
    """[RIICHI 4.1.2]"""
    found = answer(case(win={"by": "tsumo"}, seat_wind="E", honba=None, riichi_sticks_on_table=None))
    assert found["payments"] == {"each": 2600}
    assert found["winner_receives_from_players"] == 7800
    assert found["riichi_sticks_points"] == 0


def test_limit_is_named():
    """[RIICHI 4.1.3]"""
    found = answer(case(win={"by": "ron", "riichi": True, "ippatsu": True}, ura_indicators=["s5"]))
    assert (found["han"], found["limit"], found["payments"]) == (6, "haneman", {"discarder": 12000})


def test_yakuman_has_no_minipoints():
    """[RIICHI 4.2.5]"""
    tiles = {
        "concealed": ["m1", "m9", "p1", "p9", "s1", "s9", "E", "S", "W", "N", "R", "G", "Wh"],
        "winning_tile": "Wh",
    }
    found = answer(case(hand=tiles, win={"by": "tsumo"}, dora_indicators=None, ura_indicators=None))
    assert found["yaku"] == [{"name": "kokushi", "han": 13}]
    assert (found["han"], found["fu"], found["limit"]) == (13, None, "yakuman")
    assert found["payments"] == {"dealer": 16000, "nondealer": 8000}


def test_every_problem_of_a_case_is_named():
    """[RIICHI 4.1]"""
    found = refused(
        kind="deal",
        seat_wind="X",
        round_wind=None,
        honba=-1,
        riichi_sticks_on_table=True,
        win={"by": "steal", "riichi": 1, "lucky": True},
        dora_indicators=["J", "zz", 5],
        hand={"concealed": ["m1"], "winning_tile": "m1"},
        extra=1,
    )
    assert sorted(found) == [
        ("field_needed", "round_wind"),
        ("number_type", "riichi_sticks_on_table"),
        ("out_of_range", "honba"),
        ("tile_count", "hand.concealed"),
        ("tile_foreign", "dora_indicators.0"),
        ("tile_unknown", "dora_indicators.1"),
        ("tile_unknown", "dora_indicators.2"),
        ("unknown_field", "extra"),
        ("unknown_field", "win.lucky"),
        ("value_type", "win.riichi"),
        ("value_unknown", "kind"),
        ("value_unknown", "seat_wind"),
        ("value_unknown", "win.by"),
    ]


def test_hand_without_a_yaku_is_refused():
    """[RIICHI 3.2]"""
    tiles = {
        "concealed": ["m5", "m6", "m7", "p3", "p4", "p5", "s9", "s9", "p8", "p8"],
        "melds": [{"type": "pung", "tiles": ["s1", "s1", "s1"], "open": True}],
        "winning_tile": "s9",
    }
    assert refused(hand=tiles, dora_indicators=[]) == [("no_yaku", "hand")]


def test_contradicting_flags_are_refused():
    """[RIICHI 3.3.14]"""
    assert refused(win={"by": "ron", "ippatsu": True, "haitei": True}) == [
        ("flag_conflict", "win.haitei"),
        ("flag_conflict", "win.ippatsu"),
    ]


def test_contradictions_stand_beside_other_problems():
    """What cannot be is named with what cannot be read. [RIICHI 3.3.14] [RIICHI 4.2.1]"""
    problems = refused(win={"by": "ron", "haitei": True, "ippatsu": True, "x": True}, honba=-1)
    assert problems == [
        ("unknown_field", "win.x"),
        ("out_of_range", "honba"),
        ("flag_conflict", "win.haitei"),
        ("flag_conflict", "win.ippatsu"),
    ]


@pytest.mark.parametrize("misread", [{"seat_wind": "Q"}, {"win": {"by": "x", "tenhou": True}}])
def test_a_misread_circumstance_contradicts_nothing(misread):
    """Only what was read is compared."""
    assert len(refused(**{"win": {"by": "tsumo", "tenhou": True}, **misread})) == 1
