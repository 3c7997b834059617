"""Facts of one hand as the table recorded them, in the shape in which tablets, the database and records carry them.

A hand holds facts only; dealer, round, counters and payments follow from them (see `scoring.protocol`).
`read_hand` and `write_hand` turn the JSON of docs/RECORD.md ("A hand") into these values and back, value for value.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.seats import Seat


@dataclass(frozen=True)
class Meld:
    """A declared set as recorded: its kind, tiles in record notation, and whether it is open."""

    type: str
    tiles: tuple[str, ...]
    open: bool
    kong: str = ""


@dataclass(frozen=True)
class Tiles:
    """The winning hand tile by tile, in record notation."""

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    winning_tile: str


@dataclass(frozen=True)
class Winner:
    """One winner of a win and the value of the hand, in the terms of the system."""

    seat: Seat
    fans: int | None = None
    flowers: int = 0
    han: int | None = None
    fu: int | None = None
    limit: str = ""
    yakuman: int | None = None
    liable: Seat | None = None
    nagashi: bool = False
    without_drawn_tile: bool = False
    fan_list: Mapping[str, int] | None = None
    yaku: Mapping[str, int] | None = None
    tiles: Tiles | None = None


@dataclass(frozen=True)
class Win:
    """A win: on a discard (or robbed kong) of `discarder`, or a self-draw when there is none."""

    winners: tuple[Winner, ...]
    discarder: Seat | None = None
    replacement_win: bool = False
    discard_after_kong: bool = False
    robbing_kong: bool = False
    last_tile: bool = False
    same_turn: bool = False


class Abort(StrEnum):
    """Why a hand was broken off without a winner, where a regulation allows it. [RULES 9.34]"""

    NINE_KINDS = "nine_kinds"
    FOUR_WINDS = "four_winds"
    FOUR_RIICHI = "four_riichi"
    FOUR_KONGS = "four_kongs"
    THREE_WINS = "three_wins"


class KongKind(StrEnum):
    """How a kong was declared; a delayed kong is an added one that earns nothing."""

    CONCEALED = "concealed"
    OPEN = "open"
    ADDED = "added"
    DELAYED = "delayed"


@dataclass(frozen=True)
class Kong:
    """A declared kong; `discarder` gave the tile of an open one."""

    seat: Seat
    kind: KongKind
    discarder: Seat | None = None
    robbed: bool = False


@dataclass(frozen=True)
class FalseWin:
    """A win declared without right. `kind` says which of the system's false wins it was, where it has several."""

    seat: Seat
    kind: str = ""
    discarder: Seat | None = None
    discard_after_kong: bool = False
    robbing_kong: bool = False


@dataclass(frozen=True)
class Exposure:
    """A seat showed all its tiles after another's invalid win."""

    seat: Seat


@dataclass(frozen=True)
class DeadHand:
    """A seat may win no more in this hand."""

    seat: Seat
    offence: str = ""


@dataclass(frozen=True)
class Chombo:
    """A seat ended the hand unlawfully; it is replayed under the next number."""

    seat: Seat


Event = Win | Kong | FalseWin | Exposure | DeadHand | Chombo


@dataclass(frozen=True)
class Check:
    """What the check of a seat's tiles at the end of the hand showed."""

    state: str
    max_base: int | None = None


@dataclass(frozen=True)
class AsPlayed:
    """How a hand was really dealt, where that does not follow from the hands before it. [RULES 9.23]"""

    dealer: Seat
    round_wind: Seat
    counters: int = 0


@dataclass(frozen=True)
class Hand:
    """One hand: what happened in order, the check at its end or why it was broken off, and whose riichi bets lie on the table.

    `first_reading` marks a hand that was recorded before the second reading of the rulebooks [RULES 8.44]: it is judged
    as it was then. `as_played` says who dealt it, where a referee kept that when an earlier hand was corrected or voided.
    """

    number: int
    events: tuple[Event, ...] = ()
    end: Mapping[Seat, Check] = field(default_factory=dict)
    riichi: tuple[Seat, ...] = ()
    abort: Abort | None = None
    first_reading: bool = False
    as_played: AsPlayed | None = None

    @property
    def wins(self) -> tuple[Win, ...]:
        """List the wins in order; no winner is an empty list."""
        return tuple(event for event in self.events if isinstance(event, Win))
