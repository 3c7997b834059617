"""Take in a tournament from one file."""

import sys
from codecs import BOM_UTF8
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from scoring.door import read_json
from scoring.problems import Problem, Refusal, gettext_noop
from tournaments.exchange.intake import Taken, import_record
from tournaments.models import Role, Tournament, User
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.refusal import Refused, sentences
from tournaments.sessions.operations.tournaments import grant_role
from tournaments.standings.operations.recompute import recompute

LARGEST = 256
"""The most megabytes that are read: a tournament of thousands of players, every hand of it, has some fifty."""

ARCHIVIST = "archive"


class Command(BaseCommand):
    """Read a record; the whole file or nothing."""

    help = (
        "Takes in a tournament from a record (docs/RECORD.md): the whole file or nothing. "
        "Prints where the file's numbers differ from what its facts come to; "
        "exit status 1 and every fault on standard error where it is refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the file, and who answers for the tournament here."""
        parser.add_argument("file", help="the record; - for standard input")
        parser.add_argument(
            "--organizer", help="username of who shall organize it here; nobody when left out"
        )
        parser.add_argument("--slug", default="", help="another address, where that of the file is taken")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, recompute, and say where the file's numbers differ."""
        body = _body(options["file"])
        try:
            data = _read(body)
            with transaction.atomic():
                taken = import_record(data, by=_actor(options["organizer"]), slug=options["slug"])
                _give(taken.tournament, options["organizer"])
        except Refused as refused:
            self._refuse(refused)
        self._tell(taken)

    def _refuse(self, refused: Refused) -> NoReturn:
        """Name every fault: where, what, by which clause."""
        for problem, said in zip(refused.problems, sentences(refused.problems), strict=True):
            where = f"{problem.field}: " if problem.field else ""
            clause = f" [{problem.clause}]" if problem.clause else ""
            self.stderr.write(f"{where}{said}{clause}")
            if problem.code == "slug_taken":
                self.stderr.write("Give it another address with --slug ADDRESS.")
        raise CommandError(f"Nothing was taken in; faults in the file: {len(refused.problems)}.")

    def _tell(self, taken: Taken) -> None:
        recompute(taken.tournament.pk, waits=True)
        for difference in taken.differences:
            self.stdout.write(difference)
        self.stdout.write(f"{taken.tournament.slug}: taken in.")
        if not taken.tournament.roles.filter(user__isnull=False).exists():
            self.stdout.write(f"It belongs to nobody yet: manage.py give_event {taken.tournament.slug} NAME")


def _body(name: str) -> bytes:
    """Read the file, or standard input."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"“{name}” cannot be read: {error.strerror}.") from error


def _read(body: bytes) -> Any:
    """Read standard JSON, or refuse it with all that is wrong with it. [RECORD 1]"""
    if len(body) > LARGEST * 1024 * 1024:
        raise Refused(Problem("too_large", TOO_LARGE, clause="RECORD 1", details={"size": LARGEST}))
    try:
        return read_json(body.removeprefix(BOM_UTF8))
    except Refusal as refusal:
        raise Refused(
            *(replace(one, clause=one.clause or "RECORD 1") for one in refusal.problems)
        ) from refusal


def _give(tournament: Tournament, organizer: str | None) -> None:
    """Make the named user the organizer; an event that is not over could not be run by anybody otherwise."""
    if organizer:
        user = _named(organizer)
        grant_role(tournament, user, Role.Kind.ORGANIZER, by=_actor(organizer))


def _named(organizer: str) -> User:
    user = User.objects.filter(username=organizer, is_active=True).first()
    if user is None:
        raise CommandError(f"There is no user “{organizer}”.")
    return user


def _actor(organizer: str | None) -> Actor:
    """Find who imports: the named user, else the account of the archive, which nobody can sign in to."""
    if organizer:
        user = _named(organizer)
    else:
        user = User.objects.filter(username=ARCHIVIST).first() or User.objects.create_user(ARCHIVIST)
    return Actor(ActorKind.USER, user.pk, frozenset({"organizer"}))


TOO_LARGE = gettext_noop("The file is too large; at most %(size)s MB are read.")
