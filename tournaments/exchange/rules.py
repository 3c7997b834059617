"""Paper: how many badges lie on a sheet, how large letters may be, which numbers are to be printed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

T = TypeVar("T")
LETTERS = (18.0, 14.0, 12.0, 10.0, 8.5, 7.0, 6.0, 5.0, 4.2, 3.6, 3.0, 2.5)
"""The sizes of letters in millimetres that `css/rooms/prints.css` has a class for, the largest first."""
WIDTH_OF_A_LETTER = 0.66
"""How wide a bold letter is on average, as a share of its size; Cyrillic capitals are wide."""
HEIGHT_OF_A_LINE = 1.12


@dataclass(frozen=True)
class Sheet:
    """A sheet of badges: its paper, how many lie beside and below one another, and the room for a name in millimetres."""

    code: str
    columns: int
    rows: int
    width: float
    height: float

    @property
    def count(self) -> int:
        """Return how many are on a sheet."""
        return self.columns * self.rows


SHEETS = {
    sheet.code: sheet
    for sheet in (
        Sheet("cards", columns=2, rows=5, width=80, height=22),
        Sheet("a7", columns=2, rows=4, width=94, height=32),
        Sheet("a6", columns=2, rows=2, width=93, height=56),
        Sheet("pair", columns=2, rows=1, width=93, height=56),
    )
}
"""Business cards of 90 × 55 mm, ten on A4; A7, eight on A4; A6, four on A4; A6, two on A5."""


def letters(text: str, *, width: float, height: float, most: float = LETTERS[0]) -> float:
    """Return the largest letters, in millimetres, in which a text fits into a box without breaking a word."""
    fitting = [
        size
        for size in LETTERS
        if size <= most and _lines(text, width, size) * size * HEIGHT_OF_A_LINE <= height
    ]
    return fitting[0] if fitting else LETTERS[-1]


def _lines(text: str, width: float, size: float) -> float:
    """Return how many lines a text takes at a size; without end where a word is longer than a line."""
    room = width / (size * WIDTH_OF_A_LETTER)
    lines, taken = 1, 0.0
    for word in text.split():
        if len(word) > room:
            return float("inf")
        if taken and taken + 1 + len(word) > room:
            lines, taken = lines + 1, 0.0
        taken += len(word) + (1 if taken else 0)
    return lines


def read_numbers(text: str) -> frozenset[int] | None:
    """Read numbers such as “3, 8–12”; None where that is not what was written."""
    found: set[int] = set()
    for part in text.replace("–", "-").replace(";", ",").split(","):
        ends = [_small(end.strip()) for end in part.split("-")]
        if len(ends) > 2 or None in ends:
            return None
        first, last = ends[0] or 0, ends[-1] or 0
        if first > last:
            return None
        found.update(range(first, last + 1))
    return frozenset(found)


def _small(text: str) -> int | None:
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        return None
    return int(text) or None


def sheets_of(items: Sequence[T], count: int) -> list[list[T]]:
    """Part what is printed into sheets of so many."""
    return [list(items[at : at + count]) for at in range(0, len(items), count)]


def tables_for(players: int, size: int) -> int:
    """Return how many tables so many players take before any draw."""
    return ceil(players / size)
