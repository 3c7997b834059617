"""For each system a table of sequences of offences, worked out by hand from the clauses: points, places, TP."""

from collections import Counter
from fractions import Fraction
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from penalties.ladder.operations import penalties as operations
from penalties.ladder.operations.penalties import Case
from penalties.tests import factories as judge
from scoring.standings.sessions import session_ledger
from tournaments.models import Seat, Session
from tournaments.sessions.operations import play
from tournaments.tables.queries.events import event_of
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db

HALF = Fraction(1, 2)

# One offence: the seat and its code, then what else is said. Points of the seats before: BASE.
BASE = {
    "sbr": {"E": 20, "S": 10, "W": 0, "N": -30},
    "wmsg": {"E": 20, "S": 10, "W": 0, "N": -30},
    "mcr": {"E": 20, "S": 10, "W": 0, "N": -30},
    "siamese": {"E": 20, "S": 0, "W": -20},
    "red": {"E": 20, "S": 10, "W": 0, "N": -30},
    "riichi_ema": {"E": 20000, "S": 10000, "W": 0, "N": -30000},
}


def times(count, seat="E", code="touching", **said):
    return [(seat, code, said)] * count


def decision(seat, points, code="phone", **said):
    return [(seat, code, {"points": Fraction(points), **said})]


TP = {"effect": "tournament_points"}

SICHUAN = {
    "warning": (times(1), [20, 10, 0, -30], [4, 3, 2, 1]),
    "second": (times(2), [18, 10, 0, -30], [4, 3, 2, 1]),
    "third": (times(3), [16, 10, 0, -30], [4, 3, 2, 1]),
    "fourth": (times(4), [12, 10, 0, -30], [4, 3, 2, 1]),
    "fifth": (times(5), [4, 10, 0, -30], [3, 4, 2, 1]),
    "sixth": (times(6), [-4, 10, 0, -30], [2, 4, 3, 1]),
    "seventh": (times(7), [-28, 10, 0, -30], [2, 4, 3, 1]),
    "beyond": (times(9), [-28, 10, 0, -30], [2, 4, 3, 1]),
    "mixed": (
        [*times(1, code="wrong_draw"), *times(1, code="late_claim"), *times(1, code="untidy_tiles")],
        [16, 10, 0, -30],
        [4, 3, 2, 1],
    ),
    "two-players": ([*times(4), *times(5, "S")], [12, -6, 0, -30], [4, 2, 3, 1]),
    "tie-by-decision": (decision("S", 10), [20, 0, 0, -30], [4, 2 + HALF, 2 + HALF, 1]),
    "ladder-and-phone": ([*times(3), *decision("E", 16)], [0, 10, 0, -30], [2 + HALF, 4, 2 + HALF, 1]),
    "tp": ([*times(7), *decision("E", 1, "beyond_ladder", **TP)], [-28, 10, 0, -30], [1, 4, 3, 1]),
    "all-level": (decision("E", 20) + decision("S", 10), [0, 0, 0, -30], [3, 3, 3, 1]),
}

MCR = {
    "warning": (times(1, code="empty_claim"), [20, 10, 0, -30], [4, 2, 1, 0]),
    "second": (times(2, code="empty_claim"), [15, 10, 0, -30], [4, 2, 1, 0]),
    "third": (times(3, code="empty_claim"), [5, 10, 0, -30], [2, 4, 1, 0]),
    "fourth": (times(4, code="empty_claim"), [-15, 10, 0, -30], [1, 4, 2, 0]),
    "fifth": (times(5, code="empty_claim"), [-55, 10, 0, -30], [0, 4, 2, 1]),
    "seventh": (times(7, code="empty_claim"), [-165, 10, 0, -30], [0, 4, 2, 1]),
    "eighth": (times(8, code="empty_claim"), [-225, 10, 0, -30], [0, 4, 2, 1]),
    "own-ladders": (times(2, code="empty_claim") + times(2), [10, 10, 0, -30], [3, 3, 1, 0]),
    "late-in-one-round": (
        times(1, code="late_claim", hand=1) + times(1, code="late_claim", hand=4),
        [15, 10, 0, -30],
        [4, 2, 1, 0],
    ),
    "late-in-two-rounds": (
        times(1, code="late_claim", hand=4) + times(1, code="late_claim", hand=5),
        [20, 10, 0, -30],
        [4, 2, 1, 0],
    ),
    "knocked-tile": (
        decision("E", 30, "knocked_tile", to="player", to_seat="S"),
        [-10, 40, 0, -30],
        [1, 4, 2, 0],
    ),
    "violation": (decision("S", 40, "violation"), [20, -30, 0, -30], [4, HALF, 2, HALF]),
    "violation-for-the-table": (
        decision("E", 10, "violation", to="table"),
        [-10, 20, 10, -20],
        [1, 4, 2, 0],
    ),
}

SIAMESE = {
    "warning": (times(1), [20, 0, -20], [4, 2, 1]),
    "second": (times(2), [15, 0, -20], [4, 2, 1]),
    "third": (times(3), [5, 0, -20], [4, 2, 1]),
    "fourth": (times(4), [-15, 0, -20], [2, 4, 1]),
    "fifth": (times(5), [-55, 0, -20], [1, 4, 2]),
    "own-ladders": (times(2) + times(3, code="empty_claim"), [0, 0, -20], [3, 3, 1]),
    "late-in-a-round-of-three": (times(2, code="late_claim", hand=3), [15, 0, -20], [4, 2, 1]),
    "late-in-two-rounds": (
        times(1, code="late_claim", hand=3) + times(1, code="late_claim", hand=4),
        [20, 0, -20],
        [4, 2, 1],
    ),
    "violation": (decision("E", 20, "violation"), [0, 0, -20], [3, 3, 1]),
    "to-the-table": (decision("E", 10, "violation", to="table"), [0, 10, -10], [2, 4, 1]),
    "knocked-tile": (
        decision("E", 40, "knocked_tile", to="player", to_seat="W"),
        [-20, 0, 20],
        [1, 2, 4],
    ),
}

RED = {
    "warning": ([("E", "other", {"effect": "warning"})], [20, 10, 0, -30], [4, 3, 2, 1]),
    "nine": (decision("E", 9, "other"), [11, 10, 0, -30], [4, 3, 2, 1]),
    "ten": (decision("E", 10, "other"), [10, 10, 0, -30], [3 + HALF, 3 + HALF, 2, 1]),
    "twenty": (decision("E", 20, "other"), [0, 10, 0, -30], [2 + HALF, 4, 2 + HALF, 1]),
    "last": (decision("E", 30, "other") + decision("E", 21, "other"), [-31, 10, 0, -30], [1, 4, 3, 2]),
    "to-the-table": (decision("E", 3, "other", to="table"), [11, 13, 3, -27], [3, 4, 2, 1]),
    "to-one": (decision("S", 10, "other", to="player", to_seat="W"), [20, 0, 10, -30], [4, 2, 3, 1]),
    "after-the-places": (decision("E", 15, "other", timing="after"), [5, 10, 0, -30], [4, 3, 2, 1]),
    "tp": (decision("S", "1/2", "other", **TP), [20, 10, 0, -30], [4, 2 + HALF, 2, 1]),
    "two": (decision("E", 9, "other") + decision("S", 9, "other"), [11, 1, 0, -30], [4, 3, 2, 1]),
    "dead-hand": ([("E", "wrong_count", {"effect": "dead_hand", "hand": 1})], [20, 10, 0, -30], [4, 3, 2, 1]),
}

GRAVE = "grave_disturbance"
RIICHI = {
    "warning": ([("E", "disturbance", {"effect": "warning"})], [20000, 10000, 0, -30000], 1, 15),
    "first-level": (decision("E", 8000, "disturbance"), [12000, 10000, 0, -30000], 1, 15),
    "second-level": (decision("E", 12000, "disturbance"), [8000, 10000, 0, -30000], 1, 15),
    "grave-least": (decision("E", 12000, GRAVE), [8000, 10000, 0, -30000], 1, 15),
    "grave": (decision("E", 24000, GRAVE), [-4000, 10000, 0, -30000], 1, 15),
    "grave-most": (decision("E", 48000, GRAVE), [-28000, 10000, 0, -30000], 1, 15),
    "twice": (decision("E", 8000, "disturbance") * 2, [4000, 10000, 0, -30000], 1, 15),
    "repeated": (
        decision("E", 8000, "disturbance") + decision("E", 12000, GRAVE),
        [0, 10000, 0, -30000],
        1,
        15,
    ),
    "phone": (decision("E", 1000, "phone"), [19000, 10000, 0, -30000], 1, 15),
    "two-players": (
        decision("E", 8000, "disturbance") + decision("S", 12000, "disturbance"),
        [12000, -2000, 0, -30000],
        1,
        15,
    ),
    "dead-hand": (
        [("E", "wrong_count", {"effect": "dead_hand", "hand": 1})],
        [20000, 10000, 0, -30000],
        1,
        15,
    ),
    "everything": (
        [
            *decision("E", 8000, "disturbance"),
            *decision("E", 48000, GRAVE),
            ("E", "tile_not_taken", {"effect": "dead_hand", "hand": 1}),
            *decision("N", 100, "information"),
        ],
        [-36000, 10000, 0, -30100],
        1,
        15,
    ),
}

WITH_TP = {
    f"{preset}-{name}": (preset, *row)
    for preset, table in (
        ("sbr", SICHUAN),
        ("wmsg", SICHUAN),
        ("mcr", MCR),
        ("siamese", SIAMESE),
        ("red", RED),
    )
    for name, row in table.items()
}


def scene(preset: str) -> Session:
    """One table whose hands add up to the points of the table above."""
    of = make.tournament(preset)
    people = [row.player for row in make.players(of, len(BASE[preset]))]
    by = make.organizer_of(of)
    first = of.sessions.get(number=1)
    play.seat_players(first, play.Seating({1: people}, mode="fixed", seed="by hand"), by=by)
    session = play.start_session(first, by=by)
    session.tournament = of
    for wind, points in BASE[preset].items():
        Seat.objects.filter(session=session, wind=wind).update(hand_points=points)
    return session


def case(session: Session, seat: str, code: str, said: dict) -> Case:
    said = dict(said)
    if to_seat := said.pop("to_seat", None):
        said["to_player"] = judge.seat(session, to_seat)
    if code == "other":
        said |= {"clause": "RED penalties", "reason": "Seen by the referee."}
    return Case(player=judge.seat(session, seat), offence=code, session=session, **said)


def results(session: Session) -> dict:
    """The session's results by seat, as the standings have them."""
    Session.objects.filter(pk=session.pk).update(state="closed", ended_at=session.started_at)
    event = event_of(session.tournament)
    ledger = session_ledger(event, event.sessions[0])
    winds = {seat.player_id: seat.wind for seat in session.seats.all()}
    return {winds[player]: result for player, result in ledger.results.items()}


@pytest.mark.parametrize(("preset", "offences", "points", "brought"), WITH_TP.values(), ids=WITH_TP)
def test_a_sequence_comes_to_what_the_clauses_say(preset, offences, points, brought):
    """[SBR 2.8.2] [MCR offences 3] [MCR offences 4] [MCR offences 5] [MCR offences 7] [MCR penalties 1] [RULES 8.39]"""
    session = scene(preset)
    for seat, code, said in offences:
        operations.give(
            session.tournament,
            case(session, seat, code, said),
            by=make.chief_referee_of(session.tournament),
            key=uuid4().hex,
        )
    found = results(session)
    assert [found[wind].game_points for wind in BASE[preset]] == points
    assert [found[wind].tournament_points for wind in BASE[preset]] == brought


@pytest.mark.parametrize(("offences", "points", "place", "uma"), RIICHI.values(), ids=RIICHI)
def test_riichi_takes_points_after_the_game_and_leaves_places(offences, points, place, uma):
    """[RIICHI 5.5] [RULES 8.36]"""
    session = scene("riichi_ema")
    for seat, code, said in offences:
        operations.give(
            session.tournament,
            case(session, seat, code, said),
            by=make.chief_referee_of(session.tournament),
            key=uuid4().hex,
        )
    found = results(session)
    assert [found[wind].game_points for wind in "ESWN"] == points
    assert (found["E"].place, found["E"].uma) == (place, uma)


# The same through the screens


@pytest.fixture
@remembered
def referee():
    """Sign somebody in as chief referee of a tournament."""

    def sign_in(of):
        client = Client()
        who = make.staff(of, "chief_referee")
        client.force_login(who)
        return client

    return sign_in


def posted(code: str, seat: str, said: dict) -> dict:
    """What the page sends for an offence."""
    sent = {"seat": seat, "offence": code, "key": uuid4().hex}
    for name in ("effect", "hand"):
        if name in said:
            sent[name] = str(said[name])
    if "points" in said:
        sent["points"] = str(said["points"])
    if "to" in said:
        sent["to"] = said.get("to_seat", said["to"])
    if code == "other":
        sent |= {"clause": "RED penalties", "reason": "Seen by the referee."}
    return sent


SCREENS = {name: row for name, row in WITH_TP.items() if "after" not in name}


def test_every_system_has_ten_sequences_and_more_on_its_screens():
    """[RULES 1.8]"""
    systems = Counter(name.partition("-")[0] for name in SCREENS)
    assert {"riichi": len(RIICHI), **systems}.keys() == {"sbr", "wmsg", "mcr", "siamese", "red", "riichi"}
    assert min(len(RIICHI), *systems.values()) >= 10


def give_on_screen(client: Client, session: Session, offences: list) -> None:
    """Send what the page sends, one tap after another."""
    page = reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    for seat, code, said in offences:
        answer = client.post(page, posted(code, seat, said))
        assert answer.status_code == 302, answer.context["form"].errors


@pytest.mark.parametrize(("offences", "points", "place", "uma"), RIICHI.values(), ids=RIICHI)
def test_the_screens_of_riichi_come_to_the_same(referee, offences, points, place, uma):
    """[RIICHI 5.5] [RULES 8.36]"""
    session = scene("riichi_ema")
    give_on_screen(referee(session.tournament), session, offences)
    found = results(session)
    assert [found[wind].game_points for wind in "ESWN"] == points
    assert (found["E"].place, found["E"].uma) == (place, uma)


@pytest.mark.parametrize(("preset", "offences", "points", "brought"), SCREENS.values(), ids=SCREENS)
def test_the_screens_come_to_the_same(referee, preset, offences, points, brought):
    """[RULES 1.8]"""
    session = scene(preset)
    give_on_screen(referee(session.tournament), session, offences)
    found = results(session)
    assert [found[wind].game_points for wind in BASE[preset]] == points
    assert [found[wind].tournament_points for wind in BASE[preset]] == brought


def test_before_it_is_given_the_screen_shows_step_cost_and_places(referee):
    """[SBR 2.8.2]"""
    session = scene("sbr")
    for _ in range(4):
        judge.give(judge.seat(session, "E"), "touching", session)
    client = referee(session.tournament)
    answer = client.get(reverse("penalties:give", args=[session.tournament.slug, 1, 1]) + "?seat=E")
    first, offers, effects = answer.context["choice"].ladders[0]
    assert (first.step, first.steps, first.cost, first.total) == (5, 7, 8, 16)
    assert len(offers) == 12
    assert [(one.seat.wind, one.before.place, one.after.place) for one in effects] == [
        ("E", 1, 2),
        ("S", 2, 1),
        ("W", 3, 3),
        ("N", 4, 4),
    ]
    assert "Next step: 5 of 7" in answer.content.decode()


def test_two_taps_give_a_penalty(referee):
    """The player, then the offence."""
    session = scene("sbr")
    client = referee(session.tournament)
    page = reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    form = client.get(f"{page}?seat=S").content.decode()
    key = form.split('name="key" value="', 1)[1][:32]
    answer = client.post(page, {"key": key, "seat": "S", "hand": "1", "offence": "late_claim"}, follow=True)
    given = session.tournament.penalties.get()
    assert (given.player, given.offence, given.clause) == (
        judge.seat(session, "S"),
        "late_claim",
        "SBR 2.8.2 (5)",
    )
    assert "Step 1" in answer.content.decode()
