"""A demo world, invented by dice, that never runs dry: what is played goes on, what is over is followed by another.

It acts by the operations only, in the name of an account of its own. What it makes is marked as a demo for good, and
can be removed wholly; old events are, so that a site may stand for months.
"""

import logging
import random
import threading
from datetime import timedelta

from django.conf import settings
from django.db import close_old_connections, transaction
from django.db.models import QuerySet
from django.utils import timezone

from config.tools.demo import play, removal, world
from config.tools.demo.series import IN_PLAY, IN_REGISTRATION, WITH_A_DRAFT, Series
from seating.models import Draw
from tournaments.models import HistoryEntry, Tournament, User
from tournaments.record.refusal import Refused

logger = logging.getLogger(__name__)

EVERY = 5.0
KEPT = 2
"""How many events of each series are kept: the one at hand and the one before it."""
LEFT_ALONE = timedelta(minutes=30)
"""For so long an event is left as a visitor has made it."""
_stop = threading.Event()


@transaction.atomic
def make_if_empty(*, organizer: str, password: str) -> bool:
    """Make the demo world on a site without events and accounts, whole or not at all; return whether it was made."""
    if Tournament.objects.exists() or User.objects.exists():
        return False
    world.make_world(organizer=organizer, password=password)
    return True


class Demo:
    """The demo as it goes on; one turn every few seconds."""

    def __init__(self, dice: random.Random) -> None:
        """Begin with dice; what there is to do is read from the database."""
        self.dice = dice
        self.refusals = 0
        self.turns = 0

    def turn(self) -> None:
        """Play one step of the event in play; every minute see whether something is over and must begin anew."""
        if self.turns % 12 == 0:
            renew(self.dice)
        self.turns += 1
        tournament = in_play()
        if tournament is None or self.refusals >= play.PATIENCE:
            self.refusals = 0
            begin_another(self.dice)
            return
        try:
            play.step(tournament, self.dice)
            self.refusals = 0
        except Refused as refused:
            self.refusals += 1
            logger.info("The demo skipped a hand: %s", refused)


def in_play() -> Tournament | None:
    """Return the event that is played: the newest one, if it is running and of these days."""
    newest = _of(IN_PLAY).order_by("-id").first()
    is_old = newest is not None and newest.last_day < timezone.localdate()
    return newest if newest and newest.state == Tournament.State.RUNNING and not is_old else None


def begin_another(dice: random.Random) -> None:
    """Begin the next event, where a demo is."""
    if is_there():
        world.in_play(dice)
        prune(IN_PLAY)


def renew(dice: random.Random) -> None:
    """Make another event open for registration, and another draft of a draw, where the last one is over."""
    if not is_there():
        return
    if not _of(IN_REGISTRATION).filter(registration_closes_at__gt=timezone.now(), state="announced").exists():
        world.in_registration()
        prune(IN_REGISTRATION)
    drafts = Draw.objects.filter(tournament__in=_of(WITH_A_DRAFT), state=Draw.State.DRAFT)
    is_drawn = drafts.exists()
    if not is_drawn and not _was_used_lately(WITH_A_DRAFT):
        world.with_a_draft(dice)
        prune(WITH_A_DRAFT)


def is_there() -> bool:
    """Return whether this site has a demo."""
    return Tournament.objects.filter(is_demo=True, rehearsal_of=None).exists()


def prune(series: Series) -> None:
    """Remove the oldest events of a series, with everything in them."""
    for tournament in _of(series).order_by("-id")[KEPT:]:
        removal.remove_event(tournament)


def _of(series: Series) -> QuerySet[Tournament]:
    return Tournament.objects.filter(is_demo=True, rehearsal_of=None, preset=series.preset)


def _was_used_lately(series: Series) -> bool:
    since = timezone.now() - LEFT_ALONE
    return HistoryEntry.objects.filter(tournament__in=_of(series), at__gt=since).exists()


def run(stop: threading.Event) -> None:
    """Let the demo go on until the site ends."""
    demo = Demo(random.Random())
    while not stop.wait(EVERY):
        try:
            demo.turn()
        except Exception:
            logger.exception("The demo could not play a hand.")
        finally:
            close_old_connections()


def start() -> None:
    """Start the thread that plays, where a demo was asked for."""
    if settings.DEMO:
        _stop.clear()
        threading.Thread(target=run, args=[_stop], name="demo", daemon=True).start()


def stop() -> None:
    """Let the thread end."""
    _stop.set()
