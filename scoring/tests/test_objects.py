"""Systems, criteria and presets as objects: by their codes, one of each; what tablets and lists take from them."""

import json
import pickle
from dataclasses import replace
from itertools import product

import pytest

from scoring import codes, criteria, presets, systems
from scoring.presets import PRESETS
from scoring.systems import SYSTEMS
from scoring.systems.legality import Legality
from scoring.systems.system import fits_any_regulation, no_contradictions, nothing_known
from scoring.terms import GENERAL, speak, speaking, spoken

RULES = {
    code: next(one for one in PRESETS.values() if one.system == code).regulation.system_rules
    for code in SYSTEMS
}


@pytest.mark.parametrize("code", SYSTEMS)
def test_a_system_is_one_object_wherever_it_is_taken(code):
    """[RULES 1.1]"""
    assert pickle.loads(pickle.dumps(SYSTEMS[code])) is SYSTEMS[code]
    assert str(SYSTEMS[code]) == code


@pytest.mark.parametrize("code", criteria.CRITERIA)
def test_a_criterion_is_one_object_wherever_it_is_taken(code):
    """[RULES 1.7]"""
    one = criteria.CRITERIA[code]
    assert pickle.loads(pickle.dumps(one)) is one
    assert (str(one), repr(one)) == (code, f"<{code}>")


@pytest.mark.parametrize(
    ("module", "known", "field"),
    [(systems, SYSTEMS, "code"), (criteria, criteria.CRITERIA, "code"), (presets, PRESETS, "code")],
    ids=["systems", "criteria", "presets"],
)
def test_what_a_site_has_of_its_own_stands_beside_what_is_shipped_and_never_in_its_place(
    module, known, field
):
    first = next(iter(known.values()))
    with pytest.raises(ValueError, match=getattr(first, field)):
        module.register(first)
    added = replace(first, code="of_our_own")
    try:
        module.register(added)
        assert known["of_our_own"] is added
    finally:
        del module._all["of_our_own"]


def test_a_system_that_says_nothing_asks_nothing():
    assert nothing_known({}) == Legality()
    assert fits_any_regulation(None) == no_contradictions({}, "") == []


@pytest.mark.parametrize("code", SYSTEMS)
def test_what_a_tablet_looks_up_can_be_sent(code):
    """Sentences are whole, and tables are plain JSON. [RULES 1.5]"""
    told = SYSTEMS[code].legality(RULES[code])
    assert told.sentences
    assert all(sentence.endswith((".", "?", ":", ")")) for sentence in told.sentences.values())
    assert json.loads(json.dumps(told.tables))


def test_the_tables_of_riichi_are_those_of_the_regulation():
    """[RULES 8.27] [RULES 9.33] [RULES 9.34]"""
    house = {
        "limits": {"4": "mangan"},
        "nagashi_mangan": True,
        "yakuman": "double",
        "abortive_draws": ["nine_kinds"],
    }
    told = SYSTEMS["RIICHI"].legality(house).tables
    assert told["limits"] == [[4, "mangan"]]
    assert told["limit_names"] == ["mangan", "yakuman"]
    assert (told["nagashi"], told["yakuman"], told["abortive"]) == (True, "double", ["nine_kinds"])
    assert told["least_han"]["discard"]["25"] == 2


@pytest.mark.parametrize("code", [code for code, one in SYSTEMS.items() if one.tiles.choices])
def test_fans_that_are_chosen_from_a_list_are_fans_of_the_record(code):
    """[RECORD 3]"""
    tiles = SYSTEMS[code].tiles
    listed = tiles.choices(RULES[code])
    names = [one.code for one in listed]
    assert len(set(names)) == len(names) > 3
    assert set(names) <= set(tiles.fans)
    assert all(set(one.excludes) <= set(tiles.fans) and one.most > 0 for one in listed)


@pytest.mark.parametrize(
    ("code", "winner", "is_dealer", "is_self_draw", "worth"),
    [
        ("RIICHI", {"han": 3, "fu": 40}, False, False, 5200),
        ("RIICHI", {"han": 3, "fu": 40}, True, False, 7700),
        ("RIICHI", {"han": 3, "fu": 40}, False, True, 5200),
        ("RIICHI", {"limit": "mangan"}, True, True, 12000),
        ("RIICHI", {"limit": "haneman"}, False, True, 12000),
        ("RED", {"fans": 12, "flowers": 2}, False, False, 18),
        ("MCR", {"fans": 12, "flowers": 2}, False, False, 14),
        ("SBR", {"fans": 2}, False, False, 2),
    ],
)
def test_the_best_hands_are_found_by_what_they_are_worth(code, winner, is_dealer, is_self_draw, worth):
    """[RIICHI 4.1.2]"""
    assert SYSTEMS[code].worth.of(winner, RULES[code], is_dealer, is_self_draw) == worth


def test_details_that_hold_codes_are_known_by_their_names():
    assert all(map(codes.has_codes, ("tile", "fan", "seats", "limit")))
    assert not codes.has_codes("points")
    assert (
        codes.named("yaku", "pinfu 1, riichi 1", lambda sentence, _context: sentence.upper())
        == "PINFU 1, RIICHI 1"
    )


def test_the_words_of_a_system_stay_until_others_are_spoken():
    with speaking(GENERAL):
        speak(SYSTEMS["RIICHI"].terms)
        assert spoken() is SYSTEMS["RIICHI"].terms
    assert spoken() is GENERAL


@pytest.mark.parametrize("code", ["SBR", "WMSG"])
def test_the_tablet_knows_what_the_rest_of_a_hand_can_be_for_every_number_of_sets_shown(code):
    """Up to four; a robbed tile completes a chow, which is one of them. [RULES 8.46]"""
    ways = SYSTEMS[code].legality(RULES[code]).tables["ways"]
    shown = [(kongs, delayed, pungs) for kongs, delayed, pungs in product(range(5), repeat=3)]
    plain = {f"{a} {b} {c}" for a, b, c in shown if a + b + c <= 4}
    assert ways.keys() == plain | {f"{a} {b} {c} robs" for a, b, c in shown if a + b + c <= 3}


def test_the_paper_knows_who_deals_where_the_deal_always_passes_on_and_is_wide_where_much_is_written():
    """[MCR terms 10] [RULES 1.5]"""
    assert {code for code, one in SYSTEMS.items() if one.blank.knows_dealers} == {"MCR", "SIAM"}
    assert {code for code, one in SYSTEMS.items() if one.blank.is_wide} == {"SBR", "WMSG", "SIAM", "RIICHI"}
