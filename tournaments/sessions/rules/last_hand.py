"""How many hands may still be recorded after the end of a session was called."""

from collections.abc import Iterable
from datetime import datetime

from scoring.problems import Problem, gettext_noop
from scoring.regulation import LastHand

HANDS_AFTER = 1
"""The hands that may end after the signal and are not asked about: the one in play."""


def time_problems(
    last_hand: LastHand, signal: datetime, *, now: datetime, recorded: Iterable[datetime], clock: str
) -> list[Problem]:
    """Return a question about a hand that must have begun after time was called; replayed hands do not count.

    A hand that was kept on a tablet is recorded late, so somebody may answer that it was begun in time; where one more hand
    may follow, that the dice of the one before had just been thrown. [INTEGRITY 102] [RIICHI 5.9]
    """
    played = sum(at > signal for at in recorded)
    if now <= signal or played < HANDS_AFTER:
        return []
    sentence = ONE_MORE_IF if last_hand is LastHand.ONE_MORE else TIME_OVER
    return [Problem("time_over", sentence, clause="RULES 1.4", details={"time": clock})]


ONE_MORE_IF = gettext_noop(
    "The last hand was called at %(time)s; one more is played only if the dice had just been thrown then."
)
TIME_OVER = gettext_noop("Time was called at %(time)s; only the current hand may be finished.")
