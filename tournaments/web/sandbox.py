"""What strangers upload is read in a child process under limits of time and memory. [INTEGRITY 5]

A child has no database, no secret and no Django; it gets bytes and answers with plain values. At most half of the threads that
serve pages may wait for one, so files that take long keep nobody else waiting.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings

from scoring.problems import Problem, Refusal, gettext_noop
from tournaments.web.sandbox_child import pack, unpack

logger = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]
START = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tournaments.web.sandbox_child import main; main()"
)
COMMAND = [sys.executable, "-I", "-S", "-c", START]
SECONDS = 4.0
"""From the start of a child to its end; the processor time is limited by the child itself."""
AT_ONCE = max(1, settings.WEB_THREADS // 2)
slots = threading.BoundedSemaphore(AT_ONCE)


def run(
    job: str, files: Sequence[bytes], *, field: str, details: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], list[bytes]]:
    """Run `module:function` on files in a child; return its answer, or raise the refusal it answered with."""
    frame = pack({"job": job, "details": dict(details or {})}, files)
    if not slots.acquire(blocking=False):
        _refuse_busy(field)
    try:
        answer = _exchange(frame, field)
    finally:
        slots.release()
    head, given = unpack(answer)
    if "problems" in head:
        raise Refusal(*(_problem(*each) for each in head["problems"]))
    if "failure" in head:
        _refuse_failed(head, field)
    return head, given


def _exchange(frame: bytes, field: str) -> bytes:
    """Start a child, send it the frame and return its answer; a child that is too slow is killed."""
    try:
        child = subprocess.Popen(  # noqa: S603 -- our own interpreter and our own words
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
    except OSError:
        logger.exception("No process could be started to read an upload.")
        _refuse_busy(field)
    with child:
        try:
            answer, _ = child.communicate(frame, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            _refuse_slow(field)
    if child.returncode == 0:
        return answer
    return _answer_of_the_killed(child.returncode, field)


def _answer_of_the_killed(code: int, field: str) -> bytes:
    """Return the failure of a child that ended without an answer; refuse the file if its time was over."""
    if -code in {getattr(signal, "SIGXCPU", None), getattr(signal, "SIGKILL", None)}:
        _refuse_slow(field)
    return pack({"failure": "memory"}) if code < 0 else pack({"failure": "fault", "where": f"exit {code}"})


def _environment() -> dict[str, str]:
    """Return what a process needs to start on any system; settings and secrets stay here."""
    return {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}


def _problem(code: str, sentence: str, field: str, clause: str, details: dict[str, object]) -> Problem:
    return Problem(code, sentence, field, clause, details)


def _refuse_failed(head: Mapping[str, Any], field: str) -> NoReturn:
    """Refuse a file whose reading ended without an answer; our own faults are logged."""
    if head["failure"] == "memory":
        sentence = gettext_noop(
            "Reading this file takes too much memory. Save it anew, as plainly as possible."
        )
        raise Refusal(Problem("file_too_complex", sentence, field))
    logger.error("An upload could not be read: %s", head["where"])
    sentence = gettext_noop("This file could not be read. Save it anew and try again.")
    raise Refusal(Problem("file_unreadable", sentence, field))


def _refuse_slow(field: str) -> NoReturn:
    sentence = gettext_noop("Reading this file takes too long. Save it anew, as plainly as possible.")
    raise Refusal(Problem("file_too_complex", sentence, field))


def _refuse_busy(field: str) -> NoReturn:
    sentence = gettext_noop(
        "Other files are being read at this moment. Send this one again in a few seconds."
    )
    raise Refusal(Problem("slow_down", sentence, field))
