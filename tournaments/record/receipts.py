"""Receipts: a request that is sent again under its key gets its first answer and changes nothing."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError

from scoring.problems import gettext_noop
from tournaments.models import Receipt, Tournament
from tournaments.models.rows import insert
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.history import canonical
from tournaments.record.refusal import refuse

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)
Answer = dict[str, Any]


def check_key(key: str) -> str:
    """Refuse a key that is missing or of the wrong form."""
    if not key:
        refuse("key_required", gettext_noop("Send an Idempotency-Key of 16–64 characters."))
    if not KEY.fullmatch(key):
        refuse("key_invalid", gettext_noop("Send an Idempotency-Key of 16–64 characters."))
    return key


def key_of_words(key: str, body: Mapping[str, Any]) -> str:
    """Return a key that holds for these words alone, and from which nobody who reads receipts learns the key of the form.

    A form that anybody may send keeps its key when one goes back to it and registers somebody else.
    """
    return body_digest({"key": key, "body": body}) if key else ""


def body_digest(body: Mapping[str, Any]) -> str:
    """Return a digest of the body that does not depend on the order of its fields."""
    return hashlib.sha256(canonical(dict(body)).encode()).hexdigest()


def answered(tournament: Tournament, key: str, *, by: Actor, body: Mapping[str, Any]) -> Answer | None:
    """Return the answer that was given under the key; refuse the key for another body or from another sender."""
    return answer_of(known(tournament, [key]), key, by=by, body=body)


def known(tournament: Tournament, keys: Sequence[str]) -> dict[str, Receipt]:
    """Return the receipts of those keys that are known, by key."""
    return {row.key: row for row in Receipt.objects.filter(tournament=tournament, key__in=keys)}


def answer_of(
    receipts: Mapping[str, Receipt], key: str, *, by: Actor, body: Mapping[str, Any]
) -> Answer | None:
    """Return the answer of a key that is known; refuse it for another body or from another sender.

    A tablet that was admitted again is a new device with the queue of the old one, so its keys still hold. [INTEGRITY 2]
    """
    receipt = receipts.get(key)
    if receipt is None:
        return None
    if receipt.body_digest != body_digest(body) or not _is_same_sender(receipt.actor, by):
        refuse("key_reused", gettext_noop("This submission number was used for something different."))
    answer: Answer = receipt.answer
    return answer


def _is_same_sender(actor: str, by: Actor) -> bool:
    return actor == str(by) or (by.kind == ActorKind.DEVICE and actor.startswith(f"{ActorKind.DEVICE}:"))


@dataclass(frozen=True)
class NewReceipt:
    """A receipt to be stored: the key of the request, its body, the answer, and who sent it."""

    key: str
    body: Mapping[str, Any]
    answer: Answer
    by: Actor


def store(tournament: Tournament, key: str, *, by: Actor, body: Mapping[str, Any], answer: Answer) -> None:
    """Store the answer to a request, in the transaction that carries it out."""
    store_all(tournament, [NewReceipt(key, body, answer, by)])


def store_all(tournament: Tournament, receipts: Sequence[NewReceipt]) -> None:
    """Store answers in the transaction that carries the requests out; of two requests under one key only one succeeds.

    The other one has waited here for the first, and its whole transaction is undone with its refusal. Sent again, it gets
    the first one's answer, or is told that the key belongs to another request.
    """
    rows = [
        Receipt(
            tournament=tournament,
            key=one.key,
            actor=str(one.by),
            body_digest=body_digest(one.body),
            answer=one.answer,
        )
        for one in receipts
    ]
    try:
        insert(rows)
    except IntegrityError:
        refuse("in_progress", gettext_noop("The first submission is still being processed."))
