"""Two tablets at one table with random outages, and random outages behind a refused hand, as often as asked, by the tablet's own scripts.

python bench/pairs.py [pairs] [outages] [--first SEED]

Nothing may be doubled, lost or called saved that is not; and nothing may be built on a hand that the rules refuse. It stops at the first that fails.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

SUITES = Path(__file__).resolve().parent.parent / "tournaments" / "tests" / "scripts"
OPTIONS = ["--experimental-vm-modules", "--no-warnings"]
STEP = 50


def run(suite: str, *more: str, **environment: str) -> None:
    """Run a suite of the tablet's scripts; stop with what it says if it fails."""
    node = shutil.which("node") or sys.exit("Node is needed.")
    done = subprocess.run(
        [node, *OPTIONS, *more, str(SUITES / suite)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stdout)


def main() -> None:
    """Try so many pairs, some at a time, and then so many outages."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("pairs", nargs="?", type=int, default=1000)
    asked.add_argument("outages", nargs="?", type=int, default=1000)
    asked.add_argument("--first", type=int, default=1)
    chosen = asked.parse_args()
    began = time.monotonic()
    for first in range(chosen.first, chosen.first + chosen.pairs, STEP):
        number = min(STEP, chosen.first + chosen.pairs - first)
        run("pairs.test.mjs", FIRST=str(first), PAIRS=str(number))
        print(
            f"pairs {first} to {first + number - 1}: nothing doubled, lost or falsely called saved",
            flush=True,
        )
    for first in range(chosen.first, chosen.first + chosen.outages, STEP):
        number = min(STEP, chosen.first + chosen.outages - first)
        run("table.test.mjs", "--test-name-pattern=in random outages", FIRST=str(first), OUTAGES=str(number))
        print(f"outages {first} to {first + number - 1}: nothing was built on a refused hand", flush=True)
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
