"""How right the chances are, and how long they take.

    python bench/chances.py calibration [--events 1000]    of those given 30 %, how many did: for each tenth, over random events
    python bench/chances.py time [--players 500]           processor time of 10 000 finishes after a hand, and of all that follows a hand

Both use the arithmetic of the site; nothing else is needed. The events are played by players of known strength, of whom the
program knows the results alone. The time stands beside that of 10 000 bare sorts of as many numbers.
"""

import argparse
import gzip
import os
import pickle
import random
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scoring.standings.chances.finishes import FINISHES, simulate
from scoring.standings.chances.left import Outlook
from scoring.standings.chances.reach import reaches
from scoring.tests.finished_events import calibration, random_event, until


def timed(players: int) -> None:
    """Print the processor time for the last session and for half of the event to come."""
    chance = random.Random(1)
    values = [[chance.random() for _ in range(players)] for _ in range(100)]
    begun = time.process_time()
    for at in range(FINISHES):
        sorted(range(players), key=values[at % 100].__getitem__)
    bare = time.process_time() - begun
    print(f"{'bare sorts':28}{bare:7.2f} s")
    for played, total in ((5, 6), (3, 6)):
        _, outlook = until(random_event(chance, players=players, sessions=total), played)
        begun = time.process_time()
        found = simulate(outlook, seed="x")
        spent = time.process_time() - begun
        begun = time.process_time()
        reaches(outlook)
        proof = time.process_time() - begun
        count = found.count if found else 0
        whole = apart(outlook)
        print(
            f"{f'{total - played} of {total} sessions to come':28}{spent:7.2f} s for {count} finishes ({spent / bare:.2f} of bare), "
            f"proof {proof:.2f} s; in a process of its own, with its start and its answer, {whole:.2f} s ({whole / bare:.2f} of bare)"
        )


def apart(outlook: Outlook) -> float:
    """Return the processor time of the process that works chances out on a site, from its start to its end."""
    root = str(Path(__file__).resolve().parents[1])
    start = (
        f"import sys; sys.path.insert(0, {root!r}); from scoring.standings.chances.apart import main; main()"
    )
    before = os.times()
    told = subprocess.run(
        [sys.executable, "-I", "-S", "-c", start],
        input=pickle.dumps((outlook, "x")),
        stdout=subprocess.PIPE,
        check=True,
    )
    gzip.compress(told.stdout, 6)
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("calibration", "time"))
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--players", type=int)
    parser.add_argument("--finishes", type=int, default=1000)
    options = parser.parse_args()
    if options.what == "time":
        timed(options.players or 500)
        return
    tenths = calibration(
        events=options.events, players=options.players or 24, sessions=6, finishes=options.finishes, seed=1
    )
    for number, tenth in enumerate(tenths):
        off = tenth.happened - tenth.given
        print(
            f"{number * 10:3}–{number * 10 + 10:3} %: {tenth.cases:7} cases, given {tenth.given:6.1%}, did {tenth.happened:6.1%}, off {off:+6.1%}"
        )


if __name__ == "__main__":
    main()
