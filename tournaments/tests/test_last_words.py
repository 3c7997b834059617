"""Entries that come too late, from paper, or of a kind that no rulebook knows: each has its answer, and nothing is stored.

[INTEGRITY 69] [INTEGRITY 91] [INTEGRITY 102] [INTEGRITY 111]. Case 86 is accepted here: a riichi bet may take a score below
zero, and no rulebook of ours forbids it. [RULES 7]
"""

from datetime import UTC, datetime, timedelta

import pytest
from django import forms
from django.utils import timezone, translation

from scoring.regulation import LastHand
from tournaments.models import Hand, Protocol, Session
from tournaments.record.refusal import Refused, say
from tournaments.sessions.rules.last_hand import time_problems
from tournaments.tables.operations import entering, protocols
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.forms import LocalDateTimeField, in_zone

pytestmark = pytest.mark.django_db
REASON = "The rest was played on paper."
END = datetime(2026, 5, 9, 10, tzinfo=UTC)


def refused(work) -> Refused:
    with pytest.raises(Refused) as found:
        work()
    return found.value


def codes(found: Refused) -> list[str]:
    return [problem.code for problem in found.problems]


# 102: a hand begun after time was called

AFTER = {
    "before-the-end": ("finish_begun", [], -1, True),
    "on-the-second": ("finish_begun", [], 0, True),
    "the-begun-one": ("finish_begun", [], 300, True),
    "the-next": ("finish_begun", [120], 300, False),
    "earlier-ones-do-not-count": ("finish_begun", [-600, -1, 0], 300, True),
    "the-last": ("one_more", [-1000], -600, True),
    "one-more-is-asked-about": ("one_more", [-800], -600, False),
    "and-so-is-a-third": ("one_more", [-800, -700], -600, False),
    "red-zone": ("red_zone", [-800], -600, False),
    "before-the-red-zone": ("red_zone", [-1000], -901, True),
}


@pytest.mark.parametrize(("mode", "recorded", "now", "may"), AFTER.values(), ids=AFTER)
def test_so_many_hands_follow_the_signal(mode, recorded, now, may):
    """The warning is fifteen minutes before the end. [RULES 1.4] [RIICHI 5.9]"""
    last_hand, began = LastHand(mode), END - timedelta(minutes=90)
    regulation = {"last_hand": mode, "session_minutes": 90, "warning_minutes": 15}
    signal = Session(started_at=began, regulation=regulation).signal_at
    at = [END + timedelta(seconds=seconds) for seconds in recorded]
    found = time_problems(last_hand, signal, now=END + timedelta(seconds=now), recorded=at, clock="12:00")
    assert [problem.code for problem in found] == ([] if may else ["time_over"])


@pytest.fixture
@remembered
def over():
    """A table whose session ended a minute ago."""
    protocol = make.protocol()
    session = protocol.table.session
    began = timezone.now() - timedelta(minutes=session.minutes + 1)
    Session.objects.filter(pk=session.pk).update(started_at=began)
    return Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk)


def record(protocol, facts=None, **more):
    facts = facts or make.east_from_south(Hand.objects.count())
    by = make.organizer_of(protocol.table.session.tournament)
    return entering.record_hand(protocol, facts, intent=make.intent(protocol, facts=facts), by=by, **more)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_102_the_hand_in_play_is_finished_and_no_other_begins(over, language):
    record(over)
    found = refused(lambda: record(over))
    assert (found.status, codes(found)) == (409, ["time_over"])
    session = over.table.session
    ended = timezone.localtime(Session.objects.get(pk=session.pk).ends_at, session.tournament.zone)
    with translation.override(language):
        assert f"{ended:%H:%M}" in say(found.problems[0])
    assert Hand.objects.count() == 1


def test_102_who_says_that_it_was_begun_in_time_is_believed(over):
    record(over)
    record(over, is_sure=True)
    assert Hand.objects.count() == 2


def test_102_a_hand_kept_on_the_tablet_and_a_paused_clock_are_not_in_the_way(over):
    for _ in range(3):
        record(over, is_sure=True)
    Session.objects.update(paused_at=timezone.now())
    record(Protocol.objects.select_related("table__session__tournament").get(pk=over.pk))
    assert Hand.objects.count() == 4


def test_102_a_chombo_is_replayed():
    """[RIICHI 5.9]"""
    protocol = make.protocol("riichi_festival")
    session = protocol.table.session
    Session.objects.filter(pk=session.pk).update(
        started_at=timezone.now() - timedelta(minutes=session.minutes)
    )
    record(protocol, {"events": [{"type": "chombo", "seat": "E"}]})
    win = {"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "han": 2, "fu": 30}]}]}
    record(protocol, win)
    assert codes(refused(lambda: record(protocol, win | {"riichi": ["W"]}))) == ["time_over"]


# 111: totals from paper that the hands do not give


def final(protocol, east, **more):
    points = {"E": east, "S": -east, "W": 0, "N": 0}
    by = make.organizer_of(protocol.table.session.tournament)
    return protocols.record_final_result(protocol, points, intent=make.intent(protocol), by=by, **more)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_111_totals_that_differ_from_the_hands_are_refused_with_both(language):
    protocol = make.protocol()
    make.record(protocol, make.east_from_south(2))
    found = refused(lambda: final(protocol, 5))
    assert (found.status, codes(found)) == (422, ["totals_mismatch"])
    details = found.problems[0].details
    assert (details["a"], details["b"]) == (4, 5)
    with translation.override(language):
        assert say(found.problems[0])
    assert not protocol.final_results.exists()


def test_111_totals_that_agree_need_no_word_and_others_a_reason():
    protocol = make.protocol()
    make.record(protocol, make.east_from_south(2))
    final(protocol, 4)
    assert refused(lambda: final(protocol, 9, reason="")).status == 422
    final(protocol, 9, reason=REASON)
    assert [row.points["E"] for row in protocol.final_results.filter(status="in_force")] == [9]


# 91: a hand called off


@pytest.mark.parametrize("preset", ["sbr", "mcr", "red", "riichi_ema"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_91_no_rulebook_calls_a_hand_off(preset, language):
    protocol = make.protocol(preset)
    found = refused(lambda: record(protocol, {"events": [{"type": "abort", "kind": "nine_terminals"}]}))
    assert (found.status, codes(found)) == (422, ["abort_unknown"])
    with translation.override(language):
        assert say(found.problems[0])
    assert not Hand.objects.exists()


# 69: an hour that the change of clocks leaves out or repeats

HOURS = {
    "left-out": ("2026-03-29T02:30", "does not exist"),
    "repeated": ("2026-10-25T02:30", "occurs twice"),
}


def local(written: str) -> datetime:
    """A time as the browser's control sends it."""
    read = LocalDateTimeField().clean(written)
    assert isinstance(read, datetime)
    return read


@pytest.mark.parametrize(("at", "words"), HOURS.values(), ids=HOURS)
def test_69_an_hour_of_the_change_of_clocks_is_no_time(at, words):
    with pytest.raises(forms.ValidationError) as found, translation.override("en"):
        in_zone(local(at), "Europe/Berlin")
    assert found.value.code == "time_ambiguous"
    assert words in found.value.messages[0]


def test_69_every_other_hour_is_one():
    two = datetime(2026, 10, 25, 2, tzinfo=UTC)
    assert in_zone(local("2026-10-25T03:00"), "Europe/Berlin").astimezone(UTC) == two
