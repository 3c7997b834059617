"""Appeals of every kind in every combination, pressed to their end page by page: python bench/appeals.py [part/parts] [fates]; 0/1, all of them, unless said otherwise.

Six systems, seven committees, six conflicts of interest; in each event five kinds of decisions with four fates of the deposit, or with
so many of these in turn as are said: with 1 each event hears five appeals, and each kind meets another fate in the next event.
"""

import os
import subprocess
import sys


def main() -> int:
    """Hear the appeals of a part of all combinations, and return how pytest ended."""
    share = sys.argv[1] if len(sys.argv) > 1 else "0/1"
    fates = sys.argv[2] if len(sys.argv) > 2 else "4"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "penalties/tests/test_random_appeals.py",
        "-k",
        "all_appeals",
    ]
    environment = {**os.environ, "APPEALS_SHARE": share, "APPEALS_FATES": fates}
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
