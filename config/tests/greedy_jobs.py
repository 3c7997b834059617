"""What a child process does when it is asked to do too much, or to tell what it knows; for `test_sandbox.py`."""

import os
import sys
import time


def sleeps(details, files):
    time.sleep(60)


def computes(details, files):
    while True:
        pass


KEPT = []


def works(details, files):
    """Compute for a time, and leave much to be tidied up at the end of the process."""
    KEPT.extend([] for _ in range(700_000))
    while time.process_time() < details["seconds"]:
        pass
    return {}, files


def hoards(details, files):
    return ({"size": len(bytes(10**9))},)


def writes(details, files):
    with open(details["path"], "wb") as file:
        file.write(b"x")
    return ({},)


def fails(details, files):
    raise ZeroDivisionError("Пётр Чиж")


def ends(details, files):
    os._exit(7)


def tells(details, files):
    return {"environment": sorted(os.environ), "knows_django": "django" in sys.modules}, files
