"""Random events with two organizers, many more than the suite walks: python bench/desks.py [events]; 2,000 unless said otherwise.

At the end it lists how often each writing address of the desk was pressed, and which never.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "config" / "tests" / "addresses.txt"
DESK = {
    "see_desk",
    "manage_people",
    "check_in",
    "draw",
    "run_sessions",
    "change_tournament",
    "close_tournament",
}
DESK |= {"grant_roles", "admit_devices", "record_hands", "correct_hands", "judge", "seat_substitutes"}
"""The capabilities of those who sit at the desk."""


def main() -> int:
    """Walk so many events, as many of each preset, and return how pytest ended."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    command = [sys.executable, "-m", "pytest", "-q", "tournaments/tests/test_random_desks.py", *sys.argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "pressed"
        environment = {**os.environ, "DESK_EVENTS": str(events), "DESK_PRESSED": str(log)}
        ended = subprocess.run(command, env=environment, check=False, cwd=ROOT).returncode
        _tell(log.read_text(encoding="utf-8") if log.exists() else "")
    return ended


def _tell(text: str) -> None:
    """Print what was pressed how often, and which addresses of the desk were not."""
    pressed: Counter[str] = Counter()
    for line in text.splitlines():
        name, _, times = line.rpartition(" ")
        pressed[name] += int(times)
    print(f"presses: {pressed.total()}, addresses: {len(pressed)}")
    for name, count in pressed.most_common():
        print(f"{count:8} {name}")
    print("never pressed:", ", ".join(sorted(_writing() - set(pressed))) or "none")


def _writing() -> set[str]:
    """Read the writing addresses of the desk from the table that the tests hold against the running site."""
    rows = (line.split(" | ") for line in TABLE.read_text(encoding="utf-8").splitlines() if " | " in line)
    return {
        row[0]
        for row in rows
        if len(row) > 2
        and "POST" in row[1]
        and row[2] in DESK
        and ":api_" not in row[0]
        and ":phone_" not in row[0]
    }


if __name__ == "__main__":
    sys.exit(main())
