"""Numbers about this process and the site, in the text format that Prometheus reads.

Every process counts for itself. Where there are several, each stores its counts in Redis every few seconds under a name of its
own, and whichever of them is asked for /metrics answers for all, with the label `process`: a counter never jumps back and forth
between processes, and `sum without (process) (rate(…))` is the site's. A process that ends takes its series with it.
What the database knows, such as queues and backups, is asked for when /metrics is, and has no such label.
"""

import json
import logging
import os
import shutil
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

logger = logging.getLogger(__name__)

Labels = tuple[tuple[str, str], ...]
Samples = dict[str, dict[Labels, float]]

HELP = {
    "requests_total": (
        "counter",
        "Requests answered by Django and by the queue of hands, by route and status.",
    ),
    "request_seconds_total": ("counter", "Seconds spent on these requests, by route."),
    "shared_pages_total": ("counter", "Public pages answered from memory, in front of Django."),
    "hand_batches_total": ("counter", "Transactions in which hands of tablets were written together."),
    "batched_hands_total": ("counter", "Requests of tablets that these transactions answered."),
    "recomputations_total": ("counter", "Recomputations of standings."),
    "recomputation_seconds_total": ("counter", "Seconds spent on recomputations."),
    "job_failures_total": ("counter", "Background jobs that ended with an error, by job."),
    "mails_total": ("counter", "Mails, by outcome."),
    "live_streams": ("gauge", "Open live streams."),
    "hands_waiting": ("gauge", "Requests of tablets that wait to be written."),
    "resident_bytes": ("gauge", "Memory of the process."),
    "up": ("gauge", "1 for each process that reports."),
    "redis_up": ("gauge", "Whether Redis answers; without it only the answering process is shown."),
    "queue_length": ("gauge", "Messages that wait for a worker."),
    "standings_behind": ("gauge", "Tournaments whose standings are behind their record."),
    "sweep_age_seconds": ("gauge", "Seconds since the sweep last looked; 5 is usual."),
    "disk_free_bytes": ("gauge", "Free room where this process writes."),
    "report_good": ("gauge", "Whether the last run of an operation went well."),
    "report_age_seconds": (
        "gauge",
        "Seconds since an operation last went well; for a proven backup see operation=drill.",
    ),
    "certificate_seconds_left": ("gauge", "Seconds until the certificate ends."),
}
PREFIX = "four_winds_"
EVERY = 5.0
KEPT_FOR = 20
SWEPT = f"{settings.REDIS_PREFIX}swept"
STORED = f"{settings.REDIS_PREFIX}metrics:"

_counts: Samples = defaultdict(lambda: defaultdict(float))
_gauges: dict[str, Callable[[], float]] = {}
_lock = threading.Lock()
_swept_at = 0.0


def add(name: str, amount: float = 1, **labels: str) -> None:
    """Count something; `name` is one of HELP."""
    key = tuple(sorted(labels.items())) if labels else ()
    with _lock:
        _counts[name][key] += amount


def count_request(facts: Mapping[str, Any]) -> None:
    """Count a request by what its line in the log says."""
    route, method, status = str(facts["route"]), str(facts["method"]), str(facts["status"])
    add("requests_total", route=route, method=method, status=status)
    add("request_seconds_total", float(facts["ms"]) / 1000, route=route)


def watch(name: str, value: Callable[[], float]) -> None:
    """Ask for a number of this process whenever its counts are stored."""
    _gauges[name] = value


def process_name() -> str:
    """Name this process: what it does, on which machine, under which number."""
    part = os.environ.get("FOUR_WINDS_PART") or settings.ROLE
    return f"{part}-{socket.gethostname()}-{os.getpid()}"


def own() -> Samples:
    """Return the counts and numbers of this process."""
    with _lock:
        found: Samples = {name: dict(values) for name, values in _counts.items()}
    found["up"] = {(): 1}
    found["resident_bytes"] = {(): resident_bytes()}
    return found | {name: {(): value()} for name, value in _gauges.items()}


def resident_bytes() -> float:
    """Return how much memory this process has, 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return float(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    except OSError:
        return 0


# Several processes


def packed(samples: Samples) -> str:
    """Write samples for Redis."""
    return json.dumps(
        {name: [[dict(labels), value] for labels, value in rows.items()] for name, rows in samples.items()}
    )


def unpacked(text: str | bytes) -> Samples:
    """Read samples that another process has stored."""
    return {
        name: {tuple(sorted(labels.items())): value for labels, value in rows}
        for name, rows in json.loads(text).items()
    }


def store() -> None:
    """Store the numbers of this process where the others find them."""
    with _redis() as client:
        client.set(f"{STORED}{process_name()}", packed(own()), ex=KEPT_FOR)


def _redis() -> Any:
    from redis import Redis

    return Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


def start() -> None:
    """Store the numbers of this process every few seconds; alone on its site, it has nobody to store them for."""
    if not settings.EMBEDDED:
        threading.Thread(target=_go_on, name="metrics", daemon=True).start()


def _go_on() -> None:
    while True:
        try:
            store()
        except Exception:
            logger.debug("The metrics of this process could not be stored.", exc_info=True)
        time.sleep(EVERY)


def swept() -> None:
    """Remember that the sweep has looked, for every process to see."""
    global _swept_at
    _swept_at = time.time()
    if settings.EMBEDDED:
        return
    try:
        with _redis() as client:
            client.set(SWEPT, _swept_at)
    except Exception:
        logger.debug("That the sweep has looked could not be stored.", exc_info=True)


# What is answered


@dataclass(frozen=True)
class Overview:
    """What the operator's page wants to know of all processes."""

    processes: Mapping[str, Samples]
    redis_is_up: bool
    sweep_age: float | None
    failures: int


def overview() -> Overview:
    """Return the numbers of every process in short."""
    processes, site = gathered()
    failures = sum(sum(samples.get("job_failures_total", {}).values()) for samples in processes.values())
    age = site.get("sweep_age_seconds", {}).get(())
    return Overview(processes, bool(site["redis_up"][()]), age, int(failures))


def page() -> str:
    """Write the numbers of every process, and what the site as a whole comes to."""
    processes, site = gathered()
    return "".join(_lines(processes, site | _from_database()))


def gathered() -> tuple[dict[str, Samples], Samples]:
    """Return the numbers of every process, and those that belong to none."""
    processes: dict[str, Samples] = {process_name(): own()}
    site: Samples = {"redis_up": {(): 1}}
    if settings.EMBEDDED:
        return processes, site | ({"sweep_age_seconds": {(): time.time() - _swept_at}} if _swept_at else {})
    try:
        others, of_redis = _from_redis()
    except Exception:
        logger.warning("Metrics are of one process alone: Redis does not answer.", exc_info=True)
        return processes, {"redis_up": {(): 0}}
    return others | processes, site | of_redis


def _from_redis() -> tuple[dict[str, Samples], Samples]:
    with _redis() as client:
        names = [name.decode() for name in client.scan_iter(f"{STORED}*", count=100)]
        texts = client.mget(names) if names else []
        length = client.llen(f"{settings.REDIS_PREFIX}celery")
        swept_at = client.get(SWEPT)
    processes = {
        name.removeprefix(STORED): unpacked(text)
        for name, text in zip(names, texts, strict=True)
        if text is not None
    }
    site: Samples = {"queue_length": {(): float(length)}}
    if swept_at is not None:
        site["sweep_age_seconds"] = {(): time.time() - float(swept_at)}
    return processes, site


def _from_database() -> Samples:
    from config.operator import reports
    from tournaments.standings.operations import recompute

    latest = reports.latest()
    ages: dict[Labels, float] = {
        (("operation", name),): (timezone.now() - each.good_at).total_seconds()
        for name, each in latest.items()
        if each.good_at
    }
    found: Samples = {
        "standings_behind": {(): float(len(recompute.behind()))},
        "disk_free_bytes": {(): float(_free())},
        "report_good": {(("operation", name),): float(each.is_good) for name, each in latest.items()},
        "report_age_seconds": ages,
    }
    if (shown := latest.get(reports.Name.CERTIFICATE)) and (left := seconds_left(shown.facts)) is not None:
        found["certificate_seconds_left"] = {(): left}
    return found


def seconds_left(facts: Mapping[str, Any]) -> float | None:
    """Return how long the certificate of a report is still good."""
    if "ends_at" not in facts:
        return None
    ends_at = datetime.fromisoformat(facts["ends_at"])
    return float((ends_at - timezone.now()).total_seconds())


def _free() -> int:
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(settings.VAR_DIR).free


def _lines(processes: Mapping[str, Samples], site: Samples) -> Iterator[str]:
    for name, (kind, text) in HELP.items():
        rows = [
            *((labels, value) for labels, value in site.get(name, {}).items()),
            *(
                ((*labels, ("process", process)), value)
                for process, samples in sorted(processes.items())
                for labels, value in samples.get(name, {}).items()
            ),
        ]
        if rows:
            yield f"# HELP {PREFIX}{name} {text}\n# TYPE {PREFIX}{name} {kind}\n"
        for labels, value in rows:
            yield f"{PREFIX}{name}{_braces(labels)} {value:.15g}\n"


def _braces(labels: Labels) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{escaped(value)}"' for name, value in labels) + "}"


def escaped(value: str) -> str:
    """Write a label's value as the format wants it."""
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
