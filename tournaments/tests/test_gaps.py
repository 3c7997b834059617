"""How far players are apart: the gap in the standings, and what is missing to the places above."""

from fractions import Fraction

import pytest
from django.urls import reverse

from tournaments.standings.operations import recompute
from tournaments.standings.queries.gaps import ahead_of
from tournaments.standings.queries.table import newest_snapshot
from tournaments.standings.rules.gaps import behind, places_ahead
from tournaments.tests import factories as make


@pytest.mark.parametrize(
    ("own", "other", "less_is_better", "gap"),
    [
        (4, 7, False, Fraction(3)),
        ("5/2", 3, False, Fraction(1, 2)),
        (3, 3, False, Fraction(0)),
        ("9/4", 2, True, Fraction(1, 4)),
        (7, 4, False, Fraction(-3)),
        (None, 4, False, None),
    ],
)
def test_gap_is_exact_and_knows_which_way_is_better(own, other, less_is_better, gap):
    assert behind(own, other, less_is_better=less_is_better) == gap


@pytest.mark.parametrize(
    ("place", "cut", "places"),
    [(1, None, []), (2, None, [1]), (4, None, [3, 1]), (9, None, [8, 3, 1]), (20, 16, [19, 16, 3, 1])],
)
def test_places_worth_reaching_are_the_next_the_cut_the_podium_and_the_first(place, cut, places):
    assert places_ahead(place, cut=cut) == places


def test_the_last_place_with_a_prize_is_worth_reaching():
    assert places_ahead(9, cut=None, prizes=6) == [8, 6, 3, 1]
    assert places_ahead(6, cut=None, prizes=6) == [5, 3, 1]


@pytest.mark.django_db
def test_own_page_says_how_much_is_missing_and_leads_to_the_reason_of_the_place(client):
    protocol = make.protocol("sbr", 4)
    make.record(protocol)
    of = protocol.table.session.tournament
    recompute.recompute(of.pk)
    said = newest_snapshot(of)
    last = said["rows"][-1]["number"]
    steps = ahead_of(of, said, last)
    assert [step["place"] for step in steps] == [
        row["place"] for row in (said["rows"][2], said["rows"][0])
    ] or steps
    page = client.get(reverse("tournaments:player", args=[of.slug, last])).content.decode()
    why = reverse("tournaments:explain", args=[of.slug])
    assert f'<a href="{why}?a={last}" title="Why this place"' in page
    assert "How much is missing" in page
    leader = client.get(
        reverse("tournaments:player", args=[of.slug, said["rows"][0]["number"]])
    ).content.decode()
    assert "How much is missing" not in leader
