"""Hands entered at the tables: one, several of one table, or those of many tables that arrive together."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from scoring.hands import Chombo
from scoring.hands import Hand as Deal
from scoring.problems import gettext_noop
from scoring.protocol import Game, check_next, play_on
from scoring.record.hands import write_hand
from scoring.regulation import LastHand
from tournaments.models import Hand, HistoryEntry, Protocol, Tournament
from tournaments.models.rows import insert
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_free, lock_tournament, lock_unread
from tournaments.record.receipts import Answer
from tournaments.record.refusal import Refused, refuse
from tournaments.sessions.rules.last_hand import time_problems
from tournaments.tables.operations import games
from tournaments.tables.operations.games import ChainDigests, LockedGame
from tournaments.tables.operations.recording import (
    Intent,
    check_open,
    check_seen,
    hand_row,
    play_on_by_hand,
    read_deal,
    receipt_of,
    refuse_if,
    said_of,
    write_totals,
)
from tournaments.tables.operations.witnesses import NeedsTournament, Witnesses, witness
from tournaments.tables.queries.sheets import Sheet

logger = logging.getLogger(__name__)
TWICE = timedelta(seconds=10)
"""An identical hand sooner after the last one is probably the same hand."""


@dataclass(frozen=True)
class SentHand:
    """A hand as a device sends it: what was played, why it comes, and whether somebody was asked if it is meant."""

    facts: Mapping[str, Any]
    intent: Intent
    is_sure: bool = False

    @classmethod
    def of(cls, read: Mapping[str, Any], intent: Intent) -> "SentHand":
        """Return the hand in a request that was read."""
        return cls(read["facts"], intent, is_sure=read.get("sure", False))


@dataclass(frozen=True)
class TableHands:
    """The hands that one sender enters at one table, in order; the table by the number of its session and its own."""

    table: tuple[int, int]
    hands: Sequence[SentHand]
    by: Actor


@dataclass(frozen=True)
class EnteredHands:
    """The receipts of hands that were sent, and the sheet with its game as it was written.

    `written` is None if all of them had been recorded before.
    """

    answers: tuple[Answer, ...]
    written: tuple[Sheet, Game] | None = None


def record_hand(
    protocol: Protocol, facts: Mapping[str, Any], *, intent: Intent, by: Actor, is_sure: bool = False
) -> Answer:
    """Record the next hand. Sent again under the same key, it changes nothing. [RULES 1.5]"""
    return enter_hands(protocol, [SentHand(facts, intent, is_sure)], by=by).answers[0]


def enter_hands(protocol: Protocol, hands: Sequence[SentHand], *, by: Actor) -> EnteredHands:
    """Record hands of one table in order, up to the first that is refused; if that is the very first, raise its refusal.

    The table is locked, read and written once for all of them, since after an outage a tablet sends many hands at once.
    If a later hand is refused, the earlier ones are stored; the client gets the refusal when it sends that hand again.
    A hand that another tablet has entered already is one hand with two witnesses. [RULES 1.5]
    """
    tournament = protocol.table.session.tournament
    try:
        with transaction.atomic():
            return _enter(protocol, hands, tournament, by=by, witnesses=None)
    except NeedsTournament:
        with transaction.atomic():
            tournament = lock_tournament(tournament)
            return _enter(protocol, hands, tournament, by=by, witnesses=Witnesses(tournament, by))


def _enter(
    protocol: Protocol,
    hands: Sequence[SentHand],
    tournament: Tournament,
    *,
    by: Actor,
    witnesses: Witnesses | None,
) -> EnteredHands:
    """Record hands under the lock of their table; those of another tablet are only taken with `witnesses`."""
    lock_unread(protocol)
    known = receipts.known(tournament, [hand.intent.key for hand in hands])
    answers: list[Answer | None] = []
    opened: LockedGame | None = None
    update: _NewHands | None = None
    for hand in hands:
        try:
            answer = receipts.answer_of(known, hand.intent.key, by=by, body=hand.intent.body)
            if answer is None:
                opened = opened or games.locked_games([protocol.pk])[protocol.pk]
                answer = witness(opened.sheet, hand.facts, hand.intent, witnesses)
                if answer is None:
                    update = update or _begin(opened, by)
                    _add(update, hand)
        except Refused:
            if not answers:
                raise
            break
        answers.append(answer)
    if update is None or not update.hands:
        return EnteredHands(tuple(answer for answer in answers if answer))
    given = iter(_store(tournament, [update])[0])
    return EnteredHands(tuple(answer or next(given) for answer in answers), update.written)


@transaction.atomic
def enter_batch(slug: str, batch: Sequence[TableHands]) -> list[EnteredHands | None]:
    """Record the hands of many tables of a tournament with as many statements as a single hand needs.

    Only what needs no decision is recorded, and no lock is waited for. The answer of a table is None if somebody else is
    writing to it, if one of its hands was sent before or is refused, or if an earlier part of the batch is about it: the
    caller passes these hands to `enter_hands`, which says why. [RULES 1.5]
    """
    free = games.locked_games(lock_free(slug, [sent.table for sent in batch]))
    opened = {one.table: one for one in free.values()}
    if not opened:
        return [None] * len(batch)
    tournament = next(iter(opened.values())).sheet.protocol.table.session.tournament
    taken = set(receipts.known(tournament, [hand.intent.key for sent in batch for hand in sent.hands]))
    updates: list[_NewHands | None] = []
    for sent in batch:
        one = opened.pop(sent.table, None)
        is_new = taken.isdisjoint(hand.intent.key for hand in sent.hands)
        updates.append(_add_all(one, sent) if one and is_new else None)
        taken |= {hand.intent.key for hand in sent.hands}
    filled = [update for update in updates if update]
    given = iter(_store(tournament, filled) if filled else ())
    return [EnteredHands(tuple(next(given)), update.written) if update else None for update in updates]


@dataclass
class _NewHands:
    """New hands of a sheet that was read under its lock; they are not stored yet."""

    sheet: Sheet
    by: Actor
    digests: ChainDigests
    game: Game
    rows: list[Hand]
    deals: list[Deal]
    hands: list[SentHand] = field(default_factory=list)

    @property
    def added(self) -> list[Hand]:
        """Return the rows that are new."""
        return self.rows[-len(self.hands) :]

    @property
    def written(self) -> tuple[Sheet, Game]:
        """Return the sheet as it is once all is stored, with its game."""
        return replace(self.sheet, rows=tuple(self.rows), deals=tuple(self.deals)), self.game


def _begin(opened: LockedGame, by: Actor) -> _NewHands:
    sheet = opened.sheet
    check_open(sheet.protocol)
    return _NewHands(sheet, by, opened.digests, opened.game, [*sheet.rows], [*sheet.deals])


def _add_all(opened: LockedGame, sent: TableHands) -> _NewHands | None:
    """Add all hands of a table to its sheet; None if one is refused or fails by a fault of ours: other tables go on."""
    try:
        update = _begin(opened, sent.by)
        for hand in sent.hands:
            _add(update, hand)
    except Refused:
        return None
    except DatabaseError:
        raise
    except Exception:
        logger.exception("A hand could not be judged together with others; it is tried alone.")
        return None
    return update


def _add(update: _NewHands, hand: SentHand) -> None:
    """Check the next hand and add it."""
    protocol, regulation = update.sheet.protocol, update.sheet.regulation
    check_seen(protocol, hand.intent.seen, version=protocol.version + len(update.hands))
    if any(hand.intent.key == before.intent.key for before in update.hands):
        refuse("in_progress", gettext_noop("The first submission is still being processed."))
    deal = read_deal({**hand.facts, "number": update.game.situation.number})
    refuse_if(check_next(update.sheet.rules, update.game, deal, hands_limit=regulation["hands_limit"]))
    if not hand.is_sure:
        _check_not_twice(update, deal)
        _check_time(update)
    update.game = play_on(update.sheet.rules, update.game, deal, points_unit=regulation["points_unit"])
    update.rows.append(hand_row(protocol, update.game.hands[-1], recorded_at=timezone.now()))
    update.deals.append(deal)
    update.hands.append(hand)


def _store(tournament: Tournament, updates: Sequence[_NewHands]) -> list[list[Answer]]:
    """Write new hands, totals, history entries and receipts, one statement each; return the receipts by table."""
    for update in updates:
        play_on_by_hand(update.sheet.protocol)
    insert([hand for update in updates for hand in update.added])
    write_totals(*[(update.sheet, update.game.totals) for update in updates])
    new_entries = [
        history.ProtocolEntries(update.sheet.protocol, _entries(update), update.by, update.digests.table)
        for update in updates
    ]
    entries = history.record_at_tables(new_entries, tournament=tournament)
    for update, made in zip(updates, entries, strict=True):
        transaction.on_commit(
            partial(games.cache, ChainDigests(made[-1].digest, update.digests.event), *update.written)
        )
    answers = [[receipt_of(entry) for entry in made] for made in entries]
    receipts.store_all(
        tournament,
        [
            receipts.NewReceipt(sent.intent.key, sent.intent.body, answer, update.by)
            for update, given in zip(updates, answers, strict=True)
            for sent, answer in zip(update.hands, given, strict=True)
        ],
    )
    history.ask_for_standings(tournament.pk)
    return answers


def _entries(update: _NewHands) -> list[history.NewEntry]:
    return [history.NewEntry(Kind.HAND_RECORDED, f"hand:{hand.pk}", said_of(hand)) for hand in update.added]


def _check_not_twice(update: _NewHands, deal: Deal) -> None:
    """Ask before recording what the same device recorded seconds ago. [INTEGRITY 98]"""
    if not update.rows or not deal.events:
        return
    last = update.rows[-1]
    if timezone.now() - last.recorded_at >= TWICE:
        return
    if {**last.facts, "number": 0} != {**write_hand(deal), "number": 0}:
        return
    if update.hands or _recorded_by(update.sheet.protocol) == str(update.by):
        refuse(
            "looks_doubled",
            gettext_noop("This is identical to hand %(n)s. If it really happened twice, confirm."),
            n=last.number,
        )


def _check_time(update: _NewHands) -> None:
    """Ask before recording a hand that was begun after time was called. [INTEGRITY 102]"""
    session, regulation = update.sheet.protocol.table.session, update.sheet.regulation
    signal, now = session.signal_at, timezone.now()
    if signal is None or session.paused_at is not None or now <= signal:
        return
    recorded = [
        row.recorded_at
        for row, deal in zip(update.rows, update.deals, strict=True)
        if not any(isinstance(event, Chombo) for event in deal.events)
    ]
    clock = timezone.localtime(signal, session.tournament.zone).strftime("%H:%M")
    refuse_if(
        time_problems(LastHand(regulation["last_hand"]), signal, now=now, recorded=recorded, clock=clock)
    )


def _recorded_by(protocol: Protocol) -> str:
    content = (
        HistoryEntry.objects.filter(protocol=protocol).order_by("-number").values_list("content", flat=True)
    )
    return str(history.read(content[0])["by"]) if content else ""
