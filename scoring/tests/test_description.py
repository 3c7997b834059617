"""A regulation in plain sentences, in both languages."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from scoring import criteria
from scoring.description import (
    Difference,
    describe,
    describe_differences,
    describe_house_rules,
    sentences,
)
from scoring.presets import PRESETS
from scoring.regulation import (
    FIELDS,
    AppealRules,
    Carry,
    GivenResult,
    GroupMode,
    GroupTable,
    LadderMode,
    LadderScope,
    LastHand,
    LatenessBand,
    LatenessRules,
    PlaceRule,
    PlayerField,
    Regulation,
    SeatingMode,
    SeatWinds,
    Stage,
    TieRule,
)
from scoring.systems import SYSTEMS
from scoring.words import counted

SBR, MCR, RED, EMA = (PRESETS[code].regulation for code in ("sbr", "mcr", "red", "riichi_ema"))


def said(regulation: Regulation, name: str, language: str = "en", *, system: str = "SBR") -> list[str]:
    return [one.told(language) for one in sentences(name, regulation, system)]


@pytest.mark.parametrize("code", PRESETS)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_field_of_every_preset_is_told_in_whole_sentences(code, language):
    """[RULES 1.1]"""
    told = describe(PRESETS[code].regulation, PRESETS[code].system, language)
    assert all(sentence.endswith(".") and "%(" not in sentence for sentence in told)
    assert len(told) >= len(FIELDS) - 1


@pytest.mark.parametrize("code", PRESETS)
def test_russian_text_is_russian_throughout(code):
    """[RULES 1.1]"""
    english = set(describe(PRESETS[code].regulation, PRESETS[code].system, "en"))
    assert not english & set(describe(PRESETS[code].regulation, PRESETS[code].system, "ru"))


@pytest.mark.parametrize(
    ("changes", "name", "expected"),
    [
        ({}, "tournament_points", ["Tournament points by place, 4 at the table: 4, 3, 2, 1.", "Tournament points by place, 3 at the table: 4, 3, 2."]),
        ({"uma": (Fraction(15), Fraction(1, 2), Fraction(0), Fraction(-15))}, "uma", ["Uma by place, in thousands: 15, 1/2, 0, −15."]),
        ({"warning_minutes": 0}, "warning_minutes", ["The end is not announced beforehand."]),
        ({"hands_limit": 16}, "hands_limit", ["Hands in a session, at most: 16."]),
        ({"smallest_table": 4}, "smallest_table", ["Only full tables play."]),
        ({"keep_apart": (PlayerField.CLUB, PlayerField.CITY)}, "keep_apart", ["Players are kept from one table when they have in common: club, city."]),
        ({"max_players": 28}, "max_players", ["Players, at most: 28."]),
        ({"assistants_substitute": False}, "assistants_substitute", ["The chief referee does not play.", "Assistants of the chief referee may not sit as substitutes."]),
        ({"entry_fee": Decimal("12.5")}, "entry_fee", ["The entry fee is 12.50."]),
        ({"team_size": 4}, "team_size", ["Players in a team: 4."]),
        ({"fixed_result": GivenResult(None, -5, None)}, "fixed_result", ["Who is replaced or absent gets: −5 GP, no place."]),
        ({"fixed_result": GivenResult(Fraction(1, 2), 3, 4)}, "fixed_result", ["Who is replaced or absent gets: 1/2 TP, 3 GP, place 4."]),
        ({"appeals": None}, "appeals", ["Decisions cannot be appealed."]),
        ({"appeals": AppealRules(30, 2, committee=True)}, "appeals", ["Appeals are filed within 30 min after the session; the deposit is 2 × the entry fee.", "The chief referee decides on rules, then the committee; others go to the committee."]),
        ({"appeals": AppealRules(15, 0, committee=False)}, "appeals", ["Appeals are filed within 15 min after the session, without a deposit.", "There is no committee: the chief referee decides all appeals."]),
        ({"lateness": None}, "lateness", ["Lateness costs nothing by itself."]),
        ({}, "lateness", ["Late by less than 10:00: 8 points.", "Late by up to 15:00: 16 points.", "Anyone later is replaced."]),
        ({"lateness": LatenessRules((LatenessBand(below=90, per_minute=2),))}, "lateness", ["Late by less than 1:30: 2 points for every begun minute.", "Anyone later is replaced."]),
        ({"group_tables": (GroupTable(PlayerField.TEAM, GroupMode.BEST, 3, (criteria.GAME_POINTS,)),)}, "group_tables", ["Table by team: the sum of the best members (3), by game points."]),
        ({"tie_rule": TieRule.BEST}, "tie_rule", ["Players with equal points each get what the best of their places brings."]),
        ({"place_rule": PlaceRule.BEST}, "place_rule", ["The place of players with equal points is the best of their places."]),
        ({"tie_rule": TieRule.SEAT_ORDER}, "tie_rule", ["Of players with equal points the one nearest to the first dealer in turn gets what the better place brings."]),
        ({"place_rule": PlaceRule.SEAT_ORDER}, "place_rule", ["Of players with equal points the one nearest to the first dealer in turn has the better place."]),
        ({"uma": (15, 5, -5, -15), "start_points": 25000, "return_points": 30000}, "return_points", ["Oka: at the end everybody returns 30,000 points, and the first takes what is above the start. With uma the places bring, in thousands: 30, 0, −10, −20."]),
        ({}, "return_points", []),
        ({"last_hand": LastHand.RED_ZONE}, "last_hand", ["After the warning only hands that have begun are finished."]),
        ({"seating": SeatingMode.SWISS}, "seating", ["Players are seated by their standing before each session."]),
        ({"seat_winds": SeatWinds.SCHEDULE}, "seat_winds", ["The schedule gives the winds at the table."]),
    ],
)  # fmt: skip
def test_field_is_told(changes, name, expected):
    """[RULES 1.1]"""
    assert said(SBR.but(**changes), name) == expected


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "The entry fee is 12.50 €."), ("ru", "Турнирный взнос: 12,50 €.")],
)
def test_a_fee_is_told_in_its_currency(language, told):
    """[RULES 1.2]"""
    regulation = SBR.but(entry_fee=Decimal("12.5"))
    assert told in describe(regulation, "SBR", language, currency="€")
    assert not any("€" in one for one in describe(SBR, "SBR", language, currency="€"))


def test_where_the_chief_referee_is_final_an_assistants_decision_can_still_be_appealed():
    """[RIICHI reg. 5.4] [RULES 8.53]"""
    (told,) = said(PRESETS["riichi_festival"].regulation, "appeals", system="RIICHI")
    assert told.startswith("The chief referee's decisions are final; a decision of an assistant can be taken")


def test_penalties_are_told_with_offences_by_name():
    """[RULES 1.8] [SBR 2.8.2]"""
    told = said(MCR, "penalties", "ru", system="MCR")
    assert told[1] == (
        "Считаются вместе в сессии: пустое требование. "
        "Штраф за первое, второе и следующие нарушения: 0, 5, 10, 20, 40, 50, 60."
    )
    assert told[-2:] == [
        "«опрокидывание чужой плитки»: штраф назначает судья: от 5 до 60.",
        "«любое другое нарушение»: штраф назначает судья: 5, 10, 20, 40, 50 или 60.",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "A game is an east and a south round; no further rounds are played.",
        "Bets left on the table at the end go to the winner; equal winners share them.",
        "The chief referee does not play.",
        "The three best players are the winner and the two prize-winners.",
        "A hand is never interrupted, whatever the reason.",
        "Players leave the table between hands only, and at most once in 5 minutes.",
        "Nobody discusses hands or open sets during play, or guesses aloud at tiles and waits.",
        "Nobody plays who shows signs of alcohol or drugs.",
        "Points at the start of a session: 30,000 each.",
    ],
)
def test_the_festival_is_told_whole(sentence):
    """[RIICHI reg. 1.4] [RIICHI reg. 5.2.1] [RIICHI reg. 5.2.2] [RIICHI reg. 5.2.3] [RIICHI reg. 5.2.4] [RIICHI reg. 5.5] [RIICHI reg. 6.1.3]"""
    festival = PRESETS["riichi_festival"]
    assert sentence in describe(festival.regulation, "RIICHI", house_rules=festival.house_rules)


def test_numbers_are_written_as_readers_of_the_language_do():
    """Thousands are parted: 8,000 in English, 30 000 in Russian."""
    assert [counted(value, "en") for value in (800, 8000, -30000)] == ["800", "8,000", "−30,000"]
    assert [counted(value, "ru") for value in (800, 8000, -30000)] == ["800", "8000", "−30\u202f000"]


def test_a_system_is_told_only_what_it_needs():
    """No sharing of tournament points where none are given."""
    told = describe(PRESETS["riichi_festival"].regulation, "RIICHI")
    assert not [each for each in told if "split what their places bring" in each]


def test_ladder_of_an_organizer_is_told_by_its_codes():
    """[RULES 1.8]"""
    (ladder,) = SBR.penalties.ladders
    rules = MCR.penalties.__class__(
        SBR.penalties.timing,
        (ladder.__class__(("rudeness",), LadderMode.TOTAL, LadderScope.TOURNAMENT, (0, 5)),),
        {"loud_phone": 12},
        {},
    )
    assert said(SBR.but(penalties=rules), "penalties")[1:] == [
        "Counted together in the tournament: rudeness. What all of them cost, from the first on: 0, 5.",
        "“loud_phone” costs 12 points.",
    ]


def test_settings_of_the_rules_are_told():
    """[RULES 8.23] [RULES 8.24] [RULES 8.25] [RULES 8.27]"""
    assert said(RED, "system_rules", system="RED") == [
        "A win needs no minimum of points.",
        "The special pair is worth 3.",
        "The chaotic hand is worth 12.",
        "There are no jokers.",
        "A hand counts at most 300 points.",
        "With two players the deal passes after a hand without a win.",
    ]
    assert said(MCR, "system_rules", system="MCR") == ["A win needs 8 points without flowers."]
    assert said(EMA, "system_rules", system="RIICHI")[0] == "From 5 han: mangan."


def test_stages_are_told_with_what_is_carried_over_and_who_plays_on():
    """[RULES 9.7]"""
    stages = (Stage(3, Carry.FULL, 16), Stage(5, Carry.HALF, 8), Stage(6, Carry.NONE, None))
    assert said(SBR.but(stages=stages), "stages") == [
        "A new stage begins with session 3.",
        "All points gathered so far are carried over.",
        "The first 16 of the standings play on.",
        "A new stage begins with session 5.",
        "Half of the points gathered so far are carried over.",
        "The first 8 of the standings play on.",
        "A new stage begins with session 6.",
        "Everybody begins it without points.",
    ]


def test_amounts_have_the_decimal_mark_of_the_language():
    """[RULES 1.2]"""
    assert said(SBR.but(entry_fee=Decimal("12.5")), "entry_fee", "ru") == ["Турнирный взнос: 12,50."]


def test_differences_from_the_preset_are_told_side_by_side():
    """[RULES 1.1]"""
    (difference,) = describe_differences(SBR.but(sessions=9), SBR, "SBR", "ru")
    assert difference == Difference("sessions", "Сессии", "RULES 1.1", ("Сессий: 9.",), ("Сессий: 6.",))
    assert describe_differences(SBR, SBR, "SBR") == []


def test_every_offence_that_a_preset_has_a_price_for_is_named_by_its_system():
    """[RULES 1.8] [SBR 2.8.2]"""
    for preset in PRESETS.values():
        policy = preset.regulation.penalties
        priced = {code for ladder in policy.ladders for code in ladder.offences} | {
            *policy.fixed,
            *policy.decision,
        }
        named = {offence.code for offence in SYSTEMS[preset.system].offences if offence.within}
        assert priced - {"*"} <= named


def test_an_offence_is_told_in_the_words_of_its_own_system_or_of_another_that_knows_it():
    """An organizer may put an offence of another system on a ladder. [RULES 1.8]"""
    (ladder,) = SBR.penalties.ladders
    rules = replace(MCR.penalties, ladders=(replace(ladder, offences=("touching", "untidy_tiles")),))
    told = said(MCR.but(penalties=rules), "penalties", "ru", system="MCR")[1]
    assert told.startswith("Считаются вместе в сессии: касание кости в стене, ")
    assert "untidy_tiles" not in told


def test_every_setting_of_every_system_is_told():
    """[RULES 8.23] [RULES 8.24] [RULES 8.25] [RULES 8.27]"""
    for preset in PRESETS.values():
        assert set(preset.regulation.system_rules) <= set(SYSTEMS[preset.system].settings)


@pytest.mark.parametrize("code", PRESETS)
def test_paper_is_reminded_of_no_house_rules_where_there_are_none(code):
    assert describe_house_rules(PRESETS[code].regulation.system_rules, PRESETS[code].system) == []


def test_paper_is_reminded_of_what_a_house_plays_otherwise():
    """[RULES 9.33] [RULES 9.34] [RULES 9.35]"""
    house = {"yakuman": "several", "abortive_draws": ["nine_kinds"], "west_round": 5000, "bets_to": "own"}
    rules = {**EMA.system_rules, **house}
    told = describe_house_rules(rules, "RIICHI")
    assert [sentence[:14] for sentence in told] == ["Yakuman add up", "A hand is brok", "A game is an e"]
    assert not set(told) & set(describe_house_rules(rules, "RIICHI", "ru"))
