"""What an event prints: badges, cards for the tables, timetable, final tables; who gets one, how large its letters are."""

import pytest
from django.test import Client
from django.urls import reverse

from tournaments.exchange import rules
from tournaments.models import Player, Role
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.test_standings_pages import session, teams

LONGEST = ("Прокофьев-Воскресенский " * 5)[:99] + "я"


@pytest.fixture
def desk():
    """A browser in which the organizer of an event is signed in."""

    def signed_in(of, name, language="en", **query):
        client = Client(headers={"Accept-Language": language})
        client.force_login(of.created_by)
        return client.get(reverse(f"tournaments:{name}", args=[of.slug]), query)

    return signed_in


def names_of(answer):
    return [one["name"] for sheet in answer.context["sheets"] for one in sheet]


# The rules


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("3", {3}), ("3, 8–10", {3, 8, 9, 10}), ("1-2;5", {1, 2, 5}), ("10-8", None), ("1-2-3", None), ("a", None),
     ("0", None), ("3,", None), ("99999", None)],
    ids=["one", "both", "other-signs", "backwards", "three-ends", "no-number", "nought", "nothing", "too-large"],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text, numbers):
    assert rules.read_numbers(text) == (frozenset(numbers) if numbers else None)


def test_letters_are_as_large_as_the_box_allows_and_no_word_is_broken():
    assert rules.letters("Li", width=80, height=22) == 18
    assert rules.letters("Wren", width=80, height=22) > rules.letters("Wren Kingfisher", width=80, height=22)
    word = "Воскресенский-Преображенский"
    size = rules.letters(word, width=80, height=22)
    assert len(word) * size * rules.WIDTH_OF_A_LETTER <= 80


@pytest.mark.parametrize("sheet", rules.SHEETS.values(), ids=rules.SHEETS)
def test_the_longest_name_fits_every_badge(sheet):
    size = rules.letters(LONGEST, width=sheet.width, height=sheet.height)
    assert size > rules.LETTERS[-1]


# Badges


@pytest.mark.django_db
def test_a_badge_has_name_number_club_flag_and_the_code_of_the_public_page(desk):
    of = make.tournament()
    row = make.players(of, 1)[0]
    Player.objects.filter(pk=row.player_id).update(name="Wren", country="FR", club="Birds")
    answer = desk(of, "badges")
    ((badge,),) = answer.context["sheets"]
    assert (badge["name"], badge["number"], badge["country"], badge["of"]) == ("Wren", 1, "FR", "Birds")
    assert badge["address"] == f"http://testserver/{of.slug}/player-1/"
    assert "France" in answer.content.decode()
    assert "Франция" in desk(of, "badges", "ru").content.decode()


@pytest.mark.django_db
def test_badges_are_for_those_who_take_part_or_for_some_numbers(desk):
    of = make.tournament()
    rows = make.players(of, 12)
    of.registrations.filter(number=2).update(status="cancelled")
    assert names_of(desk(of, "badges")) == [row.player.name for row in rows if row.number != 2]
    assert names_of(desk(of, "badges", numbers="1-3, 12")) == [rows[at].player.name for at in (0, 2, 11)]
    assert names_of(desk(of, "badges", numbers="2")) == []
    assert "Write numbers like this" in desk(of, "badges", numbers="all").content.decode()


@pytest.mark.django_db
def test_staff_have_one_badge_with_all_roles_and_never_the_name_of_an_account(desk):
    of = make.tournament()
    for kind in ("chief_referee", "committee"):
        Role.objects.create(
            tournament=of, user=make.user(), kind=kind, name="Анна Дрозд", name_latin="Anna Drozd"
        )
    nameless = make.staff(of, "scorer")
    ((badge,),) = desk(of, "badges", who="staff").context["sheets"]
    assert (badge["name"], badge["role"]) == ("Anna Drozd", "Chief referee, Arbitration committee")
    assert nameless.username not in desk(of, "badges", who="staff").content.decode()


@pytest.mark.django_db
def test_what_does_not_fit_into_one_print_is_told(desk, monkeypatch):
    monkeypatch.setattr("tournaments.exchange.views.prints.MOST_AT_ONCE", 3)
    of = make.tournament()
    make.players(of, 5)
    assert len(names_of(desk(of, "badges"))) == 3
    assert "2 more badges do not fit" in desk(of, "badges").content.decode()


# Cards for the tables


@pytest.mark.django_db
def test_there_are_as_many_cards_as_tables_before_a_draw_and_after_it(desk):
    of = make.tournament()
    make.players(of, 9)
    numbers = [card["number"] for card in desk(of, "table_cards").context["cards"]]
    assert numbers == [1, 2, 3]
    of.registrations.filter(number=9).update(status="cancelled")
    make.seated(of)
    assert [card["number"] for card in desk(of, "table_cards").context["cards"]] == [1, 2]


@pytest.mark.django_db
def test_the_code_of_a_table_leads_to_its_protocol_of_now(client):
    of = make.tournament()
    make.players(of, 8)
    address = reverse("tournaments:table_now", args=[of.slug, 2])
    assert client.get(address).url == f"/{of.slug}/seating/"
    make.in_play(of)
    assert client.get(address).url == f"/{of.slug}/session-1/table-2/"
    client.force_login(of.created_by)
    assert client.get(address).url == f"/{of.slug}/desk/tables/1/2/"
    assert client.get(reverse("tournaments:table_now", args=[of.slug, 9])).url == f"/{of.slug}/seating/"


# Tables


@pytest.mark.django_db
def test_final_tables_have_everybody_with_every_session_and_every_team(desk):
    best = {"by": "team", "mode": "sum", "best": None, "ranking": ["game_points"]}
    of = make.tournament(sessions=1, group_tables=[best])
    teams(of, size=4, count=2)
    session(of)
    recompute.recompute(of.pk)
    answer = desk(of, "final_tables")
    assert [row["number"] for row in answer.context["rows"]] == list(
        of.standings.order_by("position").values_list("player__registration__number", flat=True)
    )
    assert [[line["session"] for line in row["sessions"]] for row in answer.context["rows"]] == [[1]] * 8
    ((table),) = answer.context["groups"]
    assert {member["name"] for row in table["rows"] for member in row["members"]} == set(
        of.players.values_list("name", flat=True)
    )


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["prints", "badges", "table_cards", "timetable_sheet", "final_tables"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_an_event_without_anything_says_what_is_missing(desk, name, language):
    answer = desk(make.tournament(), name, language)
    assert answer.status_code == 200
    assert "data-prints" not in answer.content.decode()
