"""What a hand is near to: nothing that would not count, and nothing dearer left out."""

from itertools import product

import pytest

from scoring import near
from scoring.explanation import explain, read_text
from scoring.near import outlook
from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.systems import SYSTEMS
from scoring.tiles.tile import write

HANDS = [
    ("mcr", "123m 456m 99s 78m 45p", "Pure Straight", ("m9", "p6")),
    ("mcr", "(123m) 456m 99s 78m 456p", "Pure Straight", ("m9",)),
    ("mcr", "112233m 445566p", "Seven Pairs", ("m1", "m1")),
    ("riichi_ema", "123m 456m 99s 78m 45p", "Pure straight (ittsu)", ("m9", "p3")),
    ("sbr", "112233m 445566p", "Seven pairs", ("m1", "m1")),
    ("wmsg", "112233m 445566p", "Seven pairs", ("m1", "m1")),
    ("red", "123m 456m 78m 99m 12m", "Pure straight", ("m3", "m9")),
    ("siamese", "123p 456p 99p 78p 45s", "Pure Straight", ("p9", "s6")),
]


def how_of(preset):
    how = {"self_draw": True}
    knows_winds = SYSTEMS[PRESETS[preset].system].tiles.knows_winds
    return how | ({"seat_wind": "E", "round_wind": "E"} if knows_winds else {})


def asked(preset, text):
    of = PRESETS[preset]
    return outlook(of.system, text, how_of(preset), of.regulation.system_rules)


@pytest.mark.parametrize(("preset", "text", "fan", "tiles"), HANDS)
def test_the_dearest_fan_is_named_with_the_tiles_that_bring_it(preset, text, fan, tiles):
    first = asked(preset, text).near[0]
    assert (first.term.name, first.way.tiles) == (fan, tiles)
    assert first.term in first.way.found.terms


def test_what_is_sure_stands_in_every_hand_that_can_become_of_it():
    found = asked("mcr", "123m 456m 99s 78m 45p")
    kit = [write(tile) for tile in sorted(SYSTEMS["MCR"].tiles.kit({}).tiles)]
    held = read_text("123m 456m 99s 78m 45p")
    every = []
    for one, last in product(kit, kit):
        hand = {
            "concealed": [*held["concealed"], held["winning_tile"], one],
            "melds": [],
            "winning_tile": last,
        }
        try:
            every.append({term.name for term in explain("MCR", hand, how_of("mcr"), {}).terms})
        except Refusal:
            continue
    assert len(every) > 6
    assert {term.name for term in found.sure} <= set.intersection(*every)
    assert {one.term.name for one in found.near} <= set.union(*every)


def test_where_every_way_brings_the_same_its_dearest_fan_is_told_once():
    found = asked("mcr", "19m19p19sEESWNR")
    assert [one.term.name for one in found.near] == ["Thirteen Orphans"]
    assert [term.name for term in found.sure] == ["Fully Concealed"]


@pytest.mark.parametrize("text", ["123m 456m 99s 78m 4p", "123m 456m 99s 78m 456p 9m", "147m 147p 147s 123z", "(123m) 5z"])  # fmt: skip
def test_of_a_hand_too_far_or_whole_or_hopeless_nothing_is_said(text):
    found = asked("mcr", text)
    assert (found.sure, found.near) == ((), ())


def test_of_a_hand_with_jokers_nothing_is_said():
    rules = {**PRESETS["red"].regulation.system_rules, "jokers": True}
    assert outlook("RED", "123m 456m 78m 99m 12m", how_of("red"), rules).near
    found = outlook("RED", "123m 456m 78m 99m 1m 0z", how_of("red"), rules)
    assert (found.lacking, found.sure, found.near) == (2, (), ())


def test_where_not_every_way_was_valued_nothing_is_sure(monkeypatch):
    assert asked("mcr", "123m 456m 78m 99m 12m").sure
    monkeypatch.setattr(near, "VALUED", 3)
    found = asked("mcr", "123m 456m 78m 99m 12m")
    assert found.sure == ()
    assert found.near
