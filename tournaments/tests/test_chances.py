"""Chances on the site: worked out apart from the standings, kept for the curve, told without claiming more than is true."""

import json
import re
import subprocess

import pytest
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.translation import override

from scoring.standings.chances.needs import Lead, Need, Rival
from tournaments import tasks
from tournaments.models import Chances, Protocol, Tournament
from tournaments.record import wakeup
from tournaments.sessions.operations import play
from tournaments.standings.operations import chances, freezing, recompute
from tournaments.standings.queries.chances import calibrated, in_words, newest_chances, read, tables_left
from tournaments.standings.queries.outlook import outlook_of
from tournaments.standings.rules.chances import calibration, chance_of
from tournaments.tests import factories as make
from tournaments.web.access import link_of


def words(response):
    return " ".join(strip_tags(response.content.decode().replace("<", " <")).split())


def address(name, of, query=""):
    return reverse(f"tournaments:{name}", args=[of.slug]) + query


def played(of, number):
    session = make.in_play(of, number)
    for protocol in Protocol.objects.filter(table__session=session):
        make.record(protocol, make.east_from_south(2))
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))


def event(sessions=1, players=8, last=2):
    of = make.tournament(sessions=last)
    make.players(of, players)
    for number in range(1, sessions + 1):
        played(of, number)
    recompute.recompute(of.pk)
    return of


# Telling


def test_only_what_is_proved_is_certain_or_impossible():
    assert chance_of(10_000, 10_000, last=3, best=1, worst=8).text == "> 99 %"
    assert chance_of(0, 10_000, last=3, best=2, worst=8).text == "< 1 %"
    assert chance_of(10_000, 10_000, last=3, best=1, worst=3).proved == "certain"
    assert chance_of(0, 10_000, last=3, best=4, worst=8).proved == "impossible"
    assert chance_of(50, 10_000, last=3, best=1, worst=8).text == "1 %"
    assert chance_of(9_950, 10_000, last=3, best=1, worst=8).text == "99 %"
    assert chance_of(3_149, 10_000, last=3, best=1, worst=8).text == "31 %"


def test_of_those_given_a_tenth_it_is_counted_how_many_did():
    tenths = calibration([(0.3, True), (0.34, False), (0.31, False), (1.0, True)])
    assert [(tenth.least, tenth.cases, tenth.did, tenth.share) for tenth in tenths] == [
        (30, 3, 1, "33 %"),
        (90, 1, 1, "> 99 %"),
    ]


def test_needs_read_as_sentences():
    assert in_words(Need(is_out=True), {}) == "no longer possible."
    assert in_words(Need(enough=2, hope=2), {}).startswith("place 2 or better at your table is enough")
    told = in_words(Need(enough=1, hope=3, rivals=(Rival(7, 2),)), {7: "Heron"})
    assert told.endswith(
        "Place 2 at your table is enough as long as at their tables – Heron: place 2 or below."
    )
    told = in_words(Need(enough=1, hope=3, points=20), {})
    assert told.endswith("Place 2 with +20 or more at your table is enough, whatever happens elsewhere.")
    with override("ru"):
        told = in_words(Need(enough=1, hope=3, points=20, rivals=(Rival(7, 2),)), {7: "Heron"})
        assert told.endswith(
            "Места 2 с результатом не меньше +20 за своим столом достаточно, если за своими столами — Heron: место 2 или ниже."
        ), told


# Working out


@pytest.mark.django_db
def test_chances_follow_the_standings_once_and_are_kept_for_each_tenth():
    of = event()
    assert chances.behind() == [of.pk]
    assert chances.bring_up(of.pk, apart=False)
    assert not chances.bring_up(of.pk, apart=False)
    assert chances.behind() == []
    session = make.in_play(of, 2)
    make.record(Protocol.objects.filter(table__session=session).first(), make.east_from_south(1))
    recompute.recompute(of.pk)
    assert chances.behind() == [of.pk]
    chances.bring_up(of.pk, apart=False)
    assert list(Chances.objects.values_list("session", "tenth")) == [(1, 10), (2, 4)]
    said = read(newest_chances(of))
    assert said["finishes"] == 10_000
    assert len(said["players"]) == 8
    assert sum(row[0][0] for row in said["players"].values()) >= 10_000


@pytest.mark.django_db
def test_before_the_first_result_and_after_the_last_there_is_nothing_to_say_and_nothing_to_do():
    of = make.tournament(sessions=1)
    make.players(of, 4)
    make.in_play(of, 1)
    recompute.recompute(of.pk)
    chances.bring_up(of.pk, apart=False)
    assert read(newest_chances(of)) == {}
    assert chances.behind() == []


@pytest.mark.django_db
def test_a_process_of_its_own_gives_the_same_chances():
    of = event()
    outlook, _ = outlook_of(of)
    here = json.dumps(chances.worked_out(outlook, "seed", apart=False))
    assert chances.worked_out(outlook, "seed", apart=True) == json.loads(here)


@pytest.mark.django_db
def test_seats_that_are_not_published_are_nobodys_yet():
    of = event()
    outlook, moment = outlook_of(of)
    assert [left.number for left in outlook.left] == [2]
    assert outlook.left[0].tables == ()
    assert moment == (1, 10)
    make.seated(of, 2)
    assert len(outlook_of(of)[0].left[0].tables) == 2


@pytest.mark.django_db
def test_chances_that_fail_are_not_tried_again_before_the_standings_move(monkeypatch):
    of = event()

    def fail(*args, **more):
        raise ValueError("this one cannot be worked out")

    monkeypatch.setattr(chances, "worked_out", fail)
    with pytest.raises(ValueError, match="cannot be worked out"):
        chances.bring_up(of.pk)
    assert chances.behind() == []
    assert read(newest_chances(of)) == {}


@pytest.mark.django_db
def test_a_machine_without_time_for_chances_says_so_in_a_line_and_waits_for_the_next_result(
    monkeypatch, caplog
):
    of = event()

    def never_end(*args, timeout, **more):
        raise subprocess.TimeoutExpired("python", timeout)

    monkeypatch.setattr(subprocess, "run", never_end)
    assert chances.bring_up(of.pk, apart=True)
    assert (chances.behind(), read(newest_chances(of))) == ([], {})
    assert [(line.levelname, line.exc_info) for line in caplog.records] == [("WARNING", None)]


@pytest.mark.django_db
def test_one_event_whose_chances_fail_keeps_no_other_from_theirs(monkeypatch):
    broken, sound = event(), event()
    whole = chances.bring_up

    def bring_up(tournament_id):
        if tournament_id == broken.pk:
            raise ValueError("this one cannot be worked out")
        whole(tournament_id, apart=False)

    class Once:
        told = False

        def is_set(self):
            return self.told

        def wait(self, seconds):
            self.told = True

    monkeypatch.setattr(chances, "bring_up", bring_up)
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    monkeypatch.setattr(wakeup, "wait_for_chances", lambda seconds: None)
    tasks.run_chances(Once())
    assert chances.behind() == [broken.pk]
    assert newest_chances(sound) is not None


# Pages


@pytest.mark.django_db
def test_the_page_says_on_how_many_finishes_chances_rest_and_of_which_moment(client):
    of = event()
    assert "No chances yet" in words(client.get(address("chances", of)))
    chances.bring_up(of.pk, apart=False)
    told = words(client.get(address("chances", of)))
    assert re.search(r"Of 10\D?000 simulated finishes, as of \d\d:\d\d\.", told), told
    assert "1 session still to finish." in told


@pytest.mark.django_db
def test_a_player_sees_the_course_and_what_is_needed_in_the_last_session(client):
    of = event(last=2)
    chances.bring_up(of.pk, apart=False)
    make.in_play(of, 2)
    recompute.recompute(of.pk)
    chances.bring_up(of.pk, apart=False)
    number = of.standings.first().player.registration.number
    told = words(client.get(address("chances", of, f"?player={number}")))
    assert "What is needed in the last session" in told
    assert "To be first:" in told
    assert "Session 2, 0 %" in told


@pytest.mark.django_db
def test_what_if_moves_places_as_the_real_standings_would(client):
    of = event(last=2)
    session = make.in_play(of, 2)
    table = tables_left(of)[0]
    last = of.standings.last().player_id
    table = next(t for t in tables_left(of) if last in [seat["player"] for seat in t["seats"]])
    points = {seat["wind"]: 900 if seat["player"] == last else -300 for seat in table["seats"]}
    query = f"?table={table['number']}" + "".join(
        f"&t{table['number']}{wind}={value}" for wind, value in points.items()
    )
    page = client.get(address("what_if", of, query)).content.decode()
    rows = re.findall(r'data-own-number="(\d+)"[^>]*>\s*<td class="number">(\d+)=?</td>', page)
    imagined = {int(number): int(place) for number, place in rows}
    number = of.registrations.get(player=last).number
    assert imagined[number] < of.standings.last().place
    assert Protocol.objects.filter(table__session=session, hands__isnull=False).count() == 0


@pytest.mark.django_db
def test_what_is_no_number_is_said_and_changes_nothing(client):
    of = event(last=2)
    make.in_play(of, 2)
    told = words(client.get(address("what_if", of, "?table=1&t1E=abc")))
    assert "Table 1: write whole numbers." in told


@pytest.mark.django_db
def test_after_the_last_session_nothing_is_foretold(client):
    """The event is not closed yet, and no game is left."""
    of = event(last=2)
    chances.bring_up(of.pk, apart=False)
    registration = of.standings.last().player.registration
    page = reverse("tournaments:player", args=[of.slug, registration.number])
    assert "What may still happen" in words(client.get(page))
    played(of, 2)
    recompute.recompute(of.pk)
    told = words(client.get(page))
    assert "How much is missing" in told
    assert "What may still happen" not in told
    told = words(client.get(address("chances", of)))
    assert "All sessions are played" in told
    assert "simulated" not in told


@pytest.mark.django_db
def test_a_finished_event_says_how_right_its_chances_were(client):
    of = event(last=2)
    chances.bring_up(of.pk, apart=False)
    played(of, 2)
    recompute.recompute(of.pk)
    Tournament.objects.filter(pk=of.pk).update(state=Tournament.State.CLOSED)
    told = words(client.get(address("chances", of)))
    assert "Everything is decided" in told
    assert "Came true" in told
    other = event(last=2)
    assert calibrated(other, alone=False)[0] == 1
    Tournament.objects.filter(pk=of.pk).update(is_demo=True)
    assert calibrated(other, alone=False)[0] == 0


@pytest.mark.django_db
def test_a_players_pages_say_what_is_needed_in_the_last_session_and_not_before(client):
    of = event(last=2)
    registration = of.standings.first().player.registration
    pages = (
        reverse("tournaments:player", args=[of.slug, registration.number]),
        reverse("tournaments:own_page", args=[of.slug, link_of(registration)]),
    )
    for page in pages:
        assert "What is needed" not in words(client.get(page))
    make.in_play(of, 2)
    recompute.recompute(of.pk)
    for page in pages:
        told = words(client.get(page))
        assert "What is needed in the last session" in told
        assert "To be first:" in told
    freezing.freeze(Tournament.objects.get(pk=of.pk), by=make.organizer_of(of))
    for page in pages:
        assert "What is needed" not in words(client.get(page)), "while the standings are frozen"


def test_where_points_are_ranked_needs_read_as_sentences():
    alone = Need(is_alone=True)
    assert in_words(alone, {}) == "first at your table is enough, whatever happens elsewhere."
    told = in_words(alone._replace(points=12_000), {})
    assert told == "Place 1 with +12\u202f000 or more at your table is enough, whatever happens elsewhere.", (
        told
    )
    told = in_words(alone._replace(points=500, leads=(Lead(7, 3_000),)), {7: "Heron"})
    assert (
        told
        == "Place 1 with +500 or more at your table is enough if it is ahead there by at least so many points – Heron: 3000."
    ), told
    with override("ru"):
        told = in_words(alone._replace(leads=(Lead(7, 3_000),)), {7: "Heron"})
        assert (
            told
            == "Места 1 за своим столом достаточно, если опередить там не меньше чем на столько очков — Heron: 3000."
        )
