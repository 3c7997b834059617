"""Hands explained to people, in every system."""

from typing import Any

import pytest

from scoring.explanation import explain, read_text, tell
from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.systems import SYSTEMS
from scoring.systems.explained import Explanation, Total


def explained(code: str, text: str, **how: Any) -> Explanation:
    preset = PRESETS[code]
    hand = read_text(text, kong_kinds=SYSTEMS[preset.system].tiles.says_kong_kinds)
    return explain(preset.system, hand, how, preset.regulation.system_rules)


def terms(found: Explanation) -> list[tuple[str, int, int]]:
    return [(term.name, term.times, term.points) for term in found.terms]


def refused(code: str, text: str, **how: Any) -> list[str]:
    with pytest.raises(Refusal) as refusal:
        explained(code, text, **how)
    return [problem.code for problem in refusal.value.problems]


def test_hand_is_read_as_people_type_it():
    """[RULES 1.5]"""
    assert read_text("(111z) [5555p] 123m 9s 9s", kong_kinds=True) == {
        "concealed": ["m1", "m2", "m3", "s9"],
        "melds": [
            {"type": "pung", "tiles": ["E", "E", "E"], "open": True},
            {"type": "kong", "tiles": ["p5", "p5", "p5", "p5"], "open": False, "kong": "concealed"},
        ],
        "winning_tile": "s9",
    }
    assert read_text("(123m) (7777z) 5z")["melds"] == [
        {"type": "chow", "tiles": ["m1", "m2", "m3"], "open": True},
        {"type": "kong", "tiles": ["R", "R", "R", "R"], "open": True},
    ]
    assert read_text("(7777z) 5z", kong_kinds=True)["melds"][0]["kong"] == "open"  # type: ignore[index]


@pytest.mark.parametrize("text", ["", "(111z)", "10m", "hello"])
def test_text_that_is_no_hand_is_refused(text):
    """[RULES 1.5]"""
    with pytest.raises(Refusal):
        read_text(text)


@pytest.mark.parametrize("code", ["sbr", "wmsg"])
@pytest.mark.parametrize(
    ("how", "codes"),
    [
        ({"replacement_win": True}, ["outcome_conflict"]),
        ({"self_draw": True, "discard_after_kong": True}, ["outcome_conflict"]),
        ({"self_draw": True, "robbing_kong": True}, ["outcome_conflict"]),
        ({"discard_after_kong": True, "robbing_kong": True}, ["outcome_conflict"]),
        ({"robbing_kong": True, "last_tile": True}, ["outcome_conflict"]),
    ],
)
def test_sichuan_tile_comes_in_one_way(code, how, codes):
    """[SBR 2.5.7] [SBR 2.7.3.6 (7)] [SBR 2.7.3.6 (8)] [SBR 2.7.3.6 (9)]"""
    assert refused(code, "[1111p] (222p) 345p 99p 67p 8p", **how) == codes


def test_sichuan_hand_is_explained():
    """[SBR 2.7.3.6]"""
    found = explained("sbr", "[1111p] (222p) 345p 678p 99p", last_tile=True)
    assert terms(found) == [("Kong", 1, 1), ("Full flush", 1, 2), ("Last tile", 1, 1)]
    assert found.totals == (Total("Fans", 4), Total("Base points", 16))
    assert found.reading == ("345p", "678p", "1111p", "222p", "99p")
    assert tell(found)[-1] == "The discarder pays 16."
    self_drawn = explained("wmsg", "[1111p] (222p) 345p 678p 99p", self_draw=True, forbidden_suit="m")
    assert tell(self_drawn)[-1] == "Every other player pays 9."


def test_sichuan_hand_that_is_no_win_says_why():
    """[SBR 2.6.1.2]"""
    assert refused("sbr", "123m 456p 789s 123p 55p") == ["three_suits"]
    assert refused("sbr", "123m 456m 789p 123p 55p", forbidden_suit="p") == ["forbidden_suit"]
    assert "no_form" in refused("sbr", "123m 456m 789p 124p 55p")


def test_mcr_hand_is_explained_with_what_was_dropped():
    """[MCR scoring 1e]"""
    found = explained("mcr", "19m 19p 19s 123456z 7z 7z")
    assert found.reading == ("19m 19p 19s 1234567" + "7z",)
    assert found.totals == (Total("Points without flowers", 88), Total("Points in all", 88))
    assert [one.name for one in found.omissions][-1] == "Concealed Hand"
    assert tell(found)[-1] == "The discarder pays 96, each other player 8."


def test_mcr_hand_below_the_minimum_pays_nothing_and_says_so():
    """[MCR scoring 1a]"""
    found = explained("mcr", "123m 456m 789p 22s 55z 5z", flowers=4)
    assert found.totals == (Total("Points without flowers", 5), Total("Points in all", 9))
    assert (found.payment, [problem.code for problem in found.reasons]) == ("", ["below_minimum"])
    assert tell(found, "ru")[-1] == "Для выигрыша нужно без цветов не меньше 8, а в руке 5. [MCR scoring 1a]"


def test_mcr_chows_combined_otherwise_are_named():
    """[MCR scoring 1e1]"""
    found = explained("mcr", "123m 456m 789m 11s 555z", self_draw=True, round_wind="S", seat_wind="W")
    assert ("Pure Straight", 1, 16) in terms(found)
    assert "Short Straight" in {one.name for one in found.omissions}
    assert tell(found)[-1].startswith("Every other player pays ")


def lines_with(found: Explanation, *words: str) -> list[str]:
    return [line.strip() for line in tell(found) if any(word in line for word in words)]


def test_mcr_groups_left_out_name_their_sets_and_the_fans_to_blame():
    """[MCR scoring 1e1] [MCR scoring 1e3] [MCR scoring 1e5]"""
    found = explained("mcr", "(123m) (456m) (789m) 78m 99p 9m")
    assert lines_with(found, "–  Short Straight", "–  Pure Straight") == [
        "–  Pure Straight: 123m + 456m + 789m: 123m + 456m made this fan with other sets already  [MCR scoring 1e3]",
        "–  Short Straight: 123m + 456m: part of “Pure Straight” already  [MCR scoring 1e1]",
        "–  Short Straight: 789m + 456m: part of “Pure Straight” already  [MCR scoring 1e1]",
        (
            "–  Short Straight: 456m + 789m: joined by “Pure Straight” and “Pure Double Chow”; "
            "a set that was used is joined once only  [MCR scoring 1e5]"
        ),
    ]
    ring = tell(explained("mcr", "(123m) (123m) (789m) 789m 5p 5p"), "ru")
    assert (
        "   –  Два терминальных чоу: 123m + 789m: уже соединены фанами «Чистое двойное чоу», «Чистое двойное чоу» и "
        "«Два терминальных чоу», а с использованной комбинацией новую составляют только один раз  [MCR scoring 1e5]"
    ) in ring


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("147m 258p 3s 123456z 7z", "MCR fan 20, RULES 8.15"),
        ("147m 258p 69s 12345z 6z", "MCR fan 34, RULES 8.15"),
    ],
)
def test_mcr_fans_that_the_rulebook_swaps_cite_the_decision(text, clause):
    """[RULES 8.15]"""
    found = explained("mcr", text)
    assert {term.clause for term in found.terms} | {one.clause for one in found.omissions} == {clause}


def test_mcr_flowers_do_not_name_the_sets():
    """[MCR fan 81]"""
    found = explained("mcr", "(123m) (123p) (123s) 456s 5p 5p", flowers=5)
    assert lines_with(found, "Flowers") == ["5  Flowers and Seasons ×5  [MCR fan 81]"]


def test_cap_is_cited_where_it_holds():
    """[RED scoring 5] [RIICHI 4.2]"""
    whole = explained("red", "111222333444m 55m", self_draw=True)
    hand = read_text("111222333444m 55m")
    rules = {**PRESETS["red"].regulation.system_rules, "limit": 100}
    assert [one.clause for one in whole.totals] == ["", ""]
    assert [one.clause for one in explain("RED", hand, {"self_draw": True}, rules).totals] == [
        "",
        "RED scoring 5",
    ]
    quads = explained("sbr", "[1111m] [2222m] 333m 444m 55m")
    assert [one.clause for one in quads.totals] == ["", "SBR 2.7.3.3"]
    assert explained("wmsg", "[1111m] 222m 333m 444m 55m").totals[1].clause == "WMSG 9.3"
    assert explained("wmsg", "123m 456m 789p 123p 55p").totals[1].clause == ""
    flush = "123123m 789789m 99m"
    riichi = {"self_draw": True, "riichi": True, "seat_wind": "S"}
    assert explained("riichi_ema", flush, **riichi).totals[0] == Total("Han", 13, "RIICHI 4.2")
    dear = explained("riichi_ema", "[1111z] [5555z] 234m 678p 9m 9m", seat_wind="E", round_wind="E")
    assert dear.totals[-1] == Total("Limit", "mangan", "RIICHI 4.1.2")
    assert "Han: 13  [RIICHI 4.2]" in tell(explained("riichi_ema", flush, **riichi))


@pytest.mark.parametrize(
    ("how", "paid"),
    [
        ({}, "The discarder pays 21, each other player 8."),
        ({"players": 3, "self_draw": True}, "Every other player pays 23."),
        ({"players": 2}, "Every other player pays 13."),
        ({"players": 2, "self_draw": True}, "Every other player pays 15."),
    ],
)
def test_siamese_hand_of_two_players_moves_its_bare_value(how, paid):
    """[SIAM 15] [SIAM 16] [SIAM 23]"""
    assert tell(explained("siamese", "123m 456p 234s 789s 5p 5p", **how))[-1] == paid


def test_set_declared_with_a_joker_is_read_by_its_real_tiles():
    """[RED jokers 4]"""
    hand = read_text("(770z) (12m0z) 456m 111s 5p 5p")
    assert [meld["type"] for meld in hand["melds"]] == ["pung", "chow"]
    found = explain("RED", hand, {"self_draw": True}, {"jokers": True})
    assert terms(found) == [("Pung of honors", 1, 3), ("Special pair", 1, 3)]


def test_siamese_first_win_without_the_drawn_tile_counts_no_wait():
    """[SIAM 17]"""
    text = "(123m) 123p 123s 77z 7z 99m"
    fans = {name for name, _, _ in terms(explained("siamese", text, self_draw=True))}
    barred = {
        name
        for name, _, _ in terms(
            explained("siamese", text, self_draw=True, first_win=True, without_drawn_tile=True)
        )
    }
    assert fans - barred == {"Single Wait"}
    second = terms(explained("siamese", text, self_draw=True, without_drawn_tile=True))
    assert {name for name, _, _ in second} == barred
    assert refused("siamese", text, without_drawn_tile=True) == ["outcome_conflict"]
    assert refused("siamese", text, flowers=1)


def test_red_hand_is_explained():
    """[RED scoring 2]"""
    found = explained("red", "123m 123m 123m 77z 7z 99m", self_draw=True)
    assert found.reading == ("111m", "222m", "333m", "777z", "99m")
    assert found.totals == (Total("Points in all", 59), Total("Points after the limit", 59))
    assert tell(found)[-1] == "Every other player pays 59."
    assert refused("red", "123m 123m 123m 77z 7z 98m") == ["no_win"]
    assert explained("red", "147m 258p 3s 123456z 7z").reading == ("147m 258p 3s 1234567z",)


def test_red_hand_below_a_chosen_minimum_says_so():
    """[RED scoring 4] [RULES 8.25]"""
    rules = {**PRESETS["red"].regulation.system_rules, "minimum": 30}
    hand = read_text("123m 456p 789s 234s 55p")
    found = explain("RED", hand, {"flowers": 2}, rules)
    assert [problem.code for problem in found.reasons] == ["below_minimum"]
    assert found.payment == ""


def test_hand_worth_exactly_the_minimum_may_be_declared():
    """[RED scoring 4] [MCR scoring 1a]"""
    hand = read_text("123m 456p 789s 234s 55p")
    rules = PRESETS["red"].regulation.system_rules
    worth = explain("RED", hand, {}, rules).totals[0].value
    assert explain("RED", hand, {}, {**rules, "minimum": worth}).reasons == ()
    assert explain("MCR", hand, {}, {"minimum": 13}).reasons == ()
    assert [one.code for one in explain("MCR", hand, {}, {"minimum": 14}).reasons] == ["below_minimum"]


def test_lines_are_told_with_sets_times_and_clauses():
    """[RED scoring 2] [MCR scoring 1e]"""
    lines = tell(explained("red", "123m 123m 456p 77z 7z 99s"))
    assert lines[0] == "123m · 123m · 456p · 777z · 99s"
    assert lines[2] == "  12  Pure double chow: 123m + 123m  [RED fan 9]"
    assert "  36  Pure double chow ×3: 123m + 123m; 123m + 123m; 123m + 123m  [RED fan 9]" in tell(
        explained("red", "111222333444m 55m")
    )
    dropped = tell(explained("mcr", "19m 19p 19s 123456z 7z 7z"))[2]
    assert (
        dropped == "   –  All Terminals and Honors: not counted beside “Thirteen Orphans”  [MCR scoring 1e1]"
    )


def test_riichi_hand_is_explained_with_fu_and_limit():
    """[RIICHI 4.1]"""
    found = explained(
        "riichi_ema",
        "112233m 445566p 77s",
        self_draw=True,
        riichi=True,
        ippatsu=True,
        dora_indicators=["m1"],
        ura_indicators=["p4"],
        seat_wind="S",
    )
    assert [name for name, _, _ in terms(found)][-2:] == ["Dora", "Ura dora"]
    assert found.totals[0] == Total("Han", 10)
    assert found.totals[-1] == Total("Limit", "baiman", "RIICHI 4.1.3, RULES 8.27")
    assert tell(found)[-1] == "East pays 8,000, each other player 4,000."
    assert found.omissions[0].name == "Pure double chow (iipeikou)"


def test_riichi_yakuman_has_no_fu():
    """[RIICHI 4.2.5]"""
    found = explained("riichi_ema", "19m 19p 19s 123456z 7z 7z", self_draw=True)
    assert [total.label for total in found.totals] == ["Han", "Limit"]
    assert tell(found)[-1] == "Every other player pays 16,000."


def test_riichi_without_yaku_is_no_win():
    """[RIICHI 3.2]"""
    assert refused("riichi_ema", "(123m) 456p 789s 234s 55p") == ["no_yaku"]
    assert "tile_unknown" in refused("riichi_ema", "123m 456p 789s 234s 55p", dora_indicators=["x"])


def test_limits_of_the_regulation_are_asked():
    """[RULES 8.27]"""
    hand = read_text("(111z) 456m 789m 234p 7s 7s")
    assert explain("RIICHI", hand, {}, {"limits": {"2": "mangan"}}).totals[-1] == Total(
        "Limit", "mangan", "RIICHI 4.1.3, RULES 8.27"
    )
    assert explain("RIICHI", hand, {}).totals == (Total("Han", 2), Total("Fu", 30))


@pytest.mark.parametrize("code", PRESETS)
def test_unknown_circumstance_is_refused(code):
    """[RULES 1.5]"""
    text = "123m 456m 789m 11m 222m"
    assert "unknown_field" in refused(code, text, by_magic=True)


@pytest.mark.parametrize("code", PRESETS)
def test_hand_with_the_wrong_number_of_tiles_is_refused(code):
    """[RULES 1.5]"""
    assert "tile_count" in refused(code, "123m")


def test_every_system_names_its_circumstances():
    """[RULES 1.1]"""
    assert [code for code, system in SYSTEMS.items() if not system.tiles.flags] == ["RED"]


def test_repeated_fan_is_told_with_its_times():
    """[RED scoring 2]"""
    lines = tell(explained("red", "111222333444m 55m", self_draw=True))
    assert lines == [
        "123m · 123m · 123m · 444m · 55m",
        "   3  Special pair  [RED fan 7]",
        "  36  Pure double chow ×3: 123m + 123m; 123m + 123m; 123m + 123m  [RED fan 9]",
        "  24  Lower five  [RED fan 14]",
        "  64  Full flush  [RED fan 18]",
        "Points in all: 127",
        "Points after the limit: 127",
        "Every other player pays 127.",
    ]


def test_several_yakuman_are_explained_and_recorded_with_their_number():
    """[RULES 9.33] [RECORD 3]"""
    system, hand = SYSTEMS["RIICHI"], read_text("111z 222z 333z 555z 4z 4z")
    how = {"seat_wind": "S"}
    found = {
        counts: explain(
            "RIICHI", hand, how, {**PRESETS["riichi_ema"].regulation.system_rules, "yakuman": counts}
        )
        for counts in ("one", "several", "double")
    }
    times = {counts: system.tiles.facts(one, {}).get("yakuman") for counts, one in found.items()}
    assert times == {"one": None, "several": 3, "double": 4}
    assert found["double"].totals[-1] == Total("Yakuman paid", 4, "RULES 9.33")
