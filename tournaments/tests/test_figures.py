"""What hands tell: counted by hand here, and added up the same way however they are cut into sessions."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seats import SEATS
from scoring.systems import SYSTEMS
from scoring.systems.base import Situation
from tournaments.standings.rules.figures import Dealt, Figures, Sitter, TableHands, Tally, figures_of
from tournaments.tests.random_hands import random_facts

EAST, SOUTH, WEST, NORTH, LATE = 1, 2, 3, 4, 9
AT = {"E": Sitter(EAST), "S": Sitter(SOUTH), "W": Sitter(WEST), "N": Sitter(NORTH)}


def win(seat, source=None, **value):
    event = {"type": "win", "winners": [{"seat": seat, **value}]}
    return event | ({"from": source} if source else {})


def table(*hands, session=1, number=1, sitters=AT):
    """A table whose hands are lists of events; the winner of each takes ten times its worth."""
    return TableHands(
        session,
        number,
        sitters,
        [
            Dealt(at, "E", {"events": events}, {"E": 10, "S": 20, "W": 30, "N": -60})
            for at, events in enumerate(hands, start=1)
        ],
    )


def counted(*tables, system="MCR", rules=None):
    return figures_of(system, rules or {}, tables)


def test_hands_wins_self_draws_and_deals_in_are_counted():
    found = counted(table([win("E", "S", fans=8)], [win("E", fans=20)], [], [win("W", "S", fans=12)]))
    assert (found.hands, found.no_win, found.wins, found.self_draws, found.worth) == (4, 1, 3, 1, 40)
    bare = {
        player: (row.hands, row.wins, row.self_draws, row.deals_in, row.worth)
        for player, row in found.players.items()
    }
    assert bare == {
        EAST: (4, 2, 1, 0, 28),
        SOUTH: (4, 0, 0, 2, 0),
        WEST: (4, 1, 0, 0, 12),
        NORTH: (4, 0, 0, 0, 0),
    }


def test_one_discard_for_two_winners_is_one_deal_in():
    both = {"type": "win", "from": "N", "winners": [{"seat": "E", "fans": 1}, {"seat": "W", "fans": 3}]}
    found = counted(table([both]), system="SBR")
    assert (found.wins, found.players[NORTH].deals_in) == (2, 1)


def test_who_came_later_did_not_play_the_hands_before():
    sitters = {**AT, "W": Sitter(LATE, WEST, 3)}
    found = counted(table([win("W", fans=8)], [], [win("W", fans=30)], sitters=sitters))
    assert (found.players[WEST].hands, found.players[WEST].best.worth) == (2, 8)
    assert (found.players[LATE].hands, found.players[LATE].best.worth) == (1, 30)


def test_best_hands_stand_by_worth_then_by_what_they_brought_then_by_time():
    found = counted(
        table([win("E", fans=8)], [win("W", fans=24)], session=2),
        table([win("S", fans=24)], [win("E", fans=24)], [win("E", fans=24)], session=1),
    )
    assert [(won.worth, won.gained, won.session, won.hand) for won in found.best] == [
        (24, 30, 2, 2),
        (24, 20, 1, 1),
        (24, 10, 1, 2),
        (24, 10, 1, 3),
        (8, 10, 2, 1),
    ]


def test_what_one_win_of_several_in_a_hand_brought_stays_open():
    """[SBR 2.7.1]"""
    kong = {"type": "kong", "seat": "E", "kind": "concealed"}
    found = counted(
        table([win("E", fans=3), win("S", fans=1)], [kong, win("W", fans=2)], [win("N", fans=0)]),
        system="SBR",
    )
    assert [(won.worth, won.gained) for won in found.best] == [(3, None), (2, None), (1, None), (0, -60)]


def test_longest_run_is_broken_by_any_hand_without_a_win():
    found = counted(
        table([win("E", fans=8)], [win("E", fans=8)], [], [win("E", fans=8)], number=1),
        table([win("S", fans=8)], [win("S", fans=8)], [win("S", fans=8)], number=2),
    )
    assert found.streak == (3, SOUTH, 1, 2)


def test_fans_are_counted_once_a_hand_among_the_hands_that_tell_them():
    found = counted(
        table(
            [win("E", fans=9, fan_list={"48": 1, "75": 2})],
            [win("E", fans=8)],
            [win("W", fans=8, fan_list={"48": 1})],
        )
    )
    assert (found.told, dict(found.fans)) == (2, {"48": 2, "75": 1})


@pytest.mark.parametrize(
    ("system", "winner", "dealer", "drawn", "worth"),
    [
        pytest.param("SBR", {"fans": 5}, False, True, 5, id="fans"),
        pytest.param("MCR", {"fans": 24, "flowers": 3}, True, True, 27, id="points with flowers"),
        pytest.param("RED", {"fans": 20, "flowers": 2}, True, True, 26, id="flowers of three"),
        pytest.param("RIICHI", {"han": 3, "fu": 40}, False, False, 5200, id="3 han 40 fu on a discard"),
        pytest.param("RIICHI", {"han": 3, "fu": 40}, True, False, 7700, id="the same by East"),
        pytest.param("RIICHI", {"han": 3, "fu": 40}, False, True, 5200, id="1300 and 2600 from the wall"),
        pytest.param("RIICHI", {"han": 3, "fu": 40}, True, True, 7800, id="2600 all"),
        pytest.param("RIICHI", {"limit": "yakuman"}, False, True, 32000, id="yakuman"),
        pytest.param("RIICHI", {"han": 5}, False, False, 8000, id="mangan by han"),
    ],
)
def test_hand_is_worth_what_its_system_says(system, winner, dealer, drawn, worth):
    """[RIICHI 4.1.2] [RECORD 3]"""
    assert SYSTEMS[system].worth.of(winner, {}, dealer, drawn) == worth


@pytest.mark.parametrize("system", ["SBR", "WMSG", "MCR", "SIAM", "RED", "RIICHI"])
@given(seed=st.integers(0, 10**6), cut=st.integers(0, 6))
def test_sessions_counted_apart_add_up_to_the_whole(system, seed, cut):
    chance = Random(seed)
    at = Situation(SEATS)
    tables = [
        table(
            *(random_facts(system, at, chance)["events"] for _ in range(4)),
            session=1 + number // 2,
            number=number,
        )
        for number in range(6)
    ]
    whole = Figures()
    whole.add(counted(*tables[:cut], system=system))
    whole.add(counted(*tables[cut:], system=system))
    assert whole == counted(*tables, system=system)
    assert sum(row.wins for row in whole.players.values()) == whole.wins
    assert sum(row.self_draws for row in whole.players.values()) == whole.self_draws
    assert all(row.hands == whole.hands for row in whole.players.values())
    assert whole.best[:1] == sorted(whole.best, key=lambda won: won.order)[:1]


def test_nothing_tells_nothing():
    assert counted() == Figures()
    assert Figures().players.get(EAST, Tally()).best is None
