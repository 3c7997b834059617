"""The register of sanctions: person by person, who sees what, and whether a decision still keeps somebody out."""

from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from penalties.ladder.operations import penalties
from penalties.sanctions.queries import register
from penalties.sanctions.rules import by_person
from penalties.sanctions.views import sanctions
from penalties.tests import factories as judge
from tournaments.exchange.tables import ema
from tournaments.models import Player, Protocol, Tournament
from tournaments.people.rules.barred import Person
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make

DESCRIPTION = "Swapped two tiles with the dead wall."


def disqualified(name="Ada", city="Riga", *, until=None, **found) -> Tournament:
    """An event at which somebody was disqualified."""
    of = make.tournament("sbr")
    row, *_rest = make.players(of, 4)
    Player.objects.filter(pk=row.player_id).update(name=name, city=city, **found)
    session = make.in_play(of)
    player = Player.objects.get(pk=row.player_id)
    player.tournament = session.tournament = of
    given = judge.give(
        player, "cheating", session, effect="disqualification", until=until, reason=DESCRIPTION
    )
    penalties.approve(given, by=judge.judge(of))
    return of


def known(name, city="", **ids):
    return Person.known_as(name, city, ids)


def test_a_number_of_a_federation_joins_what_two_names_parted():
    """[RULES 8.56]"""
    rows = [
        known("Ada", "Riga"),
        known("Bo", "Riga"),
        known("A. Lovelace", "", EMA="1"),
        known("Ada", "Riga", EMA="1"),
    ]
    assert by_person(rows, lambda one: one) == [[rows[1]], [rows[0], rows[2], rows[3]]]


@pytest.mark.django_db
def test_who_is_kept_out_now_stands_first():
    """One day has passed, one lasts until it is lifted. [SBR 2.8.5] [RULES 8.56]"""
    yesterday = timezone.localdate() - timedelta(days=1)
    disqualified("Ada", until=yesterday)
    of = disqualified("Zoe")
    people = register(of, 0)
    assert [(str(one.player), one.stands) for one in people] == [("Zoe", True), ("Ada", False)]


@pytest.mark.django_db
def test_what_was_lifted_or_never_approved_keeps_nobody_out():
    of = disqualified("Ada")
    penalties.revoke(of.penalties.get(), by=judge.judge(of), reason="The video shows another player.")
    session = of.sessions.get(number=1)
    session.tournament = of
    judge.give(judge.seat(session, "S"), "hints", session, effect="disqualification")
    assert [(str(one.player), one.stands) for one in register(of, 0)] == [("Ada", False)]


@pytest.mark.django_db
def test_the_description_is_read_where_it_was_decided():
    """[RULES 9.19]"""
    there, here = disqualified("Ada"), make.tournament("sbr")
    pages = []
    for of in (there, here):
        client = Client()
        client.force_login(make.staff(of, "chief_referee"))
        pages.append(unescape(client.get(reverse("penalties:sanctions", args=[of.slug])).content.decode()))
    assert [(DESCRIPTION in page, "Lift it" in page) for page in pages] == [(True, True), (False, False)]
    assert all("Ada" in page for page in pages)
    assert "Lifted by the chief referee or the committee of that event" in pages[1]


@pytest.mark.django_db
def test_the_federations_list_has_those_that_stand():
    of = disqualified("Ada", federation_ids={"EMA": "04010001"})
    client = Client()
    client.force_login(make.staff(of, "organizer"))
    address = reverse("penalties:sanctions_file", args=[of.slug, "csv"])
    assert "04010001" in client.get(address).content.decode()
    penalties.revoke(of.penalties.get(), by=judge.judge(of), reason="The video shows another player.")
    assert "04010001" not in client.get(address).content.decode()


@pytest.mark.django_db
def test_the_federations_lists_hold_what_was_decided():
    """The score is that after penalties, in game points and TP; who was sent away is in the list of sanctions alone. [RULES 8.50] [RULES 8.7]"""
    of = make.tournament("sbr")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    east, south = judge.seat(session, "E"), judge.seat(session, "S")
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    make.record(protocol)
    before = federation_list(of)
    decided = {"kind": "decision", "clause": "SBR 2.8", "reason": DESCRIPTION}
    judge.give(east, "other", session, points=8, **decided)
    judge.give(east, "other", effect="tournament_points", points=1, **decided)
    after = federation_list(of)
    # First with four points for the place; eight points fewer are the last place with its one, and that one is taken.
    assert (before[str(east)][0], after[str(east)]) == (4, (0, before[str(east)][1] - 8))
    judge.give(south, "cheating", session, effect="removal", reason=DESCRIPTION)
    assert set(federation_list(of)) == set(before) - {str(south)}
    (row,) = sanctions(of).rows
    assert (row[0], row[-1]) == (str(south), DESCRIPTION)


def federation_list(of):
    """Points for places and scores by name, as the federation is sent them."""
    recompute.recompute(of.pk, waits=True)
    rows = ema(Tournament.objects.get(pk=of.pk)).rows
    return {" ".join(filter(None, row[1:3])): (row[6], row[7]) for row in rows}
