"""What one of the two hands of a Siamese deal is worth: sport mahjong without flowers. [SIAM 7]"""

from scoring.systems.mcr.hand import HandValue
from scoring.systems.mcr.hand import evaluate as evaluate_mcr
from scoring.systems.mcr.views import Circumstances
from scoring.tiles.tile_hands import TileHand

BARRED_WITHOUT_DRAWN_TILE = frozenset({4, 46, 58, 77, 78, 79})
"""What a first win may not count when it does not use the tile just drawn. [SIAM 17] [RULES 8.22]"""


def barred_fans(*, self_drawn: bool, first_win: bool, drawn_tile_used: bool) -> frozenset[int]:
    """List the fans that a win may not count. On a discard no tile was drawn. [SIAM 17] [RULES 8.22]"""
    is_barred = self_drawn and first_win and not drawn_tile_used
    return BARRED_WITHOUT_DRAWN_TILE if is_barred else frozenset()


def evaluate(
    hand: TileHand, win: Circumstances, *, first_win: bool = False, drawn_tile_used: bool = True
) -> HandValue:
    """Value a checked hand at its most. [SIAM 12] [SIAM 17]"""
    barred = barred_fans(self_drawn=win.self_drawn, first_win=first_win, drawn_tile_used=drawn_tile_used)
    return evaluate_mcr(hand, win, barred)
