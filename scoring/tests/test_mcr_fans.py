"""Each of the 81 fans: a hand that has it, and one that just misses it."""

import pytest

from scoring.systems.mcr.fans import FANS
from scoring.tests.oracles.mcr_notation import fans, value
from scoring.words import translate

DRAWN = ("self_drawn",)


def times(number, text, *flags, seat="S", round_="W"):
    """Say how often a fan counts in a hand, or was dropped from it."""
    found = value(text, *flags, seat=seat, round_=round_)
    dropped = {row.fan.number for row in found.dropped}
    return fans(text, *flags, seat=seat, round_=round_).get(number, "dropped" if number in dropped else 0)


def test_big_four_winds_need_all_four_pungs():
    """A pair of the fourth wind is not enough. [MCR fan 1]"""
    assert times(1, "(111z) (222z) (3333z) 44z 33s + 4z") == 1
    assert times(1, "(111z) (222z) (3333z) 44z 33s + 3s") == 0


def test_big_three_dragons_need_three_pungs():
    """A pair of the third dragon is not enough. [MCR fan 2]"""
    assert times(2, "(777z) (666z) (555z) 45s 55s + 6s") == 1
    assert times(2, "(777z) (666z) (456s) 55z 55s + 5s") == 0


def test_all_greens_combine_with_either_flush():
    """With the green dragon it is a half flush, without it a full one; a five is not green. [MCR fan 3] [RULES 8.19]"""
    assert times(3, "(234s) (234s) (222s) 66z 66s + 6z") == 1
    assert times(50, "(234s) (234s) (222s) 66z 66s + 6z") == 1
    assert times(22, "(234s) (234s) (888s) 66s 33s + 6s") == 1
    assert times(3, "(345s) (234s) (888s) 66s 33s + 6s") == 0


def test_nine_gates_wait_for_all_nine():
    """The same tiles with another last tile wait for fewer; a declared set spoils it. [MCR fan 4]"""
    assert times(4, "1112345678999m + 5m") == 1
    assert times(4, "1112345567899m + 9m") == 0
    assert times(4, "(111m) 2345678999m + 5m") == 0
    assert times(4, "1112345678m 777z + 9m") == 0


def test_nine_gates_exclude_every_terminal_pung():
    """Fan 73 is excluded altogether, though two concealed pungs count. [MCR fan 4] [RULES 8.19]"""
    assert fans("1112345678999m + 5m", *DRAWN) == {4: 1, 56: 1, 66: 1}


def test_four_kongs_exclude_all_pungs_and_single_wait():
    """Any kinds of kong make it; a melded hand may be beside it. [MCR fan 5]"""
    assert fans("(2222s) (5555m) (7777p) (1111z) 7z + 7z") == {5: 1, 52: 1, 53: 1, 73: 1}


def test_seven_shifted_pairs_follow_each_other():
    """A gap makes them seven pairs of a flush; nothing follows a nine, neither honors nor another suit. [MCR fan 6]"""
    assert fans("1122334455667m + 7m") == {6: 1}
    assert fans("1122334455669m + 9m") == {19: 1, 22: 1}
    assert fans("112233445566m 7p + 7p") == {19: 1, 75: 1, 76: 1}
    assert times(6, "1111335577m 99m 2m + 2m") == 0
    assert fans("445566778899s 1z + 1z") == {19: 1, 50: 1}
    assert fans("99s 1122334455z 6z + 6z") == {18: 1, 19: 1, 50: 1}
    assert fans("5566778899m 11p 2p + 2p") == {19: 1, 75: 1, 76: 1}


def test_thirteen_orphans_count_alone():
    """All types, single wait and the terminals and honors are contained. [MCR fan 7]"""
    assert fans("19m 19p 19s 1234567z + 1m", "last_of_kind") == {7: 1, 58: 1}
    assert fans("19m 19p 19s 1234567z + 1m", *DRAWN) == {7: 1, 56: 1}


def test_all_terminals_have_no_other_tile():
    """One honor makes them fan 18. [MCR fan 8]"""
    assert times(8, "(111m) (111s) (999m) 99s 11p + 9s") == 1
    assert times(8, "(111m) (111s) (999m) 99s 11z + 9s") == 0


def test_little_four_winds_need_a_pair_of_the_fourth():
    """A pair of anything else leaves Big Three Winds. [MCR fan 9]"""
    assert times(9, "(111z) (333z) (444z) 23s 22z + 1s") == 1
    assert times(9, "(111z) (333z) (444z) 23s 77z + 1s") == 0


def test_little_three_dragons_need_a_pair_of_the_third():
    """A pair of anything else leaves Two Dragon Pungs. [MCR fan 10]"""
    assert times(10, "(777z) (666z) (123m) 55z 99p + 5z") == 0
    assert times(10, "(777z) (666z) (123m) 99p 55z + 9p") == 1


def test_all_honors_exclude_what_they_contain():
    """All pungs and the terminals and honors are contained. [MCR fan 11]"""
    assert fans("(777z) (555z) (111z) 22z 33z + 2z", seat="N", round_="N") == {11: 1, 54: 1}


def test_four_concealed_pungs_are_not_claimed():
    """A pung completed by a discard is open, a concealed kong is not. [MCR fan 12] [RULES 8.17]"""
    assert times(12, "[2222s] 444p 666p 88m 33m + 8m", *DRAWN) == 1
    assert times(12, "[2222s] 444p 666p 88m 33m + 8m") == 0
    assert fans("222s 555p 777m 888p 3m + 3m") == {12: 1, 68: 1, 79: 1}


def test_pure_terminal_chows_need_a_pair_of_fives():
    """Another pair leaves two double chows. [MCR fan 13]"""
    assert fans("(123s) (123s) (789s) 78s 55s + 9s") == {13: 1}
    assert times(13, "(123s) (123s) (789s) 78s 66s + 9s") == 0
    assert times(13, "(123s) (123s) (789s) 78s 55p + 9s") == 0


def test_pure_quadruple_chow_excludes_the_hogs_in_it():
    """Its tiles are all used four times. [MCR fan 14]"""
    assert times(64, "(123m) (123m) 123m 23m 44m + 1m") == "dropped"
    assert times(14, "(123m) (123m) 123m 23m 44m + 4m") == 0


def test_four_pure_shifted_pungs_exclude_three():
    """Nor are they all pungs besides. [MCR fan 15]"""
    assert times(15, "(111s) (222s) (333s) 44s 22m + 4s") == 1
    assert times(49, "(111s) (222s) (333s) 44s 22m + 4s") == "dropped"
    assert times(15, "(111s) (222s) (333s) 55s 22m + 5s") == 0


def test_four_shifted_chows_go_up_by_one_or_by_two():
    """Mixed steps do not make it. Two terminal chows in it do not count. [MCR fan 16] [RULES 8.19]"""
    assert fans("(123s) (345s) (567s) 78s 55p + 9s") == {16: 1, 63: 1, 75: 1}
    assert times(16, "(123s) (234s) (345s) 56s 55p + 7s") == 0


def test_three_kongs_of_any_kind():
    """Two of them are counted as two. [MCR fan 17]"""
    assert times(17, "(2222m) [3333m] (4444m) 22s 33s + 2s") == 1
    assert times(17, "(2222m) [3333m] (444m) 22s 33s + 2s") == 0


def test_all_terminals_and_honors_contain_the_outside_hand():
    """One simple tile spoils it. [MCR fan 18]"""
    assert times(55, "(111z) (111m) (999s) 99p 77z + 9p") == "dropped"
    assert times(18, "(111z) (111m) (999s) 99p 22m + 9p") == 0


def test_seven_pairs_may_hold_four_of_a_kind():
    """Four equal tiles are two pairs and a hog. [MCR fan 19] [RULES 8.18]"""
    assert fans("1111m 33p 55p 77s 99s 2z + 2z") == {19: 1, 64: 1}


def test_greater_honors_have_all_seven():
    """Six honors make the lesser form. [MCR fan 20] [RULES 8.15]"""
    assert fans("1234567z 147m 25p 3s + 9s") == {20: 1}
    assert fans("123456z 147m 258p 3s + 9s") == {34: 1}


def test_all_even_pungs_have_an_even_pair():
    """An odd pair leaves all pungs. [MCR fan 21]"""
    assert fans("(222m) (444s) (666p) 88p 44p + 8p") == {21: 1}
    assert times(21, "(222m) (444s) (666p) 88p 55p + 8p") == 0


def test_full_flush_has_one_suit_alone():
    """With honors it is a half flush. [MCR fan 22]"""
    assert times(22, "(123m) (345m) (888m) 67m 77m + 5m") == 1
    assert times(22, "(123m) (345m) (888m) 67m 77z + 5m") == 0


def test_pure_triple_chow_is_no_shifted_pungs():
    """Once three equal chows are formed they are not taken apart. [MCR fan 23]"""
    assert times(23, "(456m) (456m) (456m) 45p 55p + 6p") == 1
    assert times(23, "(456m) (456m) (567m) 45p 55p + 6p") == 0


def test_pure_shifted_pungs_go_up_by_one():
    """A gap spoils it. [MCR fan 24]"""
    assert times(24, "(222s) (333s) (444s) 33p 22p + 3p") == 1
    assert times(24, "(222s) (333s) (555s) 33p 22p + 3p") == 0


def test_upper_tiles_contain_upper_four():
    """A six makes it Upper Four. [MCR fan 25]"""
    assert times(36, "(789m) (789s) (888s) 88p 88m + 8p") == "dropped"
    assert times(25, "(678m) (789s) (888s) 88p 88m + 8p") == 0


def test_middle_tiles_are_all_simple():
    """A three spoils it. [MCR fan 26]"""
    assert times(68, "(456s) (444s) (555s) 66s 66p + 6s") == "dropped"
    assert times(26, "(345s) (444s) (555s) 66s 66p + 6s") == 0


def test_lower_tiles_contain_lower_four():
    """A four makes it Lower Four. [MCR fan 27]"""
    assert times(37, "(123m) (123s) (123p) 23s 33s + 1s") == "dropped"
    assert times(27, "(123m) (123s) (123p) 23s 44p + 1s") == 0


def test_pure_straight_is_of_one_suit():
    """The short straights and terminal chows within it do not count again. [MCR fan 28]"""
    assert fans("(123s) (456s) (777p) 78s 99p + 9s") == {28: 1, 75: 1, 76: 1}
    assert times(28, "(123s) (456s) (777p) 78m 99p + 9m") == 0


def test_of_equal_readings_the_one_with_a_single_wait_is_told():
    """The same tile completes an edge or the pair, for a point either way. [MCR fan 48, example] [RULES 8.16]"""
    assert fans("122334m 1233p 234s + 3p") == {37: 1, 62: 1, 63: 1, 70: 2, 79: 1}
    assert fans("(678m) (666p) 678p 7789m + 7m", "self_drawn").keys() & {77, 78, 79} == {79}


def test_a_knitted_straight_may_have_its_pung_and_pair_of_its_own_tiles():
    """Nine kinds in all. [MCR fan 35]"""
    assert times(35, "111147m 258p 369s 4m + 4m") == 1


def test_three_suited_terminal_chows_need_fives_of_the_third_suit():
    """What the two suits have in common is excluded. [MCR fan 29] [RULES 8.19]"""
    assert fans("(123m) (789m) (123p) 78p 55s + 9p") == {29: 1}
    assert times(29, "(123p) (789p) (123s) 78s 55m + 9s") == 1
    assert times(29, "(123m) (789m) (123s) 78s 55p + 9s") == 1
    assert times(29, "(123m) (789m) (123p) 78p 55m + 9p") == 0
    assert times(29, "(123m) (789m) (123m) 78m 55s + 9m") == 0


def test_pure_shifted_chows_go_up_by_one_or_by_two():
    """Three numbers apart they are a straight. [MCR fan 30]"""
    assert times(30, "(123m) (234m) (888p) 34m 77s + 5m") == 1
    assert times(30, "(123m) (345m) (888p) 67m 77s + 5m") == 1
    assert times(30, "(123m) (234m) (888p) 45m 77s + 6m") == 0


def test_all_fives_have_one_in_the_pair_too():
    """Pungs must be of fives. [MCR fan 31]"""
    assert times(31, "(345m) (567m) (555p) 55s 55m + 5s") == 1
    assert times(31, "(345m) (567m) (444p) 55s 55m + 5s") == 0
    assert times(31, "(345m) (678m) (555p) 55s 55m + 5s") == 0


def test_triple_pung_contains_the_double_one():
    """Three suits are needed. [MCR fan 32]"""
    assert times(32, "(333m) (333s) (333p) 34s 44m + 2s") == 1
    assert times(65, "(333m) (333s) (333p) 34s 44m + 2s") == "dropped"
    assert times(32, "(333m) (333s) (444p) 34s 44m + 2s") == 0


def test_three_concealed_pungs_count_kongs():
    """A claimed third pung leaves two. [MCR fan 33] [RULES 8.17]"""
    assert times(33, "(123s) [4444p] 777s 88s 55s + 8s", *DRAWN) == 1
    assert times(33, "(123s) [4444p] 777s 88s 55s + 8s") == 0


def test_lesser_honors_with_a_knitted_straight():
    """All nine knitted tiles are a Knitted Straight besides. [MCR fan 34]"""
    assert fans("12345z 147m 258p 36s + 9s") == {34: 1, 35: 1}
    assert fans("12345z 147m 258p 36s + 9s", *DRAWN) == {34: 1, 35: 1, 56: 1}


def test_knitted_straight_is_never_a_concealed_hand():
    """On a self-draw it is fully concealed, and its wait counts. [MCR fan 35] [RULES 8.18]"""
    assert fans("147m 258p 369s 666z 1z + 1z") == {35: 1, 52: 1, 59: 1, 79: 1}
    assert fans("147m 258p 369s 666z 1z + 1z", *DRAWN) == {35: 1, 52: 1, 56: 1, 59: 1, 79: 1}


def test_upper_four_start_at_six():
    """A five spoils it. [MCR fan 36]"""
    assert times(36, "(678p) (777p) (789m) 78s 99s + 9s") == 1
    assert times(36, "(567p) (777p) (789m) 78s 99s + 9s") == 0


def test_lower_four_end_at_four():
    """A five spoils it. [MCR fan 37]"""
    assert times(37, "(123m) (123m) (123s) 23p 44m + 1p") == 1
    assert times(37, "(123m) (123m) (345s) 23p 44m + 1p") == 0


def test_big_three_winds_are_no_guest_winds():
    """Their pungs do not count as fan 73, but as own and prevalent wind. [MCR fan 38] [RULES 8.19]"""
    assert fans("(111z) (222z) (333z) 11p 55m + 1p", seat="S", round_="W") == {
        38: 1,
        49: 1,
        60: 1,
        61: 1,
        73: 1,
        75: 1,
    }


def test_mixed_straight_needs_three_suits():
    """In two suits there is none. [MCR fan 39]"""
    assert times(39, "(123m) (456p) (666z) 78s 44z + 9s") == 1
    assert times(39, "(123m) (456p) (666z) 78m 44z + 9m") == 0


def test_reversible_tiles_exclude_the_voided_suit():
    """They have no characters anyway. [MCR fan 40]"""
    assert times(75, "(234p) (456s) (888p) 88s 55z + 8s") == "dropped"
    assert times(40, "(345s) (456s) (888p) 88s 55z + 8s") == 0


def test_mixed_triple_chow_needs_three_suits():
    """In two suits it is a double one. [MCR fan 41]"""
    assert times(41, "(345s) (345p) (345m) 56m 77z + 4m") == 1
    assert times(41, "(345s) (345p) (345p) 56m 77z + 7m") == 0


def test_mixed_shifted_pungs_go_up_by_one():
    """In two suits there are none. [MCR fan 42]"""
    assert times(42, "(222p) (333s) (123p) 44m 22m + 4m") == 1
    assert times(42, "(222p) (333s) (123p) 44p 22m + 4p") == 0


def test_chicken_hand_has_nothing_else():
    """A self-draw is worth a point, and then it is none. Flowers do not matter. [MCR fan 43]"""
    chicken = value("(123p) (444s) (789m) 34p 77z + 2p", flowers=3)

    assert ([row.fan.number for row in chicken.fans], chicken.points, chicken.total) == ([43, 81], 8, 11)
    assert fans("(123p) (444s) (789m) 34p 77z + 2p", *DRAWN) == {80: 1}


def test_last_tile_draw_contains_self_drawn():
    """The last tile of the wall. [MCR fan 44]"""
    assert fans("(123p) (444s) (789m) 34p 77z + 2p", "self_drawn", "last_wall_tile") == {44: 1}


def test_last_tile_claim_is_on_a_discard():
    """The last discard of the game. [MCR fan 45]"""
    assert fans("(123p) (444s) (789m) 34p 77z + 2p", "last_wall_tile") == {45: 1}


def test_out_with_replacement_tile_contains_self_drawn():
    """It may be the last tile of the wall as well. [MCR fan 46] [RULES 8.19]"""
    drawn = ("self_drawn", "replacement_after_kong")

    assert fans("(123p) (4444s) (789m) 34p 77z + 2p", *drawn) == {46: 1, 74: 1}
    assert fans("(123p) (4444s) (789m) 34p 77z + 2p", *drawn, "last_wall_tile") == {44: 1, 46: 1, 74: 1}


def test_robbing_the_kong_excludes_the_last_tile():
    """The robbed tile is always the last of its kind. [MCR fan 47]"""
    assert fans("(678p) (444s) (789m) 34p 77z + 2p", "robbing_kong", "last_of_kind") == {47: 1}


def test_two_concealed_kongs_contain_their_pungs():
    """They are worth 8 in all; a third concealed pung makes fan 33 besides. [MCR fan 48] [RULES 8.17]"""
    assert fans("[2222s] [5555p] (123m) 68m 77z + 7m") == {48: 1, 78: 1}
    assert fans("[2222s] [5555p] (123m) 88m 77z + 8m", *DRAWN) == {33: 1, 48: 1, 80: 1}


def test_all_pungs_may_be_kongs():
    """A chow spoils them. [MCR fan 49]"""
    assert times(49, "(888m) (8888s) (111p) 55z 11z + 5z") == 1
    assert times(49, "(888m) (888s) (123p) 55z 11z + 5z") == 0


def test_half_flush_needs_honors():
    """A second suit spoils it. [MCR fan 50]"""
    assert times(50, "(123m) (234m) (777z) 78m 77m + 9m") == 1
    assert times(50, "(123m) (234p) (777z) 78m 77m + 9m") == 0


def test_mixed_shifted_chows_go_up_by_one():
    """In two suits there are none. [MCR fan 51]"""
    assert times(51, "(123s) (234m) (345p) 56s 77z + 4s") == 1
    assert times(51, "(123s) (234m) (345m) 56s 77z + 4s") == 0


def test_all_types_need_winds_and_dragons():
    """A pair of winds instead of dragons spoils it; Seven Pairs may have it. [MCR fan 52]"""
    assert times(52, "(123m) (456p) (111z) 78s 66z + 9s") == 1
    assert times(52, "(123m) (456p) (111z) 78s 44z + 9s") == 0
    assert times(52, "22s 33m 77p 11z 44z 77z 5z + 5z") == 1


def test_melded_hand_lies_open_but_for_the_pair():
    """An added kong is open, a concealed one is not; from the wall there is none. [MCR fan 53] [RULES 8.20]"""
    assert times(53, "(2222m) (456p) (678m) (888s) 5m + 5m") == 1
    assert times(79, "(2222m) (456p) (678m) (888s) 5m + 5m") == "dropped"
    assert times(53, "[2222m] (456p) (678m) (888s) 5m + 5m") == 0
    assert times(53, "(2222m) (456p) (678m) (888s) 5m + 5m", *DRAWN) == 0


def test_two_dragon_pungs_contain_the_single_ones():
    """One dragon pung is worth 2. [MCR fan 54]"""
    assert times(54, "(123m) (789m) (777z) 66z 88s + 6z") == 1
    assert times(59, "(123m) (789m) (777z) 66z 88s + 6z") == "dropped"


def test_outside_hand_has_an_end_or_honor_everywhere():
    """A pair of simples spoils it. [MCR fan 55]"""
    assert times(55, "(123m) (123p) (999m) 78p 11z + 9p") == 1
    assert times(55, "(123m) (123p) (999m) 78p 22m + 9p") == 0
    assert times(55, "(123m) (234p) (999m) 78p 11z + 9p") == 0
    assert times(55, "(123m) (222p) (999m) 78p 11z + 9p") == 0


def test_fully_concealed_is_drawn_from_the_wall():
    """A concealed kong does not open the hand. [MCR fan 56]"""
    assert times(56, "[1111s] 234m 345p 68s 99s + 7s", *DRAWN) == 1
    assert times(56, "(1111s) 234m 345p 68s 99s + 7s", *DRAWN) == 0


def test_two_melded_kongs_with_a_concealed_one_are_six():
    """One open and one concealed kong give 4 and 2. [MCR fan 57] [RULES 8.17]"""
    assert fans("(2222s) (5555p) (123m) 68m 77z + 7m") == {57: 1, 78: 1}
    assert fans("(2222s) [5555p] (123m) 68m 77z + 7m") == {57: 1, 67: 1, 78: 1}


def test_last_tile_is_plain_from_open_sets():
    """Three open copies of one's own tell it to all, said or not. [MCR fan 58]"""
    assert times(58, "(123p) (444s) (789m) 34p 77z + 2p", "last_of_kind") == 1
    assert times(58, "(222p) (444s) (789m) 34p 77z + 2p") == 1
    assert times(58, "(222p) (444s) (789m) 34p 77z + 5p") == 0


def test_dragon_pung_counts_each():
    """A kong is one too. [MCR fan 59]"""
    assert times(59, "(123m) (789m) (7777z) 34p 88s + 2p") == 1


def test_prevalent_wind_is_that_of_the_round():
    """Another wind is a guest. [MCR fan 60]"""
    assert fans("(123p) (222z) (789m) 34p 77z + 2p", seat="E", round_="S") == {60: 1, 75: 1}
    assert fans("(123p) (222z) (789m) 34p 77z + 2p", seat="E", round_="W") == {73: 1, 75: 1}


def test_double_wind_counts_as_both():
    """A pung of one's own wind that rules the round is worth 4. [MCR fan 61]"""
    assert fans("(123p) (222z) (789m) 34p 77z + 2p", seat="S", round_="S") == {60: 1, 61: 1, 75: 1}


def test_concealed_hand_is_won_on_a_discard():
    """An open set spoils it. [MCR fan 62]"""
    assert times(62, "[1111s] 234m 345p 68s 99s + 7s") == 1
    assert times(62, "(1111s) 234m 345p 68s 99s + 7s") == 0


def test_all_chows_have_no_honors():
    """A pair of dragons spoils them. [MCR fan 63]"""
    assert times(63, "(123m) (123p) (567m) 78p 44s + 9p") == 1
    assert times(63, "(123m) (123p) (567m) 78p 66z + 9p") == 0


def test_tile_hog_is_no_kong():
    """A kong does not count, nor does a tile thrice. [MCR fan 64]"""
    assert times(64, "(777m) (789m) (789s) 78p 33p + 9p") == 1
    assert times(64, "(7777m) (789p) (789s) 78p 33p + 9p") == 0


def test_double_pung_counts_each_pair_of_pungs():
    """Two pairs of pungs are two. [MCR fan 65]"""
    assert times(65, "(666m) (666s) (888s) 88m 22s + 8m") == 2


def test_two_concealed_pungs_may_be_kongs():
    """One of them claimed leaves none. [MCR fan 66] [RULES 8.17]"""
    assert times(66, "(789m) [9999p] 999s 12m 55m + 3m") == 1
    assert times(66, "(789m) [9999p] (999s) 12m 55m + 3m") == 0


def test_concealed_kong_counts_beside_open_ones():
    """With three or four kongs it is added when exactly one is concealed. [MCR fan 67] [RULES 8.17]"""
    assert fans("[2222m] (123p) (789s) 34p 77z + 2p") == {67: 1}
    assert times(67, "(2222m) [3333m] (4444m) 22s 33s + 2s") == 1
    assert times(67, "(2222m) [3333m] [4444m] 22s 33s + 2s") == 0
    assert times(67, "(2222s) [5555m] (7777p) (1111z) 7z + 7z") == 1


def test_all_simples_contain_no_honors():
    """A terminal spoils them. [MCR fan 68]"""
    assert times(76, "(234m) (345p) (777s) 56s 44p + 4s") == "dropped"
    assert times(68, "(123m) (345p) (777s) 56s 44p + 4s") == 0


def test_pure_double_chow_is_two_equal_chows():
    """Two pairs of them are two. [MCR fan 69]"""
    assert times(69, "(345p) (345p) (456s) 56s 55s + 4s") == 2


def test_mixed_double_chow_is_in_two_suits():
    """The same numbers in two suits. [MCR fan 70]"""
    assert fans("(234s) (234p) (777z) 78m 66s + 9m") == {59: 1, 70: 1}


def test_short_straight_is_six_in_a_row():
    """123-123-456 of a suit is worth 2: a double chow and a straight. [MCR fan 71]"""
    assert fans("(123s) (123s) (777z) 45s 66p + 6s") == {59: 1, 69: 1, 71: 1, 75: 1}


def test_two_terminal_chows_are_of_one_suit():
    """In two suits they are none. [MCR fan 72]"""
    assert fans("(123s) (777z) (555p) 78s 11z + 9s") == {59: 1, 72: 1, 75: 1}
    assert times(72, "(123s) (777z) (555p) 78m 11z + 9m") == 0


def test_pung_of_terminals_is_not_of_dragons_or_own_winds():
    """Terminals and guest winds count; an open kong of them is worth one more. [MCR fan 73] [RULES 8.19]"""
    assert fans("(1111p) (111z) (222z) 67m 66z + 8m", seat="S", round_="W") == {61: 1, 73: 2, 74: 1, 75: 1}


def test_melded_kong_is_the_only_kong():
    """Two of them are fan 57. [MCR fan 74]"""
    assert fans("(2222m) (123p) (789s) 34p 77z + 2p") == {74: 1}


def test_one_voided_suit_leaves_two():
    """In one suit it does not count. [MCR fan 75]"""
    assert times(75, "(123p) (444s) (789s) 34p 77z + 2p") == 1
    assert times(75, "(123p) (444p) (789p) 34p 77z + 2p") == 0


def test_no_honors_are_no_winds_or_dragons():
    """A pair of dragons spoils it. [MCR fan 76]"""
    assert times(76, "(123p) (444s) (789m) 34p 11s + 2p") == 1
    assert times(76, "(123p) (444s) (789m) 34p 77z + 2p") == 0


def test_edge_wait_is_for_a_three_or_a_seven():
    """Two waiting tiles annul it. [MCR fan 77] [RULES 8.16]"""
    assert times(77, "(123p) (444s) (789m) 12s 77z + 3s") == 1
    assert times(77, "(123p) (444s) (789m) 89s 77z + 7s") == 1
    assert times(77, "(123p) (444s) (789m) 23s 77z + 1s") == 0


def test_closed_wait_is_for_the_middle():
    """1 3 3 3 waits for a pair of ones as well. [MCR fan 78] [RULES 8.16]"""
    assert times(78, "(123p) (444s) (789m) 13s 77z + 2s") == 1
    assert times(78, "(123p) (444s) (789m) 1333s + 2s") == 0


def test_single_wait_is_for_the_pair():
    """Beside a chow it waits for the other end as well. [MCR fan 79] [RULES 8.16]"""
    assert times(79, "(123p) (444s) (789m) 123s 7z + 7z") == 1
    assert times(79, "(123p) (444s) (789m) 2345s + 2s") == 0


def test_self_drawn_is_from_the_wall():
    """On a discard it is not there. [MCR fan 80]"""
    assert times(80, "(123p) (444s) (789m) 34p 77z + 2p", *DRAWN) == 1
    assert times(80, "(123p) (444s) (789m) 34p 77z + 2p") == 0


def test_flowers_and_seasons_count_beside_the_minimum():
    """Each is a point, but none towards the minimum. [MCR fan 81]"""
    hand = value("(345p) (444s) (789m) 12s 77z + 3s", flowers=8)

    assert (hand.points, hand.flowers, hand.total) == (1, 8, 9)
    assert [(row.fan.number, row.count, row.points) for row in hand.fans] == [(77, 1, 1), (81, 8, 8)]


def test_table_has_every_fan_once():
    """The numbers run from 1 to 81, and the values are those of the twelve levels."""
    assert sorted(FANS) == list(range(1, 82))
    assert {row.value for row in FANS.values()} == {88, 64, 48, 32, 24, 16, 12, 8, 6, 4, 2, 1}


OFTEN = {59: 2, 64: 3, 65: 2, 69: 2, 70: 2, 71: 2, 72: 2, 73: 4, 81: 8}


def test_few_fans_count_more_than_once():
    """How often a fan may stand in a list; the others count once. [MCR scoring 1e3]"""
    assert {number: row.most for number, row in FANS.items() if row.most > 1} == OFTEN


SOURCE_BARS = {
    1: (38, 49, 60, 61, 73),
    2: (54, 59),
    4: (22, 62, 73),
    5: (74, 79),
    6: (22, 62, 79),
    7: (52, 62, 79),
    8: (49, 55, 73, 76),
    9: (38, 73),
    10: (54, 59),
    11: (49, 55, 73),
    12: (49, 62),
    13: (19, 22, 63, 69, 72),
    14: (24, 64, 69),
    15: (23, 24, 49),
    16: (71,),
    18: (49, 73),
    19: (62, 79),
    20: (52, 62),
    21: (49, 68),
    22: (76,),
    23: (24, 69),
    24: (23,),
    25: (76,),
    26: (68, 76),
    27: (76,),
    29: (63, 69, 72, 76),
    31: (68,),
    34: (52, 62),
    35: (62,),
    36: (76,),
    37: (76,),
    40: (75,),
    44: (80,),
    47: (56, 58, 79),
    53: (79,),
    54: (59,),
    63: (76,),
}
"""What each clause of the source says its fan is not combined with."""


def test_bars_are_those_of_the_source():
    """The exclusions as data are those that the clauses name, each under its own clause."""
    named = {
        number: tuple(sorted(other for other, clause in row.excludes.items() if clause == row.clause))
        for number, row in sorted(FANS.items())
    }

    assert {number: bars for number, bars in named.items() if bars} == SOURCE_BARS


def test_decided_exclusions_are_those_of_the_decisions():
    """Where the source is silent RULES 8 says what excludes what. [RULES 8.17] [RULES 8.19]"""
    decided = {
        (number, other): clause
        for number, row in FANS.items()
        for other, clause in row.excludes.items()
        if clause.startswith("RULES")
    }

    assert decided == {
        (16, 72): "RULES 8.19",
        (29, 70): "RULES 8.19",
        (46, 80): "RULES 8.19",
        (48, 66): "RULES 8.17",
    }


def sets_of(number, text, *flags):
    """Return the sets that a fan is made of, the pair last, each by its lowest tile."""
    row = next(row for row in value(text, *flags).fans if row.fan.number == number)
    return [[(str(formed.kind), formed.tile) for formed in group] for group in row.sets]


@pytest.mark.parametrize(
    ("number", "text", "sets"),
    [
        (64, "(777m) (789m) (123s) 77p 11z + 1z", [[("pung", 6), ("chow", 6)]]),
        (64, "(123p) (444s) 789m 345s 6z + 6z", [[("chow", 20), ("pung", 21)]]),
        (64, "(456m) (456s) (456p) 45m 66m + 6m", [[("chow", 3), ("chow", 3), ("pair", 5)]]),
        (17, "(2222m) [3333m] (4444m) 22s 33s + 2s", [[("kong", 1), ("kong", 2), ("kong", 3)]]),
        (57, "(2222s) [5555p] (123m) 68m 77z + 7m", [[("kong", 19), ("kong", 13)]]),
        (48, "[2222s] [5555p] (123m) 68m 77z + 7m", [[("kong", 19), ("kong", 13)]]),
        (67, "(2222s) [5555p] (123m) 68m 77z + 7m", [[("kong", 13)]]),
        (10, "(777z) (666z) (123m) 99p 55z + 9p", [[("pung", 31), ("pung", 32), ("pair", 33)]]),
        (9, "(111z) (333z) (444z) 23s 22z + 1s", [[("pung", 27), ("pung", 29), ("pung", 30), ("pair", 28)]]),
        (79, "(123p) (444s) (789m) 123s 7z + 7z", [[("pair", 31)]]),
        (78, "(123p) (444s) (789m) 13s 77z + 2s", [[("chow", 18)]]),
        (35, "147m 258p 369s 666z 1z + 1z", [[("knitted", 0), ("knitted", 10), ("knitted", 20)]]),
        (66, "(789m) [9999p] 999s 12m 55m + 3m", [[("pung", 26), ("kong", 17)]]),
    ],
)
def test_fan_names_its_sets(number, text, sets):
    """The answer shows of which sets each fan is made. [MCR scoring 1e]"""
    assert sets_of(number, text) == sets


LEVELS = {
    88: range(1, 8),
    64: range(8, 14),
    48: range(14, 16),
    32: range(16, 19),
    24: range(19, 28),
    16: range(28, 34),
    12: range(34, 39),
    8: range(39, 49),
    6: range(49, 55),
    4: range(55, 59),
    2: range(59, 69),
    1: range(69, 82),
}


@pytest.mark.parametrize("level", LEVELS)
def test_numbers_follow_the_levels(level):
    """The table is ordered by value; 48 is two concealed kongs at 8. [RULES 8.15] [RULES 8.17]"""
    assert [FANS[number].value for number in LEVELS[level]] == [level] * len(LEVELS[level])


@pytest.mark.parametrize("row", FANS.values(), ids=lambda row: row.name)
def test_names_are_in_both_languages(row):
    """The Russian name of the table is that of the catalogue, and excluded fans exist."""
    assert translate(row.name, "ru") == row.russian
    assert set(row.excludes) <= set(FANS) - {row.number}
