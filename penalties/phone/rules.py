"""What a tap on an offence gives, which other prices a long press offers, and in which order offences stand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from penalties.ladder.rules.ladder import limit
from scoring.regulation import Bounds, PenaltyRules
from scoring.systems.offences import Mode, Offence


class Tap(StrEnum):
    """What a tap on an offence gives at once; `choose` asks for the price, because the regulation leaves it to the referee."""

    LADDER = "ladder"
    FIXED = "fixed"
    DEAD_HAND = "dead_hand"
    WARNING = "warning"
    CHOOSE = "choose"


FIRST = (Tap.LADDER, Tap.FIXED, Tap.DEAD_HAND, Tap.WARNING, Tap.CHOOSE)
"""The order of offences that nobody has committed yet: what one tap gives comes first."""
ROUND_DIGITS = (1, 2, 3, 5)


def tap(offence: Offence, rules: PenaltyRules) -> Tap:
    """Return what a tap on an offence gives: what the regulation says, else the mildest answer, a warning. [RULES 1.8]

    Nothing is guessed where the regulation names several prices for this very offence, where somebody else receives the points,
    where players are sent away, or beyond the last step of a ladder. [RIICHI 5.5] [SBR 2.8.2] [SBR 2.8.5]
    """
    if offence.mode is Mode.LADDER:
        return Tap.LADDER
    if offence.mode is Mode.FIXED:
        return Tap.FIXED
    if offence.mode is Mode.DEAD_HAND:
        return Tap.DEAD_HAND
    if offence.mode is Mode.GRAVE or offence.to or offence.asks_price or offence.code in rules.decision:
        return Tap.CHOOSE
    return Tap.WARNING


def prices(code: str, rules: PenaltyRules, *, unit: int, is_chief: bool) -> list[int]:
    """List the prices that a referee can choose for an offence: those of its bounds, else those that the regulation names. [RULES 1.8]

    A wide span is offered by its ends and the round numbers between them.
    """
    bounds = rules.bounds_of(code)
    offered = _within(bounds) if bounds is not None else _named(rules)
    most = limit(rules)
    return sorted({one for one in offered if one > 0 and one % unit == 0 and (is_chief or one <= most)})


def _within(bounds: Bounds) -> Iterator[int]:
    if bounds.least is None or bounds.most is None:
        yield from bounds.amounts
        return
    yield from (bounds.least, bounds.most)
    power = 1
    while power <= bounds.most:
        yield from (digit * power for digit in ROUND_DIGITS if bounds.least < digit * power < bounds.most)
        power *= 10


def _named(rules: PenaltyRules) -> Iterator[int]:
    for ladder in rules.ladders:
        yield from ladder.steps
    yield from rules.fixed.values()
    for bounds in rules.decision.values():
        yield from _within(bounds)


def by_frequency(
    offences: Iterable[Offence], rules: PenaltyRules, given: Mapping[str, int]
) -> Sequence[Offence]:
    """Put the offences that are given most often first; among equals those that one tap gives, in the order of the rulebook."""
    return sorted(offences, key=lambda one: (-given.get(one.code, 0), FIRST.index(tap(one, rules))))
