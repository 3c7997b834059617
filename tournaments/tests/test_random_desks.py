"""Random events with two organizers: no dead end, no seat for who has left, no place too many, nothing done unsaid."""

import os
from pathlib import Path

import pytest

from tournaments.tests.random_desks import PRESETS, Walk

pytestmark = pytest.mark.django_db
EVENTS = int(os.environ.get("DESK_EVENTS", "5"))
"""How many in all; `bench/desks.py` walks more."""


@pytest.mark.parametrize("seed", range(-(-EVENTS // len(PRESETS))))
@pytest.mark.parametrize(
    "preset", [*PRESETS[:2], *(pytest.param(one, marks=pytest.mark.once) for one in PRESETS[2:])]
)
def test_two_organizers_find_no_dead_end(preset, seed):
    walk = Walk(os.environ.get("DESK_SEED", "") + str(seed), preset)
    try:
        walk.run()
    finally:
        if log := os.environ.get("DESK_PRESSED"):
            with Path(log).open("a", encoding="utf-8") as file:
                file.writelines(f"{name} {count}\n" for name, count in walk.pressed.items())
