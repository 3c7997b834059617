"""Checks seatings made by anybody: it knows the request and the answer as JSON, and nothing of how they were made."""

import json
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

Round = dict[str, Any] | list[list[Any]]
"""The tables of a round alone, or with those who are off; whoever made them, they came as JSON."""
Meetings = Counter[frozenset[Any]]


def tables_of(a_round: Round) -> list[list[Any]]:
    """Return the tables of a round in either of its shapes."""
    tables: list[list[Any]] = a_round["tables"] if isinstance(a_round, dict) else a_round
    return tables


def off_of(a_round: Round) -> list[Any]:
    """Return those of a round who have no game."""
    off: list[Any] = a_round.get("off", []) if isinstance(a_round, dict) else []
    return off


def faults(request: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """List everything in which an answer breaks its request; an empty list is a valid seating."""
    rounds = answer["rounds"]
    existing = request.get("existing", [])
    found = []
    if len(rounds) != request["rounds_wanted"]:
        found.append(f"{len(rounds)} rounds instead of {request['rounds_wanted']}")
    if rounds[: len(existing)] != existing:
        found.append("a standing round was touched")
    for number, a_round in enumerate(rounds, start=1):
        if number > len(existing):
            found += [f"round {number}: {fault}" for fault in round_faults(request, number, a_round)]
    for lock in request.get("locks", []):
        if lock["round"] > len(existing) and not holds(lock, rounds[lock["round"] - 1]):
            found.append(f"lock {lock} does not hold")
    return found


def present_in(request: dict[str, Any], number: int) -> list[Any]:
    """List who is there in a round."""
    absent = request.get("absent", {}).get(str(number), [])
    joined = request.get("joined", {})
    return [
        player["id"]
        for player in request["players"]
        if player["id"] not in absent and joined.get(str(player["id"]), 1) <= number
    ]


def round_faults(request: dict[str, Any], number: int, a_round: Round) -> list[str]:
    """List what is wrong within one round."""
    size = request.get("table_size", 4)
    tables, off = tables_of(a_round), off_of(a_round)
    seated = [player for table in tables for player in table if player is not None]
    there = present_in(request, number)
    times = Counter([*seated, *off])
    found = [f"{player} stands {count} times" for player, count in times.items() if count != 1]
    found += [f"{player} is not there but seated" for player in times if player not in set(there)]
    found += [f"{player} is there but not seated" for player in there if player not in times]
    if any(len(table) != size for table in tables):
        found.append("a table does not list its seats")
    sizes = sorted(sum(player is not None for player in table) for table in tables)
    if any(people < min(size, 3) for people in sizes) or sum(people < size for people in sizes) > 1:
        found.append(f"table sizes {sizes}")
    hall = request.get("tables")
    most = len(there) // size + (size == 4 and len(there) % 4 == 3)
    if len(tables) != (most if hall is None else min(most, hall)):
        found.append(f"{len(tables)} tables for {len(there)} players")
    if sizes and min(sizes) < size and off:
        found.append("somebody has no game though a table has an empty seat")
    return found


def holds(lock: dict[str, Any], a_round: Round) -> bool:
    """Return whether a locked player sits where they should."""
    for number, table in enumerate(tables_of(a_round), start=1):
        if lock["id"] in table:
            seat = table.index(lock["id"])
            return lock.get("table") in (None, number) and lock.get("seat") in (None, seat)
    return False


def figures(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, int]:
    """Measure a valid answer: every figure counted afresh from the tables."""
    size = request.get("table_size", 4)
    rounds = answer["rounds"]
    met: Meetings = Counter()
    visits: Counter[tuple[Any, int]] = Counter()
    games: Counter[Any] = Counter()
    short: Counter[Any] = Counter()
    winds: dict[Any, list[int]] = {}
    moments = 0
    most_tables = max((len(tables_of(a_round)) for a_round in rounds), default=0)
    for a_round in rounds:
        short.update(off_of(a_round))
        for number, table in enumerate(tables_of(a_round)):
            sitting = [player for player in table if player is not None]
            met.update(frozenset(pair) for pair in combinations(sitting, 2))
            if len(sitting) < size:
                short.update(sitting)
            for seat, player in enumerate(table):
                if player is None:
                    continue
                visits[player, number] += 1
                games[player] += 1
                had = winds.setdefault(player, [0] * size)
                had[seat] += 1
                moments += max(had) - min(had) > 1
    label = {player["id"]: player for player in request["players"]}
    even = sum(_even(count, most_tables) for count in games.values())
    return {
        "repeats": sum(count * (count - 1) // 2 for count in met.values()),
        "most_meetings": max(met.values(), default=0),
        "moments": moments,
        "uneven": sum(max(had) - min(had) > 1 for had in winds.values()),
        "tables": sum(count * (count - 1) // 2 for count in visits.values()) - even,
        "short_again": sum(count - 1 for count in short.values()),
        "group": _together(met, label, "group"),
        "team": _together(met, label, "team"),
        "apart": sum(met[frozenset(pair)] for pair in request.get("apart", [])),
    }


def _even(items: int, places: int) -> int:
    each, more = divmod(items, places) if places else (0, 0)
    return places * each * (each - 1) // 2 + more * each


def _together(met: Meetings, label: dict[Any, dict[str, Any]], kind: str) -> int:
    total = 0
    for pair, count in met.items():
        one, other = (label.get(player, {}).get(kind) for player in pair)
        total += count if one is not None and one == other else 0
    return total


def least_repeats(players: int, rounds: int, size: int = 4) -> int:
    """Return a proved lower bound for full tables with everybody always there, by two plain arguments."""
    meetings, others = rounds * (size - 1), players - 1
    by_players = -(-players * _even(meetings, others) // 2)
    tables = players // size
    by_rounds = rounds * (rounds - 1) // 2 * tables * _even(size, tables)
    known = 1 if (players, size) == (20, 4) and rounds > 5 else 0
    return max(by_players, by_rounds, known)


def least_together(groups: list[int], tables: int, size: int, rounds: int) -> int:
    """Return the meetings inside groups of these sizes that nothing avoids when all tables are full."""
    return rounds * sum(_even(group, tables) for group in groups)


def main(arguments: list[str]) -> int:
    """Compare a request with its answer, both as files of JSON, and return the status: 0 valid, 1 not."""
    request, answer = (json.loads(Path(name).read_text(encoding="utf-8")) for name in arguments)
    found = faults(request, answer)
    print("\n".join(found) or json.dumps(figures(request, answer)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
