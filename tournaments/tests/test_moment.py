"""What is compared is read at one moment, and whoever writes meanwhile waits for nobody."""

from dataclasses import replace
from functools import partial
from io import BytesIO
from uuid import uuid4

import pytest
from openpyxl import load_workbook

from tournaments.exchange.tables import PUBLIC
from tournaments.exchange.views import downloads
from tournaments.models import Player, Tournament
from tournaments.standings.operations import verification
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import entering
from tournaments.tables.operations.recording import Intent
from tournaments.tests import factories as make
from tournaments.tests.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_hand_that_comes_while_the_history_is_verified_is_no_fault(monkeypatch):
    """The daily look at an event in play must not say that its record is broken."""
    protocol, facts = make.protocol(), make.east_from_south()
    of = protocol.table.session.tournament
    intent = Intent(seen=0, key=uuid4().hex, body={"facts": facts})
    send = partial(entering.record_hand, protocol, facts, intent=intent, by=make.organizer_of(of))
    read, answers, calls = verification._entries, [], []

    def after_a_hand(rows):
        calls.append(rows)
        if len(calls) == 2:  # the protocol is read, its entries are not
            answers.extend(at_once(send))
        return read(rows)

    monkeypatch.setattr(verification, "_entries", after_a_hand)
    assert verify(of) == []
    assert [answer["entry"] for answer in answers] == [1]
    assert verify(of) == []


def test_all_tables_of_an_event_in_play_are_of_one_moment(client, monkeypatch):
    """Somebody who is renamed while the workbook is written has one name in it."""
    of = make.protocol().table.session.tournament
    Tournament.objects.filter(pk=of.pk).update(state=Tournament.State.RUNNING)
    player = of.players.get(registration__number=1)
    was, rename = str(player), partial(Player.objects.filter(pk=player.pk).update, name="Renamed Meanwhile")
    gather = PUBLIC["players"].gather

    def gather_and_wait(tournament):
        sheet = gather(tournament)
        rows = list(sheet.rows)
        at_once(rename)
        return replace(sheet, rows=rows)

    sheets = {**PUBLIC, "players": replace(PUBLIC["players"], gather=gather_and_wait)}
    monkeypatch.setattr(downloads, "PUBLIC", sheets)
    answer = client.get(f"{of.get_absolute_url()}downloads/all.xlsx")
    book = load_workbook(BytesIO(answer.content))
    for page in ("Players", "Seating"):
        cells = {cell.value for row in book[page].iter_rows() for cell in row}
        assert (was in cells, "Renamed Meanwhile" in cells) == (True, False), page
    player.refresh_from_db()
    assert str(player) == "Renamed Meanwhile"
