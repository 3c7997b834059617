"""What a paper protocol of each system has room for: columns of the hand, columns of each player, lines, a reminder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.hands import Hand as Deal
from scoring.rulesets import ruleset
from scoring.seats import Seat as Place

Text = str | Promise
USUAL_LINES = 16
MOST_LINES = 64
"""As many as a sheet is printed with, whatever the regulation allows; who plays more hands takes a second one."""
WITH_KNOWN_DEALERS = frozenset({"MCR", "SIAM"})
"""Systems in which the deal passes on whoever wins, so that the sheet can say who deals."""


@dataclass(frozen=True)
class Form:
    """The paper of one system."""

    of_hand: Sequence[Text]
    of_player: Sequence[Text]
    reminder: Sequence[Text] = ()
    is_wide: bool = False


CHANGE, TOTAL = _("±"), _("Total")
WHO, FROM = _("Winner"), _("From")

SICHUAN_KONGS = _(
    "Kongs: concealed 2 from each still in play, open 2 from the discarder, added 1 from each, delayed nothing."
)
FORMS: Mapping[str, Form] = {
    "SBR": Form(
        (_("Winners in order: fans, from whom"),),
        (_("Kongs"), pgettext_lazy("points of hands won", "Wins"), TOTAL),
        (
            _("Fans 0, 1, 2, 3, 4 and more: base points 1, 2, 4, 8, 16; from the wall one more from each."),
            SICHUAN_KONGS,
            _("Wall is out: mark who waits (W, with the best base), who does not (N), active and passive pigs (A, P)."),
        ),
        is_wide=True,
    ),
    "WMSG": Form(
        (_("Winners in order: fans, from whom"),),
        (_("Kongs"), pgettext_lazy("points of hands won", "Wins"), TOTAL),
        (
            _("Fans 0, 1, 2, 3 and more: base points 1, 2, 4, 8; from the wall one more from each."),
            SICHUAN_KONGS,
            _("Wall is out: mark who waits (W, with the best base), who does not (N), and pigs (P)."),
        ),
        is_wide=True,
    ),
    "MCR": Form(
        (WHO, FROM, _("Points"), _("Flowers")),
        (CHANGE, TOTAL),
        (_("On a discard: 8 and the value from the discarder, 8 from each other. From the wall: 8 and the value from each."),),
    ),
    "SIAM": Form(
        (_("First win"), _("Second win"), _("Third win"), _("Fourth win")),
        (CHANGE, TOTAL),
        (
            _("Of each win: who, from whom, points. When somebody has won twice, the others' single wins lapse."),
            _("Three players: on a discard 8 and the value from the discarder, 8 from the other; from the wall 8 and the value from each."),
        ),
        is_wide=True,
    ),
    "RED": Form(
        (WHO, FROM, _("Points"), _("Flowers")),
        (CHANGE, TOTAL),
        (_("Each flower adds 3. The discarder alone pays; from the wall each pays. A false win: 9 to each."),),
    ),
    "RIICHI": Form(
        (_("Round"), _("Counters"), WHO, FROM, _("Han"), _("Fu")),
        (_("Mark"), CHANGE, TOTAL),
        (
            _("Mark: R who declared riichi (a bet of 1000), W who was waiting at an exhausted wall, C a chombo."),
            _("A counter adds 300. Exhausted wall: 3000 in all from those who are not waiting to those who are."),
        ),
        is_wide=True,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One line of the paper: the hand's number and, where it is known beforehand, the dealer and the round."""

    number: int
    dealer: str = ""
    round_wind: str = ""


def lines_of(system: str, regulation: Mapping[str, Any], seats: Sequence[str]) -> list[Line]:
    """Give as many lines as the session has hands; where the deal passes on by itself, with its dealers. [MCR seats] [SIAM 6]"""
    count = min(regulation["hands_limit"] or USUAL_LINES, MOST_LINES)
    if system not in WITH_KNOWN_DEALERS or not seats:
        return [Line(number) for number in range(1, count + 1)]
    rules = ruleset(system, regulation["system_rules"])
    at = rules.start(tuple(Place(seat) for seat in seats))
    lines = []
    for number in range(1, count + 1):
        lines.append(Line(number, str(at.dealer), str(at.round_wind)))
        at = rules.following(Deal(number=number, events=()), at)
    return lines


def closing_rows(regulation: Mapping[str, Any]) -> list[Text]:
    """Name the rows beneath the hands."""
    last = _("Place, TP") if regulation["tournament_points"] else _("Place")
    return [_("Sum of the hands"), _("Penalties"), _("Result"), last, _("Signature")]
