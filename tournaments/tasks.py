"""What happens behind the pages: standings recomputed by a worker, or by one thread where there are no workers."""

import logging
import threading
import time

from celery import shared_task
from django.conf import settings
from django.db import close_old_connections

from tournaments.people.operations import mails, registration
from tournaments.privacy import operations as privacy
from tournaments.record import signals, wakeup
from tournaments.record.actors import SYSTEM
from tournaments.standings.operations import recompute

logger = logging.getLogger(__name__)

PAUSE = 0.34
TURN = 5.0
"""For how many seconds a worker stays with one event whose hands never cease."""
SWEEP = 5.0
HOUR = 3600.0
_stop = threading.Event()


@shared_task(name="tournaments.tasks.recompute_standings")
def recompute_standings(tournament_id: int) -> None:
    """Recompute until nothing more is wanted; the pause lets a burst of hands cost one recomputation.

    Where hands never cease, other events wait for this worker too: after some seconds the rest is another message.
    """
    wakeup.taken(tournament_id)
    recompute.recompute(tournament_id)
    until = time.monotonic() + TURN
    while tournament_id in recompute.behind():
        time.sleep(PAUSE)  # a burst of edits is worth one recomputation, not hundreds
        if time.monotonic() > until:
            wakeup.wake(tournament_id)
            return
        if recompute.recompute(tournament_id) is None:
            return


@shared_task(name="tournaments.tasks.sweep")
def sweep() -> None:
    """Catch up on whatever a lost message left behind."""
    for tournament_id in recompute.behind():
        recompute_standings.delay(tournament_id)
    lapse_offers()
    if mails.is_any_due():
        send_mails.delay()
    signals.swept.send(None)


def lapse_offers() -> None:
    """Pass on the places whose offers nobody took in time."""
    for tournament in registration.with_lapsed_offers():
        registration.lapse_offers(tournament, by=SYSTEM)


@shared_task(name="tournaments.tasks.send_mails", ignore_result=True)
def send_mails() -> None:
    """Send the mails that are due; a worker that is killed loses none."""
    while mails.send_due():
        pass


def run_mails(stop: threading.Event) -> None:
    """Send mails in a thread of their own: a slow mail host keeps no standings waiting."""
    while not stop.is_set():
        try:
            send_mails()
        except Exception:
            logger.exception("Mails could not be looked at; trying again.")
        finally:
            close_old_connections()
        stop.wait(SWEEP)


@shared_task(name="tournaments.tasks.forget_contacts")
def forget_contacts() -> None:
    """Erase contacts whose time has passed; there are none on most days."""
    privacy.forget_contacts(settings.CONTACTS_KEPT_MONTHS)


def run_embedded(stop: threading.Event) -> None:
    """Recompute in this thread whenever something moved, and look by itself every few seconds; once an hour tidy up."""
    tidied = float("-inf")
    while not stop.is_set():
        try:
            if time.monotonic() - tidied > HOUR:
                tidied = time.monotonic()
                forget_contacts()
            for tournament_id in recompute.behind():
                _recompute_quietly(tournament_id)
            lapse_offers()
            signals.swept.send(None)
        except Exception:
            logger.exception("Standings could not be looked at; trying again.")
        finally:
            close_old_connections()
        stop.wait(PAUSE)
        wakeup.wait(SWEEP)


def _recompute_quietly(tournament_id: int) -> None:
    """Let one tournament that cannot be worked out keep no other from its standings."""
    try:
        recompute.recompute(tournament_id)
    except Exception:
        signals.job_failed.send(None, job="tournaments.tasks.recompute_standings")
        logger.exception(
            "The standings of tournament %s could not be recomputed; trying again.", tournament_id
        )


def start_embedded() -> None:
    """Start the thread of a site without workers."""
    if not settings.EMBEDDED:
        return
    _stop.clear()
    threading.Thread(target=run_embedded, args=[_stop], name="standings", daemon=True).start()
    threading.Thread(target=run_mails, args=[_stop], name="mails", daemon=True).start()


def stop_embedded() -> None:
    """Let the thread end after what it is doing."""
    _stop.set()
    wakeup.rouse()
