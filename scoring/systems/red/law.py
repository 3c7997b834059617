"""What organizers may choose in Red mahjong. [RULES 8.23] [RULES 8.24] [RULES 8.25]"""

from dataclasses import dataclass

from scoring.systems.red.fans import CHAOTIC_HAND, FANS, SPECIAL_PAIR
from scoring.tiles.readings import SetKind
from scoring.tiles.tile import JOKER, PLAYABLE
from scoring.tiles.tile_hands import Kit

CLAIMS = (SetKind.CHOW, SetKind.PUNG)
"""There are no kongs. [RED pung 5]"""


@dataclass(frozen=True)
class Law:
    """The settings: minimum to win (none by default), two values, jokers, the cap, the dealer of two after no win.

    A hand of the first reading is not asked whether any hand has its list of fans. [RED scoring 3] [RULES 8.25] [RECORD 7]
    """

    minimum: int = 0
    special_pair: int = 3
    chaotic_hand: int = 12
    jokers: bool = False
    limit: int = 300
    two_players_no_win: str = "passes"
    is_first_reading: bool = False

    @property
    def kit(self) -> Kit:
        """Return the tiles in play: 136 in sets, four jokers where they are used; flowers stand apart. [RED tiles 2]"""
        return Kit(tiles=PLAYABLE | {JOKER} if self.jokers else PLAYABLE, claims=CLAIMS)

    def points(self, number: int) -> int:
        """Return the value of a fan. [RED fan 7] [RED fan 11] [RULES 8.23]"""
        if number == SPECIAL_PAIR:
            return self.special_pair
        return self.chaotic_hand if number == CHAOTIC_HAND else FANS[number - 1].points

    def capped(self, points: int) -> int:
        """Hold the value of a hand at the cap, flowers and all. [RED scoring 5]"""
        return min(points, self.limit)
