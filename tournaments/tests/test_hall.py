"""The screens of the hall: shown as the desk steers them, by those who may, with everything kept in the history."""

import json
import re
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from tournaments.models import HallScreen, HistoryEntry, Protocol
from tournaments.public.operations import Steering, steer_hall
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.markup import tight
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def of():
    made = make.tournament("sbr")
    make.players(made, 8)
    make.in_play(made)
    recompute.recompute(made.pk)
    return made


def screen(client, of, **query):
    return client.get(reverse("tournaments:hall", args=[of.slug]), query).content.decode()


def steered(of, **steering):
    return steer_hall(of, Steering(**steering), by=make.organizer_of(of))


def shown(page):
    return [part for part in HallScreen.Part.values if f'data-part="{part}"' in page]


def desk(client, of):
    client.force_login(of.created_by)
    return reverse("tournaments:hall_desk", args=[of.slug])


def test_nobody_has_steered_yet_and_the_usual_parts_take_turns(client, of):
    page = screen(client, of)
    assert shown(page) == ["seating", "clock", "standings"]
    assert 'data-seconds="15" data-step="0">' in page


def test_screen_shows_what_the_desk_chose(client, of):
    steered(of, parts=["clock"], seconds=40, is_held=True, turn=2)
    page = screen(client, of)
    assert shown(page) == ["clock"]
    assert 'data-seconds="40" data-step="2" data-held>' in page


def test_standings_in_the_hall_say_that_they_are_provisional_while_a_session_is_in_play(client, of):
    title = '<span class="hall-what" aria-hidden="true">Standings · Provisional</span>'
    assert title in tight(screen(client, of, show="standings"))
    session = of.sessions.get(number=1)
    session.tournament = of
    for protocol in Protocol.objects.filter(table__session=session):
        make.record(protocol)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    page = tight(screen(client, of, show="standings"))
    assert "Standings</span>" in page
    assert "Provisional" not in page


def test_second_screen_keeps_to_its_part_and_hears_the_message(client, of):
    steered(of, parts=["clock"], message="Tea is served.")
    page = screen(client, of, show="standings")
    assert shown(page) == ["standings"]
    assert "Tea is served." in strip_tags(page)


def test_standings_on_the_screen_name_their_numbers(client, of):
    """Twelve rows and fewer stand in one column, under one head; points have their sign as everywhere."""
    page = screen(client, of, show="standings")
    heads = re.findall(r'<th[^>]*class="value"[^>]*><span>(.*?)</span>', page)
    values = re.findall(r'<td class="value">(.*?)</td>', page)
    assert heads == ["TP", "GP"]
    assert len(values) == 2 * of.standings.count()
    assert all(strip_tags(value)[0] in "+−0" for value in values[1::2])


def test_standings_wait_for_the_first_session(client):
    made = make.tournament("sbr")
    make.players(made, 8)
    recompute.recompute(made.pk)
    page = screen(client, made, show="standings")
    assert shown(page) == []
    assert "The seating appears here once it is published." in strip_tags(page)


def test_message_alone_is_shown_when_nothing_else_is_chosen(client, of):
    steered(of, parts=[], message="Tea is served.")
    page = screen(client, of)
    assert shown(page) == []
    assert "Tea is served." in strip_tags(page)


def test_message_is_text_and_never_markup(client, of):
    steered(of, message="<b onclick=x>Tea</b>")
    assert "<b onclick" not in screen(client, of)


def test_steering_stands_in_the_history_without_the_words_of_the_message(of):
    """A message may hold a name, which must be erasable. [INTEGRITY 1]"""
    steered(of, message="Anna, to table 4")
    entry = HistoryEntry.objects.get(kind="hall_steered")
    assert json.loads(entry.content)["data"] == {
        "parts": ["seating", "clock", "standings"],
        "seconds": 15,
        "held": False,
        "step": 0,
        "message": True,
    }
    assert "Anna" not in entry.content


def test_steering_to_what_is_shown_already_writes_nothing(of):
    steered(of, seconds=20)
    steered(of, seconds=20)
    assert HistoryEntry.objects.filter(kind="hall_steered").count() == 1


def test_steering_reaches_the_screens_by_the_stream_of_revisions(of):
    before = of.revision.wanted
    steered(of, is_held=True)
    of.revision.refresh_from_db()
    assert of.revision.wanted == before + 1


@pytest.mark.parametrize("steering", [{"seconds": 4}, {"seconds": 121}, {"message": "x" * 201}])
def test_what_nobody_could_read_is_refused(of, steering):
    with pytest.raises(Refused):
        steered(of, **steering)
    assert not HallScreen.objects.exists()


def test_form_of_the_desk_steers_and_keeps_what_was_typed_when_refused(client, of):
    url = desk(client, of)
    typed = {"parts": ["seating", "hands"], "seconds": "300", "message": "Tea is served."}
    refused = client.post(url, typed)
    assert refused.status_code == 422
    assert "Tea is served." in refused.content.decode()
    assert client.post(url, {**typed, "seconds": "30"}).status_code == 302
    row = HallScreen.objects.get()
    assert (row.parts, row.seconds, row.message) == (["seating", "hands"], 30, "Tea is served.")


@pytest.mark.parametrize(
    ("step", "field", "value"),
    [("next", "step", 1), ("back", "step", -1), ("hold", "is_held", True), ("quiet", "message", "")],
)
def test_one_tap_steers(client, of, step, field, value):
    steered(of, message="Tea is served.")
    desk(client, of)
    client.post(reverse("tournaments:steer_hall", args=[of.slug]), {"step": step, "key": uuid4().hex})
    assert getattr(HallScreen.objects.get(), field) == value


@pytest.mark.parametrize(("step", "once", "again"), [("next", 1, 2), ("back", -1, -2)])
def test_a_turn_pressed_twice_turns_one_page(client, of, step, once, again):
    page, url = desk(client, of), reverse("tournaments:steer_hall", args=[of.slug])

    def key():
        form = client.get(page).content.decode().partition('class="hall-steps"')[2]
        return re.search(r'name="key" value="(\w+)"', form).group(1)

    pressed = {"step": step, "key": key()}
    for _press in range(2):
        assert client.post(url, pressed).status_code == 302
    assert HallScreen.objects.get().step == once
    assert HistoryEntry.objects.filter(kind="hall_steered").count() == 1
    client.post(url, pressed | {"key": key()})
    assert HallScreen.objects.get().step == again
    client.post(url, {"step": step})
    assert HallScreen.objects.get().step == again


def test_a_step_that_nobody_knows_changes_nothing(client, of):
    desk(client, of)
    assert client.post(reverse("tournaments:steer_hall", args=[of.slug]), {"step": "jump"}).status_code == 302
    assert not HallScreen.objects.exists()
