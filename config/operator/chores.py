"""What is done once a day: rows that nobody needs any more are deleted, histories verified, the certificate looked at."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import close_old_connections
from django.utils import timezone

from config.models import Report
from config.operator import certificate, reports
from tournaments.models import Receipt, Tournament
from tournaments.standings.operations.verification import verify

logger = logging.getLogger(__name__)

KEEP_RECEIPTS = timedelta(days=90)
FIRST_AFTER = 300.0
EVERY = 24 * 3600.0


def do_all() -> None:
    """Do every chore; one that fails is reported and keeps no other from being done."""
    _report(reports.Name.CHORES, tidy)
    _report(reports.Name.CHAINS, verify_histories)
    _report(reports.Name.CERTIFICATE, certificate.look)


def _report(name: Report.Name, work: Callable[[], dict[str, object]]) -> None:
    try:
        facts = work()
    except Exception as error:
        logger.exception("The operation “%s” failed.", name)
        facts = {"error": f"{type(error).__name__}: {error}"[:300]}
    if facts:
        reports.note(name, is_good="error" not in facts, **facts)


def tidy() -> dict[str, object]:
    """Delete expired sign-ins, and the receipts of events that closed long ago: no tablet sends their hands again."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    open_keys = Session.objects.values("session_key")
    devices, _ = UserSession.objects.exclude(session_key__in=open_keys).delete()
    old = Receipt.objects.filter(
        tournament__state=Tournament.State.CLOSED, at__lt=timezone.now() - KEEP_RECEIPTS
    )
    receipts = old._raw_delete(old.db)
    return {"devices": devices, "receipts": receipts}


def verify_histories() -> dict[str, object]:
    """Check the history of every tournament."""
    faults, count = [], 0
    for tournament in Tournament.objects.order_by("pk").iterator():
        count += 1
        faults += [f"{tournament.slug}: {fault}" for fault in verify(tournament)]
    found: dict[str, object] = {"tournaments": count}
    return found | ({"error": "; ".join(faults[:5])} if faults else {})


_stop = threading.Event()


def start_embedded() -> None:
    """Start the thread that does the chores where no beat does."""
    _stop.clear()
    threading.Thread(target=_run, args=[_stop], name="chores", daemon=True).start()


def stop_embedded() -> None:
    """Let the thread end."""
    _stop.set()


def _run(stop: threading.Event) -> None:
    """Do the chores some minutes after the start, if a day has passed since the last time, and then daily."""
    wait = FIRST_AFTER
    while not stop.wait(wait):
        try:
            if is_due():
                do_all()
        except Exception:
            logger.exception("The daily chores failed.")
        finally:
            close_old_connections()
        wait = EVERY / 24


def is_due() -> bool:
    """Whether a day has passed since the chores were last done."""
    last = reports.latest().get(reports.Name.CHORES)
    return last is None or timezone.now() - last.at >= timedelta(seconds=EVERY)
