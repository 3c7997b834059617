"""Games of every system with what the engine makes of each hand, for the tablet's own arithmetic to be held against."""

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoring.presets import PRESETS
from scoring.record.hands import read_hand
from scoring.seats import Seat
from scoring.systems import ruleset
from tournaments.tests.random_hands import random_facts

GAMES = 40
PLAYS_ON = {"false_winner": "plays_on"}
HOUSE = {
    "yakuman": "several",
    "abortive_draws": ["nine_kinds", "four_winds", "four_riichi", "four_kongs", "three_wins"],
    "west_round": 30000,
}
NEAREST = {"counters_to": "nearest", "bets_to": "nearest"}
TABLES = [
    ("sbr", "ESWN"), ("sbr", "ESW"), ("wmsg", "ESWN"), ("sbr", "ESWN", PLAYS_ON), ("wmsg", "ESWN", PLAYS_ON), ("mcr", "ESWN"), ("siamese", "ESW"),
    ("siamese", "ES"), ("red", "ESWN"), ("red", "ESW"), ("red", "EW"), ("riichi_ema", "ESWN"), ("riichi_ema", "ESWN", NEAREST), ("riichi_ema", "ESWN", HOUSE),
]  # fmt: skip


def situation(at: Any) -> dict[str, Any]:
    """Write a situation as the tablet is told it."""
    return {
        "seats": [str(seat) for seat in at.seats],
        "number": at.number,
        "dealer": str(at.dealer),
        "round": str(at.round_wind),
        "counters": at.counters,
        "bets": at.bets,
        "is_over": at.is_over,
        **({"gained": {str(seat): points for seat, points in at.gained}} if at.gained else {}),
    }


def game(
    preset: str, seats: str, chance: random.Random, settings: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Play a game of possible hands; return what the tablet is told of each and what it must answer."""
    chosen = PRESETS[preset]
    rules = chosen.regulation.to_json()["system_rules"] | (settings or {})
    law = ruleset(chosen.system, rules)
    at = law.start(tuple(Seat(seat) for seat in seats))
    hands: list[dict[str, Any]] = []
    while len(hands) < 16 and not at.is_over:
        facts = random_facts(chosen.system, at, chance, rules)
        hand = read_hand({**facts, "number": at.number})
        if law.check(hand, at):
            continue
        paid, after = law.payments(hand, at), law.following(hand, at)
        points = {str(seat): amount for seat, amount in paid.by_seat.items()}
        expected = {
            "points": points,
            "unpaid": paid.unpaid,
            "next": situation(after),
            "passed": situation(law.without_dealer(at)),
        }
        hands.append({"facts": facts, "at": situation(at), "expected": expected})
        at = after
    return {
        "table": " ".join([preset, seats, *map(str, (settings or {}).values())]),
        "system": chosen.system,
        "rules": rules,
        "hands": hands,
    }


def written_to(path: Path) -> Path:
    """Write games of every system, with what the engine makes of each hand; the same every time."""
    games = [
        game(preset, seats, random.Random(f"{preset} {seats} {number}"), *settings)
        for preset, seats, *settings in TABLES
        for number in range(GAMES)
    ]
    path.write_text(json.dumps(games))
    return path
