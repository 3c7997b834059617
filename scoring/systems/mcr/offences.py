"""The offences of sport mahjong. [MCR offences]"""

from scoring.problems import gettext_noop
from scoring.systems.offences import Mode, Offence

OFFENCES = (
    Offence(
        "empty_claim",
        gettext_noop("Empty claim of a chow, pung or kong"),
        "MCR offences 3",
        Mode.LADDER,
        within=gettext_noop("empty claim"),
    ),
    Offence(
        "touching",
        gettext_noop("Tile of the wall touched before the discard"),
        "MCR offences 4",
        Mode.LADDER,
        within=gettext_noop("touching a tile of the wall"),
    ),
    Offence(
        "late_claim",
        gettext_noop("Pung claimed later than 3 seconds after the discard"),
        "MCR offences 5",
        Mode.LADDER,
        within=gettext_noop("late claim"),
    ),
    Offence(
        "knocked_tile",
        gettext_noop("Another player's tile knocked over"),
        "MCR offences 7",
        to="player",
        within=gettext_noop("knocking over another's tile"),
    ),
    Offence(
        "shown_after_win",
        gettext_noop("All tiles shown after another's valid win"),
        "MCR offences 7",
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
