"""The state of all tables for a referee's round: what each is doing, how long it has been silent, what its tablets have not sent."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from tournaments.models import Device, HandCheck, Protocol, Seat, Session, Table
from tournaments.tables.queries.mirrors import disputes_in

SILENT_AFTER = timedelta(minutes=12)
"""A hand takes about five minutes; a table this long without an entry wants to be looked at."""
LOST_AFTER = timedelta(minutes=2)
"""A tablet sends a beat every few seconds; after this time without one it has no connection, or sleeps."""


@dataclass(frozen=True)
class TabletThere:
    """A tablet that was last at the table."""

    device: Device
    is_lost: bool

    @property
    def needs_a_look(self) -> bool:
        """Return whether the tablet is lost and holds hands that the server does not have."""
        return self.is_lost and self.device.unsent > 0


@dataclass(frozen=True)
class SetAside:
    """A hand that a tablet holds and does not send by itself; 0 is a final result."""

    device: Device
    hand: int


@dataclass(frozen=True)
class Round:
    """The state of one table."""

    hand: int | None = None
    minutes: int | None = None
    is_silent: bool = False
    missing: list[Seat] = field(default_factory=list)
    tablets: list[TabletThere] = field(default_factory=list)
    is_called: bool = False
    set_aside: list[SetAside] = field(default_factory=list)
    disputes: list[HandCheck] = field(default_factory=list)

    @property
    def needs_a_look(self) -> bool:
        """Return whether a referee should go there."""
        is_missed = self.set_aside or any(one.needs_a_look for one in self.tablets)
        return bool(self.is_called or self.is_silent or is_missed or self.disputes)


def with_rounds(session: Session, tables: Iterable[Table], *, now: datetime) -> list[tuple[Table, Round]]:
    """Return the tables of a session, each with its round; they come with their hands counted."""
    tablets, aside, disputes = tablets_of(session, now=now), set_aside_of(session), disputes_in(session)
    return [
        (
            table,
            replace(
                round_of(session, table, tablets[table.number], now=now),
                set_aside=aside[table.number],
                disputes=disputes[table.number],
            ),
        )
        for table in tables
    ]


def set_aside_of(session: Session) -> dict[int, list[SetAside]]:
    """Return the hands of each table that were set aside on some tablet, wherever that one is now. [INTEGRITY 5.1]"""
    aside: dict[int, list[SetAside]] = defaultdict(list)
    rows = session.tournament.devices.filter(revoked_at=None).exclude(set_aside=[])
    for device in rows.order_by("name"):
        for one in device.set_aside:
            if one["session"] == session.number:
                aside[one["table"]].append(SetAside(device, one["number"]))
    return aside


def tablets_of(session: Session, *, now: datetime) -> dict[int, list[TabletThere]]:
    """Return the tablets at each table, lost ones too."""
    there: dict[int, list[TabletThere]] = defaultdict(list)
    rows = session.tournament.devices.filter(revoked_at=None, at_table__isnull=False)
    for device in rows.order_by("name"):
        is_lost = device.seen_at is None or now - device.seen_at > LOST_AFTER
        there[device.at_table or 0].append(TabletThere(device, is_lost))
    return there


def round_of(session: Session, table: Table, tablets: list[TabletThere], *, now: datetime) -> Round:
    """Return the state of a table; one that is asked for its points at the end alone has nothing to say before. [RIICHI reg. 6.2]"""
    protocol = getattr(table, "protocol", None)
    is_called = table.waits_for_referee
    if protocol is None or session.state != Session.State.OPEN:
        return Round(is_called=is_called, tablets=tablets)
    seats = [seat for seat in table.seats.all() if seat.player_id and not seat.has_left]
    if protocol.state == Protocol.State.ENDED:
        missing = [seat for seat in seats if not seat.confirmed_at]
        return Round(missing=missing, tablets=tablets, is_called=is_called)
    if protocol.is_settled or protocol.mode == Protocol.Mode.FINAL_RESULT:
        return Round(tablets=tablets, is_called=is_called)
    since = max(filter(None, (protocol.changed_at, session.started_at)), default=now)
    quiet = now - since
    return Round(
        hand=table.hand_count + 1,  # type: ignore[attr-defined]
        minutes=int(quiet.total_seconds() // 60),
        is_silent=quiet > SILENT_AFTER and session.paused_at is None,
        tablets=tablets,
        is_called=is_called,
    )
