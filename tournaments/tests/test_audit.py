"""The audit of papers: who is drawn, what differs, and what may be said of the rest. [RULES 9.25]"""

from itertools import combinations

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from tournaments.models import PaperSheet
from tournaments.tables.operations import audits, protocols
from tournaments.tables.queries.audits import report_of
from tournaments.tables.rules.audit import differences, drawn, most_wrong
from tournaments.tests import factories as make

TABLES = [(session, table) for session in (1, 2, 3) for table in range(1, 6)]


def test_a_seed_draws_the_same_tables_for_everybody_and_another_seed_others():
    sample = drawn("dice 4 2 6 1", TABLES, 4)
    assert sample == drawn("dice 4 2 6 1", TABLES[::-1], 4) == [(1, 5), (2, 2), (3, 4), (3, 5)]
    assert len({tuple(drawn(f"dice {number}", TABLES, 4)) for number in range(20)}) > 15
    assert drawn("dice", TABLES, 99) == TABLES


def test_hands_differ_by_what_they_moved_or_by_not_being_there():
    record, paper = (
        [{"E": 8, "S": -8}, {"E": 0, "S": 0}],
        [{"E": 8, "S": -8}, {"E": 4, "S": -4}, {"E": -1, "S": 1}],
    )
    found = list(differences(record, paper))
    assert [(one.hand, one.changes()) for one in found] == [(2, {"E": 4, "S": -4}), (3, {"E": -1, "S": 1})]
    assert list(differences(record, record)) == []


@pytest.mark.parametrize(
    ("tables", "compared", "found"), [(8, 3, 0), (8, 3, 1), (9, 5, 0), (9, 5, 2), (7, 7, 2)]
)
def test_the_bound_is_that_of_counting_every_draw(tables, compared, found):
    def share(wrong):
        draws = [sum(one < wrong for one in draw) for draw in combinations(range(tables), compared)]
        return sum(number <= found for number in draws) / len(draws)

    most = most_wrong(tables, compared, found)
    assert share(most) > 0.05
    assert most == tables - (compared - found) or share(most + 1) <= 0.05


def test_forty_tables_of_which_ten_agree_leave_nine_in_doubt():
    assert (most_wrong(40, 10, 0), most_wrong(40, 40, 0), most_wrong(40, 1, 0)) == (9, 0, 37)


@pytest.mark.django_db
def test_a_paper_is_typed_unseen_and_compared(client):
    """Somebody draws, types with a slip, mends it, and reads what the record has otherwise."""
    protocol = make.protocol()
    make.record(protocol, make.east_from_south(3))
    make.record(protocol)
    tournament = protocol.table.session.tournament
    organizer = make.organizer_of(tournament)
    protocols.end_protocol(protocol, intent=make.intent(protocol), by=organizer)
    client.force_login(make.staff(tournament, "organizer"))
    page = reverse("tournaments:paper_audit", args=[tournament.slug])
    client.post(page, {"seed": "dice", "size": "3"})
    table = protocol.table
    typing = reverse("tournaments:audit_paper", args=[tournament.slug, table.session.number, table.number])
    assert "+8" not in strip_tags(client.get(typing).content.decode())
    wrong = client.post(typing, {"paper": "8 -8 0 0\n1 -1 0"})
    assert (wrong.status_code, "Look at line 2" in wrong.content.decode()) == (422, True)
    client.post(typing, {"paper": "8 -8 0 0\n2 \u22122 0 0"})
    (one,) = report_of(tournament.paper_audits.get()).typed
    assert [(found.difference.hand, found.difference.changes()) for found in one.found] == [
        (2, {"E": 1, "S": -1, "W": 0, "N": 0})
    ]
    told = " ".join(strip_tags(client.get(page).content.decode()).split())
    assert "1 hand differs" in told
    assert "at most 1 of the 1 recorded tables" in told
    client.post(typing, {"paper": "8 -8 0 0\n1 -1 0 0"})
    assert report_of(tournament.paper_audits.get()).differing == 0
    kinds = tournament.history.filter(kind__in=["audit_drawn", "paper_typed"]).values_list("kind", flat=True)
    assert sorted(kinds) == ["audit_drawn", "paper_typed", "paper_typed"]
    audits.draw_sample(tournament, seed="dice", size=3, by=organizer)
    assert PaperSheet.objects.count() == 1
