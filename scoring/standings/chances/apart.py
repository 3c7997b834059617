"""Chances in a process of their own: an outlook comes in, what is told of it goes out as JSON. [RULES 9.22]"""

import gc
import json
import os
import pickle
import signal
import sys
from collections.abc import Mapping
from typing import Any

from scoring.standings.book import Player
from scoring.standings.chances.finishes import Finishes, simulate
from scoring.standings.chances.left import Outlook
from scoring.standings.chances.reach import Reach, reaches


def told_of(found: Finishes | None, proved: Mapping[Player, Reach], outlook: Outlook) -> dict[str, Any]:
    """Tell of every player how many finishes reached each goal, the likely places, and those that are possible."""
    if found is None:
        return {}
    goals = list(outlook.goals)
    return {
        "finishes": found.count,
        "goals": {str(goal): outlook.goals[goal] for goal in goals},
        "left": [left.number for left in outlook.left],
        "players": {
            str(player): [
                [found.reached[goal][player] for goal in goals],
                found.between(player),
                [reach.best, reach.worst, int(reach.is_exact)],
            ]
            for player, reach in proved.items()
        },
    }


def main() -> None:
    """Answer one question of the process that started this one, giving way to everything else on the machine.

    Ctrl-C ends the site; nobody is told anything then, and nothing is printed into its terminal.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    gc.disable()  # nothing here goes round in circles, and the process ends with its answer
    outlook, seed = pickle.load(sys.stdin.buffer)  # noqa: S301 -- from the process that started this one
    answer = json.dumps(told_of(simulate(outlook, seed=seed), reaches(outlook), outlook)).encode()
    try:
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        pass  # nobody listens any more
    os._exit(0)  # an ordinary end would take down a million objects one by one, and try to write once more
