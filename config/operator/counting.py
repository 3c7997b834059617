"""Which signals of the site are counted as what."""

from typing import Any

from config.operator import metrics
from tournaments.record import signals


def connect() -> None:
    """Listen from now on; connecting again changes nothing."""
    signals.recomputed.connect(count_recomputation)
    signals.swept.connect(remember_sweep)
    signals.job_failed.connect(count_failure)


def count_recomputation(sender: Any, *, seconds: float, **_: Any) -> None:
    """Count a recomputation and its time."""
    metrics.add("recomputations_total")
    metrics.add("recomputation_seconds_total", seconds)


def remember_sweep(sender: Any, **_: Any) -> None:
    """Remember when the sweep has looked."""
    metrics.swept()


def count_failure(sender: Any, *, job: str, **_: Any) -> None:
    """Count a job of this process that ended with an error."""
    metrics.add("job_failures_total", job=job)
