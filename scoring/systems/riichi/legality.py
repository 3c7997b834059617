"""What a tablet looks up to refuse an impossible hand of riichi without a connection. [RIICHI 3.4] [RIICHI 4.1.1]"""

from collections.abc import Mapping
from typing import Any

from scoring.systems.legality import Legality, sentences_of
from scoring.systems.riichi import checks, declared
from scoring.systems.riichi.fans import YAKUMAN_HAN
from scoring.systems.riichi.limits import BASES, MOST_HAN
from scoring.systems.riichi.play import Riichi

OF_CHECKS = (
    "FOUR_PLAYERS NOTHING_AFTER CHOMBO_ANNULLED NO_OUTCOME TWO_OUTCOMES NO_WINNER WINNER_TWICE DISCARDER_NEEDED "
    "WINNER_DISCARDED DEAD_HAND_WON DEAD_HAND_TWICE DEAD_HAND_WAITING RIICHI_TWICE RIICHI_NOT_READY TENPAI_SEATS "
    "LIABLE_SELF NAGASHI_OFF NAGASHI_FORM ABORT_OFF ABORTED_WITH_OUTCOME FOUR_BETS NINE_KINDS_BET FOUR_RIICHI_END "
    "THREE_WINS_END"
)
OF_VALUES = (
    "HAN_FU HAN_FU_THIS_WAY FU_NEEDED HAN_NEEDED LIMIT_UNKNOWN LIMIT_DIFFERS PAO_UNEXPECTED YAKUMAN_ONCE"
)


def legality(rules: Mapping[str, Any]) -> Legality:
    """Return the sentences, which minipoints go with how many han, and the limits of the regulation."""
    law = Riichi.from_rules("RIICHI", rules)
    return Legality(
        sentences_of(checks, OF_CHECKS) | sentences_of(declared, OF_VALUES),
        tables={
            "players": 4,
            "least_han": {
                "discard": {str(fu): han for fu, han in declared.LEAST_HAN_ON_DISCARD.items()},
                "wall": {str(fu): han for fu, han in declared.LEAST_HAN_FROM_WALL.items()},
            },
            "limits": [list(step) for step in law.limits.least_han],
            "limit_names": list(law.limits.names),
            "mangan": BASES["mangan"],
            "most_han": MOST_HAN,
            "yakuman_han": YAKUMAN_HAN,
            "abortive": sorted(law.abortive_draws),
            "yakuman": str(law.limits.yakuman),
            "nagashi": law.nagashi_mangan,
        },
    )
