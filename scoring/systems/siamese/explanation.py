"""One of the two hands of a Siamese deal explained."""

from collections.abc import Mapping
from typing import Any

from scoring.fields import Fields
from scoring.problems import Problem, gettext_noop
from scoring.systems.explained import Explanation, read_flags, read_hand, refuse
from scoring.systems.mcr import explanation as mcr
from scoring.systems.mcr.hand import KIT, refusals
from scoring.systems.siamese.hand import evaluate
from scoring.systems.siamese.payments import shares

OWN_MARKS = ("first_win", "without_drawn_tile")
MARKS = (*mcr.MARKS, *OWN_MARKS)
"""The circumstances of a win that the tiles do not show."""
MARK_NAMES: Mapping[str, str] = {
    **mcr.MARK_NAMES,
    "first_win": gettext_noop("First win of the hand"),
    "without_drawn_tile": gettext_noop("Without the drawn tile"),
}


def explain(fields: Fields, rules: Mapping[str, Any]) -> Explanation:
    """Explain a hand in its best reading; a win that leaves the drawn tile has a drawn tile. [SIAM 17] [RULES 8.49]"""
    hand = read_hand(fields, KIT)
    win = mcr.read_circumstances(fields, most_flowers=0)
    marks = read_flags(fields, OWN_MARKS)
    players = fields.number("players", low=2, high=3, default=3)
    is_unused = "without_drawn_tile" in marks
    wrong = refusals(hand, win, kong_elsewhere=True) if hand else []
    if is_unused and not win.self_drawn:
        wrong.append(Problem("outcome_conflict", NOTHING_DRAWN, "win.without_drawn_tile", "SIAM 17"))
    refuse(fields, wrong)
    value = evaluate(hand, win, first_win=is_unused or "first_win" in marks, drawn_tile_used=not is_unused)
    paid = shares(value.total, self_drawn=win.self_drawn, players=players)
    return mcr.explained(value, hand, rules, paid, all_pay=win.self_drawn or players == 2)


NOTHING_DRAWN = gettext_noop("On a discard no tile was drawn that the win could leave unused.")
