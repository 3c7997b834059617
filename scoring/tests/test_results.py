"""Session results: ladders, penalties before and after, fixed, awarded and adjusted results, substitutes."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.presets import PRESETS
from scoring.regulation import GivenResult, Ladder, LadderMode, LadderScope, Regulation, Timing
from scoring.seats import SEATS, Seat
from scoring.standings.book import Entrant
from scoring.standings.sessions import (
    Charge,
    Event,
    Origin,
    Result,
    ResultKind,
    SeatFact,
    SeatLedger,
    SessionFact,
    Step,
    TableFact,
    climb,
    ladder_key,
    scale_of,
    session_ledger,
    step,
    tally,
)
from scoring.tests.events import events, naive_results, naive_table

SBR, MCR, RIICHI = (PRESETS[code].regulation for code in ("sbr", "mcr", "riichi_ema"))
SICHUAN, EMPTY, TOUCHING, LATE = (*SBR.penalties.ladders, *MCR.penalties.ladders)


def one_table(
    *seats: SeatFact, rules: Regulation = SBR, charges: Any = (), given: Any = None, is_played: bool = True
) -> Event:
    """Play one session at one table."""
    players = [seat.kept_for or seat.player for seat in seats]
    entrants = [Entrant(player) for player in players if not str(player).startswith("s")]
    return Event(
        rules, entrants, [SessionFact(1, rules, [TableFact(1, seats, is_played)])], charges, given or {}
    )


def sat(*points: int) -> list[SeatFact]:
    """Seat a, b, c, d from East on with these points."""
    return [
        SeatFact(seat, player, None, amount)
        for seat, player, amount in zip(SEATS, "abcd", points, strict=False)
    ]


def results(event: Event) -> dict[Any, Result]:
    return dict(session_ledger(event, event.sessions[0]).results)


def played(points: int, brought: Any, place: Any, *, rank: int = 0) -> Result:
    return Result(ResultKind.PLAYED, points, Fraction(brought), Fraction(place), None, rank or int(place))


# Ladders


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, Step(1, 0, 0)),
        (2, Step(2, 2, 2)),
        (3, Step(3, 2, 4)),
        (4, Step(4, 4, 8)),
        (5, Step(5, 8, 16)),
        (6, Step(6, 8, 24)),
        (7, Step(7, 24, 48)),
        (8, Step(7, 0, 48)),
        (20, Step(7, 0, 48)),
    ],
)
def test_sichuan_ladder_costs_the_step_reached_in_all(count, expected):
    """[SBR 2.8.2] [RULES 8.1] [RULES 8.38]"""
    assert step(SICHUAN, count) == expected


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, Step(1, 0, 0)),
        (2, Step(2, 5, 5)),
        (3, Step(3, 10, 15)),
        (4, Step(4, 20, 35)),
        (5, Step(5, 40, 75)),
        (6, Step(6, 50, 125)),
        (7, Step(7, 60, 185)),
        (8, Step(7, 60, 245)),
    ],
)
def test_mcr_ladder_costs_every_offence_its_own_step(count, expected):
    """[RULES 8.1] [RULES 8.38]"""
    assert step(EMPTY, count) == expected


def test_ladder_that_begins_without_a_warning_costs_at_once():
    """[RULES 1.8]"""
    ladder = Ladder(("x",), LadderMode.TOTAL, LadderScope.SESSION, (3, 5))
    assert [step(ladder, count).cost for count in (1, 2, 3)] == [3, 2, 0]


@given(
    steps=st.lists(st.integers(0, 60), min_size=1, max_size=8).map(sorted),
    mode=st.sampled_from(LadderMode),
    count=st.integers(1, 12),
)
def test_one_more_offence_never_costs_less(steps, mode, count):
    """[RULES 1.8]"""
    ladder = Ladder(("x",), mode, LadderScope.SESSION, tuple(steps))
    assert step(ladder, count + 1).total >= step(ladder, count).total
    assert sum(step(ladder, number).cost for number in range(1, count + 1)) == step(ladder, count).total


def test_late_pungs_begin_anew_in_each_round_of_as_many_hands_as_players():
    """[RULES 1.8] [RULES 8.38]"""
    keys = [ladder_key(LATE, "a", 1, hand, 4) for hand in (1, 4, 5, 8, 9)]
    assert keys[0] == keys[1] != keys[2] == keys[3] != keys[4]
    assert ladder_key(LATE, "a", 1, 4, 3) == ladder_key(LATE, "a", 1, 6, 3)


def test_ladder_counts_by_player_and_by_its_scope():
    """[RULES 1.8]"""
    whole = Ladder(("x",), LadderMode.EACH, LadderScope.TOURNAMENT, (0, 5))
    assert ladder_key(EMPTY, "a", 1, None, 4) != ladder_key(EMPTY, "b", 1, None, 4)
    assert ladder_key(EMPTY, "a", 1, 3, 4) == ladder_key(EMPTY, "a", 1, None, 4)
    assert ladder_key(EMPTY, "a", 1, None, 4) != ladder_key(EMPTY, "a", 2, None, 4)
    assert ladder_key(whole, "a", 1, None, 4) == ladder_key(whole, "a", 2, None, 4)
    assert ladder_key(EMPTY, "a", 1, None, 4) != ladder_key(TOUCHING, "a", 1, None, 4)


def test_revoked_penalty_leaves_the_ladder_and_later_ones_move_down():
    """[RULES 8.38]"""
    key = ladder_key(SICHUAN, "a", 1, None, 4)
    on = (SICHUAN, key)
    assert [one and one.cost for one in climb([on, on, on])] == [0, 2, 2]
    assert [one and one.cost for one in climb([on, None, on])] == [0, None, 2]
    assert [one and one.number for one in climb([None, on, on])] == [None, 1, 2]


# Penalties and lateness


def test_penalties_count_before_the_places_in_sichuan():
    """[SBR 2.7.5.1] [RULES 8.36]"""
    charge = Charge("a", 1, -3)
    assert results(one_table(*sat(2, 1, 0, -3), charges=[charge])) == {
        "a": played(-1, 2, 3),
        "b": played(1, 4, 1),
        "c": played(0, 3, 2),
        "d": played(-3, 1, 4),
    }


def test_penalties_are_taken_after_the_places_in_riichi():
    """[RIICHI 5.5] [RIICHI 5.7] [RULES 8.36]"""
    charge = Charge("a", 1, -30000, timing=Timing.AFTER)
    found = results(one_table(*sat(20000, 10000, -10000, -20000), rules=RIICHI, charges=[charge]))
    assert found["a"] == Result(ResultKind.PLAYED, -10000, None, Fraction(1), Fraction(15), True)


def test_tournament_points_taken_lower_session_and_total():
    """[RULES 8.39]"""
    charges = [
        Charge("a", 1, tournament_points=Fraction(-1, 2)),
        Charge("a", None, tournament_points=Fraction(-1)),
    ]
    event = one_table(*sat(2, 1, 0, -3), charges=charges)
    assert results(event)["a"] == played(2, Fraction(7, 2), 1)
    book = tally(event)
    assert Fraction(book.tournament_points[0], book.scale) == -1


def test_tournament_points_appear_once_taken_where_none_are_given():
    """[RULES 8.39]"""
    charge = Charge("a", 1, tournament_points=Fraction(-1))
    found = results(one_table(*sat(2, 1, 0, -3), rules=RIICHI, charges=[charge]))
    assert (found["a"].tournament_points, found["b"].tournament_points) == (-1, None)


# Fixed, awarded and adjusted results


def test_replaced_player_gets_the_fixed_result_and_the_substitute_the_place():
    """[SBR 2.8.4.5] [RULES 1.6] [RULES 8.6] [RULES 8.32]"""
    seats = sat(4, 3, -2, -5)
    seats[2] = SeatFact(Seat.WEST, "s1", "c", 9)
    event = one_table(*seats)
    assert results(event) == {
        "a": played(4, 3, 2),
        "b": played(3, 2, 3),
        "c": Result(ResultKind.FIXED, 0, Fraction(0), Fraction(4), None),
        "d": played(-5, 1, 4),
    }
    ledger = session_ledger(event, event.sessions[0])
    assert ledger.tables[1][Seat.WEST] == SeatLedger(9, 9, Fraction(1), Fraction(4), None)
    assert list(ledger.tables[1]) == list(SEATS)


def test_penalties_of_a_replaced_player_stay_with_the_seat():
    """[RULES 8.35]"""
    seats = sat(4, 3, -2, -5)
    seats[0] = SeatFact(Seat.EAST, "s1", "a", 4)
    charges = [Charge("a", 1, -8), Charge("s1", 1, -2), Charge("a", 1, 5, origin=Origin.ADJUSTMENT)]
    event = one_table(*seats, charges=charges)
    assert session_ledger(event, event.sessions[0]).tables[1][Seat.EAST].table_points == -6
    assert results(event)["a"] == Result(ResultKind.FIXED, 5, Fraction(0), Fraction(4), None)


def test_points_taken_from_a_person_stay_whatever_becomes_of_the_result():
    """A fixed 0 TP becomes −1, and so does a result that an adjustment set. [RULES 8.51]"""
    seats = sat(4, 3, -2, -5)
    seats[2] = SeatFact(Seat.WEST, "s1", "c", 9)
    charges = [Charge("c", 1, tournament_points=Fraction(-1)), Charge("a", 1, tournament_points=Fraction(-1))]
    event = one_table(*seats, charges=charges)
    assert results(event)["c"].tournament_points == -1
    given = replace(event, given={(1, "a"): GivenResult(Fraction(3), 0, 2)})
    assert results(given)["a"].tournament_points == 2


def test_fixed_and_awarded_results_have_no_tournament_points_where_none_are_given():
    """[RULES 8.52]"""
    rules = RIICHI.but(
        fixed_result=GivenResult(Fraction(0), 0, 4), awarded_result=GivenResult(Fraction(3), 0, 2)
    )
    seats = [*sat(3, 0, -3), SeatFact(Seat.NORTH, None, "d")]
    table = TableFact(1, tuple(seats), is_played=False)
    event = one_table(*seats, rules=rules)
    again = replace(event, sessions=[SessionFact(1, rules, [table])])
    assert {one.tournament_points for one in results(again).values()} == {None}


def test_adjustments_and_points_taken_alone_change_a_fixed_result():
    """[RULES 8.32] [RULES 8.51]"""
    seats = [*sat(3, 0, -3), SeatFact(Seat.NORTH, None, "d")]
    charges = [
        Charge("d", 1, -8, origin=Origin.LATENESS),
        Charge("d", 1, -4, Fraction(-1), Timing.AFTER),
        Charge("d", 1, 1, Fraction(1, 2), Timing.AFTER, Origin.ADJUSTMENT),
        Charge("d", 1, 2, timing=Timing.BEFORE, origin=Origin.ADJUSTMENT),
    ]
    event = one_table(*seats, charges=charges)
    assert results(event)["d"] == Result(ResultKind.FIXED, 3, Fraction(-1, 2), Fraction(4), None)
    assert results(event)["a"] == played(3, 4, 1)
    assert list(session_ledger(event, event.sessions[0]).tables[1]) == [Seat.EAST, Seat.SOUTH, Seat.WEST]


def test_table_of_two_is_not_played_present_awarded_absent_fixed():
    """[SBR 3.1.4] [RULES 8.34]"""
    seats = [*sat(0, 0), SeatFact(Seat.WEST, None, "c"), SeatFact(Seat.NORTH, None, "d")]
    event = one_table(*seats, charges=[Charge("a", 1, -2, timing=Timing.AFTER)], is_played=False)
    awarded = Result(ResultKind.AWARDED, 0, Fraction(3), Fraction(2), None)
    fixed = Result(ResultKind.FIXED, 0, Fraction(0), Fraction(4), None)
    assert results(event) == {"a": awarded._replace(game_points=-2), "b": awarded, "c": fixed, "d": fixed}
    assert session_ledger(event, event.sessions[0]).tables == {}


def test_given_results_carry_the_uma_of_their_place():
    """[RULES 8.32]"""
    seats = [*sat(3000, 0, -3000), SeatFact(Seat.NORTH, "s1", "d", 0)]
    event = one_table(*seats, rules=RIICHI)
    assert results(event)["d"].uma == -15
    none = RIICHI.but(fixed_result=GivenResult(None, 0, None))
    assert results(one_table(*seats, rules=none))["d"] == Result(ResultKind.FIXED, 0, None, None, Fraction(0))


def test_adjusted_result_is_exactly_what_was_decided():
    """[RECORD 4]"""
    decided = GivenResult(Fraction(5, 2), 7, None)
    charges = [Charge("a", 1, -2, Fraction(-1), origin=Origin.ADJUSTMENT)]
    event = one_table(*sat(4, 3, -2, -5), charges=charges, given={(1, "a"): decided, (2, "b"): decided})
    found = results(event)
    assert found["a"] == Result(ResultKind.ADJUSTED, 7, Fraction(5, 2), None, None)
    assert found["b"] == played(3, 4, 1)


def test_substitute_in_nobodys_seat_counts_for_places_and_has_no_result():
    """[RULES 8.34]"""
    seats = [*sat(4, 3, -2), SeatFact(Seat.NORTH, "s1", None, -5)]
    event = one_table(*seats)
    assert set(results(event)) == {"a", "b", "c"}
    assert session_ledger(event, event.sessions[0]).tables[1][Seat.NORTH].place == 4


def test_three_play_for_the_points_of_three():
    """[SBR 3.1.3] [RULES 8.33]"""
    found = results(one_table(*sat(-70, 18, 4)))
    assert {player: one.tournament_points for player, one in found.items()} == {"a": 2, "b": 4, "c": 3}


def test_session_is_worked_out_by_its_own_regulation():
    """[RULES 8.30]"""
    event = one_table(*sat(4, 3, -2, -5))
    own = SBR.but(tournament_points=MCR.tournament_points)
    again = Event(SBR, event.entrants, [SessionFact(1, own, event.sessions[0].tables)])
    assert [one.tournament_points for one in results(again).values()] == [4, 2, 1, 0]


def test_scale_holds_every_fraction_whole():
    """[RULES 1.6]"""
    rules = SBR.but(uma=(Fraction(1, 7), Fraction(0), Fraction(0), Fraction(0)))
    event = one_table(*sat(1, 0, 0, -1), rules=rules, charges=[Charge("a", 1, 0, Fraction(1, 5))])
    assert scale_of(event) == 12 * 7 * 5


# Laws


@settings(max_examples=150, deadline=None)
@given(event=events())
def test_results_equal_those_worked_out_naively(event):
    """[RULES 1.6] [RULES 8.32] [RULES 8.34] [RULES 8.35] [RULES 8.36]"""
    naive = naive_results(event)
    found = {
        (session.number, player): result._asdict()
        for session in event.sessions
        for player, result in session_ledger(event, session).results.items()
    }
    assert found == naive


@settings(max_examples=100, deadline=None)
@given(event=events())
def test_ledger_of_a_table_adds_what_counts_before_the_places(event):
    """[RULES 8.36]"""
    for session in event.sessions:
        ledger = session_ledger(event, session)
        for table in session.tables:
            if table.is_played:
                points = {seat: one.table_points for seat, one in ledger.tables[table.number].items()}
                assert points == naive_table(event, session, table)
            else:
                assert table.number not in ledger.tables


@settings(max_examples=100, deadline=None)
@given(event=events())
def test_book_holds_what_the_results_say(event):
    """[RULES 1.6]"""
    book = tally(event)
    sessions = [session_ledger(event, session).results for session in event.sessions]
    for number, entrant in enumerate(event.entrants):
        rows = zip(book.games[number], book.shares[number], strict=True)
        assert [
            (
                points,
                Fraction(share.tournament_points, book.scale),
                None if share.place is None else Fraction(share.place, 2),
            )
            for points, share in rows
        ] == [
            (result.game_points, result.tournament_points or 0, result.place)
            for result in (results[entrant.player] for results in sessions if entrant.player in results)
        ]


def test_a_seat_kept_for_somebody_who_takes_no_part_has_no_result():
    """A substitute in it counts for the places all the same. [RULES 8.34] [RECORD 2]"""
    a, b, c, _ = sat(10, 5, -5, -10)
    event = one_table(a, b, c, SeatFact(Seat.NORTH, "s1", "stranger", -10))
    assert set(results(event)) == {"a", "b", "c"}
    assert tally(event).games == [[10], [5], [-5]]
