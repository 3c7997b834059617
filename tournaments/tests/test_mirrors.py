"""Players say on their phones whether the last hand is right: it is kept, it holds nobody up, and a dispute is seen. [RULES 9.24]"""

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from config.server.logs import without_secrets
from tournaments.models import HandCheck, Tournament
from tournaments.privacy import operations as privacy
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tables.queries.mirrors import checks_of
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of, table_code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def protocol():
    """A table in play after one hand."""
    made = make.protocol()
    make.record(made)
    made.refresh_from_db()
    return made


def own(protocol, name, wind):
    row = protocol.table.session.tournament.registrations.get(
        player=protocol.table.seats.get(wind=wind).player
    )
    return reverse(f"tournaments:{name}", args=[row.tournament.slug, link_of(row)])


def phone(protocol, wind, code=""):
    table = protocol.table
    place = (
        table.session.tournament.slug,
        table.session.number,
        table.number,
        code or table_code_of(table),
        wind,
    )
    return reverse("tournaments:seat_phone", args=place)


def said(protocol, word, text="", **more):
    hand = protocol.hands.get(status="in_force")
    return {"word": word, "text": text, "hand": hand.pk, "key": uuid4().hex} | more


def shown(client, address):
    return " ".join(strip_tags(client.get(address).content.decode()).split())


def kinds(protocol):
    rows = protocol.table.session.tournament.history.filter(protocol=None, kind__startswith="hand_")
    return list(rows.order_by("number").values_list("kind", flat=True))


def test_one_tap_agrees_and_the_scorer_loses_nothing(client, protocol):
    assert "Hand 1: right?" in shown(client, own(protocol, "own_page", "S"))
    sent = said(protocol, "right")
    for _ in range(2):
        client.post(own(protocol, "check_own_hand", "S"), sent)
    assert "you said that it is right" in shown(client, own(protocol, "own_page", "S"))
    assert checks_of(protocol)["said"] == {"S": True}
    assert kinds(protocol) == ["hand_agreed"]
    version = protocol.version
    protocol.refresh_from_db()
    assert protocol.version == version
    assert verify(protocol.table.session.tournament) == []


def test_the_code_on_the_table_opens_it_for_a_seat_and_no_other_code_does(client, protocol):
    assert "Hand 1: right?" in shown(client, phone(protocol, "W"))
    client.post(phone(protocol, "W"), said(protocol, "wrong", "It was three fans"))
    assert checks_of(protocol)["disputes"] == [{"hand": 1, "wind": "W", "text": "It was three fans"}]
    assert client.get(phone(protocol, "W", code="0" * 20)).status_code == 404
    assert client.post(phone(protocol, "W", code="0" * 20), said(protocol, "right")).status_code == 404
    session = protocol.table.session
    type(session).objects.filter(pk=session.pk).update(state="closed")
    page = shown(client, phone(protocol, "W"))
    assert "This session is over" in page
    assert "No hands yet" not in page


def test_a_dispute_is_seen_on_the_round_and_at_the_desk_and_a_referee_lets_the_hand_stand(client, protocol):
    client.post(phone(protocol, "W"), said(protocol, "wrong", "It was three fans"))
    tournament, table = protocol.table.session.tournament, protocol.table
    client.force_login(make.staff(tournament, "referee"))
    place = (tournament.slug, table.session.number, table.number)
    for address in (
        reverse("tournaments:tables", args=[tournament.slug]),
        reverse("tournaments:table_desk", args=place),
    ):
        assert "It was three fans" in shown(client, address)
    desk = reverse("tournaments:desk", args=[tournament.slug])
    assert "finds hand 1 wrong." in shown(client, desk)
    hand = protocol.hands.get(status="in_force")
    settle = reverse("tournaments:settle_dispute", args=[*place, hand.pk, "W"])
    client.post(settle, {"reason": "short", "key": uuid4().hex, "seen": protocol.version})
    assert checks_of(protocol)["disputes"] != []
    client.post(
        settle, {"reason": "All four agreed at the table", "key": uuid4().hex, "seen": protocol.version}
    )
    assert checks_of(protocol)["disputes"] == []
    assert "finds hand 1 wrong" not in shown(client, desk)
    assert "The referee let it stand." in shown(client, phone(protocol, "W"))


def test_a_dispute_is_gone_with_its_hand_and_what_changed_meanwhile_is_not_agreed_to(client, protocol):
    client.post(phone(protocol, "W"), said(protocol, "wrong"))
    late = said(protocol, "right")
    by = make.organizer_of(protocol.table.session.tournament)
    protocols.undo_hand(protocol, number=1, intent=make.intent(protocol), by=by)
    make.record(protocol, make.east_from_south(3))
    assert checks_of(protocol) == {}
    answer = client.post(phone(protocol, "E"), late, follow=True)
    assert "This hand was changed after you saw it" in strip_tags(answer.content.decode())
    assert HandCheck.objects.filter(is_right=True).count() == 0


def test_the_code_of_a_table_stays_out_of_logs_and_of_stores(client, protocol):
    """It opens a page that writes, as a private link does. [INTEGRITY 3]"""
    address = phone(protocol, "E")
    page = client.get(address)
    assert "no-store" in page["Cache-Control"]
    assert page["X-Robots-Tag"] == "noindex"
    assert table_code_of(protocol.table) not in without_secrets(f"Internal Server Error: {address}")


def test_a_freeze_closes_the_phones_of_the_tables_that_it_hides(client, protocol):
    """Whoever has the code is a stranger to the site. [RULES 9.15]"""
    of = protocol.table.session.tournament
    address = phone(protocol, "S")
    assert client.get(address).context["mirror"] is not None
    Tournament.objects.filter(pk=of.pk).update(frozen_after=0)
    for place in (address, address.removesuffix("S/")):
        assert "The standings are frozen" in shown(client, place)
    assert kinds(protocol) == []


def test_a_players_words_on_a_hand_go_with_the_player_and_were_never_sealed(client, protocol):
    """The history is sealed and keeps what it holds; words beside the hand are erased. [INTEGRITY 1]"""
    client.post(phone(protocol, "W"), said(protocol, "wrong", "It was three fans"))
    row = HandCheck.objects.get(is_right=False)
    tournament = protocol.table.session.tournament
    assert not tournament.history.filter(content__contains="three fans").exists()
    session = protocol.table.session
    type(session).objects.filter(pk=session.pk).update(state="closed")
    Tournament.objects.filter(pk=tournament.pk).update(state="closed")
    row.player.tournament = tournament
    privacy.erase_player(row.player, by=make.organizer_of(tournament), reason="Asked by letter")
    row.refresh_from_db()
    assert row.text == "—"
