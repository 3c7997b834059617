"""A logged game of riichi, whatever the file: rounds with what stood on the table, how they ended, and the scores after."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.problems import Problem, Refusal, gettext_noop
from scoring.tiles.tile_hands import TileHand

RED_FIVES = "aka_dora"
"""The fan of red fives, which the rulebook of riichi does not have. [RIICHI 2.4]"""

YAKUMAN = 13
"""The han of a yakuman as logs are read here; yaku of so many stand alone. [RIICHI 4.2.5]"""

BY_ID: tuple[str, ...] = (
    "menzen_tsumo", "riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei", "pinfu", "tanyao", "iipeikou",
    "seat_wind", "seat_wind", "seat_wind", "seat_wind", "round_wind", "round_wind", "round_wind", "round_wind",
    "haku", "hatsu", "chun", "double_riichi", "chiitoitsu", "chanta", "ittsu", "sanshoku_doujun", "sanshoku_doukou",
    "sankantsu", "toitoi", "sanankou", "shousangen", "honroutou", "ryanpeikou", "junchan", "honitsu", "chinitsu",
    "renhou", "tenhou", "chiihou", "daisangen", "suuankou", "suuankou_tanki", "tsuuiisou", "ryuuiisou", "chinroutou",
    "chuuren", "chuuren_nine_waits", "kokushi", "kokushi_thirteen_waits", "daisuushii", "shousuushii", "suukantsu",
    "dora", "ura_dora", RED_FIVES,
)  # fmt: skip
"""Yaku by the numbers that a log in XML gives them."""


@dataclass(frozen=True)
class LoggedTiles:
    """The tiles of a win with the indicators shown, where a log tells them."""

    hand: TileHand
    indicators: tuple[int, ...] = ()
    ura_indicators: tuple[int, ...] = ()


@dataclass(frozen=True)
class LoggedWin:
    """A win as the log has it: who, from whom (the winner on a self-draw), yaku with their han, what it moved."""

    winner: int
    discarder: int
    liable: int | None
    fu: int | None
    yaku: Mapping[str, int]
    yakuman: int
    changes: tuple[int, ...]
    tiles: LoggedTiles | None = None

    @property
    def han(self) -> int:
        """Add up the han, red fives among them."""
        return sum(self.yaku.values())


@dataclass(frozen=True)
class LoggedRound:
    """One round: its number from East 1 on, counters and bets before it, scores before it, riichi that stood, its end.

    `draw` names how a round without a winner ended; `waiting` says who was waiting, `changes` what it moved.
    """

    number: int
    counters: int
    bets: int
    scores: tuple[int, ...]
    riichi: tuple[int, ...] = ()
    wins: tuple[LoggedWin, ...] = ()
    draw: str = ""
    waiting: tuple[int, ...] = ()
    changes: tuple[int, ...] = (0, 0, 0, 0)


@dataclass(frozen=True)
class LoggedGame:
    """A whole game: who played, in the order of seats from the first dealer on, its rounds, and the final scores if told."""

    names: tuple[str, ...]
    rounds: tuple[LoggedRound, ...]
    final: tuple[int, ...] | None = None
    has_red_fives: bool = False


def refuse(code: str, sentence: str, place: str = "", **details: object) -> Refusal:
    """Return the refusal of a file that is no log."""
    return Refusal(Problem(code, sentence, field=place, details=details))


def four(numbers: object, place: str) -> tuple[int, int, int, int]:
    """Read four whole numbers, one for each player; three play by other rules. [RIICHI 2.1]"""
    if (
        isinstance(numbers, list | tuple)
        and len(numbers) == PLAYERS
        and all(type(one) is int for one in numbers)
    ):
        first, second, third, fourth = numbers
        return first, second, third, fourth
    raise refuse("log_numbers", FOUR_NUMBERS, place)


PLAYERS = 4
LAST_ROUND = 15
"""North 4: no log goes further."""
NO_YAKU = gettext_noop("A yaku of this win cannot be read.")
FOUR_PLAY = gettext_noop("Only games of four can be played again.")
FOUR_NUMBERS = gettext_noop("Here stand four whole numbers, one for each player.")
