"""Diplomas and protocols name who signs them, in the alphabet of the paper, and never by a name to sign in with."""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def played():
    of = make.tournament(sessions=1, by=make.user("login77"))
    make.players(of, 4)
    session = make.in_play(of)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk, waits=True)
    return of


def desk_of(of):
    client = Client()
    client.force_login(of.created_by)
    return client


def papers(of, language):
    client = Client(headers={"accept-language": language})
    pages = ("final-protocol/", "prizes/diplomas/")
    return " ".join(strip_tags(client.get(f"/{of.slug}/{page}").content.decode()) for page in pages)


def test_no_paper_has_a_name_to_sign_in_with(played):
    assert "login77" not in papers(played, "en") + papers(played, "ru")


def test_papers_have_the_name_in_their_own_alphabet(played):
    role = played.roles.get(user=played.created_by)
    desk = desk_of(played)
    names = {"name": "Анна  Сойка", "name_latin": "Anna Jay"}
    answer = desk.post(f"/{played.slug}/desk/staff/{role.pk}/name/", names, follow=True)
    assert "Анна Сойка" in answer.content.decode()
    assert "Анна Сойка" in papers(played, "ru")
    assert "Anna Jay" not in papers(played, "ru")
    assert "Anna Jay" in papers(played, "en")
    assert verify(played) == []


def test_one_name_serves_both_alphabets_if_there_is_no_other(played):
    events.name_member(
        played, played.created_by, name="", name_latin="Anna Jay", by=make.organizer_of(played)
    )
    assert "Anna Jay" in papers(played, "ru")


def test_who_is_let_in_is_named_at_once_and_keeps_the_name_in_every_role(played):
    make.user("wren12")
    said = {
        "username": "wren12",
        "kind": "chief_referee",
        "name": "Пётр Крапивник",
        "name_latin": "Peter Wren",
    }
    desk_of(played).post(f"/{played.slug}/desk/staff/", said)
    events.grant_role(
        played, played.roles.get(kind="chief_referee").user, "scorer", by=make.organizer_of(played)
    )
    named = set(played.roles.filter(user__username="wren12").values_list("name", "name_latin"))
    assert named == {("Пётр Крапивник", "Peter Wren")}
    assert "Пётр Крапивник" in papers(played, "ru")


GROWS = "\ufb2c" * 100
"""A hundred letters that are three hundred once they are composed."""


@pytest.mark.parametrize("field", ["name", "name_latin"])
def test_a_name_that_grows_too_long_is_refused_beside_its_field(field):
    of = make.tournament()
    role = of.roles.get(user=of.created_by)
    desk = desk_of(of)
    make.user("wren12")
    names = {"name": "", "name_latin": "", field: GROWS}
    ways = {
        "staff/": ({"username": "wren12", "kind": "scorer", **names}, "form"),
        "staff/invite/": (
            {f"invite-{one}": said for one, said in {"kind": "scorer", **names}.items()},
            "invite_form",
        ),
        f"staff/{role.pk}/name/": (names, "name_form"),
    }
    for way, (said, form) in ways.items():
        answer = desk.post(f"/{of.slug}/desk/{way}", said, headers={"accept-language": "en"})
        assert answer.status_code == 422, way
        assert [*answer.context[form].errors] == [field], way
        assert "at most 200 characters; here there are 300." in answer.content.decode(), way
    assert not of.invitations.exists()
    assert not of.roles.filter(user__username="wren12").exists()
    role.refresh_from_db()
    assert (role.name, role.name_latin) == ("", "")
