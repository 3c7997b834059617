"""The regulation: written and read value for value, refused with all its problems, compared."""

import json
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction

import pytest

from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.regulation import (
    FIELDS,
    OPTIONAL,
    Bounds,
    LatenessBand,
    Regulation,
    SeatingMode,
    altering_results,
    differences,
    missing_rows,
    money,
)

SBR = PRESETS["sbr"].regulation


def refused(data: object, system: str = "") -> list[tuple[str, str]]:
    with pytest.raises(Refusal) as refusal:
        Regulation.from_json(data, system=system)
    return [(problem.code, problem.field) for problem in refusal.value.problems]


def changed(code: str, path: str, value: object) -> dict[str, object]:
    """Return a preset as JSON with one value changed; a value of ... is taken out."""
    data = deepcopy(PRESETS[code].regulation.to_json())
    at: object = data
    *way, last = path.split(".")
    for part in way:
        at = at[int(part)] if isinstance(at, list) else at[part]  # type: ignore[index]
    if value is ...:
        del at[last]  # type: ignore[attr-defined]
    else:
        at[int(last) if isinstance(at, list) else last] = value  # type: ignore[index]
    return data


@pytest.mark.parametrize("code", PRESETS)
def test_regulation_is_written_and_read_value_for_value(code):
    """[RECORD 2] [RULES 1.1]"""
    preset = PRESETS[code]
    written = preset.regulation.to_json()
    again = json.loads(json.dumps(written))
    assert Regulation.from_json(again, system=preset.system) == preset.regulation
    assert Regulation.from_json(again).to_json() == written
    assert list(written) == [name for name in FIELDS if name not in OPTIONAL]


def test_values_are_written_as_the_record_writes_them():
    """[RECORD 1] [RECORD 2]"""
    written = SBR.but(
        entry_fee=Decimal("12.50"), uma=(Fraction(1, 2), Fraction(0), Fraction(0), Fraction(-1, 2))
    )
    assert written.to_json()["entry_fee"] == "12.50"
    assert written.to_json()["uma"] == ["1/2", "0", "0", "-1/2"]
    assert written.to_json()["tournament_points"] == {"4": ["4", "3", "2", "1"], "3": ["4", "3", "2"]}
    assert written.to_json()["lateness"] == {
        "bands": [{"below": 600, "points": 8}, {"up_to": 900, "points": 16}]
    }
    decision = PRESETS["mcr"].regulation.to_json()["penalties"]["decision"]
    assert decision == {"knocked_tile": {"from": 5, "up_to": 60}, "*": {"amounts": [5, 10, 20, 40, 50, 60]}}


@pytest.mark.parametrize(
    ("amount", "written"), [("0", "0"), ("500", "500"), ("12.5", "12.50"), ("7.01", "7.01")]
)
def test_money_is_written_whole_or_with_two_decimals(amount, written):
    """[RECORD 1]"""
    assert money(Decimal(amount)) == written


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in OPTIONAL])
def test_every_value_must_be_present(name):
    """[RECORD 2]"""
    assert refused(changed("sbr", name, ...)) == [("required", name)]


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("sessions", 0, "out_of_range"),
        ("sessions", True, "number_type"),
        ("last_hand", "whenever", "choice"),
        ("table_size", 5, "out_of_range"),
        ("entry_fee", "12.5", "text_form"),
        ("entry_fee", 500, "text_type"),
        ("tie_rule", "worst", "choice"),
        ("ranking", [], "list_length"),
        ("ranking", ["lots", "lots"], "repeated"),
        ("keep_apart", ["shoe_size"], "choice"),
        ("tournament_points.4.0", "8/2", "fraction_form"),
        ("tournament_points", {"5": ["1", "2"]}, "choice"),
        ("tournament_points", [], "object_type"),
        ("tournament_points", {"4": ["4", "3", "2"]}, "points_table"),
        ("uma", ["1", "0", "-1"], "points_table"),
        ("smallest_table", 4, None),
        ("smallest_table", 5, "out_of_range"),
        ("smallest_table", 1, "out_of_range"),
        ("table_size", 1, "out_of_range"),
        ("fixed_result.place", 0, "out_of_range"),
        ("uma", ["1", "0", "0", "-1", "0"], "list_length"),
        ("uma", ["1"], "list_length"),
        ("tournament_points.4", ["4", "3", "2", "1", "0"], "list_length"),
        ("fixed_result.place", 5, "out_of_range"),
        ("penalties.ladders.0.steps", [], "list_length"),
        ("penalties.ladders.0.steps", [0, 4, 2], "ladder_steps"),
        ("penalties.ladders.0.mode", "some", "choice"),
        ("penalties.ladders.0.offences", ["Bad Code"], "text_form"),
        ("penalties.decision", {"*": {"from": 5, "up_to": 4}}, "bounds_order"),
        ("penalties.decision", {"*": {"amounts": []}}, "list_length"),
        ("penalties.decision", {"*": 5}, "object_type"),
        ("lateness.bands.0", {"below": 600, "points": 8, "per_minute": 1}, "unknown_field"),
        ("lateness.bands.0", 7, "object_type"),
        ("lateness", {"bands": []}, "list_length"),
        ("appeals.committee", "yes", "truth_type"),
    ],
)
def test_wrong_value_is_refused_where_it_stands(path, value, code):
    """[RECORD 2] [RULES 1.1]"""
    data = changed("sbr", path, value)
    if code is None:
        assert Regulation.from_json(data, system="SBR").to_json() == data
    else:
        problems = refused(data, "SBR")
        assert problems[0][0] == code
        assert problems[0][1].startswith(path)


def test_all_problems_are_told_at_once():
    """[RULES 1.1]"""
    data = changed("sbr", "sessions", "6")
    data |= {"colour": "red", "points_unit": 0}
    del data["uma"]
    assert refused(data) == [
        ("unknown_field", "colour"),
        ("required", "uma"),
        ("number_type", "sessions"),
        ("out_of_range", "points_unit"),
    ]


def test_smallest_table_may_not_exceed_a_full_one():
    """[RULES 8.33]"""
    assert refused(changed("siamese", "smallest_table", 4)) == [("table_size", "smallest_table")]


def test_every_size_of_table_that_may_play_needs_its_row_of_points():
    """[SBR 2.7.5] [RULES 8.33]"""
    four = SBR.but(tournament_points={4: SBR.tournament_points[4]})
    assert [problem.details for problem in missing_rows(four)] == [{"players": 3}]
    assert missing_rows(four.but(smallest_table=4)) == missing_rows(four.but(tournament_points=None)) == []
    assert [preset for preset in PRESETS.values() if missing_rows(preset.regulation)] == []


def test_offence_stands_on_one_ladder():
    """[RULES 8.38]"""
    data = changed("mcr", "penalties.ladders.1.offences", ["touching", "empty_claim"])
    assert refused(data, "MCR") == [("two_ladders", "penalties.ladders.1.offences")]


@pytest.mark.parametrize(
    ("table", "field"),
    [
        ({"by": "team", "mode": "best", "best": None, "ranking": ["game_points"]}, "best"),
        ({"by": "team", "mode": "sum", "best": 2, "ranking": ["game_points"]}, "best"),
        ({"by": "team", "mode": "sum", "best": None, "ranking": ["lots"]}, "ranking"),
    ],
    ids=["best of how many", "best of a sum", "foreign criterion"],
)
def test_group_table_must_fit_the_ranking(table, field):
    """[RULES 1.7] [SBR 2.4.3]"""
    assert refused(changed("sbr", "group_tables", [table])) == [("group_table", f"group_tables.0.{field}")]


@pytest.mark.parametrize(
    ("code", "rules", "problem"),
    [
        ("sbr", {"minimum": 8}, ("unknown_field", "system_rules.minimum")),
        ("mcr", {}, ("required", "system_rules.minimum")),
        ("red", {"chaotic_hand": 5}, ("out_of_range", "system_rules.chaotic_hand")),
        ("riichi_ema", {"nagashi_mangan": 1}, ("truth_type", "system_rules.nagashi_mangan")),
        ("riichi_ema", {"limits": {"14": "mangan"}}, ("text_form", "system_rules.limits.14")),
        ("riichi_ema", {"limits": {"5": "big"}}, ("choice", "system_rules.limits.5")),
    ],
)
def test_settings_of_the_rules_are_read_by_system(code, rules, problem):
    """[RULES 8.23] [RULES 8.24] [RULES 8.27]"""
    preset = PRESETS[code]
    data = preset.regulation.to_json()
    data["system_rules"] = {**data["system_rules"], **rules} if rules else {}
    assert problem in refused(data, preset.system)


def test_value_of_the_chaotic_hand_is_refused_by_its_own_row():
    """[RED fan 11]"""
    data = PRESETS["red"].regulation.to_json()
    data["system_rules"]["chaotic_hand"] = 5
    with pytest.raises(Refusal) as refusal:
        Regulation.from_json(data, system="RED")
    assert [problem.clause for problem in refusal.value.problems] == ["RED fan 11"]


def test_session_has_its_own_copy_of_the_regulation():
    """[RULES 8.30]"""
    assert SBR.but_json({}, system="SBR") == SBR
    assert SBR.but_json({"session_minutes": 35, "seating": "swiss"}) == SBR.but(
        session_minutes=35, seating=SeatingMode.SWISS
    )


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"colour": 1}, ("unknown_field", "s.colour")),
        ({"table_size": 2}, ("table_size", "s.smallest_table")),
    ],
)
def test_session_copy_is_refused_with_its_problems(changes, problem):
    """[RULES 8.30]"""
    with pytest.raises(Refusal) as refusal:
        SBR.but_json(changes, system="SBR", at="s")
    assert (refusal.value.problems[0].code, refusal.value.problems[0].field) == problem


@pytest.mark.parametrize(
    ("start", "returned", "uma", "problem"),
    [
        (25000, 30000, ("15", "5", "-5", "-15"), []),
        (25000, 24900, ("15", "5", "-5", "-15"), [("oka", "return_points")]),
        (25000, 30000, None, [("oka", "return_points")]),
        (25000, None, None, []),
    ],
    ids=["fits", "below the start", "without uma", "none"],
)
def test_points_are_returned_beside_uma_and_no_fewer_than_there_were(start, returned, uma, problem):
    """[RULES 9.31]"""
    riichi = PRESETS["riichi_ema"].regulation.to_json()
    written = {**riichi, "start_points": start, "return_points": returned, "uma": uma}
    if problem:
        with pytest.raises(Refusal) as refusal:
            Regulation.from_json(written, system="RIICHI")
        assert [(one.code, one.field) for one in refusal.value.problems] == problem
    else:
        again = Regulation.from_json(written, system="RIICHI")
        assert again.to_json().get("return_points") == again.return_points == returned
        assert Regulation.from_json(again.to_json(), system="RIICHI") == again


def test_fields_that_change_results_are_these():
    """[RULES 1.1]"""
    assert {name for name, about in FIELDS.items() if about.alters} == {
        "smallest_table",
        "start_points",
        "points_unit",
        "tournament_points",
        "tie_rule",
        "place_rule",
        "uma",
        "fixed_result",
        "awarded_result",
        "ranking",
        "group_tables",
        "penalties",
        "lateness",
        "system_rules",
        "stages",
        "return_points",
    }


def test_differences_say_which_change_results():
    """[RULES 1.1]"""
    other = SBR.but(sessions=9, lateness=None)
    assert differences(SBR, other) == ("sessions", "lateness")
    assert altering_results(SBR, other) == ("lateness",)
    assert altering_results(SBR, SBR) == ()


@pytest.mark.parametrize(
    ("bounds", "points", "allowed"),
    [
        (Bounds(amounts=(5, 10)), 10, True),
        (Bounds(amounts=(5, 10)), 7, False),
        (Bounds(least=5, most=60), 5, True),
        (Bounds(least=5, most=60), 60, True),
        (Bounds(least=5, most=60), 61, False),
        (Bounds(least=5, most=60), 4, False),
    ],
)
def test_decision_keeps_within_its_bounds(bounds, points, allowed):
    """[RULES 1.8]"""
    assert bounds.allow(points) is allowed


def test_penalty_rules_find_ladder_and_bounds():
    """[RULES 1.8]"""
    rules = PRESETS["mcr"].regulation.penalties
    assert rules.ladder_of("late_claim") == rules.ladders[2]
    assert rules.ladder_of("rudeness") is None
    assert rules.bounds_of("knocked_tile") == Bounds(least=5, most=60)
    assert rules.bounds_of("rudeness") == Bounds(amounts=(5, 10, 20, 40, 50, 60))
    assert SBR.penalties.bounds_of("rudeness") is None


@pytest.mark.parametrize(
    ("seconds", "cost"),
    [(1, 8), (60, 8), (599, 8), (600, 16), (900, 16), (901, None)],
    ids=["0:01", "1:00", "9:59", "10:00", "15:00", "15:01"],
)
def test_lateness_in_sichuan_costs_by_its_band(seconds, cost):
    """[SBR 2.8.4.5] [RULES 8.2]"""
    assert SBR.lateness is not None
    band = SBR.lateness.band(seconds)
    assert (band.cost(seconds) if band else None) == cost


@pytest.mark.parametrize(
    ("seconds", "cost"),
    [(1, 1000), (60, 1000), (61, 2000), (600, 10000), (601, None)],
    ids=["0:01", "1:00", "1:01", "10:00", "10:01"],
)
def test_lateness_in_riichi_costs_every_begun_minute(seconds, cost):
    """[RIICHI 5.7] [RULES 8.5]"""
    rules = PRESETS["riichi_ema"].regulation.lateness
    assert rules is not None
    band = rules.band(seconds)
    assert (band.cost(seconds) if band else None) == cost


def test_band_below_a_limit_may_cost_by_the_minute():
    """[RULES 8.5]"""
    assert LatenessBand(below=600, per_minute=2).cost(61) == 4
    assert not LatenessBand(below=600, per_minute=2).fits(600)
