"""Minutes of lateness: what each brings, whatever the clocks on the wall do."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from penalties.lateness.rules import Threshold, consequence, elapsed, seconds_problems, thresholds
from scoring.presets import PRESETS

SBR = PRESETS["sbr"].regulation.lateness
RIICHI = PRESETS["riichi_festival"].regulation.lateness
FIXED = "fixed"

TIMES = {
    "0:00": (0, 8, 0),
    "0:01": (1, 8, 1000),
    "1:00": (60, 8, 1000),
    "1:01": (61, 8, 2000),
    "9:59": (599, 8, 10000),
    "10:00": (600, 16, 10000),
    "10:01": (601, 16, FIXED),
    "15:00": (900, 16, FIXED),
    "15:01": (901, FIXED, FIXED),
}


def said(rules, seconds):
    found = consequence(rules, seconds)
    return FIXED if found.is_replaced else found.points


@pytest.mark.parametrize(("seconds", "sbr", "riichi"), TIMES.values(), ids=TIMES)
def test_an_arrival_brings_what_the_clauses_say(seconds, sbr, riichi):
    """A lateness of no seconds falls into the first band; no minute of it has begun. [SBR 2.8.4.5] [RIICHI 5.7] [RULES 8.2] [RULES 8.5]"""
    assert (said(SBR, seconds), said(RIICHI, seconds)) == (sbr, riichi)


@pytest.mark.parametrize("preset", ["mcr", "siamese", "red"])
def test_three_systems_have_no_policy(preset):
    """[RULES 8.37]"""
    rules = PRESETS[preset].regulation.lateness
    assert (rules, said(rules, 3600), thresholds(rules)) == (None, 0, [])


CHANGES = {
    "forward": datetime(2026, 3, 29, 1, 55, tzinfo=ZoneInfo("Europe/Berlin")),
    "back": datetime(2026, 10, 25, 2, 55, tzinfo=ZoneInfo("Europe/Berlin")),
}


@pytest.mark.parametrize("start", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("seconds", [0, 1, 599, 600, 900, 901])
def test_a_change_of_the_clocks_changes_no_minutes(start, seconds):
    """[RECORD 1]"""
    began = start.astimezone(UTC)
    came = (began + timedelta(seconds=seconds)).astimezone(ZoneInfo("Europe/Berlin"))
    assert elapsed(began, came) == seconds


def test_parts_of_a_second_are_the_players():
    start = datetime(2026, 5, 9, 9, tzinfo=UTC)
    assert elapsed(start, start + timedelta(minutes=15, milliseconds=999)) == 900
    assert elapsed(start, start - timedelta(seconds=5)) == 0


def test_the_thresholds_are_shown_in_order():
    """[SBR 2.8.4.5]"""
    assert thresholds(SBR) == [Threshold(0, 8, False), Threshold(600, 16, False), Threshold(901, 0, True)]


def test_every_minute_of_riichi_is_a_threshold():
    """[RIICHI 5.7]"""
    found = thresholds(RIICHI)
    assert [one.points for one in found] == [*range(1000, 11000, 1000), 0]
    assert (found[1].seconds, found[-1]) == (61, Threshold(601, 0, True))


@pytest.mark.parametrize(("seconds", "may"), [(-1, False), (0, True), (86400, True), (86401, False)])
def test_a_lateness_lies_within_a_day(seconds, may):
    assert (seconds_problems(seconds) == []) is may
