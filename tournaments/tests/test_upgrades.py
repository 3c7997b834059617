"""Stored values grow old: what an earlier release stored is read, served, computed and verified, and never rewritten."""

import json
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import models
from django.db.models import Value
from django.db.models.functions import Cast
from django.test import Client
from django.urls import reverse

from scoring.regulation import FIELDS, OPTIONAL
from scoring.upgrades import FACTS, REGULATION, NewerVersion, Versions
from tournaments.exchange.record import export_record
from tournaments.models import Hand, HistoryEntry, Protocol, Session, Tournament
from tournaments.record import history
from tournaments.record.upgrades import HISTORY
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

SAMPLES = Path(__file__).parent / "samples"
STAGE = {"from_session": 2, "carry": "half", "cut": 4}


def entries(version):
    return json.loads((SAMPLES / f"history_{version}.json").read_text(encoding="utf-8"))


def stored(rows, column):
    """Return what the database holds in a column of some rows."""
    return list(rows.annotate(as_stored=Cast(column, models.JSONField())).values_list("as_stored", flat=True))


def put(rows, column, value):
    """Store a value as it is, as an earlier or a later release might have."""
    rows.update(**{column: Value(value, output_field=models.JSONField())})


@pytest.fixture
@remembered
def played():
    """An event with a session behind it."""
    of = make.tournament("mcr")
    make.players(of, 4)
    session = make.in_play(of)
    facts = {"number": 1, "events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 12}]}]}
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol, facts)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    return Tournament.objects.get(pk=of.pk)


# History


@pytest.mark.parametrize("version", range(1, HISTORY.newest + 1))
def test_a_history_entry_of_every_version_says_the_same(version):
    texts, newest = entries(version), entries(HISTORY.newest)
    assert [json.loads(text).get("version", 1) for text in texts] == [version] * len(newest)
    assert [history.read(text) for text in texts] == [history.read(text) for text in newest]


def test_a_change_of_version_1_says_whether_stages_or_settings_were_changed():
    """[RULES 9.7]"""
    half, none = (
        {"carry": "half", "cut": 8, "from_session": 3},
        {"carry": "none", "cut": 4, "from_session": 5},
    )
    told = [history.read(text) for text in entries(1)]
    assert [one["data"]["changes"] for one in told if one["kind"] == "regulation_changed"] == [
        {"stages": [[], [half]]},
        {"system_rules": [{"minimum": 8}, {"minimum": 6}]},
        {
            "sessions": [6, 7],
            "system_rules": [{"minimum": 6}, {"minimum": 8}],
            "stages": [[half], [half, none]],
        },
        {"session_minutes": [120, 100]},
    ]
    (started,) = (one for one in told if one["kind"] == "session_started")
    assert (started["data"]["regulation"]["stages"], started["data"]["regulation"]["system_rules"]) == (
        [half, none],
        {"minimum": 8},
    )


def test_every_field_of_the_regulation_is_in_the_newest_entries():
    """Whoever adds a field to the regulation adds a version of history entries, unless it may be left unsaid for ever."""
    held = [history.read(text)["data"].get("regulation") for text in entries(HISTORY.newest)]
    assert [set(one) for one in held if one] == [set(FIELDS) - set(OPTIONAL)] * 2


@pytest.mark.django_db
def test_entries_say_the_version_in_which_they_are_written(played):
    texts = HistoryEntry.objects.filter(tournament=played).values_list("content", flat=True)
    assert {json.loads(text)["version"] for text in texts} == {HISTORY.newest}


# Columns


@pytest.mark.django_db
def test_columns_say_the_version_in_which_they_are_written(played):
    """By one row, by many and by a change."""
    Tournament.objects.filter(pk=played.pk).update(regulation=played.regulation)
    session = played.sessions.get(number=1)
    Session.objects.bulk_update([session], ["regulation"])
    hands = Hand.objects.filter(protocol__table__session=session)
    assert [one["version"] for one in stored(Tournament.objects.filter(pk=played.pk), "regulation")] == [
        REGULATION.newest
    ]
    assert [one["version"] for one in stored(played.sessions.filter(number=1), "regulation")] == [
        REGULATION.newest
    ]
    assert [one["version"] for one in stored(hands, "facts")] == [FACTS.newest]
    assert stored(played.sessions.filter(number=2), "regulation") == [None]
    assert played.sessions.get(number=2).regulation is None
    assert "version" not in Tournament.objects.get(pk=played.pk).regulation
    assert "version" not in hands.get().facts


@pytest.mark.django_db
def test_a_row_of_version_1_is_read_in_the_newest_and_left_as_it_is(played):
    old = {name: value for name, value in played.regulation.items() if name != "stages"}
    old["system_rules"] = {"minimum": 8, "stages": [STAGE]}
    rows = Tournament.objects.filter(pk=played.pk)
    put(rows, "regulation", old)
    assert stored(rows, "regulation") == [old]
    of = rows.get()
    assert (of.regulation["stages"], of.regulation["system_rules"]) == ([STAGE], {"minimum": 8})
    assert rows.values_list("regulation", flat=True).get() == of.regulation
    assert rows.values_list("regulation__sessions", flat=True).get() == 2
    recompute.recompute_all(of)
    assert Client().get(f"/{of.slug}/regulation/").status_code == 200
    assert stored(rows, "regulation") == [old]
    events.change_regulation(of, {"session_minutes": 77}, by=make.organizer_of(of), reason="Shorter sessions")
    assert stored(rows, "regulation") == [REGULATION.stamped({**of.regulation, "session_minutes": 77})]


@pytest.mark.django_db
def test_a_row_of_a_later_release_is_not_read_as_if_it_were_known(played):
    rows = Tournament.objects.filter(pk=played.pk)
    put(rows, "regulation", {**played.regulation, "version": REGULATION.newest + 1})
    with pytest.raises(NewerVersion):
        rows.get()


# Fields that a later version adds


def pages(of):
    """Return what the pages answer that anybody and the organizer can open."""
    cache.clear()
    anybody, desk = Client(raise_request_exception=False), Client(raise_request_exception=False)
    desk.force_login(of.created_by)
    parts = ("", "regulation/", "standings/", "players/", "statistics/", "session-1/", "session-1/table-1/")
    addresses = [f"/{of.slug}/{part}" for part in parts] + [f"/api/1/tournaments/{of.slug}/"]
    answers = {address: anybody.get(address).status_code for address in addresses}
    edit = reverse("tournaments:edit_regulation", args=[of.slug])
    return answers | {edit: desk.get(edit).status_code}


def with_a_field_added(name, value):
    """Return the versions of a regulation as if a later one had added a field, with what it is in older values."""
    return Versions(REGULATION.name, (*REGULATION.steps, lambda older: {name: value, **older}))


@pytest.mark.django_db
def test_a_field_that_a_later_version_adds_stops_no_page_and_no_recomputation(played, monkeypatch):
    """Each field in turn is missing in all that is stored, as every field will be that is added. [RULES 1.1]"""
    before, usual = export_record(played), pages(played)
    assert set(usual.values()) == {200}
    wanting = {}
    for name in FIELDS.keys() - OPTIONAL.keys():
        later = with_a_field_added(name, played.regulation[name])
        for model in (Tournament, Session):
            monkeypatch.setattr(model._meta.get_field("regulation"), "versions", later)
        older = {field: value for field, value in played.regulation.items() if field != name}
        older |= {"version": REGULATION.newest}
        put(Tournament.objects.filter(pk=played.pk), "regulation", older)
        put(played.sessions.filter(number=1), "regulation", older)
        of = Tournament.objects.get(pk=played.pk)
        recompute.recompute_all(of)
        if (pages(of), export_record(of), verify(of)) != (usual, before, []):
            wanting[name] = pages(of), verify(of)
    assert wanting == {}


@pytest.mark.django_db
def test_without_its_step_a_missing_field_would_stop_them(played):
    """The test above can fail."""
    older = {name: value for name, value in played.regulation.items() if name != "tie_rule"}
    put(Tournament.objects.filter(pk=played.pk), "regulation", {**older, "version": REGULATION.newest})
    client = Client(raise_request_exception=False)
    assert client.get(f"/{played.slug}/regulation/").status_code == 500
