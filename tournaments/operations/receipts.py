"""Sent again under the same key: the first answer, and nothing new."""

import hashlib
import re
from typing import Any

from django.db import IntegrityError

from scoring.problems import gettext_noop
from tournaments.actors import Actor, ActorKind
from tournaments.models import Receipt, Tournament
from tournaments.operations.history import canonical
from tournaments.strict import refuse

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)


def check_key(key: str) -> str:
    """Refuse a key that is missing or of the wrong form."""
    if not key:
        refuse("key_required", gettext_noop("Send an Idempotency-Key of 16–64 characters."))
    if not KEY.fullmatch(key):
        refuse("key_invalid", gettext_noop("Send an Idempotency-Key of 16–64 characters."))
    return key


def body_digest(body: dict[str, Any]) -> str:
    """Tell one body from another whatever the order of its fields."""
    return hashlib.sha256(canonical(body).encode()).hexdigest()


def answered(tournament: Tournament, key: str, *, by: Actor, body: dict[str, Any]) -> dict[str, Any] | None:
    """Give the answer once given under the key; refuse the key for another body or from another sender.

    A tablet that was admitted anew is another device with the old one's queue: its keys still hold. [INTEGRITY 2]
    """
    receipt = Receipt.objects.filter(tournament=tournament, key=key).first()
    if receipt is None:
        return None
    if receipt.body_digest != body_digest(body) or not _is_same_sender(receipt.actor, by):
        refuse("key_reused", gettext_noop("This submission number was used for something different."))
    answer: dict[str, Any] = receipt.answer
    return answer


def _is_same_sender(actor: str, by: Actor) -> bool:
    return actor == str(by) or (by.kind == ActorKind.DEVICE and actor.startswith(f"{ActorKind.DEVICE}:"))


def keep(
    tournament: Tournament, key: str, *, by: Actor, body: dict[str, Any], answer: dict[str, Any]
) -> None:
    """Keep the answer in the transaction of its effect; of two requests at once under one key one has it.

    The other one waited here for the first: what it asked for at another table is undone with its refusal, and
    trying again it is told whether the key was good.
    """
    row = Receipt(tournament=tournament, key=key, actor=str(by), body_digest=body_digest(body), answer=answer)
    try:
        row.save(force_insert=True)
    except IntegrityError:
        refuse("in_progress", gettext_noop("The first submission is still being processed."))
