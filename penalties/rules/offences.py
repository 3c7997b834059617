"""The offences that the rulebooks name, each with its clause, as data for every system."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.problems import gettext_noop
from scoring.regulation import PenaltyRules


class Mode(StrEnum):
    """How an offence is answered."""

    LADDER = "ladder"
    FIXED = "fixed"
    DECISION = "decision"
    DEAD_HAND = "dead_hand"
    GRAVE = "grave"
    IN_HAND = "in_hand"


@dataclass(frozen=True)
class Offence:
    """One offence: its code in the record, its name for people, its clause, and how it is usually answered."""

    code: str
    name: str
    clause: str
    mode: Mode = Mode.DECISION
    to: str = ""


def _numbered(clause: str, mode: Mode, *named: tuple[str, str]) -> tuple[Offence, ...]:
    """Number offences as the clause numbers them."""
    return tuple(
        Offence(code, name, f"{clause} ({number})", mode)
        for number, (code, name) in enumerate(named, start=1)
    )


SICHUAN_MINOR = _numbered(
    "SBR 2.8.2",
    Mode.LADDER,
    ("wrong_draw", gettext_noop("Tile drawn from the wrong place or out of turn")),
    ("empty_claim", gettext_noop("Empty claim of a pung or kong")),
    ("wrong_set_mended", gettext_noop("Wrong pung or kong shown, noticed and mended within the turn")),
    ("touching", gettext_noop("Tile of the wall touched before the discard")),
    ("late_claim", gettext_noop("Claim later than 3 seconds after the discard")),
    ("tiles_shown", gettext_noop("Own tiles shown by accident")),
    ("discard_before_draw", gettext_noop("Discard before drawing from the wall")),
    ("wrong_words", gettext_noop("Wrong words of a claim, or a claim changed")),
    ("set_laid_wrong", gettext_noop("Set laid out wrongly and mended before the turn passed")),
    ("order_of_actions", gettext_noop("Wrong order of actions at a pung or kong")),
    ("untidy_tiles", gettext_noop("Standing tiles not kept in one line")),
)
"""The eleven minor offences of the progressive ladder. [SBR 2.8.2]"""

SICHUAN_DEAD_HAND = _numbered(
    "SBR 2.8.3",
    Mode.DEAD_HAND,
    ("wrong_count", gettext_noop("Wrong number of tiles")),
    ("wrong_set", gettext_noop("Wrong pung or kong shown, and the turn is over")),
    ("wrong_draw_kept", gettext_noop("Tile drawn wrongly and put into the hand")),
    ("tile_not_taken", gettext_noop("Claimed tile not taken from the discards")),
    ("win_withdrawn", gettext_noop("Win declared and withdrawn")),
    ("information", gettext_noop("Unlawful information given to others")),
)
"""The six offences that make a dead hand. [SBR 2.8.3]"""

SICHUAN_GRAVE = _numbered(
    "SBR 2.8.6",
    Mode.GRAVE,
    ("cheating", gettext_noop("Cheating: tiles swapped, stolen or hidden, points given, collusion")),
    ("hints", gettext_noop("Information on a deal obtained from or passed to another player")),
    ("falsification", gettext_noop("Results or protocols falsified")),
    ("unsporting", gettext_noop("Unsporting behaviour")),
)
"""What players are removed or disqualified for. [SBR 2.8.5] [SBR 2.8.6]"""

SICHUAN = (
    *SICHUAN_MINOR,
    Offence("beyond_ladder", gettext_noop("Offence beyond the last step of the ladder"), "SBR 2.8.2"),
    Offence("phone", gettext_noop("Telephone"), "SBR 2.8.4 (6)"),
    *SICHUAN_DEAD_HAND,
    *SICHUAN_GRAVE,
    Offence("disobedience", gettext_noop("Referee's decision not obeyed"), "SBR 2.9.1", Mode.GRAVE),
    Offence("pig", gettext_noop("Pig"), "SBR 2.8.4 (1)", Mode.IN_HAND),
    Offence("false_win", gettext_noop("False win"), "SBR 2.8.4 (2)", Mode.IN_HAND),
)
"""Sichuan, for WMSG as well. [SBR 2.8] [RULES 3]"""

MCR = (
    Offence(
        "empty_claim", gettext_noop("Empty claim of a chow, pung or kong"), "MCR offences 3", Mode.LADDER
    ),
    Offence(
        "touching", gettext_noop("Tile of the wall touched before the discard"), "MCR offences 4", Mode.LADDER
    ),
    Offence(
        "late_claim",
        gettext_noop("Pung claimed later than 3 seconds after the discard"),
        "MCR offences 5",
        Mode.LADDER,
    ),
    Offence(
        "knocked_tile",
        gettext_noop("Another player's tile knocked over"),
        "MCR offences 7",
        to="player",
    ),
    Offence("violation", gettext_noop("Violation of the rules or the regulation"), "MCR penalties 1"),
    Offence("wrong_set", gettext_noop("Wrong chow, pung, kong or flower"), "MCR offences 2", Mode.DEAD_HAND),
    Offence("tile_seen", gettext_noop("Touched tile was seen"), "MCR offences 4", Mode.DEAD_HAND),
    Offence(
        "tiles_shown",
        gettext_noop("Tiles shown before a win was declared, or without declaring it"),
        "MCR offences 11",
        Mode.DEAD_HAND,
    ),
    Offence("wrong_count", gettext_noop("Wrong number of tiles"), "MCR offences 8", Mode.DEAD_HAND),
    Offence(
        "information", gettext_noop("Unlawful information given to others"), "MCR offences 9", Mode.DEAD_HAND
    ),
    Offence(
        "tile_not_taken",
        gettext_noop("Claimed tile not taken from the discards"),
        "MCR offences 11",
        Mode.DEAD_HAND,
    ),
    Offence(
        "reached_over",
        gettext_noop("Discard taken after reaching over it for the wall"),
        "MCR offences 11",
        Mode.DEAD_HAND,
    ),
    Offence(
        "tiles_mixed",
        gettext_noop("Tiles of a win mixed with those it is counted by"),
        "MCR offences 11",
        Mode.DEAD_HAND,
    ),
    Offence("cheating", gettext_noop("Cheating"), "MCR offences 1", Mode.GRAVE),
    Offence("disorder", gettext_noop("Grave disorder during the competition"), "MCR offences 10", Mode.GRAVE),
    Offence("false_win", gettext_noop("False win"), "MCR offences 6", Mode.IN_HAND),
    Offence(
        "exposure",
        gettext_noop("All tiles shown after another's invalid win"),
        "MCR offences 7",
        Mode.IN_HAND,
    ),
)
"""Sport mahjong, for its Siamese form as well. [RULES 4] [RULES 5]"""

RED = (
    Offence(
        "looked_early", gettext_noop("Tiles looked at or felt before the deal was complete"), "RED deal 6"
    ),
    Offence("hasty_draw", gettext_noop("Tile taken too fast for others to claim"), "RED draws 6"),
    Offence(
        "discard_misnamed",
        gettext_noop("Discard named wrongly, so that another claimed it wrongly"),
        "RED draws 8",
    ),
    Offence("wrong_count", gettext_noop("Wrong number of tiles"), "RED count 1", Mode.DEAD_HAND),
    Offence(
        "wrong_set", gettext_noop("Wrong set that can no longer be mended"), "RED claims 4", Mode.DEAD_HAND
    ),
    Offence("cheating", gettext_noop("Cheating"), "RULES 1.8", Mode.GRAVE),
    Offence("unsporting", gettext_noop("Unsporting behaviour"), "RULES 1.8", Mode.GRAVE),
    Offence("false_win", gettext_noop("False win"), "RED penalties 1", Mode.IN_HAND),
)
"""Red mahjong. [RULES 6]"""

RIICHI = (
    Offence("disturbance", gettext_noop("Deliberate disturbance of the tournament"), "RIICHI 5.5"),
    Offence("grave_disturbance", gettext_noop("Grave or repeated disturbance"), "RIICHI 5.5"),
    Offence("phone", gettext_noop("Telephone"), "RIICHI 5.6"),
    Offence("information", gettext_noop("Unlawful information given to others"), "RIICHI 5.4"),
    Offence("wrong_word", gettext_noop("Wrong word for a win, again and again"), "RIICHI 5.1.2"),
    *(
        Offence(code, name, "RIICHI 3.4.7", Mode.DEAD_HAND)
        for code, name in (
            ("win_withdrawn", gettext_noop("Win declared without showing the hand")),
            ("riichi_open", gettext_noop("Riichi with an open hand")),
            ("riichi_wrong", gettext_noop("Riichi not said, or its tile not turned")),
            ("wrong_count", gettext_noop("Wrong number of tiles")),
            ("wrong_set", gettext_noop("Wrong kong, pung or chow")),
            ("swap_calling", gettext_noop("Swap calling")),
        )
    ),
    Offence("tile_not_taken", gettext_noop("Claimed tile not taken in time"), "RIICHI 5.1.1", Mode.DEAD_HAND),
    Offence(
        "win_taken_back",
        gettext_noop("Win changed into another claim without a winning hand"),
        "RIICHI 5.1.3",
        Mode.DEAD_HAND,
    ),
    Offence("cheating", gettext_noop("Cheating"), "RIICHI 5.5", Mode.GRAVE),
    Offence("destructive", gettext_noop("Further destructive behaviour"), "RIICHI 5.5", Mode.GRAVE),
    Offence("chombo", gettext_noop("Chombo"), "RIICHI 3.4.6", Mode.IN_HAND),
)
"""Riichi by EMA. [RIICHI 5.5] [RULES 7]"""

OTHER = Offence("other", gettext_noop("Another offence"), "")
"""An offence that no list names: its clause and description are written by whoever decides. [INTEGRITY 117]"""

CATALOGUE: Mapping[str, tuple[Offence, ...]] = {
    "SBR": SICHUAN,
    "WMSG": SICHUAN,
    "MCR": MCR,
    "SIAM": MCR,
    "RED": RED,
    "RIICHI": RIICHI,
}
"""What every system names. [RULES 1.8]"""


def offences(system: str, rules: PenaltyRules) -> list[Offence]:
    """List what can be given: the system's own offences as the regulation answers them, then the organizer's."""
    named = {offence.code: offence for offence in CATALOGUE[system]}
    own = [Offence(code, code.replace("_", " ").capitalize(), "RULES 1.1") for code in _added(rules, named)]
    return [*(_as_regulated(offence, rules) for offence in (*named.values(), *own)), OTHER]


def offence(system: str, rules: PenaltyRules, code: str) -> Offence | None:
    """Find an offence by its code."""
    return next((one for one in offences(system, rules) if one.code == code), None)


def _added(rules: PenaltyRules, named: Mapping[str, Offence]) -> Iterator[str]:
    """Name the codes that only the regulation knows."""
    known = [
        *(code for ladder in rules.ladders for code in ladder.offences),
        *rules.fixed,
        *(code for code in rules.decision if code != "*"),
    ]
    yield from (code for code in dict.fromkeys(known) if code not in named)


def _as_regulated(offence: Offence, rules: PenaltyRules) -> Offence:
    """Answer an offence as the regulation does: by its ladder, at its price, else as the rulebook says."""
    if rules.ladder_of(offence.code):
        mode = Mode.LADDER
    elif offence.code in rules.fixed:
        mode = Mode.FIXED
    elif offence.mode in {Mode.LADDER, Mode.FIXED}:
        mode = Mode.DECISION
    else:
        mode = offence.mode
    return Offence(offence.code, offence.name, offence.clause, mode, offence.to)
