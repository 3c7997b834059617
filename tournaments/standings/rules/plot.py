"""Places over sessions as a drawing: where lines, marks and names stand; colours and letters are the style sheet's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LEAST_PLACES = 4
MOST_TICKS = 6
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
NAME_GAP = 17.0
MARK = 3.4


class Size(NamedTuple):
    """A drawing's size and margins, and how long a name may be."""

    name: str
    width: int
    height: int
    left: int
    right: int
    letters: int


NARROW = Size("narrow", width=360, height=300, left=28, right=146, letters=13)
WIDE = Size("wide", width=760, height=340, left=40, right=210, letters=26)
TOP, BOTTOM = 14, 30


@dataclass(frozen=True)
class Course:
    """A player's place after each session; None where there was none."""

    number: int
    name: str
    places: Sequence[int | None]
    is_own: bool = False


class Tick(NamedTuple):
    """A mark on an axis; where it stands is written as a drawing needs it, whatever the reader's language."""

    at: str
    text: str


@dataclass(frozen=True)
class Curve:
    """One player's line: what is final, what may still change, its marks and its name at the end."""

    course: Course
    look: int
    path: str
    open_path: str
    marks: str
    name: str
    name_y: str
    lead: str


@dataclass(frozen=True)
class Plot:
    """The whole drawing."""

    size: Size
    lines: tuple[Curve, ...]
    across: tuple[Tick, ...]
    down: tuple[Tick, ...]

    @property
    def names_x(self) -> int:
        """Return where the names begin."""
        return self.size.width - self.size.right + 22

    @property
    def floor(self) -> int:
        """Return where the lower axis is."""
        return self.size.height - BOTTOM

    @property
    def end(self) -> int:
        """Return where the last session is."""
        return self.size.width - self.size.right


def plot(
    sessions: Sequence[str], courses: Sequence[Course], size: Size, *, is_last_open: bool = False
) -> Plot:
    """Draw the courses; the better place stands higher, and no two names cover each other."""
    deepest = max(
        [LEAST_PLACES, *(place for course in courses for place in course.places if place is not None)]
    )
    xs = _spread(len(sessions), size.left, size.width - size.right)
    floor = size.height - BOTTOM

    def y(place: int) -> float:
        return round(TOP + (place - 1) * (floor - TOP) / (deepest - 1), 1)

    ends = [_last(course) for course in courses]
    names = dodged([y(place) for place in ends], least=TOP, most=float(floor), gap=NAME_GAP)
    lines = []
    look = 0
    for course, last, name_y in zip(courses, ends, names, strict=True):
        look += not course.is_own
        points = [
            (x, y(place)) if place is not None else None for x, place in zip(xs, course.places, strict=True)
        ]
        final, still_open = (points[:-1], points[-2:]) if is_last_open else (points, [])
        lines.append(
            Curve(
                course=course,
                look=0 if course.is_own else look,
                path=_path(final),
                open_path=_path(still_open),
                marks=" ".join(_mark(0 if course.is_own else look, *at) for at in points if at),
                name=f"{last} {_shortened(course.name, size.letters)}",
                name_y=f"{name_y:g}",
                lead=f"M{xs[-1] + 6:g} {y(last):g}L{size.width - size.right + 18:g} {name_y:g}",
            )
        )
    across = tuple(Tick(f"{x:g}", text) for x, text in zip(xs, _thinned(sessions, size), strict=True))
    down = tuple(Tick(f"{y(place):g}", str(place)) for place in ticks(deepest))
    return Plot(size, tuple(lines), across, down)


def ticks(deepest: int) -> list[int]:
    """Choose the places that the axis names: the first, and round ones below it."""
    step = next(step for step in STEPS if deepest // step < MOST_TICKS or step == STEPS[-1])
    return [1, *(place for place in range(step, deepest + 1, step) if place > 1)]


def dodged(wanted: Sequence[float], *, least: float, most: float, gap: float) -> list[float]:
    """Move what would stand too close apart, as little as may be, within the bounds; the order stays."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    placed: list[float] = []
    for at in order:
        placed.append(max(wanted[at], placed[-1] + gap if placed else least))
    ceiling = most
    for index in range(len(placed) - 1, -1, -1):
        placed[index] = min(placed[index], ceiling)
        ceiling = placed[index] - gap
    found = [0.0] * len(wanted)
    for at, y in zip(order, placed, strict=True):
        found[at] = round(y, 1)
    return found


def _spread(count: int, left: int, right: int) -> list[float]:
    if count == 1:
        return [(left + right) / 2]
    return [round(left + 8 + at * (right - left - 8) / (count - 1), 1) for at in range(count)]


def _thinned(sessions: Sequence[str], size: Size) -> Iterator[str]:
    """Return the labels of as many sessions as there is room for, always with the last one."""
    room = max(1, (size.width - size.left - size.right) // 24)
    every = -(-len(sessions) // room)
    for at, name in enumerate(sessions):
        yield name if (len(sessions) - 1 - at) % every == 0 else ""


def _last(course: Course) -> int:
    return next((place for place in reversed(course.places) if place is not None), LEAST_PLACES)


def _path(points: Sequence[tuple[float, float] | None]) -> str:
    """Join neighbours; where a place is missing the line is broken."""
    path, is_down = "", False
    for point in points:
        if point is not None:
            path += f"{'L' if is_down else 'M'}{point[0]:g} {point[1]:g}"
        is_down = point is not None
    return path


def _mark(look: int, x: float, y: float) -> str:
    """Draw a disc, square, triangle or diamond: lines are told apart without their colours."""
    r = MARK
    shape = look % 4
    if shape == 0:
        return f"M{x - r:g} {y:g}a{r} {r} 0 1 0 {2 * r:g} 0a{r} {r} 0 1 0 {-2 * r:g} 0z"
    if shape == 1:
        return f"M{x - r:g} {y - r:g}h{2 * r:g}v{2 * r:g}h{-2 * r:g}z"
    if shape == 2:
        return f"M{x:g} {y - r - 1:g}l{r + 1:g} {2 * r + 1:g}h{-2 * r - 2:g}z"
    return f"M{x:g} {y - r - 1:g}l{r + 1:g} {r + 1:g}l{-r - 1:g} {r + 1:g}l{-r - 1:g} {-r - 1:g}z"


def _shortened(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1].rstrip()}…"
