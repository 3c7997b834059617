"""The tests of the table's screen on every screen: three sizes, two languages, three themes.

python bench/screens.py [--only phone-ru-sun,tall-en-dark] [tests and options for pytest ...]

The suite takes one of the eighteen for each test; here each test is run on all of them. It goes on after a failure and says at the end what failed.
Tests that go by English words are run in English on every size and theme.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from config.tests.screens import CHOSEN, SCREENS  # noqa: E402

TESTS = ("config/tests/test_tablet_taps_browser.py", "config/tests/test_tablet_browser.py")


def main() -> None:
    """Run the tests on one screen after another."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", default="", help="screens, between commas")
    chosen, tests = asked.parse_known_args()
    named = chosen.only.split(",") if chosen.only else ["-".join(screen) for screen in SCREENS]
    failed = []
    for screen in named:
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", *(tests or TESTS)],
            cwd=ROOT,
            env={**os.environ, CHOSEN: screen},
            check=False,
        )
        failed += [screen] if done.returncode else []
        print(
            f"{screen}: {'failed' if done.returncode else 'passed'} in {time.monotonic() - began:.0f} s",
            flush=True,
        )
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
