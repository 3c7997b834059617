"""Bad input at the draw: its status, its sentence in both languages, and nothing seated. [INTEGRITY 7.3]"""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from tournaments.models import Protocol
from tournaments.people.operations import registration
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


class Desk:
    """An event whose organizer sits at the desk, in one language."""

    def __init__(self, language: str) -> None:
        self.client = Client(headers={"Accept-Language": language})

    def event(self, players: int, preset: str = "sbr", **changes: object) -> None:
        self.of = make.tournament(preset, **changes)
        self.rows = make.players(self.of, players)
        self.client.force_login(self.of.created_by)

    def post(self, where: str, **fields: str):
        return self.client.post(f"/{self.of.slug}/desk/draw/{where}", fields, follow=True)


def draw(players: int, preset: str = "sbr", **fields: str) -> Callable[[Desk], object]:
    def send(desk: Desk):
        desk.event(players, preset)
        return desk.post("", **fields)

    return send


def paste(text: str, gone: int = 0) -> Callable[[Desk], object]:
    def send(desk: Desk):
        desk.event(8)
        for row in desk.rows[:gone]:
            registration.withdraw(row, by=make.organizer_of(desk.of))
        return desk.post("paste/", text=text)

    return send


def change_at_a_begun_table(desk: Desk):
    desk.event(8)
    session = make.in_play(desk.of)
    rows = Protocol.objects.select_related("table__session__tournament").filter(table__session=session)
    make.record(rows.order_by("table__number").first())
    first, second = (
        str(session.seats.get(table__number=table, wind="E").player.registration.number) for table in (1, 2)
    )
    return desk.post("session-1/", first=first, second=second, reason="Weak sight")


def swiss_before_the_games_are_confirmed(desk: Desk):
    desk.event(8)
    make.in_play(desk.of)
    return desk.post("", mode="swiss", swiss_mode="balanced")


def publish_twice(desk: Desk):
    desk.event(8)
    desk.post("", mode="random")
    number = desk.of.draws.get().pk
    desk.post(f"{number}/publish/")
    desk.of.sessions.update(published_at=None)
    return desk.post(f"{number}/publish/")


def redraw_a_begun_session(desk: Desk):
    desk.event(8)
    make.in_play(desk.of)
    return desk.post("repair/", reason="Two have gone home")


CASES = {
    "55 a remainder": (draw(15, "mcr", mode="random"), 422, "15 players do not fill tables of 4"),
    "56 too few": (draw(3, mode="random"), 422, "At least 4 players are needed."),
    "56 too few for a plan": (draw(3, mode="fixed"), 422, "At least 4 players are needed."),
    "57 too many sessions": (
        draw(8, mode="fixed", no_repeats="on"),
        422,
        "Sessions in which nobody meets anybody twice, with 8 players: at most 1.",
    ),
    "58 somebody twice": (paste("1 2 3 4\n4 6 7 8"), 422, "is already at table 1."),
    "59 a table of five": (paste("1 2 3 4 5\n6 7 8"), 422, "table 1 has 5 players, needs 4."),
    "59 a table of two": (paste("1 2 3 4\n5 6\n7 8"), 422, "table 2 has 2 players, needs 4."),
    "60 somebody who withdrew": (paste("1 2 3 4\n5 6 7 8", gone=1), 422, "withdrew on"),
    "61 a begun table": (change_at_a_begun_table, 409, "Table 1 has started"),
    "62 games still open": (swiss_before_the_games_are_confirmed, 409, "Not confirmed yet: tables 1, 2."),
    "63 published before": (publish_twice, 200, "This draw was published at"),
    "64 a long seed": (draw(8, mode="random", seed="7" * 101), 422, "100"),
    "67 table 9 of 2": (
        draw(8, mode="random", lock_player="1", lock_table="9", lock_wind=""),
        422,
        "Table numbers run from 1 to 2.",
    ),
    "67 table 0": (
        paste("session;table;E;S;W;N\n1;0;1;2;3;4"),
        422,
        "Line 2: table numbers run from 1 to 9,999.",
    ),
    "70 a begun session": (redraw_a_begun_session, 200, "No seated session is left that has not begun."),
}


def text_of(response) -> str:
    """Return what a reader sees."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


@pytest.mark.parametrize("case", CASES)
def test_bad_draw_is_answered_and_seats_nobody(case):
    send, status, sentence = CASES[case]
    desk = Desk("en")
    response = send(desk)
    assert response.status_code == status
    assert sentence in text_of(response)
    assert not desk.of.draws.filter(state__in=("draft", "running")).exists()


@pytest.mark.parametrize("case", CASES)
def test_bad_draw_is_answered_in_russian_too(case):
    send, status, sentence = CASES[case]
    desk = Desk("ru")
    response = send(desk)
    assert response.status_code == status
    assert sentence.isdigit() or sentence not in text_of(response)
    assert re.search("[а-яё]{4,}", text_of(response), re.IGNORECASE)
