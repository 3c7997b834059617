"""Sport mahjong as the rest of the program asks for it."""

from collections.abc import Mapping
from typing import Any

from scoring.problems import gettext_noop
from scoring.systems.mcr import explanation
from scoring.systems.mcr.cases import answer
from scoring.systems.mcr.clauses import CLAUSES
from scoring.systems.mcr.examples import EXAMPLES
from scoring.systems.mcr.legality import legality
from scoring.systems.mcr.offences import OFFENCES
from scoring.systems.mcr.play import Mcr, turn_order
from scoring.systems.mcr.terms import TERMS
from scoring.systems.settings import MINIMUM
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

RECORDED = RecordedHand(
    events={
        "win": frozenset({"winners", "from"}),
        "false_win": frozenset({"seat", "kind"}),
        "exposure": frozenset({"seat"}),
        "dead_hand": frozenset({"seat", "offence"}),
    },
    winner_needs=frozenset({"seat", "fans"}),
    winner_may=frozenset({"flowers", "fan_list", "tiles"}),
    false_wins=("below_minimum", "wrong_claim"),
)


def worth(winner: Mapping[str, Any], rules: Mapping[str, Any], is_dealer: bool, is_self_draw: bool) -> int:
    """Return the points of a recorded win with its flowers, one each."""
    return int(winner.get("fans", 0)) + int(winner.get("flowers", 0))


MCR = System(
    code="MCR",
    final_hand_clause="MCR scoring 1d",
    name=gettext_noop("Sport mahjong (MCR)"),
    short_name="MCR",
    ruleset=Mcr.from_rules,
    recorded=RECORDED,
    tiles=TileValue(
        explain=explanation.explain,
        facts=explanation.facts,
        fans=explanation.NAMES,
        flags=explanation.MARKS,
        choices=explanation.choices,
        asks=("flowers",),
        marks=explanation.MARK_NAMES,
    ),
    worth=Worth(worth),
    blank=Blank(
        (WHO, FROM, POINTS, FLOWERS),
        (CHANGE, TOTAL),
        (
            gettext_noop(
                "On a discard: 8 and the value from the discarder, 8 from each other. From the wall: 8 and the value from each."
            ),
        ),
        knows_dealers=True,
    ),
    offences=OFFENCES,
    clauses=CLAUSES,
    examples=EXAMPLES,
    terms=TERMS,
    settings={"minimum": MINIMUM},
    turn_order=turn_order,
    legality=legality,
    doors={"mcr": answer},
)
