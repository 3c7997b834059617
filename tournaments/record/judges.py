"""What the record asks of the judges' package and tells it; that package registers itself here, since the record may not import it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from scoring.problems import Problem
from tournaments.models import Hand, Player, Session, Table, Tournament
from tournaments.record.actors import Actor
from tournaments.record.needs import Need


@dataclass(frozen=True)
class DeadHand:
    """A hand that a penalty declared dead: its number, the place by its starting wind, and the offence."""

    hand: int
    seat: str
    offence: str


@dataclass(frozen=True)
class OpenAppeal:
    """An appeal that nobody has decided yet: its number, the session it is about, and whose it is."""

    number: int
    session: int
    player: str


@dataclass(frozen=True)
class PenaltyWithoutPoints:
    """A penalty in force that moved no points: a warning, a dead hand, a removal; what it was, and by which clause."""

    given_at: datetime
    session: int | None
    player: Player
    what: str
    clause: str


class Judges(Protocol):
    """What the record asks of its judges, and what it tells them, within the transaction of the change."""

    def dead_hands(self, tables: Collection[int]) -> Mapping[int, Iterable[DeadHand]]:
        """List the dead hands in force at tables, by table; many tables in one query."""

    def open_appeals(self, tournament: Tournament) -> Iterable[OpenAppeal]:
        """List the appeals that can still change a result."""

    def appeals_until(self, session: Session) -> datetime | None:
        """Return the last moment for an appeal about a session that is over; none where there is no such moment."""

    def penalties_without_points(self, tournament: Tournament) -> Iterable[PenaltyWithoutPoints]:
        """List the penalties in force that moved no points, in the order given."""

    def return_problems(self, session: Session, player: Player) -> Iterable[Problem]:
        """Return the reasons why a player may not take their own seat again."""

    def hand_was_struck(self, table: Table, number: int, hand: Hand, *, by: Actor, reason: str) -> None:
        """React to a voided hand: the later hands have moved up one number."""

    def has_decided(self, session: Session) -> bool:
        """Return whether a penalty, lateness or appeal of a session is on record."""

    def hand_was_restored(self, table: Table, number: int, hand: Hand, *, by: Actor, reason: str) -> None:
        """React to a voided hand that was put back as this number: the later hands have moved down again."""

    def awaited(self, session: Session) -> Iterable[Player]:
        """List the players whose minutes of lateness run in a session."""

    def needs(self, tournament: Tournament) -> Iterable[Need]:
        """List what waits for a judge: running minutes of lateness, appeals with their clocks."""

    def open_appeals_of(self, player: Player) -> Iterable[int]:
        """List the numbers of a player's appeals that are not decided yet."""

    def player_was_erased(self, player: Player) -> None:
        """Erase what judgements hold of a player's own words and files; the tournament is locked."""

    def data_of(self, player: Player) -> Mapping[str, Any]:
        """Return what judgements hold about a player, for that person to read."""

    def regulation_was_changed(self, tournament: Tournament, *, by: Actor, reason: str) -> None:
        """React to a change of the tournament's regulation; the tournament is locked."""


_known: list[Judges] = []


def register(judges: Judges) -> None:
    """Let the record ask and tell these judges."""
    _known.append(judges)


def dead_hands(*tables: int) -> dict[int, list[DeadHand]]:
    """List the hands that a judge declared dead at tables, played or not, for their tablets to mark. [SBR 2.8.3]"""
    found = [judges.dead_hands(tables) for judges in _known]
    return {table: [dead for one in found for dead in one.get(table, ())] for table in tables}


def open_appeals(tournament: Tournament) -> list[OpenAppeal]:
    """List the appeals that nobody has decided yet, in the order filed. [SBR 2.9]"""
    return [appeal for judges in _known for appeal in judges.open_appeals(tournament)]


def appeals_until(session: Session) -> datetime | None:
    """Return the last moment for an appeal about a session. [SBR 2.9.2] [RULES 8.37]"""
    moments = [judges.appeals_until(session) for judges in _known]
    return max((moment for moment in moments if moment), default=None)


def penalties_without_points(tournament: Tournament) -> list[PenaltyWithoutPoints]:
    """List the penalties that left no line on an account, mostly warnings. [SBR 2.8.2]"""
    return [penalty for judges in _known for penalty in judges.penalties_without_points(tournament)]


def return_problems(session: Session, player: Player) -> list[Problem]:
    """Return the reasons why a player may not take their own seat again: who came too late has lost the session. [SBR 2.8.4.5] [RULES 9.9]"""
    return [problem for judges in _known for problem in judges.return_problems(session, player)]


def has_decided(session: Session) -> bool:
    """Return whether something was decided in a session, so that it has begun."""
    return any(judges.has_decided(session) for judges in _known)


def awaited(session: Session) -> list[Player]:
    """List the players whose minutes of lateness run in a session: nobody has said yet when they came. [RULES 8.54]"""
    return [player for judges in _known for player in judges.awaited(session)]


def needs(tournament: Tournament) -> list[Need]:
    """List what waits for a judge. [RULES 9.18]"""
    return [need for judges in _known for need in judges.needs(tournament)]


def open_appeals_of(player: Player) -> list[int]:
    """List the numbers of a player's appeals that are not decided yet."""
    return [number for judges in _known for number in judges.open_appeals_of(player)]


def tell_player_erased(player: Player) -> None:
    """Tell the judges that a player's data is erased."""
    for judges in _known:
        judges.player_was_erased(player)


def data_of(player: Player) -> dict[str, Any]:
    """Return what the judges hold about a player, for that person to read."""
    return {name: value for judges in _known for name, value in judges.data_of(player).items()}


def tell_hand_struck(table: Table, number: int, hand: Hand, *, by: Actor, reason: str) -> None:
    """Tell the judges that a hand was voided."""
    for judges in _known:
        judges.hand_was_struck(table, number, hand, by=by, reason=reason)


def tell_hand_restored(table: Table, number: int, hand: Hand, *, by: Actor, reason: str) -> None:
    """Tell the judges that a voided hand was put back."""
    for judges in _known:
        judges.hand_was_restored(table, number, hand, by=by, reason=reason)


def tell_regulation_changed(tournament: Tournament, *, by: Actor, reason: str) -> None:
    """Tell the judges that the regulation has changed."""
    for judges in _known:
        judges.regulation_was_changed(tournament, by=by, reason=reason)
