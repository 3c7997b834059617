"""What may still become of the standings: simulated finishes, and what is proved without chance. [RULES 9.22]"""

import gc
import io
import json
import os
import pickle
import random
import signal
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from types import SimpleNamespace

import pytest

from scoring import criteria
from scoring.presets import PRESETS
from scoring.regulation import Carry, Stage
from scoring.seats import SEATS
from scoring.standings.book import Entrant
from scoring.standings.chances import apart, lanes
from scoring.standings.chances.apart import told_of
from scoring.standings.chances.edges import Edges, Part, Pool, Total
from scoring.standings.chances.finishes import LOOKED_AT, _World, simulate
from scoring.standings.chances.last_table import last_table, need_at
from scoring.standings.chances.left import Goal, Outlook, SessionLeft, TableLeft, goals_of
from scoring.standings.chances.needs import Rival, need_of
from scoring.standings.chances.reach import Gains, LastSession, last_session, reaches
from scoring.standings.sessions import Charge, Event, SeatFact, SessionFact, TableFact
from scoring.standings.stages import standings
from scoring.tests.finished_events import calibration, random_event, until

SIAMESE, SBR, EMA, FESTIVAL = (
    PRESETS[code].regulation for code in ("siamese", "sbr", "riichi_ema", "riichi_festival")
)
THREES = [points for points in product((-1000, -500, 0, 500, 1000), repeat=3) if not sum(points)]
FOURS = [points for points in product((-1500, -1000, -500, 0, 500, 1000, 1500), repeat=4) if not sum(points)]


def table(number, players, points=(0, 0, 0, 0)):
    seats = zip(SEATS, players, points, strict=False)
    return TableFact(number, tuple(SeatFact(seat, player, None, has) for seat, player, has in seats))


def left_of(session, tables, rules):
    return SessionLeft(session, rules, tuple(TableLeft(one.number, one.seats) for one in tables))


def outlook_of(event, last_tables, **more):
    number = len(event.sessions) + 1
    players = len(event.entrants)
    return Outlook(
        event,
        [left_of(number, last_tables, event.regulation)],
        goals_of(players),
        frozenset(entrant.player for entrant in event.entrants),
        **more,
    )


def places_by_brute_force(event, tables, ways):
    """Finish the event in all ways and note everybody's best and worst place."""
    seen = {entrant.player: set() for entrant in event.entrants}
    number = len(event.sessions) + 1
    for points in product(ways, repeat=len(tables)):
        played = [
            table(one.number, [seat.player for seat in one.seats], these)
            for one, these in zip(tables, points, strict=True)
        ]
        last = SessionFact(number, event.regulation, played)
        for row in standings(replace(event, sessions=[*event.sessions, last])):
            seen[row.player].add(row.place)
    return {player: (min(places), max(places)) for player, places in seen.items()}


@pytest.mark.parametrize("seed", range(6))
def test_places_still_possible_agree_with_brute_force_for_two_tables_of_three(seed):
    """[RULES 9.22]"""
    chance = random.Random(seed)
    rules = SIAMESE.but(sessions=3)
    players = list("abcdef")
    sessions = []
    for number in (1, 2):
        chance.shuffle(players)
        rows = [players[:3], players[3:]]
        points = [chance.choice([(8, 0, -8), (5, 5, -10), (20, -4, -16)]) for _ in rows]
        sessions.append(
            SessionFact(
                number,
                rules,
                [table(at, row, won) for at, (row, won) in enumerate(zip(rows, points, strict=True), 1)],
            )
        )
    event = Event(rules, [Entrant(player) for player in "abcdef"], sessions)
    chance.shuffle(players)
    last = [table(1, players[:3]), table(2, players[3:])]
    proved = reaches(outlook_of(event, last))
    assert {who: (reach.best, reach.worst) for who, reach in proved.items()} == places_by_brute_force(
        event, last, THREES
    )
    assert all(reach.is_exact for reach in proved.values())


@pytest.mark.parametrize("rules", [SBR, FESTIVAL], ids=["by points for places", "by average place"])
def test_places_still_possible_agree_with_brute_force_for_a_table_of_four_beside_those_who_are_done(rules):
    rules = rules.but(sessions=2)
    first = SessionFact(
        1, rules, [table(1, "abcd", (900, 300, -300, -900)), table(2, "efgh", (600, 500, -500, -600))]
    )
    done = table(2, "bfgd", (700, 100, -200, -600))
    event = Event(rules, [Entrant(player) for player in "abcdefgh"], [first, SessionFact(2, rules, [done])])
    last = table(1, "aech")
    outlook = Outlook(event, [left_of(2, [last], rules)], goals_of(8))
    seen = {entrant.player: set() for entrant in event.entrants}
    for points in FOURS:
        both = SessionFact(2, rules, [table(1, "aech", points), done])
        for row in standings(replace(event, sessions=[first, both])):
            seen[row.player].add(row.place)
    for who, reach in reaches(outlook).items():
        if reach.is_exact:
            assert (reach.best, reach.worst) == (min(seen[who]), max(seen[who])), who
        else:
            assert reach.best <= min(seen[who]) <= max(seen[who]) <= reach.worst, who
    assert {who for who, reach in reaches(outlook).items() if reach.is_exact} == set("aech")


def test_what_is_ruled_out_with_two_sessions_to_come_never_happens():
    _event, outlook = until(random_event(random.Random(5), players=12, sessions=6), 4)
    found = simulate(outlook, seed="x", finishes=400)
    for who, reach in reaches(outlook).items():
        assert reach.best <= min(found.places[who])
        assert max(found.places[who]) <= reach.worst
    assert any(reach.best > 1 for reach in reaches(outlook).values())


def test_where_points_themselves_are_ranked_whoever_plays_may_still_win():
    event = Event(
        EMA,
        [Entrant(player) for player in "abcd"],
        [SessionFact(1, EMA, [table(1, "abcd", (90000, 0, -30000, -60000))])],
    )
    proved = reaches(outlook_of(event, [table(1, "abcd")]))
    assert {(reach.best, reach.worst) for reach in proved.values()} == {(1, 4)}


@pytest.mark.parametrize("preset", ["sbr", "mcr", "riichi_ema", "riichi_festival"])
def test_every_finish_has_one_half_and_one_podium(preset):
    """Who shares a place is within it, so a goal may have more than its places and never fewer."""
    _, outlook = until(random_event(random.Random(1), players=16, sessions=4, preset=preset), 2)
    found = simulate(outlook, seed="x", finishes=1000)
    assert found.count == 1000
    for goal, last in outlook.goals.items():
        assert last * 1000 <= sum(found.reached[goal].values()) <= last * 1100, goal


@pytest.mark.parametrize(("prizes", "last"), [(1, None), (3, None), (2, 2), (6, 6), (8, None)])
def test_a_prize_is_a_goal_of_its_own_where_it_is_neither_the_first_place_nor_the_podium(prizes, last):
    assert goals_of(8, prizes=prizes).get(Goal.PRIZE) == last


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("players", [9, 10, 11])
def test_whoever_is_left_over_when_seats_are_not_known_keeps_nobody_from_chances(preset, players):
    """Where fewer remain than may play, they have no table in that session. [RULES 8.33]"""
    _, outlook = until(random_event(random.Random(1), players=8, sessions=3, preset=preset), 2)
    size = outlook.event.regulation.table_size
    late = tuple(Entrant(f"late {at}") for at in range((players - 8) % size))
    event = replace(outlook.event, entrants=(*outlook.event.entrants, *late))
    plays = frozenset(one.player for one in event.entrants)
    left = [replace(one, tables=()) for one in outlook.left]
    found = simulate(replace(outlook, event=event, left=left, plays=plays), seed="x", finishes=20)
    assert found.count == 20


@pytest.mark.parametrize("empty", [1, 2, 3])
def test_a_table_with_too_few_people_is_not_played(empty):
    """Two who wait at a table of four bring each other nothing: what may become of it, nobody knows. [RULES 8.33]"""
    _, outlook = until(random_event(random.Random(1), players=8, sessions=2, preset="sbr"), 1)
    one = outlook.left[0]
    short = one.tables[0]
    seats = tuple(seat._replace(player=None) if at < empty else seat for at, seat in enumerate(short.seats))
    less = replace(one, tables=(short._replace(seats=seats), *one.tables[1:]))
    changed = replace(outlook, left=[less])
    assert simulate(changed, seed="x", finishes=20).count == 20
    assert len(reaches(changed)) == 8
    assert last_session(changed) is not None


def test_a_finish_is_ranked_as_the_standings_rank_it():
    """Chosen outcomes written into the event give the places that were counted, tie-breaks and charges included. [RULES 9.22]"""
    _event, outlook = until(random_event(random.Random(7), players=8, sessions=4), 3)
    charges = [Charge(0, 4, game_points=-3), Charge(1, None, tournament_points=Fraction(-1))]
    outlook = replace(outlook, event=replace(outlook.event, charges=charges))
    last = outlook.left[0]
    only = [table(one.number, [seat.player for seat in one.seats], (7, 2, -2, -7)) for one in last.tables]
    certain = replace(
        outlook,
        left=[replace(last, tables=tuple(TableLeft(one.number, one.seats, 0.0) for one in only))],
    )
    found = simulate(certain, seed="x", finishes=40)
    finished = replace(
        outlook.event, sessions=[*outlook.event.sessions, SessionFact(4, last.regulation, only)]
    )
    places = {row.player: row.place for row in standings(finished)}
    for goal, last_place in outlook.goals.items():
        assert {who for who, times in found.reached[goal].items() if times} == {
            who for who, place in places.items() if place <= last_place
        }
        assert set(found.reached[goal].values()) <= {0, 40}


def test_equals_at_the_edge_of_a_goal_are_parted_by_the_later_criteria():
    """Three are equal in points of both kinds and in first places; whoever did better where they met goes first. [RULES 8.43]"""
    rules = SBR.but(sessions=3, tournament_points={4: tuple(map(Fraction, (4, 3, 2, 1)))})
    met = SessionFact(1, rules, [table(1, "abcd", (10, 5, -5, -10)), table(2, "efgh", (10, 5, -5, -10))])
    apart = SessionFact(2, rules, [table(1, "befg", (10, 5, -5, -10)), table(2, "cahd", (10, 5, -5, -10))])
    last = (table(1, "abgh", (0, 0, 0, 0)), table(2, "cdef", (0, 0, 0, 0)))
    event = Event(rules, [Entrant(player) for player in "badcefgh"], [met, apart])
    sure = tuple(TableLeft(one.number, one.seats, 0.0) for one in last)
    outlook = Outlook(event, [SessionLeft(3, rules, sure)], {Goal.WIN: 1})
    found = simulate(outlook, seed="x", finishes=10)
    winners = {
        row.player
        for row in standings(replace(event, sessions=[met, apart, SessionFact(3, rules, last)]))
        if row.place == 1
    }
    assert set(found.reached[Goal.WIN]) == winners == {"b"}


def test_who_does_not_pass_the_cut_plays_no_further():
    """[RULES 9.22]"""
    rules = SBR.but(sessions=4, stages=(Stage(4, Carry.NONE, 4),))
    _, outlook = until(random_event(random.Random(2), players=12, sessions=4, rules=rules), 2)
    outlook = replace(outlook, goals=goals_of(12, cut=4))
    found = simulate(outlook, seed="x", finishes=400)
    assert found.reached[Goal.CUT].total() >= 4 * 400
    assert all(found.reached[Goal.WIN][who] <= found.reached[Goal.CUT][who] for who in found.places)
    assert found.reached[Goal.WIN].most_common(1)[0][1] < 300, "nothing is carried over: the final is open"


def test_after_a_cut_the_places_of_those_who_are_out_are_fixed():
    rules = SBR.but(sessions=4, stages=(Stage(3, Carry.FULL, 4),))
    _, outlook = until(random_event(random.Random(2), players=8, sessions=4, rules=rules, final=4), 3)
    through = {row.player for row in standings(outlook.event) if row.stage == 2}
    found = simulate(outlook, seed="x", finishes=200)
    proved = reaches(outlook)
    assert len(through) == 4
    for who in found.places:
        assert (max(found.places[who]) <= 4) is (who in through)
        assert (proved[who].worst <= 4) is (who in through)


def test_the_same_seed_gives_the_same_finishes_and_no_result_gives_none():
    _, outlook = until(random_event(random.Random(3), players=8, sessions=3), 1)
    assert simulate(outlook, seed="a", finishes=100) == simulate(outlook, seed="a", finishes=100)
    empty = replace(outlook, event=replace(outlook.event, sessions=[]))
    assert simulate(empty, seed="a", finishes=100) is None


def test_a_ranking_that_begins_with_no_sum_is_simulated_by_itself():
    rules = SBR.but(sessions=3, ranking=(criteria.BEST_GAME, criteria.GAME_POINTS))
    _, outlook = until(random_event(random.Random(3), players=8, sessions=3, rules=rules), 2)
    found = simulate(outlook, seed="a", finishes=60)
    assert found.reached[Goal.PODIUM].total() >= 3 * 60


def plainly(self, count, found):
    """Sort every finish and look at each place: what counting many finishes at once must agree with."""
    counted = {goal: Counter() for goal in self.outlook.goals}
    for at, totals in enumerate(zip(*(total.at(range(count)) for total in self.totals), strict=True)):
        order = sorted(range(len(totals)), key=totals.__getitem__, reverse=True)
        for goal, last in self.outlook.goals.items():
            within = [who for who in order if totals[who] >= totals[order[last - 1]]]
            if len(within) > last:
                equals = sorted(who for who in within if totals[who] == totals[within[-1]])
                beyond = self._beyond(at, len(within) - len(equals), equals, last)
                within = [who for who in within if who not in beyond]
            counted[goal].update(within)
        if at % LOOKED_AT == 0:
            self._look(totals, found)
    return counted


@pytest.mark.parametrize(
    ("preset", "players", "played", "is_seated"),
    [("sbr", 16, 3, True), ("mcr", 120, 2, True), ("riichi_ema", 28, 1, False), ("siamese", 240, 2, False)],
)
def test_many_finishes_at_once_are_counted_as_one_by_one(preset, players, played, is_seated, monkeypatch):
    """[RULES 9.22]"""
    whole = random_event(random.Random(4), players=players, sessions=4, preset=preset, spread=6)
    _, outlook = until(whole, played, is_seated=is_seated)
    outlook = replace(outlook, goals=goals_of(players, cut=8, prizes=5))
    together = simulate(outlook, seed="x", finishes=700)
    monkeypatch.setattr(_World, "_together", plainly)
    assert simulate(outlook, seed="x", finishes=700) == together


@pytest.mark.parametrize("ways", [256, 300])
def test_edges_are_found_wherever_totals_lie(ways):
    """Close together, far apart, equal, and without a table; whatever the finishes looked at before say of the others. [RULES 9.22]"""
    chance = random.Random(ways)
    for _ in range(12):
        wide, count, players = 10 ** chance.randrange(1, 15), chance.randrange(1, 60), chance.randrange(2, 40)
        ruler_of, parts, stands = [], [], []
        for who in range(players):
            pools = []
            for _ in range(0 if who % 7 == 6 else chance.randrange(1, 4)):
                adds = [float(chance.randrange(wide)) for _ in range(ways)]
                drawn = [chance.randrange(ways) for _ in range(count)]
                pools.append((Pool(None, [], bytes(drawn) if ways == 256 else drawn), adds))
            parts.append(pools)
            stands.append(0.0 if pools else float(chance.randrange(wide)))
            low = stands[-1] + sum(min(adds) for _, adds in pools)
            ruler_of.append((low, stands[-1] + sum(max(adds) for _, adds in pools)))
        by = lanes.ruler(min(low for low, _ in ruler_of), max(high for _, high in ruler_of), 3)
        totals = []
        for has, (low, _), pools in zip(stands, ruler_of, parts, strict=True):
            mine = [Part(pool, adds, lanes.table_of(adds, by.step)) for pool, adds in pools]
            least = by.steps(low)
            totals.append(Total(has, mine, least, least + sum(part.table.most for part in mine)))
        rows = list(zip(*(total.at(range(count)) for total in totals), strict=True))
        seen, unlike = [sorted(row) for row in rows[::7]], [[by.total(2.0 * who) for who in range(players)]]
        places = {1, min(3, players), (players + 1) // 2, players}
        counted = [
            pair
            for looked_at in (seen, unlike)
            for pair in Edges(by, totals, count, looked_at).reached(places).items()
        ]
        for last, found in counted:
            expected = Counter(
                who for row in rows for who, total in enumerate(row) if total >= sorted(row)[-last]
            )
            assert +found.times == expected
            assert {at: (above, len(equals)) for at, (above, equals) in found.ties.items()} == {
                at: (sum(total > edge for total in row), row.count(edge))
                for at, row in enumerate(rows)
                if (edge := sorted(row)[-last]) and last < players and sorted(row)[-last - 1] == edge
            }


def test_who_may_be_above_a_total_elsewhere_is_counted_as_table_by_table():
    chance = random.Random(6)
    for _ in range(30):
        names = list("abcdefghij")
        tables = [
            [Gains({who: chance.randrange(4) for who in row}, {}) for _ in range(5)]
            for row in ("abc", "def", "ghi")
        ]
        totals = {who: chance.randrange(6) for who in names if who != "f"}
        last = LastSession(totals, tables)
        for who, total, most in product(totals, range(10), (True, False)):
            others = [ways for ways in tables if who not in ways[0].of]
            expected = sum(
                (max if most else min)(last.above(way, total, equals=most) for way in ways) for ways in others
            ) + sum(totals[one] >= total if most else totals[one] > total for one in {"j"} - {who})
            assert last.elsewhere(who, total, most=most) == expected


def test_chances_are_calibrated_over_random_events():
    """Of those who were given a tenth, about a tenth did it; `bench/chances.py` measures it over a thousand events."""
    for tenth in calibration(events=24, players=16, sessions=5, finishes=300, seed=1):
        if tenth.cases > 150:
            assert abs(tenth.given - tenth.happened) < 0.09, tenth


def last_session_of(*tables, sessions):
    rules = SBR.but(sessions=len(sessions) + 1)
    played = [SessionFact(number, rules, rows) for number, rows in enumerate(sessions, start=1)]
    event = Event(rules, [Entrant(player) for player in "abcdefgh"], played)
    return event, outlook_of(event, list(tables))


def test_what_is_needed_in_the_last_session_is_enough_whatever_others_do():
    """Every promise is held against all ways for both tables to end. [RULES 9.22]"""
    before = [table(1, "abcd", (900, 300, -300, -900)), table(2, "efgh", (600, 500, -500, -600))]
    event, outlook = last_session_of(table(1, "aebf"), table(2, "cgdh"), sessions=[before])
    last = last_session(outlook)
    strict = list(permutations((1500, 500, -500, -1500)))
    for who in "ae":
        for place in (1, 3):
            need = need_of(last, who, place)
            held, lost = set(), set()
            for points, others in product(strict, repeat=2):
                ends = SessionFact(2, event.regulation, [table(1, "aebf", points), table(2, "cgdh", others)])
                row = next(
                    row
                    for row in standings(replace(event, sessions=[*event.sessions, ends]))
                    if row.player == who
                )
                rank = 1 + sum(other > points["aebf".index(who)] for other in points)
                (held if row.place <= place else lost).add(rank)
            if need.enough:
                assert not lost & set(range(1, need.enough + 1)), (who, place, need)
            assert max(held) <= need.hope or need.is_certain, (who, place, need)


@pytest.mark.parametrize("seed", range(4))
def test_points_are_named_that_pass_equals_who_are_done_and_no_fewer_do(seed):
    """Second with +500 while tables are over already: held against all ways for the table in play to end. [RULES 9.22]"""
    chance = random.Random(seed)
    rules = SBR.but(sessions=2, points_unit=100)
    lost = [chance.randrange(0, 800, 100) for _ in range(2)]
    first = SessionFact(
        1, rules, [table(1, "abcd", (900, 300, -300, -900)), table(2, "efgh", (600, 500, -500, -600))]
    )
    done = table(2, "bfgd", (700 + lost[0], 100, lost[1] - 900, 100 - sum(lost)))
    event = Event(rules, [Entrant(player) for player in "abcdefgh"], [first, SessionFact(2, rules, [done])])
    outlook = Outlook(event, [left_of(2, [table(1, "aech")], rules)], goals_of(8))
    places = {}
    for points in product(range(-1500, 1600, 100), repeat=3):
        ends = (*points, -sum(points))
        if len(set(ends)) == 4 and chance.random() < 0.1:
            rows = standings(
                replace(event, sessions=[first, SessionFact(2, rules, [table(1, "aech", ends), done])])
            )
            places[ends] = {row.player: row.place for row in rows}
    named = 0
    for who, goal in product("aech", range(1, 8)):
        need = need_of(last_session(outlook), who, goal)
        if need.points is None or need.rivals:
            continue
        at, rank = "aech".index(who), (need.enough or 0) + 1
        mine = {ends: of[who] for ends, of in places.items() if 1 + sum(x > ends[at] for x in ends) == rank}
        assert all(place <= goal for ends, place in mine.items() if ends[at] >= need.points), (
            who,
            goal,
            need,
        )
        short = [place > goal for ends, place in mine.items() if ends[at] < need.points]
        assert not short or any(short), (who, goal, need)
        named += any(short)
    assert named or seed != 0


@pytest.mark.parametrize("seed", range(4))
def test_where_points_are_ranked_the_last_table_is_told_by_how_much_to_win_it(seed):
    """Held against all ways for the table to end: what is said is enough, and for the first place as a winner it takes all of it. [RULES 9.22]"""
    chance = random.Random(seed)
    rules = EMA.but(sessions=2)
    unit = rules.points_unit
    steps = [unit * chance.randrange(1, 60) for _ in range(6)]
    first = SessionFact(
        1,
        rules,
        [
            table(1, "abcd", (steps[0], steps[1], -steps[0], -steps[1])),
            table(2, "efgh", (steps[2], steps[3], -steps[2], -steps[3])),
        ],
    )
    done = table(2, "bfgd", (steps[4], steps[5], -steps[5], -steps[4]))
    event = Event(rules, [Entrant(player) for player in "abcdefgh"], [first, SessionFact(2, rules, [done])])
    outlook = Outlook(event, [left_of(2, [table(1, "aech")], rules)], goals_of(8))
    last, named = last_table(outlook), 0
    assert last_session(outlook) is None
    assert need_at(last, "b", 1) is None
    for who, goal in product("aech", (1, 2, 4)):
        need, at = need_at(last, who, goal), "aech".index(who)
        for _ in range(60):
            others = [unit * chance.randrange(-80, 40) for _ in range(3)]
            ends = [*others[:at], -sum(others), *others[at:]]
            if max(others) >= ends[at]:
                continue
            rows = standings(
                replace(event, sessions=[first, SessionFact(2, rules, [table(1, "aech", ends), done])])
            )
            place = next(row.place for row in rows if row.player == who)
            holds = ends[at] >= (need.points or 0)
            holds &= all(ends[at] - ends["aech".index(one.player)] >= one.points for one in need.leads)
            assert not holds or place <= goal, (who, goal, need, ends)
            named += not holds and place > goal
    assert named


def test_where_points_are_ranked_nothing_is_said_while_another_table_plays():
    first = SessionFact(1, EMA, [table(1, "abcd", (9, 3, -3, -9)), table(2, "efgh", (6, 5, -5, -6))])
    event = Event(EMA.but(sessions=2), [Entrant(player) for player in "abcdefgh"], [first])
    assert last_table(outlook_of(event, [table(1, "aech"), table(2, "bfgd")])) is None
    assert last_table(outlook_of(event, [table(1, "aech")])) is not None
    charged = replace(event, charges=[Charge("a", 2, game_points=-5)])
    assert last_table(outlook_of(charged, [table(1, "aech")])) is None


def test_rivals_at_other_tables_are_named_with_what_they_may_do():
    before = [table(1, "acdg", (900, 300, -300, -900)), table(2, "befh", (600, 500, -500, -600))]
    _, outlook = last_session_of(table(1, "acfh"), table(2, "bdeg"), sessions=[before])
    need = need_of(last_session(outlook), "a", 1)
    assert need.enough is None
    assert need.allowed == 0
    assert need.rivals == (Rival("b", 2),), "with a first at the own table, only b's first place is too much"


def test_who_is_alone_at_a_table_is_not_told_that_nothing_is_possible_any_more():
    """[RULES 9.22]"""
    last = LastSession({"a": 5, "b": 3}, [[Gains({"a": 1}, {})]])
    assert need_of(last, "a", 1) is None


def test_who_has_no_table_needs_nothing():
    before = [table(1, "abcd", (9, 3, -3, -9)), table(2, "efgh", (6, 5, -5, -6))]
    _, outlook = last_session_of(table(1, "abcd"), sessions=[before])
    assert need_of(last_session(outlook), "e", 1) is None


def test_a_process_of_its_own_tells_what_this_one_would(monkeypatch):
    """An outlook comes in, JSON goes out; nobody listens any more: no word. [RULES 9.22]"""
    outlook = Outlook(*a_question())
    told = json.loads(json.dumps(told_of(simulate(outlook, seed="7"), reaches(outlook), outlook)))
    assert told["goals"] == {str(goal): name for goal, name in outlook.goals.items()}
    assert told["left"] == [2]
    assert told["players"].keys() == {str(entrant.player) for entrant in outlook.event.entrants}
    for reached, (least, most), (best, worst, _) in told["players"].values():
        assert len(reached) == len(outlook.goals)
        assert best <= least <= most <= worst
    assert told_of(None, {}, outlook) == {}
    for handler in ("nice",):
        monkeypatch.setattr(os, handler, lambda _by: None, raising=False)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(gc, "disable", lambda: None)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(pickle.dumps((outlook, "7")))))
    out, ended = io.BytesIO(), []
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=out))
    monkeypatch.setattr(os, "_exit", ended.append)
    apart.main()
    assert json.loads(out.getvalue()) == told
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(pickle.dumps((outlook, "7")))))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=Broken()))
    apart.main()
    assert ended == [0, 0]


class Broken(io.BytesIO):
    """A pipe whose reader has gone."""

    def flush(self):
        raise BrokenPipeError


def a_question():
    people = [Entrant(name) for name in "abcd"]
    event = Event(SBR, people, [SessionFact(1, SBR, [table(1, "abcd", (5, 3, -2, -6))])])
    outlook = outlook_of(event, [table(1, "abcd")])
    return outlook.event, outlook.left, outlook.goals, outlook.plays
