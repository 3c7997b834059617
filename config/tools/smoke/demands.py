"""What the smoke demands: that something is so, or becomes so in time."""

import re
import time
from collections.abc import Callable
from typing import Any


def expect(condition: bool, sentence: str) -> None:
    """Fail with the sentence unless the condition holds."""
    if not condition:
        raise SystemExit(f"Smoke: {sentence}")


def found_in(page: bytes, pattern: bytes, sentence: str) -> str:
    """Return what the group of the pattern matches in a page; fail with the sentence if nothing does."""
    match = re.search(pattern, page)
    if match is None:
        raise SystemExit(f"Smoke: {sentence}")
    return match[1].decode()


def wait_for(condition: Callable[[], Any], sentence: str, seconds: float) -> float:
    """Wait for something; return how long it took."""
    started = time.monotonic()
    while not condition():
        expect(time.monotonic() - started < seconds, f"{sentence} within {seconds:.0f} s")
        time.sleep(0.02)  # what is waited for happens in other processes, which cannot wake this one
    return time.monotonic() - started
