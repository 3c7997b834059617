"""When a search may step uphill: whole numbers below 2**32 to compare a throw with, the same on any machine."""

from decimal import Context, Decimal
from functools import cache

_WHOLE = 1 << 32
_PARTS = 1 << 10


def limits(temperature: tuple[int, int], *, largest: int) -> list[int]:
    """List for each change of cost from 0 up how small a 32-bit throw must be for the change to be taken."""
    exact = Context(prec=40)
    share = exact.divide(Decimal(temperature[0]), Decimal(temperature[1]))
    return [
        int(exact.multiply(exact.exp(exact.divide(Decimal(-change), share)), Decimal(_WHOLE)))
        for change in range(largest + 1)
    ]


def climbs(temperature: tuple[int, int]) -> list[int]:
    """List for the highest 10 bits of a throw by how much the cost may rise at most."""
    return [temperature[0] * height // (temperature[1] * _WHOLE) for height in _heights()]


@cache
def _heights() -> list[int]:
    """List how high each share of the throws climbs at temperature 1, in units of 2**-32."""
    exact = Context(prec=20)
    middles = (exact.divide(Decimal(2 * part + 1), Decimal(2 * _PARTS)) for part in range(_PARTS))
    return [int(exact.multiply(-exact.ln(middle), Decimal(_WHOLE))) for middle in middles]


def cooling(hottest: int, coldest: int, stages: int) -> list[int]:
    """List falling temperatures, each the same share of the one before, in exact arithmetic."""
    exact = Context(prec=40)
    fall = exact.ln(exact.divide(Decimal(coldest), Decimal(hottest)))
    return [
        int(
            exact.multiply(Decimal(hottest), exact.exp(exact.divide(exact.multiply(fall, stage), stages - 1)))
            + Decimal("0.5")
        )
        for stage in range(stages)
    ]
