"""A day of a referee in a browser: late player, substitute, arrival, the ladder, an appeal; standings right at every step."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from config.tests.tablet_driver import Tablet
from config.tools.smoke import pages
from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Grounds, Order
from penalties.lateness import operations as lateness_operations
from penalties.tests import factories as judge
from tournaments.models import Protocol, Session
from tournaments.sessions.operations import play
from tournaments.standings.operations import adjustments
from tournaments.standings.operations.adjustments import Entry
from tournaments.standings.operations.recompute import recompute_all
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def signed_in(new_browser, site, who):
    """Open a browser in which somebody is signed in."""
    client = Client()
    client.force_login(who)
    context = new_browser()
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site.url}])
    return context.new_page()


def result_of(session: Session, player) -> tuple:
    """What the standings say of a player's session: kind, GP, TP."""
    recompute_all(session.tournament)
    (row,) = session.tournament.standings.get(player=player).results
    return row["kind"], row["game_points"], row["tournament_points"]


def test_from_a_late_player_to_an_upheld_appeal(site, new_browser):
    """[SBR 2.8.2] [SBR 2.8.4.5] [SBR 2.9.2] [RULES 8.35] [RULES 8.38]"""
    of = make.tournament("sbr")
    make.players(of, 8)
    mira = judge.substitute(of)
    session = make.in_play(of)
    session.tournament = of
    late, offender = judge.seat(session, "E"), judge.seat(session, "S")
    began = timezone.now() - timedelta(minutes=15, seconds=30)
    Session.objects.filter(pk=session.pk).update(started_at=began)
    page = signed_in(new_browser, site, make.staff(of, "chief_referee"))

    # Late: the minutes run, and beyond the limit nobody waits any longer.
    page.goto(f"/{of.slug}/desk/judging/")
    page.get_by_role("link", name="Lateness clock").click()
    page.get_by_label(str(late), exact=False).check()
    page.get_by_role("button", name="Start their lateness clock").click()
    page.get_by_text("too late to play: seat a substitute").wait_for()
    page.get_by_role("link", name="Substitute", exact=True).click()
    page.get_by_label("Substitute").select_option(str(mira.pk))
    page.get_by_label("Reason").first.fill("More than fifteen minutes late.")
    page.get_by_role("button", name="Seat", exact=True).click()
    page.get_by_text("Mira plays from hand 1").wait_for()

    # The arrival is noted; the result stays fixed.
    page.goto(f"/{of.slug}/desk/lateness/session-1/")
    page.get_by_role("button", name="Here now").click()
    page.get_by_text("fixed result, somebody else or nobody plays").wait_for()
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol, make.east_from_south(2))
    assert result_of(session, late) == ("fixed", 0, 0)
    before = result_of(session, offender)

    # Two taps for each offence, up to the fourth step.
    for step, taken in ((1, 0), (2, 2), (3, 4), (4, 8)):
        page.goto(f"/{of.slug}/desk/tables/1/1/")
        page.get_by_role("link", name=str(offender)).first.click()
        page.get_by_role("heading", name=f"Next step: {step} of 7").wait_for()
        page.get_by_role("button", name="Claim later than 3 seconds").click()
        page.get_by_text(f"Step {step};").wait_for()
        assert result_of(session, offender)[:2] == ("played", before[1] - taken)

    # The player appeals against the fourth by private link.
    make.settle(session)
    play.close_session(Session.objects.get(pk=session.pk), by=make.organizer_of(of))
    own = new_browser().new_page()
    own.goto(f"/{of.slug}/me/{link_of(offender.registration)}/")
    own.get_by_text("step 4 of 7").wait_for()
    own.get_by_role("link", name="Appeal a referee's decision").click()
    own.get_by_label("Against").select_option("penalty-4")
    own.get_by_label("What is wrong").fill("The claim came in time: all three others heard it.")
    own.get_by_label("Photos and documents").set_input_files(
        {"name": "table.png", "mimeType": "image/png", "buffer": judge.png()}
    )
    own.get_by_role("button", name="File the appeal").click()
    own.get_by_role("heading", name="Appeal no. 1", exact=True).wait_for()
    assert result_of(session, offender)[1] == before[1] - 8

    # The chief referee upholds it: the penalty is gone, the third step stays.
    page.goto(f"/{of.slug}/desk/appeals/")
    page.get_by_role("link", name="Appeal no. 1").click()
    page.get_by_role("link", name="Rule on it").click()
    page.get_by_label("Upheld").check()
    page.get_by_label("Reasons").fill("All three others confirm that the claim was in time.")
    page.get_by_role("button", name="Rule", exact=True).click()
    page.get_by_text("The ruling stands.").wait_for()
    assert result_of(session, offender) == ("played", before[1] - 4, before[2])
    assert result_of(session, late) == ("fixed", 0, 0)
    own.reload()
    own.get_by_text("All three others confirm").wait_for()


PAGES = (
    "desk/judging/",
    "desk/penalties/",
    "desk/penalties/statistics/",
    "desk/penalties/give/",
    "desk/penalties/session-1/table-1/",
    "desk/penalties/session-1/table-1/?seat=E",
    "desk/penalties/1/",
    "desk/adjustments/",
    "desk/lateness/session-1/",
    "desk/substitutes/",
    "desk/substitutes/session-1/",
    "desk/appeals/",
    "desk/appeals/new/",
    "desk/appeals/1/",
    "desk/appeals/1/decide/",
    "desk/appeals/1/print/",
    "desk/appeals/1/receipt/",
    "desk/appeals/2/",
    "desk/appeals/2/print/",
    "desk/",
    "desk/sessions/",
    "desk/tables/1/1/",
)


def judged_event():
    """An event in play with something on every page of the judges, and names that hardly fit."""
    of = make.tournament("sbr", entry_fee="10")
    make.players(of, 7)
    of.players.filter(registration__isnull=False).update(name="Константинопольская-Преображенская Анна")
    judge.substitute(of)
    session = make.in_play(of)
    session.tournament = of
    for protocol in Protocol.objects.filter(table__session=session, table__number=1).select_related(
        "table__session__tournament"
    ):
        make.record(protocol)
    by, first = make.organizer_of(of), judge.seat(session, "E")
    for _ in range(2):
        judge.give(first, "touching", session)
    lateness_operations.mark_late(
        session, [judge.seat(session, "S"), judge.seat(session, "W")], by=make.referee_of(of)
    )
    lateness_operations.note_arrival(session.latenesses.first(), by=make.referee_of(of))
    appeal = judge.appeal(of.penalties.get(number=2), files=[("photo.png", judge.png())])
    appeals_operations.take_deposit(appeal, by=by)
    table = session.tables.get(number=1)
    grounds = Grounds(session=session, player=first, text=judge.LONG, table=table, hand=1)
    struck = appeals_operations.file_appeal(
        of, grounds, by=judge.link_actor(first.registration), key="appeal-against-a-hand"
    )
    appeals_operations.take_deposit(struck, by=by)
    chief, seen = judge.judge(of), Protocol.objects.get(table=struck.table).version
    order = Order(void_hand=1, void_seen=seen)
    appeals_operations.decide(struck, "upheld", judge.LONG, body="chief_referee", by=chief, order=order)
    entry = Entry(player=first, session=session, game_points=4, reason="A hand was counted wrongly.")
    adjustments.post(of, entry, by=make.chief_referee_of(of))
    return of, link_of(first.registration)


@pytest.mark.once
@pytest.mark.parametrize(("size", "theme", "language"), [("phone", "light", "ru"), ("laptop", "dark", "en")])
def test_pages_of_the_judges_are_fit_for_everybody(site, new_browser, size, theme, language):
    """No page is wider than its window, complains in the console or breaks a rule that axe knows."""
    of, link = judged_event()
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    context = new_browser(**pages.context_options({"size": size, "theme": theme, "language": language}))
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site.url}
    context.add_cookies([cookie])
    page = context.new_page()
    own = (f"me/{link}/", f"me/{link}/judging/", f"me/{link}/appeal/", f"me/{link}/appeal/1/")
    faults = []
    for address in (*PAGES, *own):
        answer = page.goto(f"/{of.slug}/{address}")
        found = [*pages.faults_of(page, with_axe=True), *([answer.status] if answer.status != 200 else [])]
        faults += [(address, fault) for fault in found]
    assert not faults, "\n".join(f"{one[0]}: {one[1]}" for one in faults)


@pytest.mark.once
def test_three_courses_of_a_ruling_fit_on_a_phone_in_russian(site, new_browser):
    """[SBR 2.9.5]"""
    of = make.tournament("sbr")
    make.players(of, 8)
    session = make.in_play(of)
    session.tournament = of
    make.record(
        Protocol.objects.select_related("table__session__tournament").get(table=session.tables.get(number=1))
    )
    judge.appeal(judge.give(judge.seat(session, "W"), "beyond_ladder", session, points=8))
    options = pages.context_options({"size": "phone", "theme": "dark", "language": "ru"})
    page = signed_in(lambda: new_browser(**options), site, make.staff(of, "chief_referee"))
    page.goto(f"/{of.slug}/desk/appeals/1/decide/")
    page.locator(".chips label", has_text="Удовлетворена").click()
    page.locator('[name="instead"]').select_option("warning")
    page.locator('[name="look"]').click()
    expect(page.locator(".courses thead th")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_table_is_asked_to_confirm_the_places_that_the_standings_will_have(site, new_browser):
    """The points to confirm are those of the hands; beside them stands what the judges took. [RULES 8.36]"""
    of = make.tournament("sbr")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    make.record(protocol, make.east_from_south(2))
    protocol.refresh_from_db()
    protocols.end_protocol(protocol, intent=make.intent(protocol), by=make.organizer_of(of))
    page = signed_in(new_browser, site, make.staff(of, "chief_referee"))
    page.goto(f"/{of.slug}/tablet/session-1/table-1/")
    east = page.get_by_role("button", name=str(judge.seat(session, "E")))
    east.get_by_text("Place 1 at this table").wait_for()
    judge.give(judge.seat(session, "E"), "phone", session, points=6)
    page.reload()
    east.get_by_text("Judges: −6").wait_for()
    assert "+4" in east.inner_text()
    east.get_by_text("Place 3 at this table").wait_for()
    page.get_by_text("The places count what the judges took or gave as well.").wait_for()


def test_three_go_on_from_the_removal_to_the_closed_session(site, new_browser):
    """The referee removes, the tablet plays on without the seat, and those confirm who stayed. [RULES 8.55] [SBR 3.1.2]"""
    protocol = make.protocol("red")
    session = protocol.table.session
    of, south = session.tournament, judge.seat(session, "S")
    make.record(protocol, {"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 10}]}]})
    tablet = Tablet(new_browser(viewport={"width": 1180, "height": 820}, has_touch=True).new_page(), protocol)
    desk = signed_in(new_browser, site, make.staff(of, "chief_referee"))

    desk.goto(f"/{of.slug}/desk/penalties/session-1/table-1/?seat=S")
    desk.get_by_label("Offence").select_option("unsporting")
    desk.get_by_label("What follows").select_option("removal")
    desk.get_by_label("What happened").fill("Struck another player at the table.")
    desk.get_by_role("button", name="Give the penalty").click()
    desk.get_by_text("From hand 2 on nobody plays in that seat at table 1").wait_for()

    left = tablet.page.locator("[data-seat=S]")
    expect(left).to_contain_text("Has left", timeout=20_000)
    expect(left).to_contain_text("−10")
    tablet.enter({"events": [{"type": "win", "winners": [{"seat": "W", "fans": 6}]}]}, "RED")
    assert tablet.amounts() == {"E": -6, "S": 0, "W": 12, "N": -6}
    tablet.save(is_next=True)
    tablet.saved()
    tablet.tap("more")
    tablet.page.get_by_role("button", name="End of the session").click()
    tablet.agree()
    for wind in "EWN":
        tablet.tap(f"confirm-{wind}")
    expect(tablet.page.get_by_role("heading", name="All have confirmed")).to_be_visible()
    tablet.saved()
    play.close_session(Session.objects.get(pk=session.pk), by=make.organizer_of(of))
    page = new_browser().new_page()
    page.goto(f"/{of.slug}/session-1/table-1/")
    page.get_by_text(f"{south} left the table after hand 1").wait_for()
    assert result_of(session, judge.seat(session, "W"))[1:] == (12, 4)
