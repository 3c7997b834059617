"""Where the two editions of Sichuan differ: amounts, the cap, what returns kong points, and the clauses to cite."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from scoring.hands import KongKind

SBR_CLAUSES: Mapping[str, str] = {
    "shape": "SBR 2.6.1.1",
    "suits": "SBR 2.6.1.2",
    "base": "SBR 2.7.3.2",
    "cap": "SBR 2.7.3.3",
    "discard": "SBR 2.7.3.4",
    "self_draw": "SBR 2.7.3.5",
    "open": "SBR 2.7.2.1",
    "concealed": "SBR 2.7.2.2",
    "added": "SBR 2.7.2.3",
    "delayed": "SBR App. 1",
    "replacement": "SBR 2.7.3.6 (7)",
    "robbed": "SBR 2.7.3.6 (9)",
    "no_wait_kongs": "SBR 2.7.2.4",
    "discard_after_kong": "SBR 2.7.2.5",
    "false_win": "SBR 2.8.4.2",
    "false_win_kongs": "SBR 2.8.4.3",
    "dead_hand": "SBR 2.8.3",
    "no_wait": "SBR 2.7.4.4",
    "pig": "SBR 2.8.4.1",
    "states": "SBR 2.7.4.1",
    "end": "SBR 2.5.8.1",
    "after_end": "SBR 2.6.2.1",
    "out_of_play": "SBR 2.6.2.2",
    "several_wins": "SBR 2.6.2.3",
    "no_kong_without_wall": "SBR 2.5.7",
    "kongs": "RULES 8.46",
    "one_tile": "RULES 8.45",
    "dead_hand_waits": "RULES 8.47",
    "false_winner": "RULES 8.44",
    "copies": "SBR 2.3",
}

WMSG_CLAUSES: Mapping[str, str] = {
    "shape": "WMSG 3.1",
    "suits": "WMSG 3.2",
    "base": "WMSG 9.2",
    "cap": "WMSG 9.3",
    "discard": "WMSG 9.4",
    "self_draw": "WMSG 9.5",
    "open": "WMSG 8.1",
    "concealed": "WMSG 8.3",
    "added": "WMSG 8.2",
    "delayed": "WMSG 8.2",
    "replacement": "WMSG 10.6",
    "robbed": "RULES 8.13",
    "no_wait_kongs": "WMSG 8.5",
    "discard_after_kong": "WMSG 8.4",
    "false_win": "WMSG 11.5",
    "false_win_kongs": "RULES 8.13",
    "dead_hand": "RULES 8.40",
    "no_wait": "WMSG 11.3",
    "pig": "WMSG 11.2",
    "states": "WMSG 11.1",
    "end": "WMSG 4.2",
    "after_end": "WMSG 4.2",
    "out_of_play": "WMSG 7.2",
    "several_wins": "WMSG 3.3",
    "no_kong_without_wall": "SBR 2.5.7",
    "kongs": "RULES 8.46",
    "one_tile": "RULES 8.45",
    "dead_hand_waits": "RULES 8.47",
    "false_winner": "RULES 8.44",
    "copies": "WMSG 1.1",
}

KONG_POINTS: Mapping[KongKind, int] = {
    KongKind.OPEN: 2,
    KongKind.CONCEALED: 2,
    KongKind.ADDED: 1,
    KongKind.DELAYED: 0,
}
"""What a kong earns: an open one from the discarder, the others from each who had not won. [SBR App. 1] [WMSG 8]"""

PIG_FINE = 48
"""What a pig loses and nobody gets. [SBR 2.8.4.1] [WMSG 11.2]"""


class FalseWinner(StrEnum):
    """What becomes of a player after a false win. [RULES 8.44]"""

    OUT = "out"
    PLAYS_ON = "plays_on"


@dataclass(frozen=True)
class Law:
    """One edition: everything in which it may differ from the other, and the reading by which a hand is judged.

    By the first reading of the rulebooks, declared kongs were not held against the hand, every event had a moment of its
    own, and the check could show a dead hand as waiting. [RULES 8.45] [RULES 8.46] [RULES 8.47]
    """

    system: str
    cap: int
    false_win: Mapping[str, int]
    pigs: tuple[str, ...]
    fined_pigs: tuple[str, ...]
    pigs_pay_waiting: bool
    false_win_returns_kongs: bool
    last_win_returns_kongs: bool
    kongs_count_as_quads: bool
    clauses: Mapping[str, str]
    false_winner: FalseWinner = FalseWinner.OUT
    is_first_reading: bool = False

    @property
    def false_winner_is_out(self) -> bool:
        """Return whether who declares a false win takes no further part in the hand. [SBR 2.6.2.2] [WMSG 7.2] [RULES 8.44]"""
        return self.false_winner is FalseWinner.OUT

    @property
    def states(self) -> tuple[str, ...]:
        """List what the check of a hand at the end can show. [SBR 2.7.4.1] [WMSG 11.1]"""
        return ("waiting", "no_wait", *self.pigs)

    @property
    def bases(self) -> tuple[int, ...]:
        """List the base points there are: 1 doubled for each fan up to the cap. [SBR 2.7.3.7] [WMSG 9.3]"""
        return tuple(1 << fans for fans in range(self.cap + 1))

    def base(self, fans: int) -> int:
        """Double 1 for each fan, up to the cap. [SBR 2.7.3.1] [SBR 2.7.3.2] [SBR 2.7.3.3] [WMSG 9.1] [WMSG 9.2] [WMSG 9.3]"""
        return 1 << min(fans, self.cap)


SBR = Law(
    system="SBR",
    cap=4,
    false_win={"waiting": 8, "no_wait": 16},
    pigs=("pig_active", "pig_passive"),
    fined_pigs=("pig_active",),
    pigs_pay_waiting=True,
    false_win_returns_kongs=True,
    last_win_returns_kongs=True,
    kongs_count_as_quads=False,
    clauses=SBR_CLAUSES,
)

WMSG = Law(
    system="WMSG",
    cap=3,
    false_win={"waiting": 8, "no_wait": 8},
    pigs=("pig",),
    fined_pigs=("pig",),
    pigs_pay_waiting=False,
    false_win_returns_kongs=False,
    last_win_returns_kongs=False,
    kongs_count_as_quads=True,
    clauses=WMSG_CLAUSES,
)

LAWS: Mapping[str, Law] = {law.system: law for law in (SBR, WMSG)}


@cache
def law_of(system: str, false_winner: FalseWinner, *, is_first_reading: bool = False) -> Law:
    """Return an edition with the setting of a regulation, as one of the readings has it. [RULES 8.44]"""
    return replace(LAWS[system], false_winner=false_winner, is_first_reading=is_first_reading)
