"""A dead hand given as a penalty stands in the protocol of its hand: once, from whichever side it came, and no longer."""

import json
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Instead, Order
from penalties.appeals.queries import Replacement, courses_of
from penalties.ladder.operations import dead_hands, penalties
from penalties.ladder.operations.penalties import Case
from penalties.ladder.queries.dead_hand_marks import DeadMark, dead_mark, unmarked_dead_hands
from penalties.ladder.queries.outlook import Course, outlook_of, outlook_without, side_by_side
from penalties.ladder.rules.ladder import Given
from penalties.tests import factories as judge
from scoring.standings.stages import account
from tournaments.models import Hand, Protocol, Session
from tournaments.record import judges
from tournaments.record.refusal import Refused
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tables.queries.events import event_of
from tournaments.tables.queries.state import table_state
from tournaments.tables.views.tablet_batch import answer_batch
from tournaments.tests import factories as make
from tournaments.tests.test_hand_batches import request
from tournaments.tests.test_tablet_api import Tablet

pytestmark = pytest.mark.django_db
DEAD = {"effect": "dead_hand"}
WHY = {"kind": "decision", "clause": "RULES 1.8", "reason": "Decided as described."}
KONG = {"type": "kong", "seat": "N", "kind": "concealed"}
NO_WIN = {seat: {"state": "no_wait"} for seat in "ESW"}


def asked(table):
    """What the judges tell the table's tablet of the hand in play."""
    number = Hand.objects.filter(protocol__table=table, status="in_force").count() + 1
    return [one for one in judges.dead_hands(table.pk)[table.pk] if one.hand == number]


def scene(preset: str = "sbr") -> Session:
    of = make.tournament(preset)
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    return session


def protocol_of(session: Session) -> Protocol:
    return Protocol.objects.select_related("table__session__tournament").get(table__session=session)


def after_a_kong(session: Session) -> Protocol:
    """North laid a concealed kong and waits at the exhausted wall; nobody else does."""
    protocol = protocol_of(session)
    end = {**NO_WIN, "N": {"state": "waiting", "max_base": 2}}
    make.record(protocol, {"events": [KONG], "end": end})
    protocol.refresh_from_db()
    return protocol


def points(session: Session) -> list[int]:
    seats = {seat.wind: seat.hand_points for seat in session.seats.all()}
    return [seats[wind] for wind in "ESWN" if wind in seats]


def dead(session: Session, wind: str = "N", *, code: str = "wrong_count", hand: int = 1, by=None):
    return judge.give(judge.seat(session, wind), code, session, hand=hand, by=by, **DEAD)


def events(protocol: Protocol, number: int = 1) -> list[str]:
    row = Hand.objects.get(protocol=protocol, number=number, status="in_force")
    return [event["type"] for event in row.facts["events"]]


def test_a_dead_hand_in_a_recorded_hand_returns_the_kong_points():
    """[SBR 2.8.3] [RULES 8.40]"""
    session = scene()
    protocol = after_a_kong(session)
    assert points(session) == [-4, -4, -4, 12]
    given = dead(session)
    assert points(session) == [0, 0, 0, 0]
    assert events(protocol) == ["kong", "dead_hand"]
    assert dead_mark(given) is DeadMark.MARKED
    assert not session.tournament.adjustments.exists()
    assert verify(session.tournament) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Penalty no. 1: Wrong number of tiles [SBR 2.8.3 (1)]"),
        ("ru", "Штраф № 1: Неправильное количество костей [SBR 2.8.3 (1)]"),
    ],
)
def test_why_a_hand_was_corrected_is_said_in_words(language, said):
    """The record holds code, number and clause; people read the offence by its name."""
    session = scene()
    after_a_kong(session)
    dead(session)
    client = Client(headers={"accept-language": language})
    client.force_login(make.staff(session.tournament, "chief_referee"))
    page = client.get(
        reverse("tournaments:table_desk", args=[session.tournament.slug, 1, 1])
    ).content.decode()
    assert said in " ".join(page.split())
    assert "wrong_count, №" not in page


def test_a_dead_hand_that_the_table_marked_is_not_marked_again():
    session = scene()
    protocol = protocol_of(session)
    make.record(
        protocol,
        {"events": [{"type": "dead_hand", "seat": "N"}], "end": {**NO_WIN, "N": {"state": "no_wait"}}},
    )
    given = dead(session)
    assert events(protocol) == ["dead_hand"]
    assert Hand.objects.count() == 1
    assert dead_mark(given) is DeadMark.MARKED


@pytest.mark.parametrize("way", ["revoked", "appealed"])
def test_what_is_revoked_gives_the_points_back(way):
    """[RULES 1.8]"""
    session = scene()
    protocol = after_a_kong(session)
    before = points(session)
    given = dead(session)
    if way == "revoked":
        penalties.revoke(
            given, by=make.chief_referee_of(session.tournament), reason="All thirteen tiles were there."
        )
    else:
        appeals_operations.decide(
            judge.appeal(given),
            "upheld",
            judge.LONG,
            body="chief_referee",
            by=make.chief_referee_of(session.tournament),
        )
    assert points(session) == before
    assert events(protocol) == ["kong"]
    assert [row.status for row in Hand.objects.order_by("pk")] == ["corrected", "corrected", "in_force"]
    assert verify(session.tournament) == []


def test_what_a_dead_hand_moves_is_shown_before_it_is_given():
    """Without that the page said that it takes no points. [RULES 8.51] [SBR 2.8.3]"""
    session = scene()
    after_a_kong(session)
    of, table = session.tournament, session.tables.get()
    table.session = session
    client = Client()
    client.force_login(make.staff(of, "referee"))
    said = {"seat": "N", "offence": "wrong_count", "hand": "1", "clause": "SBR 2.8.3", "look": "1", **DEAD}
    address = reverse("penalties:give", args=[of.slug, 1, 1])
    page = " ".join(client.post(address, said).content.decode().split())
    assert "It takes no points" not in page
    shown = outlook_of(of, session.seats.get(wind="N"), wanted(session, hand=1))
    assert [(one.before.table_points, one.after.table_points) for one in shown.table] == [
        (-4, 0), (-4, 0), (-4, 0), (12, 0),
    ]  # fmt: skip
    places = {move.player.pk: move.then for move in shown.standings}
    dead(session)
    assert points(session) == [0, 0, 0, 0]
    assert {row.player: row.place for row in account(event_of(of)).standings} == places


@pytest.mark.parametrize("of_what", ["dead hand", "step of a ladder", "removal"])
def test_what_revoking_moves_is_shown_before_and_comes_so(of_what):
    """A hand that pays again, later steps that move down, and a player who is ranked again. [RULES 8.51]"""
    session = scene()
    protocol, of = after_a_kong(session), session.tournament
    if of_what == "dead hand":
        given = dead(session)
        make.settle(session)
    elif of_what == "removal":
        make.settle(session)
        given = judge.give(judge.seat(session, "N"), "other", session, effect="removal", **WHY)
    else:
        given = judge.give(judge.seat(session, "E"), "touching", session)
        judge.give(judge.seat(session, "E"), "touching", session)
        make.settle(session)
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    page = client.get(reverse("penalties:penalty", args=[of.slug, given.number])).content.decode()
    assert 'id="revoked"' in page
    shown = outlook_without(given)
    places = {move.player.pk: (move.now, move.then) for move in shown.standings}
    now = {row.player: row.place for row in account(event_of(of)).standings}
    penalties.revoke(given, by=make.chief_referee_of(of), reason="It was looked at once more.")
    then = {row.player: row.place for row in account(event_of(of)).standings}
    assert now != then or any(one.is_changed for one in shown.table)
    assert places == {player: (now[player], then[player]) for player in now}
    assert protocol.hands.exists()


def test_a_warning_that_is_revoked_moves_nothing_and_says_nothing():
    session = scene()
    given = judge.give(judge.seat(session, "E"), "other", session, effect="warning", **WHY)
    assert outlook_without(given) is None


def test_a_dead_hand_that_is_not_recorded_yet_moves_nothing_for_now():
    session = scene()
    after_a_kong(session)
    shown = outlook_of(session.tournament, session.seats.get(wind="N"), wanted(session, hand=2))
    assert (shown.takes, [one.is_changed for one in shown.table]) == (False, [False] * 4)


@pytest.mark.parametrize("instead", [None, Replacement("game_points", Fraction(8))])
def test_a_ruling_shows_what_the_hand_brings_once_it_is_not_dead(instead):
    """[SBR 2.9.5] [RULES 8.51] [RULES 8.53]"""
    session = scene()
    after_a_kong(session)
    of = session.tournament
    appeal = judge.appeal(dead(session))
    _names, rows = courses_of(appeal, instead)
    shown = {row.player.pk: row.cells[-1][:2] for row in rows}
    order = Order(instead=Instead(instead.effect, instead.points)) if instead else None
    by = make.chief_referee_of(of)
    appeals_operations.decide(appeal, "upheld", judge.LONG, body="chief_referee", by=by, order=order)
    came = side_by_side(of, list(session.seats.all()), [], [Course("now")])
    assert {row.player.pk: row.cells[0][:2] for row in came} == shown
    assert points(session) == [-4, -4, -4, 12]


def wanted(session: Session, *, hand: int) -> Given:
    """A dead hand of North's, as the page reads it."""
    case = Case(
        judge.seat(session, "N"), "wrong_count", session, hand=hand, effect="dead_hand", clause="SBR 2.8.3"
    )
    return penalties.wanted_by(session.tournament, case)


def test_of_two_penalties_on_one_dead_hand_the_last_revoked_revives_it():
    session = scene()
    protocol = after_a_kong(session)
    first, second = dead(session), dead(session, code="information")
    assert events(protocol) == ["kong", "dead_hand"]
    penalties.revoke(
        first, by=make.chief_referee_of(session.tournament), reason="All thirteen tiles were there."
    )
    assert events(protocol) == ["kong", "dead_hand"]
    penalties.revoke(
        second, by=make.chief_referee_of(session.tournament), reason="It was somebody else's voice."
    )
    assert events(protocol) == ["kong"]


def test_who_won_cannot_be_declared_dead_afterwards_and_nothing_is_kept():
    """The hand comes first: the referee corrects or voids it. [SBR 2.8.3]"""
    session = scene()
    protocol = protocol_of(session)
    make.record(protocol)
    winner = next(seat.wind for seat in session.seats.all() if seat.hand_points > 0)
    with pytest.raises(Refused):
        dead(session, winner)
    assert not session.tournament.penalties.exists()
    assert Hand.objects.count() == 1


def test_a_pig_with_a_dead_hand_stays_a_pig():
    """The fine is for what the check showed. [SBR 2.8.4.1] [RULES 8.47]"""
    session = scene()
    protocol = protocol_of(session)
    make.record(protocol, {"events": [], "end": {**NO_WIN, "N": {"state": "pig_active"}}})
    dead(session)
    assert events(protocol) == ["dead_hand"]
    assert points(session) == [0, 0, 0, -48]


def test_a_dead_hand_of_riichi_that_is_revoked_waits_again():
    """What the check had shown stands again. [RIICHI 3.4.7] [RULES 1.8]"""
    session = scene("riichi_ema")
    protocol = protocol_of(session)
    make.record(protocol, {"events": [], "end": {**NO_WIN, "N": {"state": "waiting"}}})
    given = dead(session)
    penalties.revoke(
        given, by=make.chief_referee_of(session.tournament), reason="All thirteen tiles were there."
    )
    assert points(session) == [-1000, -1000, -1000, 3000]


def test_a_dead_hand_of_riichi_is_not_waiting_at_an_exhausted_wall():
    """[RIICHI 3.4.7]"""
    session = scene("riichi_ema")
    protocol = protocol_of(session)
    end = {**NO_WIN, "N": {"state": "waiting"}}
    make.record(protocol, {"events": [], "end": end})
    assert points(session) == [-1000, -1000, -1000, 3000]
    dead(session)
    assert points(session) == [0, 0, 0, 0]


def test_a_dead_hand_of_sport_mahjong_stands_before_the_win_of_another():
    """[MCR offences 8]"""
    session = scene("mcr")
    protocol = protocol_of(session)
    make.record(protocol, {"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 9}]}]})
    before = points(session)
    dead(session)
    assert events(protocol) == ["dead_hand", "win"]
    assert points(session) == before


# The hand in play


def test_the_tablet_learns_of_a_dead_hand_in_the_hand_in_play():
    session = scene()
    protocol = after_a_kong(session)
    given = dead(session, hand=2)
    assert dead_mark(given) is DeadMark.AWAITED
    told = table_state(protocol.table)["dead_hands"]
    assert told == [{"hand": 2, "seat": "N", "offence": "wrong_count"}]
    make.record(
        protocol,
        {
            "events": [{"type": "dead_hand", "seat": "N", "offence": "wrong_count"}],
            "end": {**NO_WIN, "N": {"state": "no_wait"}},
        },
    )
    assert table_state(protocol.table)["dead_hands"] == []
    assert dead_mark(given) is DeadMark.MARKED


def test_a_dead_hand_named_ahead_of_the_tablets_queue_waits_for_its_hand():
    """The referee names hand 2 while the tablet still keeps hand 1."""
    session = scene()
    protocol = protocol_of(session)
    dead(session, hand=2)
    assert asked(protocol.table) == []
    after_a_kong(session)
    assert [(one.hand, one.seat) for one in asked(protocol_of(session).table)] == [(2, "N")]


def test_a_dead_hand_is_told_with_the_hand_before_it_however_that_is_written(
    django_capture_on_commit_callbacks,
):
    """Hands that are written together are answered from memory, and yet with what the judges have said since."""
    session = scene()
    tablet = Tablet(protocol_of(session))
    told = []
    for number in range(3):
        if number == 1:
            dead(session, hand=3)
        with django_capture_on_commit_callbacks(execute=True):
            (answer,) = answer_batch([request(tablet, make.east_from_south(number))])
        told.append(json.loads(answer)["state"]["dead_hands"])
    assert told == [[], [{"hand": 3, "seat": "N", "offence": "wrong_count"}], []]


def test_a_dead_hand_that_the_tablet_did_not_know_of_is_shown_and_marked_by_one_tap():
    session = scene()
    protocol = protocol_of(session)
    given = dead(session)
    after_a_kong(session)
    of = session.tournament
    assert unmarked_dead_hands(of) == [given]
    client = Client()
    client.force_login(make.staff(of, "referee"))
    assert "recorded without it" in client.get(reverse("penalties:judging", args=[of.slug])).content.decode()
    page = reverse("penalties:penalty", args=[of.slug, given.number])
    assert "Mark it in the protocol" in client.get(page).content.decode()
    mark = reverse("penalties:mark_dead_hand", args=[of.slug, given.number])
    assert client.post(mark).status_code == 302
    assert client.post(mark).status_code == 302
    assert events(protocol) == ["kong", "dead_hand"]
    assert unmarked_dead_hands(of) == []
    assert "Marked in the protocol of hand 1" in client.get(page).content.decode()


def test_a_struck_hand_takes_its_dead_hand_along_and_later_penalties_move_up():
    """[RULES 1.5] Late claims begin anew in each round: they are counted by their hands as these stand now."""
    session = scene("mcr")
    of = session.tournament
    protocol = protocol_of(session)
    for _ in range(5):
        make.record(
            protocol, {"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 9}]}]}
        )
    struck = dead(session, hand=2)
    east = judge.seat(session, "E")
    late = [judge.give(east, "late_claim", session, hand=hand) for hand in (1, 5)]
    assert not of.adjustments.exists()
    protocol.refresh_from_db()
    protocols.void_hand(
        protocol,
        number=2,
        intent=make.intent(protocol),
        by=make.referee_of(session.tournament),
        reason="It was played twice.",
    )
    assert [row.hand for row in of.penalties.order_by("number")] == [None, 1, 4]
    assert [row.game_points for row in of.adjustments.all()] == [-5]
    assert dead_mark(of.penalties.get(pk=struck.pk)) is DeadMark.NOWHERE
    assert asked(protocol.table) == []
    assert [row.offence for row in late] == ["late_claim"] * 2
    assert verify(of) == []


def test_a_penalty_that_declares_no_hand_dead_marks_nothing():
    session = scene()
    after_a_kong(session)
    given = judge.give(judge.seat(session, "N"), "touching", session)
    with pytest.raises(Refused) as refused:
        dead_hands.mark(given, by=make.referee_of(session.tournament))
    assert refused.value.problems[0].code == "wrong_state"


def test_an_organizer_who_may_not_judge_is_told_who_may_and_where_to_name_them():
    of = make.tournament()
    pages = {}
    for kind in ("organizer", "referee"):
        browser = Client()
        browser.force_login(make.staff(of, kind))
        pages[kind] = browser.get(reverse("penalties:judging", args=[of.slug])).content.decode()
    assert [kind for kind, page in pages.items() if "Name a referee" in page] == ["organizer"]
