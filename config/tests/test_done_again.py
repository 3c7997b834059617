"""What is done and whose answer was lost is done again by people; it changes nothing a second time. [INTEGRITY 5]"""

import re

import pytest
from django.test import Client
from django.urls import reverse

from penalties.appeals import operations as appeals_operations
from penalties.lateness import operations as lateness_operations
from penalties.models import Appeal
from penalties.tests import factories as judge
from tournaments.models import HistoryEntry, Seat, Substitute, Team, Tournament
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
