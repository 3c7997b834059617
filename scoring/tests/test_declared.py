"""What was declared is read strictly, and refused where it contradicts itself."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from scoring.problems import Refusal
from scoring.record.declared import read_declared, read_record

VECTORS = Path(__file__).parent / "vectors"
VOLGA, FESTIVAL, MCR = (
    json.loads((VECTORS / f"record_{name}.json").read_text(encoding="utf-8"))
    for name in ("volga_open", "festival", "autumn_mcr")
)
TABLE = "sessions.0.tables.0"
PLANNED = [
    ("sessions.0.state", "planned"),
    ("sessions.0.started_at", ...),
    ("sessions.0.ended_at", ...),
    (f"{TABLE}.protocol", None),
]
SECOND = {"number": 2, "state": "closed", "seating": {"mode": "random", "seed": "2"}, "tables": []}


def changed(record: Any, *changes: tuple[str, Any]) -> Any:
    """Return what a record declares with some values changed; a value of ... is taken out."""
    data = deepcopy(record["declared"])
    for path, value in changes:
        at = data
        *way, last = path.split(".")
        for part in way:
            at = at[int(part)] if isinstance(at, list) else at[part]
        key = int(last) if isinstance(at, list) else last
        if value is ...:
            del at[key]
        elif isinstance(at, list) and key == len(at):
            at.append(value)
        else:
            at[key] = value
    return data


def refused(data: Any) -> list[tuple[str, str]]:
    with pytest.raises(Refusal) as refusal:
        read_declared(data)
    return [(problem.code, problem.field) for problem in refusal.value.problems]


@pytest.mark.parametrize("record", [VOLGA, FESTIVAL, MCR], ids=["sbr", "festival", "mcr"])
def test_example_is_read(record):
    """[RECORD 2]"""
    declared = read_declared(record["declared"])
    assert declared.regulation.to_json() == record["declared"]["regulation"]
    assert list(declared.session_regulations) == [1]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("format", "five-winds"), ("choice", "format")),
        (("version", 3), ("version", "version")),
        (("version", 0), ("version", "version")),
        (("version", True), ("version", "version")),
        (("version", 1.0), ("version", "version")),
        (("extra", 1), ("unknown_field", "extra")),
        (("declared", ...), ("required", "declared")),
    ],
)
def test_record_of_another_kind_is_refused(change, problem):
    """[RECORD]"""
    data = deepcopy(VOLGA)
    name, value = change
    if value is ...:
        del data[name]
    else:
        data[name] = value
    with pytest.raises(Refusal) as refusal:
        read_record(data)
    assert (refusal.value.problems[0].code, refusal.value.problems[0].field) == problem


def test_problem_of_a_record_is_named_from_its_root():
    """[RECORD]"""
    data = deepcopy(VOLGA)
    data["declared"]["registrations"][0]["number"] = 2
    with pytest.raises(Refusal) as refusal:
        read_record(data)
    assert [one.field for one in refusal.value.problems] == ["declared.registrations.1.number"]


@pytest.mark.parametrize("data", [None, [], {}, {"tournament": 1}, {"tournament": {"system": "GO"}}], ids=str)
def test_what_declares_no_tournament_is_refused(data):
    """[RECORD 2]"""
    assert refused(data)


SEAT = f"{TABLE}.seats"
PENALTY = "penalties.0"
APPEAL = "appeals.0"
ADJUSTMENT = {"id": "a1", "session": 1, "player": "p1", "reason": "Решение судьи", "game_points": 1}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ([("tournament.preset", "mcr")], ("preset", "tournament.preset")),
        ([("tournament.last_day", "2025-05-09")], ("time_order", "tournament.last_day")),
        ([("tournament.last_day", "2025-02-30")], ("no_such_time", "tournament.last_day")),
        ([("tournament.slug", "Волга")], ("text_form", "tournament.slug")),
        ([("tournament.time_zone", "Volga/Harbour")], ("time_zone", "tournament.time_zone")),
        ([("tournament.time_zone", "Europe")], ("time_zone", "tournament.time_zone")),
        ([("tournament.time_zone", "../Samara")], ("time_zone", "tournament.time_zone")),
        ([("tournament.colour", "red")], ("unknown_field", "tournament.colour")),
        ([("regulation.sessions", 0)], ("out_of_range", "regulation.sessions")),
        ([("sessions.0.regulation", {"sessions": 0})], ("out_of_range", "sessions.0.regulation.sessions")),
        ([("players.0.country", "Россия")], ("text_length", "players.0.country")),
        ([("players.0.name", "")], ("text_length", "players.0.name")),
        ([("registrations.0.first_session", 1)], ("out_of_range", "registrations.0.first_session")),
        ([("sessions.0.started_at", "2025-05-10T25:00:00Z")], ("no_such_time", "sessions.0.started_at")),
        ([("sessions.0.started_at", "2025-05-10 06:00")], ("text_form", "sessions.0.started_at")),
        ([(f"{TABLE}.protocol.mode", "memory")], ("choice", f"{TABLE}.protocol.mode")),
        ([(f"{TABLE}.protocol.superseded.0.reason", "потому")], ("text_length", f"{TABLE}.protocol.superseded.0.reason")),
        ([(f"{TABLE}.protocol.hands.0.how", "undone")], ("unknown_field", f"{TABLE}.protocol.hands.0.how")),
        ([("players.1.id", "p1"), ("registrations.1.player", "p1")], ("repeated", "players.1.id")),
        ([("registrations.1.number", 1)], ("repeated", "registrations.1.number")),
        ([("penalties.1.id", "n1")], ("repeated", "penalties.1.id")),
        ([("officials.0.player", "zz")], ("player_not_found", "officials.0.player")),
        ([(f"{PENALTY}.player", "zz")], ("player_not_found", f"{PENALTY}.player")),
        ([(f"{PENALTY}.to", "zz")], ("player_not_found", f"{PENALTY}.to")),
        ([("substitutes.1", {"player": "p1", "assistant": False})], ("substitute_registered", "substitutes.1.player")),
        ([("officials.0.player", "p1")], ("conflict_of_interest", f"{SEAT}.0.player")),
        ([("sessions.0.number", 2)], ("numbering", "sessions.0.number")),
        ([(f"{TABLE}.number", 7)], ("numbering", f"{TABLE}.number")),
        ([(f"{TABLE}.protocol.hands.2.number", 4)], ("numbering", f"{TABLE}.protocol.hands.2.number")),
        ([(f"{SEAT}.0.wind", "S"), (f"{SEAT}.1.wind", "E")], ("wind_order", SEAT)),
        ([(f"{SEAT}.1.wind", "E")], ("wind_order", SEAT)),
        ([(f"{SEAT}.1.player", "p1")], ("player_twice", f"{SEAT}.1.player")),
        ([(f"{SEAT}.2.for", "p1")], ("player_twice", f"{SEAT}.2.for")),
        ([(f"{SEAT}.1.player", None)], ("seat_for", f"{SEAT}.1.for")),
        ([(f"{SEAT}.2.for", "x1")], ("not_registered", f"{SEAT}.2.for")),
        ([(f"{SEAT}.1.from_hand", 2)], ("from_hand", f"{SEAT}.1.from_hand")),
        ([(f"{SEAT}.2.player", None), (f"{SEAT}.2.from_hand", 2)], ("from_hand", f"{SEAT}.2.from_hand")),
        ([("regulation.assistants_substitute", False)], ("assistant_plays", f"{SEAT}.2.player")),
        ([("substitutes", [])], ("not_substitute", f"{SEAT}.2.player")),
        ([("registrations.0.status", "cancelled")], ("not_registered", f"{SEAT}.0.player")),
        ([("regulation.table_size", 3), ("regulation.smallest_table", 3)], ("table_size", SEAT)),
        ([("regulation.smallest_table", 4), (f"{SEAT}.2.player", None)], ("table_size", f"{TABLE}.protocol")),
        ([(f"{TABLE}.protocol", None)], ("protocol_needed", f"{TABLE}.protocol")),
        ([("sessions.0.ended_at", ...)], ("time_needed", "sessions.0.ended_at")),
        ([("sessions.0.started_at", ...)], ("time_needed", "sessions.0.started_at")),
        ([("sessions.0.ended_at", "2025-05-10T05:00:00Z")], ("time_order", "sessions.0.ended_at")),
        ([("sessions.0.state", "open"), ("sessions.0.ended_at", "2025-05-10T05:00:00Z")], ("time_order", "sessions.0.ended_at")),
        ([("sessions.0.state", "open"), ("sessions.0.started_at", ...)], ("time_needed", "sessions.0.started_at")),
        ([(f"{TABLE}.protocol.confirmed", ["E"])], ("not_confirmed", f"{TABLE}.protocol.confirmed")),
        ([(f"{SEAT}.2.player", None)], ("not_seated", f"{TABLE}.protocol.confirmed")),
        ([("lateness.0.session", 3)], ("no_session", "lateness.0.session")),
        ([("lateness.2", {"session": 1, "player": "p2", "seconds": 5})], ("repeated", "lateness.2.player")),
        ([("lateness.0.seconds", 901)], ("late_beyond_limit", "lateness.0.seconds")),
        ([(f"{PENALTY}.offence", "rudeness")], ("penalty_type", f"{PENALTY}.offence")),
        ([(f"{PENALTY}.kind", "fixed")], ("penalty_type", f"{PENALTY}.offence")),
        ([(f"{PENALTY}.effect", "warning")], ("penalty_effect", f"{PENALTY}.effect")),
        ([(f"{PENALTY}.points", 2)], ("penalty_amount", f"{PENALTY}.points")),
        ([(f"{PENALTY}.kind", "decision")], ("penalty_amount", f"{PENALTY}.points")),
        ([(f"{PENALTY}.kind", "decision"), (f"{PENALTY}.points", "2")], ("number_type", f"{PENALTY}.points")),
        ([(f"{PENALTY}.kind", "decision"), (f"{PENALTY}.effect", "tournament_points"), (f"{PENALTY}.points", 2)], ("penalty_amount", f"{PENALTY}.points")),
        ([(f"{PENALTY}.kind", "decision"), (f"{PENALTY}.effect", "tournament_points"), (f"{PENALTY}.points", "-2")], ("penalty_amount", f"{PENALTY}.points")),
        ([(f"{PENALTY}.to", "p4")], ("receiver", f"{PENALTY}.to")),
        ([(f"{PENALTY}.to", "table"), (f"{PENALTY}.session", None)], ("session_needed", f"{PENALTY}.session")),
        ([(f"{PENALTY}.until", "2026-01-01")], ("until_unexpected", f"{PENALTY}.until")),
        ([(f"{PENALTY}.revoked_by", "q9")], ("no_appeal", f"{PENALTY}.revoked_by")),
        ([(f"{PENALTY}.revoked_by", "q1")], ("not_upheld", f"{PENALTY}.revoked_by")),
        ([("adjustments.0", {**ADJUSTMENT, "appeal": "q9"})], ("no_appeal", "adjustments.0.appeal")),
        ([("adjustments.0", {**ADJUSTMENT, "tournament_points": "1"})], ("one_change", "adjustments.0")),
        ([("adjustments.0", {"id": "a", "session": 1, "player": "p1", "reason": "Решение судьи", "tournament_points": "1", "timing": "after"})], ("timing_unexpected", "adjustments.0.timing")),
        ([("adjustments.0", {"id": "a", "session": None, "player": "p1", "reason": "Решение судьи", "result": {"tournament_points": None, "game_points": 0, "place": None}})], ("session_needed", "adjustments.0.session")),
        ([(f"{APPEAL}.against", {})], ("against_needed", f"{APPEAL}.against")),
        ([(f"{APPEAL}.against", {"penalty": "n9"})], ("no_penalty", f"{APPEAL}.against.penalty")),
        ([(f"{APPEAL}.against", {"hand": 2})], ("against_needed", f"{APPEAL}.against.table")),
        ([(f"{APPEAL}.against", {"table": 2})], ("no_table", f"{APPEAL}.against.table")),
        ([(f"{APPEAL}.filed_at", "2025-05-10T05:59:59Z")], ("time_order", f"{APPEAL}.filed_at")),
        ([("regulation.appeals", None)], ("no_appeals", f"{APPEAL}.session")),
    ],
)  # fmt: skip
def test_contradiction_is_refused_where_it_stands(changes, problem):
    """[RECORD 2] [SBR 2.9.2] [RULES 8.33] [RULES 8.34] [RULES 8.37]"""
    assert problem in refused(changed(VOLGA, *changes))


@pytest.mark.parametrize(
    "changes",
    [
        [(f"{APPEAL}.filed_at", "2025-05-10T07:34:59Z")],
        [(f"{APPEAL}.against", {"table": 1, "hand": 2})],
        [("lateness.0.seconds", 0)],
        [("lateness.0.seconds", 5000), ("lateness.0.waived", True)],
        [(f"{TABLE}.protocol.confirmed", []), (f"{TABLE}.protocol.signed_off", True)],
        [("players.0.name", None)],
        [("players.0.federation_ids", {"EMA": "04010001"})],
        [("sessions.0.state", "open"), (f"{TABLE}.protocol.confirmed", [])],
        [("sessions.0.state", "open"), ("sessions.0.ended_at", ...)],
        [(f"{SEAT}.2.from_hand", 2)],
        [(f"{PENALTY}.kind", "decision"), (f"{PENALTY}.points", 999)],
        PLANNED,
        [("sessions.0.state", "planned"), (f"{TABLE}.protocol", None)],
        [("sessions.1", {**SECOND, "started_at": "2025-05-10T05:59:59Z", "ended_at": "2025-05-10T06:00:01Z"})],
        [(f"{APPEAL}.filed_at", "2025-05-10T06:00:00Z")],
        [("sessions.0.ended_at", "2025-05-10T06:00:00Z"), (f"{APPEAL}.filed_at", "2025-05-10T06:10:00Z")],
        [("sessions.1", {**SECOND, "started_at": "2025-05-10T07:00:00Z", "ended_at": "2025-05-10T08:00:00Z"})],
        [("sessions.1", {**SECOND, "started_at": "2025-05-10T06:00:00Z", "ended_at": "2025-05-10T07:00:00Z"})],
        [("sessions.1", {**SECOND, "started_at": "2025-05-10T04:00:00Z", "ended_at": "2025-05-10T05:00:00Z"})],
        [("sessions.1", {**SECOND, "state": "open", "started_at": "2025-05-10T05:00:00Z"})],
        [(f"{SEAT}.2", {"wind": "W", "player": "s1"})],
        [("penalties.0.session", None)],
    ],
)  # fmt: skip
def test_what_may_be_so_is_read(changes):
    """Sessions that were reopened, or played in another order, are taken as they were. [RECORD 2] [RULES 8.37]"""
    read_declared(changed(VOLGA, *changes))


def test_decision_is_held_against_its_bounds():
    """[RULES 1.8]"""
    assert refused(changed(MCR, ("penalties.3.points", 61))) == [("penalty_amount", "penalties.3.points")]


@pytest.mark.parametrize(
    "change", [("penalties.0.hand", ...), ("penalties.0.session", None)], ids=["hand", "session"]
)
def test_ladder_by_rounds_needs_to_know_the_hand(change):
    """[RULES 8.38]"""
    late = [("penalties.0.offence", "late_claim"), ("penalties.0.hand", 1)]
    assert refused(changed(MCR, *late, change)) == [("hand_needed", "penalties.0.hand")]


def test_appeal_about_an_unknown_session_is_one_problem():
    """[RECORD 2]"""
    assert refused(changed(VOLGA, (f"{APPEAL}.session", 4))) == [("no_session", f"{APPEAL}.session")]


def test_a_record_asks_of_an_appeal_only_that_its_session_had_begun():
    """When the decision was made known a record does not tell, and so not until when it could be appealed. [RULES 8.53]"""
    late, early = "2099-01-01T00:00:00Z", "1999-01-01T00:00:00Z"
    read_declared(changed(VOLGA, (f"{APPEAL}.filed_at", late)))
    assert refused(changed(VOLGA, (f"{APPEAL}.filed_at", early))) == [("time_order", f"{APPEAL}.filed_at")]


THREES = {"3": ["4", "3", "2"]}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (("regulation.tournament_points", THREES), "regulation.tournament_points"),
        (
            ("sessions.0.regulation", {"tournament_points": THREES}),
            "sessions.0.regulation.tournament_points",
        ),
    ],
    ids=["tournament", "session"],
)
def test_table_that_played_needs_a_row_of_points_for_its_size(change, field):
    """[SBR 2.7.5] [RULES 8.33]"""
    assert refused(changed(VOLGA, change)) == [("points_table", field)]


def test_row_of_points_is_not_asked_for_tables_that_did_not_play():
    """[RULES 8.33]"""
    read_declared(changed(VOLGA, ("regulation.tournament_points", THREES), *PLANNED))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (("regulation.system_rules.minimum", 10**6), "regulation.system_rules.minimum"),
        (
            ("sessions.0.regulation", {"system_rules": {"minimum": 10**6}}),
            "sessions.0.regulation.system_rules.minimum",
        ),
    ],
    ids=["tournament", "session"],
)
def test_setting_that_no_hand_can_meet_is_the_fault_of_its_regulation(change, field):
    """[MCR scoring 1a]"""
    assert refused(changed(MCR, change)) == [("out_of_range", field)]


def test_superseded_hand_is_held_to_what_its_system_records():
    """[RECORD 3]"""
    assert refused(changed(VOLGA, (f"{TABLE}.protocol.superseded.0.riichi", ["E"]))) == [
        ("unknown_field", f"{TABLE}.protocol.superseded.0.riichi")
    ]


def test_final_protocol_is_read_in_its_own_shape():
    """[RIICHI reg. 6.2]"""
    superseded = {"final": {"E": 1}, "left_on_table": 0, "how": "corrected", "reason": "Ошибка в подсчёте"}
    read_declared(changed(FESTIVAL, (f"{TABLE}.protocol.superseded.0", superseded)))
    assert refused(changed(FESTIVAL, (f"{TABLE}.protocol.left_on_table", "0"))) == [
        ("number_type", f"{TABLE}.protocol.left_on_table")
    ]


LATE = [
    ("players.4", {"id": "p5", "name": "Зимородок"}),
    ("registrations.4", {"player": "p5", "number": 5, "status": "active", "checked_in": True}),
]
OWED = {"id": "d1", "session": 1, "player": "p5", "reason": "Пришёл ко второй сессии", "game_points": 12}


def test_adjustment_of_a_session_without_a_seat_is_refused_for_it_would_move_nothing():
    """Whoever has no seat in a session may be there all the same. [RECORD 2] [RULES 8.50]"""
    read_declared(changed(MCR, *LATE))
    assert refused(changed(MCR, *LATE, ("adjustments.0", OWED))) == [("not_seated", "adjustments.0.session")]
    read_declared(changed(MCR, *LATE, ("adjustments.0", {**OWED, "session": None})))
    read_declared(changed(MCR, ("adjustments.0", {**OWED, "player": "p4"})))
    before = changed(MCR, *LATE, ("adjustments.0", OWED), ("regulation.stages", ...))
    assert read_declared(before, version=1).data["adjustments"] == [OWED]


SHORT = {
    "mode": "final_result",
    "final": {"E": 60, "S": 0, "W": -40, "N": -60},
    "left_on_table": 40,
    "superseded": [],
    "confirmed": ["E", "S", "W", "N"],
}


def test_only_riichi_leaves_bets_on_a_table():
    """What an earlier release took in bears the mark of the first reading, and went to the leader. [RULES 8.42]"""
    assert refused(changed(MCR, (f"{TABLE}.protocol", SHORT))) == [
        ("nothing_left", f"{TABLE}.protocol.left_on_table")
    ]
    marked = {**SHORT, "first_reading": True}
    before = changed(MCR, (f"{TABLE}.protocol", SHORT), ("regulation.stages", ...))
    for declared in (
        read_declared(changed(MCR, (f"{TABLE}.protocol", marked))),
        read_declared(before, version=1),
    ):
        assert declared.data["sessions"][0]["tables"][0]["protocol"] == marked
        assert declared.games[1, 1].totals == {"E": 100, "S": 0, "W": -40, "N": -60}
    festival = changed(FESTIVAL, (f"{TABLE}.protocol.first_reading", True))
    assert "first_reading" not in read_declared(festival).data["sessions"][0]["tables"][0]["protocol"]
