"""The Sichuan cases of HANDS: exactly the promised fields, or every problem at once."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import FalseWin, Kong, Win
from scoring.problems import Refusal
from scoring.seats import SEATS
from scoring.systems.sichuan.cases import answer
from scoring.systems.sichuan.law import LAWS
from scoring.systems.sichuan.payments import payments
from scoring.tests.strategies import sichuan_deals
from scoring.tiles.tile import parse_compact, write

BOTH = pytest.mark.parametrize("ruleset", ["sichuan_sbr", "sichuan_wmsg"])


def names(text):
    """Name tiles in compact notation."""
    return [write(tile) for tile in parse_compact(text)]


def kong(text, kind="open"):
    """Declare a kong."""
    return {"type": "kong", "tiles": names(text), "open": kind != "concealed", "kong": kind}


def hand_case(
    concealed="123m 456m 789m 456p 1p", tile="p1", melds=(), ruleset="sichuan_sbr", win=None, **more
):
    """Ask for the value of a hand."""
    held = {"concealed": names(concealed), "melds": list(melds), "winning_tile": tile}
    case = {"id": 1, "ruleset": ruleset, "kind": "hand", "hand": held, "forbidden_suit": "s", "winner": "E"}
    return case | {"still_in_play": ["S", "W", "N"], "win": win or {"by": "self_draw"}} | more


def deal_case(*events, players="ESWN", ruleset="sichuan_sbr", **more):
    """Ask for the settlement of a deal."""
    return {
        "id": "d",
        "ruleset": ruleset,
        "kind": "deal",
        "players": list(players),
        "events": list(events),
    } | more


def won(player="E", base=1, **more):
    """Record a self-draw."""
    return {"type": "win", "winners": [{"player": player, "base": base}], "by": "self_draw"} | more


def discarded(giver, *players, base=1, **more):
    """Record a win on a discard."""
    winners = [{"player": player, "base": base} for player in players]
    return {"type": "win", "winners": winners, "by": "discard", "from": giver} | more


def konged(player="E", kind="concealed", **more):
    """Record a kong."""
    return {"type": "kong", "player": player, "kong": kind} | more


def false(player="E", amount=8, **more):
    """Record a false win."""
    return {"type": "false_win", "player": player, "amount": amount} | more


def refused(case):
    """Return codes and fields of the problems of a case."""
    with pytest.raises(Refusal) as caught:
        answer(case)
    return [(problem.code, problem.field) for problem in caught.value.problems]


def test_a_self_drawn_hand_is_answered_in_full():
    """Fans by name, their sum before the cap, base points, and a number for each seat named. [SBR 2.7.3]"""
    melds = [kong("1111m"), kong("3333m", "concealed"), kong("5555m", "added"), kong("7777m", "delayed")]
    win = {"by": "self_draw", "replacement_win": True, "wall_empty": True}
    assert answer(hand_case("9m", "m9", melds, win=win)) == {
        "valid_win": True,
        "fans": {
            "kong": 3,
            "quad": 1,
            "all_pungs": 1,
            "golden_wait": 1,
            "pure_suit": 2,
            "replacement_win": 1,
            "last_tile": 1,
        },
        "fan_sum": 10,
        "base": 16,
        "payments": {"E": 51, "S": -17, "W": -17, "N": -17},
    }


def test_wmsg_counts_kongs_as_fours_and_stops_at_three_fans():
    """The kind of hand is the default. [WMSG 9.3] [WMSG 10.1]"""
    case = hand_case("123m 456m 78m 99p", "m9", [kong("2222p")], "sichuan_wmsg", still_in_play=["E", "W"])
    del case["kind"]
    assert answer(case) == {
        "valid_win": True,
        "fans": {"quad": 1},
        "fan_sum": 1,
        "base": 2,
        "payments": {"E": 3, "W": -3},
    }


@pytest.mark.parametrize("flag", ["discard_after_kong", "robbing_kong"])
def test_a_discard_is_paid_by_the_discarder(flag):
    """The others stand at zero. [SBR 2.7.3.4] [WMSG 9.4]"""
    win = {"by": "discard", "discarder": "W", flag: True}
    found = answer(hand_case("123m 456m 789m 45p 11p", "p6", win=win))
    assert found["fans"] == {flag: 1}
    assert found["payments"] == {"E": 2, "S": 0, "W": -2, "N": 0}


@pytest.mark.parametrize(
    "more",
    [{"forbidden_suit": "p"}, {"forbidden_suit": "m"}],
    ids=["forbidden dots", "forbidden characters"],
)
def test_a_hand_with_the_forbidden_suit_is_no_win(more):
    """It is worth nothing, and nobody pays. [SBR 2.6.1.2] [WMSG 3.2]"""
    assert answer(hand_case(**more)) == {
        "valid_win": False,
        "fans": {},
        "fan_sum": 0,
        "base": 0,
        "payments": {"E": 0, "S": 0, "W": 0, "N": 0},
    }


def test_a_hand_without_form_is_no_win():
    """Neither four sets and a pair nor seven pairs. [SBR 2.6.1.1] [WMSG 3.1]"""
    assert answer(hand_case(tile="p2"))["valid_win"] is False


def test_without_a_forbidden_suit_two_suits_are_asked_for():
    """The suit may be left out or null. [SBR 2.6.1.2]"""
    assert answer(hand_case(forbidden_suit=None))["valid_win"] is True
    assert answer(hand_case("123m 456m 789m 456p 1s", "s1", forbidden_suit=None))["valid_win"] is False


@pytest.mark.parametrize(
    ("more", "problems"),
    [
        ({"ruleset": "sichuan"}, [("value_unknown", "ruleset")]),
        ({"kind": "fans"}, [("value_unknown", "kind")]),
        ({"lang": "ru"}, [("unknown_field", "lang")]),
        ({"forbidden_suit": "z"}, [("value_unknown", "forbidden_suit")]),
        ({"winner": None}, [("field_needed", "winner")]),
        ({"winner": "X"}, [("value_unknown", "winner")]),
        ({"still_in_play": None}, [("field_needed", "still_in_play")]),
        ({"still_in_play": ["E"]}, [("outcome_conflict", "still_in_play")]),
        ({"win": {}}, [("field_needed", "win.by")]),
        ({"win": {"by": "draw"}}, [("value_unknown", "win.by")]),
        ({"win": {"by": "self_draw", "discarder": "S"}}, [("discarder_unexpected", "win.discarder")]),
        ({"win": {"by": "discard"}}, [("discarder_needed", "win.discarder")]),
        ({"win": {"by": "discard", "discarder": "E"}}, [("winner_is_discarder", "win.discarder")]),
        ({"win": {"by": "discard", "discarder": "N"}, "still_in_play": ["S"]}, [("outcome_conflict", "win.discarder")]),
        ({"win": {"by": "self_draw", "robbing_kong": True}}, [("outcome_conflict", "win.robbing_kong")]),
        ({"win": {"by": "self_draw", "discard_after_kong": True}}, [("outcome_conflict", "win.discard_after_kong")]),
        ({"win": {"by": "self_draw", "replacement_win": True}}, [("outcome_conflict", "win.replacement_win")]),
        ({"win": {"by": "discard", "discarder": "S", "replacement_win": True}}, [("outcome_conflict", "win.replacement_win")] * 2),
        ({"win": {"by": "discard", "discarder": "S", "robbing_kong": True, "discard_after_kong": True}}, [("outcome_conflict", "win.robbing_kong")]),
        ({"win": {"by": "discard", "discarder": "S", "robbing_kong": True, "wall_empty": True}}, [("outcome_conflict", "win.wall_empty")]),
        ({"win": {"by": "self_draw", "wall_empty": 1}}, [("value_type", "win.wall_empty")]),
        ({"win": {"by": "self_draw", "last_tile": True}}, [("unknown_field", "win.last_tile")]),
        ({"hand": {"concealed": [], "melds": [], "winning_tile": "E"}}, [("tile_foreign", "hand.winning_tile")]),
    ],
    ids=lambda value: None,
)  # fmt: skip
def test_an_illegal_hand_case_is_refused(more, problems):
    """Unknown fields, contradictions, empty flags. [SBR 2.5.7] [SBR 2.7.3.6 (7)] [SBR 2.7.3.6 (8)]"""
    robbed = {"concealed": names("123m 456m 789m 45p 11p"), "melds": [], "winning_tile": "p6"}
    assert refused(hand_case() | {"hand": robbed} | more) == problems


def test_a_claimed_chow_is_refused():
    """Chows may not be claimed. [SBR 2.5.1] [WMSG 2.1]"""
    chow = {"type": "chow", "tiles": names("123m"), "open": True}
    assert refused(hand_case("456m 789m 456p 1p", melds=[chow])) == [("value_unknown", "hand.melds.0.type")]


@pytest.mark.parametrize(
    ("ruleset", "concealed", "more", "expected"),
    [
        ("sichuan_sbr", "1112345678999m", {}, (True, [f"m{rank}" for rank in range(1, 10)], 3, 8)),
        ("sichuan_sbr", "11m 22m 33m 44m 55m 66m 7m", {}, (True, ["m1", "m4", "m7"], 4, 16)),
        ("sichuan_wmsg", "11m 22m 33m 44m 55m 66m 7m", {}, (True, ["m1", "m4", "m7"], 4, 8)),
        ("sichuan_sbr", "123m 456m 789m 45p 11p", {}, (True, ["p3", "p6"], 0, 1)),
        ("sichuan_sbr", "123m 456m 789m 45p 11p", {"forbidden_suit": "p"}, (False, [], 0, 0)),
        ("sichuan_sbr", "123m 456m 789m 45p 1p 9p", {}, (False, [], 0, 0)),
    ],
)
def test_the_value_of_a_waiting_hand(ruleset, concealed, more, expected):
    """Waits, the most fans, and the highest base points. [SBR 2.7.4.2] [SBR 2.7.4.4] [WMSG 11.3]"""
    held = {"concealed": names(concealed), "melds": []}
    case = {"id": 1, "ruleset": ruleset, "kind": "waiting_value", "hand": held, "forbidden_suit": "s"} | more
    found = answer(case)
    assert list(found) == ["waiting", "waits", "max_fans", "max_base"]
    assert tuple(found.values()) == expected


def test_a_waiting_hand_has_no_winner():
    """Neither winning tile nor win belong there."""
    case = hand_case() | {"kind": "waiting_value"}
    assert refused(case) == [
        ("unknown_field", "hand.winning_tile"),
        ("unknown_field", "winner"),
        ("unknown_field", "still_in_play"),
        ("unknown_field", "win"),
    ]


def test_the_example_of_hands():
    """Concealed kong, then a self-draw of 4 base points. [SBR 2.7.2.2] [SBR 2.7.3.5]"""
    assert answer(deal_case(konged("S"), won("S", 4))) == {
        "per_event": [{"E": -2, "S": 6, "W": -2, "N": -2}, {"E": -5, "S": 15, "W": -5, "N": -5}],
        "final": {"E": -7, "S": 21, "W": -7, "N": -7},
    }


@BOTH
def test_a_deal_is_settled_event_by_event(ruleset):
    """The refund stands in the event of the win; the seats stand in their order. [SBR 2.7.1] [WMSG 7.1]"""
    found = answer(
        deal_case(
            konged("W", "open", **{"from": "E"}),
            konged("W", "delayed"),
            konged("W", "added"),
            discarded("W", "N", "E", base=2, refund_last_kong_of="W"),
            konged("W", "added", robbed=True),
            discarded("W", "S", base=4),
            players="NWSE",
            ruleset=ruleset,
        )
    )
    assert found["per_event"] == [
        {"E": -2, "S": 0, "W": 2, "N": 0},
        {"E": 0, "S": 0, "W": 0, "N": 0},
        {"E": -1, "S": -1, "W": 3, "N": -1},
        {"E": 3, "S": 1, "W": -7, "N": 3},
        {"E": 0, "S": 0, "W": 0, "N": 0},
        {"E": 0, "S": 4, "W": -4, "N": 0},
    ]
    assert list(found["final"]) == ["E", "S", "W", "N"]
    assert json.loads(json.dumps(found))["final"] == {"E": 0, "S": 4, "W": -6, "N": 2}


@BOTH
def test_nobody_declares_a_fifth_kong(ruleset):
    """A hand has four sets. [SBR 2.6.1.1] [WMSG 3.1]"""
    kongs = [konged("S", kind) for kind in ("concealed", "added", "delayed", "concealed")]
    robbed = konged("S", "added", robbed=True), discarded("S", "E")
    answer(deal_case(*kongs, *[konged("W")] * 4, ruleset=ruleset))
    for fifth in ([konged("S")], robbed):
        problems = refused(deal_case(*kongs, *fifth, ruleset=ruleset))
        assert problems == [("outcome_conflict", "events.4")]


@BOTH
@pytest.mark.parametrize(
    ("following", "problems"),
    [
        ([konged("E")], [("outcome_conflict", "events.0.robbed")]),
        ([discarded("N", "E")], [("outcome_conflict", "events.0.robbed")]),
        ([won("E", 1)], [("outcome_conflict", "events.0.robbed")]),
        ([false("S", 8)], [("outcome_conflict", "events.0.robbed")]),
    ],
    ids=["kong", "from another", "self-draw", "own false win"],
)
def test_a_robbed_kong_is_followed_by_who_robs_it(ruleset, following, problems):
    """[SBR 2.7.3.6 (9)] [RULES 8.13]"""
    assert refused(deal_case(konged("S", "added", robbed=True), *following, ruleset=ruleset)) == problems
    answer(deal_case(konged("S", "added", robbed=True), discarded("S", "E"), ruleset=ruleset))
    answer(deal_case(konged("S", "delayed", robbed=True), false("E", 8), ruleset=ruleset))


@BOTH
def test_a_list_may_break_off_with_a_robbed_kong_until_hands_are_checked(ruleset):
    """[SBR 2.7.3.6 (9)] [RULES 8.13]"""
    unfinished = deal_case(konged("S", "added", robbed=True), ruleset=ruleset)
    assert answer(unfinished)["final"] == dict.fromkeys("ESWN", 0)
    states = {"states": {"E": {"state": "no_wait"}}}
    assert refused(unfinished | {"end": states}) == [("outcome_conflict", "events.0.robbed")]


@BOTH
def test_a_robbed_tile_is_no_discard_after_a_kong(ruleset):
    """[SBR 2.7.2.5] [SBR 2.7.3.6 (9)] [WMSG 8.4] [RULES 8.13]"""
    robs = discarded("S", "E", refund_last_kong_of="S")
    deal = deal_case(konged("S"), konged("S", "added", robbed=True), robs, ruleset=ruleset)
    assert refused(deal) == [("outcome_conflict", "events.2.refund_last_kong_of")]


@pytest.mark.parametrize(
    ("ruleset", "south", "west", "end"),
    [
        ("sichuan_sbr", "pig_active", "pig_passive", {"E": 26, "S": -62, "W": -6, "N": -6}),
        ("sichuan_wmsg", "pig", "no_wait", {"E": 18, "S": -54, "W": -6, "N": -6}),
    ],
)
def test_the_end_is_one_delta_more(ruleset, south, west, end):
    """Kong returns, fines and payments for not waiting stand together. [SBR 2.7.4.3] [WMSG 11.2]"""
    states = {
        "E": {"state": "waiting", "max_base": 8},
        "S": {"state": south},
        "W": {"state": west},
        "N": {"state": "no_wait"},
    }
    found = answer(deal_case(konged("S"), end={"states": states}, ruleset=ruleset))
    assert found["per_event"] == [{"E": -2, "S": 6, "W": -2, "N": -2}, end]


@pytest.mark.parametrize(
    ("ruleset", "kept"), [("sichuan_sbr", 0), ("sichuan_wmsg", 6)], ids=["returned", "kept"]
)
def test_after_the_last_win_only_sbr_returns_kongs(ruleset, kept):
    """A state without more to say may be its bare name. [RULES 8.9] [RULES 8.40]"""
    events = konged("N"), discarded("N", "E"), discarded("N", "S"), discarded("N", "W")
    found = answer(deal_case(*events, end={"states": {"N": "no_wait"}}, ruleset=ruleset))
    assert found["final"]["N"] == kept - 3


@BOTH
@pytest.mark.parametrize("returns", [True, False])
def test_a_false_win_returns_kongs_when_the_case_says_so(ruleset, returns):
    """Its amount goes to each player in play. [SBR 2.8.4.2] [SBR 2.8.4.3] [WMSG 11.5]"""
    events = konged("E"), discarded("W", "N"), false("E", 8, return_kongs=returns)
    found = answer(deal_case(*events, ruleset=ruleset))
    returned = {"E": -6, "S": 2, "W": 2, "N": 2} if returns else dict.fromkeys("ESWN", 0)
    plain = {"E": -16, "S": 8, "W": 8, "N": 0}
    assert found["per_event"][2] == {seat: plain[seat] + returned[seat] for seat in plain}


@pytest.mark.parametrize(
    ("case", "problems"),
    [
        (deal_case(players="ES"), [("wrong_players", "players")]),
        (deal_case(players="ESS"), [("seat_repeated", "players"), ("wrong_players", "players")]),
        (deal_case({"type": "dead_hand"}), [("value_unknown", "events.0.type")]),
        (deal_case(won(), won()), [("outcome_conflict", "events.1.winners.0.player")]),
        (deal_case(won("E"), won("S"), won("W"), konged("N")), [("outcome_conflict", "events.3.type")]),
        (deal_case(won(), konged("E")), [("outcome_conflict", "events.1.player")]),
        (deal_case(konged("X")), [("value_unknown", "events.0.player")]),
        (deal_case(konged("E", "closed")), [("value_unknown", "events.0.kong")]),
        (deal_case(konged("E", "open")), [("field_needed", "events.0.from")]),
        (deal_case(konged("E", "open", **{"from": "E"})), [("outcome_conflict", "events.0.from")]),
        (deal_case(won("S"), konged("E", "open", **{"from": "S"})), [("outcome_conflict", "events.1.from")]),
        (deal_case(konged("E", "added", **{"from": "S"})), [("discarder_unexpected", "events.0.from")]),
        (deal_case(konged("E", "concealed", robbed=True)), [("outcome_conflict", "events.0.robbed")]),
        (deal_case(won("X")), [("value_unknown", "events.0.winners.0.player")]),
        (deal_case(won(base=3)), [("out_of_range", "events.0.winners.0.base")]),
        (deal_case(won(base=16), ruleset="sichuan_wmsg"), [("out_of_range", "events.0.winners.0.base")]),
        (deal_case(won(base="4")), [("number_type", "events.0.winners.0.base")]),
        (deal_case(won(winners=[])), [("outcome_conflict", "events.0.winners")]),
        (deal_case(won(winners=None)), [("field_needed", "events.0.winners")]),
        (deal_case(won(winners=[{"player": "E", "base": 1}, {"player": "S", "base": 1}])), [("multi_win", "events.0.winners")]),
        (deal_case(discarded("W", "E", "E")), [("multi_win", "events.0.winners.1.player")]),
        (deal_case(discarded("E", "E")), [("winner_is_discarder", "events.0.winners.0.player")]),
        (deal_case(won(**{"from": "S"})), [("discarder_unexpected", "events.0.from")]),
        (deal_case(won(by=None)), [("field_needed", "events.0.by")]),
        (deal_case(won(fans=1)), [("unknown_field", "events.0.fans")]),
        (deal_case(discarded("W", "E", refund_last_kong_of="W")), [("outcome_conflict", "events.0.refund_last_kong_of")]),
        (deal_case(konged("S"), discarded("W", "E", refund_last_kong_of="S")), [("outcome_conflict", "events.1.refund_last_kong_of")]),
        (deal_case(false(amount=9)), [("out_of_range", "events.0.amount")]),
        (deal_case(false(amount=16), ruleset="sichuan_wmsg"), [("out_of_range", "events.0.amount")]),
        (deal_case(false("X")), [("value_unknown", "events.0.player")]),
        (deal_case(konged("E"), konged("E"), won(winners=[{"player": "E", "base": 2}])), [("out_of_range", "events.2.winners.0.base")]),
        (deal_case(konged("E"), end={"states": {"E": {"state": "waiting", "max_base": 1}}}), [("out_of_range", "end.states.E.max_base")]),
        (deal_case(end={"E": "no_wait"}), [("unknown_field", "end.E")]),
        (deal_case(end={"states": {"E": "pig"}}), [("value_unknown", "end.states.E.state")]),
        (deal_case(end={"states": {"E": "waiting"}}), [("out_of_range", "end.states.E.max_base")]),
        (deal_case(end={"states": {"E": {"state": "no_wait", "max_base": 1}}}), [("outcome_conflict", "end.states.E.max_base")]),
        (deal_case(won("E"), end={"states": {"E": "no_wait"}}), [("outcome_conflict", "end.states.E")]),
        (deal_case(players="ESW", end={"states": {"N": "no_wait"}}), [("unknown_field", "end.states.N")]),
        (deal_case(events=None), [("field_needed", "events")]),
    ],
    ids=lambda value: None,
)  # fmt: skip
def test_an_impossible_deal_is_refused(case, problems):
    """Each problem stands by its field. [SBR 2.4.2] [SBR 2.6.2.2] [WMSG 7.2] [RULES 8.46]"""
    assert refused(case) == problems


@settings(deadline=None)
@given(st.data(), st.sampled_from(["SBR", "WMSG"]))
def test_a_deal_is_settled_as_the_record_would(data, system):
    """The door and the record agree on every hand without dead hands. [SBR 2.7.1] [WMSG 7.1]"""
    law = LAWS[system]
    seats, hand = data.draw(sichuan_deals(law))
    events = [_as_case(event, law) for event in hand.events if isinstance(event, Win | Kong | FalseWin)]
    if len(events) == len(hand.events):
        end = {seat: _state(check) for seat, check in hand.end.items()}
        case = deal_case(*events, players=seats, ruleset=f"sichuan_{system.lower()}", end={"states": end})
        assert answer(case)["final"] == payments(hand, seats, law).by_seat


def _state(check):
    return {"state": check.state} | ({"max_base": check.max_base} if check.max_base else {})


def _as_case(event, law):
    """Write an event of a record as one of a deal."""
    if isinstance(event, Kong):
        given = {"from": event.discarder} if event.discarder else {}
        return konged(event.seat, event.kind, robbed=event.robbed, **given)
    if isinstance(event, FalseWin):
        return false(event.seat, law.false_win[event.kind], return_kongs=law.false_win_returns_kongs)
    winners = [{"player": winner.seat, "base": law.base(winner.fans)} for winner in event.winners]
    if not event.discarder:
        return won(winners=winners)
    refund = {"refund_last_kong_of": event.discarder} if event.discard_after_kong else {}
    return discarded(event.discarder, winners=winners, **refund)


def test_seats_are_named_by_their_letters():
    """Answers are plain JSON."""
    assert json.loads(json.dumps(answer(hand_case())))["payments"] == {
        str(seat): 6 if seat == "E" else -2 for seat in SEATS
    }
