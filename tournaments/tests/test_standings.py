"""Standings follow from the record: rebuilt at will, provisional in play, final after it."""

import gzip
import json
from fractions import Fraction

import pytest
from django.core.management import call_command

from scoring.criteria import CRITERIA
from tournaments.models import Protocol, Registration, Seat, Snapshot, Standing, StandingsRevision, Table
from tournaments.people.operations import registration
from tournaments.record import news, wakeup
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.tables.operations import protocols
from tournaments.tables.queries.events import event_of
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def rows(of):
    return [
        (
            row.place,
            row.player.registration.number,
            row.values["tournament_points"],
            row.values["game_points"],
        )
        for row in Standing.objects.filter(tournament=of).select_related("player__registration")
    ]


def snapshot(of):
    return json.loads(gzip.decompress(bytes(Snapshot.objects.get(tournament=of).body)))


def a_played_session(number=4, **changes):
    of = make.tournament(**changes)
    make.players(of, number)
    session = make.in_play(of)
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol, make.east_from_south(2))
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    return of, session


def test_tied_places_share_what_they_bring():
    """[SBR 2.7.5] [RULES 1.6]"""
    of, _ = a_played_session()
    recompute.recompute(of.pk)
    assert [(place, points) for place, _, points, _ in rows(of)] == [(1, 4), (2, "5/2"), (2, "5/2"), (4, 1)]
    total = sum(Fraction(points) for _, _, points, _ in rows(of))
    assert total == 4 + 3 + 2 + 1


def test_dropped_standings_are_rebuilt_the_same():
    """[INTEGRITY 1]"""
    of, _ = a_played_session(8)
    recompute.recompute(of.pk)
    before = rows(of)
    Standing.objects.filter(tournament=of).delete()
    call_command("recompute_standings", of.slug)
    assert rows(of) == before


def test_an_event_is_read_in_six_queries_whatever_its_size(django_assert_num_queries):
    """Sessions, registrations, seats, tables, charges and given results; the seats only where a session counts."""
    of, _ = a_played_session(8)
    with django_assert_num_queries(6):
        (session,) = event_of(of).sessions
    assert [table.number for table in session.tables] == [1, 2]
    with django_assert_num_queries(3):
        assert event_of(of, []).sessions == []


def test_an_event_lists_tables_by_number_and_seats_by_turn_however_they_are_stored():
    of, session = a_played_session(8)
    Table.objects.filter(session=session, number=1).update(number=3)
    east = Seat.objects.get(table__session=session, table__number=2, wind="E")
    Seat.objects.filter(pk=east.pk).update(id=10**6)
    (read,) = event_of(of).sessions
    assert [table.number for table in read.tables] == [2, 3]
    assert [[str(seat.seat) for seat in table.seats] for table in read.tables] == [list("ESWN")] * 2


def test_nothing_is_done_when_nothing_moved():
    of, _ = a_played_session()
    reached = recompute.recompute(of.pk)
    made_at = Snapshot.objects.get(tournament=of).made_at
    assert recompute.recompute(of.pk) == reached
    assert Snapshot.objects.get(tournament=of).made_at == made_at


def test_an_older_recomputation_never_overwrites_a_newer_one():
    """Compare-and-set on the revision: late or twice does no harm."""
    of, _ = a_played_session()
    newest = recompute.recompute(of.pk)
    StandingsRevision.objects.filter(pk=of.pk).update(done=newest + 5, wanted=newest + 5)
    before = Snapshot.objects.get(tournament=of).revision
    recompute._write(of, newest + 1, recompute.event_of(of), [])
    assert Snapshot.objects.get(tournament=of).revision == before


def test_a_table_in_play_counts_from_its_first_hand_and_is_marked_provisional():
    of = make.tournament()
    make.players(of, 8)
    session = make.in_play(of)
    recompute.recompute(of.pk)
    assert {points for _, _, points, _ in rows(of)} == {0}
    protocol = (
        Protocol.objects.filter(table__session=session).select_related("table__session__tournament").first()
    )
    make.record(protocol)
    recompute.recompute(of.pk)
    assert sorted(Fraction(points) for _, _, points, _ in rows(of)) == [
        0,
        0,
        0,
        0,
        1,
        Fraction(5, 2),
        Fraction(5, 2),
        4,
    ]
    assert snapshot(of)["provisional"] is True


def test_removed_players_are_shown_without_a_place():
    """[RULES 8.7]"""
    of, _ = a_played_session()
    recompute.recompute(of.pk)
    leader = rows(of)[0][1]
    Registration.objects.filter(tournament=of, number=leader).update(status="removed")
    recompute.recompute_all(of)
    assert [place for place, *_ in rows(of)] == [1, 1, 3, None]
    assert rows(of)[-1][1] == leader


def test_players_left_over_are_awarded_their_points():
    """[SBR 3.1.4] [RULES 8.33]"""
    of, _ = a_played_session(5)
    recompute.recompute(of.pk)
    awarded = [row for row in Standing.objects.filter(tournament=of) if row.results[0]["kind"] == "awarded"]
    assert [row.results[0]["tournament_points"] for row in awarded] == [3]


def test_three_play_on_where_the_regulation_lets_them():
    """[SBR 3.1.3]"""
    of = make.tournament()
    make.players(of, 7)
    session = make.in_play(of)
    tables = {t.number: t.seats.count() for t in session.tables.all()}
    assert tables == {1: 4, 2: 3}
    short = Protocol.objects.select_related("table__session__tournament").get(
        table__session=session, table__number=2
    )
    assert [seat.wind for seat in short.table.seats.in_order()] == ["E", "S", "W"]


def test_a_score_wakes_the_recomputation_after_the_commit(django_capture_on_commit_callbacks, settings):
    settings.EMBEDDED = True
    protocol = make.protocol()
    wakeup.wait(0)
    with django_capture_on_commit_callbacks(execute=True):
        make.record(protocol)
        assert wakeup.wait(0) == set()
    assert wakeup.wait(0) == {protocol.table.session.tournament_id}


def test_a_dead_broker_does_not_refuse_a_score(django_capture_on_commit_callbacks, monkeypatch):
    """[DESIGN 5]"""
    protocol = make.protocol()

    def dead(tournament_id):
        raise ConnectionError("no broker")

    monkeypatch.setattr("tournaments.record.history.wake", dead)
    with django_capture_on_commit_callbacks(execute=True):
        make.record(protocol)
    assert protocol.hands.count() == 1
    assert recompute.behind() == [protocol.table.session.tournament_id]


def test_spectators_are_told_the_revision_they_can_fetch(django_capture_on_commit_callbacks):
    of, _ = a_played_session()
    heard = []
    stop = news.listen(lambda slug, revision: heard.append((slug, revision)))
    with django_capture_on_commit_callbacks(execute=True):
        revision = recompute.recompute(of.pk)
    stop()
    assert heard == [(of.slug, revision)]
    assert snapshot(of)["revision"] == revision


def test_the_snapshot_tells_nothing_private():
    of = make.tournament()
    by = make.organizer_of(of)
    registration.register_player(
        of, registration.Details(name="Heron", email="heron@example.org", phone="123", comment="vegan"), by=by
    )
    recompute.recompute(of.pk)
    text = json.dumps(snapshot(of))
    assert [secret for secret in ("heron@example.org", "123", "vegan") if secret in text] == []


def test_a_correction_in_a_closed_session_moves_the_standings():
    of, session = a_played_session()
    recompute.recompute(of.pk)
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    facts = make.east_from_south(2)
    facts["events"][0] = {"type": "win", "from": "E", "winners": [{"seat": "S", "fans": 2}]}
    facts["end"] = dict.fromkeys("EWN", facts["end"]["N"])
    winner = rows(of)[0][1]
    protocols.correct_hand(
        protocol,
        facts,
        number=1,
        intent=make.intent(protocol),
        by=make.chief_referee_of(of),
        reason="East discarded, South won",
    )
    recompute.recompute(of.pk)
    assert rows(of)[0][1] != winner


def test_the_code_of_every_criterion_fits_the_column_that_names_what_decided():
    """SQLite would take a longer one, PostgreSQL refuses it and with it the standings."""
    longest = Standing._meta.get_field("decided_by").max_length
    assert [code for code in CRITERIA if len(code) > longest] == []
