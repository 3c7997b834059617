"""A list with mistakes costs only the rows that have them: those are mended on the page, the good ones taken. [INTEGRITY 34]"""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import strip_tags

from tournaments.people.operations import registration
from tournaments.people.operations.registration import Details
from tournaments.people.rules.pasted import read_pasted
from tournaments.people.views import importing
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
LIST = "Name;Country;Number\nHeron;RU;1\nWren;Atlantis;2\nJay;Germany;3\nOriole;FR;x\n"


@pytest.fixture
@remembered
def of():
    return make.tournament()


@pytest.fixture
def preview(of):
    """The desk, and what the preview of the list is sent with."""
    desk = Client()
    desk.force_login(of.created_by)
    answer = desk.post(address(of), {"file": SimpleUploadedFile("players.csv", LIST.encode())})
    assert answer.status_code == 422
    return desk, answer


def address(of):
    return f"/{of.slug}/desk/people/import/"


def form_of(answer, **more):
    """What the form of the preview sends as it is shown."""
    page = answer.content.decode()
    fields = dict(re.findall(r'name="(preview)" value="([^"]+)"', page))
    for name, options in re.findall(r'<select id="[^"]+" name="([^"]+)">(.*?)</select>', page, re.DOTALL):
        fields[name] = re.search(r'value="([^"]*)" selected', options)[1]
    return fields | more


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def listed(of):
    return list(of.registrations.order_by("number").values_list("number", "player__name", "player__country"))


def test_the_good_rows_are_taken_and_the_others_stay_to_be_mended(of, preview):
    desk, answer = preview
    assert "Put the 2 good rows on the list, keep the others to mend" in words(answer)
    answer = desk.post(address(of), form_of(answer, good="1"))
    assert listed(of) == [(1, "Heron", "RU"), (3, "Jay", "DE")]
    assert "2 players have been put on the list." in words(answer)
    assert "“Atlantis” is no country known by a name or a code." in words(answer)
    mended = form_of(answer, confirm="1") | {"cell-3-1": "Norway", "cell-5-2": "7"}
    answer = desk.post(address(of), mended)
    assert answer.status_code == 302
    assert listed(of)[1:] == [(2, "Wren", "NO"), (3, "Jay", "DE"), (7, "Oriole", "FR")]


def test_the_page_that_waits_is_told_how_far_the_list_is(of, preview, monkeypatch):
    """It asks while the list is put on, from another thread; here each time a per cent is reported."""
    desk, answer = preview
    seen, stranger = [], Client()
    report = importing.cache.set

    def ask(key, percent, lifetime):
        report(key, percent, lifetime)
        seen.append(desk.get(f"{address(of)}progress/").json()["percent"])

    assert desk.get(f"{address(of)}progress/").json() == {"percent": 0}
    assert f'data-progress="{address(of)}progress/"' in answer.content.decode()
    monkeypatch.setattr(importing.cache, "set", ask)
    desk.post(address(of), form_of(answer, good="1"))
    assert seen == [0, 20, 57, 95]
    assert stranger.get(f"{address(of)}progress/").status_code == 302


def test_a_cell_is_mended_on_the_page_and_read_again(of, preview):
    desk, answer = preview
    assert 'name="cell-3-1" value="Atlantis"' in answer.content.decode()
    again = desk.post(address(of), form_of(answer, read="1") | {"cell-3-1": "NO", "cell-5-2": "4"})
    assert (again.status_code, of.registrations.count()) == (200, 0)
    desk.post(address(of), form_of(again, confirm="1"))
    assert [name for _number, name, _country in listed(of)] == ["Heron", "Wren", "Jay", "Oriole"]


def test_what_was_mended_stays_mended_where_the_good_rows_are_refused(of, preview):
    desk, answer = preview
    mended = {"cell-3-1": "NO", "cell-5-2": "4", "column-0": "-"}
    answer = desk.post(address(of), form_of(answer, good="1") | mended)
    assert (answer.status_code, listed(of)) == (422, [])
    desk.post(address(of), form_of(answer, confirm="1") | {"column-0": "name"})
    assert [name for _number, name, _country in listed(of)] == ["Heron", "Wren", "Jay", "Oriole"]


def test_good_rows_pressed_twice_are_taken_once_and_keep_the_same_others(of, preview):
    desk, answer = preview
    data = form_of(answer, good="1")
    first, second = desk.post(address(of), data), desk.post(address(of), data)
    assert of.registrations.count() == 2
    assert ("Atlantis" in words(first), "Atlantis" in words(second)) == (True, True)


def test_a_line_of_a_pasted_list_is_not_taken_for_a_number_of_the_event():
    rows = read_pasted("Heron\nWren\nHeron\n", countries={}, listed=[])
    (question,) = rows[2].questions
    assert str(question) == (
        "The same name as in line 1. Leave one of them out, or confirm that they are two people."
    )


def uploaded(of, text):
    desk = Client()
    desk.force_login(of.created_by)
    return desk, desk.post(address(of), {"file": SimpleUploadedFile("players.csv", text.encode())})


def test_who_is_in_a_full_team_already_makes_it_no_fuller(remembered_team):
    """Heron is one of the four; only somebody new would be a fifth. [INTEGRITY 24]"""
    of = remembered_team
    _desk, answer = uploaded(of, "Name;Team\nHeron;Rooks\nMagpie;Rooks\n")
    assert words(answer).count("Team Rooks already has 4 players.") == 1
    assert "1 mistake;" in words(answer)
    assert "Row 2: Heron is already registered (no. 1)" in words(answer)


@pytest.fixture
def remembered_team():
    """Four players in a team of four."""
    of = make.tournament(team_size=4)
    rows = [Details(name=name, team="Rooks") for name in ("Heron", "Wren", "Jay", "Oriole")]
    registration.import_players(of, rows, by=make.organizer_of(of), key="team" + "k" * 16)
    return of


def test_who_of_the_good_rows_will_wait_is_said_before_and_after():
    """[INTEGRITY 34] [RULES 1.2]"""
    of = make.tournament(max_players=4)
    make.players(of, 3)
    desk, answer = uploaded(of, "Name;Country\nHeron;RU\nWren;Atlantis\nJay;DE\n")
    assert "1 person of these goes on the waiting list: Jay: All 4 places of the event are taken." in words(
        answer
    )
    answer = desk.post(address(of), form_of(answer, good="1"))
    assert "2 players have been put on the list. Of them on the waiting list: 1." in words(answer)


def test_a_pasted_list_says_how_many_wait():
    of = make.tournament(max_players=4)
    make.players(of, 3)
    desk = Client()
    desk.force_login(of.created_by)
    sent = {"text": "Heron\nWren\nJay", "confirm": "1", "key": "paste" + "k" * 16}
    answer = desk.post(f"/{of.slug}/desk/people/paste/", sent, follow=True)
    assert "3 players have been put on the list. Of them on the waiting list: 2." in words(answer)
