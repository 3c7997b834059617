"""The door at a shell: `python -m seating.rules fixed|swiss|random`, JSON on standard input and output."""

import argparse
import sys
from collections.abc import Sequence
from typing import BinaryIO

from scoring.door import problems_as_json, read_json, written
from scoring.problems import Refusal
from seating.rules import door
from seating.rules.swiss import Mode


def main(arguments: Sequence[str], source: BinaryIO, sink: BinaryIO) -> int:
    """Answer one request and return the status: 0 drawn, 1 refused."""
    options = _parser().parse_args(arguments)
    try:
        asked = read_json(source.read())
        if options.method == "fixed":
            answer: object = door.fixed(asked)
        elif options.method == "swiss":
            answer = door.swiss(asked, options.mode)
        else:
            answer = door.random(asked)
    except Refusal as refusal:
        sink.write(written({"problems": problems_as_json(refusal.problems, "en")}) + b"\n")
        return 1
    sink.write(written(answer) + b"\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m seating.rules", description=__doc__)
    methods = parser.add_subparsers(dest="method", required=True)
    methods.add_parser("fixed", help="all sessions of an event at once")
    by_standing = methods.add_parser("swiss", help="one session by standing")
    by_standing.add_argument("--mode", choices=[str(mode) for mode in Mode])
    methods.add_parser("random", help="the draw four-winds/1")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
