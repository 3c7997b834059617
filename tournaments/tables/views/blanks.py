"""The contents of a blank paper protocol: its lines, with the dealers where they are known, and the rows beneath."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.description import describe_house_rules
from scoring.hands import Hand as Deal
from scoring.seats import Seat as SeatWind
from scoring.systems import SYSTEMS, ruleset

Text = str | Promise
USUAL_LINES = 16
MOST_LINES = 64
"""The most lines on a sheet, whatever the regulation allows; a table that plays more hands takes a second one."""


@dataclass(frozen=True)
class PaperLine:
    """One line of the paper: the hand's number and, where it is known beforehand, the dealer and the round."""

    number: int
    dealer: str = ""
    round_wind: str = ""


def lines_of(system: str, regulation: Mapping[str, Any], seats: Sequence[str]) -> list[PaperLine]:
    """Return as many lines as the session has hands; where the deal passes on by itself, with its dealers. [MCR seats] [SIAM 6]

    Without a limit there are as many as fit: what is told of house rules takes the place of some.
    """
    told = len(describe_house_rules(regulation["system_rules"], system))
    count = min(regulation["hands_limit"] or USUAL_LINES - told, MOST_LINES)
    if not SYSTEMS[system].blank.knows_dealers or not seats:
        return [PaperLine(number) for number in range(1, count + 1)]
    rules = ruleset(system, regulation["system_rules"])
    at = rules.start(tuple(SeatWind(seat) for seat in seats))
    lines = []
    for number in range(1, count + 1):
        lines.append(PaperLine(number, str(at.dealer), str(at.round_wind)))
        at = rules.following(Deal(number=number, events=()), at)
    return lines


def closing_rows(regulation: Mapping[str, Any]) -> list[Text]:
    """Return the labels of the rows beneath the hands."""
    last = _("Place, TP") if regulation["tournament_points"] else _("Place")
    return [_("Sum of the hands"), _("Penalties"), _("Result"), last, _("Signature")]


def in_words(system: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns and reminders of a system's paper in the reader's language, the house rules of the event last."""
    blank = SYSTEMS[system].blank
    house_rules = describe_house_rules(rules, system, get_language() or "en")
    return {
        "of_hand": [gettext(column) for column in blank.hand_columns],
        "of_player": [gettext(column) for column in blank.player_columns],
        "reminder": [*(gettext(sentence) for sentence in blank.reminders), *house_rules],
        "is_wide": blank.is_wide,
    }
