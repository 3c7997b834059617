"""Hands that tablets send at one moment, read and written together, whatever table they are of.

Only what is plain is answered here: hands of admitted tablets, all of them new and fit to be recorded. Everything else
is left unwritten, and whoever brought it leads it on to the address that was asked for, where it is judged alone and told
in words. A tablet that is answered there is answered as it is here: what was written is known by its key.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils import translation

from tournaments.models import Device
from tournaments.record.actors import Actor
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused
from tournaments.tables.operations import entering
from tournaments.tables.operations.entering import Entered, Pile, Tap
from tournaments.tables.views.tablet_queue import QUEUED, body_in, read_queue
from tournaments.tables.views.tablet_state import shown_states
from tournaments.tables.views.tablet_writes import Place, may_record, tap_of
from tournaments.web.access import device_actor, digest_of
from tournaments.web.middleware import as_refused
from tournaments.web.programs import fields_of
from tournaments.web.strict import load_json

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Letter:
    """What one tablet sent: to which event and, if it is no queue, to which table; its credential, key, language and body."""

    slug: str
    place: Place | None
    credential: str
    key: str
    language: str
    body: bytes


@dataclass(frozen=True)
class Opened:
    """A letter as read: the hands that it brings, by table and in its order."""

    letter: Letter
    taps: dict[Place, list[Tap]]


def answer_together(letters: Sequence[Letter]) -> list[bytes | None]:
    """Write what is plain of letters that came at one moment; give the answer of each that was written whole."""
    answers: list[bytes | None] = [None] * len(letters)
    for slug, numbered in _by(lambda one: one.letter.slug, [_opened(letter) for letter in letters]).items():
        try:
            told = _settled(slug, [one for _, one in numbered])
        except Exception as error:
            if as_refused(error) is None:
                logger.exception("Hands that came together could not be written; each is tried alone.")
            continue
        for (at, _), answer in zip(numbered, told, strict=True):
            answers[at] = answer
    return answers


def _by(key: Callable[[Opened], str], opened: Iterable[Opened | None]) -> dict[str, list[tuple[int, Opened]]]:
    """Sort what could be read by something, each with its place in the row."""
    sorted_by: dict[str, list[tuple[int, Opened]]] = defaultdict(list)
    for at, one in enumerate(opened):
        if one is not None:
            sorted_by[key(one)].append((at, one))
    return sorted_by


# Reading


def _opened(letter: Letter) -> Opened | None:
    """Read a letter; nothing where it holds more than hands, or anything that cannot be read."""
    try:
        body = load_json(letter.body)
        taps = _queued(body) if letter.place is None else _alone(letter.place, letter.key, body)
    except Refused:
        return None
    except Exception:
        logger.exception("A letter could not be read; it is tried alone.")
        return None
    return Opened(letter, taps) if taps else None


def _alone(place: Place, key: str, body: object) -> dict[Place, list[Tap]]:
    return {place: [tap_of(place, body, key=check_key(key))]}


def _queued(body: object) -> dict[Place, list[Tap]] | None:
    """Read a queue in which each table's hands stand in one row and may be told in brief."""
    items, is_brief = read_queue(body)
    writes = [fields_of(item, QUEUED) for item in items]
    if not (is_brief or len(writes) == 1) or any(write["operation"] != "hands" for write in writes):
        return None
    taps: dict[Place, list[Tap]] = {}
    for place, row in groupby(writes, key=lambda write: (write["session"], write["table"])):
        if place in taps:
            return None
        taps[place] = [tap_of(place, body_in(write), key=check_key(write["key"])) for write in row]
    return taps


# Writing


def _settled(slug: str, opened: Sequence[Opened]) -> list[bytes | None]:
    """Write the letters to one event; give the answers of those that were written whole."""
    piles = _piles(slug, opened)
    entered: list[list[Entered | None]] = [[] for _ in opened]
    if piles:
        together = entering.enter_together(slug, [pile for _, pile in piles])
        for (at, _), one in zip(piles, together, strict=True):
            entered[at].append(one)
    return _answers(opened, entered)


def _piles(slug: str, opened: Sequence[Opened]) -> list[tuple[int, Pile]]:
    """Make a pile of each table's hands, with the number of its letter; what is a stranger's or about a table not its own is left out."""
    senders = _senders(slug, opened)
    piles = []
    for at, one in enumerate(opened):
        by = senders.get(digest_of(one.letter.credential))
        if by and may_record(by) and all(by.may_enter(table) for _, table in one.taps):
            piles += [(at, Pile(place, taps, by)) for place, taps in one.taps.items()]
    return piles


def _senders(slug: str, opened: Iterable[Opened]) -> dict[str, Actor]:
    """Name the admitted tablets, by the digest of the credential."""
    digests = {digest_of(one.letter.credential) for one in opened}
    rows = Device.objects.filter(tournament__slug=slug, credential_digest__in=digests, revoked_at=None)
    return {
        digest: device_actor(pk, tables)
        for digest, pk, tables in rows.values_list("credential_digest", "pk", "tables")
    }


# Answering


def _answers(opened: Sequence[Opened], entered: Sequence[Sequence[Entered | None]]) -> list[bytes | None]:
    """Answer the letters of which everything was written, each in its language."""
    answers: list[bytes | None] = [None] * len(opened)
    whole = [one if done and all(done) else None for one, done in zip(opened, entered, strict=True)]
    for language, numbered in _by(lambda one: one.letter.language, whole).items():
        with translation.override(language):
            states = iter(
                shown_states(
                    [one.written for at, _ in numbered for one in entered[at] if one and one.written]
                )
            )
            for at, one in numbered:
                answers[at] = _answer(one, [done for done in entered[at] if done], states)
    return answers


def _answer(one: Opened, entered: Sequence[Entered], states: Iterator[dict[str, Any]]) -> bytes:
    """Tell a receipt for each hand, and with the last one of a table how it stands now."""
    told: list[dict[str, Any]] = []
    for taps, done in zip(one.taps.values(), entered, strict=True):
        told += [
            {"key": tap.intent.key, "status": 200, "receipt": receipt}
            for tap, receipt in zip(taps, done.answers, strict=True)
        ]
        told[-1]["state"] = next(states)
    if one.letter.place is None:
        return _as_json({"answers": told})
    return _as_json({"receipt": told[0]["receipt"], "state": told[0]["state"]})


def _as_json(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer, ensure_ascii=False).encode()
