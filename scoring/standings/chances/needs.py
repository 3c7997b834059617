"""What a player needs in the last session, in terms of places at tables. Proved, never sampled. [RULES 9.22]"""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.standings.book import Player
from scoring.standings.chances.reach import Gains, LastSession, places_with

MOST_RIVALS = 4


class Rival(NamedTuple):
    """Somebody who must be no better than a place at their table; 0 where no place there would be too good."""

    player: Player
    no_better_than: int


class Lead(NamedTuple):
    """Somebody at the own table whom one must be so many points ahead of there."""

    player: Player
    points: int


class Need(NamedTuple):
    """What it takes to be within a place of the standings.

    `enough` is the worst place at the own table that does it whatever else happens, `hope` the worst with which it may still
    happen; with the next place after `enough`, no more than `allowed` of the rivals may be better than said. Where `points`
    are named, that place must bring so many at least, to pass those who are done.

    With `is_alone` points are ranked and everybody else is done: first place does it with those points and so far ahead of those
    named in `leads`.
    """

    is_certain: bool = False
    is_out: bool = False
    enough: int | None = None
    hope: int | None = None
    allowed: int = 0
    rivals: tuple[Rival, ...] = ()
    points: int | None = None
    leads: tuple[Lead, ...] = ()
    is_alone: bool = False


def need_of(last: LastSession, who: Player, place: int) -> Need | None:
    """Return what a player needs to be within a place; nothing for somebody who does not play."""
    own = last.ways_of(who)
    if not own or who not in last.totals:
        return None
    size = len(own[0].of)
    by_rank = {
        rank: places_with(who, ways, last)
        for rank in range(1, size + 1)
        if (ways := [way for way in own if way.alone.get(rank) == who])
    }
    if not by_rank:  # nobody to play against, or a substitute plays: no place at the table says anything
        return None
    sure = [rank for rank, reach in by_rank.items() if reach.worst <= place]
    open_ = [rank for rank, reach in by_rank.items() if reach.best <= place]
    if len(sure) == size:
        return Need(is_certain=True)
    if not open_:
        return Need(is_out=True)
    enough = max(sure, default=None)
    hope = max(open_)
    after = (enough or 0) + 1
    if after > hope:
        return Need(enough=enough, hope=hope)
    ways = [way for way in own if way.alone.get(after) == who]
    passed = last.points_to_pass(who, last.totals[who] + ways[0].of[who]) if after < size else []
    for beaten, points in enumerate([None, *passed]):
        found = _rivals(last, who, ways, place + beaten)
        if found is not None and (found[1] or points is not None):
            return Need(enough=enough, hope=hope, allowed=found[0], rivals=found[1], points=points)
    return Need(enough=enough, hope=hope)


def _rivals(
    last: LastSession, who: Player, own: Sequence[Gains], place: int
) -> tuple[int, tuple[Rival, ...]] | None:
    """Name those at other tables who may come past, with what each may do at most; nothing where that cannot do, or they are too many to name.

    How the rest of the own table ends is counted at its worst, so that what is said is always enough.
    """
    total = last.totals[who] + own[0].of[who]
    above = sum(
        1
        for player, has in last.totals.items()
        if player not in last.table_of and player != who and has >= total
    )
    above += max(
        sum(
            1
            for player, more in way.of.items()
            if player != who and last.totals.get(player, -1) + more >= total
        )
        for way in own
    )
    rivals = []
    for ways in last.tables:
        if who in ways[0].of:
            continue
        for player in ways[0].of:
            if player not in last.totals:
                continue
            ranks = {rank: way.of[player] for way in ways for rank, one in way.alone.items() if one == player}
            past = [rank for rank, more in ranks.items() if last.totals[player] + more >= total]
            if len(past) == len(ranks):
                above += 1
            elif past:
                rivals.append(Rival(player, max(past) + 1))
    allowed = place - 1 - above
    if allowed < 0 or len(rivals) > MOST_RIVALS:
        return None
    return allowed, tuple(rivals)
