"""The referee's phone: what it is told, what a press does once, and what is refused with its reason."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from penalties.lateness import operations as lateness
from penalties.models import Lateness
from penalties.phone import rules
from penalties.tests import factories as judge
from scoring.presets import PRESETS
from scoring.systems import SYSTEMS
from scoring.systems.offences import Mode
from tournaments.models import Session
from tournaments.sessions.operations import play
from tournaments.tests import factories as make

SEAT_FIELDS = {"wind", "player", "name", "points", "ranked", "steps", "late"}


def scene(preset="sbr", seats=4) -> Session:
    of = make.tournament(preset)
    make.players(of, seats)
    session = make.in_play(of)
    session.tournament = of
    return session


def phone(session, role="referee") -> Client:
    client = Client()
    client.force_login(make.staff(session.tournament, role))
    return client


def state(client, session) -> dict:
    return client.get(reverse("penalties:phone_state", args=[session.tournament.slug])).json()


def pressed(operation, body, *, key="", session=1, about=1) -> dict:
    return {
        "key": key or uuid4().hex,
        "session": session,
        "table": about,
        "operation": operation,
        "body": body,
    }


def send(client, session, *presses, schema=1) -> list[dict]:
    address = reverse("penalties:phone_batch", args=[session.tournament.slug])
    body = {"schema": schema, "brief": True, "operations": list(presses)}
    return client.post(address, body, content_type="application/json").json()["answers"]


def offence(session, player, code="late_claim", **more) -> dict:
    return {"session": session.number, "player": player.pk, "offence": code, "hand": 1, **more}


# Rules, without a database


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_first_five_offences_of_every_preset_need_no_choice(preset):
    """Player, offence: two taps. [RULES 1.8]"""
    system, law = PRESETS[preset].system, PRESETS[preset].regulation.penalties
    named = [one for one in SYSTEMS[system].offences if one.mode is not Mode.IN_HAND]
    first = rules.by_frequency(named, law, {})[:5]
    assert rules.Tap.CHOOSE not in {rules.tap(one, law) for one in first}


@pytest.mark.parametrize("preset", ["sbr", "wmsg"])
def test_beyond_the_last_step_the_referee_chooses(preset):
    """A warning there would be milder than the step before. [SBR 2.8.2]"""
    law = PRESETS[preset].regulation.penalties
    (beyond,) = (one for one in SYSTEMS[PRESETS[preset].system].offences if one.code == "beyond_ladder")
    assert rules.tap(beyond, law) is rules.Tap.CHOOSE


def test_what_is_given_often_stands_first():
    law = PRESETS["sbr"].regulation.penalties
    named = SYSTEMS[PRESETS["sbr"].system].offences
    assert [one.code for one in rules.by_frequency(named, law, {"hints": 2, "phone": 5})[:2]] == [
        "phone",
        "hints",
    ]


@pytest.mark.parametrize(
    ("preset", "code", "offered"),
    [
        ("sbr", "cheating", [2, 4, 8, 16, 24, 48]),
        ("mcr", "knocked_tile", [5, 10, 20, 30, 50, 60]),
        ("red", "hasty_draw", [1, 2, 3, 5, 10, 20, 30]),
        ("riichi_ema", "disturbance", [8000, 12000]),
        ("riichi_ema", "grave_disturbance", [12000, 20000, 30000, 48000]),
    ],
)
def test_prices_are_those_that_the_regulation_allows(preset, code, offered):
    """[MCR offences 7] [RED draws 6] [RIICHI 5.5]"""
    regulation = PRESETS[preset].regulation
    assert rules.prices(code, regulation.penalties, unit=regulation.points_unit, is_chief=False) == offered


# What the phone is told


@pytest.mark.django_db
def test_the_state_tells_tables_steps_and_prices():
    session = scene()
    east = judge.seat(session, "E")
    judge.give(east, "late_claim", session)
    told = state(phone(session), session)
    (one,) = told["sessions"]
    (table,) = one["tables"]
    assert (one["ladders"][0]["steps"], one["offences"][0]["code"]) == (
        [0, 2, 4, 8, 16, 24, 48],
        "late_claim",
    )
    assert [set(seat) for seat in table["seats"]] == [SEAT_FIELDS] * 4
    assert [seat["steps"] for seat in table["seats"]] == [{"0": [0]}, {}, {}, {}]
    assert [row["player"] for row in told["given"]] == [str(east)]


@pytest.mark.django_db
def test_the_state_costs_the_same_for_more_tables(django_assert_max_num_queries):
    few, many = scene(seats=4), scene(seats=12)
    counts = []
    for session in (few, many):
        client = phone(session)
        state(client, session)
        with django_assert_max_num_queries(60) as counted:
            state(client, session)
        counts.append(len(counted))
    assert counts[0] == counts[1]


@pytest.mark.django_db
def test_only_judges_read_and_press():
    session = scene()
    assert Client().get(reverse("penalties:phone_state", args=[session.tournament.slug])).status_code == 401
    assert state(phone(session, "scorer"), session)["code"] == "forbidden"


@pytest.mark.django_db
def test_what_waits_stands_nearest_first():
    """A call since five minutes, then the next price of a lateness. [SBR 2.8.4.5]"""
    session = scene(seats=8)
    began = timezone.now() - timedelta(minutes=2)
    Session.objects.filter(pk=session.pk).update(started_at=began)
    by = judge.judge(session.tournament)
    session.refresh_from_db()
    lateness.mark_late(session, [judge.seat(session, "S")], by=by)
    play.call_referee(session.tables.get(number=2), by=by)
    told = state(phone(session), session)["waiting"]
    assert [one["kind"] for one in told] == ["call", "late"]
    assert told[1]["bands"][0] == {"seconds": 0, "points": 8, "is_replaced": False}
    address = reverse("penalties:phone_call", args=[session.tournament.slug, 1, 2])
    client = phone(session)
    client.post(address, {"is_over": False}, content_type="application/json")
    assert state(client, session)["waiting"][0]["kind"] == "answered"
    client.post(address, {"is_over": True}, content_type="application/json")
    assert [one["kind"] for one in state(client, session)["waiting"]] == ["late"]


# Presses


@pytest.mark.django_db
def test_a_press_that_is_sent_twice_gives_one_penalty():
    """[INTEGRITY 2] [SBR 2.8.2]"""
    session = scene()
    east = judge.seat(session, "E")
    client = phone(session)
    press = pressed("give", offence(session, east, step=1))
    first, second = (send(client, session, press) for _ in range(2))
    assert first == second
    (answer,) = first
    assert set(answer["receipt"]) == {"entry", "digest", "version"}
    assert answer["state"] == {"penalty": 1, "step": 1, "points": 0, "state": "in_force"}
    assert session.tournament.penalties.count() == 1


@pytest.mark.django_db
def test_a_step_that_moved_is_refused_and_holds_only_its_player():
    """[RULES 1.8] [SBR 2.8.2]"""
    session = scene()
    east, south = judge.seat(session, "E"), judge.seat(session, "S")
    judge.give(east, "touching", session)
    answers = send(
        phone(session),
        session,
        pressed("give", offence(session, east, step=1), about=east.pk),
        pressed("give", offence(session, east, "phone", step=2), about=east.pk),
        pressed("give", offence(session, south, step=1), about=south.pk),
    )
    assert [one["status"] for one in answers] == [409, 424, 200]
    assert answers[0]["problem"]["code"] == "step_changed"
    assert session.tournament.penalties.count() == 2


@pytest.mark.django_db
def test_a_penalty_is_revoked_by_the_press_that_gave_it():
    session = scene()
    east = judge.seat(session, "E")
    client = phone(session)
    given = pressed("give", offence(session, east))
    send(client, session, given)
    (answer,) = send(
        client, session, pressed("revoke", {"given": given["key"], "reason": "Pressed by mistake"})
    )
    assert answer["state"] == {"penalty": 1, "state": "revoked"}
    assert not session.tournament.penalties.get().is_in_force
    (again,) = send(client, session, pressed("revoke", {"penalty": 7, "reason": "Pressed by mistake"}))
    assert again["problem"]["code"] == "not_found"


@pytest.mark.django_db
def test_an_arrival_counts_from_the_moment_of_the_press():
    """It was pressed after six minutes and sent after fourteen. [SBR 2.8.4.5] [RULES 8.54]"""
    session = scene()
    began = timezone.now() - timedelta(minutes=14)
    Session.objects.filter(pk=session.pk).update(started_at=began)
    south = judge.seat(session, "S")
    about = {"session": 1, "player": south.pk}
    at = (began + timedelta(minutes=6)).isoformat()
    client = phone(session)
    answers = send(client, session, pressed("late", about), pressed("arrived", {**about, "at": at}))
    assert [one["status"] for one in answers] == [200, 200]
    assert Lateness.objects.get().seconds == 360


SOUTH = 0
"""Stands for the player who sits there."""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("operation", "body", "code"),
    [
        ("give", {"session": 1, "player": SOUTH}, "required"),
        ("give", {"session": 1, "player": SOUTH, "offence": "phone", "points": "8.5"}, "fraction_form"),
        ("give", {"session": 9, "player": SOUTH, "offence": "phone"}, "not_found"),
        ("arrived", {"session": 1, "player": SOUTH, "at": "in a moment"}, "time_format"),
        ("late", {"session": 1, "player": 999_999}, "player_not_found"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(operation, body, code):
    session = scene()
    about = {**body, "player": body["player"] or judge.seat(session, "S").pk}
    (answer,) = send(phone(session), session, pressed(operation, about))
    problem = answer["problem"]
    assert code in {problem["code"], *(one["code"] for one in problem.get("errors", ()))}


@pytest.mark.django_db
def test_the_shell_holds_nobodys_data_and_may_use_the_camera():
    session = scene()
    page = Client().get(reverse("penalties:phone", args=[session.tournament.slug]))
    assert page["X-Tablet-Shell"]
    assert "camera=(self)" in page["Permissions-Policy"]
    assert str(judge.seat(session, "E")) not in page.content.decode()
    assert "camera=()" in Client().get("/")["Permissions-Policy"]


# What a press would change, before it is sent


@pytest.mark.django_db
def test_the_standings_of_the_four_are_told_for_each_price():
    """Place and points of the four now and after; a price that changes nothing says so. [RULES 8.51]"""
    session = scene(seats=8)
    east = judge.seat(session, "E")
    client = phone(session)
    address = reverse("penalties:phone_outlook", args=[session.tournament.slug, session.number])
    told = client.get(address, {"player": east.pk, "takes": "2,8,x"}).json()["prices"]
    assert set(told) == {"2", "8"}
    table = {seat.player_id for seat in session.tables.get(number=1).seats.all()}
    assert {move["player"] for move in told["8"]["moves"]} == table
    (own,) = [move for move in told["8"]["moves"] if move["player"] == east.pk]
    judge.give(east, "late_claim", session, points=8, kind="decision")
    again = client.get(address, {"player": east.pk, "takes": "2"}).json()["prices"]["2"]["moves"]
    assert [(one["now"], one["total"][1]) for one in again if one["player"] == east.pk] == [
        (own["then"], own["total"][2])
    ]
    for nobody in ({}, {"player": "0", "takes": "2"}, {"player": "9" * 40, "takes": "2"}):
        assert client.get(address, nobody).json() == {"prices": {}}
