"""A protocol that its readers can check: every hand with who, from whom, value, waits and each payment with its clause."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from scoring.systems import SYSTEMS
from scoring.terms import speaking
from tournaments.tables.queries.protocol_rows import protocol_rows
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def riichi(*hands):
    """The protocol of a riichi table with these hands."""
    protocol = make.protocol("riichi_ema", 4)
    for hand in hands:
        make.record(protocol, hand)
    return protocol


EXHAUSTED = {
    "events": [],
    "end": {
        "E": {"state": "waiting"},
        "S": {"state": "no_wait"},
        "W": {"state": "no_wait"},
        "N": {"state": "waiting"},
    },
    "riichi": ["N"],
}
RON = {
    "events": [
        {
            "type": "win",
            "from": "S",
            "winners": [{"seat": "N", "han": 7, "yaku": {"riichi": 1, "chinitsu": 6}}],
        }
    ],
    "riichi": ["N"],
}


def names(protocol):
    return {seat.wind: str(seat.player) for seat in protocol.table.seats.all()}


def test_riichi_hand_tells_bets_counters_and_who_waited():
    """[RIICHI 3.4.2] [RIICHI 3.4.10] [RIICHI 3.3.14]"""
    protocol = riichi(EXHAUSTED, RON)
    who = names(protocol)
    first, second = protocol_rows(protocol).rows
    assert first.before == ["East round"]
    assert first.what == (
        f"Nobody won. Waiting: {who['E']}, {who['N']}. Not waiting: {who['S']}, {who['W']}. Riichi: {who['N']}."
    )
    assert second.before == ["East round", "1 counter", "1 bet on the table"]
    assert second.what == (
        f"{who['N']} off {who['S']}, 7 han (Riichi, Full flush (chinitsu)). Riichi: {who['N']}."
    )


def test_every_payment_has_its_line_and_clause():
    """[RIICHI 4.1.3] [RIICHI 3.4.10] [RIICHI 4.1]"""
    protocol = riichi(EXHAUSTED, RON)
    who = names(protocol)
    row = protocol_rows(protocol).rows[1]
    assert [(line.clause, line.moves) for line in row.lines] == [
        ("RIICHI 3.3.14", [(who["N"], -1000)]),
        ("RIICHI 4.1.3, RULES 8.27", [(who["N"], 12000), (who["S"], -12000)]),
        ("RIICHI 3.4.10", [(who["N"], 300), (who["S"], -300)]),
        ("RIICHI 3.3.14", [(who["N"], 1000)]),
        ("RIICHI 4.1", [(who["N"], 1000)]),
    ]
    moved = dict.fromkeys(who.values(), 0)
    for line in row.lines:
        for name, points in line.moves:
            moved[name] += points
    assert moved == {who[wind]: points for wind, points in row.hand.payments.items()}


def test_bets_left_at_the_end_are_explained():
    """[RULES 8.42]"""
    protocol = riichi(EXHAUSTED)
    sheet = protocol_rows(protocol)
    assert sheet.left_over == [1000, 0, 0, 0]
    at = [protocol.table.session.tournament.slug, 1, 1]
    page = Client().get(reverse("tournaments:protocol", args=at)).content.decode()
    assert "Bets left over" in page
    assert "Why these amounts?" in page


def test_han_without_minipoints_are_told_alone():
    """A hand of seven han is no “7 han fu”."""
    protocol = riichi(RON)
    with translation.override("ru"), speaking(SYSTEMS["RIICHI"].terms):
        who = names(protocol)
        assert protocol_rows(protocol).rows[0].what == (
            f"{who['N']}: рон ({who['S']}), 7 хан (Риичи, Полное изобилие (чиницу)). Риичи: {who['N']}."
        )


def test_sichuan_hand_tells_fans_kongs_and_the_check():
    """[SBR 2.7.3.6] [SBR 2.7.4.1]"""
    protocol = make.protocol("sbr", 4)
    make.record(
        protocol,
        {
            "events": [
                {"type": "kong", "seat": "W", "kind": "open", "from": "N"},
                {
                    "type": "win",
                    "from": "S",
                    "winners": [{"seat": "E", "fans": 2, "fan_list": {"pure_suit": 1}}],
                },
            ],
            "end": {
                "S": {"state": "no_wait"},
                "W": {"state": "waiting", "max_base": 4},
                "N": {"state": "pig_active"},
            },
        },
    )
    who = names(protocol)
    row = protocol_rows(protocol).rows[0]
    assert row.what == (
        f"{who['W']}: open kong, the tile discarded by {who['N']}. {who['E']} off {who['S']}, 2 fans (Full flush). "
        f"Not waiting: {who['S']}. Waiting: {who['W']} (up to 4). Active pig: {who['N']}."
    )
    assert row.before == []


def test_printed_protocol_has_every_line_and_its_result_once():
    """The result stands after the last hand, not at the foot of each page. [INTEGRITY 1]"""
    protocol = riichi(EXHAUSTED, RON)
    at = [protocol.table.session.tournament.slug, 1, 1]
    page = Client().get(reverse("tournaments:print_protocol", args=at)).content.decode()
    assert page.count('class="paper-lines"') == 2
    assert "[RIICHI 3.4.10]" in page
    assert page.count(">Result<") == 1


@pytest.mark.parametrize(("language", "end"), [("en", "3 han 30 fu."), ("ru", "3 хан, 30 минип.")])
def test_a_sentence_ends_with_one_full_stop_after_an_abbreviation_too(language, end):
    win = {"type": "win", "winners": [{"seat": "N", "han": 3, "fu": 30}]}
    protocol = riichi({"events": [win]})
    with translation.override(language), speaking(SYSTEMS["RIICHI"].terms):
        assert protocol_rows(protocol).rows[0].what.endswith(end)
