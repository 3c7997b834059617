"""Appeals: in time or not, at what deposit, before whom, and what may be decided."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from penalties.appeals.rules import appeals
from penalties.appeals.rules.appeals import Body, Filing, Matter, Verdict
from scoring.presets import PRESETS
from scoring.regulation import AppealRules

END = datetime(2026, 5, 9, 12, tzinfo=UTC)
WITH = AppealRules(minutes=30, deposit_fees=2, committee=True)
WITHOUT = AppealRules(minutes=30, deposit_fees=2, committee=False)
FILING = Filing(session=1, ended_at=END, now=END, length=100, is_party=True, is_same_table=True)


def codes(found):
    return [problem.code for problem in found]


TIMES = {
    "at-the-end": (0, 0, []),
    "29:59": (29, 59, []),
    "30:00": (30, 0, []),
    "30:01": (30, 1, ["appeal_late"]),
}


@pytest.mark.parametrize(("minutes", "seconds", "expected"), TIMES.values(), ids=TIMES)
def test_thirty_minutes_sharp_are_in_time(minutes, seconds, expected):
    """[SBR 2.9.2] [RULES 8.37]"""
    now = END + timedelta(minutes=minutes, seconds=seconds)
    found = appeals.filing_problems(WITH, replace(FILING, now=now), closed_at="12:30")
    assert codes(found) == expected
    if expected:
        assert str(found[0]) == "Appeals for session 1 were possible until 12:30."


def test_while_a_session_is_played_there_is_time():
    """[SBR 2.9.2]"""
    assert appeals.deadline(WITH, None) is None
    assert appeals.filing_problems(WITH, replace(FILING, ended_at=None)) == []


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_who_may_appeal_is_the_regulations(preset):
    """[RULES 8.37] [RIICHI reg. 5.4]"""
    found = appeals.filing_problems(preset.regulation.appeals, FILING)
    assert codes(found) == (["no_appeals"] if preset.system == "RIICHI" else [])


BAD = {
    "not-party": ({"is_party": False}, "not_party"),
    "another-table": ({"is_same_table": False}, "not_party"),
    "another-open": ({"open_number": 3}, "appeal_exists"),
    "empty": ({"length": 0}, "text_length"),
    "too-short": ({"length": 19}, "text_length"),
    "too-long": ({"length": 20_001}, "text_length"),
}


@pytest.mark.parametrize(("said", "code"), BAD.values(), ids=BAD)
def test_bad_appeals_are_refused(said, code):
    """[INTEGRITY 122-125]"""
    assert codes(appeals.filing_problems(WITH, replace(FILING, **said))) == [code]


def test_the_deposit_is_twice_the_fee():
    """[SBR 2.9.2]"""
    assert appeals.deposit(WITH, Decimal("12.50")) == Decimal("25.00")


FIRST = [
    (WITH, Matter.RULES, Body.CHIEF_REFEREE),
    (WITH, Matter.OTHER, Body.COMMITTEE),
    (WITHOUT, Matter.RULES, Body.CHIEF_REFEREE),
    (WITHOUT, Matter.OTHER, Body.CHIEF_REFEREE),
]


@pytest.mark.parametrize(("rules", "matter", "body"), FIRST)
def test_who_hears_an_appeal_first(rules, matter, body):
    """[SBR 2.9.3] [SBR 2.9.4] [SBR 2.9.5]"""
    assert appeals.first_body(rules, matter) is body


def test_only_a_dismissal_on_the_rules_goes_further():
    """[SBR 2.9.3]"""
    assert appeals.may_go_further(WITH, Matter.RULES, Body.CHIEF_REFEREE, Verdict.DISMISSED)
    assert not appeals.may_go_further(WITHOUT, Matter.RULES, Body.CHIEF_REFEREE, Verdict.DISMISSED)
    assert not appeals.may_go_further(WITH, Matter.OTHER, Body.COMMITTEE, Verdict.DISMISSED)
    assert not appeals.may_go_further(WITH, Matter.RULES, Body.CHIEF_REFEREE, Verdict.UPHELD)


RULINGS = {
    "chief-upholds": ({"body": Body.CHIEF_REFEREE}, []),
    "chief-recommends": ({"body": Body.CHIEF_REFEREE, "verdict": Verdict.RECOMMENDED}, ["only_committee"]),
    "own-case": ({"body": Body.CHIEF_REFEREE, "is_party": True}, ["conflict_of_interest"]),
    "committee-overrules": ({"votes": 2, "members": 3}, ["only_recommend"]),
    "committee-recommends": ({"verdict": Verdict.RECOMMENDED, "votes": 2, "members": 3}, []),
    "committee-without-quorum": (
        {"verdict": Verdict.RECOMMENDED, "votes": 1, "members": 3},
        ["no_quorum"],
    ),
    "committee-on-the-rest": ({"matter": Matter.OTHER, "votes": 2, "members": 3}, []),
}


@pytest.mark.parametrize(("said", "expected"), RULINGS.values(), ids=RULINGS)
def test_what_a_body_may_rule(said, expected):
    """[SBR 2.9.5] [INTEGRITY 130]"""
    asked = {"body": Body.COMMITTEE, "matter": Matter.RULES, "verdict": Verdict.UPHELD, "is_party": False}
    assert codes(appeals.ruling_problems(WITH, **{**asked, **said})) == expected


@pytest.mark.parametrize(("members", "needed"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3)])
def test_more_than_half_must_agree(members, needed):
    assert appeals.quorum(members) == needed


@pytest.mark.parametrize(
    ("points", "named", "expected"),
    [([8, -8], False, []), ([8, -4], False, ["not_zero_sum"]), ([-8], True, []), ([], False, [])],
)
def test_an_order_creates_no_points(points, named, expected):
    """[INTEGRITY 131]"""
    found = appeals.order_problems(points, names_penalty=named)
    assert codes(found) == expected
    if expected:
        assert str(found[0]) == "The ordered result adds up to +4; it must be 0 or name a penalty."
