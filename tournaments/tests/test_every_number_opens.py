"""Every number opens: from the standings to the clause of a payment in at most four presses; the longest way is measured."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import reverse

from scoring.systems import SYSTEMS
from tournaments.standings.operations import recompute
from tournaments.tables.queries.sheets import sheet_of
from tournaments.tests import factories as make
from tournaments.tests.test_hand_words import EXHAUSTED, RON
from tournaments.web.rulebooks import address_of, books, entries

pytestmark = pytest.mark.django_db
MOST_PRESSES = 4


class Presses(HTMLParser):
    """Reads what can be pressed on a page: each link with the number of folds that must be opened before it."""

    def __init__(self):
        super().__init__()
        self.folds, self.links = 0, {}

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "details":
            self.folds += 1
        if tag == "a" and (to := found.get("href")):
            self.links[to] = min(self.folds, self.links.get(to, self.folds))

    def handle_endtag(self, tag):
        if tag == "details":
            self.folds -= 1


def presses(page):
    """Return the presses from a page to each page and clause that it leads to, without menus."""
    reader = Presses()
    reader.feed(page[page.index('id="content"') : page.index("<footer")])
    return {to: folds + 1 for to, folds in reader.links.items()}


def is_on_the_way(address):
    """Whether an address is one that lies between a number and its clause."""
    return re.search(r"/(standings/explain/\?|session-\d+/table-\d+/$)", address) is not None


def shortest(client, start, most):
    """Return the fewest presses from a page to every clause within reach."""
    clauses, seen, wave = {}, {start: 0}, [start]
    while wave:
        here = wave.pop(0)
        page = client.get(here).content.decode()
        for to, count in presses(page).items():
            whole = urljoin(here, to)
            reached = seen[here] + count
            if "/rulebooks/" in whole:
                clauses[whole] = min(reached, clauses.get(whole, reached))
            elif is_on_the_way(bare := whole.partition("#")[0]) and reached < min(most, seen.get(bare, most)):
                seen[bare] = reached
                wave.append(bare)
    return clauses


def test_from_any_number_of_the_standings_to_its_clause_in_four_presses():
    """[RULES 1.5]"""
    protocol = make.protocol("riichi_ema", 4)
    for facts in (EXHAUSTED, RON):
        make.record(protocol, facts)
    tournament = protocol.table.session.tournament
    recompute.recompute(tournament.pk)
    wanted = {"RIICHI 3.3.14", "RIICHI 4.1.3", "RIICHI 3.4.10", "RIICHI 4.1", "RIICHI 3.4.2"}
    client = Client()
    standings = reverse("tournaments:standings", args=[tournament.slug])
    found = shortest(client, standings, MOST_PRESSES)
    assert {address_of(tag) for tag in wanted} <= found.keys()
    assert max(found[address_of(tag)] for tag in wanted) <= MOST_PRESSES
    total = f"{standings}explain/?a=1"
    by_total = shortest(client, total, MOST_PRESSES - 1)
    assert max(by_total[address_of(tag)] for tag in wanted) == MOST_PRESSES - 1


def won(**value):
    return {"type": "win", "from": "W", "winners": [{"seat": "S", **value}]}


def drawn(**value):
    return {"type": "win", "winners": [{"seat": "S", **value}]}


KONG = {"type": "kong", "seat": "E", "kind": "concealed"}
WON = {
    "sbr": (4, [[KONG, won(fans=1)], [drawn(fans=2)], [{"type": "dead_hand", "seat": "N"}, won(fans=0)]]),
    "wmsg": (4, [[KONG, won(fans=1)], [drawn(fans=2)]]),
    "mcr": (
        4,
        [[won(fans=8)], [drawn(fans=12)], [{"type": "false_win", "seat": "N", "kind": "wrong_claim"}]],
    ),
    "siamese": (3, [[won(fans=8)], [drawn(fans=12)]]),
    "red": (4, [[won(fans=8)], [drawn(fans=12)], [{"type": "false_win", "seat": "N"}]]),
}


@pytest.mark.parametrize("preset", WON)
def test_every_payment_of_every_system_opens_in_four_presses(preset):
    """Whatever clause the arithmetic gives for a payment is reached from the standings; the longest way is four. [RULES 1.5]"""
    players, hands = WON[preset]
    protocol = make.protocol(preset, players)
    for events in hands:
        facts = {"events": events}
        if preset in ("sbr", "wmsg"):
            out = {one["winners"][0]["seat"] for one in events if one["type"] == "win"}
            facts["end"] = {seat: {"state": "no_wait"} for seat in "ESWN" if seat not in out}
        make.record(protocol, facts)
    tournament = protocol.table.session.tournament
    recompute.recompute(tournament.pk)
    wanted = {
        address_of(tag)
        for played in sheet_of(protocol).play().hands
        for line in played.payments.lines
        for tag in line.clause.split(", ")
    }
    assert len(wanted) > 1
    assert "" not in wanted
    standings = reverse("tournaments:standings", args=[tournament.slug])
    client = Client()
    found = shortest(client, standings, MOST_PRESSES)
    assert wanted <= found.keys()
    assert max(found[one] for one in wanted) <= MOST_PRESSES
    by_total = shortest(client, f"{standings}explain/?a=1", MOST_PRESSES - 1)
    assert max(by_total[one] for one in wanted) <= MOST_PRESSES - 1


def test_every_cited_clause_is_there_to_be_read():
    """[RULES 1.1]"""
    for book in books():
        page = Client().get(reverse("tournaments:rulebook", args=[book])).content.decode()
        for entry in entries(book):
            assert f'id="{entry.anchor}"' in page
    assert address_of("what an organizer wrote") == ""
    assert Client().get(reverse("tournaments:rulebook", args=["CHESS"])).status_code == 404


def test_a_rulebook_has_worked_examples_or_says_whose_serve():
    """[RULES 1.1]"""
    client = Client(headers={"accept-language": "en"})
    for code, system in SYSTEMS.items():
        page = client.get(reverse("tournaments:rulebook", args=[code])).content.decode()
        whose = code if system.examples else system.examples_of
        assert SYSTEMS[whose].examples, code
        assert reverse("tournaments:examples", args=[whose]) in page
        assert ("works out no hand" in page) is not bool(system.examples)


def test_every_offence_and_clause_of_a_system_has_its_entry():
    for code, system in SYSTEMS.items():
        assert all(address_of(clause.tag) for clause in system.clauses)
        assert all(address_of(offence.clause) for offence in system.offences if offence.clause), code


def test_clauses_are_found_by_words_in_the_words_of_their_system():
    client = Client(headers={"accept-language": "ru"})
    page = client.get(reverse("tournaments:rulebook", args=["RIICHI"]), {"q": "счётчик"}).content.decode()
    assert 'id="riichi-3-4-10"' in page
    assert 'id="riichi-3-3-9"' not in page
    nothing = client.get(reverse("tournaments:rulebook", args=["SBR"]), {"q": "пароход"}).content.decode()
    assert 'class="empty"' in nothing
