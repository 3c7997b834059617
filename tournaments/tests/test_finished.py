"""A finished tournament stays as it was until somebody reopens it with a reason."""

import re

import pytest
from django.test import Client

from tournaments.people.operations import registration
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db


def refused_codes(work):
    with pytest.raises(Refused) as refused:
        work()
    return [problem.code for problem in refused.value.problems]


@pytest.fixture
@remembered
def finished():
    """A tournament closed after its first session; the second is seated and was not played."""
    of = make.tournament()
    make.players(of, 6)
    session = make.in_play(of)
    make.settle(session)
    by = make.organizer_of(of)
    play.close_session(session, by=by)
    make.seated(of, 2)
    return events.close_tournament(of, by=by)


def test_no_session_of_a_finished_tournament_starts(finished):
    by = make.organizer_of(finished)
    second = finished.sessions.get(number=2)
    assert refused_codes(lambda: play.start_session(second, by=by)) == ["event_finished"]
    events.reopen_tournament(finished, by=by, reason="The last session is played after all")
    assert play.start_session(second, by=by).state == "open"


def test_nobody_leaves_or_enters_a_finished_tournament(finished):
    by = make.organizer_of(finished)
    row = finished.registrations.get(number=1)
    assert refused_codes(lambda: registration.withdraw(row, by=by)) == ["event_finished"]
    finished.registrations.filter(pk=row.pk).update(status="withdrawn")
    assert refused_codes(lambda: registration.admit(row, by=by)) == ["event_finished"]


def test_players_of_a_finished_tournament_are_shown_and_not_changed(finished):
    client = Client()
    client.force_login(finished.roles.get(kind="organizer").user)
    page = f"/{finished.slug}/desk/people/1/"
    shown = client.get(page).content.decode()
    assert [
        word for word in ("Save", "Take off the list", "Put on the list") if f">{word}</button>" in shown
    ] == []
    assert "An organizer can reopen it at the desk" in shown
    answer = client.post(page, {"name": "Grey Heron"})
    assert answer.status_code == 422
    assert "The event is finished. Reopen it first." in answer.content.decode()
    assert finished.registrations.get(number=1).player.name != "Grey Heron"
    people = client.get(f"/{finished.slug}/desk/people/").content.decode()
    assert f"/{finished.slug}/desk/people/add/" not in people
    events.reopen_tournament(finished, by=make.organizer_of(finished), reason="A name is written wrongly")
    assert ">Save</button>" in client.get(page).content.decode()


def test_list_is_offered_only_to_players_who_may_come_back(finished):
    events.reopen_tournament(finished, by=make.organizer_of(finished), reason="A name is written wrongly")
    client = Client()
    client.force_login(finished.roles.get(kind="organizer").user)
    offered = {}
    for status in ("active", "withdrawn", "removed", "disqualified"):
        finished.registrations.filter(number=1).update(status=status)
        shown = client.get(f"/{finished.slug}/desk/people/1/").content.decode()
        offered[status] = "Put on the list" in shown
    assert offered == {"active": False, "withdrawn": True, "removed": False, "disqualified": False}


def test_nobody_swaps_seats_in_a_closed_session(finished):
    by = make.organizer_of(finished)
    events.reopen_tournament(finished, by=by, reason="A name is written wrongly")
    first = finished.sessions.get(number=1)
    idle = first.tables.get(protocol=None)
    one, other = idle.seats.all()[:2]
    assert refused_codes(lambda: play.swap_seats(one, other, by=by, reason="Too late for that")) == [
        "round_closed"
    ]


def test_the_seating_of_a_finished_tournament_stays(finished):
    by = make.organizer_of(finished)
    second = finished.sessions.get(number=2)
    table = second.tables.get(number=1)
    one, other = table.seats.all()[:2]
    drawn = {seat.player_id: seat.wind for seat in table.seats.all()}
    reason = "It was published by mistake"
    for work in (
        lambda: play.swap_seats(one, other, by=by, reason=reason),
        lambda: play.write_winds(table, drawn, by=by),
        lambda: play.withdraw_seating(second, by=by, reason=reason),
    ):
        assert refused_codes(work) == ["event_finished"]


def offered(of, name):
    """Return the buttons of a page of the desk that send something, and whether it names the way back."""
    client = Client()
    client.force_login(of.roles.get(kind="organizer").user)
    page = client.get(f"/{of.slug}/desk/{name}/").content.decode()
    main = page.partition('<main id="content"')[2].partition("</main>")[0]
    buttons = re.findall(r'<button(?! type="button")(?! class="button button-quiet">)([^>]*)>', main)
    return [one for one in buttons if "disabled" not in one], "An organizer can reopen it" in main


@pytest.mark.parametrize(
    "name",
    [
        "people/add",
        "people/paste",
        "people/import",
        "check-in",
        "regulation",
        "draw",
        "draw/paste",
        "sessions/timetable",
    ],
)
def test_the_desk_offers_no_form_of_a_finished_tournament_and_names_the_way_back(finished, name):
    assert offered(finished, name) == ([], True)
    events.reopen_tournament(finished, by=make.organizer_of(finished), reason="A name is written wrongly")
    finished.sessions.update(published_at=None)  # a whole list is taken in only before anybody sits
    buttons, is_told = offered(finished, name)
    assert (bool(buttons), is_told) == (True, False)


@pytest.mark.parametrize(("name", "form"), [("", 'name="first"'), ("winds/", 'name="drawn_')])
def test_the_seating_of_a_finished_tournament_is_shown_without_a_form(finished, name, form):
    client = Client()
    client.force_login(finished.roles.get(kind="organizer").user)
    page = f"/{finished.slug}/desk/draw/session-2/{name}"

    def seen():
        shown = client.get(page).content.decode()
        return form in shown, "An organizer can reopen it" in shown

    assert seen() == (False, True)
    events.reopen_tournament(finished, by=make.organizer_of(finished), reason="A name is written wrongly")
    assert seen() == (True, False)


def test_nothing_of_a_finished_tournament_is_started_seated_or_withdrawn_from_its_sessions(finished):
    client = Client()
    client.force_login(finished.roles.get(kind="organizer").user)

    def offered():
        page = client.get(f"/{finished.slug}/desk/sessions/").content.decode()
        return [
            word in page
            for word in ("icon-shuffle", "Start</button>", "Change the seating", "Withdraw the seating")
        ]

    assert offered() == [False] * 4
    events.reopen_tournament(finished, by=make.organizer_of(finished), reason="A name is written wrongly")
    assert any(offered())


def test_an_empty_list_of_a_finished_tournament_asks_for_nobody(finished):
    client = Client()
    client.force_login(finished.roles.get(kind="organizer").user)
    finished.registrations.all().delete()
    for page in ("people/", "check-in/"):
        shown = client.get(f"/{finished.slug}/desk/{page}").content.decode()
        assert "/desk/people/paste/" not in shown
        assert "/desk/people/add/" not in shown


def test_nobody_is_checked_in_or_out_of_a_finished_tournament(finished):
    by = make.organizer_of(finished)
    row = finished.registrations.get(number=1)
    assert refused_codes(lambda: registration.check_in(row, by=by)) == ["event_finished"]
    assert refused_codes(lambda: registration.undo_check_in(row, by=by)) == ["event_finished"]


def test_the_desk_of_a_table_of_a_finished_tournament_offers_no_correction(finished):
    client, referee = Client(), make.staff(finished, "chief_referee")
    client.force_login(referee)
    page = f"/{finished.slug}/desk/tables/1/1/"
    assert "/desk/penalties/session-1/table-1/" not in client.get(page).content.decode()
    events.reopen_tournament(finished, by=make.organizer_of(finished), reason="A name is written wrongly")
    assert "/desk/penalties/session-1/table-1/" in client.get(page).content.decode()


def test_a_player_of_a_finished_tournament_changes_nothing_and_is_told(finished):
    page = f"/{finished.slug}/me/{link_of(finished.registrations.get(number=1))}/change/"
    shown = Client().get(page).content.decode()
    assert "The event is finished; ask its organizer if something is wrong." in shown
    assert 'name="name"' not in shown
