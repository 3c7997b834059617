"""The figures of an event's hands, counted a session at a time and kept for each revision of the standings."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scoring.explanation import TITLES as YAKU_TITLES
from scoring.rulesets.mcr.fans import FANS as MCR_FANS
from scoring.rulesets.red.fans import FANS as RED_FANS
from scoring.rulesets.sichuan.fans import FANS as SICHUAN_FANS
from tournaments.kept import kept, remembered, revision_key, session_keys
from tournaments.models import Hand, Player, Seat, Session, Tournament
from tournaments.models.protocol import InForce
from tournaments.rules.figures import Dealt, Figures, Sitter, TableHands, figures_of

NAMES: dict[str, dict[str, str]] = {
    "SBR": {fan.name: fan.title for fan in SICHUAN_FANS},
    "WMSG": {fan.name: fan.title for fan in SICHUAN_FANS},
    "MCR": {str(number): fan.name for number, fan in MCR_FANS.items()},
    "SIAM": {str(number): fan.name for number, fan in MCR_FANS.items()},
    "RED": {str(fan.number): fan.title for fan in RED_FANS},
    "RIICHI": dict(YAKU_TITLES),
}
"""What the fans of each system are called, by the codes of the record. [RECORD 3]"""

WINDS = ("E", "S", "W", "N")


@dataclass
class EventFigures:
    """The figures of every session that was played, and of all of them together; players' only of all together."""

    whole: Figures
    sessions: dict[int, Figures]


def event_figures(tournament: Tournament) -> EventFigures:
    """Give the figures of the newest revision; only the first who asks makes anybody read hands."""
    return kept(f"figures-{revision_key(tournament)}", lambda: _counted(tournament))


def _counted(tournament: Tournament) -> EventFigures:
    """Count the session in play anew and add it to the others, which were added up once and for all."""
    tournament.refresh_from_db(fields=["entries"])
    keys = session_keys(tournament)
    begun = list(tournament.sessions.exclude(state=Session.State.PLANNED).order_by("number"))
    for session in begun:
        session.tournament = tournament
    closed = [session for session in begun if session.state == Session.State.CLOSED]
    said = hashlib.sha256("/".join(keys[session.pk] for session in closed).encode()).hexdigest()
    found = remembered(f"figures-before-{tournament.pk}-{said}", partial(_added_up, closed, keys))
    playing = _added_up([session for session in begun if session not in closed], keys)
    found.whole.add(playing.whole)
    return EventFigures(found.whole, dict(sorted((found.sessions | playing.sessions).items())))


def _added_up(sessions: Iterable[Session], keys: Mapping[int, str]) -> EventFigures:
    """Add up the figures of sessions, each counted when its record has changed since."""
    whole, parts = Figures(), {}
    for session in sessions:
        part = remembered(f"figures-of-{keys[session.pk]}", partial(session_figures, session))
        if part.hands:
            parts[session.number] = replace(part, players={})
            whole.add(part)
    return EventFigures(whole, parts)


def session_figures(session: Session) -> Figures:
    """Read the hands of one session and count them."""
    regulation = session.regulation or session.tournament.regulation
    return figures_of(session.tournament.system, regulation["system_rules"], _tables(session))


def _tables(session: Session) -> Iterable[TableHands]:
    sitters: dict[int, dict[str, Sitter]] = {}
    seats = Seat.objects.filter(session=session).order_by()
    for table, wind, *sitting in seats.values_list(
        "table__number", "wind", "player_id", "kept_for_id", "from_hand"
    ):
        sitters.setdefault(table, {})[wind] = Sitter(*sitting)
    dealt: dict[int, list[Dealt]] = {}
    rows = Hand.objects.filter(protocol__table__session=session, status=InForce.IN_FORCE)
    for table, number, dealer, facts, *moved in rows.order_by(
        "protocol__table__number", "number"
    ).values_list("protocol__table__number", "number", "dealer", "facts", "east", "south", "west", "north"):
        payments = {wind: points for wind, points in zip(WINDS, moved, strict=True) if points is not None}
        dealt.setdefault(table, []).append(Dealt(number, dealer, facts, payments))
    return [TableHands(session.number, table, sitters[table], hands) for table, hands in dealt.items()]


def people_of(players: Iterable[int | None]) -> dict[int, Any]:
    """Find whoever the figures speak of, registered players and substitutes."""
    wanted = {player for player in players if player is not None}
    return Player.objects.select_related("registration").in_bulk(wanted) if wanted else {}
