"""Plans from elsewhere: read whatever way they are written, every fault named by its line. [INTEGRITY 7.3]"""

import pytest

from seating.drafts import operations as draws
from seating.drafts.pasted import names_of
from seating.drafts.plans import Options
from seating.rules.pasted import read_plan
from tournaments.people.operations import registration
from tournaments.record.refusal import Refused, sentences
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

TWO_ROUNDS = [
    {"tables": [[1, 5, 9, 13], [2, 6, 10, 14]], "off": []},
    {"tables": [[1, 6, 11, 16], [2, 5, 12, 15]], "off": []},
]


@pytest.mark.parametrize(
    "text",
    [
        "1-5-9-13\n2-6-10-14\n\n1-6-11-16\n2-5-12-15",
        "1 5 9 13\r\n2 6 10 14\r\n\r\n\r\n1 6 11 16\r\n2 5 12 15\r\n",
        "Session 1\n1, 5, 9, 13\n2, 6, 10, 14\nSession 2\n1;6;11;16\n2;5;12;15",
        "session;table;E;S;W;N\n1;1;1;5;9;13\n1;2;2;6;10;14\n2;1;1;6;11;16\n2;2;2;5;12;15",
        "Сессия,Стол,Восток,Юг,Запад,Север\n1,2,2,6,10,14\n1,1,1,5,9,13\n2,1,1,6,11,16\n2,2,2,5,12,15",
    ],
    ids=["hyphens", "spaces and CRLF", "headings", "columns", "Russian columns in any order"],
)
def test_one_plan_is_read_however_it_is_written(text):
    assert read_plan(text, {}) == (TWO_ROUNDS, [])


def test_columns_may_name_the_players():
    rounds, problems = read_plan("session;table;E;S;W;N\n1;1;Heron;2;;3", {"heron": 7})
    assert (rounds, problems) == ([{"tables": [[7, 2, None, 3]], "off": []}], [])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Paste a plan: one table on each line."),
        ("1 2 3 4\n5 6 ½ 8", "Line 2: “½” is not a number."),
        ("1 2 3 4\nl 6 7 8", "Line 2: “l” is not a number."),
        ("1 2 3 4\nx y z", "Line 2: “x” is not a number."),
        ("session;table;E;S;W;N\n1;1;1;2;3;²", "Line 2: “²” is not among the players."),
        (f"session;table;E;S;W;N\n1;1;1;2;3;{'9' * 5000}", f"Line 2: “{'9' * 60}” is not among the players."),
        (
            f'session;table;E;S;W;N\n1;1;1;2;3;"{"x" * 200_000}"',
            "Line 2 cannot be read as a row of a table.",
        ),
        ("session;table;E;S;W;N\n1;0;1;2;3;4", "Line 2: table numbers run from 1 to 9,999."),
        ("session;table;E;S;W;N\n1;-1;1;2;3;4", "Line 2: table numbers run from 1 to 9,999."),
        ("session;table;E;S;W;N\n1;10000;1;2;3;4", "Line 2: table numbers run from 1 to 9,999."),
        ("session;table;E;S;W;N\n0;1;1;2;3;4", "Line 2: session numbers run from 1 to 9,999."),
        ("session;table;E;S;W;N\n1;x;1;2;3;4", "Line 2: “x” is not a number."),
        ("session;table;E;S;W;N\n1;1;1;2;3;Nobody", "Line 2: “Nobody” is not among the players."),
        (
            "session;table;E;S;W;N\n1;1;1;2;3;4\n1;1;5;6;7;8",
            "Line 3: table 1 of session 1 stands there twice.",
        ),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(text, sentence):
    """[INTEGRITY 67]"""
    assert sentence in sentences(read_plan(text, {})[1])


@pytest.fixture
@remembered
def event(db):
    """Eight players, two sessions."""
    of = make.tournament()
    make.players(of, 8)
    return of


def taken_in(of, text, **options):
    sessions = list(of.sessions.order_by("number"))
    for session in sessions:
        session.tournament = of
    rounds, problems = read_plan(text, names_of(of))
    assert problems == []
    wishes = Options(with_absent=True, leftover="regulation", **options)
    return draws.propose_plan(
        of, sessions[: len(rounds)], rounds, options=wishes, seed="lot", by=make.organizer_of(of)
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 2 3 4\n4 6 7 8", "Session 1: Иволга is already at table 1."),
        ("1 2 3 4\n4 6 7 8", "Session 1: Кулик has no seat."),
        ("1 2 3 4", "Session 1: 4 players have no seat: Кулик, Стриж, Дрозд, Чиж."),
        ("1 2 3 4 5\n6 7 8", "Session 1: table 1 has 5 players, needs 4."),
        ("1 2 3 4\n5 6 7 99", "99 is not among the players."),
        ("1 2 3 4\n5 6\n7 8", "Session 1: table 3 has 2 players, needs 4."),
        (
            "1 2 3 4\n5 6 7 8\n\n1 2 3 4\n5 6 7 8\n\n1 2 3 4\n5 6 7 8",
            "The plan has 3 sessions; 2 are to be seated.",
        ),
    ],
    ids=["twice", "missing", "many missing", "five", "unknown", "two", "too many sessions"],
)
def test_every_fault_of_a_plan_is_named(event, text, sentence):
    """[INTEGRITY 58] [INTEGRITY 59]"""
    with pytest.raises(Refused) as refused:
        taken_in(event, text)
    assert sentence in sentences(refused.value.problems)
    assert not event.draws.exists()


def test_who_withdrew_cannot_be_seated_by_a_plan(event):
    """[INTEGRITY 60]"""
    gone = registration.withdraw(event.registrations.get(number=8), by=make.organizer_of(event))
    with pytest.raises(Refused) as refused:
        taken_in(event, "1 2 3 4\n5 6 7 8")
    said = sentences(refused.value.problems)
    assert said == [f"{gone.player} withdrew on {gone.withdrawn_at.astimezone(event.zone):%d.%m.%Y}."]


def test_a_pasted_plan_is_a_draft_and_then_the_seating(event):
    draw = taken_in(event, "1 2 3 4\n5 6 7 8\n\n8 1 2 3\n4 5 6 7")
    assert draw.plan["2"]["tables"] == [[8, 1, 2, 3], [4, 5, 6, 7]]
    draws.publish(draw, by=make.organizer_of(event))
    seat = event.sessions.get(number=2).seats.get(table__number=1, wind="E")
    assert seat.player.registration.number == 8


def test_a_dealt_plan_gives_its_numbers_to_the_players_by_lot(event):
    plan = "1 2 3 4\n5 6 7 8\n\n1 2 7 8\n3 4 5 6"
    draw = taken_in(event, plan, is_dealt=True)
    places = [who for table in draw.plan["1"]["tables"] for who in table]
    assert sorted(places) == list(range(1, 9))
    assert places != list(range(1, 9))
    first = draw.plan["2"]["tables"][0]
    assert first == [places[number - 1] for number in (1, 2, 7, 8)]
