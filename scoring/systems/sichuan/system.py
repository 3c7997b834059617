"""Sichuan mahjong as the rest of the program asks for it: SBR and WMSG."""

from collections.abc import Mapping
from typing import Any

from scoring.problems import gettext_noop
from scoring.systems.settings import one_of
from scoring.systems.sichuan import explanation, law
from scoring.systems.sichuan.cases import answer
from scoring.systems.sichuan.clauses import CLAUSES
from scoring.systems.sichuan.examples import SBR_EXAMPLES, WMSG_EXAMPLES
from scoring.systems.sichuan.hand import KIT
from scoring.systems.sichuan.law import FalseWinner
from scoring.systems.sichuan.legality import legality_of
from scoring.systems.sichuan.offences import OFFENCES
from scoring.systems.sichuan.play import from_rules
from scoring.systems.sichuan.terms import SBR_TERMS, WMSG_TERMS
from scoring.systems.system import TOTAL, Blank, RecordedHand, System, TileValue, Worth

RECORDED = RecordedHand(
    events={
        "win": frozenset(
            {"winners", "from", "replacement_win", "discard_after_kong", "robbing_kong", "last_tile"}
        ),
        "kong": frozenset({"seat", "kind", "from", "robbed"}),
        "false_win": frozenset({"seat", "kind", "from", "discard_after_kong", "robbing_kong"}),
        "dead_hand": frozenset({"seat", "offence"}),
    },
    winner_needs=frozenset({"seat", "fans"}),
    winner_may=frozenset({"fan_list", "tiles"}),
    false_wins=("waiting", "no_wait"),
    end_states=frozenset({"waiting", "no_wait", "pig_active", "pig_passive", "pig"}),
    end_has_base=True,
    dead_hand_state="no_wait",
)
"""The states of both editions can be read; which of them an edition knows is for its check. [RECORD 3]"""


def _worth(winner: Mapping[str, Any], rules: Mapping[str, Any], is_dealer: bool, is_self_draw: bool) -> int:
    """Return the fans of a recorded win."""
    return int(winner.get("fans", 0))


def _tiles(edition: law.Law, door: str) -> TileValue:
    return TileValue(
        explain=explanation.explain_by(edition),
        facts=explanation.facts,
        fans=explanation.NAMES,
        flags=explanation.FLAGS,
        knows_winds=False,
        says_kong_kinds=True,
        waiting=explanation.waiting_by(door),
        kit=lambda rules: KIT,
        asks=("forbidden_suit",),
    )


def _blank(*reminders: str) -> Blank:
    return Blank(
        (gettext_noop("Winners in order: fans, from whom"),),
        (gettext_noop("Kongs"), gettext_noop("Points won"), TOTAL),
        reminders,
        is_wide=True,
    )


KONGS = gettext_noop(
    "Kongs: concealed 2 from each still in play, open 2 from the discarder, added 1 from each, delayed nothing."
)

FALSE_WINNER = one_of(
    {
        FalseWinner.OUT.value: gettext_noop(
            "Who declares a false win plays no more in the hand: pays and receives nothing later and is not checked at the end."
        ),
        FalseWinner.PLAYS_ON.value: gettext_noop(
            "Who declares a false win plays on, as one who has not won."
        ),
    },
    gettext_noop("After a false win"),
    unsaid=FalseWinner.PLAYS_ON.value,
)
"""Whether a false winner takes further part in the hand; in events that are older than the question they did. [RULES 8.44]"""

SBR = System(
    code="SBR",
    name=gettext_noop("Sichuan (SBR)"),
    short_name="SBR",
    ruleset=from_rules,
    recorded=RECORDED,
    tiles=_tiles(law.SBR, "sichuan_sbr"),
    worth=Worth(_worth, in_fans=True),
    blank=_blank(
        gettext_noop(
            "Fans 0, 1, 2, 3, 4 and more: base points 1, 2, 4, 8, 16; from the wall one more from each."
        ),
        KONGS,
        gettext_noop(
            "Wall is out: mark who waits (W, with the best base), who does not (N), active and passive pigs (A, P)."
        ),
    ),
    offences=OFFENCES,
    clauses=CLAUSES,
    examples=SBR_EXAMPLES,
    terms=SBR_TERMS,
    settings={"false_winner": FALSE_WINNER},
    legality=legality_of(law.SBR),
    doors={"sichuan_sbr": answer},
)

WMSG = System(
    code="WMSG",
    name=gettext_noop("Sichuan Bloody (WMSG)"),
    short_name="WMSG",
    ruleset=from_rules,
    recorded=RECORDED,
    tiles=_tiles(law.WMSG, "sichuan_wmsg"),
    worth=Worth(_worth, in_fans=True),
    blank=_blank(
        gettext_noop("Fans 0, 1, 2, 3 and more: base points 1, 2, 4, 8; from the wall one more from each."),
        KONGS,
        gettext_noop("Wall is out: mark who waits (W, with the best base), who does not (N), and pigs (P)."),
    ),
    offences=OFFENCES,
    clauses=CLAUSES,
    examples=WMSG_EXAMPLES,
    terms=WMSG_TERMS,
    settings={"false_winner": FALSE_WINNER},
    legality=legality_of(law.WMSG),
    doors={"sichuan_wmsg": answer},
)
