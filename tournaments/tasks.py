"""What happens behind the pages: standings recomputed by a worker, or by one thread where there are no workers."""

import logging
import threading
import time

from celery import shared_task
from django.conf import settings
from django.db import close_old_connections
from django.dispatch import receiver

from tournaments.people.operations import mails, push, registration
from tournaments.privacy import operations as privacy
from tournaments.record import signals, wakeup
from tournaments.record.actors import SYSTEM
from tournaments.standings.operations import chances, recompute

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
    wakeup.ask_for_chances(tournament_id)


@shared_task(name="tournaments.tasks.work_out_chances", ignore_result=True)
def work_out_chances(tournament_id: int) -> None:
    """Bring the chances up to the standings; while hands never cease, other events come in between."""
    wakeup.chances_taken(tournament_id)
    chances.bring_up(tournament_id)
    if tournament_id in chances.behind():
        wakeup.ask_for_chances(tournament_id)


@shared_task(name="tournaments.tasks.sweep")
def sweep() -> None:
    """Catch up on whatever a lost message left behind."""
    for tournament_id in recompute.behind():
        recompute_standings.delay(tournament_id)
    for tournament_id in chances.behind() if settings.CHANCES else ():
        wakeup.ask_for_chances(tournament_id)
    lapse_offers()
    if mails.is_any_due():
        send_mails.delay()
    push.queue_starts()
    if push.is_any_due():
        send_push.delay()
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


@shared_task(name="tournaments.tasks.send_push", ignore_result=True)
def send_push() -> None:
    """Send the notifications that are due; a worker that is killed loses none."""
    wakeup.push_taken()
    while push.send_due():
        pass


_pushed = threading.Event()


@receiver(signals.push_queued)
def wake_push(**_said: object) -> None:
    """Have notifications sent at once that were just queued; where nobody can be told, the sweep sees to it."""
    if settings.EMBEDDED:
        _pushed.set()
    else:
        wakeup.ask_for_push()


def run_push(stop: threading.Event) -> None:
    """Send notifications in a thread of their own, at once when some are queued; look every few seconds besides."""
    while not stop.is_set():
        _pushed.clear()
        try:
            push.queue_starts()
            send_push()
        except Exception:
            logger.exception("Notifications could not be looked at; trying again.")
        finally:
            close_old_connections()
        _pushed.wait(SWEEP)


def run_chances(stop: threading.Event) -> None:
    """Work chances out in a thread of its own whenever standings moved: no standings wait for them."""
    while not stop.is_set():
        try:
            for tournament_id in chances.behind():
                _bring_up_quietly(tournament_id)
        except Exception:
            logger.exception("Chances could not be looked at; trying again.")
        finally:
            close_old_connections()
        stop.wait(PAUSE)
        wakeup.wait_for_chances(SWEEP)


def _bring_up_quietly(tournament_id: int) -> None:
    """Let one event whose chances cannot be worked out keep no other from theirs."""
    try:
        chances.bring_up(tournament_id)
    except Exception:
        signals.job_failed.send(None, job="tournaments.tasks.work_out_chances")
        logger.exception("The chances of tournament %s could not be worked out.", tournament_id)


@shared_task(name="tournaments.tasks.forget_contacts")
def forget_contacts() -> None:
    """Erase contacts whose time has passed; there are none on most days."""
    privacy.forget_contacts(settings.CONTACTS_KEPT_MONTHS)
    push.tidy()


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
        wakeup.ask_for_chances(tournament_id)
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
    threading.Thread(target=run_push, args=[_stop], name="push", daemon=True).start()
    if settings.CHANCES:
        threading.Thread(target=run_chances, args=[_stop], name="chances", daemon=True).start()


def stop_embedded() -> None:
    """Let the thread end after what it is doing."""
    _stop.set()
    _pushed.set()
    wakeup.rouse()
