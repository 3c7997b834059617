"""Notifications to browsers: asked for by their owners, queued in the transaction of what they tell, sent once each.

The queue is that of mails (`tournaments/people/operations/mails.py`): whoever sends claims first, a claim of a killed worker ends,
and what was sent again replaces itself, at the push service by its topic and on the device by its tag.
"""

import hashlib
import json
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone, translation

from scoring.problems import gettext_noop
from tournaments.models import PushNotice, PushSubscription, Registration, Session, Tournament
from tournaments.people.operations import push_messages as rules
from tournaments.people.operations import push_service
from tournaments.people.queries.mails import site_origin
from tournaments.people.queries.push import is_ready, is_still_true, payload
from tournaments.record import signals
from tournaments.record.refusal import refuse

logger = logging.getLogger(__name__)

Sort, State = PushSubscription.Sort, PushNotice.State
MOST_OF_A_PLAYER = 300
MOST_OF_A_BROWSER = 50
BEFORE_START = timedelta(minutes=10)
LIFE = {
    Sort.SEATS: timedelta(hours=12),
    Sort.STARTS: timedelta(minutes=12),
    Sort.RESULT: timedelta(hours=12),
    Sort.PLACE: timedelta(hours=12),
    Sort.APPEAL: timedelta(hours=48),
}
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 1800))
CLAIM = timedelta(minutes=1)
KEPT = timedelta(days=2)
AFTER_EVENT = timedelta(days=31)
BATCH, AT_ONCE = 256, 32
LASTS = 12 * 3600
SOON = timedelta(seconds=1)


@dataclass(frozen=True)
class Browser:
    """Where a browser's messages are left, and with which keys they are written."""

    endpoint: str
    p256dh: str
    auth: str

    @property
    def digest(self) -> str:
        """Return a short name of the address."""
        return hashlib.sha256(self.endpoint.encode()).hexdigest()


@dataclass(frozen=True)
class Wishes:
    """Of what a browser wants to hear, and when not."""

    sorts: Sequence[str]
    quiet_from: int | None = None
    quiet_until: int | None = None


# Who wants to hear


@transaction.atomic
def subscribe(
    registration: Registration, browser: Browser, wishes: Wishes, *, is_own: bool
) -> PushSubscription:
    """Store what a browser wants to hear of a player; asked again, the newest wishes hold."""
    if not rules.is_endpoint(browser.endpoint) or not rules.is_key(browser.p256dh, browser.auth):
        refuse("bad_address", gettext_noop("This browser did not say where notifications can be sent."))
    sorts = [sort for sort in Sort.values if sort in wishes.sorts and (is_own or sort != Sort.APPEAL)]
    known = PushSubscription.objects.filter(
        registration=registration, endpoint_digest=browser.digest
    ).exists()
    if not known and _is_full(registration, browser):
        refuse(
            "too_many_tries",
            gettext_noop("Too many browsers follow this player, or too many players this browser."),
        )
    row, _is_new = PushSubscription.objects.update_or_create(
        registration=registration,
        endpoint_digest=browser.digest,
        defaults={
            "tournament": registration.tournament,
            "endpoint": browser.endpoint,
            "p256dh": rules.tidied(browser.p256dh),
            "auth": rules.tidied(browser.auth),
            "sorts": sorts,
            "is_own": is_own,
            "language": translation.get_language() or settings.LANGUAGE_CODE,
            "quiet_from": wishes.quiet_from,
            "quiet_until": wishes.quiet_until,
        },
    )
    return row


def _is_full(registration: Registration, browser: Browser) -> bool:
    of_player = registration.push_subscriptions.count() >= MOST_OF_A_PLAYER
    of_browser = PushSubscription.objects.filter(endpoint_digest=browser.digest).count() >= MOST_OF_A_BROWSER
    return of_player or of_browser


def end_own(registration: Registration) -> None:
    """Let those who asked on a private link that has ended follow as everybody may: they are not told the new link."""
    registration.push_subscriptions.filter(is_own=True).update(is_own=False)


def unsubscribe(registration: Registration, browser: Browser) -> None:
    """Tell a browser nothing more of a player."""
    PushSubscription.objects.filter(registration=registration, endpoint_digest=browser.digest).delete()


# What is queued


def queue(
    tournament: Tournament,
    sort: str,
    key: str,
    facts: Mapping[int, Mapping[str, Any]],
    *,
    due_at: datetime | None = None,
) -> int:
    """Queue a notification for everybody who wants to hear of these players, by their ids; return how many. Each key once."""
    rows = PushSubscription.objects.filter(tournament=tournament, registration__player__in=facts)
    wanted = [
        row
        for row in rows.select_related("registration")
        if sort in row.sorts and (row.is_own or sort != Sort.APPEAL)
    ]
    if not wanted or tournament.is_demo:
        return 0
    now = timezone.now()
    notices = [
        PushNotice(
            subscription=row,
            sort=sort,
            key=key,
            facts=dict(facts[row.registration.player_id]),
            due_at=_after_quiet(row, tournament, due_at or now),
            expires_at=(due_at or now) + LIFE[Sort(sort)],
        )
        for row in wanted
    ]
    PushNotice.objects.bulk_create(notices, batch_size=500, ignore_conflicts=True)
    transaction.on_commit(lambda: signals.push_queued.send(None), robust=True)
    return len(notices)


def _after_quiet(row: PushSubscription, tournament: Tournament, at: datetime) -> datetime:
    """Return the moment, or the end of the quiet hours that it lies in, by the event's own clock."""
    local = timezone.localtime(at, tournament.zone)
    if not rules.is_quiet(local.hour, row.quiet_from, row.quiet_until):
        return at
    end = local.replace(hour=row.quiet_until or 0, minute=0, second=0, microsecond=0)
    return end if end > local else end + timedelta(days=1)


def queue_seats(session: Session, version: int, *, players: Collection[int] | None = None) -> int:
    """Tell who sits where in a session that was published, everybody or those whose seats have changed since."""
    seats = {who: row for who, row in _seats(session).items() if players is None or who in players}
    return queue(session.tournament, Sort.SEATS, f"seats-{session.number}-{version}", seats)


def queue_starts() -> int:
    """Tell of every session that begins within ten minutes; whoever looks again queues nothing twice."""
    now = timezone.now()
    rows = Session.objects.filter(
        state=Session.State.PLANNED,
        published_at__isnull=False,
        planned_at__gt=now,
        planned_at__lte=now + BEFORE_START,
        tournament__push_subscriptions__isnull=False,
    )
    count = 0
    for session in rows.select_related("tournament").distinct():
        at = session.planned_at.isoformat() if session.planned_at else ""
        facts = {player: {**row, "starts_at": at} for player, row in _seats(session).items()}
        key = f"starts-{session.number}-{at}"
        if not PushNotice.objects.filter(subscription__tournament=session.tournament, key=key).exists():
            count += queue(session.tournament, Sort.STARTS, key, facts)
    return count


def _seats(session: Session) -> dict[int, dict[str, Any]]:
    rows = session.seats.filter(player__isnull=False).values_list("player_id", "table__number", "wind")
    return {
        player: {"session": session.number, "table": table, "wind": wind}
        for player, table, wind in rows
        if player is not None
    }


def queue_result(session: Session, table: int) -> int:
    """Tell the result of a table that is settled; it is read when the notification is sent."""
    players = session.seats.filter(table__number=table, player__isnull=False).values_list("player", flat=True)
    facts = {player: {"session": session.number, "table": table} for player in players}
    return queue(session.tournament, Sort.RESULT, f"result-{session.number}-{table}", facts)


def queue_places(session: Session) -> int:
    """Tell everybody's place once a session is closed; it is read when the notification is sent."""
    facts = {player: {"session": session.number} for player in _seats(session)}
    return queue(session.tournament, Sort.PLACE, f"place-{session.number}-{session.checkpoint[:8]}", facts)


def queue_decision(tournament: Tournament, players: Iterable[int], key: str) -> int:
    """Tell those who appealed that it is decided."""
    return queue(tournament, Sort.APPEAL, f"appeal-{key}", {player: {} for player in players})


# What is sent


@dataclass(frozen=True)
class Message:
    """A request to a push service."""

    endpoint: str
    body: bytes
    headers: dict[str, str]


Send = Callable[[str, bytes, dict[str, str]], push_service.Answer]


def send_due(send: Send | None = None) -> int:
    """Send what is due, many at once; return how many were taken up. A claim of a worker that was killed ends here."""
    now = timezone.now()
    stuck = PushNotice.objects.filter(state=State.SENDING, claimed_at__lt=now - CLAIM)
    stuck.update(state=State.WAITING, due_at=now)
    rows = list(_claimed(now))
    letters = [(notice, message) for notice in rows if (message := _written(notice)) is not None]
    if letters:
        _send_all(letters, send or push_service.send)
    return len(rows)


def _send_all(letters: Sequence[tuple[PushNotice, Message]], send: Send) -> None:
    """Send letters, so many at once. Answers are stored before anything new is sent: a kill lets little be sent again."""
    left = iter(letters)
    with ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="push") as pool:
        under_way: dict[Future[push_service.Answer], PushNotice] = {}
        while True:
            room = AT_ONCE - len(under_way)
            under_way |= {pool.submit(_sent, message, send): notice for notice, message in islice(left, room)}
            if not under_way:
                return
            done, _rest = wait(under_way, return_when=FIRST_COMPLETED)
            _settle([(under_way.pop(one), one.result()) for one in done])


def is_any_due() -> bool:
    """Return whether something waits to be sent now, or a claim has ended."""
    now = timezone.now()
    waits = Q(state=State.WAITING, due_at__lte=now)
    return PushNotice.objects.filter(waits | Q(state=State.SENDING, claimed_at__lt=now - CLAIM)).exists()


@transaction.atomic
def tidy() -> None:
    """Forget what was told days ago, and who wanted to hear of an event that was over a month ago."""
    now = timezone.now()
    PushNotice.objects.filter(queued_at__lt=now - KEPT).delete()
    PushSubscription.objects.filter(tournament__last_day__lt=(now - AFTER_EVENT).date()).delete()


def _claimed(now: datetime) -> Iterable[PushNotice]:
    """Take a batch of what is due up, in one statement; what another worker took at the same time is not among it."""
    waiting = PushNotice.objects.filter(state=State.WAITING, due_at__lte=now)
    first = list(waiting.order_by("due_at", "pk").values_list("pk", flat=True)[:BATCH])
    token = timezone.now()
    taken = waiting.filter(pk__in=first)
    if not taken.update(state=State.SENDING, claimed_at=token, attempts=F("attempts") + 1):
        return []
    rows = PushNotice.objects.filter(pk__in=first, state=State.SENDING, claimed_at=token)
    return rows.select_related("subscription__tournament", "subscription__registration__player")


def _written(notice: PushNotice) -> Message | None:
    """Write the request of a claimed notification; one that cannot be written keeps no other from being sent."""
    try:
        return _message(notice)
    except Exception:
        logger.exception("Notification %s could not be written.", notice.pk)
        PushNotice.objects.filter(pk=notice.pk).update(state=State.FAILED, claimed_at=None)
        return None


def _message(notice: PushNotice) -> Message | None:
    """Write the request of a claimed notification; None where it is put off or no longer true."""
    now = timezone.now()
    if notice.expires_at <= now or not is_still_true(notice):
        PushNotice.objects.filter(pk=notice.pk).update(state=State.DROPPED, claimed_at=None)
        return None
    if not is_ready(notice):
        _put_off(notice, SOON, is_counted=False)
        return None
    row = notice.subscription
    plain = json.dumps(payload(notice), ensure_ascii=False).encode()
    headers = {
        "Authorization": _signed(row.endpoint.split("/")[2], int(now.timestamp()) // 3600),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(60, int((notice.expires_at - now).total_seconds()))),
        "Topic": rules.topic_of(f"{row.pk}-{notice.key}"),
        "Urgency": "high" if notice.sort == Sort.STARTS else "normal",
    }
    return Message(row.endpoint, rules.encrypted(plain, p256dh=row.p256dh, auth=row.auth), headers)


@cache
def site_key() -> Any:
    """Return the key by which push services know this site."""
    return rules.site_key(settings.SECRET_KEY)


_signatures: dict[tuple[str, int], str] = {}


def _signed(host: str, hour: int) -> str:
    """Return the signature for a service, made once an hour."""
    if (host, hour) not in _signatures:
        for old in [known for known in _signatures if known[1] != hour]:
            del _signatures[old]
        until = int(time.time()) + LASTS
        _signatures[host, hour] = rules.authorization(
            f"https://{host}/", site_key(), contact=site_origin(), until=until
        )
    return _signatures[host, hour]


def _sent(message: Message, send: Send) -> push_service.Answer:
    try:
        return send(message.endpoint, message.body, message.headers)
    except push_service.NotAllowed:
        return push_service.Answer(410)
    except Exception as error:
        logger.info("A notification could not be sent (%s); it is tried again.", type(error).__name__)
        return push_service.Answer(0)


def _settle(answers: Sequence[tuple[PushNotice, push_service.Answer]]) -> None:
    """Store how it went, of all that was taken at one stroke."""
    taken = [notice.pk for notice, answer in answers if answer.is_taken]
    PushNotice.objects.filter(pk__in=taken).update(state=State.SENT, claimed_at=None)
    for notice, answer in answers:
        if not answer.is_taken:
            _settle_failed(notice, answer)


def _settle_failed(notice: PushNotice, answer: push_service.Answer) -> None:
    """Try again later, or give up; a browser that is gone is forgotten with everything queued for it."""
    if answer.is_gone:
        PushSubscription.objects.filter(pk=notice.subscription_id).delete()
    elif notice.attempts > len(PAUSES) or (400 <= answer.status < 500 and answer.status not in {408, 429}):
        PushNotice.objects.filter(pk=notice.pk).update(state=State.FAILED, claimed_at=None)
    else:
        pause = PAUSES[min(notice.attempts, len(PAUSES)) - 1]
        _put_off(notice, max(pause, timedelta(seconds=answer.retry_after)))


def _put_off(notice: PushNotice, pause: timedelta, *, is_counted: bool = True) -> None:
    PushNotice.objects.filter(pk=notice.pk).update(
        state=State.WAITING,
        due_at=timezone.now() + pause,
        claimed_at=None,
        attempts=F("attempts") - (0 if is_counted else 1),
    )
