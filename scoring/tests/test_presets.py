"""The shipped presets hold what the rulebooks and the decisions say."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from scoring import criteria
from scoring.presets import PRESETS, SICHUAN_OFFENCES
from scoring.regulation import LadderMode, LadderScope, Timing
from scoring.systems import SYSTEMS

RECORDS = sorted((Path(__file__).parent / "vectors").glob("record_*.json"))
CAME_LATER = {"phone"}
"""Offences that came to a shipped ladder later than the examples, which stay as they were played. [RULES 8.57]"""


def test_every_system_has_a_preset():
    """[RULES 1.1]"""
    assert tuple(SYSTEMS) == ("SBR", "WMSG", "MCR", "SIAM", "RED", "RIICHI")
    assert tuple(PRESETS) == ("sbr", "wmsg", "mcr", "siamese", "red", "riichi_ema", "riichi_festival")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_preset_says_what_the_record_of_its_system_says(path):
    """A setting that came later is not said by records of before. [RULES 1.1] [RULES 8.3] [RULES 8.37] [RULES 8.44]"""
    declared = json.loads(path.read_text(encoding="utf-8"))["declared"]
    preset = PRESETS[declared["tournament"]["preset"]]
    ours, theirs = preset.regulation.to_json(), declared["regulation"]
    came_later = {name for name, one in SYSTEMS[preset.system].settings.items() if one.unsaid is not None}
    ours["system_rules"] = {
        name: value
        for name, value in ours["system_rules"].items()
        if name in theirs["system_rules"] or name not in came_later
    }
    for ladder in ours["penalties"]["ladders"]:
        ladder["offences"] = [one for one in ladder["offences"] if one not in CAME_LATER]
    if declared["tournament"]["system"] == "RED":
        # So did the bounds of a referee of Red. [RULES 8.58]
        assert ours["penalties"].pop("decision") == {"*": {"from": 1, "up_to": 30}}
        theirs["penalties"].pop("decision")
    differing = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
    assert set(differing) <= {"sessions", "entry_fee"}, (
        "an offence that came to a shipped ladder later than this example stands in CAME_LATER"
    )


@pytest.mark.parametrize(
    ("code", "table"),
    [
        ("sbr", {4: (4, 3, 2, 1), 3: (4, 3, 2)}),
        ("wmsg", {4: (4, 3, 2, 1), 3: (4, 3, 2)}),
        ("mcr", {4: (4, 2, 1, 0)}),
        ("siamese", {3: (4, 2, 1), 2: (2, 0)}),
        ("red", {4: (4, 3, 2, 1), 3: (4, 3, 2), 2: (4, 3)}),
        ("riichi_ema", None),
        ("riichi_festival", None),
    ],
)
def test_tournament_points_by_place(code, table):
    """[SBR 2.7.5] [RULES 8.3] [RULES 8.33]"""
    given = PRESETS[code].regulation.tournament_points
    assert (
        given == table
        if table is None
        else {size: tuple(row) for size, row in (given or {}).items()} == table
    )


def test_sichuan_ladder_counts_eleven_offences_together():
    """The telephone stands on it as the twelfth. [SBR 2.8.2] [RULES 8.1] [RULES 8.57]"""
    (ladder,) = PRESETS["sbr"].regulation.penalties.ladders
    assert len(SICHUAN_OFFENCES) == 11
    assert ladder.offences == (*SICHUAN_OFFENCES, "phone")
    assert (ladder.mode, ladder.scope, ladder.steps) == (
        LadderMode.TOTAL,
        LadderScope.SESSION,
        (0, 2, 4, 8, 16, 24, 48),
    )


def test_a_referee_of_red_takes_one_to_thirty_points():
    """[RULES 8.58]"""
    red = PRESETS["red"].regulation.to_json()["penalties"]
    assert (red["ladders"], red["decision"]) == ([], {"*": {"from": 1, "up_to": 30}})


def test_mcr_has_a_ladder_for_each_of_three_offences():
    """[RULES 8.38] [RULES 4]"""
    ladders = PRESETS["mcr"].regulation.penalties.ladders
    assert [(ladder.offences, ladder.mode, ladder.scope) for ladder in ladders] == [
        (("empty_claim",), LadderMode.EACH, LadderScope.SESSION),
        (("touching",), LadderMode.EACH, LadderScope.SESSION),
        (("late_claim",), LadderMode.EACH, LadderScope.ROUND),
    ]
    assert all(ladder.steps == (0, 5, 10, 20, 40, 50, 60) for ladder in ladders)


@pytest.mark.parametrize(
    ("code", "timing"),
    [(code, Timing.AFTER if code.startswith("riichi") else Timing.BEFORE) for code in PRESETS],
)
def test_penalties_count_before_the_places_except_in_riichi(code, timing):
    """[RULES 8.36] [RIICHI 5.5]"""
    assert PRESETS[code].regulation.penalties.timing is timing


def test_appeals_and_lateness_by_system():
    """[RULES 8.37] [SBR 2.9.2]"""
    assert {code: preset.regulation.appeals is None for code, preset in PRESETS.items()} == {
        code: code.startswith("riichi") for code in PRESETS
    }
    assert [code for code, preset in PRESETS.items() if preset.regulation.lateness is None] == [
        "mcr",
        "siamese",
        "red",
    ]


def test_riichi_presets_rank_as_their_regulations_say():
    """[RULES 1.7] [RIICHI reg. 6.3]"""
    assert PRESETS["riichi_ema"].regulation.ranking == (criteria.UMA_SCORE, criteria.FIRST_PLACES)
    assert PRESETS["riichi_ema"].regulation.uma == (Fraction(15), Fraction(5), Fraction(-5), Fraction(-15))
    assert PRESETS["riichi_festival"].regulation.ranking == (
        criteria.AVERAGE_PLACE,
        criteria.POINTS,
        criteria.PLACE_VARIANCE,
        criteria.POINTS_SPREAD,
    )


def test_festival_seats_twenty_eight_in_four_sessions():
    """[RIICHI reg. 1.3] [RULES 9.1]"""
    festival = PRESETS["riichi_festival"].regulation
    assert (festival.max_players, festival.sessions, festival.warning_minutes) == (28, 4, 10)
