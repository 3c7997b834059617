"""Reports of operations: the last run of each, and the last good one."""

import logging
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from config.models import Report

logger = logging.getLogger(__name__)
Name = Report.Name


def note(name: Report.Name, *, is_good: bool, **facts: Any) -> None:
    """Store how an operation went; a database that is away keeps nobody from the operation itself."""
    now = timezone.now()
    values = {"at": now, "is_good": is_good, "facts": facts} | ({"good_at": now} if is_good else {})
    try:
        with transaction.atomic():
            Report.objects.update_or_create(name=name, defaults=values)
    except DatabaseError:
        logger.exception("How the operation “%s” went could not be stored.", name)


def latest() -> dict[str, Report]:
    """Return the reports that there are, by name."""
    return {report.name: report for report in Report.objects.all()}
