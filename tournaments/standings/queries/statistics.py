"""The figures of an event's hands, counted a session at a time and kept for each revision of the standings."""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.core.cache import cache

from tournaments.models import Hand, Player, Seat, Session, Tournament
from tournaments.models.protocol import InForce
from tournaments.standings.queries.revision_cache import A_DAY, kept, remembered, revision_key, session_keys
from tournaments.standings.rules.figures import WINDS, Dealt, Figures, Sitter, TableHands, figures_of

KEY = "figures-3"
"""Changes with what is counted, so that nothing kept by an earlier release is read."""


@dataclass
class EventFigures:
    """The figures of every session that was played, and of all of them together; players' only of all together."""

    whole: Figures
    sessions: dict[int, Figures]


def event_figures(tournament: Tournament) -> EventFigures:
    """Return the figures of the newest revision; only the first who asks makes anybody read hands."""
    return kept(f"{KEY}-{revision_key(tournament)}", lambda: _counted(tournament))


def sealed_figures(tournament: Tournament) -> Figures:
    """Return the figures of the sessions that are closed; nobody who is playing moves them."""
    return _sealed(tournament)[0].whole


def _counted(tournament: Tournament) -> EventFigures:
    """Count the session in play anew and add it to the others, which were added up once and for all."""
    found, playing_now, keys = _sealed(tournament)
    playing = _added_up(playing_now, keys)
    found.whole.add(playing.whole)
    return EventFigures(found.whole, dict(sorted((found.sessions | playing.sessions).items())))


def _sealed(tournament: Tournament) -> tuple[EventFigures, list[Session], dict[int, str]]:
    """Return the figures of the closed sessions, the sessions in play, and a key for the record of each."""
    tournament.refresh_from_db(fields=["entries"])
    keys = session_keys(tournament)
    begun = list(tournament.sessions.exclude(state=Session.State.PLANNED).order_by("number"))
    for session in begun:
        session.tournament = tournament
    closed = [session for session in begun if session.state == Session.State.CLOSED]
    said = hashlib.sha256("/".join(keys[session.pk] for session in closed).encode()).hexdigest()
    found = remembered(f"{KEY}-before-{tournament.pk}-{said}", partial(_added_up, closed, keys))
    return found, [session for session in begun if session not in closed], keys


def _added_up(sessions: Iterable[Session], keys: Mapping[int, str]) -> EventFigures:
    """Add up the figures of sessions; those whose record has changed since are read together and counted."""
    whole, parts = Figures(), {}
    sessions = list(sessions)
    names = {session.pk: f"{KEY}-of-{keys[session.pk]}" for session in sessions}
    found = cache.get_many(names.values())
    fresh = {names[pk]: figures for pk, figures in _read(s for s in sessions if names[s.pk] not in found)}
    cache.set_many(fresh, A_DAY)
    for session in sessions:
        part = (found | fresh)[names[session.pk]]
        if part.hands:
            parts[session.number] = replace(part, players={})
            whole.add(part)
    return EventFigures(whole, parts)


def _read(sessions: Iterable[Session]) -> Iterable[tuple[int, Figures]]:
    """Read the hands of sessions, all at once, and count them session by session."""
    known = {session.pk: session for session in sessions}
    if not known:
        return
    sitters, dealt = _sitters(known), _dealt(known)
    for pk, session in known.items():
        regulation = session.regulation or session.tournament.regulation
        tables = [
            TableHands(session.number, table, sitters[pk, table], hands)
            for (of, table), hands in dealt.items()
            if of == pk
        ]
        yield pk, figures_of(session.tournament.system, regulation["system_rules"], tables)


def _sitters(sessions: Collection[int]) -> dict[tuple[int, int], dict[str, Sitter]]:
    """Find who sat where, by session and number of table."""
    found: dict[tuple[int, int], dict[str, Sitter]] = {}
    seats = Seat.objects.filter(session__in=sessions).order_by()
    for session, table, wind, player, kept_for, from_hand, left_after in seats.values_list(
        "session_id", "table__number", "wind", "player_id", "kept_for_id", "from_hand", "left_after"
    ):
        found.setdefault((session, table), {})[wind] = Sitter(player, kept_for, from_hand, left_after)
    return found


def _dealt(sessions: Collection[int]) -> dict[tuple[int, int], list[Dealt]]:
    """Find what was dealt, in order, by session and number of table."""
    found: dict[tuple[int, int], list[Dealt]] = {}
    rows = Hand.objects.filter(protocol__table__session__in=sessions, status=InForce.IN_FORCE)
    where = ("protocol__table__session_id", "protocol__table__number")
    told = ("number", "dealer", "round_wind", "facts", "east", "south", "west", "north")
    for session, table, number, dealer, of_round, facts, *moved in rows.order_by(
        *where, "number"
    ).values_list(*where, *told):
        payments = {wind: points for wind, points in zip(WINDS, moved, strict=True) if points is not None}
        found.setdefault((session, table), []).append(Dealt(number, dealer, facts, payments, of_round))
    return found


def people_of(players: Iterable[int | None]) -> dict[int, Any]:
    """Find whoever the figures speak of, registered players and substitutes."""
    wanted = {player for player in players if player is not None}
    return Player.objects.select_related("registration").in_bulk(wanted) if wanted else {}
