"""What a tablet looks up to refuse an impossible hand of sport mahjong without a connection. [MCR scoring 1] [RULES 8.48]"""

from collections.abc import Mapping
from typing import Any

from scoring.systems.legality import Legality, sentences_of
from scoring.systems.mcr import checks, lists
from scoring.systems.mcr.fans import FANS
from scoring.systems.mcr.hand import FLOWERS
from scoring.systems.mcr.payments import FALSE_WINS
from scoring.systems.mcr.play import read_minimum

SENTENCES = (
    "GAME_IS_OVER NOT_AT_TABLE HAND_IS_OVER FALSE_WIN_KIND DEAD_TWICE HAND_IS_DEAD NO_WINNER ONE_WINNER WINNER_DISCARDED "
    "FANS_NEEDED BELOW_MINIMUM TOO_MUCH TOO_MANY_FLOWERS FAN_UNKNOWN FAN_TOO_OFTEN FAN_CONTRADICTS FAN_BARRED EXCLUDED "
    "NEVER_TOGETHER NOT_OF_FOUR_CHOWS NO_HAND_HAS FAN_LIST_SUM"
)


def legality(rules: Mapping[str, Any]) -> Legality:
    """Return the sentences, the fans, and every list of fans that a hand can have."""
    return Legality(
        sentences_of(checks, SENTENCES),
        {"fan": {str(number): fan.name for number, fan in FANS.items() if number != FLOWERS}},
        {
            "minimum": read_minimum(rules),
            "most": checks.LARGEST,
            "most_flowers": checks.MOST_FLOWERS,
            "false_wins": list(FALSE_WINS),
            "dead_hands": dict(checks.DEAD_HANDS),
            "fans": {
                str(number): {
                    "points": fan.value,
                    "most": fan.most,
                    "only": fan.only,
                    "clause": fan.clause,
                    "excludes": {str(other): clause for other, clause in fan.excludes.items()},
                }
                for number, fan in FANS.items()
                if number != FLOWERS
            },
            "lists": lists.for_scripts(),
        },
    )
