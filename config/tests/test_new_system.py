"""A new system and a new criterion are one object each: a coin is tossed through the whole site."""

import os
import subprocess
import sys

from django.conf import settings


def test_a_system_and_a_criterion_that_nobody_ships_are_played_through_the_public_objects():
    """In a process of its own: they are made known before Django starts, and what asks for the lists then knows them."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DATABASE_URL", "REDIS_URL", "PYTEST_"))
    }
    played = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "config.tests.coin.plugin", "config/tests/coin/play.py"],
        cwd=settings.BASE_DIR, env=clean, capture_output=True, text=True,
    )  # fmt: skip
    assert played.returncode == 0, played.stdout[-6000:]
    assert " passed" in played.stdout
