"""Places after each session: the standings worked out as of every closed session, and kept until the record moves."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.standings.sessions import Event
from scoring.standings.stages import standings
from tournaments.models import Registration, Session, Tournament
from tournaments.standings.queries.revision_cache import kept, remembered, revision_key, session_keys
from tournaments.tables.queries.events import event_of


@dataclass(frozen=True)
class Courses:
    """The closed sessions by number, and the place of every registered player after each of them."""

    sessions: tuple[int, ...]
    places: Mapping[int, Sequence[int | None]]


def courses_of(tournament: Tournament) -> Courses:
    """Return the places after each closed session, by the player's number in the event."""
    return kept(f"courses-{revision_key(tournament)}", lambda: _courses(tournament))


def _courses(tournament: Tournament) -> Courses:
    """Work them out anew only if the desk did something or a closed session was corrected; a freeze ends them. [RULES 9.15]"""
    rows = (
        tournament.sessions.filter(state=Session.State.CLOSED).order_by("number").values_list("pk", "number")
    )
    closed = [(pk, number) for pk, number in rows if not tournament.hides_session(number)]
    tournament.refresh_from_db(fields=["entries"])
    keys = session_keys(tournament)
    said = f"{tournament.pk}-" + "/".join(keys[session] for session, _ in closed)
    key = hashlib.sha256(said.encode()).hexdigest()
    return remembered(f"courses-of-{key}", lambda: _worked_out(tournament, [number for _, number in closed]))


def _worked_out(tournament: Tournament, closed: Sequence[int]) -> Courses:
    if not closed:
        return Courses((), {})
    event = event_of(tournament)
    numbers = dict(Registration.objects.filter(tournament=tournament).values_list("player_id", "number"))
    places: dict[int, list[int | None]] = {}
    for session in closed:
        is_last = session == closed[-1] and not tournament.is_frozen
        for row in standings(as_of(event, session, is_last=is_last)):
            places.setdefault(numbers[int(str(row.player))], []).append(row.place)
    return Courses(tuple(closed), {number: tuple(row) for number, row in places.items()})


def as_of(event: Event, session: int, *, is_last: bool) -> Event:
    """Return the event as it stood after a session; what was decided for the whole event counts from the last one on."""
    return replace(
        event,
        sessions=[row for row in event.sessions if row.number <= session],
        charges=[
            row for row in event.charges if (is_last if row.session is None else row.session <= session)
        ],
        given={key: result for key, result in event.given.items() if key[0] <= session},
    )
