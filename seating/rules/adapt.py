"""A round of a plan fitted to who is there, how many tables there are, and who is locked to a place."""

from collections.abc import Mapping, Sequence

from scoring.problems import Problem, Refusal, gettext_noop
from seating.rules.plan import Hall, Lock

Tables = list[list[int]]


def adapted(
    tables: Sequence[Sequence[int]], present: Sequence[int], hall: Hall, size: int, short: Mapping[int, int]
) -> Tables:
    """Close the gaps of those away with the people of tables that are given up, often-short people first."""
    there = set(present)
    seated = [[player for player in table if player in there] for table in tables]
    sizes = [size] * hall.tables
    if hall.is_short:
        sizes[-1] = size - 1
    kept = sorted(sorted(range(len(seated)), key=lambda t: -len(seated[t]))[: hall.tables])
    chosen = [seated[t] for t in kept]
    chosen += [[] for _ in range(hall.tables - len(chosen))]
    if hall.is_short:
        gap = min(range(len(chosen)), key=lambda t: len(chosen[t]))
        sizes[-1], sizes[gap] = sizes[gap], sizes[-1]
    chosen = [table[:room] for table, room in zip(chosen, sizes, strict=True)]
    playing = {player for table in chosen for player in table}
    pool = sorted((p for p in present if p not in playing), key=lambda p: short.get(p, 0))
    for table, room in zip(chosen, sizes, strict=True):
        while len(table) < room:
            table.append(pool.pop())
    return chosen


def placed(tables: Tables, hall: Hall, size: int, locks: Mapping[int, Lock]) -> Tables:
    """Bring locked people to their tables, and those locked to one wind to different tables."""
    if not locks:
        return tables
    rows = [list(table) for table in tables]
    _all_play(rows, hall, locks)
    for number in sorted({lock.table for lock in locks.values() if lock.table is not None}):
        _gather(rows, number - 1, size, locks)
    _part(rows, locks)
    return rows


def _all_play(rows: Tables, hall: Hall, locks: Mapping[int, Lock]) -> None:
    """Seat everybody who has a lock, in the place of somebody without one: adapted rounds list only those who play."""
    playing = {player for table in rows for player in table}
    for player in locks:
        if player not in playing:
            table = next(t for t in rows if any(p not in locks for p in t))
            out = next(p for p in table if p not in locks)
            table[table.index(out)] = player


def _gather(rows: Tables, number: int, size: int, locks: Mapping[int, Lock]) -> None:
    """Give the table number to the table where most people locked to it sit, and bring the others there by exchange."""
    wanted = [player for player, lock in locks.items() if lock.table == number + 1]
    taken = {lock.table - 1 for lock in locks.values() if lock.table is not None and lock.table <= number}
    free = [t for t in range(len(rows)) if t == number or t not in taken]
    fits = [t for t in free if len(rows[t]) >= len(wanted)]
    base = max(fits, key=lambda t: sum(player in wanted for player in rows[t]))
    rows[number], rows[base] = rows[base], rows[number]
    for player in wanted:
        if player in rows[number]:
            continue
        home = next(table for table in rows if player in table)
        out = min(
            (p for p in rows[number] if p not in wanted),
            key=lambda p: p in locks,
        )
        home[home.index(player)] = out
        rows[number][rows[number].index(out)] = player


def _part(rows: Tables, locks: Mapping[int, Lock]) -> None:
    """Bring people locked to the same wind to different tables."""
    for player, lock in locks.items():
        if lock.seat is None or lock.table is not None:
            continue
        home = next(table for table in rows if player in table)
        if not _clashes(player, home, locks):
            continue
        for table in rows:
            out = next((p for p in table if _may_leave(p, table, locks)), None)
            if table is home or out is None or _clashes(player, table, locks, without=out):
                continue
            table[table.index(out)], home[home.index(player)] = player, out
            break
        else:
            raise Refusal(_crowded(lock))


def _may_leave(player: int, table: Sequence[int], locks: Mapping[int, Lock]) -> bool:
    return player not in locks


def _clashes(
    player: int, table: Sequence[int], locks: Mapping[int, Lock], *, without: int | None = None
) -> bool:
    return any(
        other not in (player, without) and other in locks and locks[other].seat == locks[player].seat
        for other in table
    )


def _crowded(lock: Lock) -> Problem:
    return Problem(
        "lock_conflict",
        gettext_noop("Session %(round)s: no table is free for %(name)s on the locked wind."),
        field="locks",
        details={"round": lock.round, "name": lock.id},
    )
