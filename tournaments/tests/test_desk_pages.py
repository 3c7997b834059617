"""The desk: what comes next, people and the door, sessions and tables, tablets, settings, history."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from tournaments.desk.rules import Progress, Step, next_step
from tournaments.models import Admission, Device, Hand, Protocol, Registration, Role, Session, Tournament
from tournaments.people.operations import registration
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.tables.operations import devices, protocols
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


def address(name, of, *args):
    return reverse(f"tournaments:{name}", args=[of.slug, *args])


def words(response):
    """The text of a page, in one line."""
    text = strip_tags(response.content.decode().replace("<", " <"))
    return " ".join(text.replace("&#x27;", "'").split())


@pytest.fixture
def event(client):
    """An announced event whose organizer is at the desk in every role."""
    tournament = make.tournament()
    for kind in ("chief_referee", "referee"):
        Role.objects.create(tournament=tournament, user=tournament.created_by, kind=kind)
    client.force_login(tournament.created_by)
    return tournament


def here(rows):
    for row in rows:
        registration.check_in(row, by=make.organizer_of(row.tournament))


# What comes next


def progress(**known):
    values = {"state": "announced", "players": 8, "checked_in": 0, "session": None}
    values |= {"tables": 2, "settled": 0, "unseated": 2}
    return Progress(**{**values, **known})


@pytest.mark.parametrize(
    ("where", "step"),
    [
        pytest.param({"state": "draft"}, Step.ANNOUNCE, id="a draft"),
        pytest.param({"players": 2}, Step.GATHER, id="too few for a table"),
        pytest.param({}, Step.CHECK_IN, id="nobody is here yet"),
        pytest.param({"checked_in": 5}, Step.DRAW, id="players are here"),
        pytest.param({"checked_in": 5, "drawn": "draft"}, Step.PUBLISH_DRAW, id="drawn"),
        pytest.param({"drawn": "draft"}, Step.PUBLISH_DRAW, id="drawn without a check-in"),
        pytest.param({"checked_in": 5, "drawn": "running"}, Step.WAIT_FOR_DRAW, id="being drawn"),
        pytest.param({"session": "planned"}, Step.START, id="seated"),
        pytest.param({"session": "open", "settled": 1}, Step.PLAY, id="in play"),
        pytest.param({"session": "open", "settled": 2}, Step.CLOSE_SESSION, id="all tables done"),
        pytest.param({"session": "closed", "unseated": 1}, Step.DRAW, id="another session to come"),
        pytest.param(
            {"session": "closed", "unseated": 1, "drawn": "draft"},
            Step.PUBLISH_DRAW,
            id="another session drawn",
        ),
        pytest.param({"session": "closed", "unseated": 0}, Step.CLOSE_EVENT, id="no session to come"),
        pytest.param(
            {"session": "closed", "unseated": 0, "is_frozen": True}, Step.REVEAL, id="places not revealed yet"
        ),
        pytest.param({"state": "closed", "session": "closed"}, Step.LOOK_BACK, id="over"),
    ],
)
def test_next_step_is_the_one_that_leads_on(where, step):
    assert next_step(progress(**where)) == step


def test_desk_leads_an_event_from_draft_to_its_end(client):
    tournament = make.tournament(announced=False, sessions=1)
    by = make.organizer_of(tournament)
    client.force_login(tournament.created_by)
    desk = address("desk", tournament)
    assert "Announce the event" in words(client.get(desk))
    client.post(address("announce", tournament))
    assert "Send the public link" in words(client.get(desk))
    tournament.refresh_from_db()
    rows = make.players(tournament, 4)
    assert "check in the players who come" in words(client.get(desk))
    here(rows)
    assert "Draw session 1" in words(client.get(desk))
    session = make.seated(tournament)
    assert "Start session 1" in words(client.get(desk))
    client.post(address("start_session", tournament, 1))
    assert "Tables that are not done" in words(client.get(desk))
    make.settle(Session.objects.get(pk=session.pk))
    assert "Close session 1" in words(client.get(desk))
    client.post(address("close_session", tournament, 1))
    assert "All sessions are played." in words(client.get(desk))
    events.close_tournament(Tournament.objects.get(pk=tournament.pk), by=by)
    assert "Its final table is public and stays." in words(client.get(desk))


def test_desk_says_before_a_draw_who_is_left_over_and_what_can_be_done(client):
    tournament = make.tournament(sessions=2)
    client.force_login(tournament.created_by)
    rows = make.players(tournament, 10)
    desk = address("desk", tournament)
    here(rows[:8])
    assert "left over" not in words(client.get(desk))
    here(rows[8:])
    page = words(client.get(desk))
    assert "2 players are left over." in page
    assert "2 more players would fill the incomplete table." in page


def test_desk_says_between_sessions_who_is_left_over(client):
    tournament = make.tournament(sessions=2)
    rows = make.players(tournament, 8)
    make.settle(make.in_play(tournament))
    client.force_login(tournament.created_by)
    client.post(address("close_session", tournament, 1))
    assert "left over" not in words(client.get(address("desk", tournament)))
    registration.withdraw(rows[0], by=make.organizer_of(tournament))
    page = words(client.get(address("desk", tournament)))
    assert "3 players are left over." in page


def test_desk_of_a_draft_asks_for_nothing_live(client):
    draft = make.tournament(announced=False)
    client.force_login(draft.created_by)
    assert "data-events" not in client.get(address("desk", draft)).content.decode()


def test_closing_before_the_last_session_tells_first_what_is_left_out(client):
    tournament = make.tournament(sessions=3)
    make.players(tournament, 4)
    session = make.in_play(tournament)
    make.settle(session)
    client.force_login(tournament.created_by)
    client.post(address("close_session", tournament, 1))
    page = words(client.get(address("desk", tournament)))
    assert "2 sessions have not been played. The standings as they are become the final table." in page


def test_desk_shows_a_scorer_no_button_that_is_not_theirs(client, event):
    make.players(event, 4)
    make.seated(event)
    client.force_login(make.staff(event, "scorer"))
    page = client.get(address("desk", event))
    assert address("start_session", event, 1) not in page.content.decode()
    assert "Session 1 is seated." in words(page)


def test_desk_calls_out_a_table_that_waits_for_a_referee(client, event):
    make.players(event, 4)
    session = make.in_play(event)
    session.tables.update(called_at=session.started_at)
    assert "Table 1 calls the referee. just now On the way" in words(client.get(address("desk", event)))


def test_call_that_nobody_answered_ends_with_its_session(client, event):
    make.players(event, 4)
    session = make.in_play(event)
    session.tables.update(called_at=session.started_at)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(event))
    assert "calls the referee" not in words(client.get(address("desk", event)))


def test_call_is_answered_and_ended_at_the_desk(client, event):
    make.players(event, 4)
    session = make.in_play(event)
    session.tables.update(called_at=session.started_at)
    desk, place = address("desk", event), [event, 1, 1]
    page = client.get(address("table_desk", *place))
    assert "This table calls the referee (just now)." in words(page)
    assert address("answer_call", *place) in page.content.decode()
    answered = client.post(address("answer_call", *place), follow=True)
    assert "Table 1 is told that somebody is on the way." in words(answered)
    assert address("answer_call", *place) not in answered.content.decode()
    assert "Table 1 calls the referee" not in words(client.get(desk))
    assert "Somebody is on the way" in words(client.get(desk))
    assert "Somebody is on the way" in words(client.get(address("tables", event)))
    ended = client.post(address("end_call", *place), follow=True)
    assert "The call of table 1 is over." in words(ended)
    assert "on the way" not in words(client.get(desk))


def test_answer_to_a_call_that_is_over_lights_nothing(client, event):
    make.players(event, 4)
    session = make.in_play(event)
    client.post(address("answer_call", event, 1, 1))
    assert [(one.called_at, one.answered_at) for one in session.tables.all()] == [(None, None)]


def test_who_has_no_game_is_named_beneath_the_tables_and_is_none_of_them(client):
    event = make.tournament(smallest_table=4)
    make.players(event, 5)
    resting = make.seated_short(event).seats.get(table__protocol=None).player.name
    client.force_login(event.created_by)
    page = words(client.get(address("tables", event)))
    assert f"Without a game in this session: {resting}" in page
    assert "All 1 Not done 1" in page
    assert "Table 2" not in page


# People


def test_people_are_searched_and_narrowed_to_those_not_here(client, event):
    rows = make.players(event, 3)
    here(rows[:1])
    url = address("people", event)
    assert rows[1].player.name in words(client.get(url, {"q": rows[1].player.name[:4]}))
    missing = words(client.get(url, {"status": "missing"}))
    assert rows[0].player.name not in missing
    assert rows[2].player.name in missing


def test_empty_list_of_people_says_what_to_do(client, event):
    assert "Send the link of the event, or paste a list of players." in words(
        client.get(address("people", event))
    )


def test_adding_keeps_what_was_typed_when_it_is_refused(client, event):
    """[INTEGRITY 7.1, case 3]"""
    typed = {"name": "я" * 101, "city": "Lund", "country": "SE"}
    response = client.post(address("add_player", event), typed)
    page = response.content.decode()
    assert response.status_code == 422
    assert "The name may have at most 100 characters; this one has 101." in words(response)
    assert 'value="Lund"' in page
    assert '<option value="SE" selected' in page
    assert not Registration.objects.exists()


def test_pasted_list_with_a_mistake_stores_nobody_and_keeps_the_text(client, event):
    response = client.post(address("paste_players", event), {"text": "Avocet;Lund;SE\n<script>;x"})
    assert response.status_code == 422
    assert "1 row has a mistake" in words(response)
    assert "Avocet;Lund;SE\n&lt;script&gt;;x" in response.content.decode()
    assert not Registration.objects.exists()


def test_pasted_list_is_looked_through_and_then_put_on_the_list(client, event):
    text = {"text": "Avocet;Lund;SE\nBunting;York;GB"}
    seen = client.post(address("paste_players", event), text)
    assert "Nobody has been put on the list yet." in words(seen)
    assert not Registration.objects.exists()
    confirmed = {
        **text,
        "confirm": "1",
        "key": re.search('name="key" value="([^"]+)"', seen.content.decode())[1],
    }
    for _ in range(2):  # sent again after an answer that never came
        done = client.post(address("paste_players", event), confirmed, follow=True)
        assert "2 players have been put on the list." in words(done)
    assert Registration.objects.count() == 2


def test_pasted_list_that_filled_its_teams_is_answered_again_as_before(client, event):
    """Read anew, each of its rows would be one too many for its team."""
    type(event).objects.filter(pk=event.pk).update(regulation=event.regulation | {"team_size": 1})
    sent = {"text": "Name;Team\nAvocet;Waders", "confirm": "1", "key": "list" + "k" * 16}
    for _ in range(2):
        done = client.post(address("paste_players", event), sent, follow=True)
        assert "1 player has been put on the list." in words(done)
    assert Registration.objects.count() == 1


def test_look_through_a_pasted_list_shows_the_team_and_shortens_what_is_far_too_long(client, event):
    seen = client.post(address("paste_players", event), {"text": "Name;Team\nAvocet;Waders\n" + "x" * 500})
    page = seen.content.decode().partition("<textarea")[0]
    assert 'data-label="Team">Waders</td>' in page
    assert "x" * 99 + "…" in page
    assert "x" * 100 not in page


def test_regulation_page_says_nothing_of_a_preset_that_says_nothing(client, event):
    """No preset has stages: there is no sentence of its own to put beside them. [RULES 9.7]"""
    event.regulation["stages"] = [{"from_session": 2, "carry": "half", "cut": 4}]
    event.save()
    page = words(client.get(address("edit_regulation", event)))
    assert "A new stage begins with session 2." in page
    assert "(preset: )" not in " ".join(page.split())


def test_player_taken_off_the_list_can_be_put_back(client, event):
    row = make.players(event, 1)[0]
    client.post(address("withdraw_player", event, row.number), {"reason": "Ill since the morning"})
    row.refresh_from_db()
    assert row.status == "cancelled"
    client.post(address("admit_player", event, row.number))
    row.refresh_from_db()
    assert row.status == "active"


# The door


def test_door_takes_a_tap_without_script_back_to_the_same_name(client, event):
    row = make.players(event, 4)[2]
    url = address("check_in_one", event, row.number)
    response = client.post(url, {"came": "1", "q": "зим", "show": "missing"})
    assert response["Location"] == (
        f"{address('check_in', event)}?q=%D0%B7%D0%B8%D0%BC&show=missing#n{row.number}"
    )
    row.refresh_from_db()
    assert row.is_checked_in


def test_door_answers_its_script_with_the_counts_alone(client, event):
    rows = make.players(event, 5)
    here(rows[:4])
    url = address("check_in_one", event, rows[4].number)
    response = client.post(url, {"came": "1"}, headers={"X-Part": "door"})
    assert "<html" not in response.content.decode()
    assert words(response).startswith("Here 5 / 5 Missing 0 Full tables 1 No table 1 1 player is left over.")


def test_door_tells_its_script_what_is_refused(client, event):
    row = make.players(event, 4)[0]
    registration.withdraw(row, by=make.organizer_of(event))
    url = address("check_in_one", event, row.number)
    response = client.post(url, {"came": "1"}, headers={"X-Part": "door"})
    assert response.status_code == 409
    assert response["Content-Type"].startswith("text/plain")
    row.refresh_from_db()
    assert not row.is_checked_in


def test_door_shows_only_the_missing_when_asked(client, event):
    rows = make.players(event, 4)
    here(rows[:3])
    page = client.get(address("check_in", event), {"show": "missing"}).content.decode()
    assert re.findall(r'<li id="n(\d+)"', page) == [str(rows[3].number)]
    here(rows[3:])
    assert "Everybody is here" in words(client.get(address("check_in", event), {"show": "missing"}))


# Sessions and tables


def test_sessions_offer_no_second_start_while_one_is_in_play(client, event):
    make.players(event, 4)
    make.in_play(event)
    make.seated(event, 2)
    page = client.get(address("sessions", event)).content.decode()
    assert address("start_session", event, 2) not in page
    refused = client.post(address("start_session", event, 2), follow=True)
    assert "Another session is still in play. Close it first." in words(refused)


def test_sessions_offer_the_close_only_when_every_table_is_done(client, event):
    make.players(event, 4)
    session = make.in_play(event)
    url = address("sessions", event)
    assert address("close_session", event, 1) not in client.get(url).content.decode()
    make.settle(session)
    assert address("close_session", event, 1) in client.get(url).content.decode()


def test_seating_is_not_withdrawn_without_a_reason(client, event):
    make.players(event, 4)
    make.seated(event)
    client.post(address("withdraw_seating", event, 1), {"reason": ""})
    assert event.sessions.get(number=1).is_published
    client.post(address("withdraw_seating", event, 1), {"reason": "Two players came late."})
    assert not event.sessions.get(number=1).is_published


def test_tables_page_keeps_to_those_not_done_when_asked(client, event):
    make.players(event, 8)
    make.in_play(event)
    first = Protocol.objects.select_related("table__session__tournament").get(table__number=1)
    protocols.end_protocol(first, intent=make.intent(first), by=make.organizer_of(event))
    protocols.sign_off(
        first, intent=make.intent(first), by=make.referee_of(event), reason="The players have left."
    )
    pattern = r"<h3><a href=[^>]+>([^<]+)</a></h3>"
    url = address("tables", event)
    assert re.findall(pattern, client.get(url).content.decode()) == ["Table 1", "Table 2"]
    assert re.findall(pattern, client.get(url, {"show": "open"}).content.decode()) == ["Table 2"]


def test_table_page_names_those_who_have_not_confirmed(client, event):
    make.players(event, 4)
    session = make.in_play(event)
    row = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    by = make.organizer_of(event)
    protocols.end_protocol(row, intent=make.intent(row), by=by)
    seats = {seat.wind: seat for seat in row.table.seats.select_related("player")}
    totals = dict.fromkeys(seats, 0)
    protocols.confirm_seat(row, "E", totals=totals, intent=make.intent(row), by=by)
    page = words(client.get(address("table_desk", event, 1, 1)))
    said = page.partition("Not confirmed yet:")[2].partition(".")[0]
    assert seats["S"].player.name in said
    assert seats["E"].player.name not in said


def test_voiding_a_hand_needs_a_reason_and_keeps_what_was_typed(client, event):
    """[INTEGRITY 7.4, case 109]"""
    make.players(event, 4)
    make.in_play(event)
    row = Protocol.objects.select_related("table__session__tournament").get()
    make.record(row)
    row.refresh_from_db()
    url = address("correct_hand", event, 1, 1, 1)
    body = {"key": uuid4().hex, "seen": row.version, "reason": "oops"}
    refused = client.post(url, body)
    assert refused.status_code == 422
    assert ">oops</textarea>" in refused.content.decode().replace("\n", "")
    assert Hand.objects.get().status == "in_force"
    client.post(url, {**body, "key": uuid4().hex, "reason": "It belongs to table 3."})
    assert Hand.objects.get().status == "voided"


def test_voiding_the_last_hand_by_a_double_press_voids_it_once_and_says_so(client, event):
    make.players(event, 4)
    make.in_play(event)
    row = Protocol.objects.select_related("table__session__tournament").get()
    make.record(row)
    row.refresh_from_db()
    url = address("correct_hand", event, 1, 1, 1)
    body = {"key": uuid4().hex, "seen": row.version, "reason": "It belongs to table 3."}
    first, second = client.post(url, body), client.post(url, body)
    assert (first.status_code, second.status_code) == (302, 302)
    assert first["Location"] == second["Location"]
    assert [hand.status for hand in Hand.objects.all()] == ["voided"]
    other = client.post(url, {**body, "key": uuid4().hex})
    assert other.status_code == 404


def test_minutes_added_by_a_double_press_are_added_once(client, event):
    make.players(event, 4)
    session = make.in_play(event)
    keys = re.findall(r'name="key" value="(\w+)"', client.get(address("sessions", event)).content.decode())
    url = address("change_clock", event, 1)
    for key in (keys[0], keys[0], uuid4().hex):
        assert client.post(url, {"minutes": "5", "key": key}).status_code == 302
    session.refresh_from_db()
    assert session.extra_seconds == 600
    client.post(url, {"minutes": "5"})
    client.post(url, {"minutes": "-5", "key": keys[0]})
    session.refresh_from_db()
    assert session.extra_seconds == 600


def test_voiding_is_for_referees(client, event):
    make.players(event, 4)
    make.in_play(event)
    row = Protocol.objects.select_related("table__session__tournament").get()
    make.record(row)
    client.force_login(make.staff(event, "scorer"))
    assert client.get(address("correct_hand", event, 1, 1, 1)).status_code == 403
    page = client.get(address("table_desk", event, 1, 1)).content.decode()
    assert address("correct_hand", event, 1, 1, 1) not in page


def test_hand_of_a_closed_session_is_offered_for_voiding_to_the_chief_referee_alone(client, event):
    make.players(event, 4)
    session = make.in_play(event)
    make.record(Protocol.objects.select_related("table__session__tournament").get())
    make.settle(session)
    play.close_session(session, by=make.organizer_of(event))
    door, page = address("correct_hand", event, 1, 1, 1), address("table_desk", event, 1, 1)
    assert door in client.get(page).content.decode()
    client.force_login(make.staff(event, "referee"))
    assert door not in client.get(page).content.decode()


def test_referee_reads_at_the_desk_who_objects_and_to_what(client, event):
    make.players(event, 4)
    make.in_play(event)
    row = Protocol.objects.select_related("table__session__tournament").get()
    make.record(row)
    text = "My kong is missing"
    by = make.organizer_of(event)
    row.refresh_from_db()
    protocols.note_objection(row, "S", text=text, intent=make.intent(row, wind="S", text=text), by=by)
    south = row.table.seats.get(wind="S").player
    page = words(client.get(address("table_desk", event, 1, 1)))
    assert f"{south} objects (just now): My kong is missing" in page


def test_who_would_void_a_hand_is_told_where_it_is_corrected(client, event):
    make.players(event, 4)
    make.in_play(event)
    make.record(Protocol.objects.select_related("table__session__tournament").get())
    client.force_login(make.staff(event, "referee"))
    page = client.get(address("correct_hand", event, 1, 1, 1))
    assert "only something in it is wrong? Correct it on the protocol screen" in words(page)
    assert f'href="{address("tablet_table", event, 1, 1)}"' in page.content.decode()


def test_sign_in_that_ends_in_mid_form_leads_back_to_the_form_with_what_was_written(client, event):
    make.players(event, 4)
    make.in_play(event)
    client.logout()
    desk = address("table_desk", event, 1, 1)
    sent = client.post(
        address("sign_off_protocol", event, 1, 1),
        {"reason": "South had a train to catch"},
        headers={"Referer": f"http://testserver{desk}"},
    )
    assert sent["Location"] == f"/accounts/login/?next={desk}"
    page = words(client.get(sent["Location"]))
    assert "You are signed out, so nothing was changed. Sign in and do it once more." in page
    assert "You had written: South had a train to catch" in page


@pytest.mark.parametrize("came_from", ["", "https://elsewhere.example/desk/"])
def test_sign_in_leads_to_no_stranger_and_to_no_address_without_a_page(client, event, came_from):
    client.logout()
    sent = client.post(address("announce", event), headers={"Referer": came_from})
    assert sent["Location"] == "/accounts/login/?next=/"


# Tablets


def test_code_for_a_tablet_is_shown_with_its_end_and_the_next_name(client, event):
    url = address("tablets", event)
    assert 'value="Tablet 1"' in client.get(url).content.decode()
    page = client.post(url, {"name": "Tablet 1", "tables": "1, 3–4"})
    html = page.content.decode()
    admission = Admission.objects.get()
    assert admission.tables == [1, 3, 4]
    ends_at = admission.expires_at.astimezone(admission.tournament.zone)
    assert f'data-code-ends="{ends_at:%Y-%m-%dT}' in html
    assert "For tables 1, 3, 4" in words(page)
    assert 'value="Tablet 2"' in html
    assert re.search(r'class="pairing-code">[A-Z]{4} [A-Z]{4}<', html)


def test_wrong_tables_of_a_tablet_are_refused_and_kept(client, event):
    response = client.post(address("tablets", event), {"name": "Tablet 9", "tables": "1, x"})
    page = response.content.decode()
    assert response.status_code == 422
    assert 'value="1, x"' in page
    assert 'value="Tablet 9"' in page
    assert not Admission.objects.exists()


def test_tablet_is_signed_off_in_two_steps_that_say_what_follows(client, event):
    invited = devices.invite_device(event, name="Blue", tables=[], by=make.organizer_of(event))
    device, _credential = devices.admit_device(event, secret=invited.secret)
    page = client.get(address("tablets", event))
    step = re.search(r'<details class="reasoned".*?</details>', page.content.decode(), re.DOTALL).group(0)
    assert address("sign_off_tablet", event, device.pk) in step
    assert "To enter again it needs another code; what it has not sent stays on it." in words(page)


# Settings, regulation, people who work here


@pytest.mark.parametrize(
    ("page", "tab"),
    [
        ("draw/", "draw/"),
        ("draw/anew/", "draw/"),
        ("draw/paste/", "draw/"),
        ("draw/compare/", "draw/"),
        ("draw/session-1/", "draw/"),
        ("people/add/", "people/"),
        ("people/1/", "people/"),
        ("sessions/timetable/", "sessions/"),
        ("tables/1/1/", "tables/"),
        ("penalties/", "judging/"),
        ("appeals/new/", "judging/"),
        ("", ""),
    ],
)
def test_tab_under_which_a_page_lies_is_marked_and_no_other(client, event, page, tab):
    make.players(event, 8)
    make.seated(event)
    html = client.get(f"/{event.slug}/desk/{page}").content.decode()
    (nav,) = re.findall(r'<div class="desk-nav">.*?</nav>', html, re.DOTALL)
    how = "page" if page == tab else "true"
    assert re.findall(r'href="([^"]+)"\s+aria-current="(\w+)"', nav) == [(f"/{event.slug}/desk/{tab}", how)]


def test_a_refused_reason_is_given_back(client, event):
    """What was typed is not lost where the form itself is folded away again."""
    make.players(event, 4)
    make.in_play(event)
    refused = client.post(
        address("reopen_session", event, 1), {"reason": "Table 2 <wrong> total"}, follow=True
    )
    assert "You had written: Table 2 &lt;wrong&gt; total" in refused.content.decode()


def test_settings_keep_what_was_typed_beside_each_mistake(client, event):
    typed = {"name": "", "first_day": "2026-05-09", "last_day": "2026-05-01", "time_zone": "Europe/Samara"}
    response = client.post(address("settings", event), {**typed, "venue": "The old hall"})
    assert response.status_code == 422
    assert "The last day is before the first." in words(response)
    assert 'value="The old hall"' in response.content.decode()
    assert Tournament.objects.get().venue == ""


def test_settings_show_every_field_of_the_form_in_a_group(client, event):
    for name in ("settings", "edit_regulation", "clone"):
        form = client.get(address(name, event)).context["form"]
        grouped = {field.name for group in form.groups for field in group["fields"]}
        assert grouped == {field.name for field in form.visible_fields()}


def test_regulation_refuses_no_sessions_and_keeps_the_rest(client, event):
    form = client.get(address("edit_regulation", event)).context["form"]
    typed = {name: value for name, value in form.initial.items() if value is not None}
    response = client.post(address("edit_regulation", event), {**typed, "sessions": "0", "entry_fee": "25"})
    assert response.status_code == 422
    assert 'value="25"' in response.content.decode()
    assert Tournament.objects.get().regulation["entry_fee"] == "0"


PRESETS_TRIED = ("sbr", "wmsg", "mcr", "siamese", "red", "riichi_ema")


def regulation_page(client, preset):
    """The page of the regulation, and what its form says before anything is changed."""
    of = make.tournament(preset)
    client.force_login(of.created_by)
    page = address("edit_regulation", of)
    form = client.get(page).context["form"]
    return of, page, {k: v for k, v in form.initial.items() if v is not None and k in form.fields}


@pytest.mark.parametrize("preset", PRESETS_TRIED)
def test_regulation_offers_a_row_of_points_for_every_size_of_tables(client, preset):
    """[SBR III 3.1.3] [RULES 8.33]"""
    of, _, typed = regulation_page(client, preset)
    rows = {name[-1]: said for name, said in typed.items() if name[:-1] == "tournament_points_"}
    points = of.regulation["tournament_points"] or {}
    assert rows == {size: " ".join(points.get(size, ())) for size in "432"}


def test_points_of_a_table_of_three_are_changed_and_stand_in_the_public_regulation(client):
    of, page, typed = regulation_page(client, "sbr")
    assert "3 at the table: 4, 3, 2." in words(client.get(address("regulation", of)))
    assert client.post(page, typed | ranked(typed) | {"tournament_points_3": "4, 5/2 1"}).status_code == 302
    of.refresh_from_db()
    assert of.regulation["tournament_points"] == {"4": ["4", "3", "2", "1"], "3": ["4", "5/2", "1"]}
    shown = words(client.get(address("regulation", of)))
    assert shown.index("4 at the table: 4, 3, 2, 1.") < shown.index("3 at the table: 4, 5/2, 1.")


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("", "Write one number for each of the 3 places."),
        ("4 3", "Write one number for each of the 3 places."),
        ("4 3 x", "Write numbers such as 4 3 2 1."),
        ("4 3 1/0", "Write numbers such as 4 3 2 1."),
        ("4 3 1e999999999", "Write numbers such as 4 3 2 1."),
    ],
)
def test_a_row_of_points_that_cannot_be_is_refused_by_its_field(client, row, sentence):
    """[SBR 2.7.5] [RULES 8.33]"""
    of, page, typed = regulation_page(client, "sbr")
    answer = client.post(page, typed | ranked(typed) | {"tournament_points_3": row})
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"tournament_points_3": [sentence]}
    assert Tournament.objects.get(pk=of.pk).regulation == of.regulation


def test_a_row_of_points_is_dropped_only_where_no_such_table_plays(client):
    """[RULES 8.33]"""
    of, page, typed = regulation_page(client, "sbr")
    typed |= {"smallest_table": 4}
    assert client.post(page, typed | ranked(typed) | {"tournament_points_3": ""}).status_code == 302
    of.refresh_from_db()
    assert of.regulation["tournament_points"] == {"4": ["4", "3", "2", "1"]}
    answer = client.post(page, typed | ranked(typed) | {"tournament_points_4": "", "tournament_points_3": ""})
    assert answer.status_code == 422
    of.refresh_from_db()
    assert of.regulation["tournament_points"] == {"4": ["4", "3", "2", "1"]}


@pytest.mark.parametrize("preset", ["sbr", "wmsg"])
def test_what_becomes_of_a_false_winner_is_chosen_and_stands_in_the_public_regulation(client, preset):
    """[RULES 8.44]"""
    of, page, typed = regulation_page(client, preset)
    assert typed["rules_false_winner"] == "out"
    assert "Who declares a false win plays no more in the hand" in words(
        client.get(address("regulation", of))
    )
    assert client.post(page, typed | ranked(typed) | {"rules_false_winner": "plays_on"}).status_code == 302
    of.refresh_from_db()
    assert of.regulation["system_rules"] == {"false_winner": "plays_on"}
    assert "Who declares a false win plays on, as one who has not won." in words(
        client.get(address("regulation", of))
    )


def test_a_regulation_older_than_the_choice_means_that_a_false_winner_plays_on(client):
    """It says so in words and in the form, and a change of something else leaves it as it is. [RULES 8.44]"""
    of, page, typed = regulation_page(client, "sbr")
    Tournament.objects.filter(pk=of.pk).update(regulation={**of.regulation, "system_rules": {}})
    assert client.get(page).context["form"].initial["rules_false_winner"] == "plays_on"
    assert "Who declares a false win plays on, as one who has not won." in words(
        client.get(address("regulation", of))
    )
    changed = typed | ranked(typed) | {"rules_false_winner": "plays_on", "entry_fee": "25"}
    assert client.post(page, changed).status_code == 302
    of.refresh_from_db()
    assert (of.regulation["system_rules"], of.regulation["entry_fee"]) == ({}, "25")


@pytest.mark.parametrize("preset", ["mcr", "red", "riichi_ema"])
def test_only_systems_with_the_choice_ask_for_it(client, preset):
    """[RULES 8.44]"""
    _, _, typed = regulation_page(client, preset)
    assert "rules_false_winner" not in typed


def ranked(typed):
    """What the choices one after another send."""
    return {f"ranking_{place}": name for place, name in enumerate(typed["ranking"])}


def test_new_event_is_made_from_a_name_and_a_day(client):
    client.force_login(make.user())
    typed = {"name": "Кубок Волги", "preset": "sbr", "first_day": "2026-12-05", "time_zone": "Europe/Samara"}
    response = client.post("/new/", typed)
    assert response["Location"] == "/kubok-volgi/desk/"
    assert Tournament.objects.get().state == "draft"


def test_a_new_event_is_offered_the_zone_of_the_last_one_and_else_the_browsers_own(client):
    client.force_login(make.user())
    assert "data-own-zone" in client.get("/new/").content.decode()
    last = make.tournament()
    client.force_login(last.created_by)
    page = client.get("/new/").content.decode()
    assert '<option value="Europe/Samara" selected>' in page
    assert "data-own-zone" not in page


def test_role_is_given_to_an_account_that_exists(client, event):
    helper = make.user("heron")
    wrong = client.post(address("staff", event), {"username": "nobody", "kind": "referee"})
    assert wrong.status_code == 422
    assert "There is no account of this name." in words(wrong)
    client.post(address("staff", event), {"username": "Heron", "kind": "referee"})
    assert Role.objects.filter(tournament=event, user=helper, kind="referee").exists()


# History


def test_history_names_people_and_leads_to_the_hand(client, event):
    row = make.players(event, 4)[0]
    make.in_play(event)
    protocol = Protocol.objects.select_related("table__session__tournament").get()
    make.record(protocol)
    page = client.get(address("history", event))
    text = words(page)
    assert event.created_by.username in text
    assert str(row) in text
    assert "user:" not in text
    assert "registration:" not in text
    assert f'href="{address("table_desk", event, 1, 1)}#hand-1"' in page.content.decode()


def test_history_is_narrowed_to_one_kind(client, event):
    make.players(event, 2)
    page = client.get(address("history", event), {"kind": "tournament_announced"})
    assert [str(entry["label"]) for entry in page.context["entries"]] == ["Event announced"]
    assert client.get(address("history", event), {"kind": "drop table"}).status_code == 200


@pytest.mark.parametrize("page", ["desk", "people", "check_in", "sessions", "tables", "history"])
def test_list_of_the_desk_asks_as_often_for_twelve_as_for_four(client, page):
    """Both events are there from the start, since another one of the same days is looked through as well."""
    counts = []
    both = [(make.tournament(), number) for number in (4, 12)]
    for tournament, number in both:
        make.players(tournament, number)
        session = make.in_play(tournament)
        for row in Protocol.objects.filter(table__session=session).select_related(
            "table__session__tournament"
        ):
            make.record(row)
    for tournament, _number in both:
        client.force_login(tournament.created_by)
        url = address(page, tournament)
        assert client.get(url).status_code == 200
        with CaptureQueriesContext(connection) as captured:
            client.get(url)
        counts.append(len(captured))
    assert counts[0] == counts[1]


# A referee's round


def at_minute(session, minutes):
    """Let the session have begun so long ago, with nothing entered since."""
    began = timezone.now() - timedelta(minutes=minutes)
    Session.objects.filter(pk=session.pk).update(started_at=began)
    Protocol.objects.filter(table__session=session).update(changed_at=None)


def test_round_shows_hand_and_silence_of_every_table(client, event):
    make.players(event, 8)
    session = make.in_play(event)
    at_minute(session, 30)
    make.record(Protocol.objects.select_related("table__session__tournament").get(table__number=1))
    page = words(client.get(address("tables", event)))
    assert "hand 2" in page
    assert "silent for 0 minutes" not in page
    assert "hand 1 silent for 30 minutes" in page
    needing = client.get(address("tables", event), {"show": "look"})
    assert [table.number for table, _ in needing.context["tables"]] == [2]


def test_round_tells_what_tablets_keep_and_which_are_lost(client, event):
    make.players(event, 8)
    make.in_play(event)
    for name, table, unsent, minutes in (("Blue", 1, 0, 0), ("Red", 2, 3, 9)):
        invited = devices.invite_device(event, name=name, tables=[], by=make.organizer_of(event))
        device, _ = devices.admit_device(event, secret=invited.secret)
        seen = timezone.now() - timedelta(minutes=minutes)
        Device.objects.filter(pk=device.pk).update(at_table=table, unsent=unsent, seen_at=seen)
    page = words(client.get(address("tables", event)))
    assert "Blue: all sent" in page
    assert "Red: 3 entries unsent · last heard of 9 minutes ago" in page
    needing = client.get(address("tables", event), {"show": "look"})
    assert [table.number for table, _ in needing.context["tables"]] == [2]


def test_round_leads_a_referee_to_every_player_and_every_protocol_in_one_tap(client, event):
    make.players(event, 4)
    make.in_play(event)
    client.force_login(make.staff(event, "referee"))
    page = client.get(address("tables", event)).content.decode()
    for wind in "ESWN":
        assert f"/{event.slug}/desk/penalties/session-1/table-1/?seat={wind}" in page
    assert f"/{event.slug}/tablet/session-1/table-1/" in page
    client.force_login(make.staff(event, "scorer"))
    page = client.get(address("tables", event)).content.decode()
    assert "/desk/penalties/" not in page
    assert f"/{event.slug}/tablet/session-1/table-1/" in page


def test_the_desk_names_who_has_left_and_is_still_seated(client):
    """[RULES 8.7]"""
    of = make.tournament()
    players = make.players(of, 8)
    session = make.seated(of)
    client.force_login(of.created_by)
    desk = reverse("tournaments:desk", args=[of.slug])
    assert "is still seated" not in words(client.get(desk))
    seat = session.seats.select_related("table", "player__registration").order_by("pk").first()
    type(players[0]).objects.filter(player=seat.player).update(status="disqualified")
    said = words(client.get(desk))
    assert f"{seat.player} has left the event and is still seated at table {seat.table.number}." in said


def test_a_namesake_who_is_sent_again_is_put_on_the_list_once(client, event):
    """The answer was lost on the way, and the form is sent as it stands once more. [INTEGRITY 2]"""
    make.players(event, 1)
    name = event.registrations.get().player.name
    page = f"/{event.slug}/desk/people/add/"
    key = re.search(r'name="key" value="([^"]+)"', client.get(page).content.decode())[1]
    sent = {"name": name, "is_another": "on", "key": key}
    assert [client.post(page, sent).status_code for _ in range(2)] == [302, 302]
    assert event.registrations.filter(player__name=name).count() == 2
