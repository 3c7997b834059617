"""A whole event of every system, entered hand by hand through the tablet's screen, against a second opinion.

The second opinion (`tournaments/tests/naive.py`) is written from the rulebooks and imports nothing of the program: what
each hand pays, who deals it and what the table comes to are worked out by it and compared with the protocol. Alone the
test plays a few hands of one session; EVENT=full plays every session of the preset at two tables until its end:

    EVENT=full .venv/bin/pytest config/tests/test_event_browser.py
"""

import json
import os
import random
from fractions import Fraction

import pytest
from playwright.sync_api import expect

from config.tests.tablet_driver import Tablet
from config.tests.test_tablet_browser import TABLET
from scoring.presets import PRESETS
from scoring.record.hands import read_hand
from scoring.seats import Seat
from scoring.systems import ruleset
from tournaments.models import Protocol, Standing
from tournaments.models.standing import LINE
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.naive import hands_of
from tournaments.tests.random_hands import random_facts

pytestmark = [pytest.mark.browser, pytest.mark.slow]
IS_FULL = os.environ.get("EVENT") == "full"
USUAL_HANDS = 12
SHORT = 3


class Event:
    """An event in play: its tables, what was entered at them, and whoever enters it."""

    def __init__(self, preset: str, players: int) -> None:
        """Announce it and register the players."""
        self.preset = PRESETS[preset]
        self.sessions = self.preset.regulation.sessions if IS_FULL else 1
        self.of = make.tournament(preset, sessions=self.sessions)
        self.players = [row.player for row in make.players(self.of, players)]
        self.by = make.organizer_of(self.of)
        self.chance = random.Random(f"event {preset}")
        self.rules = self.of.regulation["system_rules"]
        self.law = ruleset(self.preset.system, self.rules)
        self.results: dict[int, list[int]] = {player.pk: [] for player in self.players}

    def protocols(self, number: int) -> list[Protocol]:
        """Seat and start a session, everybody one place further than before."""
        session = self.of.sessions.get(number=number)
        session.tournament = self.of
        turned = self.players[number - 1 :] + self.players[: number - 1]
        seats = 3 if self.preset.system == "SIAM" else 4
        tables = {at // seats + 1: turned[at : at + seats] for at in range(0, len(turned), seats)}
        play.seat_players(session, play.Seating(tables=tables, mode="fixed"), by=self.by)
        play.start_session(session, by=self.by)
        rows = Protocol.objects.filter(table__session=session).select_related("table__session__tournament")
        return list(rows.order_by("table__number"))

    @property
    def hands(self) -> int:
        """How many hands a table plays."""
        limit = self.of.regulation["hands_limit"] or USUAL_HANDS
        return limit if IS_FULL else SHORT


def play_table(event: Event, one: Tablet) -> None:
    """Enter a table's hands until the session is over; compare every amount on the screen as it is entered."""
    system = event.preset.system
    winds = [seat.wind for seat in one.protocol.table.seats.in_order()]
    at = event.law.start(tuple(Seat(wind) for wind in winds))
    entered: list[dict] = []
    while len(entered) < event.hands and not at.is_over:
        facts = random_facts(system, at, event.chance)
        hand = read_hand({**facts, "number": at.number})
        if event.law.check(hand, at):
            continue
        entered.append({**facts, "number": at.number})
        expected, _ = hands_of(system, entered, winds, event.of.regulation)
        one.enter(facts, system)
        assert one.amounts() == expected[-1]["payments"], facts
        one.save()
        at = event.law.following(hand, at)
    one.saved()
    compare(event, one, entered, winds)


def compare(event: Event, one: Tablet, entered: list[dict], winds: list[str]) -> None:
    """Hold the protocol against the second opinion, hand by hand, and the totals of screen and database too."""
    expected, left = hands_of(event.preset.system, entered, winds, event.of.regulation)
    rows = one.protocol.hands.filter(status="in_force").order_by("number")
    found = [{"number": row.number, "dealer": row.dealer, "payments": row.payments} for row in rows]
    assert found == [{name: hand[name] for name in ("number", "dealer", "payments")} for hand in expected]
    totals = {wind: sum(hand["payments"][wind] for hand in expected) for wind in winds}
    most = max(totals.values())
    leaders = [wind for wind in winds if totals[wind] == most]
    for wind in leaders:
        totals[wind] += left * 1000 // len(leaders) // 100 * 100
    for seat in one.protocol.table.seats.all():
        assert seat.hand_points == totals[seat.wind]
        event.results[seat.player_id].append(totals[seat.wind])


def confirm(one: Tablet) -> None:
    """End the session at the table and let everybody tap their name."""
    if not one.page.get_by_role("heading", name="All hands are played").count():
        one.tap("more")
    one.page.get_by_role("button", name="End of the session").click()
    if one.page.locator("dialog[open]").count():
        one.agree()
    for seat in one.protocol.table.seats.in_order():
        one.tap(f"confirm-{seat.wind}")
    expect(one.page.get_by_role("heading", name="All have confirmed")).to_be_visible()
    one.saved()


@pytest.mark.parametrize(
    ("preset", "players"),
    [("sbr", 8), ("wmsg", 8), ("mcr", 8), ("siamese", 6), ("red", 8), ("riichi_ema", 8)],
)
def test_an_event_played_through_the_screen_comes_out_as_the_rulebooks_say(new_browser, preset, players):
    event = Event(preset, players if IS_FULL else players // 2)
    page, is_admitted = new_browser(**TABLET).new_page(), False
    for number in range(1, event.sessions + 1):
        for protocol in event.protocols(number):
            one = Tablet(page, protocol, admit=not is_admitted)
            is_admitted = True
            play_table(event, one)
            confirm(one)
        play.close_session(event.of.sessions.get(number=number), by=event.by)
    recompute.recompute(event.of.pk)
    at = LINE.index("game_points")
    stood = {
        row.player_id: [Fraction(line[at]) for line in json.loads(row.lines)]
        for row in Standing.objects.filter(tournament=event.of)
    }
    assert stood == event.results
