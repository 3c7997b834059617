"""How far one value of the ranking is from another, and which places a player may look up to."""

from fractions import Fraction


def behind(
    own: int | str | Fraction | None, other: int | str | Fraction | None, *, less_is_better: bool
) -> Fraction | None:
    """Return by how much a value is behind another: below zero where it is ahead, nothing where one of them is missing."""
    if own is None or other is None:
        return None
    difference = Fraction(other) - Fraction(own)
    return -difference if less_is_better else difference


def places_ahead(place: int, *, cut: int | None, prizes: int = 3) -> list[int]:
    """Return the places worth reaching: the next one above, the last that goes on or wins a prize, the podium, the first."""
    wanted = {place - 1, cut or 0, prizes, 3, 1}
    return sorted((other for other in wanted if 0 < other < place), reverse=True)
