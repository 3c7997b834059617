"""A player confirms the own table's result on the private page, as it was shown there and nowhere else."""

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from tournaments.models import Protocol, Seat
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
@remembered
def protocol():
    """A table that has ended after one hand."""
    made = make.protocol()
    make.record(made)
    by = make.organizer_of(made.table.session.tournament)
    protocols.end_protocol(made, intent=make.intent(made), by=by)
    return made


def registration_at(protocol, wind):
    of = protocol.table.session.tournament
    row = of.registrations.select_related("player").get(player=protocol.table.seats.get(wind=wind).player)
    row.tournament = of
    return row


def address(name, row):
    return reverse(f"tournaments:{name}", args=[row.tournament.slug, link_of(row)])


def shown_points(protocol):
    return {f"points-{seat.wind}": str(seat.hand_points) for seat in protocol.table.seats.all()}


def confirmed(protocol):
    return sorted(protocol.table.seats.exclude(confirmed_at=None).values_list("wind", flat=True))


def test_player_confirms_the_result_as_shown(client, protocol):
    """[SBR 2.5.8.4]"""
    row = registration_at(protocol, "E")
    assert "Is the result of my table right?" in strip_tags(
        client.get(address("own_page", row)).content.decode()
    )
    client.post(address("confirm_own", row), {**shown_points(protocol), "key": KEY})
    assert confirmed(protocol) == ["E"]
    assert "You have confirmed the result" in strip_tags(
        client.get(address("own_page", row)).content.decode()
    )


def test_with_the_last_one_the_result_stands(client, protocol):
    for number, wind in enumerate("ESWN"):
        row = registration_at(protocol, wind)
        client.post(address("confirm_own", row), {**shown_points(protocol), "key": f"{number}{KEY}"})
    protocol.refresh_from_db()
    assert protocol.state == Protocol.State.CONFIRMED


def test_tapping_twice_confirms_once(client, protocol):
    row = registration_at(protocol, "S")
    for _ in range(2):
        client.post(address("confirm_own", row), {**shown_points(protocol), "key": KEY})
    assert protocol.history.filter(kind="seat_confirmed").count() == 1


def test_result_that_changed_meanwhile_is_not_confirmed(client, protocol):
    row = registration_at(protocol, "E")
    typed = {**shown_points(protocol), "points-E": "999", "key": KEY}
    said = client.post(address("confirm_own", row), typed, follow=True)
    assert "The result changed after you saw it" in strip_tags(said.content.decode())
    assert confirmed(protocol) == []


@pytest.mark.parametrize("typed", [{}, {"points-E": "x"}, {"points-E": "1_0"}])
def test_broken_numbers_confirm_nothing(client, protocol, typed):
    row = registration_at(protocol, "E")
    assert client.post(address("confirm_own", row), {**typed, "key": KEY}).status_code == 302
    assert confirmed(protocol) == []


def test_whoever_has_a_substitute_at_the_table_confirms_nothing(client, protocol):
    row = registration_at(protocol, "E")
    Seat.objects.filter(table=protocol.table, wind="E").update(player=None, kept_for=row.player)
    client.post(address("confirm_own", row), {**shown_points(protocol), "key": KEY})
    assert confirmed(protocol) == []


def test_public_page_offers_no_confirmation(client, protocol):
    row = registration_at(protocol, "E")
    public = reverse("tournaments:player", args=[row.tournament.slug, row.number])
    assert "Is the result of my table right?" not in strip_tags(client.get(public).content.decode())
