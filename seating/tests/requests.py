"""Requests as an organizer might make them, by chance but the same each time."""

import random
from collections.abc import Sequence
from typing import Any


def random_request(number: int, most: int = 400) -> dict[str, Any]:
    """Return request number so and so: sizes, groups, teams, locks, given sessions, absences, late arrivals."""
    chance = random.Random(number)
    count = chance.choice([chance.randint(8, 20), chance.randint(8, 48), chance.randint(8, most)])
    rounds = chance.randint(1, 10)
    size = 4 if chance.random() < 0.85 else 3
    players: list[dict[str, Any]] = [{"id": n if number % 2 else f"player {n}"} for n in range(1, count + 1)]
    request: dict[str, Any] = {
        "players": players,
        "rounds_wanted": rounds,
        "table_size": size,
        "seed": str(number),
    }
    label(players, chance)
    ids = [player["id"] for player in players]
    if chance.random() < 0.25:
        request["existing"] = [
            dealt(chance.sample(ids, len(ids)), size) for _ in range(chance.randint(1, rounds))
        ]
    few = max(1, count // 12)
    if chance.random() < 0.3:
        request["absent"] = {
            str(chance.randint(1, rounds)): chance.sample(ids, chance.randint(1, few)) for _ in range(3)
        }
    if chance.random() < 0.3:
        late = chance.sample(ids, chance.randint(1, few))
        request["joined"] = {str(player): chance.randint(1, rounds) for player in late}
    if chance.random() < 0.3:
        request["locks"] = locks(chance, ids, rounds, len(request.get("existing", [])), count // size, size)
    if chance.random() < 0.15:
        request["apart"] = [chance.sample(ids, 2) for _ in range(3)]
    if chance.random() < 0.1:
        request["tables"] = max(1, count // size - chance.randint(0, 2))
    return request


def label(players: Sequence[dict[str, Any]], chance: random.Random) -> None:
    """Put players into groups or teams, some into neither."""
    kind = chance.random()
    groups = chance.randint(2, 14)
    for place, player in enumerate(players):
        if kind < 0.4 and chance.random() < 0.8:
            player["group"] = chance.randrange(groups)
        if 0.3 < kind < 0.5:
            player["team"] = f"team {place // 4}"


def dealt(order: list[Any], size: int) -> dict[str, Any]:
    """Deal a given session."""
    whole = len(order) // size * size
    tables = [order[place : place + size] for place in range(0, whole, size)]
    return {"tables": tables, "off": order[whole:]}


def locks(
    chance: random.Random, ids: list[Any], rounds: int, standing: int, tables: int, size: int
) -> list[dict[str, Any]]:
    """Lock a few people to tables, seats or both."""
    found = []
    for number in range(standing + 1, rounds + 1):
        for player in chance.sample(ids, chance.randint(0, 2)):
            lock = {"round": number, "id": player}
            if chance.random() < 0.7:
                lock["table"] = chance.randint(1, tables)
            if "table" not in lock or chance.random() < 0.5:
                lock["seat"] = chance.randrange(size)
            found.append(lock)
    return found
