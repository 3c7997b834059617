"""Hold the tablet's refusals against the server's: so many random entries of each system, in one language.

python bench/legality.py [entries] [SYSTEM …] [--language ru]
"""

import argparse
import os
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")

BATCH = 10_000


def held(system: str, number: int, language: str) -> Counter[str]:
    """Compare so many entries, a batch after the other; stop at the first that differs."""
    from tournaments.tests import node
    from tournaments.tests.random_entries import entries, known
    from tournaments.tests.test_tablet_legality import DEVICE

    counts: Counter[str] = Counter()
    made = entries(system, number, f"bench {language}")
    while batch := list(islice(made, BATCH)):
        found = node.answers(DEVICE, {"known": known(batch, language), "entries": batch})
        for entry, problems in zip(batch, found, strict=True):
            if problems != entry["problems"]:
                sys.exit(f"{system}: the tablet says {problems} of {entry}")
            counts["refused" if problems else "possible"] += 1
            counts.update({one["code"] for one in problems})
    return counts


def main() -> None:
    """Compare what was asked for, and print how many of each there were."""
    django.setup()
    from django.utils import translation

    from scoring.systems import SYSTEMS

    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("entries", nargs="?", type=int, default=100_000)
    asked.add_argument("systems", nargs="*", default=sorted(SYSTEMS))
    asked.add_argument("--language", default="en")
    chosen = asked.parse_args()
    with translation.override(chosen.language):
        for system in chosen.systems:
            began = time.monotonic()
            counts = held(system, chosen.entries, chosen.language)
            print(
                f"{system}: {chosen.entries} alike in {time.monotonic() - began:.0f} s:",
                dict(counts),
                flush=True,
            )


if __name__ == "__main__":
    main()
