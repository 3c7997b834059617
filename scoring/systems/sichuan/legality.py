"""What a tablet looks up to refuse an impossible Sichuan hand without a connection. [SBR 2.6] [WMSG 3] [RULES 8.45] [RULES 8.46]"""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from scoring.systems.legality import Legality, sentences_of
from scoring.systems.sichuan import checks
from scoring.systems.sichuan import hand as hands
from scoring.systems.sichuan.fans import CIRCUMSTANCE_NAMES, FANS
from scoring.systems.sichuan.law import Law, law_of
from scoring.systems.sichuan.play import from_rules
from scoring.systems.sichuan.possible import MOST_SETS, OtherFans, Shown, other_fans

SENTENCES = (
    "NOT_AT_TABLE OUT_OF_PLAY HAND_IS_DEAD DEAD_TWICE HAND_IS_OVER WINNER_DISCARDED NO_WINNER ONE_DRAWS WINS_TWICE "
    "ORDER_OF_WINNERS FANS_NEEDED FANS_IMPOSSIBLE NO_SUCH_HAND WALL_WAS_OUT ONE_TILE_ONE_EVENT KONG_NOT_BEFORE "
    "KONG_NOT_ROBBED TOO_MANY_KONGS ONLY_ADDED_ROBBED DISCARDER_NEEDED DISCARDER_UNEXPECTED DISCARDER_IS_SELF "
    "FALSE_WIN_KIND FAN_UNKNOWN FAN_TOO_OFTEN FAN_CONTRADICTS FAN_LIST_SUM FAN_LIST_KONGS FANS_APART CHECK_NEEDED "
    "CHECK_OF_WINNER STATE_UNKNOWN MAX_BASE_NEEDED MAX_BASE_UNEXPECTED DEAD_HAND_WAITS"
)
OF_HANDS = "EITHER_KONG ONLY_DISCARD ONLY_SELF_DRAW WALL_IS_NOT_EMPTY"


def legality_of(edition: Law) -> Callable[[Mapping[str, Any]], Legality]:
    """Return what tells the sentences of an edition, its fans, and what hands with any kongs can be worth."""

    def legality(rules: Mapping[str, Any]) -> Legality:
        law = law_of(edition.system, from_rules(edition.system, rules).false_winner)
        return Legality(
            sentences_of(checks, SENTENCES) | sentences_of(hands, OF_HANDS),
            {"fan": {fan.name: fan.title for fan in FANS}},
            {
                "cap": law.cap,
                "false_wins": list(law.false_win),
                "states": list(law.states),
                "false_winner_is_out": law.false_winner_is_out,
                "last_win_returns_kongs": law.last_win_returns_kongs,
                "kongs_count_as_quads": law.kongs_count_as_quads,
                "clauses": dict(law.clauses),
                "circumstances": list(CIRCUMSTANCE_NAMES),
                "fans": {
                    fan.name: {"fans": fan.fans, "most": fan.most, "clause": fan.clause(law)} for fan in FANS
                },
                "other_fans": list(OtherFans._fields),
                "most_sets": MOST_SETS,
                "ways": _ways(),
            },
        )

    return legality


def _ways() -> dict[str, list[list[int]]]:
    """List, by kongs, delayed kongs and pungs shown and by whether the win robs a kong, what else a hand can have. [RULES 8.46]"""
    ways = {}
    for kongs, delayed, pungs, robs in product(*[range(MOST_SETS + 1)] * 3, (False, True)):
        found = sorted(other_fans(Shown(kongs, delayed, pungs), robs=robs))
        if found:
            ways[f"{kongs} {delayed} {pungs}{' robs' if robs else ''}"] = [list(one) for one in found]
    return ways
