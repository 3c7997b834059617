"""What a tablet looks up to refuse an impossible Siamese deal without a connection. [SIAM 4] [SIAM 5] [SIAM 17]"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.seats import SEATS
from scoring.systems.legality import Legality, sentences_of
from scoring.systems.mcr.legality import legality as legality_of_mcr
from scoring.systems.siamese import checks
from scoring.systems.siamese.hand import BARRED_WITHOUT_DRAWN_TILE
from scoring.tiles.tile import DRAGONS

SENTENCES = "ONLY_FIRST_DRAW BOTH_USED NOBODY_USED ONE_TURN GOLDEN_RULE HONORS_OF_ANOTHER"


def legality(rules: Mapping[str, Any]) -> Legality:
    """Return what sport mahjong has, with the sentences of two hands and the fans that need the drawn tile."""
    known = legality_of_mcr(rules)
    more = {
        "barred": [str(number) for number in sorted(BARRED_WITHOUT_DRAWN_TILE)],
        "replacement": checks.REPLACEMENT,
        "honors": {
            "dragons": {"most": len(DRAGONS), "needed": _by_code(checks.DRAGON_SETS)},
            "winds": {"most": len(SEATS), "needed": _by_code(checks.WIND_SETS)},
            "round_wind": str(checks.ROUND_WIND),
            "own_wind": str(checks.OWN_WIND),
        },
    }
    return replace(
        known,
        sentences={**known.sentences, **sentences_of(checks, SENTENCES)},
        tables={**known.tables, **more},
    )


def _by_code(needed: Mapping[int, int]) -> dict[str, int]:
    """Return how many kinds each fan needs, by its code in the record."""
    return {str(number): kinds for number, kinds in needed.items()}
