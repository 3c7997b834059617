"""The tablet's own arithmetic gives what the rulebooks give, hand by hand, in every system."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from scoring.presets import PRESETS
from scoring.records import read_hand
from scoring.rulesets import ruleset
from scoring.seats import Seat
from tournaments.tests.random_hands import random_facts

NODE = shutil.which("node")
SCRIPTS = Path(__file__).resolve().parents[2] / "static" / "js" / "tablet"
GAMES = 40
PROGRAM = """
import { readFileSync } from "node:fs";
import { arithmeticOf } from "./arithmetic.js";
const games = JSON.parse(readFileSync(0, "utf8"));
const answers = games.map(({ system, rules, hands }) => hands.map(({ facts, at }) => {
  const arithmetic = arithmeticOf(system, rules);
  const { points, unpaid } = arithmetic.payments(facts, at);
  return { points, unpaid, next: arithmetic.following(facts, at) };
}));
console.log(JSON.stringify(answers));
"""

pytestmark = pytest.mark.skipif(NODE is None, reason="no Node was found on this machine")


def situation(at):
    return {
        "seats": [str(seat) for seat in at.seats],
        "number": at.number,
        "dealer": str(at.dealer),
        "round": str(at.round_wind),
        "counters": at.counters,
        "bets": at.bets,
        "is_over": at.is_over,
    }


def game(system, rules, seats, chance):
    """Play a game of possible hands; give what the tablet is told and what it must answer."""
    law = ruleset(system, rules)
    at = law.start(tuple(Seat(seat) for seat in seats))
    told, wanted = [], []
    while len(told) < 16 and not at.is_over:
        facts = random_facts(system, at, chance)
        hand = read_hand({**facts, "number": at.number})
        if law.check(hand, at):
            continue
        paid, after = law.payments(hand, at), law.following(hand, at)
        told.append({"facts": facts, "at": situation(at)})
        points = {str(seat): amount for seat, amount in paid.by_seat.items()}
        wanted.append({"points": points, "unpaid": paid.unpaid, "next": situation(after)})
        at = after
    return {"system": system, "rules": rules, "hands": told}, wanted


def answers(games, folder):
    shutil.copytree(SCRIPTS, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "program.js").write_text(PROGRAM)
    done = subprocess.run(
        [NODE, str(folder / "program.js")],
        input=json.dumps(games),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("preset", "seats"),
    [
        ("sbr", "ESWN"), ("sbr", "ESW"), ("wmsg", "ESWN"), ("mcr", "ESWN"), ("siamese", "ESW"),
        ("siamese", "ES"), ("red", "ESWN"), ("red", "ESW"), ("red", "EW"), ("riichi_ema", "ESWN"),
    ],
)  # fmt: skip
def test_the_tablet_pays_as_the_rulebook_does(preset, seats, tmp_path):
    chosen = PRESETS[preset]
    chance = random.Random(f"{preset} {seats}")
    rules = chosen.regulation.to_json()["system_rules"]
    played = [game(chosen.system, rules, seats, chance) for _ in range(GAMES)]
    assert answers([told for told, _ in played], tmp_path) == [wanted for _, wanted in played]
