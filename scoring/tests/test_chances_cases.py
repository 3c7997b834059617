"""Chances in cases that few events have: large ones, unranked guests, one criterion alone, nothing left, no `nice`. [RULES 9.22]"""

import io
import json
import os
import pickle
import random
import sys
from array import array
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from scoring import criteria
from scoring.regulation import Carry, SeatingMode, Stage
from scoring.standings.book import Entrant
from scoring.standings.chances import apart, finishes, keys, lanes
from scoring.standings.chances.finishes import _World, simulate
from scoring.standings.chances.last_table import last_table
from scoring.standings.chances.left import Goal, Outlook, SessionLeft, TableLeft
from scoring.standings.chances.needs import Need, need_of
from scoring.standings.chances.outcomes import form_of
from scoring.standings.chances.reach import Gains, LastSession, Points, last_session, reaches
from scoring.standings.sessions import Charge, Event, SessionFact, TableFact
from scoring.standings.stages import standings
from scoring.tests.finished_events import random_event, until
from scoring.tests.test_chances import EMA, FESTIVAL, SBR, a_question, left_of, outlook_of, table

LAST_BUT_ONE = [table(1, "abcd", (900, 300, -300, -900)), table(2, "efgh", (600, 500, -500, -600))]


def after_one(rules, *tables, entrants="abcdefgh", **more):
    event = Event(rules, [Entrant(player) for player in entrants], [SessionFact(1, rules, LAST_BUT_ONE)])
    return outlook_of(event, list(tables), **more)


def certain(outlook, seed):
    """Let every table that is left be over but for its last moment, with points of its own."""
    chance = random.Random(seed)
    left = []
    for one in outlook.left:
        tables = []
        for at in one.tables:
            points = chance.sample([400, 100, -100, -400], 4)
            played = table(at.number, [seat.player for seat in at.seats], points)
            tables.append(TableLeft(at.number, played.seats, 0.0))
        left.append(replace(one, tables=tuple(tables)))
    return replace(outlook, left=left)


def finished(outlook):
    """Play what is left as it stands."""
    sessions = [
        SessionFact(one.number, one.regulation, [TableFact(at.number, at.seats) for at in one.tables])
        for one in outlook.left
    ]
    return standings(replace(outlook.event, sessions=[*outlook.event.sessions, *sessions]))


def within(rows, outlook):
    return {
        goal: {row.player for row in rows if row.place and row.place <= last}
        for goal, last in outlook.goals.items()
    }


def test_a_seat_that_is_kept_bounds_its_owner_as_one_of_their_own():
    """With two sessions to come, whoever sits there for them. [RULES 8.32]"""
    event = Event(SBR, [Entrant(player) for player in "abcdefgh"], [SessionFact(1, SBR, LAST_BUT_ONE)])
    own = [table(1, "aefb"), table(2, "cghd")]
    first, *others = own[0].seats
    kept = [own[0]._replace(seats=(first._replace(player="x", kept_for="a"), *others)), own[1]]
    found = [
        reaches(Outlook(event, [left_of(2, tables, SBR), left_of(3, own, SBR)], {Goal.WIN: 1}, frozenset("abcdefgh")))
        for tables in (own, kept)
    ]  # fmt: skip
    assert found[0] == found[1]
    alone = reaches(Outlook(event, [left_of(3, own, SBR)], {Goal.WIN: 1}, frozenset("abcdefgh")))
    assert any(found[1][who].worst > alone[who].worst for who in "abcdefgh")


@pytest.mark.parametrize("seed", range(3))
def test_in_large_events_sessions_ahead_are_added_up_before(seed, monkeypatch):
    """What is certain comes out as the standings have it, by game points that nobody shares."""
    rules = SBR.but(sessions=4, ranking=(criteria.GAME_POINTS, criteria.TOURNAMENT_POINTS))
    _, outlook = until(random_event(random.Random(seed), players=12, sessions=4, rules=rules), 1)
    outlook = certain(outlook, seed)
    monkeypatch.setattr(finishes, "SMALL", 0)
    found = simulate(outlook, seed="x", finishes=20)
    assert {goal: set(+found.reached[goal]) for goal in outlook.goals} == within(finished(outlook), outlook)


def test_equals_of_a_large_event_are_parted_by_the_sessions_whose_tables_are_known(monkeypatch):
    """Of the session after the next only sums are known, and who did better in the next goes first. [RULES 8.43]"""
    rules = SBR.but(sessions=3)
    first = SessionFact(1, rules, [table(1, "abcd", (10, 5, -5, -10)), table(2, "efgh", (10, 5, -5, -10))])
    event = Event(rules, [Entrant(player) for player in "badcefgh"], [first])
    ahead = {
        2: [table(1, "befg", (10, 5, -5, -10)), table(2, "cahd", (10, 5, -5, -10))],
        3: [table(1, "abgh"), table(2, "cdef")],
    }
    left = [
        SessionLeft(number, rules, tuple(TableLeft(one.number, one.seats, 0.0) for one in tables))
        for number, tables in ahead.items()
    ]
    outlook = Outlook(event, left, {Goal.WIN: 1}, frozenset("abcdefgh"))
    monkeypatch.setattr(finishes, "SMALL", 0)
    assert +simulate(outlook, seed="x", finishes=20).reached[Goal.WIN] == Counter({"b": 20})


@pytest.mark.parametrize("seed", range(4))
def test_means_over_different_numbers_of_games_are_compared_as_means(seed):
    """Four have a game less in the end, and one came late and has none so far. [RULES 1.7]"""
    rules = FESTIVAL.but(sessions=2)
    event = Event(rules, [Entrant(player) for player in "abcdefghi"], [SessionFact(1, rules, LAST_BUT_ONE)])
    outlook = certain(outlook_of(event, [table(1, "aefi")]), seed)
    found = simulate(outlook, seed="x", finishes=20)
    assert {goal: set(+found.reached[goal]) for goal in outlook.goals} == within(finished(outlook), outlook)
    assert keys._factors([3, 2, 0]) == [2, 3, 1]


def test_a_swiss_draw_to_come_seats_neighbours_of_the_standings(monkeypatch):
    """Others are drawn at random. [RULES 1.3]"""
    drawn = []
    plain = _World._tables

    def noted(self, session):
        drawn.append(plain(self, session))
        return drawn[-1]

    monkeypatch.setattr(_World, "_tables", noted)
    for seating in (SeatingMode.SWISS, SeatingMode.RANDOM):
        rules = SBR.but(sessions=2, seating=seating)
        outlook = after_one(rules)
        order = [row.player for row in standings(outlook.event)]
        simulate(outlook, seed="x", finishes=20)
        tables = [[seat.player for seat in one.seats] for one in drawn[0]]
        assert (tables == [order[:4], order[4:]]) is (seating is SeatingMode.SWISS)
        drawn.clear()


def test_who_is_not_ranked_is_in_nobodys_way():
    """A removed player who is still seated: nobody is told of them, and the others are counted without them."""
    outlook = after_one(SBR.but(sessions=2), table(1, "abef"), table(2, "cdgh"))
    entrants = [replace_entrant(one, is_ranked=one.player != "c") for one in outlook.event.entrants]
    outlook = replace(outlook, event=replace(outlook.event, entrants=entrants))
    found = simulate(outlook, seed="x", finishes=60)
    assert "c" not in found.reached[Goal.HALF]
    assert "c" not in reaches(outlook)
    last = last_session(outlook)
    assert need_of(last, "c", 1) is None
    for who in "abefdgh":
        need = need_of(last, who, 3)
        assert all(rival.player != "c" for rival in need.rivals)
    assert sum(found.reached[Goal.WIN].values()) >= 60


def replace_entrant(entrant, **more):
    return Entrant(entrant.player, more["is_ranked"], entrant.lot)


def test_a_cut_that_lets_all_play_on_stops_nobody():
    """[RULES 9.7]"""
    rules = SBR.but(sessions=3, stages=(Stage(3, Carry.FULL, 8),))
    _, outlook = until(random_event(random.Random(2), players=8, sessions=3, rules=rules), 1)
    found = simulate(certain(outlook, 2), seed="x", finishes=20)
    assert found.count == 20
    assert all(found.reached[Goal.WIN][who] <= 20 for who in found.places)
    _, four = until(random_event(random.Random(2), players=8, sessions=3, rules=rules.but(stages=(Stage(3, Carry.FULL, 4),))), 1)  # fmt: skip
    assert simulate(certain(four, 2), seed="x", finishes=20).count == 20


def test_after_a_cut_who_is_out_keeps_the_place_of_the_standings_whether_seats_are_known_or_not():
    """[RULES 9.7]"""
    rules = SBR.but(sessions=4, stages=(Stage(3, Carry.FULL, 4),))
    _, outlook = until(random_event(random.Random(2), players=8, sessions=4, rules=rules, final=4), 3)
    rows = standings(outlook.event)
    through = {row.player for row in rows if row.stage == 2}
    for asked in (outlook, replace(outlook, left=[replace(one, tables=()) for one in outlook.left])):
        cast = finishes.cast_of(asked)
        assert {cast.book.entrants[at].player for at in cast.inside} == through
        assert cast.fixed == {row.player: row.place for row in rows if row.player not in through}
    assert sorted(cast.fixed.values()) == [5, 6, 7, 8]


def test_sessions_to_come_belong_to_one_stage_each():
    """[RULES 9.7]"""
    stages = (Stage(3, Carry.FULL, 6), Stage(4, Carry.NONE, 4))
    _, outlook = until(random_event(random.Random(2), players=8, sessions=5, rules=SBR.but(sessions=5)), 1)
    ahead = replace(outlook, event=replace(outlook.event, regulation=SBR.but(sessions=5, stages=stages)))
    first, later = finishes._phases(ahead)
    assert [one.number for one in first] == [2]
    assert [(stage, [one.number for one in mine]) for stage, mine in later] == [
        (stages[0], [3]),
        (stages[1], [4, 5]),
    ]


def test_where_nothing_is_left_or_a_cut_is_ahead_nothing_is_ruled_out():
    done = replace(after_one(SBR.but(sessions=1)), left=[])
    assert {(one.best, one.worst, one.is_exact) for one in reaches(done).values()} == {(1, 8, False)}
    rules = SBR.but(sessions=3, stages=(Stage(3, Carry.FULL, 4),))
    _, ahead = until(random_event(random.Random(2), players=8, sessions=3, rules=rules), 1)
    assert {(one.best, one.worst, one.is_exact) for one in reaches(ahead).values()} == {(1, 8, False)}
    assert last_session(ahead) is None


def test_what_a_last_session_needs_is_proved_for_places_alone():
    """Two sessions to come, or points ranked first: nothing is said."""
    _, two = until(random_event(random.Random(5), players=8, sessions=4), 2)
    assert last_session(two) is None
    tables = [table(1, "abef"), table(2, "cdgh")]
    assert last_session(after_one(EMA.but(sessions=2), *tables)) is None
    assert last_session(after_one(SBR.but(sessions=2), *tables)) is not None


def test_points_that_pass_equals_are_named_only_where_points_part_them_and_nothing_else_moves():
    tables = [table(1, "abef"), table(2, "cdgh")]
    other = SBR.but(sessions=2, ranking=(criteria.TOURNAMENT_POINTS, criteria.FIRST_PLACES))
    assert last_session(after_one(other, *tables)).points is None
    assert last_session(after_one(other, *tables)).points_to_pass("a", 4) == []
    gains = [[Gains({"a": 1}, {1: "a"})]]
    known = LastSession({"a": 3, "b": 4}, gains, Points({"a": 10, "b": 25}, 1, 1, frozenset()))
    assert known.points_to_pass("a", 4) == [16]
    moved = LastSession({"a": 3, "b": 4}, gains, Points({"a": 10, "b": 25}, 1, 1, frozenset("a")))
    assert moved.points_to_pass("a", 4) == []


@pytest.mark.parametrize(
    ("ranking", "is_exact"),
    [
        ((criteria.TOURNAMENT_POINTS, criteria.GAME_POINTS), True),
        ((criteria.TOURNAMENT_POINTS, criteria.FIRST_PLACES), False),
        ((criteria.TOURNAMENT_POINTS, criteria.AVERAGE_PLACE), False),
        ((criteria.TOURNAMENT_POINTS,), False),
    ],
)
def test_places_of_the_last_session_are_exact_where_points_part_equals(ranking, is_exact):
    rules = SBR.but(sessions=2, ranking=ranking)
    proved = reaches(after_one(rules, table(1, "abef"), table(2, "cdgh")))
    assert {one.is_exact for one in proved.values()} == {is_exact}


def test_who_is_out_of_the_event_gains_nothing_where_seats_are_not_known():
    """Whoever is last and has no seat to come stays last: the others get at least a point in each session."""
    rules = SBR.but(sessions=3)
    outlook = after_one(rules)
    more = left_of(3, [], rules)
    outlook = replace(outlook, left=[*outlook.left, more])
    out, playing = (
        reaches(replace(outlook, plays=frozenset(plays)))["h"] for plays in ("abcdefg", "abcdefgh")
    )
    assert (out.best, out.worst) == (8, 8)
    assert playing.best == 1


def test_who_hopes_for_nothing_beyond_what_is_enough_is_told_no_more():
    """A first at the table is enough for the place, and nothing less can bring it."""
    totals = {"a": 10, "b": 10, "z": 13}
    ways = [
        Gains({"a": 4, "b": 1}, {1: "a", 2: "b"}),
        Gains({"a": 1, "b": 4}, {1: "b", 2: "a"}),
    ]
    last = LastSession(totals, [ways])
    assert need_of(last, "a", 1) == Need(enough=1, hope=1)


def test_rivals_who_pass_whatever_they_do_leave_fewer_places():
    """At the other table everybody comes past with any place: they take places and are no rivals to be named."""
    totals = {"a": 10, "b": 10, "y": 20, "x": 12, "w": 9}
    own = [Gains({"a": 4, "b": 1}, {1: "a", 2: "b"}), Gains({"a": 1, "b": 4}, {1: "b", 2: "a"})]
    others = [
        Gains({"y": 4, "x": 1, "w": 0}, {1: "y", 2: "x", 3: "w"}),
        Gains({"y": 1, "x": 4, "w": 0}, {1: "x", 2: "y", 3: "w"}),
        Gains({"y": 0, "x": 1, "w": 4, "guest": 3}, {1: "w", 2: "x", 3: "y"}),
    ]
    need = need_of(LastSession(totals, [own, others]), "a", 2)
    assert [rival.player for rival in need.rivals] == ["x"]
    assert need.allowed == 0


def test_criteria_that_no_number_can_hold_are_left_to_part_equals(monkeypatch):
    """Each outweighs all behind it; the last ones are dropped until the rest is exact."""
    rules = SBR.but(
        sessions=2,
        ranking=(criteria.TOURNAMENT_POINTS, criteria.GAME_POINTS, criteria.FIRST_PLACES, criteria.POINTS),
    )
    outlook = after_one(rules, table(1, "abef"), table(2, "cdgh"))
    huge = replace(outlook, event=replace(outlook.event, charges=[Charge("a", None, game_points=10**9)]))
    used = []
    plain = finishes.Keys.__init__

    def noted(self, *more):
        plain(self, *more)
        used.append([one.code for one in self.used])

    monkeypatch.setattr(finishes.Keys, "__init__", noted)
    assert simulate(outlook, seed="x", finishes=20).count == 20
    found = simulate(huge, seed="x", finishes=20)
    assert sum(found.reached[Goal.WIN].values()) >= 20
    assert 0 < len(used[-1]) < len(used[0])
    assert used[-1] == used[0][: len(used[-1])]


def test_tables_that_were_not_played_and_people_alone_say_nothing_of_strength():
    outlook = after_one(SBR.but(sessions=2), table(1, "abef"), table(2, "cdgh"))
    form = form_of(outlook)
    first = outlook.event.sessions[0]
    idle = replace_tables(
        first, [*first.tables, TableFact(3, table(3, "ab", (5000, -5000)).seats, is_played=False)]
    )
    alone = replace_tables(first, [*first.tables, TableFact(3, table(3, "a", (5000,)).seats)])
    for more in (idle, alone):
        assert form_of(replace(outlook, event=replace(outlook.event, sessions=[more]))) == form


def replace_tables(session, tables):
    return SessionFact(session.number, session.regulation, tables)


def test_where_the_machine_knows_no_niceness_the_answer_is_the_same(monkeypatch):
    outlook = Outlook(*a_question())
    told, ended = [], []
    monkeypatch.setattr(os, "_exit", ended.append)
    for has_nice in (True, False):
        if has_nice:
            monkeypatch.setattr(os, "nice", lambda _by: None, raising=False)
        else:
            monkeypatch.delattr(os, "nice", raising=False)
        monkeypatch.setattr(apart, "signal", SimpleNamespace(signal=lambda *_: None, SIGINT=2, SIG_IGN=1))
        monkeypatch.setattr(apart, "gc", SimpleNamespace(disable=lambda: None))
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(pickle.dumps((outlook, "7")))))
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=out))
        apart.main()
        told.append(json.loads(out.getvalue()))
    assert told[0] == told[1] != {}
    assert ended == [0, 0]


def test_the_last_table_is_told_only_where_points_are_ranked_and_everybody_there_is():
    """By places nothing is told of points; of a removed player's table neither."""
    last = [table(1, "aceg")]
    for rules, is_told in ((SBR, False), (FESTIVAL, False), (EMA, True)):
        assert (last_table(after_one(rules.but(sessions=2), *last)) is not None) is is_told
    outlook = after_one(EMA.but(sessions=2), *last)
    for gone, is_told in (("c", False), ("b", True)):
        entrants = [replace_entrant(one, is_ranked=one.player != gone) for one in outlook.event.entrants]
        asked = replace(outlook, event=replace(outlook.event, entrants=entrants))
        assert (last_table(asked) is not None) is is_told


def test_bytes_stand_in_one_order_on_every_machine(monkeypatch):
    """A machine that stores the highest byte first has its bytes turned."""
    numbers = [0, 1, 255, 256, 65_537, 16_909_060]
    plain = lanes._planes(numbers)

    def stored_highest_first(kind, values):
        raw = array(kind, values)
        raw.byteswap()
        return raw

    monkeypatch.setattr(lanes, "array", stored_highest_first)
    monkeypatch.setattr(lanes, "sys", SimpleNamespace(byteorder="big"))
    assert lanes._planes(numbers) == plain
    assert list(plain[0]) == [number % 256 for number in numbers]
