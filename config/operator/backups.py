"""Backups by the clock: one a night, copied elsewhere, old ones deleted, and the newest restored beside the site weekly."""

import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from config.management.commands.restore_drill import RESULT
from config.models import Report
from config.operator import reports
from config.server.sqlite.private import close_to_others, make_private
from config.tools import backup

logger = logging.getLogger(__name__)

NAME = "four-winds-{:%Y%m%d-%H%M%S}.zip"
PATTERN = "four-winds-????????-??????.zip"
FEWEST = 3
BETWEEN_DRILLS = timedelta(days=7)
AGAIN_AFTER = timedelta(minutes=15)
LONGEST_DRILL = 3 * 3600
SLACK = timedelta(hours=1)


class Failed(Exception):
    """A step that did not work; the sentence says why."""


@dataclass(frozen=True)
class Plan:
    """Where backups go, when they are made and how long they are kept."""

    folder: Path
    at: time
    keep: timedelta
    copy_to: str


def plan(folder: Path, *, at: str, keep_days: int, copy_to: str) -> Plan:
    """Check what the operator asks for; raise Failed with a sentence about what cannot be."""
    try:
        hour = time.fromisoformat(at)
    except ValueError as error:
        raise Failed(f"BACKUP_AT is “{at}”; write an hour such as 03:30.") from error
    if keep_days < 1:
        raise Failed("BACKUP_KEEP_DAYS must be 1 or more.")
    return Plan(folder, hour, timedelta(days=keep_days), copy_to)


# When


def next_run(plan: Plan, now: datetime, last: Report | None) -> datetime:
    """Return when the next backup is due: at its hour, at once if a night was missed, soon again after a failure."""
    due = datetime.combine(now.date(), plan.at, UTC)
    due = due if due > now else due + timedelta(days=1)
    if last is None or last.good_at is None or due - last.good_at > timedelta(days=1) + SLACK:
        due = now
    if last is not None and not last.is_good:
        due = max(due, last.at + AGAIN_AFTER)
    return due


def is_drill_due(now: datetime, last: Report | None) -> bool:
    """Whether the newest backup is to be restored beside the site: once a week, and after every backup while drills fail."""
    return last is None or not last.is_good or now - last.at >= BETWEEN_DRILLS - SLACK


# What


def run(plan: Plan) -> bool:
    """Back up, copy, delete what is too old, and restore the newest beside the site if it is time; report each step."""
    path = _report(reports.Name.BACKUP, lambda: make(plan))
    if path is None:
        return False
    is_good = True
    if plan.copy_to:
        is_good = _report(reports.Name.COPY, lambda: copy(path, plan)) is not None
    if is_drill_due(timezone.now(), reports.latest().get(reports.Name.DRILL)):
        is_good = _report(reports.Name.DRILL, lambda: drill(path)) is not None and is_good
    return is_good


def _report(name: Report.Name, step: Callable[[], tuple[Path, dict[str, Any]]]) -> Path | None:
    """Run a step and store how it went; return the file, or None after a failure."""
    try:
        path, facts = step()
    except (Failed, backup.Unfit, OSError, subprocess.SubprocessError) as reason:
        logger.error("The step “%s” failed: %s", name, reason)
        reports.note(name, is_good=False, error=str(reason)[:500])
        return None
    reports.note(name, is_good=True, file=path.name, **facts)
    logger.info("The step “%s” is done: %s", name, path.name)
    return path


def make(plan: Plan) -> tuple[Path, dict[str, Any]]:
    """Write a backup into the folder and delete those that are too old."""
    path = plan.folder / NAME.format(timezone.now())
    manifest = backup.save(path)
    forget(plan.folder, plan.keep)
    free = shutil.disk_usage(plan.folder).free
    return path, {"bytes": path.stat().st_size, "tournaments": len(manifest["tournaments"]), "free": free}


def backups_in(folder: Path) -> list[Path]:
    """List the backups that the schedule made, the newest first."""
    return sorted(folder.glob(PATTERN), reverse=True)


def forget(folder: Path, keep: timedelta) -> None:
    """Delete what is older than it is kept, but never the last few: a site whose clock is wrong keeps something."""
    for path in backups_in(folder)[FEWEST:]:
        made_at = datetime.strptime(path.name, NAME.replace("{:", "").replace("}", "")).replace(tzinfo=UTC)
        if timezone.now() - made_at > keep:
            path.unlink()


def copy(path: Path, plan: Plan) -> tuple[Path, dict[str, Any]]:
    """Copy a backup elsewhere: into a mounted folder, or by rclone to a `remote:folder` that it knows."""
    if ":" in plan.copy_to and not Path(plan.copy_to).is_absolute():
        return _copy_by_rclone(path, plan)
    folder = Path(plan.copy_to)
    if not folder.is_dir():
        raise Failed(f"There is no folder {folder}: is the other machine or disk mounted?")
    there = folder / path.name
    partial = there.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    make_private(partial)
    shutil.copyfile(path, partial)
    with partial.open("r+b") as file:
        os.fsync(file.fileno())
    if digest(partial) != digest(path):
        raise Failed(f"The copy in {folder} is not what was copied.")
    partial.replace(there)
    forget(folder, plan.keep)
    for earlier in backups_in(folder):
        with suppress(OSError):  # a disk that knows no rights, or somebody else's file
            close_to_others(earlier)
    return there, {"to": str(folder), "is_same_disk": folder.stat().st_dev == path.parent.stat().st_dev}


def _copy_by_rclone(path: Path, plan: Plan) -> tuple[Path, dict[str, Any]]:
    if shutil.which("rclone") is None:
        raise Failed(f"BACKUP_COPY_TO is “{plan.copy_to}”, but the program rclone is not on this machine.")
    for words in (
        ["copyto", str(path), f"{plan.copy_to}/{path.name}"],
        ["delete", "--include", PATTERN, "--min-age", f"{plan.keep.days}d", plan.copy_to],
    ):
        done = subprocess.run(["rclone", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
        if done.returncode:
            raise Failed(f"rclone {words[0]} failed: {done.stderr.strip()[-300:]}")
    return path, {"to": plan.copy_to, "is_same_disk": False}


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def drill(path: Path) -> tuple[Path, dict[str, Any]]:
    """Restore a backup beside the site, in a process of its own that this one survives."""
    (Path(settings.VAR_DIR) / RESULT).unlink(missing_ok=True)
    words = [sys.executable, "-m", "django", "restore_drill", str(path)]
    done = subprocess.run(  # noqa: S603 -- our own command on our own file
        words, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=LONGEST_DRILL, check=False
    )
    found = _found()
    if done.returncode:
        raise Failed(
            found.get("reason") or f"The drill failed: {(done.stderr or done.stdout).strip()[-400:]}"
        )
    return path, {key: found[key] for key in ("made_at", "tournaments", "entries") if key in found}


def _found() -> dict[str, Any]:
    """Read what the drill has stored about itself."""
    path = Path(settings.VAR_DIR) / RESULT
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found
