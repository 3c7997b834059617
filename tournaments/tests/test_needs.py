"""What needs the desk now: one ranked list, each line with the press that answers it. [RULES 9.18]"""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from penalties.appeals.operations import declare_conflict
from penalties.lateness import operations as lateness
from penalties.tests import factories as judge
from tournaments.models import Device, Mail, Protocol, Registration, Session, Table, Tournament
from tournaments.people.operations import registration
from tournaments.sessions.operations import play
from tournaments.sessions.queries import seated_tables
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.tests.presses import press

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(client):
    """Eight players in play; whoever is at the desk has every role, as a small club's organizer has."""
    tournament = make.tournament()
    make.players(tournament, 8)
    make.in_play(tournament)
    for role in ("chief_referee", "scorer"):
        judge.judge(tournament, role, who=tournament.created_by)
    client.force_login(tournament.created_by)
    return tournament


def shown(client, event):
    page = client.get(reverse("tournaments:desk", args=[event.slug]))
    text = page.content.decode()
    start = text.find('<section class="needs"')
    return page, " ".join(
        strip_tags(text[start : text.index("</section>", start)]).split()
    ) if start > 0 else ""


def codes(page):
    return [one["need"].code for one in page.context["needs"]]


def table(event, number=1):
    return Table.objects.select_related("session__tournament", "protocol").get(
        session__tournament=event, number=number
    )


def test_when_nothing_waits_the_desk_says_so(client, event):
    assert "Nothing: nobody calls, every table gets on" in shown(client, event)[1]


def test_a_call_is_answered_by_one_press_on_the_desk(client, event):
    play.call_referee(table(event), by=make.scorer_of(event))
    page, said = shown(client, event)
    assert "Table 1 calls the referee." in said
    page = press(client, page, "On the way: Table 1 calls the referee.")
    assert page.request["PATH_INFO"] == reverse("tournaments:desk", args=[event.slug])
    assert shown(client, event)[0].context["needs"] == []


def test_minutes_that_run_are_stopped_by_one_press(client, event):
    session = Session.objects.get(tournament=event, number=1)
    session.tournament = event
    player = judge.seat(session, "E")
    lateness.mark_late(session, [player], by=make.chief_referee_of(event))
    page, said = shown(client, event)
    assert f"{player} is awaited at table 1, and the minutes run." in said
    press(client, page, f"Here now: {player} is awaited at table 1, and the minutes run.")
    assert codes(shown(client, event)[0]) == []


def test_tables_that_are_late_silent_or_behind_are_named(client, event):
    now = timezone.now()
    Session.objects.filter(tournament=event, number=1).update(started_at=now - timedelta(minutes=20))
    Protocol.objects.filter(table=table(event, 2)).update(changed_at=now)
    assert "Table 1 has entered nothing for a while." in shown(client, event)[1]
    for _ in range(6):
        make.record(table(event, 2).protocol)
    Protocol.objects.filter(table=table(event)).update(changed_at=now)
    assert "Table 1 is behind: hands played 0, elsewhere 3." in shown(client, event)[1]
    Session.objects.filter(tournament=event, number=1).update(started_at=now - timedelta(hours=5))
    assert codes(shown(client, event)[0]) == ["late_table", "late_table"]


def test_points_that_do_not_add_up_come_before_what_can_wait(client, event):
    Session.objects.filter(tournament=event).update(started_at=timezone.now() - timedelta(minutes=20))
    table(event).seats.filter(wind="E").update(hand_points=5)
    page, said = shown(client, event)
    assert codes(page) == ["unbalanced", "silent", "silent"]
    assert "Table 1: the points do not add up." in said


def test_a_fine_that_nobody_receives_is_no_fault_in_the_points(client, event):
    """A pig pays 48 to nobody: the desk called the referee to every such table until the session was closed. [SBR 2.7.4]"""
    waits = {seat: {"state": "no_wait"} for seat in "SWN"}
    make.record(table(event).protocol, {"events": [], "end": {"E": {"state": "pig_active"}, **waits}})
    assert sum(seat.hand_points for seat in table(event).seats.all()) == -48
    assert codes(shown(client, event)[0]) == []
    table(event).seats.filter(wind="E").update(hand_points=-40)
    assert codes(shown(client, event)[0]) == ["unbalanced"]


def test_who_has_not_confirmed_is_named_and_an_objection_is_a_dispute(client, event):
    protocol = table(event).protocol
    make.record(protocol)
    protocols.end_protocol(protocol, intent=make.intent(protocol), by=make.organizer_of(event))
    page, said = shown(client, event)
    assert codes(page) == ["unconfirmed"]
    assert said.count(",") >= 3
    by = judge.link_actor(table(event).seats.get(wind="S").player.registration)
    protocols.note_objection(protocol, "S", text="East had no win.", intent=make.intent(protocol), by=by)
    assert codes(shown(client, event)[0]) == ["calling", "disputed"]


def test_hands_that_a_tablet_holds_are_named(client, event):
    long_ago = timezone.now() - timedelta(minutes=9)
    tablet = Device.objects.create(
        tournament=event, name="Tablet 1", credential_digest="x", unsent=2, at_table=1, seen_at=long_ago
    )
    assert codes(shown(client, event)[0]) == ["unsent"]
    tablet.set_aside = [{"session": 1, "table": 1, "number": 3}]
    tablet.save()
    page, said = shown(client, event)
    assert codes(page) == ["held", "unsent"]
    assert "Tablet 1 holds a hand of table 1" in said


def test_an_open_appeal_says_before_whom_it_is(client, event):
    session = Session.objects.get(tournament=event, number=1)
    session.tournament = event
    judge.appeal(judge.give(judge.seat(session, "E"), "phone", session))
    page, said = shown(client, event)
    assert codes(page) == ["appeal"]
    assert "waits for the chief referee" in said
    make.staff(event, "committee")
    for role in event.roles.filter(kind="chief_referee"):
        declare_conflict(event.appeals.get(), by=make.actor(role.user, "chief_referee"))
    assert "waits for the committee" in shown(client, event)[1]
    assert reverse("penalties:appeal", args=[event.slug, 1]) in page.content.decode()


def test_a_disqualification_waits_for_a_second_person(client, event):
    """[SBR 2.8.5]"""
    session = Session.objects.get(tournament=event, number=1)
    session.tournament = event
    judge.give(judge.seat(session, "E"), "cheating", session, effect="disqualification", reason=judge.LONG)
    page, said = shown(client, event)
    assert codes(page) == ["proposed"]
    assert "a second person decides on the disqualification" in said
    assert reverse("penalties:penalty", args=[event.slug, 1]) in page.content.decode()


def test_who_came_and_sits_nowhere_is_named(client):
    event = make.tournament()
    rows = make.players(event, 8)
    for row in rows:
        registration.check_in(row, by=make.organizer_of(event))
    make.seated(event)
    client.force_login(event.created_by)
    assert codes(shown(client, event)[0]) == []
    late = registration.register_player(
        event, registration.Details(name="Mira Late"), by=make.organizer_of(event)
    )
    Registration.objects.filter(pk=late.pk).update(first_session=1, checked_in_at=timezone.now())
    page, said = shown(client, event)
    assert codes(page) == ["no_seat"]
    assert f"Here, but without a seat in session 1: {late.player}." in said


@pytest.mark.parametrize(
    ("sessions", "told"),
    [
        (2, "Came after session 1 was drawn: Mira Late. The next draw seats them."),
        (1, "Came after the last draw and have no seat: Mira Late."),
    ],
)
def test_who_comes_while_a_session_is_in_play_is_not_sent_to_the_substitutes(client, sessions, told):
    """Nobody of the list can be seated there: the page of substitutes had nothing to press."""
    event = make.tournament(sessions=sessions)
    for row in make.players(event, 8):
        registration.check_in(row, by=make.organizer_of(event))
    make.in_play(event)
    late = registration.register_player(
        event, registration.Details(name="Mira Late"), by=make.organizer_of(event)
    )
    Registration.objects.filter(pk=late.pk).update(first_session=1, checked_in_at=timezone.now())
    client.force_login(event.created_by)
    page, said = shown(client, event)
    assert codes(page) == ["no_seat"]
    assert told in said
    assert "/desk/substitutes/" not in page.content.decode()


def test_a_free_place_while_others_wait_and_mails_that_failed_are_the_desks_alone(client):
    event = make.tournament(max_players=4)
    rows = make.players(event, 5)
    client.force_login(event.created_by)
    assert codes(shown(client, event)[0]) == []
    Registration.objects.filter(pk=rows[0].pk).update(status="cancelled")
    Mail.objects.create(
        tournament=event,
        registration=rows[1],
        kind="registered",
        key="k",
        state="failed",
        due_at=timezone.now(),
    )
    page, _said = shown(client, event)
    assert sorted(codes(page)) == ["free_place", "mails"]
    press(client, page, "Try again: Mails that could not be sent: 1.")
    assert codes(shown(client, event)[0]) == ["free_place"]
    client.force_login(make.staff(event, "scorer"))
    assert codes(shown(client, event)[0]) == []


def test_whoever_may_not_press_sees_the_line_without_the_press(client, event):
    session = Session.objects.get(tournament=event, number=1)
    session.tournament = event
    lateness.mark_late(session, [judge.seat(session, "E")], by=make.chief_referee_of(event))
    client.force_login(make.staff(event, "scorer"))
    page, said = shown(client, event)
    assert codes(page) == ["late"]
    assert "Here now" not in said


def test_the_list_costs_the_same_for_two_tables_and_for_four(client):
    asked = []
    for number in (8, 16):
        Tournament.objects.update(first_day="2026-01-01", last_day="2026-01-01")  # no event on the same days
        event = make.tournament()
        make.players(event, number)
        make.in_play(event)
        client.force_login(event.created_by)
        client.get(reverse("tournaments:desk", args=[event.slug]))
        with CaptureQueriesContext(connection) as counted:
            client.get(reverse("tournaments:desk", args=[event.slug]))
        asked.append(len(counted))
    assert asked[0] == asked[1]


def test_who_is_seated_and_has_not_come_is_named_until_a_referee_knows(client):
    """The start asks once; after it the desk says so still. [SBR 2.4.5] [RULES 9.12]"""
    event = make.tournament()
    rows = make.players(event, 8)
    for row in rows[1:]:
        registration.check_in(row, by=make.organizer_of(event))
    session = make.in_play_with_absent(event)
    client.force_login(event.created_by)
    page, said = shown(client, event)
    assert codes(page) == ["absent"]
    assert f"Seated and in play, but not checked in: {rows[0].player}." in said
    assert reverse("tournaments:check_in", args=[event.slug]) + "?show=missing" in page.content.decode()
    lateness.mark_late(session, [rows[0].player], by=make.chief_referee_of(event))
    assert codes(shown(client, event)[0]) == ["late"]
    lateness.note_arrival(session.latenesses.get(), by=make.chief_referee_of(event))
    assert codes(shown(client, event)[0]) == []
    rows[0].refresh_from_db()
    assert rows[0].checked_in_at is not None


def test_who_left_after_the_table_was_done_needs_nobody(client, event):
    session = Session.objects.get(tournament=event, number=1)
    session.tournament = event
    player = judge.seat(session, "E")
    make.settle(session)
    registration.withdraw(player.registration, by=make.organizer_of(event))
    assert codes(shown(client, event)[0]) == []


def test_a_free_place_is_no_need_once_the_last_session_is_seated(client):
    event = make.tournament(max_players=8, sessions=1)
    rows = make.players(event, 9)
    client.force_login(event.created_by)
    make.in_play(event)
    Registration.objects.filter(pk=rows[0].pk).update(status="cancelled")
    assert "free_place" not in codes(shown(client, event)[0])


def test_a_table_that_records_its_points_at_the_end_is_not_silent(client):
    """[RIICHI reg. 6.2]"""
    event = make.tournament("riichi_festival")
    make.players(event, 8)
    make.in_play(event)
    Session.objects.filter(tournament=event).update(started_at=timezone.now() - timedelta(minutes=40))
    client.force_login(event.created_by)
    page, _said = shown(client, event)
    assert codes(page) == []
    assert "0 hands" not in page.content.decode()
    page = client.get(reverse("tournaments:tables", args=[event.slug])).content.decode()
    assert "silent for" not in page
    page = client.get(reverse("tournaments:table_desk", args=[event.slug, 1, 1])).content.decode()
    assert "No result yet" in page


def test_seats_stand_in_the_order_of_the_winds_whoever_sat_down_last(client, event):
    seat = table(event).seats.get(wind="S")
    kept = {f.name: getattr(seat, f.name) for f in seat._meta.fields if f.name != "id"}
    seat.delete()
    type(seat).objects.create(**kept)
    page = client.get(reverse("tournaments:tables", args=[event.slug]))
    winds = [
        one.wind for one in seated_tables(Session.objects.get(tournament=event, number=1))[0].seats.all()
    ]
    assert (page.status_code, winds) == (200, ["E", "S", "W", "N"])
