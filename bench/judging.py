"""Random events with their referees, many more than the suite walks: python bench/judging.py [events] [first seed].

2,000 unless said otherwise, as many of each preset, from seed 0 on; a later seed goes on where another run has ended.
"""

import os
import subprocess
import sys


def main() -> int:
    """Walk so many events, as many of each preset, and return how pytest ended."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    command = [sys.executable, "-m", "pytest", "-q", "penalties/tests/test_random_judging.py"]
    first = sys.argv[2] if len(sys.argv) > 2 else "0"
    environment = {**os.environ, "JUDGING_EVENTS": str(events), "JUDGING_FIRST": first}
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
