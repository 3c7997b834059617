"""Hands that several tablets send at the same time, read and written together.

Only what needs no decision is answered here: hands of admitted tablets that are new and can be recorded. Everything else
is not written, and the caller passes the request on to its own address, which handles it alone and says what is wrong. The
answers are the same on both ways, since a stored hand is known by its key.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils import translation

from scoring import parsers
from scoring.problems import Refusal
from tournaments.models import Device
from tournaments.record.actors import Actor, device_actor, digest_of
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused
from tournaments.tables.operations import entering
from tournaments.tables.operations.entering import EnteredHands, SentHand, TableHands
from tournaments.tables.operations.recording import Intent, TableKey
from tournaments.tables.queries.state import shown_states
from tournaments.tables.views.tablet_queue import QUEUED, body_in, read_queue
from tournaments.tables.views.tablet_writes import OPERATIONS
from tournaments.web.access import CAPABILITIES
from tournaments.web.middleware import as_refused
from tournaments.web.strict import fields_of, load_json

logger = logging.getLogger(__name__)
ENTERING = OPERATIONS["hands"]
HAND = parsers.fields(ENTERING.fields, ENTERING.optional)
"""The body of a hand."""


@dataclass(frozen=True)
class QueuedRequest:
    """The request of one tablet: to which event and, if it is no queue, to which table; credential, key, language and body."""

    slug: str
    table: TableKey | None
    credential: str
    key: str
    language: str
    body: bytes


@dataclass(frozen=True)
class ParsedRequest:
    """A request that was read: its hands, by table and in order."""

    request: QueuedRequest
    hands: dict[TableKey, list[SentHand]]


def answer_batch(requests: Sequence[QueuedRequest]) -> list[bytes | None]:
    """Write the hands of several requests; return the answer of each that was written whole, and None for the others."""
    answers: list[bytes | None] = [None] * len(requests)
    for slug, numbered in _by(
        lambda one: one.request.slug, [_parsed(request) for request in requests]
    ).items():
        try:
            written = _write(slug, [one for _, one in numbered])
        except Exception as error:
            if as_refused(error) is None:
                logger.exception("Hands that came together could not be written; each is tried alone.")
            continue
        for (at, _), answer in zip(numbered, written, strict=True):
            answers[at] = answer
    return answers


def _by(
    key: Callable[[ParsedRequest], str], parsed: Iterable[ParsedRequest | None]
) -> dict[str, list[tuple[int, ParsedRequest]]]:
    """Group the requests that could be read by a key, each with its number."""
    groups: dict[str, list[tuple[int, ParsedRequest]]] = defaultdict(list)
    for at, one in enumerate(parsed):
        if one is not None:
            groups[key(one)].append((at, one))
    return groups


# Reading


def _parsed(request: QueuedRequest) -> ParsedRequest | None:
    """Read a request; None if it holds anything but hands, or cannot be read."""
    try:
        body = load_json(request.body)
        hands = _queued(body) if request.table is None else _alone(request.table, request.key, body)
    except (Refused, Refusal):
        return None
    except Exception:
        logger.exception("A request could not be read; it is tried alone.")
        return None
    return ParsedRequest(request, hands) if hands else None


def _alone(table: TableKey, key: str, body: object) -> dict[TableKey, list[SentHand]]:
    return {table: [_sent_hand(table, body, key)]}


def _sent_hand(table: TableKey, body: object, key: str) -> SentHand:
    """Read one hand; whatever is wrong with it, Django will say."""
    read = parsers.read(HAND, body)
    return SentHand.of(read, Intent.of("hands", table, read, key=check_key(key)))


def _queued(body: object) -> dict[TableKey, list[SentHand]] | None:
    """Read a queue in which the hands of each table follow one another and that asks for brief answers; else None."""
    items, is_brief = read_queue(body)
    writes = [fields_of(item, QUEUED) for item in items]
    if not (is_brief or len(writes) == 1) or any(write["operation"] != "hands" for write in writes):
        return None
    hands: dict[TableKey, list[SentHand]] = {}
    for table, row in groupby(writes, key=lambda write: (write["session"], write["table"])):
        if table in hands:
            return None
        hands[table] = [_sent_hand(table, body_in(write), write["key"]) for write in row]
    return hands


# Writing


def _write(slug: str, parsed: Sequence[ParsedRequest]) -> list[bytes | None]:
    """Write the requests to one event; return the answers of those that were written whole."""
    batch = _by_table(slug, parsed)
    entered: list[list[EnteredHands | None]] = [[] for _ in parsed]
    if batch:
        together = entering.enter_batch(slug, [sent for _, sent in batch])
        for (at, _), one in zip(batch, together, strict=True):
            entered[at].append(one)
    return _answers(parsed, entered)


def _by_table(slug: str, parsed: Sequence[ParsedRequest]) -> list[tuple[int, TableHands]]:
    """Return the hands by table, each with the number of its request; leave out senders who may not enter hands there."""
    senders = _senders(slug, parsed)
    batch = []
    for at, one in enumerate(parsed):
        by = senders.get(digest_of(one.request.credential))
        if (
            by
            and by.roles & CAPABILITIES[ENTERING.capability]
            and all(by.may_enter(table) for _, table in one.hands)
        ):
            batch += [(at, TableHands(table, hands, by)) for table, hands in one.hands.items()]
    return batch


def _senders(slug: str, parsed: Iterable[ParsedRequest]) -> dict[str, Actor]:
    """Return the admitted tablets by the digests of their credentials."""
    digests = {digest_of(one.request.credential) for one in parsed}
    rows = Device.objects.filter(tournament__slug=slug, credential_digest__in=digests, revoked_at=None)
    return {
        digest: device_actor(pk, tables)
        for digest, pk, tables in rows.values_list("credential_digest", "pk", "tables")
    }


# Answering


def _answers(
    parsed: Sequence[ParsedRequest], entered: Sequence[Sequence[EnteredHands | None]]
) -> list[bytes | None]:
    """Answer the requests that were written whole, each in its language."""
    answers: list[bytes | None] = [None] * len(parsed)
    whole = [one if done and all(done) else None for one, done in zip(parsed, entered, strict=True)]
    for language, numbered in _by(lambda one: one.request.language, whole).items():
        with translation.override(language):
            states = iter(
                shown_states(
                    [one.written for at, _ in numbered for one in entered[at] if one and one.written]
                )
            )
            for at, one in numbered:
                answers[at] = _answer(one, [done for done in entered[at] if done], states)
    return answers


def _answer(one: ParsedRequest, entered: Sequence[EnteredHands], states: Iterator[dict[str, Any]]) -> bytes:
    """Return the receipts of all hands, and with the last one of each table the state of the table."""
    done: list[dict[str, Any]] = []
    for hands, one_table in zip(one.hands.values(), entered, strict=True):
        done += [
            {"key": hand.intent.key, "status": 200, "receipt": receipt}
            for hand, receipt in zip(hands, one_table.answers, strict=True)
        ]
        done[-1]["state"] = next(states)
    if one.request.table is None:
        return _as_json({"answers": done})
    return _as_json({"receipt": done[0]["receipt"], "state": done[0]["state"]})


def _as_json(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer, ensure_ascii=False).encode()
