"""The shipped pairs of ruleset and regulation: what a new tournament begins from."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

from scoring import criteria
from scoring.problems import gettext_noop
from scoring.regulation import (
    AppealRules,
    Bounds,
    GivenResult,
    Ladder,
    LadderMode,
    LadderScope,
    LastHand,
    LatenessBand,
    LatenessRules,
    PenaltyRules,
    PlaceRule,
    ProtocolMode,
    Regulation,
    SeatingMode,
    SeatWinds,
    TieRule,
    Timing,
)


@dataclass(frozen=True)
class Preset:
    """A ruleset with the regulation that comes with it; the name is English, marked for translation."""

    code: str
    system: str
    name: str
    regulation: Regulation
    house_rules: tuple[str, ...] = ()
    """What its organizers ask of people besides: sentences that the program tells and does not carry out."""


def _points(*rows: tuple[int, ...]) -> dict[int, tuple[Fraction, ...]]:
    return {len(row): tuple(Fraction(points) for points in row) for row in rows}


def _fixed(place: int) -> GivenResult:
    """Nothing, and the last place: for who is replaced or absent. [RULES 8.32]"""
    return GivenResult(Fraction(0), 0, place)


AWARDED = GivenResult(Fraction(3), 0, 2)
"""Three TP for players left over. [SBR 3.1.4] [RULES 8.32]"""

BY_POINTS = (
    criteria.TOURNAMENT_POINTS,
    criteria.GAME_POINTS,
    criteria.FIRST_PLACES,
    criteria.HEAD_TO_HEAD,
)
"""Total TP, total GP, first places, head-to-head. [RULES 1.7]"""

SICHUAN_OFFENCES = (
    "wrong_draw",
    "empty_claim",
    "wrong_set_mended",
    "touching",
    "late_claim",
    "tiles_shown",
    "discard_before_draw",
    "wrong_words",
    "set_laid_wrong",
    "order_of_actions",
    "untidy_tiles",
)
"""The eleven minor offences, in the order of the clause. [SBR 2.8.2]"""

SICHUAN_PENALTIES = PenaltyRules(
    timing=Timing.BEFORE,
    ladders=(
        Ladder((*SICHUAN_OFFENCES, "phone"), LadderMode.TOTAL, LadderScope.SESSION, (0, 2, 4, 8, 16, 24, 48)),
    ),
    fixed={},
    decision={},
)
"""One ladder for all minor offences and telephones: the step reached is what they cost together. [SBR 2.8.2] [RULES 8.1] [RULES 8.57]"""

SICHUAN_LATENESS = LatenessRules((LatenessBand(below=600, points=8), LatenessBand(up_to=900, points=16)))
"""Under ten minutes 8, up to fifteen 16, then the player is replaced. [SBR 2.8.4.5] [RULES 8.2]"""

MCR_STEPS = (0, 5, 10, 20, 40, 50, 60)

MCR_PENALTIES = PenaltyRules(
    timing=Timing.BEFORE,
    ladders=(
        Ladder(("empty_claim",), LadderMode.EACH, LadderScope.SESSION, MCR_STEPS),
        Ladder(("touching",), LadderMode.EACH, LadderScope.SESSION, MCR_STEPS),
        Ladder(("late_claim",), LadderMode.EACH, LadderScope.ROUND, MCR_STEPS),
    ),
    fixed={},
    decision={"knocked_tile": Bounds(least=5, most=60), "*": Bounds(amounts=MCR_STEPS[1:])},
)
"""A ladder for each of three offences, every offence at its own step. [RULES 4] [RULES 8.38]"""

RIICHI_PENALTIES = PenaltyRules(
    timing=Timing.AFTER,
    ladders=(),
    fixed={},
    decision={
        "disturbance": Bounds(amounts=(8000, 12000)),
        "grave_disturbance": Bounds(least=12000, most=48000),
    },
)
"""By decision, taken after the game, so that places at the table stay. [RIICHI 5.5]"""

RIICHI_LATENESS = LatenessRules((LatenessBand(up_to=600, per_minute=1000),))
"""A thousand for every begun minute up to ten, then the player is replaced. [RIICHI 5.7] [RULES 8.5]"""

SBR = Regulation(
    sessions=6,
    session_minutes=60,
    warning_minutes=15,
    last_hand=LastHand.FINISH_BEGUN,
    hands_limit=None,
    table_size=4,
    smallest_table=3,
    seating=SeatingMode.RANDOM,
    seat_winds=SeatWinds.DRAW,
    keep_apart=(),
    max_players=None,
    assistants_substitute=True,
    entry_fee=Decimal(0),
    team_size=None,
    protocol=ProtocolMode.HANDS,
    start_points=0,
    points_unit=1,
    tournament_points=_points((4, 3, 2, 1), (4, 3, 2)),
    tie_rule=TieRule.SPLIT,
    place_rule=PlaceRule.AVERAGE,
    uma=None,
    fixed_result=_fixed(4),
    awarded_result=AWARDED,
    ranking=BY_POINTS,
    group_tables=(),
    penalties=SICHUAN_PENALTIES,
    lateness=SICHUAN_LATENESS,
    appeals=AppealRules(minutes=30, deposit_fees=2, committee=True),
    system_rules={"false_winner": "out"},
    stages=(),
)
"""Sichuan by SBR. [SBR 2.4.4] [SBR 2.7.5] [SBR 2.8] [SBR 2.9] [RULES 8.44] [RULES 9.1]"""

WMSG = SBR.but(appeals=AppealRules(minutes=30, deposit_fees=2, committee=False))
"""Sichuan Bloody: as SBR, without a committee. [RULES 8.3]"""

MCR = WMSG.but(
    sessions=4,
    session_minutes=120,
    hands_limit=16,
    smallest_table=4,
    tournament_points=_points((4, 2, 1, 0)),
    penalties=MCR_PENALTIES,
    lateness=None,
    system_rules={"minimum": 8},
)
"""Sport mahjong: sixteen hands, TP 4/2/1/0. [RULES 4] [RULES 8.3] [RULES 8.37]"""

SIAMESE = MCR.but(
    hands_limit=12,
    table_size=3,
    smallest_table=2,
    tournament_points=_points((4, 2, 1), (2, 0)),
    fixed_result=_fixed(3),
)
"""Siamese: three players, twelve hands. [RULES 5] [RULES 8.3]"""

RED = WMSG.but(
    smallest_table=2,
    tournament_points=_points((4, 3, 2, 1), (4, 3, 2), (4, 3)),
    penalties=PenaltyRules(Timing.BEFORE, (), {}, {"*": Bounds(least=1, most=30)}),
    lateness=None,
    system_rules={
        "minimum": 0,
        "special_pair": 3,
        "chaotic_hand": 12,
        "jokers": False,
        "limit": 300,
        "two_players_no_win": "passes",
    },
)
"""Red mahjong for two to four. [RULES 6] [RULES 8.23] [RULES 8.24] [RULES 8.25] [RULES 8.33] [RULES 8.58]"""

RIICHI_EMA = SBR.but(
    session_minutes=105,
    last_hand=LastHand.ONE_MORE,
    smallest_table=4,
    start_points=30000,
    points_unit=100,
    tournament_points=None,
    uma=(Fraction(15), Fraction(5), Fraction(-5), Fraction(-15)),
    ranking=(criteria.UMA_SCORE, criteria.FIRST_PLACES),
    penalties=RIICHI_PENALTIES,
    lateness=RIICHI_LATENESS,
    appeals=None,
    system_rules={
        "limits": {"5": "mangan", "6": "haneman", "8": "baiman", "11": "sanbaiman", "13": "counted_yakuman"},
        "nagashi_mangan": False,
    },
)
"""Riichi by EMA with uma. [RIICHI 5.9] [RULES 1.7] [RULES 8.27] [RULES 8.37]"""

RIICHI_FESTIVAL = RIICHI_EMA.but(
    sessions=4,
    warning_minutes=10,
    last_hand=LastHand.RED_ZONE,
    max_players=28,
    protocol=ProtocolMode.FINAL_RESULT,
    uma=None,
    ranking=(
        criteria.AVERAGE_PLACE,
        criteria.POINTS,
        criteria.PLACE_VARIANCE,
        criteria.POINTS_SPREAD,
    ),
)
"""Riichi of the festival: sticks, and places first. [RIICHI reg. 1.3] [RIICHI reg. 6] [RULES 7]"""

FESTIVAL_RULES = (
    gettext_noop("The three best players are the winner and the two prize-winners."),
    gettext_noop("A hand is never interrupted, whatever the reason."),
    gettext_noop("Players leave the table between hands only, and at most once in 5 minutes."),
    gettext_noop("Nobody discusses hands or open sets during play, or guesses aloud at tiles and waits."),
    gettext_noop("Nobody plays who shows signs of alcohol or drugs."),
)
"""[RIICHI reg. 1.4] [RIICHI reg. 5.2.1] [RIICHI reg. 5.2.2] [RIICHI reg. 5.2.3] [RIICHI reg. 5.2.4]"""

_all: dict[str, Preset] = {
    preset.code: preset
    for preset in (
        Preset("sbr", "SBR", gettext_noop("Sichuan mahjong, SBR"), SBR),
        Preset("wmsg", "WMSG", gettext_noop("Sichuan Bloody, WMSG"), WMSG),
        Preset("mcr", "MCR", gettext_noop("Sport mahjong, MCR"), MCR),
        Preset("siamese", "SIAM", gettext_noop("Siamese mahjong, MCR for three"), SIAMESE),
        Preset("red", "RED", gettext_noop("Red mahjong"), RED),
        Preset("riichi_ema", "RIICHI", gettext_noop("Riichi, EMA with uma"), RIICHI_EMA),
        Preset(
            "riichi_festival",
            "RIICHI",
            gettext_noop("Riichi, festival regulation"),
            RIICHI_FESTIVAL,
            FESTIVAL_RULES,
        ),
    )
}
PRESETS: Mapping[str, Preset] = MappingProxyType(_all)
"""Every preset by its code; the first of a system is its usual one. [RULES 1.1]"""


def register(added: Preset) -> None:
    """Make a preset known beside the shipped ones; to be called before the site starts, for forms and API list them then."""
    if added.code in _all:
        raise ValueError(f"There is a preset {added.code} already.")
    _all[added.code] = added
