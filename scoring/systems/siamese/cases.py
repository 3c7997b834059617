"""The Siamese cases of docs/HANDS.md: a JSON case in, exactly the promised fields out, or a refusal."""

from collections.abc import Callable, Mapping

from scoring.fields import Fields
from scoring.hands import Win, Winner
from scoring.problems import gettext_noop
from scoring.seats import SEATS, Seat
from scoring.systems.mcr.cases import Answer, list_fans, read_hand
from scoring.systems.mcr.checks import BELOW_MINIMUM, HAND_IS_OVER, LARGEST, WINNER_DISCARDED
from scoring.systems.mcr.hand import MINIMUM, refusals
from scoring.systems.siamese.checks import GOLDEN_RULE
from scoring.systems.siamese.hand import evaluate
from scoring.systems.siamese.payments import counted_wins, who_won_twice, win_points

PAIR = 2


def answer(case: Mapping[str, object]) -> Answer:
    """Answer one case, or refuse it with all its problems."""
    fields = Fields(case)
    fields.ignore("id", "ruleset")
    kind = fields.choice("kind", ANSWERS, default="hand")
    fields.refuse()
    return ANSWERS[kind](fields)


def answer_hand(fields: Fields) -> Answer:
    """Value one of a player's two hands; there are no flowers. [SIAM 7] [SIAM 12] [SIAM 17]"""
    win = fields.inner("win")
    first_win, drawn_tile_used = win.flag("first_win"), win.flag("drawn_tile_used")
    hand, circumstances = read_hand(fields, win, most_flowers=0)
    fields.finish()
    if hand:
        fields.problems.extend(refusals(hand, circumstances, kong_elsewhere=True))
    fields.refuse()
    assert hand is not None
    value = evaluate(hand, circumstances, first_win=first_win, drawn_tile_used=drawn_tile_used)
    return {"fans": list_fans(value), "total": value.total}


def answer_deal(fields: Fields) -> Answer:
    """Return which wins of a deal count and what they move. [SIAM 3] [SIAM 13] [SIAM 14]"""
    seats = SEATS[: fields.number("players", low=2, high=3)]
    wins: list[Win] = []
    for row in fields.objects("wins_in_order"):
        before = len(fields.problems)
        win = _read_win(row, seats)
        if len(fields.problems) == before:
            _check_win(row, win, wins)
            wins.append(win)
    fields.finish()
    fields.refuse()
    counted = counted_wins([win.winners[0].seat for win in wins])
    final = dict.fromkeys(seats, 0)
    for index in counted:
        winner = wins[index].winners[0]
        for seat, points in win_points(winner.seat, wins[index].discarder, winner.fans or 0, seats).items():
            final[seat] += points
    return {
        "counted_wins": [index + 1 for index in counted],
        "final": {str(seat): final[seat] for seat in seats},
    }


ANSWERS: Mapping[str, Callable[[Fields], Answer]] = {"hand": answer_hand, "deal": answer_deal}


def _read_win(row: Fields, seats: tuple[Seat, ...]) -> Win:
    """Read a win; a wrong field has noted its problem and leaves a harmless value.

    Of two players the other one discarded, and pays the same either way. [SIAM 23]
    """
    seat = row.seat("player", seats) or seats[0]
    points = row.number("points", high=LARGEST)
    by = row.choice("by", ("discard", "self_draw"))
    discarder = row.seat("discarder", seats, needed=False)
    row.finish()
    if by == "discard" and not row.has("discarder") and len(seats) > PAIR:
        row.problem("discarder_needed", DISCARDER_NEEDED, "discarder", clause="SIAM 16")
    if by == "self_draw" and row.has("discarder"):
        row.problem("discarder_unexpected", DISCARDER_UNEXPECTED, "discarder", clause="SIAM 15")
    if discarder == seat:
        row.problem("winner_is_discarder", WINNER_DISCARDED, "discarder", clause="MCR winning 2d")
    return Win((Winner(seat, fans=points),), discarder)


def _check_win(row: Fields, win: Win, before: list[Win]) -> None:
    """Hold a win against the minimum and those before it. [MCR scoring 1a] [SIAM 3] [SIAM 4]"""
    winner = win.winners[0]
    points = winner.fans or 0
    if points < MINIMUM:
        row.problem(
            "below_minimum", BELOW_MINIMUM, "points", clause="MCR scoring 1a", minimum=MINIMUM, points=points
        )
    if who_won_twice([one.winners[0].seat for one in before]):
        row.problem("outcome_conflict", HAND_IS_OVER, clause="SIAM 3")
    first = next((one.winners[0].fans or 0 for one in before if one.winners[0].seat == winner.seat), 0)
    if points < first:
        row.problem("golden_rule", GOLDEN_RULE, "points", clause="SIAM 4", first=first, second=points)


DISCARDER_NEEDED = gettext_noop("Choose whose discard it was.")
DISCARDER_UNEXPECTED = gettext_noop("A self-draw has no discarder; remove it.")
