"""What is done and whose answer was lost is done again by people; it changes nothing a second time. [INTEGRITY 5]"""

import re

import pytest
from django.test import Client
from django.urls import reverse

from penalties.appeals import operations as appeals_operations
from penalties.lateness import operations as lateness_operations
from penalties.models import Appeal
from penalties.tests import factories as judge
from tournaments.models import HistoryEntry, Receipt, Registration, Seat, Substitute, Team, Tournament
from tournaments.people.operations import registration
from tournaments.sessions.operations import play, templates
from tournaments.sessions.operations import tournaments as events
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
REASON = "Both asked for it at the desk."


@pytest.fixture
@remembered
def desk():
    """An event of eight players with a published seating, and its organizer's browser."""
    of = make.tournament()
    make.players(of, 8)
    make.seated(of)
    client = Client()
    client.force_login(of.created_by)
    judge.judge(of, "chief_referee", who=of.created_by)
    client.of = of
    return client


def key_of(page):
    """The key of the form on a page."""
    return re.search(r'name="key" value="([0-9a-f]{32})"', page.content.decode())[1]


def seats(of):
    return sorted(Seat.objects.filter(session__tournament=of).values_list("table", "wind", "player"))


def test_two_players_who_changed_places_do_not_change_back(desk):
    url = f"/{desk.of.slug}/desk/draw/session-1/"
    before = seats(desk.of)
    said = {"first": "1", "second": "2", "reason": REASON, "key": key_of(desk.get(url))}
    desk.post(url, said)
    after = seats(desk.of)
    assert after != before
    assert desk.post(url, said).status_code == 302
    assert seats(desk.of) == after


def test_a_substitute_is_in_the_pool_once(desk):
    url = reverse("penalties:substitutes", args=[desk.of.slug])
    said = {"name": "Mira", "city": "", "role": "", "key": key_of(desk.get(url))}
    for _ in range(2):
        assert desk.post(url, said).status_code == 302
    assert Substitute.objects.filter(tournament=desk.of).count() == 1


@pytest.mark.parametrize("way", ["new", "clone", "template"])
def test_an_event_is_created_once(desk, way):
    """[INTEGRITY 2]"""
    url = {"new": "/new/", "clone": f"/{desk.of.slug}/desk/clone/", "template": ""}[way]
    if way == "template":
        url = f"/new/template-{templates.save_template(desk.of, 'Ours', owner=desk.of.created_by).pk}/"
    shown = desk.get(url)
    form = shown.context["form"]
    said = {name: form[name].value() for name in form.fields}
    said = {name: value for name, value in said.items() if value not in (None, "", [], False)}
    said |= {"name": "The next one", "first_day": "2026-12-05", "key": key_of(shown)}
    answers = [desk.post(url, said) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302], answers[0].context["form"].errors
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Tournament.objects.filter(name="The next one").count() == 1
    assert desk.post(url, said | {"name": "Another one"}).status_code == 302
    assert Tournament.objects.filter(name="Another one").count() == 1


def test_a_draft_that_was_deleted_is_not_what_a_form_sent_again_leads_to(desk):
    said = {"name": "The next one", "first_day": "2026-12-05", "preset": desk.of.preset, "time_zone": "UTC"}
    said |= {"slug": "the-next-one", "key": key_of(desk.get("/new/"))}
    assert desk.post("/new/", said).status_code == 302
    events.delete_draft(Tournament.objects.get(slug="the-next-one"), by=make.organizer_of(desk.of))
    assert desk.post("/new/", said)["Location"] == "/the-next-one/desk/"
    assert desk.get("/the-next-one/desk/").status_code == 200


def test_points_posted_by_decision_are_posted_once(desk):
    """[INTEGRITY 2]"""
    url = reverse("penalties:adjustments", args=[desk.of.slug])
    said = {"player": desk.of.registrations.get(number=1).player_id, "game_points": "-8", "reason": REASON}
    said |= {"timing": "", "key": key_of(desk.get(url))}
    for _ in range(2):
        assert desk.post(url, said).status_code == 302
    assert desk.of.adjustments.count() == 1
    assert desk.post(url, {**said, "game_points": "-9"}).status_code == 422
    assert desk.of.adjustments.count() == 1


def test_points_of_a_team_are_taken_once(desk):
    """[INTEGRITY 2]"""
    table = {"by": "team", "mode": "sum", "best": None, "ranking": ["game_points"]}
    by = make.organizer_of(desk.of)
    events.change_regulation(desk.of, {"team_size": 4, "group_tables": [table]}, by=by)
    team = Team.objects.create(tournament=desk.of, name="Storks")
    url = reverse("penalties:teams", args=[desk.of.slug])
    said = {"team": team.pk, "game_points": "-8", "reason": REASON, "key": key_of(desk.get(url))}
    for _ in range(2):
        assert desk.post(url, said).status_code == 302
    assert desk.of.team_lines.count() == 1


def test_a_question_is_asked_once(desk):
    """[INTEGRITY 2]"""
    url = reverse("tournaments:questions", args=[desk.of.slug])
    said = {"sort": "text", "label": "What do you eat?", "key": key_of(desk.get(url))}
    for _ in range(2):
        assert desk.post(url, said).status_code == 302
    desk.of.refresh_from_db()
    assert len(desk.of.questions) == 1


def done_twice(work):
    """How many entries a second time adds."""
    work()
    count = HistoryEntry.objects.count()
    work()
    return HistoryEntry.objects.count() - count


def test_a_seating_is_withdrawn_once(desk):
    session, by = desk.of.sessions.get(number=1), make.organizer_of(desk.of)
    assert done_twice(lambda: play.withdraw_seating(session, by=by, reason=REASON)) == 0


def test_a_decision_on_a_lateness_is_recorded_once(desk):
    by = make.organizer_of(desk.of)
    session = play.start_session(desk.of.sessions.get(number=1), by=by)
    (row,) = lateness_operations.mark_late(session, [judge.seat(session, "E")], by=by)
    assert done_twice(lambda: lateness_operations.change_lateness(row, seconds=60, by=by, reason=REASON)) == 0
    assert done_twice(lambda: lateness_operations.waive(row, by=by, reason=REASON)) == 0
    assert done_twice(lambda: lateness_operations.strike(row, by=by, reason=REASON)) == 0


def test_a_hearing_is_set_once(desk):
    by = make.organizer_of(desk.of)
    session = play.start_session(desk.of.sessions.get(number=1), by=by)
    penalty = judge.give(judge.seat(session, "E"), "phone", session, points=10)
    row = judge.appeal(penalty)
    assert (
        done_twice(lambda: appeals_operations.set_hearing(row, at=session.started_at, place="Desk", by=by))
        == 0
    )
    assert Appeal.objects.get().hearing_place == "Desk"


@pytest.fixture
def stranger():
    """Somebody without an account before the form of an event; the answer to the first sending was lost."""
    client = Client(headers={"accept-language": "en"})
    client.of = make.tournament()
    client.url = f"/{client.of.slug}/register/"
    client.said = {"name": "Grey Heron", "consent": "on", "key": key_of(client.get(client.url))}
    client.first = client.post(client.url, client.said)["Location"]
    return client


def test_a_registration_sent_again_leads_to_the_same_private_page(stranger):
    """[INTEGRITY 2]"""
    again = stranger.post(stranger.url, stranger.said)
    assert (again.status_code, again.headers.get("Location")) == (302, stranger.first)
    assert "You are registered." in stranger.get(stranger.first).content.decode()
    assert stranger.of.registrations.count() == 1
    assert HistoryEntry.objects.filter(tournament=stranger.of, kind="player_registered").count() == 1


def test_with_other_words_the_same_form_registers_another_person(stranger):
    other = stranger.post(stranger.url, stranger.said | {"name": "Reed Bunting"})
    assert other.status_code == 302
    assert other["Location"] != stranger.first
    assert stranger.of.registrations.count() == 2
    assert stranger.post(stranger.url, stranger.said)["Location"] == stranger.first


@pytest.mark.parametrize("key", ["", "another-key-of-the-form"])
def test_whoever_has_not_the_key_of_the_form_gets_no_private_page(stranger, key):
    asked = Client(headers={"accept-language": "en"}).post(stranger.url, stranger.said | {"key": key})
    assert asked.status_code == 422
    assert "Grey Heron is already registered (no. 1)." in asked.content.decode()
    assert "/me/" not in asked.content.decode()


def test_what_is_stored_of_a_registration_opens_nothing(stranger):
    row = Receipt.objects.get(tournament=stranger.of)
    assert row.answer == {"number": 1, "link": 1}
    assert stranger.said["key"] not in row.key
    assert stranger.post(stranger.url, stranger.said | {"key": row.key}).status_code == 422


def test_a_registration_sent_again_opens_no_link_that_was_made_anew(stranger):
    row = Registration.objects.select_related("tournament").get(tournament=stranger.of)
    registration.renew_link(row, by=make.organizer_of(stranger.of), key="k" * 16)
    again = stranger.post(stranger.url, stranger.said)
    assert again.status_code == 422
    assert "its private link has ended since" in again.content.decode()
    assert "/me/" not in again.content.decode()


def test_a_registration_sent_again_says_that_its_place_was_given_up(stranger):
    row = Registration.objects.select_related("tournament").get(tournament=stranger.of)
    registration.withdraw(row, by=make.organizer_of(stranger.of))
    again = stranger.post(stranger.url, stranger.said, follow=True)
    assert "You were registered and are off the list now." in again.content.decode()
