"""Random events with two organizers, many more than the suite walks: python bench/desks.py [events]; 2,000 unless said otherwise."""

import os
import subprocess
import sys


def main() -> int:
    """Walk so many events, as many of each preset, and return how pytest ended."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    command = [sys.executable, "-m", "pytest", "-q", "tournaments/tests/test_random_desks.py"]
    environment = {**os.environ, "DESK_EVENTS": str(events)}
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
