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
