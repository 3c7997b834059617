"""Whole tournaments: what follows from what was declared, the examples value for value."""

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scoring.criteria import CRITERIA
from scoring.problems import Refusal
from scoring.record.computed import compute
from scoring.record.declared import read_record

VECTORS = sorted((Path(__file__).parent / "vectors").glob("record_*.json"))


def record(name: str) -> Any:
    (path,) = [path for path in VECTORS if path.stem == f"record_{name}"]
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_example_comes_out_value_for_value(path):
    """[RECORD 4] [RECORD 6]"""
    example = json.loads(path.read_text(encoding="utf-8"))
    assert compute(example["declared"]) == example["computed"]
    assert json.loads(json.dumps(compute(example["declared"]))) == example["computed"]


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_numbers_are_written_whole_and_fractions_as_text(path):
    """[RECORD 1]"""

    def walk(value: Any) -> None:
        assert value is None or isinstance(value, dict | list | str | int)
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(part)

    walk(compute(json.loads(path.read_text(encoding="utf-8"))["declared"]))


@pytest.fixture
def sbr() -> Any:
    return record("volga_open")["declared"]


@pytest.fixture
def riichi() -> Any:
    return record("riichi_ema")["declared"]


@pytest.fixture
def mcr() -> Any:
    return record("autumn_mcr")["declared"]


def given(**parts: Any) -> dict[str, Any]:
    """Give a penalty by decision in session 1."""
    base = {
        "id": "x1",
        "session": 1,
        "player": "p1",
        "offence": "rudeness",
        "clause": "SBR 2.8.6",
        "kind": "decision",
        "effect": "game_points",
        "decided_by": "referee",
        "points": 5,
    }
    return {
        name: value for name, value in {**base, **parts}.items() if value is not None or name == "session"
    }


def results(declared: Any) -> Any:
    return compute(declared)["sessions"][0]["results"]


def test_points_paid_to_the_table_are_paid_to_each(mcr):
    """[RULES 8.39]"""
    mcr["penalties"] = [given(to="table", points=10)]
    computed = compute(mcr)
    assert computed["penalties"] == {"x1": {"game_points": -30}}
    seats = computed["sessions"][0]["tables"][0]["seats"]
    assert {seat: one["table_points"] - one["hands"] for seat, one in seats.items()} == {
        "E": -30,
        "S": 10,
        "W": 10,
        "N": 10,
    }


def test_points_paid_to_a_substitutes_table_reach_the_substitute(sbr):
    """[RULES 8.39] [RULES 8.35]"""
    sbr["penalties"], sbr["appeals"] = [given(to="s1", points=10)], []
    seats = compute(sbr)["sessions"][0]["tables"][0]["seats"]
    assert (seats["E"]["table_points"], seats["W"]["table_points"]) == (35, -60)


def test_substitute_pays_with_the_seat(sbr):
    """[RULES 8.35]"""
    sbr["penalties"], sbr["appeals"] = [given(player="s1", to="table")], []
    computed = compute(sbr)
    assert computed["penalties"]["x1"] == {"game_points": -15}
    assert computed["sessions"][0]["tables"][0]["seats"]["W"]["table_points"] == -85
    assert computed["sessions"][0]["results"]["p3"]["game_points"] == 0


def test_penalty_for_the_whole_tournament_counts_in_the_standings_alone(sbr):
    """[RULES 1.8] [RECORD 4]"""
    sbr["penalties"] = [
        given(session=None, points=7),
        given(id="x2", session=None, effect="tournament_points", points="1/2"),
    ]
    sbr["appeals"] = []
    before = results(sbr)["p1"]
    row = next(row for row in compute(sbr)["standings"] if row["player"] == "p1")
    assert (before["game_points"], before["tournament_points"]) == (45, "4")
    assert (row["values"]["game_points"], row["values"]["tournament_points"]) == (38, "7/2")


def test_tournament_points_taken_in_a_session_lower_its_result(sbr):
    """[RULES 8.39]"""
    sbr["penalties"], sbr["appeals"] = [given(effect="tournament_points", points="3/2")], []
    computed = compute(sbr)
    assert computed["penalties"] == {"x1": {"tournament_points": "-3/2"}}
    assert computed["sessions"][0]["results"]["p1"]["tournament_points"] == "5/2"
    assert computed["sessions"][0]["tables"][0]["seats"]["E"]["tournament_points"] == "4"


@pytest.mark.parametrize("effect", ["warning", "removal", "disqualification"])
def test_penalty_without_points_costs_nothing(sbr, effect):
    """[RECORD 4]"""
    until = "2026-05-10" if effect == "disqualification" else None
    sbr["penalties"], sbr["appeals"] = [given(effect=effect, points=None, until=until)], []
    assert compute(sbr)["penalties"] == {"x1": {"game_points": 0}}


def test_fixed_penalty_costs_its_price(sbr):
    """[RULES 1.8]"""
    sbr["regulation"]["penalties"]["fixed"] = {"phone": 12}
    sbr["penalties"], sbr["appeals"] = [given(kind="fixed", offence="phone", points=None)], []
    assert compute(sbr)["penalties"] == {"x1": {"game_points": -12}}


def test_penalty_may_count_otherwise_than_the_regulation_says(sbr):
    """[RULES 8.36]"""
    sbr["penalties"], sbr["appeals"] = [given(points=60, timing="after")], []
    computed = compute(sbr)["sessions"][0]
    assert computed["tables"][0]["seats"]["E"]["place"] == "1"
    assert computed["results"]["p1"]["game_points"] == -15


def test_revoked_penalty_costs_nothing_and_leaves_its_ladder(sbr):
    """[RULES 8.38]"""
    sbr["appeals"][0]["rulings"][0]["verdict"] = "upheld"
    sbr["appeals"][0]["deposit_returned"] = True
    sbr["appeals"][0]["against"] = {"penalty": "n1"}
    sbr["penalties"][0]["revoked_by"] = "q1"
    assert compute(sbr)["penalties"] == {
        "n1": {"step": None, "game_points": 0},
        "n2": {"step": 1, "game_points": 0},
    }


def test_revoked_tournament_points_are_not_taken(sbr):
    """[RULES 1.8]"""
    sbr["appeals"][0]["rulings"][0]["verdict"] = "upheld"
    sbr["appeals"][0]["against"] = {"penalty": "x1"}
    sbr["penalties"] = [given(effect="tournament_points", points="1", revoked_by="q1")]
    computed = compute(sbr)
    assert computed["penalties"] == {"x1": {"tournament_points": "0"}}
    assert computed["sessions"][0]["results"]["p1"]["tournament_points"] == "4"


def test_late_claims_begin_anew_in_every_round(mcr):
    """[RULES 4] [RULES 8.38]"""
    hands = mcr["sessions"][0]["tables"][0]["protocol"]["hands"]
    hands.append({"number": 5, "events": []})
    mcr["penalties"] = [
        given(id=f"x{number}", offence="late_claim", kind="ladder", points=None, hand=hand)
        for number, hand in enumerate([1, 4, 5], start=1)
    ]
    assert [one["step"] for one in compute(mcr)["penalties"].values()] == [1, 2, 1]


@pytest.mark.parametrize(
    ("seconds", "points"),
    [(0, -8), (60, -8), (599, -8), (600, -16), (900, -16)],
    ids=["0:00", "1:00", "9:59", "10:00", "15:00"],
)
def test_lateness_is_taken_before_the_places(sbr, seconds, points):
    """[SBR 2.8.4.5] [RULES 8.2]"""
    sbr["lateness"] = [{"session": 1, "player": "p2", "seconds": seconds}]
    computed = compute(sbr)
    assert computed["lateness"] == [{"session": 1, "player": "p2", "game_points": points, "replaced": False}]
    assert results(sbr)["p2"]["game_points"] == -28 + points


def test_latecomer_who_has_no_seat_did_not_sit(sbr):
    """[RECORD 4]"""
    sbr["sessions"][0]["tables"][0]["seats"][2] = {"wind": "W", "player": "s1"}
    assert compute(sbr)["lateness"][1] == {"session": 1, "player": "p3", "game_points": 0, "replaced": True}


def test_penalty_of_who_has_no_seat_goes_to_no_table(sbr):
    """[RULES 8.39]"""
    sbr["sessions"][0]["tables"][0]["seats"][2] = {"wind": "W", "player": "s1"}
    sbr["penalties"], sbr["appeals"] = [given(player="p3", to="table")], []
    assert compute(sbr)["penalties"] == {"x1": {"game_points": 0}}


def test_waived_lateness_costs_nothing(sbr):
    """[RECORD 2]"""
    sbr["lateness"] = [
        {"session": 1, "player": "p2", "seconds": 5000, "waived": True, "reason": "Задержка поезда"}
    ]
    assert compute(sbr)["lateness"][0]["game_points"] == 0


def test_lateness_costs_nothing_where_there_is_no_policy(mcr):
    """[RULES 8.37]"""
    mcr["lateness"] = [{"session": 1, "player": "p2", "seconds": 5000}]
    assert compute(mcr)["lateness"] == [{"session": 1, "player": "p2", "game_points": 0, "replaced": False}]


def test_adjustments_of_each_kind(sbr):
    """[RECORD 2] [RULES 8.32]"""
    adjust = {"session": 1, "reason": "Решение апелляции"}
    sbr["adjustments"] = [
        {"id": "a1", "player": "p1", "game_points": -50, **adjust},
        {"id": "a2", "player": "p2", "game_points": 3, "timing": "after", **adjust},
        {"id": "a3", "player": "p3", "tournament_points": "1/2", **adjust},
        {
            "id": "a4",
            "player": "p4",
            "result": {"tournament_points": None, "game_points": 1, "place": 2},
            **adjust,
        },
        {"id": "a5", "player": "p1", "game_points": 2, **adjust, "session": None},
    ]
    found = compute(sbr)
    assert found["sessions"][0]["results"] == {
        "p1": {"kind": "played", "game_points": -5, "tournament_points": "3", "place": "2"},
        "p2": {"kind": "played", "game_points": -41, "tournament_points": "2", "place": "3"},
        "p3": {"kind": "fixed", "game_points": 0, "tournament_points": "1/2", "place": "4"},
        "p4": {"kind": "adjusted", "game_points": 1, "tournament_points": None, "place": "2"},
    }
    assert next(row for row in found["standings"] if row["player"] == "p1")["values"]["game_points"] == -3


def test_only_closed_sessions_are_computed(sbr):
    """[RECORD 2]"""
    again = deepcopy(sbr["sessions"][0])
    sbr["sessions"].append(again | {"number": 2, "state": "open"})
    sbr["sessions"].append({"number": 3, "state": "planned", "seating": again["seating"], "tables": []})
    computed = compute(sbr)
    assert [session["number"] for session in computed["sessions"]] == [1]
    assert computed["standings"][0]["values"]["tournament_points"] == "4"


def test_session_is_computed_by_its_own_regulation(sbr):
    """[RULES 8.30]"""
    sbr["sessions"][0]["regulation"] = {"tournament_points": {"4": ["10", "5", "1", "0"]}, "lateness": None}
    computed = compute(sbr)
    assert {row["player"]: row["values"]["tournament_points"] for row in computed["standings"]} == {
        "p1": "10",
        "p4": "5",
        "p2": "1",
        "p3": "0",
    }
    assert [late["game_points"] for late in computed["lateness"]] == [0, 0]


def test_table_that_did_not_play_has_no_ledger(sbr):
    """[RULES 8.34] [RECORD 4]"""
    seats = sbr["sessions"][0]["tables"][0]["seats"]
    for seat in seats[2:]:
        seat.update({"player": None, "for": seat.get("for", seat["player"])})
    sbr["sessions"][0]["tables"][0]["protocol"] = None
    sbr["penalties"], sbr["appeals"], sbr["lateness"] = [], [], []
    computed = compute(sbr)["sessions"][0]
    assert computed["tables"] == [{"number": 1, "hands": [], "seats": {}}]
    assert {player: one["kind"] for player, one in computed["results"].items()} == {
        "p1": "awarded",
        "p2": "awarded",
        "p3": "fixed",
        "p4": "fixed",
    }


def test_equals_stand_as_they_were_entered_whatever_their_numbers(mcr):
    """[RECORD 1] [RECORD 4]"""
    for registration, number in zip(mcr["registrations"], (4, 3, 2, 1), strict=True):
        registration["number"] = number
    mcr["registrations"][2]["status"] = mcr["registrations"][3]["status"] = "removed"
    rows = compute(mcr)["standings"]
    assert [(row["player"], row["place"]) for row in rows] == [
        ("p1", 1),
        ("p2", 1),
        ("p3", None),
        ("p4", None),
    ]


def test_removed_player_is_shown_unranked_and_the_table_stands(sbr):
    """[RULES 8.7] [RULES 8.43]"""
    sbr["registrations"][0]["status"] = "disqualified"
    sbr["registrations"].append({"player": "x1", "number": 9, "status": "cancelled", "checked_in": False})
    rows = compute(sbr)["standings"]
    assert [(row["player"], row["place"]) for row in rows] == [("p4", 1), ("p2", 2), ("p3", 3), ("p1", None)]
    assert rows[0]["values"]["tournament_points"] == "3"


def test_who_never_came_has_no_place(sbr):
    """Not checked in, and in no seat of any session. [RULES 8.59]"""
    sbr["registrations"].append({"player": "x1", "number": 9, "status": "active", "checked_in": False})
    assert [row["player"] for row in compute(sbr)["standings"] if row["place"] is None] == ["x1"]


def test_group_tables_follow_the_regulation(sbr):
    """[SBR 2.4.3] [RULES 8.43]"""
    for player, team in zip(sbr["players"], ["Б", "А", "Б", "А"], strict=False):
        player["team"] = team
    sbr["regulation"]["group_tables"] = [
        {"by": "team", "mode": "sum", "best": None, "ranking": ["tournament_points", "head_to_head"]},
        {"by": "club", "mode": "best", "best": 2, "ranking": ["game_points"]},
    ]
    assert compute(sbr)["group_tables"] == [
        {
            "by": "team",
            "rows": [
                {
                    "name": "А",
                    "place": 1,
                    "shared": False,
                    "decided_by": None,
                    "members": ["p4", "p2"],
                    "values": {"tournament_points": "5", "head_to_head": "0"},
                },
                {
                    "name": "Б",
                    "place": 2,
                    "shared": False,
                    "decided_by": "tournament_points",
                    "members": ["p1", "p3"],
                    "values": {"tournament_points": "4", "head_to_head": "0"},
                },
            ],
        },
        {"by": "club", "rows": []},
    ]


TEAM_LINES = [
    {"id": "t1", "session": None, "team": "А", "offence": "other", "clause": "RULES 9.13", "kind": "decision",
     "effect": "tournament_points", "decided_by": "chief_referee", "points": "3/2"},
    {"id": "t2", "session": 1, "team": "А", "offence": "other", "clause": "RULES 9.13", "kind": "decision",
     "effect": "game_points", "decided_by": "referee", "points": 8},
]  # fmt: skip


def of_teams(sbr, mode="sum"):
    for player, team in zip(sbr["players"], ["Б", "А", "Б", "А"], strict=False):
        player["team"] = team
    sbr["regulation"]["group_tables"] = [
        {"by": "team", "mode": mode, "best": None, "ranking": ["tournament_points", "game_points", "first_places"]},
        {"by": "club", "mode": "sum", "best": None, "ranking": ["tournament_points"]},
    ]  # fmt: skip
    return sbr


def values(sbr):
    return {row["name"]: (row["place"], row["values"]) for row in compute(sbr)["group_tables"][0]["rows"]}


@pytest.mark.parametrize("mode", ["sum", "average"])
def test_points_of_a_team_are_added_whole_and_move_no_member(sbr, mode):
    """[RULES 9.13]"""
    before, people = values(of_teams(sbr, mode)), compute(sbr)["standings"]
    sbr["penalties"] += TEAM_LINES
    sbr["adjustments"] += [
        {"id": "t3", "session": None, "team": "Б", "reason": "It brought its own table.", "game_points": 3}
    ]
    found = compute(sbr)
    after = values(sbr)
    moved = {
        name: [Fraction(after[name][1][code]) - Fraction(before[name][1][code]) for code in before[name][1]]
        for name in before
    }
    assert moved == {"А": [Fraction(-3, 2), -8, 0], "Б": [0, 3, 0]}
    assert {name: place for name, (place, _) in after.items()} == {"Б": 1, "А": 2}
    assert found["standings"] == people
    assert found["penalties"]["t1"] == {"tournament_points": "-3/2"}
    assert found["penalties"]["t2"] == {"game_points": -8}


@pytest.mark.parametrize(
    ("part", "changes", "field"),
    [
        ("penalties", {"team": "В"}, "team"),
        ("penalties", {"hand": 1}, "hand"),
        ("penalties", {"to": "table", "session": 1, "effect": "game_points", "points": 3}, "to"),
        ("penalties", {"kind": "ladder", "offence": "touching", "effect": "game_points"}, "kind"),
        ("penalties", {"effect": "warning"}, "effect"),
        ("penalties", {"player": "p1"}, "player"),
        ("adjustments", {"timing": "before"}, "timing"),
        ("adjustments", {"team": None}, "player"),
    ],
    ids=["unknown team", "hand", "receiver", "ladder", "warning", "both", "timing", "nobody"],
)
def test_points_of_a_team_are_decided_and_of_one_team(sbr, part, changes, field):
    """[RECORD 2] [RULES 9.13]"""
    line = TEAM_LINES[0] if part == "penalties" else ADJUSTED
    if "kind" in changes or changes.get("effect") == "warning":
        line = {name: value for name, value in line.items() if name != "points"}
    whole = {
        name: value for name, value in {**line, **changes}.items() if value is not None or name == "session"
    }
    of_teams(sbr)[part].append(whole)
    with pytest.raises(Refusal) as refused:
        compute(sbr)
    assert f"{part}.{len(sbr[part]) - 1}.{field}" in {problem.field for problem in refused.value.problems}


ADJUSTED = {"id": "t3", "session": None, "team": "А", "reason": "It brought its own table.", "game_points": 3}


def test_points_that_move_no_table_of_teams_are_refused(sbr):
    """[RULES 8.51] [RULES 9.13]"""
    of_teams(sbr)["adjustments"].append(ADJUSTED)
    assert compute(sbr)
    sbr["regulation"]["group_tables"][0]["ranking"] = ["tournament_points", "first_places"]
    with pytest.raises(Refusal) as refused:
        compute(sbr)
    assert [problem.code for problem in refused.value.problems] == ["moves_nothing"]


def test_game_points_of_a_team_are_thousandths_of_its_score_with_uma():
    """[RULES 9.13]"""
    assert [
        one.of_team(-500, Fraction(2))
        for one in (
            CRITERIA["uma_score"],
            CRITERIA["points"],
            CRITERIA["tournament_points"],
            CRITERIA["lots"],
        )
    ] == [Fraction(-1, 2), -500, 2, 0]


def test_riichi_without_uma_writes_none(riichi):
    """[RECORD 4]"""
    riichi["regulation"]["uma"] = None
    riichi["regulation"]["ranking"] = ["game_points", "lots"]
    found = compute(riichi)
    assert "uma" not in found["sessions"][0]["results"]["p1"]
    assert found["standings"][0]["values"] == {"game_points": 43600, "lots": None}


def test_penalty_in_riichi_may_go_to_one_player_wherever_seated(riichi):
    """[RULES 8.39]"""
    riichi["penalties"] = [given(player="p2", to="p1", offence="disturbance", points=8000)]
    assert results(riichi)["p1"]["game_points"] == 12600 - 2000 + 8000


def test_impossible_hand_is_refused_where_it_stands(sbr):
    """[RULES 1.5]"""
    protocol = sbr["sessions"][0]["tables"][0]["protocol"]
    protocol["hands"][1]["events"][0]["from"] = "S"
    with pytest.raises(Refusal) as refusal:
        compute(sbr)
    assert refusal.value.problems[0].field.startswith("sessions.0.tables.0.protocol.hands.1.events")


def test_impossible_final_points_are_refused_where_they_stand():
    """[RULES 1.5]"""
    festival = record("festival")["declared"]
    festival["sessions"][0]["tables"][0]["protocol"]["left_on_table"] = 0
    with pytest.raises(Refusal) as refusal:
        compute(festival)
    assert [one.field for one in refusal.value.problems] == ["sessions.0.tables.0.protocol.final"]


def test_record_is_read_whole():
    """[RECORD]"""
    whole = record("red_duel")
    assert read_record(whole).system == "RED"
