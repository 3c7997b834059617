"""The tests of the table's screen on every screen: three sizes, two languages, three themes.

python bench/screens.py [--only phone-ru-sun,tall-en-dark] [--words] [options for pytest ...]

The suite takes one of the eighteen for each test; here each test takes all of them, one server and one browser for each test. It goes on after a failure
and says at the end what failed where. With `--words` the tests that go by English words follow, in English on every size and theme, a screen at a time.
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

TESTS = ("config/tests/test_tablet_slips_browser.py", "config/tests/test_tablet_taps_browser.py")
BY_WORDS = "config/tests/test_tablet_browser.py"


def passed(screens: str, tests: tuple[str, ...], options: list[str]) -> bool:
    """Run tests on the screens, and say how long they took."""
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", *tests, *options]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, CHOSEN: screens}, check=False)
    word = "failed" if done.returncode else "passed"
    print(f"{screens}: {word} in {time.monotonic() - began:.0f} s", flush=True)
    return not done.returncode


def main() -> None:
    """Run the tests on all screens, or on those that were asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", default="all", help="screens, between commas")
    asked.add_argument("--words", action="store_true", help="also the tests that go by English words")
    chosen, options = asked.parse_known_args()
    failed = [] if passed(chosen.only, TESTS, options) else [chosen.only]
    if chosen.words:
        named = ["-".join(one) for one in SCREENS if one.language == "en"]
        failed += [screen for screen in named if not passed(screen, (BY_WORDS,), options)]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
