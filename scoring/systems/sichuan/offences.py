"""The offences of Sichuan mahjong, in the order of the rulebook. [SBR 2.8]"""

from scoring.problems import gettext_noop
from scoring.systems.offences import Mode, Offence, numbered

SICHUAN_MINOR = numbered(
    "SBR 2.8.2",
    Mode.LADDER,
    (
        "wrong_draw",
        gettext_noop("Tile drawn from the wrong place or out of turn"),
        gettext_noop("wrong draw from the wall"),
    ),
    ("empty_claim", gettext_noop("Empty claim of a pung or kong"), gettext_noop("empty claim")),
    (
        "wrong_set_mended",
        gettext_noop("Wrong pung or kong shown, noticed and mended within the turn"),
        gettext_noop("wrong pung or kong, mended in the same turn"),
    ),
    (
        "touching",
        gettext_noop("Tile of the wall touched before the discard"),
        gettext_noop("touching a tile of the wall"),
    ),
    ("late_claim", gettext_noop("Claim later than 3 seconds after the discard"), gettext_noop("late claim")),
    ("tiles_shown", gettext_noop("Own tiles shown by accident"), gettext_noop("tiles shown by accident")),
    (
        "discard_before_draw",
        gettext_noop("Discard before drawing from the wall"),
        gettext_noop("discard before the draw"),
    ),
    (
        "wrong_words",
        gettext_noop("Wrong words of a claim, or a claim changed"),
        gettext_noop("wrong words of a claim"),
    ),
    (
        "set_laid_wrong",
        gettext_noop("Set laid out wrongly and mended before the turn passed"),
        gettext_noop("set laid out wrongly and mended"),
    ),
    (
        "order_of_actions",
        gettext_noop("Wrong order of actions at a pung or kong"),
        gettext_noop("wrong order of actions"),
    ),
    (
        "untidy_tiles",
        gettext_noop("Standing tiles not kept in one line"),
        gettext_noop("standing tiles not in one row"),
    ),
)
"""The eleven minor offences of the progressive ladder. [SBR 2.8.2]"""

SICHUAN_DEAD_HAND = numbered(
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

SICHUAN_GRAVE = numbered(
    "SBR 2.8.6",
    Mode.GRAVE,
    ("cheating", gettext_noop("Cheating: tiles swapped, stolen or hidden, points given, collusion")),
    ("hints", gettext_noop("Information on a deal obtained from or passed to another player")),
    ("falsification", gettext_noop("Results or protocols falsified")),
    ("unsporting", gettext_noop("Unsporting behaviour")),
)
"""What players are removed or disqualified for. [SBR 2.8.5] [SBR 2.8.6]"""

OFFENCES = (
    *SICHUAN_MINOR,
    Offence(
        "beyond_ladder",
        gettext_noop("Offence beyond the last step of the ladder"),
        "SBR 2.8.2",
        asks_price=True,
    ),
    Offence("phone", gettext_noop("Telephone"), "SBR 2.8.4 (6)", within=gettext_noop("telephone")),
    *SICHUAN_DEAD_HAND,
    *SICHUAN_GRAVE,
    Offence(
        "forbidden_suit_set",
        gettext_noop("Set declared in the forbidden suit"),
        "SBR 2.4.10 (3)",
    ),
    Offence(
        "unauthorised_stop", gettext_noop("Game stopped without a referee's leave"), "SBR 2.9.1", Mode.GRAVE
    ),
    Offence("disobedience", gettext_noop("Referee's decision not obeyed"), "SBR 2.9.1", Mode.GRAVE),
    Offence("pig", gettext_noop("Pig"), "SBR 2.8.4 (1)", Mode.IN_HAND),
    Offence("false_win", gettext_noop("False win"), "SBR 2.8.4 (2)", Mode.IN_HAND),
)
"""Sichuan, for WMSG as well. [SBR 2.8] [RULES 3]"""
