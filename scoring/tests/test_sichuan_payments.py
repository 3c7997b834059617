"""Who pays whom in Sichuan: wins, kongs and their returns, false wins, pigs, and the check at the end."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import Check, Chombo, DeadHand, FalseWin, Hand, Kong, KongKind, Win, Winner
from scoring.seats import SEATS
from scoring.systems.base import Situation
from scoring.systems.sichuan.law import LAWS, SBR, WMSG, FalseWinner, law_of
from scoring.systems.sichuan.payments import Deal, lines_by_event, payments, step
from scoring.systems.sichuan.play import Sichuan
from scoring.tests.strategies import sichuan_deals
from scoring.words import fill

EAST, SOUTH, WEST, NORTH = SEATS
BOTH = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
EVERY_LAW = [law_of(system, choice) for system in LAWS for choice in FalseWinner]
WAITING, NO_WAIT = Check("waiting", 4), Check("no_wait")


def win(seat, fans=0, discarder=None, **more):
    """Record a win of one seat."""
    return Win((Winner(seat, fans=fans),), discarder, **more)


def kong(seat, kind="concealed", discarder=None, **more):
    """Record a kong."""
    return Kong(seat, KongKind(kind), discarder, **more)


def paid(law, *events, end=None, seats=SEATS):
    """Return the points of E, S, W, N and what nobody received."""
    found = payments(Hand(1, events, end or {}), seats, law)
    return [found.by_seat[seat] for seat in seats], found.unpaid


def clauses(law, *events, end=None, seats=SEATS):
    """Return the clauses of all lines in order."""
    lines = lines_by_event(Hand(1, events, end or {}), seats, law)
    return [line.clause for of_event in lines for line in of_event]


@pytest.mark.parametrize(
    ("law", "fans", "told"),
    [
        (SBR, 1, "Win on a discard, 1 fan: the discarder pays 2. SBR 2.7.3.4"),
        (SBR, 4, "Win on a discard, 4 fans: the discarder pays 16. SBR 2.7.3.4"),
        (
            SBR,
            5,
            "Win on a discard, 5 fans held at the cap of 4: the discarder pays 16. SBR 2.7.3.4, SBR 2.7.3.3",
        ),
        (WMSG, 4, "Win on a discard, 4 fans held at the cap of 3: the discarder pays 8. WMSG 9.4, WMSG 9.3"),
    ],
    ids=["one", "at the cap", "above it", "wmsg"],
)
def test_line_of_a_win_cites_the_cap_where_it_holds(law, fans, told):
    """[SBR 2.7.3.3] [WMSG 9.3]"""
    (line,) = payments(Hand(1, (Win((Winner(EAST, fans=fans),), SOUTH),)), SEATS, law).lines
    assert f"{fill(line.sentence, line.details)} {line.clause}" == told
    (line,) = payments(Hand(1, (Win((Winner(EAST, fans=fans),)),)), SEATS, law).lines
    assert ("held at the cap" in line.sentence, "1 fan:" in line.sentence) == (fans > law.cap, fans == 1)


@pytest.mark.parametrize(
    ("law", "fans", "base"),
    [(SBR, 0, 1), (SBR, 3, 8), (SBR, 4, 16), (SBR, 7, 16), (WMSG, 3, 8), (WMSG, 4, 8)],
)
def test_a_win_on_a_discard_is_paid_by_the_discarder_alone(law, fans, base):
    """Base points, capped. [SBR 2.7.3.4] [WMSG 9.4]"""
    assert paid(law, win(WEST, fans, SOUTH)) == ([0, -base, base, 0], 0)


@BOTH
def test_a_self_draw_is_paid_by_all_who_had_not_won(law):
    """Base points and 1 more from each of them. [SBR 2.7.3.5] [WMSG 9.5]"""
    assert paid(law, win(WEST, 1)) == ([-3, -3, 9, -3], 0)
    assert paid(law, win(EAST, 0, SOUTH), win(WEST, 1)) == ([1, -4, 6, -3], 0)


@BOTH
def test_winners_on_one_discard_are_each_paid_in_full(law):
    """Three winners, three payments. [SBR 2.6.2.3] [WMSG 3.3]"""
    shared = Win(tuple(Winner(seat, fans=fans) for seat, fans in ((SOUTH, 0), (WEST, 1), (NORTH, 2))), EAST)
    assert paid(law, shared) == ([-7, 1, 2, 4], 0)


@pytest.mark.parametrize(
    ("event", "points"),
    [
        (kong(EAST, "open", WEST), [2, 0, -2, 0]),
        (kong(EAST, "concealed"), [6, -2, -2, -2]),
        (kong(EAST, "added"), [3, -1, -1, -1]),
        (kong(EAST, "delayed"), [0, 0, 0, 0]),
        (kong(EAST, "added", robbed=True), [0, 0, 0, 0]),
    ],
    ids=["open", "concealed", "added", "delayed", "robbed"],
)
@BOTH
def test_kongs_earn_by_their_kind(law, event, points):
    """2 from the discarder, 2 or 1 from each, nothing when delayed or robbed.

    [SBR 2.5.3] [SBR 2.7.2.1] [SBR 2.7.2.2] [SBR 2.7.2.3] [SBR App. 1] [WMSG 8.1] [WMSG 8.2] [WMSG 8.3] [RULES 8.13]
    """
    assert paid(law, event) == (points, 0)


@BOTH
def test_who_has_won_pays_for_no_kong_and_no_self_draw(law):
    """Whether a player had won counts at the moment of the kong. [SBR 2.6.2.2] [SBR 2.7.2.2] [WMSG 7.2]"""
    assert paid(law, kong(EAST), win(SOUTH, 0, NORTH), kong(EAST, "added")) == ([8, -1, -3, -4], 0)


@BOTH
def test_a_discard_after_a_kong_returns_the_last_kong_of_the_turn(law):
    """Two kongs on one turn: only the second is returned. [SBR 2.7.2.5] [WMSG 8.4]"""
    events = kong(EAST), kong(EAST, "open", SOUTH), win(WEST, 0, EAST, discard_after_kong=True)
    assert paid(law, *events) == ([6 - 1, -2, -2 + 1, -2], 0)


@BOTH
def test_a_delayed_kong_before_the_discard_saves_the_one_before_it(law):
    """The last kong earned nothing, so nothing is returned; the earlier one stays. [SBR 2.7.2.5] [WMSG 8.4]"""
    events = kong(EAST), kong(EAST, "delayed"), win(WEST, 0, EAST, discard_after_kong=True)
    assert paid(law, *events) == ([6 - 1, -2, -2 + 1, -2], 0)


@pytest.mark.parametrize(
    ("before", "how"),
    [
        ((kong(EAST), kong(EAST, "added")), {"discard_after_kong": True}),
        ((kong(EAST, "added", robbed=True),), {"robbing_kong": True}),
        ((), {}),
    ],
    ids=["after a kong", "robbing a kong", "discard"],
)
@BOTH
def test_a_true_and_a_false_win_on_one_tile_pay_the_same_in_any_order(law, before, how):
    """Who wins on the tile was in play before it came, and receives the points of the false win.

    [SBR 2.7.2.5] [SBR 2.8.4.2] [SBR 2.8.4.3] [WMSG 11.5] [RULES 8.45]
    """
    won, false = win(WEST, 0, EAST, **how), FalseWin(SOUTH, "waiting", EAST, **how)
    true_first = [paid(law, *before, *order) for order in permutations((won, false, DeadHand(NORTH)))]
    assert true_first == [true_first[0]] * 6
    assert paid(law, *before, won, false)[0][1] - paid(law, *before, won)[0][1] == -24


def test_a_false_win_on_a_later_tile_pays_who_has_not_won():
    """Another discarder, no discarder or a kong between: the tile is another. [SBR 2.8.4.2] [RULES 8.45]"""
    won = win(WEST, 0, EAST)
    assert paid(SBR, won, FalseWin(SOUTH, "waiting", NORTH)) == ([-1 + 8, -16, 1, 8], 0)
    assert paid(SBR, won, FalseWin(SOUTH, "waiting")) == ([-1 + 8, -16, 1, 8], 0)
    assert paid(SBR, won, kong(EAST, "delayed"), FalseWin(SOUTH, "waiting", EAST)) == ([-1 + 8, -16, 1, 8], 0)
    assert paid(SBR, won, win(NORTH, 0, EAST), FalseWin(SOUTH, "waiting", EAST)) == (
        [-2 + 8, -16, 1, 1 + 8],
        0,
    )


@pytest.mark.parametrize(
    ("law", "kind", "points"),
    [
        (SBR, "waiting", [8, -24, 8, 8]),
        (SBR, "no_wait", [16, -48, 16, 16]),
        (WMSG, "waiting", [8, -24, 8, 8]),
        (WMSG, "no_wait", [8, -24, 8, 8]),
    ],
)
def test_a_false_win_pays_everybody_still_in_play(law, kind, points):
    """8, or in SBR 16 when the hand was not waiting; furiten and the forbidden suit included.

    [SBR 2.6.1.5] [SBR 2.8.4.2] [WMSG 3.4] [WMSG 11.5] [RULES 8.11]
    """
    assert paid(law, FalseWin(SOUTH, kind)) == (points, 0)


@BOTH
def test_a_false_win_pays_nothing_to_who_has_won(law):
    """Only those who have not declared a win receive its points. [SBR 2.8.4.2] [WMSG 11.5] [RULES 8.40]"""
    assert paid(law, win(EAST, 0, WEST), FalseWin(SOUTH, "waiting")) == ([1, -16, 7, 8], 0)


@BOTH
def test_a_false_winner_pays_for_nothing_later(law):
    """No win, no kong, no second false win of others; nor does the fourth pay for not waiting.

    [SBR 2.6.2.2] [SBR 2.7.4.1] [WMSG 7.2] [RULES 8.44]
    """
    false = FalseWin(SOUTH, "waiting")
    assert paid(law, false, win(WEST, 0)) == ([8 - 2, -24, 8 + 4, 8 - 2], 0)
    assert paid(law, false, kong(WEST)) == ([8 - 2, -24, 8 + 4, 8 - 2], 0)
    assert paid(law, false, kong(WEST, "added")) == ([8 - 1, -24, 8 + 2, 8 - 1], 0)
    assert paid(law, false, FalseWin(WEST, "waiting")) == ([8 + 8, -24, 8 - 16, 8 + 8], 0)
    end = {EAST: Check("waiting", 4), WEST: NO_WAIT, NORTH: NO_WAIT}
    assert paid(law, false, end=end) == ([8 + 8, -24, 8 - 4, 8 - 4], 0)


@BOTH
def test_a_false_winner_who_plays_on_pays_like_anybody(law):
    """A club whose referees let the hand go on. [RULES 8.44]"""
    law = law_of(law.system, FalseWinner.PLAYS_ON)
    assert paid(law, win(EAST, 0, WEST), FalseWin(SOUTH, "waiting"), win(WEST, 0)) == ([1, -18, 11, 6], 0)


@BOTH
def test_two_false_wins_on_one_tile_pay_each_other(law):
    """Both were in play before it came, in whatever order they are entered. [RULES 8.44] [RULES 8.45]"""
    south, west = FalseWin(SOUTH, "waiting", EAST), FalseWin(WEST, "waiting", EAST)
    assert paid(law, south, west) == paid(law, west, south) == ([16, -16, -16, 16], 0)


@BOTH
def test_a_hand_of_the_first_reading_is_paid_event_by_event(law):
    """What was recorded before the second reading stays as it was paid. [RULES 8.45]"""
    first = law_of(law.system, FalseWinner.PLAYS_ON, is_first_reading=True)
    won, false = win(WEST, 0, EAST), FalseWin(SOUTH, "waiting", EAST)
    assert paid(first, won, false) == ([-1 + 8, -16, 1, 8], 0)
    assert paid(first, false, won) == ([8 - 1, -24, 8 + 1, 8], 0)


@pytest.mark.parametrize(
    ("law", "points"), [(SBR, [-24, 8, 8, 8]), (WMSG, [-18, 6, 6, 6])], ids=["SBR", "WMSG"]
)
def test_a_false_win_returns_own_kongs_in_sbr_only(law, points):
    """In WMSG they stay. [SBR 2.8.4.3] [RULES 8.13]"""
    assert paid(law, kong(EAST), FalseWin(EAST, "waiting")) == (points, 0)


def test_kongs_after_a_false_win_earn_nothing():
    """Own kongs pay nothing in the whole hand, in SBR. [SBR 2.8.4.3]"""
    sbr, wmsg = (law_of(system, FalseWinner.PLAYS_ON) for system in ("SBR", "WMSG"))
    assert paid(sbr, FalseWin(EAST, "waiting"), kong(EAST)) == ([-24, 8, 8, 8], 0)
    assert paid(wmsg, FalseWin(EAST, "waiting"), kong(EAST)) == ([-18, 6, 6, 6], 0)


@BOTH
def test_a_kong_spoiled_by_a_false_win_stays_spoiled(law):
    """The discard after it was claimed without right, yet the kong earns nothing. [SBR 2.8.4.3] [RULES 8.13]"""
    false = FalseWin(SOUTH, "waiting", EAST, discard_after_kong=True)
    assert paid(law, kong(EAST), false) == ([8, -24, 8, 8], 0)


@BOTH
def test_a_kong_robbed_by_a_false_win_is_void(law):
    """It stays void though the win was none. [SBR 2.8.4.3] [RULES 8.13]"""
    false = FalseWin(SOUTH, "waiting", EAST, robbing_kong=True)
    assert paid(law, kong(EAST, "added", robbed=True), false) == ([8, -24, 8, 8], 0)


@BOTH
def test_a_dead_hand_returns_its_kongs_and_earns_no_more(law):
    """All kong points of the hand, before and after. [SBR 2.8.3] [RULES 8.40]"""
    events = kong(EAST), kong(SOUTH, "open", EAST), DeadHand(EAST, "wrong_count"), kong(EAST, "added")
    assert paid(law, *events) == ([-2, 2, 0, 0], 0)


def everybody(east=WAITING, south=NO_WAIT, west=NO_WAIT, north=NO_WAIT):
    """Record a check of four hands."""
    return {EAST: east, SOUTH: south, WEST: west, NORTH: north}


@BOTH
def test_not_waiting_pays_each_waiting_hand_its_highest_base(law):
    """Base points only, without the 1 of a self-draw. [SBR 2.7.4.4] [WMSG 11.3] [RULES 8.12]"""
    end = everybody(south=Check("waiting", 1))
    assert paid(law, end=end) == ([8, 2, -5, -5], 0)


@pytest.mark.parametrize(
    "state", [WAITING, NO_WAIT, Check("pig_passive")], ids=["waiting", "no_wait", "pig_passive"]
)
def test_nothing_is_paid_when_all_are_alike(state):
    """Everybody waiting, nobody waiting, or all passive pigs. [SBR 2.5.8.2] [SBR 2.7.4.1] [SBR 2.7.4.5] [WMSG 11.4]"""
    assert paid(SBR, end=dict.fromkeys(SEATS, state)) == ([0, 0, 0, 0], 0)


@pytest.mark.parametrize(
    ("law", "pig", "points", "unpaid"),
    [
        (SBR, "pig_active", [12, -4, -4, -52], 48),
        (SBR, "pig_passive", [12, -4, -4, -4], 0),
        (WMSG, "pig", [8, -4, -4, -48], 48),
    ],
)
def test_pigs_are_fined_for_nobody(law, pig, points, unpaid):
    """48; in SBR a pig also pays as not waiting, and a passive one only that.

    [SBR 2.4.10.3] [SBR 2.7.4.3] [SBR 2.8.4.1] [WMSG 5.4] [WMSG 11.1] [WMSG 11.2] [RULES 8.13]
    """
    assert paid(law, end=everybody(north=Check(pig))) == (points, unpaid)


@pytest.mark.parametrize(("law", "pig"), [(SBR, "pig_active"), (WMSG, "pig")], ids=["SBR", "WMSG"])
def test_pigs_are_fined_also_when_all_are_pigs(law, pig):
    """Alike or not. [SBR 2.7.4.5] [WMSG 11.4]"""
    assert paid(law, end=dict.fromkeys(SEATS, Check(pig))) == ([-48] * 4, 192)


@BOTH
def test_kongs_are_returned_at_the_wall_by_who_does_not_wait(law):
    """Whoever waits keeps them. [SBR 2.5.8.3] [SBR 2.7.2.4] [WMSG 8.5]"""
    events = kong(EAST, "open", NORTH), kong(SOUTH, "open", NORTH)
    assert paid(law, *events, end=everybody()) == ([12 + 2, -4, -4, -4 - 2], 0)


@BOTH
def test_kongs_are_returned_also_when_nobody_waits(law):
    """That all are alike saves payments, not kongs. [SBR 2.7.2.4] [WMSG 8.5]"""
    assert paid(law, kong(EAST), end=everybody(east=NO_WAIT)) == ([0, 0, 0, 0], 0)


@pytest.mark.parametrize(("law", "pig"), [(SBR, "pig_passive"), (WMSG, "pig")], ids=["SBR", "WMSG"])
def test_a_pig_returns_its_kongs_at_the_wall(law, pig):
    """It is no waiting hand. [SBR 2.7.2.4] [RULES 8.40]"""
    end = everybody(east=NO_WAIT, south=Check(pig))
    assert paid(law, kong(SOUTH, "open", EAST), end=end) == (
        [0, -48 * (law is WMSG), 0, 0],
        48 * (law is WMSG),
    )


@pytest.mark.parametrize(("law", "kept"), [(SBR, 0), (WMSG, 2)], ids=["SBR", "WMSG"])
def test_the_fourth_player_returns_kongs_in_sbr_only(law, kept):
    """After the third win, when not waiting. [SBR 2.6.2.1] [SBR 2.7.2.4] [RULES 8.9] [RULES 8.40] [WMSG 4.1]"""
    events = kong(WEST, "open", EAST), win(EAST, 0, WEST), win(SOUTH, 0, NORTH), win(NORTH, 0, WEST)
    assert paid(law, *events, end={WEST: NO_WAIT}) == ([1 - kept, 1, -2 + kept, 0], 0)


@pytest.mark.parametrize(
    ("law", "pig", "kong_kept"), [(SBR, "pig_active", 0), (WMSG, "pig", 2)], ids=["SBR", "WMSG"]
)
def test_the_fourth_player_is_fined_when_a_check_shows_a_pig(law, pig, kong_kept):
    """Also after the third win. [SBR 2.8.4.1] [WMSG 11.2] [RULES 8.40]"""
    events = kong(WEST, "open", EAST), win(EAST, 0, NORTH), win(SOUTH, 0, NORTH), win(NORTH, 0, WEST)
    found = paid(law, *events, end={WEST: Check(pig)})
    assert found == ([1 - kong_kept, 1, -49 + kong_kept, -1], 48)


@BOTH
def test_three_players_end_with_the_second_win(law):
    """Whoever is absent pays and gets nothing. [SBR 2.5.8.1] [SBR 3.1.3] [WMSG 4.2]"""
    seats = (EAST, SOUTH, WEST)
    assert paid(law, win(SOUTH, 0), win(WEST, 0), seats=seats) == ([-4, 4, 0], 0)
    assert Deal(seats, (SOUTH, WEST)).is_won_out
    assert not Deal(SEATS, (SOUTH, WEST)).is_won_out


def test_every_line_names_its_clause():
    """SBR and WMSG each cite their own rulebook. [SBR 2.7.1] [WMSG 7.1]"""
    events = (
        kong(EAST),
        kong(SOUTH, "open", EAST),
        kong(EAST, "added"),
        kong(EAST, "delayed"),
        kong(EAST, "added", robbed=True),
        win(WEST, 1, EAST, robbing_kong=True),
        FalseWin(SOUTH, "waiting"),
        DeadHand(EAST),
        kong(EAST),
    )
    end = {EAST: Check("pig_active"), SOUTH: NO_WAIT, NORTH: WAITING}
    assert clauses(SBR, *events, end=end) == [
        "SBR 2.7.2.2",
        "SBR 2.7.2.1",
        "SBR 2.7.2.3",
        "SBR App. 1",
        "SBR 2.7.3.6 (9)",
        "SBR 2.7.3.4",
        "SBR 2.8.4.2",
        "SBR 2.8.4.3",
        "SBR 2.8.3",
        "SBR 2.8.3",
        "SBR 2.8.3",
        "SBR 2.8.4.1",
        "SBR 2.7.4.4",
    ]
    end = {EAST: Check("pig"), SOUTH: NO_WAIT, NORTH: WAITING}
    assert clauses(WMSG, *events, end=end) == [
        "WMSG 8.3",
        "WMSG 8.1",
        "WMSG 8.2",
        "WMSG 8.2",
        "RULES 8.13",
        "WMSG 9.4",
        "WMSG 11.5",
        "RULES 8.40",
        "RULES 8.40",
        "RULES 8.40",
        "WMSG 8.5",
        "WMSG 11.2",
        "WMSG 11.3",
    ]


def test_events_of_other_systems_move_nothing():
    """Such a hand is refused by the check; its payments are none."""
    deal = Deal(SEATS)
    assert step(deal, Chombo(EAST), SBR) == (deal, [])


RECORDED = {
    "SBR 1": (
        "SBR",
        SEATS,
        Hand(1, (kong(EAST), win(EAST, 2, replacement_win=True), win(WEST, 0, SOUTH), win(NORTH, 3, SOUTH))),
        {EAST: 21, SOUTH: -16, WEST: -6, NORTH: 1},
        0,
        EAST,
    ),
    "SBR 2": (
        "SBR",
        SEATS,
        Hand(
            2,
            (kong(SOUTH, "open", NORTH),),
            {
                EAST: Check("waiting", 4),
                SOUTH: NO_WAIT,
                WEST: Check("pig_active"),
                NORTH: Check("waiting", 1),
            },
        ),
        {EAST: 8, SOUTH: -5, WEST: -53, NORTH: 2},
        48,
        EAST,
    ),
    "SBR 3": (
        "SBR",
        SEATS,
        Hand(
            3,
            (Win((Winner(NORTH, fans=1), Winner(EAST, fans=5)), WEST), FalseWin(SOUTH, "waiting")),
            {SOUTH: Check("waiting", 1), WEST: NO_WAIT},
        ),
        {EAST: 16, SOUTH: -7, WEST: -11, NORTH: 2},
        0,
        WEST,
    ),
    "WMSG 1": (
        "WMSG",
        SEATS[:3],
        Hand(
            1,
            (kong(EAST, "open", SOUTH), win(WEST, 2, EAST, discard_after_kong=True), win(SOUTH, 0)),
        ),
        {EAST: -6, SOUTH: 2, WEST: 4},
        0,
        WEST,
    ),
    "WMSG 2": (
        "WMSG",
        SEATS[:3],
        Hand(
            2,
            (FalseWin(EAST, "waiting"),),
            {EAST: Check("pig"), SOUTH: Check("waiting", 8), WEST: NO_WAIT},
        ),
        {EAST: -64, SOUTH: 16, WEST: 0},
        48,
        EAST,
    ),
}


@pytest.mark.parametrize("name", RECORDED)
def test_the_hands_of_the_record_examples(name):
    """Payments, what nobody receives, and who deals next. [SBR 2.6.2.6] [SBR 2.7.1] [WMSG 7.1]"""
    system, seats, hand, points, unpaid, dealer = RECORDED[name]
    ruleset, at = Sichuan(system), Situation(seats)
    found = ruleset.payments(hand, at)
    assert ruleset.check(hand, at) == []
    assert (dict(found.by_seat), found.unpaid) == (points, unpaid)
    assert ruleset.following(hand, at).dealer == dealer


@settings(deadline=None)
@given(st.data(), st.sampled_from(EVERY_LAW))
def test_points_add_up_with_what_nobody_receives(data, law):
    """Whatever happens at a table, only fines leave it, 48 each. [SBR 2.7.1] [SBR 2.8.4.1] [WMSG 11.2]"""
    seats, hand = data.draw(sichuan_deals(law))
    found = payments(hand, seats, law)
    fined = sum(check.state in law.fined_pigs for check in hand.end.values())
    assert Sichuan(law.system, law.false_winner).check(hand, Situation(seats)) == []
    assert found.unpaid == 48 * fined == -sum(found.by_seat.values())
    assert sum(sum(line.payments.values()) for line in found.lines) == -found.unpaid
    assert set(found.by_seat) == set(seats)


@settings(deadline=None)
@given(st.data(), st.sampled_from(EVERY_LAW))
def test_who_has_declared_is_touched_by_nothing_later(data, law):
    """After a win no later event moves the winner's points, except the return of a kong paid before.

    Nor after a false win, where that ends the part of its player. [SBR 2.6.2.2] [WMSG 7.2] [RULES 8.44]
    """
    seats, hand = data.draw(sichuan_deals(law))
    lines, winners = lines_by_event(hand, seats, law), set()
    for event, of_event in zip(hand.events, lines, strict=False):
        new = [line for line in of_event if "return" not in line.sentence]
        assert all(line.payments.get(seat, 0) == 0 for seat in winners for line in new)
        winners |= {winner.seat for winner in event.winners} if isinstance(event, Win) else set()
        winners |= {event.seat} if isinstance(event, FalseWin) and law.false_winner_is_out else set()
