"""The offences of riichi by EMA. [RIICHI 5.5]"""

from scoring.problems import gettext_noop
from scoring.systems.offences import Mode, Offence

OFFENCES = (
    Offence(
        "disturbance",
        gettext_noop("Deliberate disturbance of the tournament"),
        "RIICHI 5.5",
        within=gettext_noop("disturbance"),
    ),
    Offence(
        "grave_disturbance",
        gettext_noop("Grave or repeated disturbance"),
        "RIICHI 5.5",
        within=gettext_noop("grave or repeated disturbance"),
    ),
    Offence("phone", gettext_noop("Telephone"), "RIICHI 5.6", within=gettext_noop("telephone")),
    Offence("information", gettext_noop("Unlawful information given to others"), "RIICHI 5.4"),
    Offence("deal_interrupted", gettext_noop("Hand in play interrupted"), "RIICHI reg. 5.2.1"),
    Offence("absence", gettext_noop("Left the table during a hand, or too often"), "RIICHI reg. 5.2.2"),
    Offence("discussion", gettext_noop("Players' hands discussed during play"), "RIICHI reg. 5.2.3"),
    Offence("intoxication", gettext_noop("Signs of intoxication"), "RIICHI reg. 5.2.4", Mode.GRAVE),
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
