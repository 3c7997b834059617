"""What is worked out once for a revision of the standings and kept for everybody who asks: never asked of the hands again."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache
from django.db.models import Count, Max, Sum

from tournaments.models import Protocol, Session, Snapshot, Tournament

Kept = TypeVar("Kept")
A_DAY = 86_400
MOST_NEAR = 64

_near: OrderedDict[str, Any] = OrderedDict()
_one_at_a_time = threading.Lock()


def kept(key: str, work: Callable[[], Kept]) -> Kept:
    """Return what is kept under the key, or work it out; many who ask at once in one process wait for the first."""
    if key in _near:
        near: Kept = _near[key]
        return near
    with _one_at_a_time:
        found = remembered(key, work)
        _near[key] = found
        while len(_near) > MOST_NEAR:
            _near.popitem(last=False)
    return found


def remembered(key: str, work: Callable[[], Kept]) -> Kept:
    """Return what all processes share under the key, or work it out: a part of something that is being worked out."""
    found: Kept | None = cache.get(key)
    if found is None:
        found = work()
        cache.set(key, found, A_DAY)
    return found


def revision_key(tournament: Tournament) -> str:
    """Return a key for the newest revision of a tournament; one with the same number made at another time has another key."""
    row = Snapshot.objects.filter(tournament=tournament).values_list("revision", "made_at").first()
    revision, made_at = row or (0, None)
    return f"{tournament.pk}-{revision}-{made_at.timestamp() if made_at else 0}"


def session_keys(tournament: Tournament) -> dict[int, str]:
    """Return a key for the state of every session's record; it changes with each entry of its protocols or of the desk."""
    rows = (
        Protocol.objects.filter(table__session__tournament=tournament)
        .order_by()
        .values_list("table__session_id")
        .annotate(Count("pk"), Sum("version"), Max("changed_at"))
    )
    said = {session: "-".join(str(part).replace(" ", "_") for part in parts) for session, *parts in rows}
    return {
        session: f"{session}-{state}-{tournament.entries}-{said.get(session, '')}"
        for session, state in Session.objects.filter(tournament=tournament).values_list("pk", "state")
    }
