"""Red mahjong as the rest of the program asks for it."""

from collections.abc import Mapping
from typing import Any

from scoring import parsers
from scoring.problems import Problem, gettext_noop
from scoring.systems.red import explanation
from scoring.systems.red.cases import answer
from scoring.systems.red.clauses import CLAUSES
from scoring.systems.red.examples import EXAMPLES
from scoring.systems.red.law import Law
from scoring.systems.red.legality import legality
from scoring.systems.red.offences import OFFENCES
from scoring.systems.red.play import Red
from scoring.systems.red.terms import TERMS
from scoring.systems.settings import MINIMUM, amount, either, one_of
from scoring.systems.system import (
    CHANGE,
    FLOWERS,
    FROM,
    POINTS,
    TOTAL,
    WHO,
    Blank,
    RecordedHand,
    System,
    TileValue,
    Worth,
)


def _worth(winner: Mapping[str, Any], rules: Mapping[str, Any], is_dealer: bool, is_self_draw: bool) -> int:
    """Return the points of a recorded win with its flowers, before the cap."""
    return int(winner.get("fans", 0)) + explanation.FLOWER_POINTS * int(winner.get("flowers", 0))


def _chaotic_is_3_or_12(rules: Mapping[str, Any], path: str) -> list[Problem]:
    """Refuse other values of the chaotic hand. [RED fan 11] [RULES 8.24]"""
    if rules.get("chaotic_hand", 3) in (3, 12):
        return []
    return [Problem("out_of_range", CHAOTIC, field=parsers.join(path, "chaotic_hand"), clause="RED fan 11")]


CHAOTIC = gettext_noop("The chaotic hand is worth 3 or 12.")

RED = System(
    code="RED",
    name=gettext_noop("Red mahjong"),
    short_name="RED",
    ruleset=Red.from_rules,
    recorded=RecordedHand(
        events={
            "win": frozenset({"winners", "from"}),
            "false_win": frozenset({"seat"}),
            "dead_hand": frozenset({"seat", "offence"}),
        },
        winner_needs=frozenset({"seat", "fans"}),
        winner_may=frozenset({"flowers", "fan_list", "tiles"}),
    ),
    tiles=TileValue(
        explain=explanation.explain,
        facts=explanation.facts,
        fans=explanation.NAMES,
        choices=explanation.choices,
        knows_winds=False,
        kit=lambda rules: Law(**rules).kit,
        asks=("flowers",),
    ),
    worth=Worth(_worth),
    blank=Blank(
        (WHO, FROM, POINTS, FLOWERS),
        (CHANGE, TOTAL),
        (
            gettext_noop(
                "Each flower adds 3. The discarder alone pays; from the wall each pays. A false win: 9 to each."
            ),
        ),
    ),
    offences=OFFENCES,
    clauses=CLAUSES,
    examples=EXAMPLES,
    terms=TERMS,
    settings={
        "minimum": MINIMUM,
        "special_pair": amount(
            gettext_noop("Special pair"), gettext_noop("The special pair is worth %(points)s."), 2, 3
        ),
        "chaotic_hand": amount(
            gettext_noop("Chaotic hand"), gettext_noop("The chaotic hand is worth %(points)s."), 3, 12
        ),
        "jokers": either(
            gettext_noop("Jokers are in play."), gettext_noop("There are no jokers."), gettext_noop("Jokers")
        ),
        "limit": amount(
            gettext_noop("Most points of a hand"), gettext_noop("A hand counts at most %(points)s points."), 1
        ),
        "two_players_no_win": one_of(
            {
                "passes": gettext_noop("With two players the deal passes after a hand without a win."),
                "stays": gettext_noop("With two players the deal stays after a hand without a win."),
            },
            gettext_noop("Two players, no win"),
        ),
    },
    setting_problems=_chaotic_is_3_or_12,
    legality=legality,
    doors={"red": answer},
)
