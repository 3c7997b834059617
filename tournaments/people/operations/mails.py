"""The queue of mails: written in the transaction of what they tell, sent once each by whoever takes them up, tried again with pauses.

Whoever sends claims a mail first and says afterwards how it went. A worker that is killed in between leaves its claim, which ends
after some minutes; the mail is then sent again under the same Message-ID, by which mail servers know a mail that came twice.
"""

import logging
from collections.abc import Iterable, Mapping
from datetime import timedelta
from secrets import token_hex
from smtplib import SMTPRecipientsRefused
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from tournaments.models import Mail, MailText, Registration, Tournament
from tournaments.people.queries.mails import fee_of, own_texts, shipped, site_origin, written
from tournaments.people.rules.mail_texts import text_problems
from tournaments.record import history
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused

logger = logging.getLogger(__name__)

STATES = Mail.State
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240))
"""How long is waited after each attempt that failed; after the last one the desk is told."""
CLAIM = timedelta(minutes=5)
LONGEST_ERROR = 200


def queue(
    tournament: Tournament,
    kind: Mail.Kind,
    registrations: Iterable[Registration],
    facts: Mapping[int, Mapping[str, Any]] | None = None,
    *,
    after: timedelta = timedelta(0),
) -> int:
    """Queue a mail to each of these who gave an address, within the caller's transaction; return how many.

    It goes out after a while where what it tells may have been pressed by mistake.

    Nobody hears of a draft or from the demo, nor from an event whose organizer does not want mail to be sent.
    """
    if not tournament.mails_players or tournament.is_demo or tournament.state == Tournament.State.DRAFT:
        return 0
    due, own = timezone.now() + after, own_texts(tournament)
    rows = [
        Mail(
            tournament=tournament,
            registration=row,
            kind=kind,
            key=token_hex(16),
            language=(language := row.language or tournament.own_language),
            facts=dict((facts or {}).get(row.pk, {})),
            text=own.get((kind, language)),
            due_at=due,
        )
        for row in registrations
        if row.player.email
    ]
    Mail.objects.bulk_create(rows, batch_size=500)
    return len(rows)


RESULTS_AFTER = timedelta(minutes=10)
"""Time to reopen an event that was closed too early, before everybody has its result."""
RECEIPT_AFTER = timedelta(minutes=2)
"""Time to take a payment back that was noted for the wrong person."""


def queue_results(tournament: Tournament) -> int:
    """Queue everybody's result once the event is closed; who has no place gets none."""
    placed = tournament.standings.filter(place__isnull=False).values("player")
    rows = tournament.registrations.filter(player__in=placed).select_related("player")
    _drop_waiting(tournament, Mail.Kind.RESULTS, rows)
    return queue(tournament, Mail.Kind.RESULTS, rows, after=RESULTS_AFTER)


def queue_receipt(registration: Registration) -> int:
    """Queue a receipt for the fee."""
    facts = {registration.pk: {"amount": fee_of(registration.tournament)}}
    _drop_waiting(registration.tournament, Mail.Kind.RECEIPT, [registration])
    return queue(registration.tournament, Mail.Kind.RECEIPT, [registration], facts, after=RECEIPT_AFTER)


def _drop_waiting(tournament: Tournament, kind: Mail.Kind, registrations: Iterable[Registration]) -> None:
    """Drop what waits to tell the same: what was taken back and done again in time is told once."""
    waiting = tournament.mails.filter(kind=kind, state=STATES.WAITING)
    waiting.filter(registration__in=list(registrations)).update(state=STATES.DROPPED)


@transaction.atomic
def write_text(
    tournament: Tournament, kind: str, language: str, *, subject: str, body: str, by: Actor
) -> MailText | None:
    """Use an organizer's words for a kind of mail from now on; the shipped words again if they are no others."""
    tournament = lock_tournament(tournament)
    if problems := list(text_problems(kind, subject, body)):
        raise Refused(*problems)
    subject, body = subject.strip(), body.replace("\r\n", "\n").strip()
    current = own_texts(tournament).get((kind, language))
    is_shipped = (subject, body) == shipped(kind, language)
    if (is_shipped and current is None) or (current and (subject, body) == (current.subject, current.body)):
        return current
    tournament.mail_texts.filter(kind=kind, language=language, is_current=True).update(is_current=False)
    made = None
    if not is_shipped:
        made = MailText.objects.create(
            tournament=tournament, kind=kind, language=language, subject=subject, body=body
        )
    data = {"language": language, "is_shipped": is_shipped}
    history.record(Kind.MAIL_TEXT_CHANGED, tournament=tournament, by=by, subject=f"mail:{kind}", data=data)
    return made


def take_texts(source: Tournament, made: Tournament) -> None:
    """Give a new event the texts of mails of an earlier one, within the transaction that makes it."""
    MailText.objects.bulk_create(
        MailText(tournament=made, kind=row.kind, language=row.language, subject=row.subject, body=row.body)
        for row in own_texts(source).values()
    )


def send_due(most: int = 50) -> int:
    """Send what is due, one after the other; return how many were taken up. A claim of a worker that was killed ends here."""
    now = timezone.now()
    stuck = Mail.objects.filter(state=STATES.SENDING, claimed_at__lt=now - CLAIM)
    stuck.update(state=STATES.WAITING, due_at=now)
    due = Mail.objects.filter(state=STATES.WAITING, due_at__lte=now)
    taken = 0
    for pk in list(due.order_by("due_at", "pk").values_list("pk", flat=True)[:most]):
        if _claim(pk):
            taken += 1
            _send(Mail.objects.select_related("tournament", "registration__player", "text").get(pk=pk))
    return taken


def is_any_due() -> bool:
    """Return whether something waits to be sent now, or a claim has ended."""
    now = timezone.now()
    waits = Q(state=STATES.WAITING, due_at__lte=now)
    return Mail.objects.filter(waits | Q(state=STATES.SENDING, claimed_at__lt=now - CLAIM)).exists()


def _claim(pk: int) -> bool:
    """Take a mail up, unless another worker has."""
    now = timezone.now()
    waiting = Mail.objects.filter(pk=pk, state=STATES.WAITING, due_at__lte=now)
    return bool(waiting.update(state=STATES.SENDING, claimed_at=now, attempts=F("attempts") + 1))


def _send(mail: Mail) -> None:
    """Send a claimed mail, and store how it went."""
    address = mail.registration.player.email
    if not address or not is_still_true(mail):
        _close(mail, STATES.DROPPED)
        return
    if (
        mail.kind == Mail.Kind.RESULTS and mail.tournament.is_frozen
    ):  # told once the places are revealed [RULES 9.16]
        later = timezone.now() + RESULTS_AFTER
        Mail.objects.filter(pk=mail.pk).update(
            state=STATES.WAITING, due_at=later, claimed_at=None, attempts=F("attempts") - 1
        )
        return
    subject, body = written(mail)
    host = urlsplit(site_origin()).hostname or "localhost"
    headers = {"Message-ID": f"<{mail.key}@{host}>"}
    try:
        EmailMessage(subject, body, None, [address], headers=headers).send()
    except Exception as error:
        logger.warning("A mail could not be sent (%s); it is tried again.", type(error).__name__)
        _put_off(mail, error)
        return
    _close(mail, STATES.SENT)


def _close(mail: Mail, state: str) -> None:
    sent_at = timezone.now() if state == STATES.SENT else None
    Mail.objects.filter(pk=mail.pk).update(state=state, sent_at=sent_at, error="", claimed_at=None)


def _put_off(mail: Mail, error: Exception) -> None:
    """Try again after a pause; an address that is refused, or a mail that failed too often, is the desk's."""
    is_last = mail.attempts > len(PAUSES) or isinstance(error, SMTPRecipientsRefused)
    pause = PAUSES[min(mail.attempts, len(PAUSES)) - 1]
    said = (
        type(error).__name__
        if isinstance(error, SMTPRecipientsRefused)
        else f"{type(error).__name__}: {error}"
    )
    Mail.objects.filter(pk=mail.pk).update(
        state=STATES.FAILED if is_last else STATES.WAITING,
        due_at=timezone.now() + pause,
        claimed_at=None,
        error=said[:LONGEST_ERROR].replace(mail.registration.player.email, "…"),
    )


def is_still_true(mail: Mail) -> bool:
    """Return whether what a mail tells still holds when its turn comes: the offer stands, the seats are published."""
    facts, row = mail.facts, mail.registration
    if mail.kind == Mail.Kind.PLACE_OFFERED:
        return row.offered_until is not None and row.offered_until > timezone.now()
    if mail.kind == Mail.Kind.RECEIPT:
        return row.paid_at is not None
    if mail.kind == Mail.Kind.RESULTS:
        placed = mail.tournament.standings.filter(player=row.player_id, place__isnull=False)
        return mail.tournament.state == Tournament.State.CLOSED and placed.exists()
    if mail.kind in (Mail.Kind.SEATS, Mail.Kind.SEAT_CHANGED):
        session = mail.tournament.sessions.filter(number=facts["session"], started_at=None)
        return session.filter(published_at__isnull=False).exists() and not mail.tournament.is_cancelled
    if mail.kind == Mail.Kind.CANCELLED:
        return mail.tournament.is_cancelled
    return True


@transaction.atomic
def send_again(tournament: Tournament) -> int:
    """Let every mail of an event that failed be tried once more, from the start."""
    failed = tournament.mails.filter(state=STATES.FAILED)
    return failed.update(state=STATES.WAITING, attempts=0, due_at=timezone.now(), error="")


def sends_mail() -> bool:
    """Return whether the site has a mail host; without one mails are printed where it runs."""
    return bool(settings.SENDS_MAIL)
