"""What becomes of a remainder is said in full: who has no table, what a short table brings, where a substitute comes from."""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def desk_page(of):
    client = Client()
    client.force_login(of.created_by)
    answer = client.get(f"/{of.slug}/desk/substitutes/session-1/")
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def seated(players):
    of = make.tournament()
    make.players(of, players)
    make.seated(of)
    return of


def test_who_has_no_game_has_no_table_and_the_award_is_said():
    """[SBR 3.1.4] [RULES 8.32]"""
    of = seated(9)
    page = desk_page(of)
    off = of.sessions.get(number=1).seats.get(table__protocol=None).player
    assert f"No table (bye): {off}" in page
    assert "The awarded result: 3 TP." in page
    assert f"No table (bye) · {off}" in page
    rows = Client().get(f"/{of.slug}/downloads/seating.csv").content.decode("utf-8-sig")
    assert "No table (bye)" in rows
    assert ",3,East" not in rows


def test_three_at_a_table_are_told_what_places_bring_and_where_a_substitute_comes_from():
    """[SBR 3.1.3] [SBR 2.7.5]"""
    page = desk_page(seated(7))
    assert "3 play on. TP by place: 4, 3, 2." in page
    assert "Put somebody into the pool" in page
