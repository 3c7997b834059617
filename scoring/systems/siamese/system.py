"""Siamese sport mahjong as the rest of the program asks for it."""

from dataclasses import replace
from typing import Any

from scoring.problems import Problem, gettext_noop
from scoring.systems.mcr import explanation as mcr
from scoring.systems.mcr.offences import OFFENCES
from scoring.systems.mcr.system import RECORDED, worth
from scoring.systems.mcr.terms import TERMS
from scoring.systems.settings import MINIMUM
from scoring.systems.siamese import explanation
from scoring.systems.siamese.cases import answer
from scoring.systems.siamese.clauses import CLAUSES
from scoring.systems.siamese.legality import legality
from scoring.systems.siamese.play import PAIR, Siamese
from scoring.systems.system import CHANGE, TOTAL, Blank, System, TileValue, Worth


def deals_in_turn(regulation: Any) -> list[Problem]:
    """Refuse an odd number of hands for tables of two: each of them deals as often. [SIAM 24] [RULES 8.49]"""
    hands = regulation.hands_limit
    if regulation.table_size > PAIR or hands is None or hands % PAIR == 0:
        return []
    return [Problem("hands_limit", EVEN_HANDS, "hands_limit", "SIAM 24", {"hands": hands})]


EVEN_HANDS = gettext_noop("Two players deal in turn and play an even number of hands, not %(hands)s.")

SIAMESE = System(
    code="SIAM",
    name=gettext_noop("Siamese MCR"),
    short_name="SIAM",
    ruleset=Siamese.from_rules,
    recorded=replace(
        RECORDED,
        events={**RECORDED.events, "win": frozenset({"winners", "from", "same_turn"})},
        winner_may=frozenset({"without_drawn_tile", "fan_list", "tiles"}),
    ),
    tiles=TileValue(
        explain=explanation.explain,
        facts=mcr.facts,
        fans=mcr.NAMES,
        flags=explanation.MARKS,
        choices=mcr.choices,
        knows_players=True,
        marks=explanation.MARK_NAMES,
    ),
    worth=Worth(worth),
    blank=Blank(
        (
            gettext_noop("First win"),
            gettext_noop("Second win"),
            gettext_noop("Third win"),
            gettext_noop("Fourth win"),
        ),
        (CHANGE, TOTAL),
        (
            gettext_noop(
                "Of each win: who, from whom, points. When somebody has won twice, the others' single wins lapse."
            ),
            gettext_noop(
                "Three players: on a discard 8 and the value from the discarder, 8 from the other; from the wall 8 and the value from each."
            ),
        ),
        is_wide=True,
        knows_dealers=True,
    ),
    offences=OFFENCES,
    clauses=CLAUSES,
    terms=TERMS,
    settings={"minimum": MINIMUM},
    regulation_problems=deals_in_turn,
    legality=legality,
    doors={"siamese_mcr": answer},
    examples_of="MCR",
)
