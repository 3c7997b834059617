"""What a winning hand is worth: its best reading, every fan with its sets, and every fan that was dropped and why."""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from scoring.problems import Problem, Refusal, gettext_noop
from scoring.systems.mcr import combinations
from scoring.systems.mcr.fans import FANS, Chapter, Fan, of_chapter
from scoring.systems.mcr.views import PAIR_BIT, WHOLE, Circumstances, Groups, Held, View
from scoring.systems.mcr.waits import wins
from scoring.tiles.readings import Form, Reading, SetKind, TileSet
from scoring.tiles.tile_hands import Kit, TileHand

MINIMUM = 8
CHICKEN, FLOWERS, BIG_THREE_WINDS, PUNG_OF_TERMINALS = 43, 81, 38, 73
WAITS = range(77, 80)

KIT = Kit()
"""Sport mahjong is played with all suits, winds and dragons; flowers and seasons never stand in a hand."""

TILE_FANS = of_chapter(Chapter.TILES)
FORM_FANS = of_chapter(Chapter.FORM)
SET_FANS = of_chapter(Chapter.SETS)
PUNG_FANS = of_chapter(Chapter.PUNGS)
KONG_FANS = of_chapter(Chapter.KONGS)

VALUES = tuple(FANS[number].value if number else 0 for number in range(FLOWERS + 1))
EXCLUDED = tuple(
    frozenset(FANS[number].excludes) if number and FANS[number].excludes else frozenset()
    for number in range(FLOWERS + 1)
)

Found = dict[int, Groups]


@dataclass(frozen=True)
class Counted:
    """A fan that counts: how often, and for each time the sets it is made of (the pair among them)."""

    fan: Fan
    sets: tuple[tuple[TileSet, ...], ...]

    @property
    def count(self) -> int:
        """Return how often the fan counts."""
        return len(self.sets)

    @property
    def points(self) -> int:
        """Return what it adds."""
        return self.count * self.fan.value


@dataclass(frozen=True)
class Dropped:
    """A fan that the hand has and does not count, with the clause and the counted fans that dropped it.

    `sets` are those of a group that was not chosen, and `shared` those of them that make the same fan with others.
    """

    fan: Fan
    clause: str
    by: tuple[Fan, ...]
    sets: tuple[TileSet, ...] = ()
    shared: tuple[TileSet, ...] = ()


class HandValue:
    """The value of a hand in its best reading. What explains it is worked out when asked for."""

    def __init__(self, view: View, found: Found, excluded: Set[int], points: int) -> None:
        """Keep the reading, the fans found in it, and the numbers of those that do not count."""
        self._view = view
        self._found = found
        self._excluded = excluded
        self.points = points

    @property
    def reading(self) -> Reading:
        """Return the reading in which the hand is worth most."""
        return self._view.reading

    @property
    def numbers(self) -> list[int]:
        """List the numbers of the fans that count, in order."""
        return sorted(self._found.keys() - self._excluded)

    @property
    def counts(self) -> dict[int, int]:
        """Say how often each fan counts, by number, flowers left out."""
        return {number: len(self._found[number]) for number in self.numbers}

    @property
    def flowers(self) -> int:
        """Return the number of flowers and seasons. [MCR fan 81]"""
        return self._view.held.win.flowers

    @property
    def total(self) -> int:
        """Return the points with the flowers."""
        return self.points + self.flowers

    @cached_property
    def fans(self) -> tuple[Counted, ...]:
        """List the fans that count, by number."""
        counting = {number: groups for number, groups in self._found.items() if number not in self._excluded}
        if self.flowers:
            counting[FLOWERS] = FANS[FLOWERS].finds(self._view.held)
        return tuple(
            Counted(FANS[number], tuple(self._sets(group) for group in counting[number]))
            for number in sorted(counting)
        )

    @cached_property
    def dropped(self) -> tuple[Dropped, ...]:
        """List the fans that do not count, each with the clause that dropped it, by number. [MCR scoring 1e]"""
        excluded = [self._why(number) for number in sorted(self._excluded & self._found.keys())]
        return tuple(sorted(excluded + self._not_chosen(), key=lambda dropped: dropped.fan.number))

    def _why(self, number: int) -> Dropped:
        """Name the fan of most value among those that count and exclude this one. [MCR scoring 1e]"""
        counted = [FANS[other] for other in self.numbers if number in FANS[other].excludes]
        by = max(counted, key=lambda fan: fan.value)
        return Dropped(FANS[number], by.excludes[number], (by,))

    def _not_chosen(self) -> list[Dropped]:
        """List the groups of chows and pungs that could not stand beside those chosen.

        Where a fan of the whole hand excludes them all, that is said once. [MCR scoring 1e1] [MCR scoring 1e5]
        """
        view, told = self._view, self._excluded & self._found.keys()
        dropped: list[Dropped] = []
        for groups, chosen, at in (
            (
                combinations.groups_of_chows(view.chows),
                combinations.best_chow_groups(view.chows),
                view.chow_at,
            ),
            (
                combinations.groups_of_pungs(view.pungs),
                combinations.best_pung_groups(view.pungs),
                view.pung_at,
            ),
        ):
            for group in groups:
                if group not in chosen and group[0] not in told:
                    clause, against, shared = combinations.obstacle(group, chosen)
                    dropped.append(
                        Dropped(
                            FANS[group[0]],
                            clause,
                            tuple(FANS[number] for number, _ in against),
                            self._sets(_in_reading(group[1], at)),
                            self._sets(_in_reading(shared, at)),
                        )
                    )
        return dropped

    def _sets(self, group: int) -> tuple[TileSet, ...]:
        sets = [formed for at, formed in enumerate(self.reading.sets) if group >> at & 1]
        if group & PAIR_BIT and self.reading.pair is not None:
            sets.append(TileSet(SetKind.PAIR, self.reading.pair))
        return tuple(sets)


def evaluate(hand: TileHand, win: Circumstances, barred: Set[int] = frozenset()) -> HandValue:
    """Value a checked hand in the reading worth most; `barred` fans are left out. [MCR scoring 1e] [SIAM 17]"""
    if hand.winning_tile is None:
        raise Refusal(no_win())
    value = best_value(Held(hand.counted, hand.melds, hand.winning_tile, win), barred)
    if value is None:
        raise Refusal(no_win())
    return value


def best_value(held: Held, barred: Set[int] = frozenset()) -> HandValue | None:
    """Return the reading worth most, among equals as `_order` says. [MCR scoring 1e4]"""
    values = list(every_value(held, barred))
    if len(values) < 2:
        return values[0] if values else None
    highest = max(value.points for value in values)
    return min((value for value in values if value.points == highest), key=_order)


def _order(value: HandValue) -> tuple[list[int], list[int]]:
    """Put fans with low numbers first, but a single wait before the other waits. [MCR fan 48, example] [RULES 8.16]"""
    waits = [-number for number in value.numbers if number in WAITS]
    return [number for number in value.numbers if number not in WAITS], waits


def best_lists(hand: TileHand, win: Circumstances, barred: Set[int] = frozenset()) -> list[dict[int, int]]:
    """List every list of fans by which a checked hand is worth its most: equal readings, equal choices of groups. [RULES 8.48]"""
    held = Held(hand.counted, hand.melds, hand.winning_tile or 0, win)
    of_tiles = _of_tiles(held)
    values = [
        _value(view, of_tiles, barred, (chows, pungs))
        for view in (View(held, reading) for reading in wins(held.counted, held.melds, held.winning_tile))
        for chows in combinations.equal_choices(combinations.groups_of_chows(view.chows))
        for pungs in combinations.equal_choices(combinations.groups_of_pungs(view.pungs))
    ]
    most = max(value.points for value in values)
    found: list[dict[int, int]] = []
    for value in values:
        if value.points == most and value.counts not in found:
            found.append(value.counts)
    return found


def every_value(held: Held, barred: Set[int] = frozenset()) -> Iterator[HandValue]:
    """Value the tiles in every reading; nothing comes when they are no win."""
    of_tiles = _of_tiles(held)
    for reading in wins(held.counted, held.melds, held.winning_tile):
        yield _value(View(held, reading), of_tiles, barred)


def _of_tiles(held: Held) -> Found:
    """Find the fans of the tiles and the way of winning, which all readings have."""
    of_tiles: Found = {}
    for number, finds in TILE_FANS:
        groups = finds(held)
        if groups:
            of_tiles[number] = groups
    return of_tiles


Chosen = tuple[tuple[combinations.Group, ...], tuple[combinations.Group, ...]]
"""The groups of chows and those of pungs that are counted."""


def _value(view: View, of_tiles: Found, barred: Set[int], chosen: Chosen | None = None) -> HandValue:
    """Find the fans of one reading and drop those that others exclude. [MCR scoring 1e1] [MCR scoring 1e2]"""
    found = dict(of_tiles)
    _find(view, found, chosen)
    for number in barred & found.keys():
        del found[number]
    excluded: set[int] = set()
    for number in found:
        excluded |= EXCLUDED[number]
    points = 0
    for number, groups in found.items():
        if number not in excluded:
            points += VALUES[number] * len(groups)
    if FANS[CHICKEN].finds(points):
        found[CHICKEN] = WHOLE
        points = VALUES[CHICKEN]
    return HandValue(view, found, excluded, points)


def _find(view: View, found: Found, chosen: Chosen | None = None) -> None:
    """Ask every fan that can be there, chapter by chapter; the best groups are chosen where none are given."""
    if view.form is not Form.REGULAR:
        _ask(FORM_FANS, view, found)
    if view.pungs:
        _ask(PUNG_FANS, view, found)
        pungs = chosen[1] if chosen else combinations.best_pung_groups(view.pungs)
        _add_groups(pungs, view.pung_at, found)
        if BIG_THREE_WINDS in found:
            _leave_winds_out(view, found)
        if view.open_kongs or view.concealed_kongs:
            _ask(KONG_FANS, view, found)
    chows = chosen[0] if chosen else combinations.best_chow_groups(view.chows)
    _add_groups(chows, view.chow_at, found)
    _ask(SET_FANS, view, found)


def _ask(fans: Sequence[tuple[int, Callable[[View], Groups]]], view: View, found: Found) -> None:
    for number, finds in fans:
        groups = finds(view)
        if groups:
            found[number] = groups


def _add_groups(chosen: Sequence[combinations.Group], places: Sequence[int], found: Found) -> None:
    """Note the chosen groups by the places of their sets in the reading."""
    for number, group in chosen:
        found[number] = (*found.get(number, ()), _in_reading(group, places))


def _in_reading(group: int, places: Sequence[int]) -> int:
    """Write a group of chows or pungs by the places of its sets in the reading."""
    sets = 0
    for at, place in enumerate(places):
        if group >> at & 1:
            sets |= 1 << place
    return sets


def _leave_winds_out(view: View, found: Found) -> None:
    """Leave the three winds of Big Three Winds out of fan 73. [RULES 8.19]"""
    pungs = tuple(group for group in found.pop(PUNG_OF_TERMINALS, ()) if not group & view.wind_pungs)
    if pungs:
        found[PUNG_OF_TERMINALS] = pungs


def contradictions(hand: TileHand, win: Circumstances, *, kong_elsewhere: bool = False) -> list[Problem]:
    """List the circumstances that the tiles or each other make impossible; `kong_elsewhere` may explain a replacement.

    [MCR fan 44] [MCR fan 46] [MCR fan 47] [MCR fan 58]
    """
    tile = hand.winning_tile
    has_kong = kong_elsewhere or any(meld.kind is SetKind.KONG for meld in hand.declared)
    wrong = (
        (win.robbing_kong and win.self_drawn, "robbing_kong", ROBBED_BY_SELF_DRAW, 47),
        (win.robbing_kong and hand.all_tiles.count(tile or 0) > 1, "robbing_kong", ROBBED_TILE_HELD, 47),
        (win.robbing_kong and win.last_wall_tile, "last_wall_tile", KONG_NEEDS_WALL, 45),
        (
            win.replacement_after_kong and not win.self_drawn,
            "replacement_after_kong",
            REPLACEMENT_CLAIMED,
            46,
        ),
        (win.replacement_after_kong and not has_kong, "replacement_after_kong", REPLACEMENT_NO_KONG, 46),
        (win.last_of_kind and tile in hand.concealed, "last_of_kind", LAST_TILE_HIDDEN, 58),
    )
    return [
        Problem("outcome_conflict", sentence, field=f"win.{field}", clause=FANS[number].clause)
        for is_wrong, field, sentence, number in wrong
        if is_wrong
    ]


def refusals(hand: TileHand, win: Circumstances, *, kong_elsewhere: bool = False) -> list[Problem]:
    """List everything for which a readable hand is refused: contradictions, and tiles that are no win."""
    problems = contradictions(hand, win, kong_elsewhere=kong_elsewhere)
    if hand.winning_tile is None or not wins(hand.counted, hand.melds, hand.winning_tile):
        problems.append(no_win())
    return problems


def no_win() -> Problem:
    """Say that the tiles make no complete hand. [MCR winning 2a] [MCR winning 2c]"""
    return Problem("no_win", NO_WIN, field="hand", clause="MCR winning 2a")


NO_WIN = gettext_noop(
    "These tiles are no win: they are neither four sets and a pair nor any of the special hands."
)
ROBBED_BY_SELF_DRAW = gettext_noop("A robbed kong belongs to another player; the win is no self-draw.")
ROBBED_TILE_HELD = gettext_noop(
    "A tile that raises a pung to a kong is the fourth of its kind; the winner cannot hold another one."
)
KONG_NEEDS_WALL = gettext_noop(
    "A kong needs a replacement tile, so a robbed tile is not the last of the game."
)
REPLACEMENT_CLAIMED = gettext_noop("A replacement tile comes from the wall; the win is no discard.")
REPLACEMENT_NO_KONG = gettext_noop("There is no kong in this hand that a tile could replace.")
LAST_TILE_HIDDEN = gettext_noop(
    "The other three tiles of its kind must be open to all; the winner holds one of them in hand."
)
