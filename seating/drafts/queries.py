"""Reads of draws that more than one page needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from seating.models import Draw
from seating.rules.plan import Id
from tournaments.models import HistoryEntry, Player, Registration, Seat, Session, Table, Tournament
from tournaments.record import history


@dataclass(frozen=True)
class Person:
    """Somebody who can sit at a table, with the name by which plans know them."""

    number: Id
    player: Player

    @property
    def is_substitute(self) -> bool:
        """Return whether this is somebody without a standing."""
        return not isinstance(self.number, int)

    @property
    def label(self) -> str:
        """Return number and name; substitutes have no number."""
        return str(self.player) if self.is_substitute else f"{self.number}. {self.player}"


@dataclass(frozen=True)
class Planned:
    """One table of a plan, with the people at it."""

    number: int
    seats: tuple[tuple[str, Person | None], ...]
    pinned: frozenset[Id | None] = frozenset()


def to_be_seated(
    tournament: Tournament, session: int, *, with_absent: bool = False, with_late: bool = False
) -> list[Registration]:
    """List who takes part in a session: on the list, entered by then, and present once anybody checked in.

    For the absent a deputy may draw; a session seated anew takes in those who came after it was seated. [SBR 2.4.1]
    """
    registrations = tournament.registrations.filter(status=Registration.Status.ACTIVE)
    if not with_late:
        registrations = registrations.filter(first_session__lte=session)
    rows = list(registrations.select_related("player__team"))
    through = came_through(tournament, session)
    if through is not None:
        rows = [row for row in rows if row.player_id in through]
    if with_absent or not any(row.is_checked_in for row in rows):
        return rows
    return [row for row in rows if row.is_checked_in]


def came_through(tournament: Tournament, session: int) -> set[int] | None:
    """Name the players whom the cut of a stage lets play on in a session; None where there was no cut. [RULES 9.7]

    For those who have withdrawn the next ones move up; ties at the last place all play on.
    """
    stages = tournament.regulation["stages"]
    cuts = [
        (number, stage["cut"])
        for number, stage in enumerate(stages, start=2)
        if stage["cut"] and stage["from_session"] <= session
    ]
    if not cuts or not tournament.sessions.filter(state="closed").exists():
        return None
    number, cut = cuts[-1]
    active = tournament.standings.filter(place__isnull=False, player__registration__status="active")
    begun = active.filter(stage__gte=number)
    if begun.exists():
        return set(begun.values_list("player_id", flat=True))
    rows = list(active.order_by("position").values_list("player_id", "place"))
    last = rows[min(cut, len(rows)) - 1][1] if rows else 0
    return {player for player, place in rows if place is not None and last is not None and place <= last}


def people_of(tournament: Tournament) -> dict[Id, Person]:
    """Return everybody who can sit by the name plans know them by: registration numbers, and s and an id."""
    registered = tournament.registrations.select_related("player__team")
    people: dict[Id, Person] = {row.number: Person(row.number, row.player) for row in registered}
    pool = tournament.substitutes.select_related("player__team")
    return people | {f"s{row.player_id}": Person(f"s{row.player_id}", row.player) for row in pool}


def planned_tables(draw: Draw, session: int, people: Mapping[Id, Person] | None = None) -> list[Planned]:
    """Return the tables of a draw for one session, with names."""
    people = people_of(draw.tournament) if people is None else people
    tables: list[list[Id | None]] = draw.plan[str(session)]["tables"]
    pinned = {pin[1] for pin in draw.pins if pin[0] == session}
    return [
        Planned(
            number,
            tuple(
                (wind, people.get(seat) if seat is not None else None)
                for wind, seat in zip("ESWN", seats, strict=False)
            ),
            frozenset(seat for seat in seats if seat in pinned),
        )
        for number, seats in enumerate(tables, start=1)
    ]


def left_over(draw: Draw, session: int, people: Mapping[Id, Person] | None = None) -> list[Person]:
    """List for whom the draw has no game in a session."""
    people = people_of(draw.tournament) if people is None else people
    return [people[who] for who in draw.plan[str(session)]["off"] if who in people]


def published_draw(session: Session) -> Draw | None:
    """Return the draw by which a session was seated."""
    rows = Draw.objects.filter(tournament_id=session.tournament_id, state=Draw.State.PUBLISHED)
    draws = rows.select_related("commitment").order_by("-published_at", "-pk")
    return next((draw for draw in draws if session.number in draw.sessions), None)


def open_sessions(tournament: Tournament) -> list[Session]:
    """List the sessions that are not seated yet; a finished event seats nobody any more."""
    if tournament.is_finished:
        return []
    rows = list(tournament.sessions.filter(published_at=None).order_by("number"))
    for session in rows:
        session.tournament = tournament
    return rows


def seated_sessions(tournament: Tournament) -> list[Session]:
    """List the sessions whose seating is public."""
    rows = list(tournament.sessions.filter(published_at__isnull=False).order_by("number"))
    for session in rows:
        session.tournament = tournament
    return rows


@dataclass(frozen=True)
class Changed:
    """Who has gone and who has come since sessions that have not begun were seated."""

    sessions: tuple[int, ...]
    gone: tuple[Registration, ...]
    come: tuple[Registration, ...]


def changed_since(tournament: Tournament, sessions: Sequence[Session]) -> Changed | None:
    """Compare the list of players with the seats of sessions to come; None where they agree."""
    if not sessions:
        return None
    seated = Seat.objects.filter(session__in=sessions)
    players = set(seated.values_list("player_id", flat=True)) | set(
        seated.values_list("kept_for_id", flat=True)
    )
    rows = list(tournament.registrations.select_related("player"))
    active = Registration.Status.ACTIVE
    sitting = set(seated.values_list("player_id", flat=True))
    gone = tuple(row for row in rows if row.status != active and row.player_id in sitting)
    come = tuple(row for row in rows if row.status == active and row.player_id not in players)
    if not gone and not come:
        return None
    return Changed(tuple(session.number for session in sessions), gone, come)


def listed(tournament: Tournament) -> tuple[list[Registration], str]:
    """Return the list that a draw is made from, and the SHA-256 of its lines "number. name"."""
    rows = list(
        tournament.registrations.filter(status=Registration.Status.ACTIVE)
        .select_related("player")
        .order_by("number")
    )
    return rows, sha256("\n".join(map(str, rows)).encode()).hexdigest()


@dataclass(frozen=True)
class Stay:
    """Where somebody sits in one session and with whom; without a seat there is no game."""

    session: Session
    seat: Seat | None = None

    @property
    def company(self) -> list[Player]:
        """List the others at the table."""
        if self.seat is None:
            return []
        seats = self.seat.table.seats.all()
        return [other.player for other in seats if other.player and other.pk != self.seat.pk]


@dataclass(frozen=True)
class Way:
    """One player's seats through the sessions, in their order."""

    person: Person
    stays: tuple[Stay, ...]


def seats_by_player(
    tournament: Tournament, sessions: Sequence[Session], *, only_active: bool = False
) -> list[Way]:
    """Return the seats of everybody in the published sessions, by name, games missed included; on demand only of those
    who still take part."""
    gone = tournament.registrations.exclude(status=Registration.Status.ACTIVE)
    left = set(gone.values_list("player_id", flat=True)) if only_active else set()
    rows = (
        Seat.objects.filter(session__in=sessions, player__isnull=False)
        .select_related("table__protocol", "session")
        .prefetch_related("table__seats__player")
    )
    seats = {(seat.player_id, seat.session_id): seat for seat in rows if hasattr(seat.table, "protocol")}
    named = {seat.player_id for seat in rows} - left
    return [
        Way(person, tuple(Stay(one, seats.get((person.player.pk, one.pk))) for one in sessions))
        for person in sorted(people_of(tournament).values(), key=lambda person: person.player.search_key)
        if person.player.pk in named
    ]


def by_table(
    halls: Sequence[tuple[Session, Sequence[Table]]],
) -> list[tuple[int, list[tuple[Session, Table]]]]:
    """Gather what happens at each table number, session by session."""
    found: dict[int, list[tuple[Session, Table]]] = {}
    for session, tables in halls:
        for table in tables:
            if hasattr(table, "protocol"):
                found.setdefault(table.number, []).append((session, table))
    return sorted(found.items())


def published_draws(tournament: Tournament) -> list[tuple[Draw, list[int]]]:
    """List the draws that are the seating, in order, each with the sessions it seats today."""
    rows = tournament.draws.filter(state=Draw.State.PUBLISHED).order_by("-published_at", "-pk")
    public = {session.number for session in seated_sessions(tournament)}
    found = []
    for draw in rows:
        numbers = [number for number in draw.sessions if number in public]
        public -= set(numbers)
        if numbers:
            found.append((draw, numbers))
    return sorted(found, key=lambda pair: pair[1])


def news_of(session: Session) -> dict[str, Any]:
    """Tell what was changed after a seating became public, newest first, and whether winds come from cards."""
    rows = HistoryEntry.objects.filter(
        tournament=session.tournament_id,
        kind__in=("seating_changed", "seating_withdrawn"),
        content__contains=f'"session:{session.number}"',
    ).order_by("-pk")
    contents = [(row, history.read(row.content)) for row in rows]
    told = [(row, said) for row, said in contents if "winds" not in said.get("data", {})]
    wanted = {seat[2] for _, said in told for seat in said.get("data", {}).get("seats", ())}
    names = {player.pk: str(player) for player in Player.objects.filter(pk__in=wanted - {None})}
    draw = published_draw(session)
    return {
        "changes": [
            {
                "at": row.at,
                "reason": said.get("reason", ""),
                "is_redraw": row.kind == "seating_withdrawn",
                "moves": [
                    {"table": table, "wind": wind, "name": names.get(player, "—")}
                    for table, wind, player, _ in said.get("data", {}).get("seats", ())
                ],
            }
            for row, said in told
        ],
        "with_cards": draw is not None and draw.settings.get("winds") == "cards",
    }
