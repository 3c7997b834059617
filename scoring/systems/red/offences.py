"""The offences of Red mahjong."""

from scoring.problems import gettext_noop
from scoring.systems.offences import Mode, Offence

OFFENCES = (
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
