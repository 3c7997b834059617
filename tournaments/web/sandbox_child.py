"""The child process of `sandbox.py`: a bare Python that reads one upload within limits, answers, and ends.

It imports neither Django nor any installed package, so it starts in some hundredths of a second.
A request and its answer are frames: one line of JSON, then the files it names by their sizes.
"""

import gc
import json
import os
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from scoring.problems import Problem, Refusal

try:
    import resource
except ImportError:  # Windows knows no such limits; there the parent's clock is the only one
    resource = None  # type: ignore[assignment]

CPU_SECONDS = 2
MEMORY_BYTES = 256 * 1024 * 1024
MODEST_AFTER = 0.1
LIMITS = {"RLIMIT_CPU": CPU_SECONDS, "RLIMIT_AS": MEMORY_BYTES, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0}


def pack(head: Mapping[str, Any], files: Sequence[bytes] = ()) -> bytes:
    """Return a frame."""
    line = json.dumps({**head, "sizes": [len(file) for file in files]}).encode()
    return b"\n".join((line, b"".join(files)))


def unpack(frame: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Return the message of a frame and its files."""
    line, _, rest = frame.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    files, at = [], 0
    for size in head.pop("sizes"):
        files.append(rest[at : at + size])
        at += size
    return head, files


def main() -> None:
    """Read a frame from the standard input and write its answer to the standard output."""
    _limit()
    gc.disable()  # nothing lives long here, and millions of small lists would be looked through again and again
    try:
        answer = _answer(sys.stdin.buffer.read())
    except MemoryError:
        answer = pack({"failure": "memory"})
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
    os._exit(0)  # at once: tidying up takes time, and there the timer would find nobody to take its signal


def _limit() -> None:
    """Set the limits of this process; once it has computed for a while, its priority is lowered."""
    if resource is None:
        return
    for name, most in LIMITS.items():
        with suppress(ValueError, OSError):  # some systems know a limit and do not let it be set
            resource.setrlimit(getattr(resource, name), (most, most))
    signal.signal(signal.SIGPROF, lambda *_: os.nice(5))
    signal.setitimer(signal.ITIMER_PROF, MODEST_AFTER)


def _answer(frame: bytes) -> bytes:
    """Run the job of a frame; a refusal and a fault of ours are answers too."""
    head, files = unpack(frame)
    module, _, name = head["job"].partition(":")
    try:
        return pack(*getattr(import_module(module), name)(head["details"], files))
    except Refusal as refusal:
        return pack({"problems": [_as_json(problem) for problem in refusal.problems]})
    except MemoryError:
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        where = [f"{frame.name}:{frame.lineno}" for frame in frames[-4:]]
        return pack({"failure": "fault", "where": f"{type(error).__name__} in {', '.join(where)}"})


def _as_json(problem: Problem) -> list[Any]:
    return [problem.code, problem.sentence, problem.field, problem.clause, dict(problem.details)]
