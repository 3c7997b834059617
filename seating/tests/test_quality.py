"""Measures of a plan beside their bounds, and the sentences that say them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seating.rules import bounds
from seating.rules.checks import check_round, feasible_shortness
from seating.rules.fixed import fixed_plan
from seating.rules.plan import Entrant, FixedRequest, Round, hall, meetings
from seating.rules.quality import SENTENCES, quality, shortness
from seating.rules.winds import balanced_winds, uneven_moments

SAME = Round(((1, 2, 3, 4), (5, 6, 7, 8)))
PLAYERS = [Entrant(n, club=n % 2, team=(n - 1) // 4) for n in range(1, 9)]


def test_every_figure_of_a_bad_plan_is_counted():
    """The same two tables twice, everybody on the same seat."""
    measured = quality([SAME, SAME, SAME], PLAYERS, apart=[(1, 2), (1, 8)])
    assert {measure.code: (measure.value, measure.bound) for measure in measured.measures} == {
        "apart": (3, 0),
        "same_team": (36, 12),
        "same_club": (12, 12),
        "repeats": (36, 12),
        "short_again": (0, 0),
        "winds": (8, 0),
        "winds_in_between": (16, 0),
        "table_repeats": (24, 8),
    }
    assert measured["apart"].affected == ((1, 2),)
    assert measured["repeats"].affected[0] == (1, 2)
    assert not measured.is_best


def test_standing_rounds_are_no_fault_of_the_plan():
    measured = quality([SAME, SAME], PLAYERS, standing=2)
    assert measured["repeats"].is_best
    assert measured["table_repeats"].is_best
    assert measured["winds_in_between"].is_best


def test_sentences_say_zero_best_and_worse():
    words = {measure.code: str(measure.remark) for measure in quality([SAME, SAME], PLAYERS).measures}
    assert words["repeats"] == "Repeated meetings: 12; at least 4 cannot be avoided."
    assert words["short_again"] == "Nobody is left over or at an incomplete table twice."
    assert words["same_club"] == (
        "Meetings within a club: 8; best possible, one club has more players than there are tables."
    )


def test_a_meeting_that_was_played_is_not_laid_to_the_size_of_a_club():
    """Two of one club at two tables: they need not meet, but they have."""
    apart = Round(((1, 3, 4, 5), (2, 6, 7, 8)))
    pair = [Entrant(n, club="Rooks" if n < 3 else None) for n in range(1, 9)]
    measured = quality([SAME, apart], pair, standing=1)["same_club"]
    assert measured.is_best
    assert str(measured.remark) == "Meetings within a club: 1; at least 1 cannot be avoided."


def test_no_sentence_speaks_of_nothing_that_cannot_be_avoided():
    """Where no repeat need be, the sentence counts, and says what can cost one."""
    meet_again = Round(((1, 2, 5, 6), (3, 4, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16)))
    first = Round(tuple(tuple(range(start, start + 4)) for start in range(1, 17, 4)))
    words = {measure.code: str(measure.remark) for measure in quality([first, meet_again], []).measures}
    assert words["repeats"] == (
        "Repeated meetings: 16; counting alone asks for none, but other wishes can cost some."
    )
    assert not any("at least 0" in sentence for sentence in words.values())


@pytest.mark.parametrize("code", SENTENCES)
def test_every_sentence_takes_its_details(code):
    for sentence in SENTENCES[code]:
        assert sentence % {"value": 1, "bound": 0}


@pytest.mark.parametrize(
    ("players", "rounds", "least"),
    [
        (8, 4, 24),
        (12, 4, 18),
        (12, 6, 45),
        (16, 5, 0),
        (20, 5, 0),
        (20, 6, 1),
        (20, 8, 50),
        (24, 8, 12),
        (28, 10, 42),
    ],
)
def test_bound_of_repeats_is_the_proved_one(players, rounds, least):
    """Players meet others evenly; the members of a table fall on few tables; 20 players have no sixth clean round."""
    plan = [Round(tuple(tuple(range(t, t + 4)) for t in range(0, players, 4)))] * rounds
    assert bounds.fewest_repeats(plan) == least


def test_shortness_counts_waiting_and_tables_of_three():
    """[SBR 3.1.4] [RULES 8.33]"""
    rounds = [Round(((1, 2, 3, None),), (4,)), Round(((1, 2, 4, 5),), (3,))]
    assert shortness(rounds) == {1: 1, 2: 1, 3: 2, 4: 1}


@pytest.mark.parametrize(
    ("players", "size", "expected"),
    [
        (4, 4, (1, False, 0)),
        (5, 4, (1, False, 1)),
        (6, 4, (1, False, 2)),
        (7, 4, (2, True, 0)),
        (3, 4, (1, True, 0)),
        (10, 3, (3, False, 1)),
    ],
)
def test_hall_fills_tables_first(players, size, expected):
    """Three play on, one or two have no game. [SBR 3.1.3] [SBR 3.1.4]"""
    room = hall(players, size)
    assert (room.tables, room.is_short, room.off) == expected


@pytest.mark.parametrize(
    ("players", "rounds", "expected"), [(28, 8, (0, 8)), (29, 40, (1, 29)), (30, 8, (2, 8)), (11, 8, (3, 3))]
)
def test_feasible_sessions_without_being_short_twice(players, rounds, expected):
    assert feasible_shortness(players, rounds) == expected


def test_round_made_by_hand_has_every_fault_named():
    """[RULES 1.3]"""
    bad = Round(((1, 2, 3, 4), (4, 5, None, None), (7, 8, 9, 10, 11)), (1,))
    problems = list(check_round(bad, 2, players=[1, 2, 3, 4, 5, 6, 7, 8], withdrawn={5: "1 May"}))
    assert [(problem.code, str(problem)) for problem in problems] == [
        ("table_size", "Session 2: table 2 has 2 players, needs 4."),
        ("player_twice", "Session 2: 4 is already at table 1."),
        ("table_size", "Session 2: table 3 has 5 players, needs 4."),
        ("player_twice", "Session 2: 1 has no game but is at table 1."),
        ("unknown_player", "9 is not among the players."),
        ("unknown_player", "10 is not among the players."),
        ("unknown_player", "11 is not among the players."),
        ("player_missing", "Session 2: 6 has no seat."),
        ("player_withdrawn", "5 withdrew on 1 May."),
    ]


@st.composite
def dealt_rounds(draw):
    """Return rounds dealt by chance, some people away each time."""
    size = draw(st.sampled_from([3, 4]))
    players = draw(st.integers(size, 24))
    rounds = []
    for _ in range(draw(st.integers(1, 9))):
        order = draw(st.permutations(range(players)))
        there = order[: draw(st.integers(size, players))]
        rounds.append([there[t : t + size] for t in range(0, len(there) - 2, size)])
    return size, rounds


@given(dealt_rounds())
def test_winds_of_any_plan_are_even_at_every_moment(dealt):
    """Every plan can be coloured: König's theorem. [SBR 2.4.6]"""
    size, rounds = dealt
    winds = {}
    for tables, seated in zip(rounds, balanced_winds(rounds, size), strict=True):
        for table, seats in zip(tables, seated, strict=True):
            assert sorted(p for p in seats if p is not None) == sorted(table)
            for wind, player in enumerate(seats):
                if player is not None:
                    winds.setdefault(player, []).append(wind)
    assert all(uneven_moments(row, size) == 0 for row in winds.values())


@given(st.dictionaries(st.integers(0, 4), st.integers(0, 6)), st.integers(0, 30))
def test_filling_is_the_cheapest_way(levels, items):
    """Putting each item where least lies is what brute force finds."""
    places = [level for level, count in levels.items() for _ in range(count)]
    cost = 0
    for _ in range(items if places else 0):
        place = places.index(min(places))
        cost += places[place]
        places[place] += 1
    assert bounds.filled(Counter(levels), items) == cost


def test_three_who_stay_need_meet_only_once_again():
    """Who will be away in the second session can be spread in the first: the bound counts what must be, not what was."""
    away = {2: frozenset(range(1, 6))}
    plan = fixed_plan(FixedRequest([Entrant(number) for number in range(1, 9)], 2, absent=away))
    repeats = plan.quality["repeats"]
    assert (repeats.value, repeats.bound) == (1, 1)


def test_two_tables_that_stand_force_four_meetings_to_be_repeated():
    """Four of one table fall on two tables of the next session."""
    standing = Round(((1, 2, 3, 4), (5, 6, 7, 8)))
    request = FixedRequest([Entrant(number) for number in range(1, 9)], 2, existing=[standing])
    repeats = fixed_plan(request).quality["repeats"]
    assert (repeats.value, repeats.bound) == (4, 4)


@given(st.randoms(use_true_random=False), st.integers(4, 13), st.integers(2, 4), st.integers(0, 2))
def test_no_seating_undercuts_the_bound_that_it_is_given(chance, players, sessions, standing):
    rounds = [any_round(chance, players) for _ in range(sessions)]
    repeated = sum(times * (times - 1) // 2 for times in meetings(rounds).values())
    assert repeated >= bounds.fewest_repeats(rounds, min(standing, sessions - 1))


def any_round(chance, players):
    """Seat those who are there by chance; one or two may be away, and who fills no table has no game."""
    there = chance.sample(range(players), max(4, players - chance.randint(0, 2)))
    tables = len(there) // 4 + (len(there) % 4 == 3)
    return Round(
        tuple(tuple(there[place : place + 4]) for place in range(0, tables * 4, 4)),
        tuple(there[tables * 4 :]),
    )
