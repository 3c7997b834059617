"""A site of its own for measurements: a throw-away database, and events of any size written in bulk."""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def begin() -> Path:
    """Set Django up on an empty SQLite file, or on the database that DATABASE_URL names."""
    home = Path(tempfile.mkdtemp(prefix="four-winds-bench-"))
    os.environ["FOUR_WINDS_VAR"] = str(home)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")
    os.environ.setdefault("SECRET_KEY", "only for measurements, never for a site")
    use()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    return home


def use() -> None:
    """Set Django up as the environment says."""
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()


def end(home: Path) -> None:
    """Throw the file away."""
    from django.db import connections

    connections.close_all()
    shutil.rmtree(home, ignore_errors=True)


def big_event(players: int, sessions: int, *, slug: str = "", seed: int = 1) -> Any:
    """Write a running event of that size, every session closed, its hands added up already."""
    dice = Random(seed)
    of = running_event(slug or f"event-{players}-{sessions}", players, sessions)
    people = registered(of, players)
    for number in range(1, sessions + 1):
        dice.shuffle(people)
        closed_session(of, number, people, dice)
    return of


def ranked_event(players: int, sessions: int) -> Any:
    """Write such an event with its standings."""
    of = big_event(players, sessions)
    recomputed(of)
    return of


def recomputed(of: Any) -> None:
    """Work the standings of an event out."""
    from tournaments.standings.operations.recompute import recompute_all

    recompute_all(of)


def running_event(slug: str, players: int, sessions: int) -> Any:
    """Write an event in play, without anybody in it."""
    from django.utils import timezone

    from scoring.presets import PRESETS
    from tournaments.models import StandingsRevision, Tournament, User

    user, _ = User.objects.get_or_create(username="bench")
    today = timezone.localdate()
    of = Tournament.objects.create(
        slug=slug,
        name=f"{players} players",
        system="SBR",
        preset="sbr",
        regulation=PRESETS["sbr"].regulation.to_json() | {"sessions": sessions},
        state="running",
        first_day=today,
        last_day=today,
        created_by=user,
    )
    StandingsRevision.objects.create(tournament=of, wanted=1)
    return of


def registered(of: Any, count: int) -> list[Any]:
    """Write the players of an event."""
    from tournaments.models import Player, Registration

    people = Player.objects.bulk_create(
        Player(tournament=of, code=f"p{n}", name=f"Wren {n}", country="RU", club=f"Club {n % 40}")
        for n in range(1, count + 1)
    )
    Registration.objects.bulk_create(
        Registration(tournament=of, player=person, number=n) for n, person in enumerate(people, start=1)
    )
    return people


def closed_session(of: Any, number: int, people: list[Any], dice: Random) -> None:
    """Write a session that is over: tables in the order of the people, each with points that add up to nothing."""
    from django.utils import timezone

    from tournaments.models import Protocol, Seat, Session, Table

    now = timezone.now()
    session = Session.objects.create(
        tournament=of,
        number=number,
        state="closed",
        started_at=now,
        ended_at=now,
        published_at=now,
        regulation=of.regulation,
    )
    tables = Table.objects.bulk_create(
        Table(session=session, number=table) for table in range(1, len(people) // 4 + 1)
    )
    Protocol.objects.bulk_create(Protocol(table=table, state="confirmed", version=1) for table in tables)
    seats = []
    for place, table in enumerate(tables):
        sat = zip("ESWN", people[place * 4 : place * 4 + 4], points_of_a_table(dice), strict=True)
        seats += [
            Seat(session=session, table=table, wind=wind, player=person, hand_points=points)
            for wind, person, points in sat
        ]
    Seat.objects.bulk_create(seats, batch_size=2000)


def points_of_a_table(dice: Random) -> list[int]:
    """Return four numbers that add up to nothing."""
    points = [dice.randrange(-60, 60) for _ in range(3)]
    return [*points, -sum(points)]


def hall_in_play(tables: int, *, slug: str = "hall") -> tuple[Any, list[str]]:
    """Write an event whose first session is open at so many tables; return it with the credentials of its tablets."""
    from django.utils import timezone

    from tournaments.models import Device, Protocol, Seat, Session, StandingsRevision, Tournament
    from tournaments.record.actors import digest_of

    of = big_event(tables * 4, 1, slug=slug)
    now = timezone.now()
    Session.objects.filter(tournament=of).update(state="open", started_at=now, ended_at=None)
    Protocol.objects.filter(table__session__tournament=of).update(state="open", version=0)
    Seat.objects.filter(session__tournament=of).update(hand_points=0)
    StandingsRevision.objects.filter(pk=of.pk).update(wanted=2)
    credentials = [f"tablet-{slug}-{number:04d}-{'x' * 20}" for number in range(1, tables + 1)]
    Device.objects.bulk_create(
        Device(tournament=of, name=f"Tablet {n}", tables=[n], credential_digest=digest_of(credential))
        for n, credential in enumerate(credentials, start=1)
    )
    return Tournament.objects.get(pk=of.pk), credentials


def machine() -> str:
    """Describe the machine in a few words."""
    import platform

    return f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
