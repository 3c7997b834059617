"""Random events with their referees: no decision loses its effect, every appeal comes to an end. [RULES 8.51]"""

import os

import pytest

from penalties.tests.random_judging import PRESETS, Walk

pytestmark = pytest.mark.django_db
EVENTS = int(os.environ.get("JUDGING_EVENTS", "21"))
"""How many in all; `bench/judging.py` walks more. A second database is asked for one of each system."""
FIRST = int(os.environ.get("JUDGING_FIRST", "0"))
SEEDS = range(FIRST, FIRST - (-EVENTS // len(PRESETS)))


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.once) if seed else seed for seed in SEEDS]
)
@pytest.mark.parametrize("preset", PRESETS)
def test_no_decision_is_lost_and_every_appeal_comes_to_an_end(preset, seed):
    Walk(str(seed), preset).run()
