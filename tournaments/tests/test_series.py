"""Another event like the last one: its staff comes along, its days are asked anew; and a draw remembers how it was made."""

import pytest
from django.test import Client

from seating.drafts import operations as draws
from seating.drafts.plans import Options
from tournaments.models import Tournament
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
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
    assert (form["first_day"].value(), form["name"].value()) == (None, of.name)
    said = {"name": "Next cup", "first_day": "2027-05-08", "time_zone": of.time_zone, "with_staff": "on"}
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
