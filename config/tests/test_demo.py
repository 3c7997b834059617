"""The demo: worth looking at, never over, bounded in size, and removable without a trace."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.tools import demo
from config.tools.demo import play, removal, world
from penalties.models import Appeal, Lateness, Penalty
from scoring.presets import PRESETS
from scoring.problems import Problem
from seating.models import Draw
from tournaments.models import HistoryEntry, Registration, Session, Table, Tournament, User
from tournaments.record import triggers
from tournaments.record.refusal import Refused
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db
START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


@pytest.fixture
def small(monkeypatch):
    """A demo of eight players and short games, so that hours of it pass in seconds."""
    at_length = world.in_play
    monkeypatch.setattr(world, "in_play", lambda dice, **_: at_length(dice, number=8))
    monkeypatch.setattr(play, "HANDS", 2)
    world.make_account("demo", "tiles")
    world.in_registration(number=2)
    world.with_a_draft(random.Random(1), number=8)
    return world.in_play(random.Random(1))


def cyrillic(name):
    return any("а" <= sign.lower() <= "я" for sign in name)


def test_the_world_is_worth_looking_at():
    call_command("demo_tournament", password="tiles", stdout=StringIO())
    events = {event.preset: event for event in Tournament.objects.all()}
    assert {event.system for event in events.values()} == {preset.system for preset in PRESETS.values()}
    assert {event.state for event in events.values()} == {"announced", "running", "closed"}
    assert all(event.is_demo for event in events.values())
    playing = events["sbr"]
    names = list(playing.registrations.values_list("player__name", flat=True))
    assert len(names) == 40
    assert min(Counter(map(cyrillic, names)).values()) >= 15
    assert playing.players.values("country").distinct().count() >= 20
    assert Counter(playing.registrations.values_list("player__team", flat=True)).most_common(1)[0][1] == 4
    assert playing.teams.count() == 10
    assert playing.substitutes.count() == 2
    drawn = events["riichi_ema"]
    assert Draw.objects.get(tournament=drawn, state="draft").mode == "swiss"
    assert drawn.regulation["stages"] == [world.CUT]
    assert events["wmsg"].registrations.filter(status=Registration.Status.WAITING).count() == 2
    assert User.objects.get(username="demo").check_password("tiles")
    assert not User.objects.get(username=play.PLAYED_BY).has_usable_password()
    call_command("verify_history", verbosity=0)


def test_what_happens_in_a_hall_happens_in_the_demo(small):
    going_on = demo.Demo(random.Random(2))
    with time_machine.travel(timezone.now(), tick=False) as clock:
        while not seen_all(small):
            going_on.turn()
            clock.shift(timedelta(seconds=5))
            assert going_on.turns < 200
    assert Appeal.objects.get(tournament=small, state__in=Appeal.OPEN).penalty is not None


def seen_all(of):
    """Whether everything is there that a referee has to do with."""
    session = of.sessions.filter(state=Session.State.OPEN).first()
    return session is not None and all(
        (
            Penalty.objects.filter(session=session).exists(),
            Lateness.objects.filter(session=session).exists(),
            Appeal.objects.filter(session=session, state__in=Appeal.OPEN).exists(),
            Table.objects.filter(session=session, called_at__isnull=False).exists(),
            session.seats.filter(player__substitute__isnull=False).exists(),
        )
    )


@pytest.mark.once
def test_the_demo_never_runs_dry_and_never_grows_without_end(small):
    """Three hours: session after session, event after event; the oldest events are removed with all that they were."""
    with time_machine.travel(START, tick=False) as clock:
        going_on = demo.Demo(random.Random(3))
        live_at, played, most = START, set(), 0
        for _ in range(3 * 60 * 3):
            going_on.turn()
            clock.shift(timedelta(seconds=20))
            if Session.objects.filter(state=Session.State.OPEN, tournament__preset="sbr").exists():
                live_at = timezone.now()
            assert timezone.now() - live_at < timedelta(minutes=3)
            played |= set(Tournament.objects.filter(preset="sbr").values_list("slug", flat=True))
            most = max(most, HistoryEntry.objects.count())
    assert len(played) > demo.KEPT + 1
    assert Tournament.objects.filter(preset="sbr").count() <= demo.KEPT
    assert most < 1500
    call_command("verify_history", verbosity=0)


def test_whoever_looks_weeks_later_finds_an_event_in_play_and_one_in_registration(small):
    demo.Demo(random.Random(4)).turn()
    with time_machine.travel(timezone.now() + timedelta(days=40), tick=False):
        later = demo.Demo(random.Random(5))
        for _ in range(5):
            later.turn()
        in_play = demo.in_play()
        assert in_play.first_day == timezone.localdate()
        assert in_play.sessions.filter(state=Session.State.OPEN).exists()
        registering = Tournament.objects.filter(preset="wmsg", registration_closes_at__gt=timezone.now())
        assert registering.count() == 1


def test_an_event_that_a_visitor_has_got_stuck_is_followed_by_another(small, monkeypatch):
    step = play.step

    def refuse(tournament, dice, **named):
        if tournament == small:
            raise Refused(Problem("wrong_state", "Nothing goes on here."))
        step(tournament, dice, **named)

    monkeypatch.setattr(play, "step", refuse)
    going_on = demo.Demo(random.Random(6))
    for _ in range(play.PATIENCE + 1):
        going_on.turn()
    assert Tournament.objects.filter(preset="sbr").count() == 2
    assert demo.in_play() != small


def test_an_event_that_cannot_be_played_is_given_up(small, monkeypatch):
    def refuse(*_, **__):
        raise Refused(Problem("wrong_state", "Nothing goes on here."))

    monkeypatch.setattr(play, "step", refuse)
    with pytest.raises(RuntimeError, match="cannot play"):
        world.in_play(random.Random(6))


def test_a_site_without_a_demo_gets_none(monkeypatch):
    real = make.tournament()
    for _ in range(20):
        demo.Demo(random.Random(7)).turn()
    assert list(Tournament.objects.all()) == [real]


def test_cities_of_the_demo_are_named_in_the_readers_language_and_those_of_others_as_typed(small):
    real = make.tournament()
    Tournament.objects.filter(pk=real.pk).update(city="Moscow")

    def page(of, language):
        return Client(headers={"accept-language": language}).get(f"/{of.slug}/").content.decode()

    assert "Самара" in page(small, "ru")
    assert "Дом культуры" in page(small, "ru")
    assert "Samara" in page(small, "en")
    assert "Moscow" in page(real, "ru")
    players = Client(headers={"accept-language": "ru"}).get(f"/{small.slug}/players/").content.decode()
    assert "Лондон" in players
    assert "London" not in players


# Removal


def test_the_demo_is_removed_with_its_history_and_accounts_and_nothing_else(small):
    real = make.tournament()
    make.players(real, 4)
    make.in_play(real)
    before = list(HistoryEntry.objects.filter(tournament=real).values_list("digest", flat=True))
    going_on = demo.Demo(random.Random(8))
    for _ in range(30):
        going_on.turn()
    said = StringIO()
    call_command("demo_tournament", remove=True, stdout=said)
    assert "Removed: 3 events of the demo" in said.getvalue()
    assert list(Tournament.objects.all()) == [real]
    assert list(User.objects.all()) == [real.created_by]
    assert list(HistoryEntry.objects.values_list("digest", flat=True)) == before
    assert triggers.is_in_place(connection)
    assert not Penalty.objects.exists()
    assert not Appeal.objects.exists()
    call_command("verify_history", verbosity=0)


def test_every_row_that_belongs_to_an_event_is_found():
    """A model that somebody adds is removed with the event, or its rows would keep it from being removed."""
    found = {model.__name__ for model, _ in removal.rows_of_an_event()}
    assert {
        "Hand",
        "Penalty",
        "Appeal",
        "Vote",
        "Line",
        "Draw",
        "Commitment",
        "HistoryEntry",
        "Receipt",
    } <= found


def test_an_event_that_was_not_made_by_the_demo_is_never_removed():
    real = make.tournament()
    with pytest.raises(removal.NotADemo):
        removal.remove_event(real)
    assert HistoryEntry.objects.filter(tournament=real).exists()
    assert triggers.is_in_place(connection)


def test_entries_of_other_events_stay_refused_while_one_is_removed(small):
    real = make.tournament()

    def delete(of):
        with transaction.atomic():
            HistoryEntry.objects.filter(tournament=of)._raw_delete(connection.alias)

    def change(of):
        with transaction.atomic():
            HistoryEntry.objects.filter(tournament=of).update(kind="forged")

    with transaction.atomic(), triggers.open_for_removal(connection, small.pk):
        with pytest.raises(DatabaseError, match="append-only"):
            delete(real)
        with pytest.raises(DatabaseError, match="append-only"):
            change(real)
    for of in (real, small):
        with pytest.raises(DatabaseError, match="append-only"):
            delete(of)


def test_a_removal_that_fails_half_way_leaves_everything_and_the_triggers(small, monkeypatch):
    before = HistoryEntry.objects.count()
    rows = removal.rows_of_an_event()
    monkeypatch.setattr(removal, "rows_of_an_event", lambda: [*rows[:-1], (None, "")])
    with pytest.raises(AttributeError):
        removal.remove_event(small)
    assert HistoryEntry.objects.count() == before
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        HistoryEntry.objects.filter(tournament=small)._raw_delete(connection.alias)


def test_the_history_is_opened_within_a_transaction_only(transactional_db):
    with pytest.raises(RuntimeError), triggers.open_for_removal(connection, 1):
        pass


def test_an_account_that_works_elsewhere_stays(small):
    account = User.objects.get(username="demo")
    own = make.tournament(by=account)
    events, stay = removal.remove_all()
    assert (events, stay) == (3, ["demo"])
    assert list(Tournament.objects.all()) == [own]
    assert not User.objects.filter(username=play.PLAYED_BY).exists()


def test_only_what_somebody_else_did_touches_the_demo(small):
    going_on = demo.Demo(random.Random(9))
    for _ in range(40):
        going_on.turn()
    assert not removal.is_touched()
    account = User.objects.get(username="demo")
    make.registration.register_player(
        small, make.registration.Details(name="Visitor"), by=make.actor(account, "organizer")
    )
    assert removal.is_touched()
