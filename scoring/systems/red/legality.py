"""What a tablet looks up to refuse an impossible hand of Red mahjong without a connection. [RED scoring 2] [RED scoring 4]"""

from collections.abc import Mapping
from typing import Any

from scoring.systems.legality import Legality, sentences_of
from scoring.systems.red import checks, lists
from scoring.systems.red.explanation import NAMES
from scoring.systems.red.fans import FANS, FLOWER
from scoring.systems.red.hand import MOST_FLOWERS
from scoring.systems.red.law import Law

SENTENCES = (
    "PLAYERS NOT_AT_TABLE NOTHING_AFTER NO_WINNER ONE_WINNER WINNER_DISCARDED DEAD_HAND_WON DEAD_HAND_TWICE FANS_NEEDED "
    "FANS_RANGE FLOWERS_RANGE BELOW_MINIMUM FAN_UNKNOWN FAN_COUNT FAN_FLOWERS FAN_SUM FANS_APART NO_HAND_HAS"
)


def legality(rules: Mapping[str, Any]) -> Legality:
    """Return the sentences, every list of fans there is, and the fans with their values and what they do not go with."""
    law = Law(**rules)
    return Legality(
        sentences_of(checks, SENTENCES),
        {"fan": NAMES},
        {
            "players": [2, 4],
            "minimum": law.minimum,
            "most": checks.MOST_POINTS,
            "most_flowers": MOST_FLOWERS,
            "flower": str(FLOWER),
            "lists": [*lists.known(with_jokers=law.jokers)],
            "fans": {
                str(fan.number): {
                    "points": law.points(fan.number),
                    "most": fan.most,
                    "clause": fan.clause,
                    "apart": [str(one) for one in checks.apart(fan.number, with_jokers=law.jokers)],
                }
                for fan in FANS
            },
        },
    )
