"""How often somebody may try or ask: so many at once, then one more every so many seconds. [INTEGRITY 3] [INTEGRITY 156]

A limit is kept as one moment, at which all of it may be used again. Each use moves that moment on by `every` seconds,
and what would move it further than `burst` uses from now is refused. So a use costs one statement, a row says exactly
how long to wait, and can be deleted as soon as its moment has passed.

What people try is counted in the database: every process sees it, nothing evicts it, and it survives a lost Redis. What
people merely read is counted in the process, since reading writes nothing.
"""

import hashlib
import logging
import threading
from dataclasses import dataclass
from math import ceil
from time import monotonic, time

from django.db import connection, transaction

from scoring.problems import Problem, gettext_noop
from tournaments.models import UsedLimit
from tournaments.record.refusal import Refused

logger = logging.getLogger(__name__)

TIDY_EVERY = 60.0
MOST_IN_MEMORY = 20_000


@dataclass(frozen=True)
class Rate:
    """So many uses at once, then one more every so many seconds."""

    name: str
    burst: int
    every: float

    @property
    def span(self) -> float:
        """Return the seconds after which a limit that was used up is whole again."""
        return self.burst * self.every


@dataclass(frozen=True)
class Limit:
    """A rate as it holds for one caller."""

    rate: Rate
    of: str

    @property
    def key(self) -> str:
        """Return the digest under which it is kept."""
        return hashlib.sha256(f"{self.rate.name}:{self.of}".encode()).hexdigest()[:32]


class SlowDown(Refused):
    """Too much in too short a time; nothing was done."""

    def __init__(self, seconds: float) -> None:
        """Say how long to wait."""
        sentence = gettext_noop("Too many requests; wait %(s)s s. Nothing was lost.")
        super().__init__(Problem("slow_down", sentence, details={"s": max(1, ceil(seconds))}))


# In the database

USE = """
INSERT INTO tournaments_usedlimit (key, whole_at) VALUES (%(key)s, %(now)s + %(every)s)
ON CONFLICT (key) DO UPDATE SET whole_at = %(every)s + CASE
    WHEN tournaments_usedlimit.whole_at BETWEEN %(now)s AND %(now)s + %(span)s
    THEN tournaments_usedlimit.whole_at ELSE %(now)s END
WHERE tournaments_usedlimit.whole_at <= %(now)s + %(span)s - %(every)s
   OR tournaments_usedlimit.whole_at > %(now)s + %(span)s + %(slack)s
"""
"""A moment much further ahead than the limit allows was written before the clock was set back: it is ignored."""
SLACK = 60.0
"""By how many seconds the clocks of those who use a limit at once may differ; each reads its own before it waits for the row."""


def use(*limits: Limit) -> float:
    """Use each limit once, or none of them; return the seconds to wait, 0 when all were used.

    The count is committed at once. Inside somebody's transaction it would be forgotten with the refusal that follows,
    so that is not allowed.
    """
    now = time()
    wait = 0.0
    with transaction.atomic(durable=True):
        for limit in sorted(limits, key=lambda one: one.key):
            if not _used(limit, now):
                wait = max(wait, _wait(limit, now))
        if wait:
            transaction.set_rollback(True)
    _tidy(now)
    return wait


def _used(limit: Limit, now: float) -> bool:
    rate = limit.rate
    with connection.cursor() as cursor:
        cursor.execute(
            USE, {"key": limit.key, "now": now, "every": rate.every, "span": rate.span, "slack": SLACK}
        )
        return bool(cursor.rowcount)


def _wait(limit: Limit, now: float) -> float:
    whole_at = UsedLimit.objects.filter(key=limit.key).values_list("whole_at", flat=True).first() or now
    return max(0.001, whole_at + limit.rate.every - limit.rate.span - now)


def left(limit: Limit) -> bool:
    """Return whether a limit may be used once more."""
    now = time()
    whole_at = UsedLimit.objects.filter(key=limit.key).values_list("whole_at", flat=True).first() or now
    return whole_at + limit.rate.every <= now + limit.rate.span


def give_back(*limits: Limit) -> None:
    """Take back one use of each limit: the try was right, so it does not count."""
    with transaction.atomic():
        for limit in sorted(limits, key=lambda one: one.key):
            row = UsedLimit.objects.select_for_update().filter(key=limit.key).first()
            if row is not None:
                row.whole_at -= limit.rate.every
                row.save(update_fields=["whole_at"])


def forget(*limits: Limit) -> None:
    """Reset limits."""
    UsedLimit.objects.filter(key__in=[limit.key for limit in limits]).delete()


_tidied_at = 0.0


def _tidy(now: float) -> None:
    """Delete the rows of limits that are whole again, once a minute in each process."""
    global _tidied_at
    if now - _tidied_at < TIDY_EVERY:
        return
    _tidied_at = now
    UsedLimit.objects.filter(whole_at__lt=now).delete()


# In the process


class Memory:
    """Limits of this process, as many as fit; those nearest to being whole make room for new ones."""

    def __init__(self, most: int = MOST_IN_MEMORY) -> None:
        """Begin with every limit whole."""
        self.most = most
        self.whole_at: dict[str, float] = {}
        self.lock = threading.Lock()

    def use(self, limit: Limit) -> float:
        """Use a limit once; return the seconds to wait, 0 when it was used."""
        rate, now = limit.rate, monotonic()
        with self.lock:
            whole_at = max(now, self.whole_at.get(limit.key, now)) + rate.every
            if whole_at > now + rate.span:
                return whole_at - now - rate.span
            self.whole_at[limit.key] = whole_at
            if len(self.whole_at) > self.most:
                self._make_room(now)
        return 0.0

    def _make_room(self, now: float) -> None:
        self.whole_at = {key: at for key, at in self.whole_at.items() if at > now}
        for key in sorted(self.whole_at, key=self.whole_at.__getitem__)[
            : len(self.whole_at) - self.most // 2
        ]:
            del self.whole_at[key]


READING = Memory()
