"""Rows for tests, made the way the site makes them: through operations, without surprises."""

from datetime import date
from itertools import count
from typing import Any
from uuid import uuid4

from django.utils import timezone

from seating.drafts import operations as draws
from seating.drafts.plans import Options
from tournaments.models import Player, Protocol, Registration, Role, Session, Tournament, User
from tournaments.people.operations import registration
from tournaments.record.actors import Actor, ActorKind
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.tables.operations import entering, protocols
from tournaments.tables.operations.recording import Intent
from tournaments.tests.remembered import remembered
from tournaments.web.access import STAFF

_numbers = count(1)
BIRDS = (
    "Журавль", "Сойка", "Зимородок", "Иволга", "Кулик", "Стриж", "Дрозд", "Чиж",
    "Heron", "Kingfisher", "Oriole", "Plover", "Swift", "Thrush", "Wren", "Siskin",
)  # fmt: skip


@remembered
def user(name: str = "") -> User:
    """An account with the password "password"."""
    name = name or f"user{next(_numbers)}"
    made = User(username=name)
    made.set_password("password")
    made.save()
    return made


def actor(who: User, *roles: str) -> Actor:
    """The user as an actor with the roles."""
    return Actor(ActorKind.USER, who.pk, frozenset(roles) | {"signed_in"})


def organizer_of(tournament: Tournament) -> Actor:
    """The creator, who organizes and judges nothing."""
    return actor(tournament.created_by, "organizer")


def chief_referee_of(tournament: Tournament) -> Actor:
    """The chief referee, another person than the organizer; named the first time somebody asks."""
    return holder(tournament, "chief_referee")


def referee_of(tournament: Tournament) -> Actor:
    """A referee who is neither the organizer nor the chief referee."""
    return holder(tournament, "referee")


def scorer_of(tournament: Tournament) -> Actor:
    """A scorer, who enters hands and judges nothing."""
    return holder(tournament, "scorer")


@remembered
def holder(tournament: Tournament, kind: str) -> Actor:
    """Whoever holds a role first, with this role alone."""
    found = Role.objects.filter(tournament=tournament, kind=kind, user__isnull=False).first()
    return actor(found.user if found else staff(tournament, kind), kind)  # type: ignore[arg-type]


def announcement() -> events.Announcement:
    """What is said of a tournament, under an address of its own."""
    number = next(_numbers)
    return events.Announcement(
        name=f"Cup {number}",
        slug=f"cup-{number}",
        first_day=date(2026, 5, 9),
        last_day=date(2026, 5, 10),
        time_zone="Europe/Samara",
        city="Samara",
    )


@remembered
def tournament(
    preset: str = "sbr", *, by: User | None = None, announced: bool = True, **changes: object
) -> Tournament:
    """A tournament of two sessions, announced unless said otherwise."""
    by = by or user()
    made = events.create_tournament(
        announcement(), preset=preset, by=actor(by), changes={"sessions": 2, **changes}
    )
    if announced:
        made = events.announce_tournament(made, by=actor(by, "organizer"))
    return made


@remembered
def players(of: Tournament, number: int) -> list[Registration]:
    """So many players on the list."""
    by = organizer_of(of)
    return [
        registration.register_player(
            of,
            registration.Details(
                name=f"{BIRDS[index % 16]} {'ABCDEFGHIJKLM'[index // 16]}"[: 100 if index >= 16 else -2]
            ),
            by=by,
        )
        for index in range(number)
    ]


@remembered
def seated(of: Tournament, session: int = 1, *, seed: str = "test") -> Session:
    """A session seated by a published random draw."""
    by = organizer_of(of)
    row = of.sessions.get(number=session)
    row.tournament = of
    draw = draws.propose_random(of, row, by=by, seed=seed)
    draws.publish(draw, by=by)
    return of.sessions.get(number=session)


@remembered
def seated_short(of: Tournament, session: int = 1) -> Session:
    """A session seated at full tables; for those left over the regulation decides."""
    by = organizer_of(of)
    row = of.sessions.get(number=session)
    row.tournament = of
    options = Options(leftover="regulation")
    draws.publish(draws.propose(of, [row], mode="random", seed="test", options=options, by=by), by=by)
    return of.sessions.get(number=session)


@remembered
def in_play(of: Tournament, session: int = 1) -> Session:
    """A seated session whose clock runs."""
    return play.start_session(seated(of, session), by=organizer_of(of))


@remembered
def in_play_with_absent(of: Tournament, session: int = 1) -> Session:
    """A session in play in which those are seated, too, who have not come: a deputy drew for them."""
    by = organizer_of(of)
    row = of.sessions.get(number=session)
    row.tournament = of
    options = Options(with_absent=True)
    draws.publish(draws.propose(of, [row], mode="random", seed="test", options=options, by=by), by=by)
    return play.start_session(of.sessions.get(number=session), by=by)


@remembered
def in_play_short(of: Tournament, session: int = 1) -> Session:
    """A session in play at full tables, with those left over as the regulation says."""
    return play.start_session(seated_short(of, session), by=organizer_of(of))


@remembered
def protocol(preset: str = "sbr", number: int = 4, **changes: Any) -> Protocol:
    """The protocol of table 1 of a session in play."""
    of = tournament(preset, **changes)
    players(of, number)
    session = in_play(of)
    return Protocol.objects.select_related("table__session__tournament").get(
        table__session=session, table__number=1
    )


def intent(of: Protocol, **body: object) -> Intent:
    """A tap by somebody who has seen everything so far."""
    of.refresh_from_db(fields=["version"])
    return Intent(seen=of.version, key=uuid4().hex, body=body)


@remembered
def record(of: Protocol, facts: dict[str, Any] | None = None, *, by: Actor | None = None) -> dict[str, Any]:
    """Record a hand: East wins a bare hand from South unless said otherwise."""
    facts = facts or east_from_south()
    by = by or organizer_of(of.table.session.tournament)
    return entering.record_hand(of, facts, intent=intent(of, facts=facts), by=by, is_sure=True)


def east_from_south(fans: int = 0) -> dict[str, Any]:
    """The facts of a hand that one player wins and the wall ends: every other is waiting for a bare hand."""
    return {
        "events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": fans}]}],
        "end": {wind: {"state": "waiting", "max_base": 1} for wind in "SWN"},
    }


@remembered
def settle(of: Session) -> None:
    """End and confirm every table of the session."""
    for table in Protocol.objects.filter(table__session=of).select_related("table__session__tournament"):
        by = organizer_of(of.tournament)
        protocols.end_protocol(table, intent=intent(table), by=by)
        totals = {seat.wind: seat.hand_points for seat in table.table.seats.all()}
        for wind in totals:
            protocols.confirm_seat(table, wind, totals=totals, intent=intent(table), by=by)


def nameless(player: Player) -> None:
    """A player as somebody looks whose data was erased, also where the event is still played."""
    Player.objects.filter(pk=player.pk).update(
        name="", search_key="", federation_ids={}, erased_at=timezone.now()
    )


@remembered
def operator() -> User:
    """An account that runs the site."""
    made = user()
    User.objects.filter(pk=made.pk).update(is_superuser=True)
    made.refresh_from_db()
    return made


@remembered
def staff(of: Tournament, kind: str) -> User:
    """A user with one role in the tournament."""
    assert kind in STAFF
    made = user()
    Role.objects.create(tournament=of, user=made, kind=kind)
    return made
