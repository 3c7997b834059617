"""The scoring screen as a finger meets it: every system by taps, without a connection, against a rival tablet."""

import contextlib
import json
import random
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from config.tests.screens import SIZES, chosen
from config.tests.tablet_driver import CLEARED, Tablet, invitation
from conftest import wait_for
from scoring.presets import PRESETS
from scoring.record.hands import read_hand
from scoring.seats import Seat
from scoring.systems import ruleset
from tournaments.models import Hand, HistoryEntry, Player, Protocol
from tournaments.sessions.operations import play
from tournaments.tables.operations import devices, moves
from tournaments.tables.views import tablet_worker
from tournaments.tests import factories as make
from tournaments.tests.random_hands import random_facts
from tournaments.web.access import pin_of

pytestmark = pytest.mark.browser
AXE = (Path(__file__).parent / "vendor" / "axe-core-4.14.0.min.js").read_text(encoding="utf-8")
TABLET = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}


def protocol_of(preset, seats=4, **changes):
    """The protocol of a table in play with so many players."""
    of = make.tournament(preset, **changes)
    players = [registration.player for registration in make.players(of, seats)]
    session = of.sessions.get(number=1)
    by = make.organizer_of(of)
    play.seat_players(session, play.Seating(tables={1: players}, mode="fixed"), by=by)
    play.start_session(session, by=by)
    return Protocol.objects.select_related("table__session__tournament").get(table__session=session)


@pytest.fixture
def tablet(new_browser):
    """Return a tablet at a table of the preset."""

    def made(preset="sbr", seats=4, *, of=None, **options):
        screen = chosen()
        context = new_browser(**{**TABLET, **(screen.look if screen else {}), **options})
        if screen:
            context.add_init_script(screen.script)
        return Tablet(context.new_page(), of or protocol_of(preset, seats))

    return made


def hands_of(protocol):
    return list(protocol.hands.filter(status="in_force").order_by("number"))


# Whole games, hand by hand


@pytest.mark.once
@pytest.mark.parametrize(
    ("preset", "seats", "hands"),
    [("sbr", 4, 5), ("sbr", 3, 2), ("wmsg", 4, 3), ("mcr", 4, 5), ("siamese", 3, 4), ("red", 4, 3), ("red", 2, 2), ("riichi_ema", 4, 5)],
)  # fmt: skip
def test_a_game_entered_by_taps_pays_as_the_rulebook_does(tablet, preset, seats, hands):
    """The way from a tap to the stored payments; whole games are held against the engine in test_tablet_scripts.py."""
    one = tablet(preset, seats)
    system = PRESETS[preset].system
    law = ruleset(system, PRESETS[preset].regulation.to_json()["system_rules"])
    winds = [seat.wind for seat in one.protocol.table.seats.in_order()]
    at = law.start(tuple(Seat(wind) for wind in winds))
    chance = random.Random(f"taps {preset} {seats}")
    wanted = []
    while len(wanted) < hands and not at.is_over:
        facts = random_facts(system, at, chance)
        hand = read_hand({**facts, "number": at.number})
        if law.check(hand, at):
            continue
        paid = {str(seat): points for seat, points in law.payments(hand, at).by_seat.items()}
        one.enter(facts, system)
        assert one.amounts() == paid, facts
        one.save()
        one.saved()
        wanted.append((at.number, str(at.dealer), paid))
        at = law.following(hand, at)
    assert [(row.number, row.dealer, row.payments) for row in hands_of(one.protocol)] == wanted


@pytest.mark.once
@pytest.mark.parametrize(
    ("preset", "seats", "value"),
    [
        ("sbr", 4, ["fans-2"]),
        ("wmsg", 4, ["fans-2"]),
        ("mcr", 4, ["digit-2", "digit-4"]),
        ("siamese", 3, ["digit-2", "digit-4"]),
        ("red", 4, ["digit-2", "digit-4"]),
        ("riichi_ema", 4, ["han-3", "fu-40"]),
    ],
)
def test_an_ordinary_win_takes_three_taps_and_its_value(tablet, preset, seats, value):
    """Winner, discarder, save. Where a hand has several wins, two taps each and one to save."""
    one = tablet(preset, seats)
    one.seat("E")
    one.seat("S")
    for tap in value:
        one.tap(tap)
    assert one.amounts()["E"] > 0
    assert one.taps + 1 - len(value) <= 3
    if preset in {"mcr", "red", "riichi_ema"}:
        one.save()
        one.saved()
        assert len(hands_of(one.protocol)) == 1


def test_list_of_tables_sees_the_session_begin_by_itself(new_browser):
    of = make.tournament("sbr")
    make.players(of, 8)
    session = make.seated(of)
    page = new_browser(**TABLET).new_page()
    page.clock.install()
    page.goto(f"/{of.slug}/tablet/#{invitation(of)}")
    expect(page.get_by_text("Not started yet")).to_have_count(2)
    second = page.get_by_role("link", name="Table 2")
    second.focus()
    play.start_session(session, by=make.organizer_of(of))
    page.clock.fast_forward(11_000)
    expect(page.get_by_text("In play")).to_have_count(2)
    expect(second).to_be_focused()


@pytest.mark.once
@pytest.mark.parametrize("size", ["wide", "tall", "phone"])
def test_longest_name_keeps_within_its_card_at_the_confirmation(tablet, size):
    width, height = SIZES[size]
    protocol = protocol_of("sbr")
    longest = "Преображенский-Вознесенский-Рождественский Александр-Константин " + "Воскресенский" * 2
    Player.objects.filter(seats__table=protocol.table, seats__wind="W").update(name=longest)
    one = tablet(of=protocol, viewport={"width": width, "height": height})
    one.enter({"events": [
        {"type": "win", "winners": [{"seat": "E", "fans": 2}]},
        {"type": "win", "winners": [{"seat": "W", "fans": 0}]},
        {"type": "win", "winners": [{"seat": "N", "fans": 1}]},
    ]}, "SBR")  # fmt: skip
    one.save()
    one.saved()
    one.tap("more")
    one.page.get_by_role("button", name="End of the session").click()
    one.agree()
    out = """[...document.querySelectorAll('.confirm-seat')].filter((card) => [...card.querySelectorAll('*')].some((one) =>
      one.getBoundingClientRect().right > card.getBoundingClientRect().right)).length"""
    expect(one.page.locator('[data-focus="confirm-W"]')).to_contain_text(longest)
    assert one.page.evaluate(out) == 0


def test_three_winners_then_confirmation_by_four(tablet):
    one = tablet("sbr")
    one.enter({"events": [
        {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 2}]},
        {"type": "win", "winners": [{"seat": "W", "fans": 0}]},
        {"type": "win", "from": "S", "winners": [{"seat": "N", "fans": 1}]},
    ]}, "SBR")  # fmt: skip
    one.save()
    one.saved()
    assert one.totals() == {"E": 4, "S": -8, "W": 4, "N": 0}
    one.tap("more")
    one.page.get_by_role("button", name="End of the session").click()
    one.agree()
    expect(one.page.locator('[data-focus="confirm-E"]')).to_be_visible()
    expect(one.page.locator(".scoring-header")).not_to_contain_text("Hand")
    expect(one.page.locator(".scoring-message").get_by_role("button", name="Undo")).to_have_count(0)
    for wind in "ESWN":
        one.tap(f"confirm-{wind}")
    expect(one.page.get_by_role("heading", name="All have confirmed")).to_be_visible()
    one.saved()
    one.protocol.refresh_from_db()
    assert one.protocol.state == "confirmed"


def test_the_last_hand_can_be_taken_back(tablet):
    one = tablet("mcr")
    one.enter({"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 24}]}]}, "MCR")
    one.save()
    one.saved()
    one.tap("undo")
    one.agree()
    expect(one.page.get_by_text("Hand 1", exact=True)).to_be_visible()
    one.saved()
    assert one.totals() == dict.fromkeys("ESWN", 0)
    assert [hand.status for hand in one.protocol.hands.all()] == ["undone"]


@pytest.mark.once
def test_final_points_are_summed_as_they_are_typed(tablet):
    one = tablet("riichi_festival")
    for wind, points in {"E": "41000", "S": "30 000", "W": "30000", "N": "18000"}.items():
        one.page.locator(f"#final-{wind}").fill(points)
    expect(one.page.get_by_text("too little")).to_be_visible()
    expect(one.page.get_by_role("button", name="Save the final result")).to_be_disabled()
    one.page.locator("#final-left").fill("1000")
    one.page.get_by_role("button", name="Save the final result").click()
    expect(one.page.get_by_role("heading", name="Is the result right?")).to_be_visible()
    one.saved()
    one.protocol.refresh_from_db()
    assert one.protocol.state == "ended"


@pytest.mark.once
def test_an_impossible_hand_is_refused_with_its_clause_before_it_is_saved(tablet):
    one = tablet("siamese", 3)
    one.enter({"events": [
        {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 20}]},
        {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 10}]},
    ]}, "SIAM")  # fmt: skip
    expect(one.page.get_by_role("alert")).to_contain_text("SIAM 4")
    expect(one.page.get_by_role("button", name="Save hand 1")).to_be_disabled()


@pytest.mark.once
@pytest.mark.parametrize(
    ("preset", "value"), [("mcr", ["digit-2", "digit-4"]), ("riichi_ema", ["han-3", "fu-40"])]
)
def test_a_hand_without_a_winner_pays_no_win_that_was_begun(tablet, preset, value):
    """Back at the win it is there again, untouched."""
    one = tablet(preset)
    one.seat("E")
    one.seat("S")
    for tap in value:
        one.tap(tap)
    won = one.amounts()
    one.tap("mode-over")
    assert set(one.amounts().values()) == {0}
    one.tap("mode-win")
    assert one.amounts() == won
    one.tap("mode-over")
    if preset == "riichi_ema":
        for seat in "ESWN":
            one.tap(f"state-{seat}-no_wait")
    one.save()
    one.saved()
    assert [(row.facts["events"], set(row.payments.values())) for row in hands_of(one.protocol)] == [
        ([], {0})
    ]


@pytest.mark.once
def test_a_false_win_left_unfinished_stays_to_be_seen_and_holds_the_hand_up(tablet):
    one = tablet("mcr")
    one.tap("mode-more")
    one.tap("other-false_win")
    one.seat("W")
    one.tap("mode-win")
    left = one.page.get_by_role("list", name="This hand so far").get_by_role("button", name="not finished")
    expect(left).to_contain_text("false win")
    one.seat("E")
    one.seat("S")
    one.tap("digit-2")
    one.tap("digit-4")
    expect(one.page.locator("#prompt")).to_contain_text("Not finished:")
    expect(one.page.locator('[data-focus="save"]')).to_be_disabled()
    left.click()
    one.tap("kind-wrong_claim")
    one.save()
    one.saved()
    (hand,) = hands_of(one.protocol)
    assert [event["type"] for event in hand.facts["events"]] == ["false_win", "win"]


@pytest.mark.once
def test_tiles_are_valued_by_the_engine_and_taken_over(tablet):
    one = tablet("mcr")
    one.seat("E")
    one.tap("wall")
    one.tap("tiles")
    dialog = one.page.get_by_role("dialog")
    for code in ["m1", "m2", "m3", "p4", "p5", "p6", "s7", "s8", "s9", "m7", "m8", "p2", "p2", "m9"]:
        dialog.locator(f'[data-tile="{code}"]').click()
    expect(dialog).to_contain_text("Points without flowers: 15")
    dialog.get_by_role("button", name="Take this value").click()
    expect(dialog).to_be_hidden()
    expect(one.page.locator('[data-seat="E"] .seat-change')).to_have_text("+69")
    assert one.amounts() == {"E": 69, "S": -23, "W": -23, "N": -23}
    one.save()
    one.saved()
    (winner,) = hands_of(one.protocol)[0].facts["events"][0]["winners"]
    assert (winner["fans"], winner["tiles"]["winning_tile"]) == (15, "m9")


@pytest.mark.once
def test_tiles_that_are_no_win_are_told_why(tablet):
    one = tablet("sbr")
    one.seat("E")
    one.tap("wall")
    one.tap("tiles")
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_label("Type, paste or dictate").fill("1–2–3 man 456p 789s 123p девять девять символов")
    expect(dialog.locator(".tablet-notice")).to_contain_text("SBR 2.6.1")


@pytest.mark.once
def test_fans_from_the_list_exclude_each_other(tablet):
    one = tablet("mcr")
    one.seat("E")
    one.seat("S")
    one.tap("fan-list")
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_label("Find a fan").fill("pure straight")
    one.tap("list-28")
    dialog.get_by_label("Find a fan").fill("")
    one.tap("list-63")
    expect(dialog.locator('[data-focus="list-76"]')).to_be_disabled()
    dialog.get_by_role("button", name="Take these fans").click()
    one.save()
    one.saved()
    (winner,) = hands_of(one.protocol)[0].facts["events"][0]["winners"]
    assert (winner["fans"], winner["fan_list"]) == (18, {"28": 1, "63": 1})


def test_an_objection_reaches_the_referee(tablet):
    one = tablet("mcr")
    one.tap("more")
    one.page.get_by_role("button", name="End of the session").click()
    one.agree()
    one.tap("objection")
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_label("Who objects").select_option("S")
    dialog.get_by_role("button", name="A hand is missing").click()
    one.agree()
    expect(one.page.locator(".tablet-notice")).to_contain_text("A hand is missing")
    one.protocol.table.refresh_from_db()
    assert one.protocol.table.called_at is not None


def test_with_pins_everybody_confirms_with_their_own(tablet):
    one = tablet("mcr")
    type(one.tournament).objects.filter(pk=one.tournament.pk).update(asks_pin=True)
    one.open()
    one.tap("more")
    one.page.get_by_role("button", name="End of the session").click()
    one.agree()
    one.saved()
    dialog = one.page.get_by_role("dialog")
    pins = {seat.wind: pin_of(seat.player) for seat in one.protocol.table.seats.select_related("player")}
    one.tap("confirm-E")
    dialog.get_by_label("PIN of").fill("12")
    one.agree()
    expect(dialog.get_by_role("alert")).to_have_text("A PIN has four digits.")
    dialog.get_by_label("PIN of").fill(f"{(int(pins['E']) + 1) % 10_000:04}")
    one.agree()
    expect(dialog.get_by_role("alert")).to_contain_text("This is not the PIN of")
    one.page.context.set_offline(True)
    dialog.get_by_label("PIN of").fill(pins["E"])
    one.agree()
    expect(dialog.get_by_role("alert")).to_contain_text("No connection")
    assert one.unsent() == 0
    one.page.context.set_offline(False)
    for wind in "ESWN":
        if wind != "E":
            one.tap(f"confirm-{wind}")
        dialog.get_by_label("PIN of").fill(pins[wind])
        dialog.get_by_label("PIN of").press("Enter")
        dialog.wait_for(state="detached")
    expect(one.page.get_by_role("heading", name="All have confirmed")).to_be_visible()
    kept = one.page.evaluate(KEPT)
    assert not [pin for pin in pins.values() if f'"{pin}"' in kept]


KEPT = """() => new Promise((resolve) => {
  const opening = indexedDB.open("four-winds-tablet");
  opening.onsuccess = () => {
    const names = ["kept", "outbox", "attic"];
    const reading = opening.result.transaction(names);
    const all = names.map((name) => new Promise((done) => {
      const request = reading.objectStore(name).getAll();
      request.onsuccess = () => done(request.result);
    }));
    Promise.all(all).then((found) => resolve(JSON.stringify(found)));
  };
})"""


@pytest.mark.once
def test_an_entry_counts_as_unsent_from_its_tap_on(tablet):
    """The device's memory answers late; until then the screen must not say that all is on the server."""
    one = tablet("mcr")
    one.enter(win("E", 24, "S"), "MCR")
    one.page.context.set_offline(True)
    one.page.evaluate(SLOW_MEMORY)
    one.tap("save")
    assert one.unsent() == 1
    one.page.context.set_offline(False)
    one.saved()
    assert len(hands_of(one.protocol)) == 1


SLOW_MEMORY = """() => {
  const add = IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = function (...given) {
    const end = performance.now() + 500;
    const request = add.apply(this, given);
    const again = () => performance.now() < end && (this.count().onsuccess = again);
    again();
    return request;
  };
}"""


# A referee


def test_playing_on_after_all_have_confirmed_needs_a_referees_reason(new_browser, site):
    protocol = protocol_of("mcr")
    make.record(protocol, win("E", 24, "S"))
    make.settle(protocol.table.session)
    context = new_browser(**TABLET)
    sign_in(context, make.staff(protocol.table.session.tournament, "referee"), site.url)
    one = Tablet(context.new_page(), protocol, admit=False)
    one.tap("resume")
    one.agree()
    dialog = one.page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("at least ten characters")
    dialog.get_by_role("button", name="A hand is missing").click()
    one.agree()
    one.saved()
    expect(one.page.locator(".seat-panel")).to_have_count(4)
    protocol.refresh_from_db()
    assert protocol.state == "open"


def test_a_tablet_offers_no_way_back_once_all_have_confirmed(tablet):
    one = tablet("mcr")
    make.settle(one.protocol.table.session)
    one.open()
    expect(one.page.get_by_role("heading", name="All have confirmed")).to_be_visible()
    expect(one.page.get_by_role("button", name="Play on")).to_have_count(0)


def test_wrong_seats_are_repaired_on_the_tablet(new_browser, site):
    protocol = protocol_of("sbr")
    make.record(protocol, make.east_from_south(2))
    before = {seat.wind: seat.player.name for seat in protocol.table.seats.select_related("player")}
    context = new_browser(**TABLET)
    sign_in(context, make.staff(protocol.table.session.tournament, "referee"), site.url)
    one = Tablet(context.new_page(), protocol, admit=False)
    one.tap("more")
    one.page.get_by_role("button", name="Wrong seats").click()
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_label("Who sat at East").select_option("S")
    dialog.get_by_role("button", name="Two players had exchanged seats").click()
    one.agree()
    expect(dialog.get_by_text("Every player takes exactly one place.")).to_be_visible()
    dialog.get_by_label("Who sat at South").select_option("E")
    one.agree()
    expect(one.page.locator('[data-seat="E"] .seat-name')).to_have_text(before["S"])
    assert one.totals() == {"E": 4, "S": -4, "W": 0, "N": 0}


def test_a_correction_shows_its_ripple_and_keeps_both_values(new_browser, site):
    protocol = protocol_of("sbr")
    for fans in (0, 1, 2):
        make.record(protocol, make.east_from_south(fans))
    referee = make.staff(protocol.table.session.tournament, "referee")
    context = new_browser(**TABLET)
    sign_in(context, referee, site.url)
    one = Tablet(context.new_page(), protocol, admit=False)
    one.tap("more")
    one.page.get_by_role("button", name="Hands of this table").click()
    one.page.get_by_role("button", name="Correct hand 2").click()
    one.tap("event-0")
    one.tap("fans-3")
    one.tap("mode-over")
    one.tap("save")
    dialog = one.page.get_by_role("dialog")
    expect(dialog).to_contain_text("+7 → +13")
    one.agree()
    expect(dialog.get_by_role("alert")).to_contain_text("Give the reason in at least ten characters.")
    dialog.get_by_label("Why is it corrected?").fill("The kong was missed")
    one.agree()
    expect(one.page.get_by_text("Hand 2 is corrected.").first).to_be_visible()
    one.saved()
    assert sorted((hand.number, hand.status) for hand in protocol.hands.all()) == [
        (1, "in_force"), (2, "corrected"), (2, "in_force"), (3, "in_force"),
    ]  # fmt: skip
    assert one.totals()["E"] == 13


def sign_in(context, user, address):
    """Give the browser the session of a signed-in user."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    cookie = client.cookies["sessionid"]
    context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": address}])


# Without a connection


def win(winner, points, loser="N"):
    return {"events": [{"type": "win", "from": loser, "winners": [{"seat": winner, "fans": points}]}]}


def test_twenty_hands_without_connection_arrive_once_and_in_order(tablet):
    one = tablet("red")
    context = one.page.context
    ready_offline(one)
    context.set_offline(True)
    for points in range(10, 30):
        one.enter(win("ESW"[points % 3], points), "RED")
        one.save()
        if points in {14, 22}:
            one.open()
    assert one.unsent() == 20
    expect(one.page.locator(".connection")).to_contain_text("No connection · in the queue: 20")
    totals = one.totals()
    context.set_offline(False)
    expect(one.page.locator('[data-connection="online"][data-unsent="0"]')).to_be_visible(timeout=30_000)
    rows = hands_of(one.protocol)
    assert [row.facts["events"][0]["winners"][0]["fans"] for row in rows] == list(range(10, 30))
    assert {seat.wind: seat.hand_points for seat in one.protocol.table.seats.all()} == totals == one.totals()


def ready_offline(one):
    """Wait until the worker keeps the page."""
    one.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    kept = "caches.match(location.pathname.replace(/session-.*/, '')).then((kept) => Boolean(kept))"
    wait_for(lambda: one.page.evaluate(kept), "The page was not kept", 20)


FAULTS = ("fine", "lost", "portal", "doubled", "truncated", "fine", "dropped", "busy")


def test_answers_that_go_astray_lose_and_double_nothing(tablet):
    """Requests dropped, answers lost after the commit, a portal's page, half an answer, the same request twice."""
    one = tablet("red")
    faults = cycle(FAULTS)
    met = []

    def trouble(route):
        fault = next(faults)
        met.append(fault)
        if fault == "dropped":
            return route.abort()
        if fault == "portal":
            return route.fulfill(
                status=200, content_type="text/html", body="<h1>Welcome to the hall's Wi-Fi</h1>"
            )
        if fault == "busy":
            return route.fulfill(
                status=503,
                content_type="application/problem+json",
                body='{"code": "writes_paused", "title": ""}',
            )
        if fault == "doubled":
            route.fetch()
        answer = route.fetch()
        if fault == "lost":
            return route.abort()
        if fault == "truncated":
            return route.fulfill(response=answer, body=answer.body()[: len(answer.body()) // 2])
        return route.fulfill(response=answer)

    one.page.route("**/api/batch/", trouble)
    for points in range(10, 22):
        one.enter(win("ESW"[points % 3], points), "RED")
        one.save()
    expect(one.page.locator('[data-unsent="0"]')).to_be_visible(timeout=90_000)
    assert set(met) == set(FAULTS)
    assert [row.facts["events"][0]["winners"][0]["fans"] for row in hands_of(one.protocol)] == list(
        range(10, 22)
    )
    assert one.protocol.hands.count() == 12


WITHOUT = """
Object.defineProperty(navigator, "serviceWorker", { value: undefined });
Object.defineProperty(navigator, "locks", { value: undefined });
Object.defineProperty(navigator, "storage", { value: undefined });
Object.defineProperty(navigator, "wakeLock", { value: undefined });
delete Crypto.prototype.randomUUID;
Object.defineProperty(Crypto.prototype, "subtle", { value: undefined });
"""


def test_over_plain_http_an_open_page_queues_and_drains(new_browser):
    """What a browser takes away on http://192.168.… is taken away here. [DESIGN 7]"""
    context = new_browser(**TABLET)
    context.add_init_script(WITHOUT)
    one = Tablet(context.new_page(), protocol_of("red"))
    context.set_offline(True)
    for points in (11, 12, 13):
        one.enter(win("E", points), "RED")
        one.save()
    assert one.unsent() == 3
    context.set_offline(False)
    one.open()
    one.saved()
    assert [row.facts["events"][0]["winners"][0]["fans"] for row in hands_of(one.protocol)] == [11, 12, 13]


def test_two_windows_of_one_tablet_send_each_hand_once(tablet):
    one = tablet("red")
    context = one.page.context
    ready_offline(one)
    context.set_offline(True)
    for points in (11, 12, 13, 14, 15):
        one.enter(win("E", points), "RED")
        one.save()
    twin = context.new_page()
    twin.goto(one.address)
    twin.locator(".scoring-header").wait_for()
    sent, lost = [], []
    context.on("request", lambda request: sent.append(request) if request.url.endswith("/batch/") else None)
    context.on(
        "requestfailed", lambda request: lost.append(request) if request.url.endswith("/batch/") else None
    )
    context.set_offline(False)
    one.saved()
    assert one.protocol.hands.count() == 5
    arrived = [json.loads(request.post_data) for request in sent if request not in lost]
    assert sum(len(body["operations"]) for body in arrived) == 5


def test_undo_beside_a_message_takes_back_no_hand_of_another_window(tablet):
    one = tablet("red")
    one.enter(win("E", 11), "RED")
    one.save()
    message = one.page.locator(".scoring-message")
    expect(message.get_by_role("button", name="Undo")).to_be_visible()
    twin = one.page.context.new_page()
    other = Tablet(twin, one.protocol, admit=False)
    other.enter(win("S", 12), "RED")
    other.save()
    expect(one.page.locator('[data-focus="save"]')).to_contain_text("3")
    expect(message.get_by_role("button", name="Undo")).to_have_count(0)


def test_what_was_said_to_be_done_is_not_said_beside_a_conflict(tablet):
    one = tablet("red")
    one.page.context.set_offline(True)
    one.enter(win("E", 11), "RED")
    one.save()
    expect(one.page.locator(".scoring-message")).to_contain_text("Hand 1 is entered.")
    make.record(one.protocol, by=make.organizer_of(one.tournament), facts=win("S", 12))
    one.page.context.set_offline(False)
    expect(one.page.get_by_role("dialog")).to_contain_text(
        "Entries made since you looked: 1.", timeout=30_000
    )
    expect(one.page.locator(".scoring-message")).to_have_count(0)


def test_a_signed_off_tablet_keeps_what_it_has(tablet):
    one = tablet("red")
    one.page.context.set_offline(True)
    one.enter(win("E", 11), "RED")
    one.save()
    device = one.tournament.devices.get()
    devices.revoke_device(device, by=make.organizer_of(one.tournament))
    one.page.context.set_offline(False)
    expect(one.page.get_by_text("unsent hands stay here").first).to_be_visible(timeout=30_000)
    assert one.unsent() == 1
    assert Hand.objects.count() == 0


def test_a_tablet_admitted_anew_sends_what_it_had_kept(tablet):
    one = tablet("red")
    one.page.context.set_offline(True)
    one.enter(win("E", 11), "RED")
    one.save()
    devices.revoke_device(one.tournament.devices.get(), by=make.organizer_of(one.tournament))
    one.page.context.set_offline(False)
    one.page.get_by_role("link", name="Admit this tablet").click(timeout=30_000)
    invited = devices.invite_device(
        one.tournament, name="Red", tables=[], by=make.organizer_of(one.tournament)
    )
    one.page.get_by_label("Code").fill(invited.code)
    one.page.get_by_role("button", name="Admit").click()
    one.page.locator(".tablet-table").click()  # what was kept leads to the same table by a link of its own
    one.saved()
    assert len(hands_of(one.protocol)) == 1


@pytest.mark.once
def test_a_new_version_waits_until_it_is_asked_for(tablet, monkeypatch):
    one = tablet("red")
    ready_offline(one)
    one.seat("E")
    monkeypatch.setattr(tablet_worker, "_version", lambda: "0123456789ab")
    one.page.evaluate(
        "navigator.serviceWorker.getRegistration().then((registration) => registration.update())"
    )
    waiting = "navigator.serviceWorker.getRegistration().then((one) => Boolean(one.waiting))"
    wait_for(lambda: one.page.evaluate(waiting), "The new version did not come", 30)
    expect(one.page.locator("#prompt")).to_contain_text("From whom?")
    one.tap("clear-entry")
    one.tap("bring-back")
    one.tap("more")
    with one.page.expect_navigation():
        one.press("Start the new version of this screen")
    one.page.locator(".scoring-header").wait_for()
    assert one.page.locator("main").get_attribute("data-version") == "0123456789ab"
    expect(one.page.locator('[data-seat="E"]')).to_have_class("seat-panel is-winner")
    assert one.page.evaluate("caches.keys()") == ["tablet-0123456789ab"]


# Two tablets


def test_two_versions_of_a_hand_are_shown_and_a_person_chooses(tablet):
    one = tablet("mcr")
    other = tablet("mcr", of=one.protocol)
    one.page.context.set_offline(True)
    one.enter(win("E", 24, "S"), "MCR")
    one.save()
    other.enter(win("W", 30), "MCR")
    other.save()
    other.saved()
    one.page.context.set_offline(False)
    dialog = one.page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Somebody else has changed this table")).to_be_visible(
        timeout=30_000
    )
    expect(dialog).to_contain_text("30 points")
    expect(dialog).to_contain_text("24 points")
    dialog.get_by_role("button", name="It is another hand: record mine after it").click()
    one.saved()
    assert [row.facts["events"][0]["winners"][0]["fans"] for row in hands_of(one.protocol)] == [30, 24]


@pytest.mark.once
def test_a_version_set_aside_stays_readable_on_the_device(tablet):
    one = tablet("mcr")
    one.page.context.set_offline(True)
    one.enter(win("E", 24, "S"), "MCR")
    one.save()
    make.record(one.protocol, win("W", 30))
    one.page.context.set_offline(False)
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Set it aside for now").click(timeout=30_000)
    one.saved()
    assert len(hands_of(one.protocol)) == 1
    one.tap("connection")
    expect(dialog).to_contain_text("somebody must decide")


@pytest.mark.parametrize(("answer", "hands"), [("It is one hand", 1), ("It happened twice: record it", 2)])
def test_the_same_hand_at_once_again_asks_whether_it_is_meant(tablet, answer, hands):
    one = tablet("mcr")
    one.enter(win("E", 24, "S"), "MCR")
    one.save()
    one.enter(win("E", 24, "S"), "MCR")
    one.tap("save")
    dialog = one.page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="The same hand twice?")).to_be_visible()
    dialog.get_by_role("button", name=answer).click()
    one.page.wait_for_function(CLEARED)
    one.saved()
    assert len(hands_of(one.protocol)) == hands


def test_a_change_elsewhere_appears_by_itself(tablet):
    one = tablet("mcr")
    make.record(one.protocol, win("W", 30))
    expect(one.page.locator('[data-seat="W"] .seat-total')).to_have_text("54", timeout=30_000)


# Admission and calls


def test_a_typed_code_admits_and_leads_to_the_tables(new_browser):
    protocol = protocol_of("mcr")
    tournament = protocol.table.session.tournament
    invited = devices.invite_device(tournament, name="Red", tables=[], by=make.organizer_of(tournament))
    page = new_browser(**TABLET).new_page()
    page.goto(f"/{tournament.slug}/tablet/")
    page.get_by_label("Code").fill("wrong one")
    page.get_by_role("button", name="Admit").click()
    expect(page.get_by_role("alert")).to_contain_text("Ask the referee for a new code")
    page.get_by_label("Code").fill(invited.code.lower())
    page.get_by_role("button", name="Admit").click()
    page.get_by_role("link", name="Table 1").click()
    expect(page.locator(".seat-panel")).to_have_count(4)
    assert "#" not in page.url


@pytest.mark.once
def test_before_the_start_the_screen_shows_who_sits_where_and_no_places(tablet):
    of = make.tournament("riichi_ema")
    make.players(of, 4)
    rows = Protocol.objects.select_related("table__session__tournament")
    one = tablet(of=rows.get(table__session=make.seated(of)))
    shown = one.page.locator(".confirm-seat").all_inner_texts()
    assert len(shown) == 4
    assert all("30\u202f000" in text and "Place" not in text for text in shown)


def test_the_referee_is_called_and_the_call_is_shown(tablet):
    one = tablet("mcr")
    one.page.get_by_role("button", name="Referee: call to the table").click()
    expect(
        one.page.get_by_role("button", name="The referee is called; press to end the call")
    ).to_be_visible()
    one.protocol.table.refresh_from_db()
    assert one.protocol.table.called_at is not None


# What the device itself does


@pytest.mark.once
def test_unsent_hands_can_be_shown_as_text_and_as_codes(tablet):
    one = tablet("red")
    one.page.context.set_offline(True)
    for points in range(10, 18):
        one.enter(win("ESW"[points % 3], points), "RED")
        one.save()
    one.tap("connection")
    one.page.get_by_role("button", name="Show as text and QR").click()
    dialog = one.page.get_by_role("dialog")
    text = dialog.get_by_label("Unsent entries as text").input_value()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["facts"]["events"][0]["winners"][0]["fans"] for line in lines] == list(range(10, 18))
    assert {(line["session"], line["table"], line["operation"]) for line in lines} == {(1, 1, "hands")}
    codes = dialog.locator(".queue-code svg")
    assert codes.count() > 1
    assert all(box["width"] >= 150 for box in (code.bounding_box() for code in codes.all()))


WAKE = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => window.locks.push(kind) } });
"""


@pytest.mark.once
def test_the_screen_is_kept_awake_and_again_when_it_comes_back(new_browser):
    context = new_browser(**TABLET)
    context.add_init_script(WAKE)
    one = Tablet(context.new_page(), protocol_of("mcr"))
    assert one.page.evaluate("window.locks") == ["screen"]
    one.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert one.page.evaluate("window.locks") == ["screen", "screen"]


@pytest.mark.once
def test_the_screen_can_fill_the_tablet(tablet):
    one = tablet("mcr")
    for is_full in (True, False):
        one.tap("more")
        one.page.get_by_role("button", name="Full screen").click()
        one.page.wait_for_function(f"() => Boolean(document.fullscreenElement) === {str(is_full).lower()}")


LATE_CLOCK = "const now = Date.now; Date.now = () => now() + 20 * 60 * 1000;"


@pytest.mark.once
def test_a_wrong_clock_is_told_and_the_timer_goes_by_the_server(new_browser):
    context = new_browser(**TABLET)
    context.add_init_script(LATE_CLOCK)
    one = Tablet(context.new_page(), protocol_of("sbr"))
    expect(one.page.locator(".tablet-notice")).to_contain_text("The clock of this tablet is wrong.")
    minutes = int(one.page.locator(".clock").inner_text().partition(":")[0])
    assert minutes in {59, 60}


def test_a_second_tablet_at_the_table_is_told_to_both(new_browser):
    protocol = protocol_of("mcr")
    one = Tablet(new_browser(**TABLET).new_page(), protocol, name="Blue")
    other = Tablet(new_browser(**TABLET).new_page(), protocol, name="Red")
    told = other.page.locator(".scoring-message")
    expect(told).to_contain_text("Another tablet is at this table now: Blue.")
    one.page.evaluate("dispatchEvent(new Event('online'))")
    told = one.page.locator(".scoring-message")
    expect(told).to_contain_text("Another tablet is at this table now: Red.")


def test_slow_answers_hold_nothing_up(tablet):
    """No write is answered while hands go on being entered; then every request arrives, and each hand once and in order."""
    one = tablet("red")
    held = []
    one.page.route("**/api/batch/", lambda route: held.append(route))
    for points in range(10, 14):
        one.enter(win("ESW"[points % 3], points), "RED")
        one.save()
    assert one.unsent() == 4
    one.page.unroute("**/api/batch/")
    for route in held:
        with contextlib.suppress(Error):
            route.continue_()
    expect(one.page.locator('[data-unsent="0"]')).to_be_visible(timeout=30_000)
    fans = [row.facts["events"][0]["winners"][0]["fans"] for row in hands_of(one.protocol)]
    assert fans == [10, 11, 12, 13]


# How it looks and reads

AUDIT = """() => {
  const found = [];
  const entry = document.querySelector(".scoring-entry");
  if (entry && entry.scrollHeight > entry.clientHeight + 1) found.push(`scrolls: ${entry.scrollHeight} > ${entry.clientHeight}`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("scrolls sideways");
  for (const target of document.querySelectorAll("main button, main a, main input")) {
    const { width, height } = target.getBoundingClientRect();
    if (width && (width < 43.9 || height < 43.9)) found.push(`small: ${target.textContent} ${width}×${height}`);
  }
  return found;
}"""


def misfits(page, audit):
    """Look at the page as it stands in every size of window; return what is wrong in which."""
    found = {}
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if wrong := page.evaluate(audit):
            found[size] = wrong
    return found


@pytest.mark.once
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("preset", "seats"), [("sbr", 4), ("wmsg", 4), ("mcr", 4), ("siamese", 3), ("red", 4), ("riichi_ema", 4)]
)
def test_an_ordinary_hand_fits_the_screen_with_room_for_thumbs(tablet, preset, seats, language):
    one = tablet(preset, seats, locale=language)
    assert misfits(one.page, AUDIT) == {}
    one.seat("E")
    one.seat("S")
    one.tap({"fans": "fans-1", "han": "han-3", "points": "digit-9"}[one.page.evaluate(VALUE)])
    assert misfits(one.page, AUDIT) == {}


@pytest.mark.once
@pytest.mark.parametrize("preset", ["sbr", "wmsg", "riichi_ema"])
def test_the_check_of_all_four_hands_fits_too(tablet, preset):
    one = tablet(preset, locale="ru")
    one.tap("mode-over")
    assert misfits(one.page, AUDIT) == {}


DIALOG_AUDIT = """() => {
  const box = document.querySelector("dialog[open]");
  const found = box.scrollWidth > box.clientWidth + 1 ? ["scrolls sideways"] : [];
  for (const target of box.querySelectorAll("button, input, select, summary")) {
    const { width, height } = target.getBoundingClientRect();
    if (width && (width < 43.9 || height < 43.9)) found.push(`small: ${target.textContent} ${width}×${height}`);
  }
  return found;
}"""


@pytest.mark.once
def test_what_opens_above_the_screen_has_room_for_thumbs_too(tablet):
    one = tablet("mcr", locale="ru")
    one.seat("E")
    one.seat("S")
    dialog = one.page.locator("dialog[open]")
    one.tap("tiles")
    for code in ["m1", "m2", "m3", "p4", "p5", "p6", "s7", "s8", "s9", "m7", "m8", "p2", "p2", "m9"]:
        dialog.locator(f'[data-tile="{code}"]').tap()
    assert misfits(one.page, DIALOG_AUDIT) == {}
    dialog.locator(".tiles-set").first.tap()
    for name in ("", "fan-list", "more", "connection"):
        if name:
            one.tap(name)
            dialog.wait_for()
        assert misfits(one.page, DIALOG_AUDIT) == {}
        one.page.keyboard.press("Escape")
        dialog.wait_for(state="detached")


@pytest.mark.once
def test_a_waiting_hand_is_weighed_tile_by_tile(tablet):
    one = tablet("sbr")
    one.tap("mode-over")
    one.tap("weigh-S")
    dialog = one.page.get_by_role("dialog")
    for code in ["m1", "m1", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m9", "m9"]:
        dialog.locator(f'[data-tile="{code}"]').click()
    expect(dialog).to_contain_text("Waiting, at most 8")
    dialog.get_by_role("button", name="Take this").click()
    expect(one.page.locator('[data-focus="base-S-8"]')).to_have_attribute("aria-pressed", "true")


VALUE = """() => document.querySelector(".fan-counts") ? "fans" : document.querySelector(".han-counts") ? "han" : "points" """


def violations(page):
    page.evaluate(AXE)
    found = page.evaluate(
        "axe.run(document, { resultTypes: ['violations'], preload: false }).then((result) => result.violations)"
    )
    return [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found]


@pytest.mark.once
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_state_of_the_screen_is_accessible(new_browser, theme):
    protocol = protocol_of("sbr")
    context = new_browser(**TABLET, color_scheme=theme)
    page = context.new_page()
    slug = protocol.table.session.tournament.slug
    page.goto(f"/{slug}/tablet/")
    page.get_by_label("Code").wait_for()
    assert violations(page) == []
    one = Tablet(page, protocol)
    assert violations(page) == []
    one.enter({"events": [
        {"type": "kong", "seat": "N", "kind": "concealed"},
        {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 2}]},
    ], "end": {"S": {"state": "waiting", "max_base": 2}, "W": {"state": "pig_active"}, "N": {"state": "no_wait"}}}, "SBR")  # fmt: skip
    assert violations(page) == []
    one.save()
    one.saved()
    one.tap("undo")
    assert violations(page) == []
    page.keyboard.press("Escape")
    one.tap("more")
    assert violations(page) == []
    page.get_by_role("button", name="End of the session").click()
    one.agree()
    one.page.locator(".confirm-grid").wait_for()
    assert violations(page) == []


@pytest.mark.once
def test_a_hand_can_be_entered_from_the_keyboard(tablet):
    one = tablet("mcr")
    one.page.locator('[data-focus="seat-E"]').focus()
    one.page.keyboard.press("Enter")
    one.page.keyboard.press("Tab")
    one.page.keyboard.press("Enter")
    one.page.keyboard.type("24")
    one.page.locator('[data-focus="save"]').focus()
    one.page.keyboard.press("Enter")
    one.page.wait_for_function(CLEARED)
    one.saved()
    assert [row.payments for row in hands_of(one.protocol)] == [{"E": 48, "S": -32, "W": -8, "N": -8}]


@pytest.mark.once
def test_the_secret_leaves_the_address_at_once(new_browser):
    protocol = protocol_of("mcr")
    tournament = protocol.table.session.tournament
    page = new_browser(**TABLET).new_page()
    page.goto(f"/{tournament.slug}/tablet/#{invitation(tournament)}")
    page.get_by_role("heading", name=tournament.name).wait_for()
    assert page.evaluate("location.hash") == ""
    assert HistoryEntry.objects.filter(kind="device_admitted").count() == 1


@pytest.mark.once
def test_a_tablet_goes_on_to_the_other_event_once_all_is_sent(tablet):
    """[RULES 9.42]"""
    one = tablet("red")
    here = one.tournament
    there = protocol_of("sbr", by=here.created_by).table.session.tournament
    one.page.context.set_offline(True)
    one.enter(win("E", 11), "RED")
    one.save()
    by = make.organizer_of(here)
    moves.send_over(here.devices.get(), there, tables=[1], by=by)
    one.page.context.set_offline(False)
    expect(one.page.locator('[data-connection="online"][data-unsent="0"]')).to_be_visible(timeout=30_000)
    bar = one.page.get_by_text(f"The desk sends this tablet to “{there.name}”.")
    expect(bar).to_be_visible(timeout=30_000)
    one.page.context.set_offline(True)
    one.enter(win("S", 12), "RED")
    one.save()
    one.page.get_by_role("button", name="Go there").click()
    expect(one.page.get_by_text("once everything entered here is sent and settled")).to_be_visible()
    one.page.context.set_offline(False)
    expect(one.page.locator('[data-connection="online"][data-unsent="0"]')).to_be_visible(timeout=30_000)
    one.enter(win("E", 13), "RED")
    one.page.get_by_role("button", name="Go there").click()
    assert f"/{here.slug}/" in one.page.url
    one.save()
    expect(one.page.locator('[data-connection="online"][data-unsent="0"]')).to_be_visible(timeout=30_000)
    one.page.get_by_role("button", name="Go there").click()
    one.page.wait_for_url(f"**/{there.slug}/tablet/session-1/table-1/")
    assert hands_of(one.protocol)[1].facts["events"][0]["winners"][0]["fans"] == 12
    assert here.devices.get().revoked_at is not None
    assert there.devices.get().tables == [1]


@pytest.mark.once
def test_what_is_half_entered_keeps_a_tablet_at_the_list_of_tables(tablet):
    """[RULES 9.42]"""
    one = tablet("red")
    here = one.tournament
    there = protocol_of("sbr", by=here.created_by).table.session.tournament
    one.enter(win("E", 11), "RED")
    moves.send_over(here.devices.get(), there, tables=[1], by=make.organizer_of(here))
    one.page.goto(f"/{here.slug}/tablet/")
    expect(
        one.page.get_by_text(
            f"The desk sends this tablet to “{there.name}”. It can go to “{there.name}” once everything entered here is sent and settled."
        )
    ).to_be_visible()
    one.page.get_by_role("link", name="Session 1, table 1").click()
    expect(one.page.locator(".seat-panel.is-winner")).to_be_visible()
    one.page.goto(f"/{here.slug}/tablet/")
    one.page.get_by_role("button", name="Go there without it").click()
    one.page.wait_for_url(f"**/{there.slug}/tablet/session-1/table-1/")
    assert there.devices.get().tables == [1]
    assert not hands_of(one.protocol)


@pytest.mark.once
def test_half_entered_final_points_keep_a_tablet_at_its_table(tablet):
    """[RULES 9.42]"""
    one = tablet("riichi_festival")
    here = one.tournament
    there = protocol_of("sbr", by=here.created_by).table.session.tournament
    one.page.locator('[data-focus="final-E"]').fill("41000")
    moves.send_over(here.devices.get(), there, tables=[1], by=make.organizer_of(here))
    press = one.page.get_by_role("button", name="Go there")
    press.click(timeout=30_000)
    expect(one.page.get_by_text("once everything entered here is sent and settled")).to_be_visible()
    one.page.locator('[data-focus="final-E"]').fill("")
    press.click()
    one.page.wait_for_url(f"**/{there.slug}/tablet/session-1/table-1/")


@pytest.mark.once
def test_a_tablet_at_the_list_of_tables_goes_on_by_itself(new_browser):
    """[RULES 9.42]"""
    here = protocol_of("red").table.session.tournament
    there = protocol_of("sbr", by=here.created_by).table.session.tournament
    page = new_browser(**TABLET).new_page()
    page.goto(f"/{here.slug}/tablet/#{invitation(here)}")
    page.get_by_role("heading", name=here.name).wait_for()
    moves.send_over(here.devices.get(), there, tables=[], by=make.organizer_of(here))
    page.get_by_role("heading", name=there.name).wait_for(timeout=30_000)
    assert page.evaluate("location.hash") == ""
    assert there.devices.get().name == here.devices.get().name


@pytest.mark.once
def test_a_tablet_that_cannot_arrive_finds_the_way_back_and_tries_again(new_browser):
    """[RULES 9.42]"""
    here = protocol_of("red").table.session.tournament
    there = protocol_of("sbr", by=here.created_by).table.session.tournament
    page = new_browser(**TABLET).new_page()
    page.goto(f"/{here.slug}/tablet/#{invitation(here)}")
    page.get_by_role("heading", name=here.name).wait_for()
    page.route(f"**/{there.slug}/api/admission/", lambda route: route.abort())
    moves.send_over(here.devices.get(), there, tables=[], by=make.organizer_of(here))
    expect(page.get_by_text("No connection. Try again when it is back.")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("link", name="Back to the other event")).to_be_visible()
    assert here.devices.get().revoked_at is None
    page.unroute(f"**/{there.slug}/api/admission/")
    page.reload()
    page.get_by_role("heading", name=there.name).wait_for(timeout=30_000)
