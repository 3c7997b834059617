"""Judgements for tests, made the way the site makes them: through operations, without surprises."""

import struct
import zlib
from fractions import Fraction
from uuid import uuid4

from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Grounds
from penalties.ladder.operations import penalties
from penalties.ladder.operations.penalties import Case
from penalties.models import Appeal, Penalty
from tournaments.models import Player, Registration, Role, Session, Substitute, Tournament, User
from tournaments.people.operations.registration import Details, name_substitute
from tournaments.record.actors import Actor, ActorKind
from tournaments.tests import factories as make

LONG = "The referee counted the third claim twice."


def judge(of: Tournament, *roles: str, who: User | None = None) -> Actor:
    """Somebody with a role at the tournament, chief referee unless said otherwise."""
    who = who or make.user()
    for role in roles or ("chief_referee",):
        Role.objects.get_or_create(tournament=of, user=who, kind=role)
    return make.actor(who, *(roles or ("chief_referee",)))


def give(
    player: Player, offence: str, session: Session | None = None, *, by: Actor | None = None, **said: object
) -> Penalty:
    """A penalty by the chief referee unless said otherwise."""
    of = player.tournament
    points = said.get("points")
    if isinstance(points, int):
        said["points"] = Fraction(points)
    case = Case(player=player, offence=offence, session=session, **said)  # type: ignore[arg-type]
    return penalties.give(of, case, by=by or make.chief_referee_of(of), key=uuid4().hex)


def seat(session: Session, wind: str, table: int = 1) -> Player:
    """Who sits there, with the tournament at hand."""
    player = session.seats.select_related("player").get(table__number=table, wind=wind).player
    assert player is not None
    player.tournament = session.tournament
    return player


def substitute(of: Tournament, name: str = "Mira", *, is_assistant: bool = False) -> Substitute:
    """Somebody in the pool."""
    made = name_substitute(of, Details(name=name), by=make.organizer_of(of), is_assistant=is_assistant)
    made.player.tournament = of
    return made


def link_actor(registration: Registration) -> Actor:
    """A player by private link."""
    player = registration.player_id
    return Actor(ActorKind.PLAYER, player, frozenset({"player"}), player_ids=frozenset({player}))


def appeal(penalty: Penalty, *, by: Actor | None = None, text: str = LONG, **said: object) -> Appeal:
    """An appeal of the offender against a penalty, by private link unless said otherwise."""
    assert penalty.session is not None
    by = by or link_actor(penalty.player.registration)
    matter = str(said.pop("matter", "rules"))
    said = {"player": penalty.player, "penalty": penalty, **said}
    grounds = Grounds(session=penalty.session, text=text, **said)  # type: ignore[arg-type]
    filed = appeals_operations.file_appeal(penalty.tournament, grounds, by=by, key=uuid4().hex)
    if matter == "rules":
        return filed
    return appeals_operations.classify(filed, matter, by=make.chief_referee_of(penalty.tournament))


def png(width: int = 2, height: int = 2, *, extra: tuple[tuple[bytes, bytes], ...] = ()) -> bytes:
    """A small grey picture, with more chunks if wanted."""
    rows = b"".join(b"\0" + b"\x80" * min(width, 4) for _ in range(min(height, 4)))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        *extra,
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def jpeg(width: int = 8, height: int = 8, *, exif: bytes = b"", comment: bytes = b"") -> bytes:
    """The frame of a photo: enough to be read as one by its structure."""

    def segment(marker: int, data: bytes) -> bytes:
        return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data

    return b"".join(
        (
            b"\xff\xd8",
            segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"),
            segment(0xE1, exif) if exif else b"",
            segment(0xFE, comment) if comment else b"",
            segment(0xDB, bytes(65)),
            segment(0xC0, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0"),
            segment(0xDA, b"\1\1\0\0\x3f\0"),
            b"\x12\xff\0\x34\xff\xd0\x56",
            b"\xff\xd9",
        )
    )
