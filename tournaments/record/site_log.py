"""The only writer of the operator's log: who did what to which account, event or person, and why."""

from collections.abc import Mapping
from typing import Any

from tournaments.models import OperatorEntry
from tournaments.record.actors import Actor
from tournaments.record.rules import Act


def log(
    act: Act, subject: str, *, by: Actor, reason: str = "", data: Mapping[str, Any] | None = None
) -> OperatorEntry:
    """Append one entry; it holds ids, never names, since nothing can be taken out of it."""
    return OperatorEntry.objects.create(
        by=str(by), kind=act, subject=subject, reason=reason.strip(), data=dict(data or {})
    )
