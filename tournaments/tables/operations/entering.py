"""Hands entered at the tables: one, several that come together, or those of many tables at one moment."""

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
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_free, lock_unread
from tournaments.record.receipts import Answer
from tournaments.record.refusal import Refused, refuse
from tournaments.record.rows import insert
from tournaments.sessions.rules.last_hand import signal_at, time_problems
from tournaments.tables.operations import games
from tournaments.tables.operations.games import Heads, Opened
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
from tournaments.tables.queries.sheets import Sheet

logger = logging.getLogger(__name__)
TWICE = timedelta(seconds=10)
"""An identical hand sooner after the last one is probably the same hand."""


@dataclass(frozen=True)
class Tap:
    """A hand as a device sends it: what was played, why it comes, and whether somebody was asked if it is meant."""

    facts: Mapping[str, Any]
    intent: Intent
    is_sure: bool = False


@dataclass(frozen=True)
class Pile:
    """What one sender enters at one table, named by its session's number and its own; in order."""

    place: tuple[int, int]
    taps: Sequence[Tap]
    by: Actor


@dataclass(frozen=True)
class Entered:
    """What became of hands sent together: their receipts, and the sheet with its game as written.

    Nothing was written where all had been sent before.
    """

    answers: tuple[Answer, ...]
    written: tuple[Sheet, Game] | None = None


def record_hand(
    protocol: Protocol, facts: Mapping[str, Any], *, intent: Intent, by: Actor, is_sure: bool = False
) -> Answer:
    """Record the next hand. Sent again under the same key, it changes nothing. [RULES 1.5]"""
    return enter_hands(protocol, [Tap(facts, intent, is_sure)], by=by).answers[0]


@transaction.atomic
def enter_hands(protocol: Protocol, taps: Sequence[Tap], *, by: Actor) -> Entered:
    """Record as many hands that came together as stand one upon the other; what the first is refused for is raised.

    The table is locked, read and written once for all of them: an outage ends with many hands of every table at once.
    One that is refused behind others learns why when it is sent as the first, after those are stored. [RULES 1.5]
    """
    lock_unread(protocol)
    tournament = protocol.table.session.tournament
    known = receipts.known(tournament, [tap.intent.key for tap in taps])
    answers: list[Answer | None] = []
    page: _Page | None = None
    for tap in taps:
        try:
            answer = receipts.answer_of(known, tap.intent.key, by=by, body=tap.intent.body)
            if answer is None:
                page = page or _page(games.opened([protocol.pk])[protocol.pk], by)
                _add(page, tap)
        except Refused:
            if not answers:
                raise
            break
        answers.append(answer)
    if page is None or not page.taps:
        return Entered(tuple(answer for answer in answers if answer))
    given = iter(_store(tournament, [page])[0])
    return Entered(tuple(answer or next(given) for answer in answers), page.written)


@transaction.atomic
def enter_together(slug: str, piles: Sequence[Pile]) -> list[Entered | None]:
    """Record what many tables of a tournament send at one moment, by as many statements as one hand asks for.

    Only what is plain is recorded. Nobody is waited for: None stands for a pile whose table somebody else writes to
    just now, of which a hand was sent before or is refused, or whose table is in another pile too; it is left to
    `enter_hands`, which tells why. [RULES 1.5]
    """
    free = games.opened(lock_free(slug, [pile.place for pile in piles]))
    opened = {one.place: one for one in free.values()}
    if not opened:
        return [None] * len(piles)
    tournament = next(iter(opened.values())).sheet.protocol.table.session.tournament
    taken = set(receipts.known(tournament, [tap.intent.key for pile in piles for tap in pile.taps]))
    pages: list[_Page | None] = []
    for pile in piles:
        one = opened.pop(pile.place, None)
        is_new = taken.isdisjoint(tap.intent.key for tap in pile.taps)
        pages.append(_filled(one, pile) if one and is_new else None)
        taken |= {tap.intent.key for tap in pile.taps}
    filled = [page for page in pages if page]
    given = iter(_store(tournament, filled) if filled else ())
    return [Entered(tuple(next(given)), page.written) if page else None for page in pages]


@dataclass
class _Page:
    """Hands added to a sheet that was read under its lock, not yet stored."""

    sheet: Sheet
    by: Actor
    heads: Heads
    game: Game
    rows: list[Hand]
    deals: list[Deal]
    taps: list[Tap] = field(default_factory=list)

    @property
    def added(self) -> list[Hand]:
        """Return the rows that are new."""
        return self.rows[-len(self.taps) :]

    @property
    def written(self) -> tuple[Sheet, Game]:
        """Return the sheet as it is once all is stored, with its game."""
        return replace(self.sheet, rows=tuple(self.rows), deals=tuple(self.deals)), self.game


def _page(opened: Opened, by: Actor) -> _Page:
    sheet = opened.sheet
    check_open(sheet.protocol)
    return _Page(sheet, by, opened.heads, opened.game, [*sheet.rows], [*sheet.deals])


def _filled(opened: Opened, pile: Pile) -> _Page | None:
    """Add a whole pile to its sheet; nothing where anything of it is refused, or is a fault of ours: no other pays for it."""
    try:
        page = _page(opened, pile.by)
        for tap in pile.taps:
            _add(page, tap)
    except Refused:
        return None
    except DatabaseError:
        raise
    except Exception:
        logger.exception("A hand could not be judged together with others; it is tried alone.")
        return None
    return page


def _add(page: _Page, tap: Tap) -> None:
    """Add the next hand, if nothing speaks against it."""
    protocol, regulation = page.sheet.protocol, page.sheet.regulation
    check_seen(protocol, tap.intent.seen, version=protocol.version + len(page.taps))
    if any(tap.intent.key == before.intent.key for before in page.taps):
        refuse("in_progress", gettext_noop("The first submission is still being processed."))
    deal = read_deal({**tap.facts, "number": page.game.situation.number})
    refuse_if(check_next(page.sheet.rules, page.game, deal, hands_limit=regulation["hands_limit"]))
    if not tap.is_sure:
        _check_not_twice(page, deal)
        _check_time(page)
    page.game = play_on(page.sheet.rules, page.game, deal, points_unit=regulation["points_unit"])
    page.rows.append(hand_row(protocol, page.game.hands[-1], recorded_at=timezone.now()))
    page.deals.append(deal)
    page.taps.append(tap)


def _store(tournament: Tournament, pages: Sequence[_Page]) -> list[list[Answer]]:
    """Write what was added with its totals, entries and receipts, each by one statement; give the receipts by page."""
    for page in pages:
        play_on_by_hand(page.sheet.protocol)
    insert([hand for page in pages for hand in page.added])
    write_totals(*[(page.sheet, page.game.totals) for page in pages])
    chapters = [
        history.ProtocolEntries(page.sheet.protocol, _told(page), page.by, page.heads.table) for page in pages
    ]
    entries = history.record_at_tables(chapters, tournament=tournament)
    for page, made in zip(pages, entries, strict=True):
        transaction.on_commit(partial(games.keep, Heads(made[-1].digest, page.heads.event), *page.written))
    answers = [[receipt_of(entry) for entry in made] for made in entries]
    receipts.store_all(
        tournament,
        [
            receipts.NewReceipt(tap.intent.key, tap.intent.body, answer, page.by)
            for page, given in zip(pages, answers, strict=True)
            for tap, answer in zip(page.taps, given, strict=True)
        ],
    )
    history.ask_for_standings(tournament.pk)
    return answers


def _told(page: _Page) -> list[history.NewEntry]:
    return [history.NewEntry(Kind.HAND_RECORDED, f"hand:{hand.pk}", said_of(hand)) for hand in page.added]


def _check_not_twice(page: _Page, deal: Deal) -> None:
    """Ask before recording what the same device recorded seconds ago. [INTEGRITY 98]"""
    if not page.rows or not deal.events:
        return
    last = page.rows[-1]
    if timezone.now() - last.recorded_at >= TWICE:
        return
    if {**last.facts, "number": 0} != {**write_hand(deal), "number": 0}:
        return
    if page.taps or _recorded_by(page.sheet.protocol) == str(page.by):
        refuse(
            "looks_doubled",
            gettext_noop("This is identical to hand %(n)s. If it really happened twice, confirm."),
            n=last.number,
        )


def _check_time(page: _Page) -> None:
    """Ask before recording a hand that was begun after time was called. [INTEGRITY 102]"""
    session, regulation = page.sheet.protocol.table.session, page.sheet.regulation
    if session.ends_at is None or session.paused_at is not None:
        return
    last_hand = LastHand(regulation["last_hand"])
    signal = signal_at(last_hand, session.ends_at, warning_minutes=regulation["warning_minutes"])
    now = timezone.now()
    if now <= signal:
        return
    recorded = [
        row.recorded_at
        for row, deal in zip(page.rows, page.deals, strict=True)
        if not any(isinstance(event, Chombo) for event in deal.events)
    ]
    clock = timezone.localtime(signal, session.tournament.zone).strftime("%H:%M")
    refuse_if(time_problems(last_hand, signal, now=now, recorded=recorded, clock=clock))


def _recorded_by(protocol: Protocol) -> str:
    content = (
        HistoryEntry.objects.filter(protocol=protocol).order_by("-number").values_list("content", flat=True)
    )
    return str(history.read(content[0])["by"]) if content else ""
