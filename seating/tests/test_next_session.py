"""One button for the next session: it closes, draws in the way of the last draw, and shows the draft; another one publishes. [RULES 9.17]"""

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from penalties.tests import factories as judge
from seating.drafts import operations as drafts
from seating.drafts.plans import Options
from seating.models import Draw
from tournaments.models import Session
from tournaments.people.operations import registration
from tournaments.sessions.operations import play
from tournaments.tests import factories as make
from tournaments.tests.presses import press

pytestmark = pytest.mark.django_db
CLOSE_AND_DRAW = "Close session 1 and draw session 2"


def words(page):
    return " ".join(strip_tags(page.content.decode().replace("<", " <")).split())


def desk(event):
    return reverse("tournaments:desk", args=[event.slug])


@pytest.fixture
def event(client):
    """Eight players whose first session is played to the last confirmation; the organizer is at the desk."""
    tournament = make.tournament()
    make.players(tournament, 8)
    make.settle(make.in_play(tournament))
    client.force_login(tournament.created_by)
    return tournament


def test_two_presses_lead_from_the_last_protocol_to_seats_on_every_phone(client, event):
    page = client.get(desk(event))
    assert "Session 2 is drawn as last time (random)." in words(page)
    page = press(client, page, CLOSE_AND_DRAW)
    assert "Session 1 is closed; its results are final. Drawn. Nobody sees it yet." in words(page)
    assert Session.objects.get(tournament=event, number=1).state == "closed"
    page = press(client, page, "Publish the draw")
    assert "The seating is public." in words(page)
    seen = client.get(reverse("tournaments:seating", args=[event.slug]) + "?session=2")
    assert "Session 2" in words(seen)
    assert Session.objects.get(tournament=event, number=2).seats.count() == 8


def test_the_way_of_the_last_draw_is_remembered(client):
    event = make.tournament(sessions=3)
    for row in make.players(event, 8):
        row.player.club = "A" if row.number % 2 else "B"
        row.player.save(update_fields=["club"])
    session = event.sessions.get(number=1)
    session.tournament = event
    by, options = make.organizer_of(event), Options(keep_apart=("club",), swiss_mode="strict", winds="cards")
    drafts.publish(drafts.propose(event, [session], mode="swiss", options=options, by=by), by=by)
    session.refresh_from_db()
    make.settle(play.start_session(session, by=by))
    client.force_login(event.created_by)
    page = client.get(desk(event))
    assert "drawn as last time (swiss, kept apart: club)" in words(page)
    press(client, page, CLOSE_AND_DRAW)
    made = Draw.objects.get(state="draft")
    asked = Options.from_json(made.settings)
    assert (made.mode, made.sessions) == ("swiss", [2])
    assert (asked.keep_apart, asked.swiss_mode, asked.winds) == (("club",), "strict", "cards")


def test_pressed_twice_it_draws_once(client, event):
    page = client.get(desk(event))
    press(client, page, CLOSE_AND_DRAW)
    seed = Draw.objects.get(state="draft").seed
    answer = press(client, page, CLOSE_AND_DRAW)
    assert answer.status_code == 200
    assert Draw.objects.get(state="draft").seed == seed


def test_a_draw_that_is_refused_leaves_the_session_closed_and_says_why(client, event):
    for row in list(event.registrations.all())[:5]:
        registration.withdraw(row, by=make.organizer_of(event))
    page = press(client, client.get(desk(event)), CLOSE_AND_DRAW)
    assert Session.objects.get(tournament=event, number=1).state == "closed"
    assert "At least 4 players are needed" in words(page)
    assert "The next session is not drawn yet: choose here how it shall be." in words(page)


def test_a_closed_session_leads_on_by_the_same_press(client, event):
    page = press(client, client.get(desk(event)), "Close session 1")
    page = press(client, client.get(desk(event)), "Draw session 2")
    assert "Publish the draw" in words(page)


def test_over_an_open_appeal_the_button_asks_for_a_reason(client, event):
    session = event.sessions.get(number=1)
    session.tournament = event
    judge.appeal(judge.give(judge.seat(session, "E"), "phone", session))
    page = client.get(desk(event))
    page = press(client, page, CLOSE_AND_DRAW, reason="The committee meets in the break.")
    assert Draw.objects.filter(state="draft").exists()


def test_a_promised_draw_wants_its_digits_first(client, event):
    drafts.commit(event, by=make.organizer_of(event))
    page = client.get(desk(event))
    assert CLOSE_AND_DRAW not in words(page)
    assert "Close session 1" in words(page)


def test_a_draft_says_what_is_wrong_with_it(client):
    event = make.tournament()
    make.players(event, 9)
    make.settle(make.in_play_short(event))
    client.force_login(event.created_by)
    page = press(client, client.get(desk(event)), CLOSE_AND_DRAW)
    assert "Look at this before you publish No game in session 2, but 3 TP awarded:" in words(page)


def test_a_draft_with_nothing_wrong_says_so(client):
    event = make.tournament()
    make.players(event, 4)
    client.force_login(event.created_by)
    page = client.post(reverse("seating:draw", args=[event.slug]), {"mode": "random"}, follow=True)
    assert "Nothing is wrong with it" in words(page)
    assert "Published, the seats are on the public pages and every phone at once." in words(page)


def test_a_wish_that_has_become_impossible_is_not_offered_again(client):
    """Of eight players nobody meets anybody twice in one session; the second one is chosen on the page of the draw."""
    event = make.tournament(sessions=2)
    make.players(event, 8)
    session, by = event.sessions.get(number=1), make.organizer_of(event)
    session.tournament = event
    options = Options(no_repeats=True, keep_apart=("club",))
    made = drafts.run_draw(drafts.propose(event, [session], mode="random", options=options, by=by).pk)
    drafts.publish(made, by=by)
    session.refresh_from_db()
    make.settle(play.start_session(session, by=by))
    client.force_login(event.created_by)
    page = client.get(desk(event))
    assert CLOSE_AND_DRAW not in words(page)
    page = press(client, page, "Close session 1")
    page = client.get(desk(event))
    assert reverse("tournaments:go_on", args=[event.slug, 1]) not in page.content.decode()
    assert reverse("seating:draw", args=[event.slug]) in page.content.decode()


def test_a_published_draw_is_not_called_set_aside(client, event):
    """The other organizer published it meanwhile; the press on the old page is refused and says so."""
    press(client, client.get(desk(event)), CLOSE_AND_DRAW)
    page = client.get(reverse("seating:draw", args=[event.slug]))
    draft = Draw.objects.get(state="draft")
    drafts.publish(draft, by=make.organizer_of(event))
    told = words(press(client, page, "Set aside"))
    assert "This draw is published; withdraw the seating if it shall not stand." in told
    assert "is set aside" not in told
    draft.refresh_from_db()
    assert draft.state == "published"
