"""Another event like the last one: its staff comes along, its days are asked anew; and a draw remembers how it was made."""

from datetime import datetime

import pytest
from django.test import Client

from scoring.presets import PRESETS
from seating.drafts import operations as draws
from seating.drafts.plans import Options
from tournaments.models import Tournament
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.sessions.operations.timetable import plan_sessions
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def desk_of(of):
    client = Client()
    client.force_login(of.created_by)
    return client


def test_a_clone_takes_the_staff_along_under_their_names_and_asks_for_the_days():
    of = make.tournament()
    events.let_in(
        of,
        make.user("judge31"),
        "chief_referee",
        by=make.organizer_of(of),
        name="Пётр Чиж",
        name_latin="P. Siskin",
    )
    desk = desk_of(of)
    form = desk.get(f"/{of.slug}/desk/clone/").context["form"]
    assert (form["first_day"].value(), form["name"].value()) == (None, "")
    events.let_in(of, make.user("scorer31"), "scorer", by=make.organizer_of(of))
    offered = desk.get(f"/{of.slug}/desk/clone/").context["form"]["staff"]
    assert [label for _role, label in offered.field.choices] == [
        "Пётр Чиж: Chief referee",
        "scorer31: Scorer",
    ]
    assert len(offered.value()) == 2
    chosen = of.roles.get(kind="chief_referee").pk
    said = {"name": "Next cup", "first_day": "2027-05-08", "time_zone": of.time_zone, "staff": [chosen]}
    assert desk.post(f"/{of.slug}/desk/clone/", said).status_code == 302
    made = Tournament.objects.get(slug="next-cup")
    assert sorted(made.roles.values_list("kind", "user__username", "name_latin")) == sorted(
        [("chief_referee", "judge31", "P. Siskin"), ("organizer", of.created_by.username, "")]
    )
    assert verify(made) == []


def test_a_clone_without_its_staff_has_its_organizer_alone():
    of = make.tournament()
    events.let_in(of, make.user("judge32"), "referee", by=make.organizer_of(of))
    said = {"name": "Next cup", "first_day": "2027-05-08", "time_zone": of.time_zone}
    desk_of(of).post(f"/{of.slug}/desk/clone/", said)
    assert list(Tournament.objects.get(slug="next-cup").roles.values_list("kind", flat=True)) == ["organizer"]


def test_a_clone_moves_its_sessions_by_as_many_days():
    """What no clock shows on the new day is left to the organizer."""
    of = make.tournament(sessions=3)
    texts = {1: "2026-05-09T10:00", 2: "2026-05-09T14:00", 3: "2026-05-10T02:30"}
    starts = {number: datetime.fromisoformat(text) for number, text in texts.items()}
    plan_sessions(of, starts, by=make.organizer_of(of))
    said = {
        "name": "Next cup",
        "first_day": "2026-03-28",
        "last_day": "2026-03-29",
        "time_zone": "Europe/Berlin",
    }
    desk_of(of).post(f"/{of.slug}/desk/clone/", said)
    made = Tournament.objects.get(slug="next-cup")
    local = [
        row.planned_at and row.planned_at.astimezone(made.zone) for row in made.sessions.order_by("number")
    ]
    assert [at and f"{at:%d.%m %H:%M}" for at in local] == ["28.03 10:00", "28.03 14:00", None]


def test_another_system_says_first_what_differs_and_takes_along_what_no_rulebook_says():
    """[RULES 1.1]"""
    of = make.tournament(sessions=7, max_players=48, entry_fee="30", team_size=4, keep_apart=["club"])
    desk = desk_of(of)
    said = {"name": "Next cup", "first_day": "2027-05-08", "time_zone": of.time_zone, "preset": "mcr"}
    asked = desk.post(f"/{of.slug}/desk/clone/", said)
    assert asked.status_code == 422
    assert not Tournament.objects.filter(slug="next-cup").exists()
    fields = {one.field: one for one in asked.context["form"].differences}
    assert "session_minutes" in fields
    assert fields.keys().isdisjoint({"sessions", "max_players", "entry_fee", "team_size", "keep_apart"})
    assert all(one.here != one.there for one in fields.values())
    again = said | {"knows": asked.context["form"]["knows"].value()}
    assert desk.post(f"/{of.slug}/desk/clone/", again).status_code == 302
    made = Tournament.objects.get(slug="next-cup")
    kept = ("sessions", "max_players", "entry_fee", "team_size", "keep_apart")
    assert (made.system, [made.regulation[name] for name in kept]) == ("MCR", [7, 48, "30", 4, ["club"]])
    assert made.sessions.count() == 7
    assert verify(made) == []


@pytest.mark.parametrize("preset", PRESETS)
def test_every_pair_of_systems_can_say_what_differs(preset):
    of = make.tournament()
    said = {"name": "Next cup", "first_day": "2027-05-08", "time_zone": of.time_zone, "preset": preset}
    other = make.tournament(preset)
    for event, wanted in ((of, preset), (other, "sbr")):
        form = desk_of(event).post(f"/{event.slug}/desk/clone/", said | {"preset": wanted})
        assert form.status_code == (302 if event.preset == wanted else 422)


def test_no_role_is_chosen_for_somebody_new():
    of = make.tournament()
    make.user("wren13")
    answer = desk_of(of).post(f"/{of.slug}/desk/staff/", {"username": "wren13"})
    assert answer.context["form"].errors == {"kind": ["Choose a role."]}
    assert of.roles.count() == 1


def test_swiss_chosen_once_is_offered_for_the_next_session():
    of = make.tournament(sessions=3)
    make.players(of, 8)
    session = make.in_play(of)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    following = of.sessions.get(number=2)
    following.tournament = of
    options = Options(swiss_mode="strict")
    draw = draws.propose(of, [following], mode="swiss", options=options, by=make.organizer_of(of))
    draws.publish(draws.run_draw(draw.pk), by=make.organizer_of(of))
    form = desk_of(of).get(f"/{of.slug}/desk/draw/").context["form"]
    assert [form[name].value() for name in ("mode", "swiss_mode")] == ["swiss", "strict"]


def test_a_new_event_can_begin_like_one_of_the_organizers_own():
    of = make.tournament()
    others = make.tournament()
    page = desk_of(of).get("/new/").content.decode()
    assert f"/{of.slug}/desk/clone/" in page
    assert others.slug not in page
