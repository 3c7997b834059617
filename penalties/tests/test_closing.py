"""Closing over an open appeal: the desk says so, and whoever closes gives a reason. [SBR 2.9]"""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Grounds
from penalties.ladder.operations import penalties
from penalties.lateness import operations as lateness_operations
from penalties.tests import factories as judge
from tournaments.models import HistoryEntry, Protocol, Session, Tournament
from tournaments.record import history
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.sessions.operations.tournaments import close_tournament, reopen_tournament
from tournaments.standings.operations import adjustments
from tournaments.standings.operations.adjustments import Entry
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
WHY = "The committee meets after dinner."


@pytest.fixture
@remembered
def session():
    """A session of one, all tables settled, with an open appeal about it."""
    of = make.tournament("sbr", sessions=2)
    make.players(of, 4)
    row = make.in_play(of)
    row.tournament = of
    for protocol in Protocol.objects.filter(table__session=row).select_related("table__session__tournament"):
        make.record(protocol)
    judge.appeal(judge.give(judge.seat(row, "E"), "touching", row))
    make.settle(row)
    return row


def desk(session, name="desk"):
    client = Client()
    client.force_login(session.tournament.created_by)
    return client, reverse(f"tournaments:{name}", args=[session.tournament.slug])


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def last_entry(kind):
    return history.read(HistoryEntry.objects.get(kind=kind).content)


def close(session, **said):
    return play.close_session(session, by=make.organizer_of(session.tournament), **said)


@pytest.mark.parametrize(("reason", "code"), [("", "appeals_open"), ("Well.", "reason_length")])
def test_a_session_is_not_closed_over_an_open_appeal_without_a_reason(session, reason, code):
    assert refused(lambda: close(session, reason=reason)) == [code]
    assert Session.objects.get(pk=session.pk).state == "open"


def test_the_reason_and_the_appeals_stand_in_the_history(session):
    close(session, reason=WHY)
    told = last_entry("session_closed")
    assert (told["reason"], told["data"]["open_appeals"]) == (WHY, [1])


def test_an_appeal_about_another_session_stops_nobody(session):
    of = session.tournament
    close(session, reason=WHY)
    later = make.in_play(of, 2)
    make.settle(later)
    assert close(later).state == "closed"


@pytest.mark.parametrize("end", ["upheld", "dismissed", "withdrawn"])
def test_a_decided_appeal_stops_nobody(session, end):
    of = session.tournament
    appeal = of.appeals.get()
    if end == "withdrawn":
        appeals_operations.withdraw_appeal(appeal, by=judge.link_actor(appeal.player.registration))
    else:
        appeals_operations.decide(appeal, end, judge.LONG, body="chief_referee", by=judge.judge(of))
    assert close(session).state == "closed"


def test_an_event_is_not_closed_over_an_open_appeal_without_a_reason(session):
    of = session.tournament
    close(session, reason=WHY)
    assert refused(lambda: close_tournament(of, by=make.organizer_of(of))) == ["appeals_open"]
    assert Tournament.objects.get(pk=of.pk).state == "running"
    assert close_tournament(of, by=make.organizer_of(of), reason=WHY).state == "closed"
    assert last_entry("tournament_closed")["data"] == {"open_appeals": [1]}


def test_a_ruling_after_the_end_still_takes_effect(session):
    """A closed session, and a closed event, wait for nobody but the appeal. [SBR 2.9.5]"""
    of = session.tournament
    judge.give(judge.seat(session, "E"), "touching", session)
    close(session, reason=WHY)
    close_tournament(of, by=make.organizer_of(of), reason=WHY)
    appeals_operations.decide(
        of.appeals.get(), "upheld", judge.LONG, body="chief_referee", by=judge.judge(of)
    )
    assert [row.game_points for row in of.adjustments.filter(reversed_at=None)] == []


def test_a_disqualification_is_not_approved_in_a_finished_event_but_by_the_committee(session):
    """[INTEGRITY 119]"""
    of = session.tournament
    row = judge.give(judge.seat(session, "S"), "unsporting", effect="disqualification", by=judge.judge(of))
    close(session, reason=WHY)
    close_tournament(of, by=make.organizer_of(of), reason=WHY)
    assert refused(lambda: penalties.approve(row, by=judge.judge(of, "referee"))) == ["event_finished"]
    assert penalties.approve(row, by=judge.judge(of, "committee")).state == "in_force"


def form_with(shown, action):
    """The form that leads to an address, whole or by one of its buttons."""
    before, _, after = shown.partition(f'action="{action}"')
    return before.rpartition("<form")[2] + after.partition("</form>")[0]


@pytest.mark.parametrize("name", ["desk", "sessions"])
def test_the_desk_names_the_appeal_and_asks_for_the_reason(session, name):
    client, page = desk(session, name)
    shown = client.get(page).content.decode()
    assert reverse("penalties:appeal", args=[session.tournament.slug, 1]) in shown
    closing = reverse("tournaments:close_session", args=[session.tournament.slug, 1])
    assert 'name="reason" required' in form_with(shown, closing)
    client.post(closing, {"reason": ""})
    assert "Appeals not decided yet: 1." in client.get(page).content.decode()
    client.post(closing, {"reason": WHY})
    assert Session.objects.get(pk=session.pk).state == "closed"


def test_the_end_of_the_event_asks_for_the_reason_and_says_until_when_appeals_come(session):
    closed = close(session, reason=WHY)
    session.tournament.sessions.filter(number=2).delete()
    client, page = desk(session)
    shown = client.get(page).content.decode()
    of = session.tournament
    until = timezone.localtime(closed.ended_at + timedelta(minutes=30), of.zone)
    assert f"can still be filed until {until:%H:%M}." in shown
    closing = reverse("tournaments:close", args=[of.slug])
    assert 'name="reason" required' in shown.partition(f'action="{closing}"')[2].partition("</form>")[0]
    client.post(closing, {"reason": WHY})
    assert Tournament.objects.get(pk=of.pk).state == "closed"


def test_a_scorer_reads_of_the_appeal_and_is_led_nowhere(session):
    client, page = desk(session)
    client.force_login(make.staff(session.tournament, "scorer"))
    shown = client.get(page).content.decode()
    assert "Appeal no. 1" in shown
    assert reverse("penalties:appeal", args=[session.tournament.slug, 1]) not in shown


def test_the_page_of_substitutes_says_that_nobody_was_replaced_once_the_session_is_closed(session):
    page = reverse("penalties:substitutes_session", args=[session.tournament.slug, session.number])
    client, _ = desk(session)
    before = client.get(page).content.decode()

    close(session, reason=WHY)

    assert "Nobody was replaced" not in before
    assert "Nobody was replaced" in client.get(page).content.decode()


FINISHED = "The event is finished: nothing is entered here any more."
FORMS = {
    "give_any": (),
    "give": (1, 1),
    "penalty": (2,),
    "adjustments": (),
    "substitutes": (),
    "change_lateness": (),
}


@pytest.fixture
@remembered
def finished(session):
    """A finished event with a penalty, a late player, a line by decision, and an open appeal."""
    of = session.tournament
    judge.give(judge.seat(session, "S"), "touching", session)
    (late,) = lateness_operations.mark_late(session, [judge.seat(session, "W")], by=judge.judge(of))
    lateness_operations.note_arrival(late, by=judge.judge(of))
    entry = Entry(player=judge.seat(session, "N"), session=session, game_points=-4, reason="Said at the desk")
    adjustments.post(of, entry, by=judge.judge(of))
    judge.judge(of, "committee")
    close(session, reason=WHY)
    close_tournament(of, by=make.organizer_of(of), reason=WHY)
    of.refresh_from_db()
    return session


def judging(session, *roles):
    """A browser of somebody who works at the event, and how its judges' pages are read."""
    of = session.tournament
    who = make.user()
    judge.judge(of, *(roles or ("organizer", "chief_referee", "referee")), who=who)
    client = Client()
    client.force_login(who)
    late = judge.seat(session, "W").registration.number

    def page(name, *args):
        args = (1, late) if name == "change_lateness" else args
        address = reverse(f"penalties:{name}", args=[of.slug, *args])
        return client.get(address, {"seat": "E"} if name == "give" else {}).content.decode()

    return client, page


def forms_of(shown):
    """What a page lets one send, beside language and theme."""
    main = shown.partition('<main id="content"')[2].partition("</main>")[0]
    return main.count('method="post"')


@pytest.mark.parametrize("name", FORMS)
def test_judges_forms_of_a_finished_event_are_absent_and_say_why(finished, name):
    _, page = judging(finished)
    shown = page(name, *FORMS[name])
    assert (forms_of(shown), FINISHED in shown) == (0, True)
    reopen_tournament(finished.tournament, by=make.organizer_of(finished.tournament), reason=WHY)
    shown = page(name, *FORMS[name])
    assert (forms_of(shown) > 0, FINISHED in shown) == (True, False)


def test_judging_of_a_finished_event_leads_to_no_form(finished):
    of = finished.tournament
    _, page = judging(finished)
    ways = ["Lateness clock", "Penalty at a table", "Penalty outside a table"]
    assert [way in page("judging") for way in ways] == [False] * 3
    assert FINISHED in page("judging")
    reopen_tournament(of, by=make.organizer_of(of), reason=WHY)
    assert [way in page("judging") for way in ways] == [True] * 3


def test_the_committee_still_gives_penalties_in_a_finished_event(finished):
    """[INTEGRITY 119]"""
    _, page = judging(finished, "referee", "committee")
    assert forms_of(page("give_any")) == 1
    assert forms_of(page("adjustments")) == 0


def test_what_was_typed_while_the_event_was_closed_is_not_lost(finished):
    of = finished.tournament
    client, _ = judging(finished)
    typed = {
        "seat": judge.seat(finished, "E").pk,
        "offence": "touching",
        "reason": "Twice in one hand",
        "key": "k" * 16,
    }
    answer = client.post(reverse("penalties:give_any", args=[of.slug]), typed)
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "Twice in one hand" in shown
    assert "The event is finished; use a committee decision." in shown


def test_no_line_by_decision_is_reversed_in_a_finished_event(finished):
    of = finished.tournament
    row = of.adjustments.get(origin="desk")
    row.tournament = of
    assert refused(lambda: adjustments.reverse(row, by=judge.judge(of), reason=WHY)) == ["event_finished"]
    reopen_tournament(of, by=make.organizer_of(of), reason=WHY)
    assert adjustments.reverse(row, by=judge.judge(of), reason=WHY).game_points == 4


def test_nobody_is_put_into_the_pool_of_a_finished_event(finished):
    assert refused(lambda: judge.substitute(finished.tournament)) == ["event_finished"]


def test_papers_handed_in_in_time_are_entered_after_the_end(finished):
    """What counts is when the paper was handed in, so the desk enters papers whenever it comes to it. [SBR 2.9.2] [RULES 8.53]"""
    of = finished.tournament
    _, page = judging(finished)
    new = reverse("penalties:new_appeal", args=[of.slug])
    assert (new in page("appeals"), forms_of(page("new_appeal"))) == (True, 1)
    Session.objects.filter(pk=finished.pk).update(ended_at=timezone.now() - timedelta(minutes=31))
    shown = page("new_appeal")
    assert (forms_of(shown), 'name="handed_in_at"' in shown) == (1, True)


def test_a_ruling_after_the_end_offers_no_change_of_hands(finished):
    of = finished.tournament
    grounds = Grounds(
        session=finished,
        player=judge.seat(finished, "N"),
        text=judge.LONG,
        table=finished.tables.get(number=1),
        hand=1,
    )
    row = appeals_operations.file_appeal(of, grounds, by=judge.judge(of), key="a" * 16)
    _, page = judging(finished)
    shown = page("decide", row.number)
    assert ('name="void_hand"' in shown, 'name="points_E"' in shown) == (False, True)
    assert "change only once the event is reopened" in shown
    reopen_tournament(of, by=make.organizer_of(of), reason=WHY)
    assert 'name="void_hand"' in page("decide", row.number)


def test_a_player_reads_in_one_notice_until_when_appeals_are_taken(session):
    of, player = session.tournament, judge.seat(session, "E")
    address = reverse("penalties:file_own", args=[of.slug, link_of(player.registration)])
    close(session, reason=WHY)
    later = make.in_play(of, 2)
    shown = Client().get(address).content.decode()
    until = timezone.localtime(Session.objects.get(pk=session.pk).ended_at + timedelta(minutes=30), of.zone)
    assert shown.count('<div class="notice') == 1
    assert "Session 2: now and for 30 minutes after the end of the session" in shown
    assert f"Session 1: until {until:%H:%M}" in shown
    over = timezone.now() - timedelta(minutes=31)
    Session.objects.filter(pk__in=[session.pk, later.pk]).update(ended_at=over)
    of.penalties.update(given_at=over)
    shown = Client().get(address).content.decode()
    assert (shown.count('<div class="notice'), forms_of(shown)) == (0, 0)
    assert "Nothing can be appealed now" in shown
    assert "while its session is played and for 30 minutes after its end." in shown


def test_judging_shows_what_is_done_and_keeps_the_rest_in_one_menu(session):
    of = session.tournament
    _, page = judging(session)
    shown = page("judging")
    row = shown.partition('<div class="row spread">')[2].partition("</div>")[0]
    told = [strip_tags(one).strip() for one in re.findall(r"<a .*?</a>", row, re.DOTALL)]
    assert told == ["Lateness clock", "Referee's phone", "Penalty at a table", "Penalty outside a table"]
    panel = shown.rpartition('class="popover-panel"')[2].partition("</div>")[0]
    names = [
        reverse(f"penalties:{name}", args=[of.slug])
        for name in ("substitutes", "adjustments", "statistics", "sanctions", "printer")
    ]
    assert re.findall(r'<a href="([^"]+)"', panel) == names
