"""Plans for whole events: valid for every request, at the proved bounds, the same bytes again."""

import subprocess
import sys
from collections import Counter
from hashlib import sha256
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest

from bench import checker
from scoring.problems import Refusal
from seating.rules.fixed import FIRST_METHOD, METHOD, fixed_plan
from seating.rules.matching import cheapest_matching
from seating.rules.plan import Entrant, FixedRequest, Lock, Round
from seating.rules.progress import Cancelled
from seating.rules.skeleton import skeleton

ROOT = Path(__file__).resolve().parents[2]


def entrants(count, **labels):
    """Return that many players; each label is a function of the number."""
    return [
        Entrant(number, **{kind: label(number) for kind, label in labels.items()})
        for number in range(1, count + 1)
    ]


def as_json(request):
    """Write a request as the checker reads it."""
    return {
        "players": [{"id": p.id, "group": p.group, "team": p.team} for p in request.players],
        "rounds_wanted": request.rounds_wanted,
        "table_size": request.table_size,
        "existing": [shape(a_round) for a_round in request.existing],
        "locks": [
            {
                key: value
                for key, value in [("round", k.round), ("id", k.id), ("table", k.table), ("seat", k.seat)]
                if value is not None
            }
            for k in request.locks
        ],
        "absent": {str(number): list(ids) for number, ids in request.absent.items()},
        "joined": {str(player): number for player, number in request.joined.items()},
        "apart": [list(pair) for pair in request.apart],
        **({} if request.tables is None else {"tables": request.tables}),
    }


def shape(a_round):
    """Write a round as the checker reads it."""
    return {"tables": [list(table) for table in a_round.tables], "off": list(a_round.off)}


def checked(request):
    """Plan a request, let the checker look for faults, and return the plan with the checker's figures."""
    plan = fixed_plan(request)
    answer = {"rounds": [shape(a_round) for a_round in plan.rounds]}
    assert checker.faults(as_json(request), answer) == []
    return plan, checker.figures(as_json(request), answer)


@pytest.mark.parametrize(
    ("players", "rounds", "repeats", "tables"),
    [
        (16, 5, 0, 24),
        (20, 5, 0, 0),
        (24, 7, 0, 0),
        (28, 4, 0, 0),
        (28, 7, 0, 0),
        (32, 8, 0, 0),
        (40, 8, 0, 0),
        (48, 10, 0, 0),
        (64, 10, 0, 0),
        (100, 12, 0, 0),
        (172, 15, 0, 0),
        (1000, 15, 0, 0),
    ],
)
def test_plan_is_as_good_as_is_known(players, rounds, repeats, tables):
    """Nobody meets twice, winds are even at every moment, tables as stated. [SBR 2.4.6] [RULES 1.3]"""
    plan, figures = checked(FixedRequest(entrants(players), rounds))
    assert (figures["repeats"], figures["tables"]) == (repeats, tables)
    assert figures["moments"] == figures["uneven"] == 0
    assert plan.quality.is_best


@pytest.mark.parametrize("players", [29, 30, 31, 45, 46, 47, 101, 102, 103])
def test_remainder_meets_nobody_twice_and_is_short_once(players):
    """Three play on or one or two wait, nobody twice. [SBR 3.1.3] [SBR 3.1.4]"""
    _, figures = checked(FixedRequest(entrants(players), 7))
    assert (figures["repeats"], figures["short_again"], figures["moments"]) == (0, 0, 0)


@pytest.mark.parametrize(("players", "rounds"), [(9, 4), (15, 7), (18, 6), (24, 8), (36, 10)])
def test_tables_of_three_meet_nobody_twice(players, rounds):
    _, figures = checked(FixedRequest(entrants(players), rounds, table_size=3))
    assert (figures["repeats"], figures["moments"]) == (0, 0)


@pytest.mark.parametrize(
    ("players", "rounds"), [(4, 6), (5, 4), (6, 3), (7, 2), (8, 4), (9, 3), (10, 5), (11, 3)]
)
def test_few_players_get_the_best_that_exists(players, rounds):
    """Below eight there is one table; the plan says what cannot be avoided. [SBR 3.1.4]"""
    plan, figures = checked(FixedRequest(entrants(players), rounds))
    assert figures["moments"] == 0
    assert plan.quality["short_again"].is_best


@pytest.mark.parametrize(
    ("players", "group"),
    [
        (40, lambda number: number % 5),
        (40, lambda number: number // 4),
        (32, lambda number: 1 if number <= 16 else None),
        (36, lambda number: 1 if number <= 18 else None),
        (64, lambda number: number % 4),
    ],
    ids=["five-clubs-of-eight", "clubs-of-four", "half-of-32", "half-of-36", "quarters-of-64"],
)
def test_groups_meet_as_little_as_is_possible(players, group):
    """Countries, regions and clubs are kept apart down to the proved minimum. [SBR 2.4.1]"""
    plan, figures = checked(FixedRequest(entrants(players, group=group), 8))
    assert figures["group"] == plan.quality["same_group"].bound
    assert figures["repeats"] == 0


@pytest.mark.parametrize("teams", [6, 7, 8, 12, 13, 16, 25])
def test_teammates_never_meet(teams):
    """Teams of four over as many rounds as there are teams, and nobody meets anybody twice."""
    _, figures = checked(FixedRequest(entrants(4 * teams, team=lambda n: (n - 1) // 4), teams))
    assert (figures["team"], figures["repeats"]) == (0, 0)


@pytest.mark.parametrize(
    ("players", "rounds", "clubs"),
    [(40, 9, 4), (56, 8, 4), (24, 4, 4), (30, 6, 4), (42, 8, 5), (39, 7, 4)],
)
def test_clubs_that_fill_a_quarter_of_the_field_are_apart_and_nobody_meets_twice(players, rounds, clubs):
    """Four clubs of ten at ten tables: one of each at every table. [SBR 2.4.1]"""
    _, figures = checked(FixedRequest(entrants(players, group=lambda n: n % clubs), rounds))
    assert (figures["group"], figures["repeats"], figures["moments"]) == (0, 0, 0)


@pytest.mark.parametrize(("clubs", "rounds"), [(6, 8), (6, 7), (7, 8)])
def test_six_or_seven_clubs_at_ten_tables_are_apart_and_nobody_meets_twice(clubs, rounds):
    """They fit into no round that is turned; the plans kept for them need no repeat. [SBR 2.4.1]"""
    _, figures = checked(FixedRequest(entrants(40, group=lambda n: n % clubs), rounds))
    assert (figures["group"], figures["repeats"], figures["moments"]) == (0, 0, 0)


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 3), (8, 7), (9, 9), (10, 4)])
def test_in_twos_everybody_plays_everybody_once(players, rounds):
    """Systems for two have tables of two. [SIAM]"""
    _, figures = checked(FixedRequest(entrants(players), rounds, table_size=2))
    assert (figures["repeats"], figures["short_again"], figures["moments"]) == (0, 0, 0)


def test_each_kind_of_label_keeps_people_apart():
    labels = {
        "club": lambda n: n % 10,
        "region": lambda n: n % 5 if n % 2 else None,
        "country": lambda n: n % 20,
    }
    plan, _ = checked(FixedRequest(entrants(40, **labels), 6))
    assert [plan.quality[code].value for code in ("same_club", "same_region", "same_country")] == [0, 0, 0]


def test_locked_table_is_kept_in_every_round():
    """One player always at table 1: no repeats and even winds, only tables pay for it."""
    locks = [Lock(number, 1, table=1) for number in range(1, 9)]
    plan, figures = checked(FixedRequest(entrants(40), 8, locks=locks))
    assert all(1 in a_round.tables[0] for a_round in plan.rounds)
    assert (figures["repeats"], figures["moments"]) == (0, 0)
    assert figures["tables"] <= 47


def test_locked_seat_is_kept():
    locks = [Lock(1, 3, table=4, seat=0), Lock(2, 3, seat=1), Lock(2, 7, table=2), Lock(2, 8, table=2)]
    checked(FixedRequest(entrants(40), 4, locks=locks))


def test_given_sessions_stand_and_the_rest_avoids_their_meetings():
    """Three rounds dealt by chance, five more planned: hardly a repeat is added."""
    given = [dealt(32, number) for number in range(3)]
    before = Counter(
        pair for a_round in given for table in a_round.tables for pair in combinations(sorted(table), 2)
    )
    plan, figures = checked(FixedRequest(entrants(32), 8, existing=given))
    assert plan.rounds[:3] == tuple(given)
    assert figures["repeats"] - sum(n * (n - 1) // 2 for n in before.values()) <= 1


def dealt(players, number):
    """Deal a round by a plain rule that is no plan."""
    order = sorted(range(1, players + 1), key=lambda n: (n * (7 + 6 * number) + number) % (players + 1))
    return Round(tuple(tuple(order[place : place + 4]) for place in range(0, players, 4)))


def test_withdrawal_redraws_the_rest_with_one_repeat_at_most():
    """36 players, two gone after the second session, six sessions planned anew. [SBR 3.1.3]"""
    first = fixed_plan(FixedRequest(entrants(36), 8))
    _, figures = checked(FixedRequest(entrants(34), 8, existing=first.rounds[:2]))
    assert figures["repeats"] <= 1
    assert figures["short_again"] == 0


def test_absent_and_late_players_are_seated_exactly_when_there():
    request = FixedRequest(
        entrants(41), 7, absent={2: frozenset({1, 2, 3}), 5: frozenset({9})}, joined={40: 3, 41: 2}
    )
    _, figures = checked(request)
    assert figures["repeats"] == 0


def test_pair_kept_apart_never_meets():
    pairs = [(1, 2), (3, 9), (20, 21)]
    plan, figures = checked(FixedRequest(entrants(24), 7, apart=pairs))
    assert figures["apart"] == plan.quality["apart"].value == 0


def test_fewer_tables_than_needed_share_the_waiting():
    """Ten tables' worth of people at nine tables: four wait each time, each in turn."""
    _, figures = checked(FixedRequest(entrants(40), 8, tables=9))
    assert figures["short_again"] == 0


@pytest.mark.parametrize(
    ("request_", "codes"),
    [
        (FixedRequest(entrants(3), 4), ["too_few_players"]),
        (FixedRequest([], 4), ["too_few_players"]),
        (FixedRequest(entrants(2), 4, table_size=3), ["too_few_players"]),
        (FixedRequest(entrants(15), 4, incomplete_tables=False), ["not_divisible"]),
        (FixedRequest(entrants(20), 6, no_repeats=True), ["seating_impossible"]),
        (FixedRequest([*entrants(8), Entrant(3)], 4), ["player_twice"]),
        (FixedRequest(entrants(8), 0), ["rounds_wanted"]),
        (FixedRequest(entrants(8), 4, table_size=5), ["table_size"]),
        (FixedRequest(entrants(8), 4, seed=""), ["seed_invalid"]),
        (FixedRequest(entrants(8), 4, tables=0), ["tables"]),
        (FixedRequest(entrants(8), 4, locks=[Lock(1, 1, table=3)]), ["table_number"]),
        (FixedRequest(entrants(8), 4, locks=[Lock(1, 1, table=0)]), ["table_number"]),
        (FixedRequest(entrants(8), 4, locks=[Lock(1, 1, seat=4)]), ["lock_seat"]),
        (FixedRequest(entrants(8), 4, locks=[Lock(5, 1, table=1)]), ["round_number"]),
        (FixedRequest(entrants(8), 4, locks=[Lock(1, 99, table=1)]), ["unknown_player"]),
        (FixedRequest(entrants(8), 4, locks=[Lock(1, n, table=1) for n in range(1, 6)]), ["lock_conflict"]),
        (FixedRequest(entrants(8), 4, locks=[Lock(1, n, seat=0) for n in range(1, 4)]), ["lock_conflict"]),
        (FixedRequest(entrants(8), 4, locks=[Lock(1, 1, table=1), Lock(1, 1, table=2)]), ["lock_conflict"]),
        (
            FixedRequest(entrants(8), 4, locks=[Lock(1, 1, table=1)], absent={1: frozenset({1})}),
            ["lock_conflict"],
        ),
        (FixedRequest(entrants(8), 4, absent={2: frozenset(range(1, 7))}), ["too_few_players"]),
        (FixedRequest(entrants(8), 4, apart=[(1, 1)]), ["same_player"]),
        (FixedRequest(entrants(8), 4, joined={99: 2}), ["unknown_player"]),
        (FixedRequest(entrants(8), 1, existing=[dealt(8, 0), dealt(8, 1)]), ["existing"]),
        (FixedRequest(entrants(8), 2, existing=[Round(((1, 2, 3, 4), (4, 5, 6, 7)))]), ["player_twice"]),
    ],
)
def test_impossible_request_is_refused_with_its_reason(request_, codes):
    with pytest.raises(Refusal) as refusal:
        fixed_plan(request_)
    assert [problem.code for problem in refusal.value.problems] == codes
    assert all(str(problem) for problem in refusal.value.problems)


def test_refusal_says_what_would_be_possible():
    with pytest.raises(Refusal) as refusal:
        fixed_plan(FixedRequest(entrants(20), 6, no_repeats=True))
    assert str(refusal.value) == ("Sessions in which nobody meets anybody twice, with 20 players: at most 5.")


def test_names_of_players_change_no_figure():
    named = [Entrant(f"player {n}", group=n % 3) for n in range(30)]
    plain = [Entrant(n, group=n % 3) for n in range(30)]
    values = [
        [m.value for m in fixed_plan(FixedRequest(players, 5)).quality.measures] for players in (named, plain)
    ]
    assert values[0] == values[1]


def test_same_seed_gives_the_same_bytes_in_another_process():
    program = (
        "from seating.rules.fixed import fixed_plan\n"
        "from seating.rules.plan import Entrant, FixedRequest\n"
        "print(fixed_plan(FixedRequest([Entrant(f'p{n}', group=f'g{n % 3}', club=f'c{n % 4}') for n in range(29)], 4,"
        " apart=[('p1', 'p2')])).rounds)"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={"PYTHONHASHSEED": str(number)},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for number in (1, 2)
    ]
    assert outputs[0] == outputs[1] != b""


@pytest.mark.parametrize(
    ("request_", "digest"),
    [
        (FixedRequest(entrants(8), 4), "e15fa8435d402990"),
        (FixedRequest(entrants(13, club=lambda number: number % 4), 6, seed="x"), "ab4e68ad79109fa0"),
        (
            FixedRequest(
                entrants(12),
                4,
                existing=[Round(((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)))],
                absent={3: frozenset({5})},
            ),
            "fe2a877b53430331",
        ),
    ],
    ids=["kept-plan", "clubs-and-one-left-over", "given-session-and-somebody-away"],
)
def test_method_gives_the_answers_it_always_gave(request_, digest):
    """A draw is worked out again from its seed at any later time: "four-winds-fixed/1" answers as ever."""
    plan = fixed_plan(request_, method=FIRST_METHOD)
    rounds = [(a_round.tables, a_round.off) for a_round in plan.rounds]
    assert plan.method == "four-winds-fixed/1"
    assert sha256(repr(rounds).encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize(
    ("request_", "returns"),
    [
        (FixedRequest(entrants(29), 7), 18),
        (FixedRequest(entrants(45), 8), 0),
        (FixedRequest(entrants(101), 10), 0),
    ],
    ids=["29x7", "45x8", "101x10"],
)
def test_with_one_left_over_nobody_comes_back_to_a_table_without_need(request_, returns):
    """[SEATING 3]"""
    figures = fixed_plan(request_).quality
    assert [figures[name].value for name in ("repeats", "winds", "short_again")] == [0, 0, 0]
    assert figures["table_repeats"].value <= returns


def test_two_of_forty_who_never_meet_in_ten_sessions_have_many_opponents_in_common():
    """The sessions are ten of thirteen in which everybody would meet everybody. [SEATING 3]"""
    met = {number: set() for number in range(1, 41)}
    for a_round in fixed_plan(FixedRequest(entrants(40), 10)).rounds:
        for one, other in (pair for table in a_round.tables for pair in combinations(table, 2)):
            met[one].add(other)
            met[other].add(one)
    apart = [pair for pair in combinations(met, 2) if pair[1] not in met[pair[0]]]
    assert len(apart) == 40 * 9 // 2
    assert min(len(met[one] & met[other]) for one, other in apart) >= 23


def test_later_method_tells_its_name():
    assert fixed_plan(FixedRequest(entrants(8), 4)).method == METHOD == "four-winds-fixed/2"


@pytest.mark.parametrize("seed", range(20))
def test_matching_is_the_cheapest_of_all_orders(seed):
    chance = Random(seed)
    costs = [[chance.randrange(9) for _ in range(6)] for _ in range(6)]
    columns = cheapest_matching(costs)
    assert sorted(columns) == list(range(6))
    assert sum(costs[row][column] for row, column in enumerate(columns)) == min(
        sum(costs[row][column] for row, column in enumerate(order)) for order in permutations(range(6))
    )


def test_seeds_give_different_people_the_same_numbers():
    rounds = [fixed_plan(FixedRequest(entrants(28), 4, seed=seed)).rounds for seed in ("1", "2", "1")]
    assert rounds[0] == rounds[2] != rounds[1]


def test_progress_ends_at_its_total():
    seen = []
    fixed_plan(FixedRequest(entrants(12), 2), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_cancelled_draw_leaves_nothing():
    with pytest.raises(Cancelled):
        fixed_plan(FixedRequest(entrants(40, group=lambda n: n % 3), 8), is_cancelled=lambda: True)


def test_known_plan_does_not_depend_on_what_was_asked_before():
    first = skeleton(28, 7)
    skeleton(20, 5)
    assert skeleton(28, 7) == first
