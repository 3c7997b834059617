"""Steering the screens of the hall from the desk, and naming the sites that may show the standings."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import transaction

from scoring.problems import gettext_noop
from tournaments.models import HallScreen, Tournament
from tournaments.public.rules.frames import MOST_SITES, site_of
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import refuse

LEAST_SECONDS, MOST_SECONDS = 5, 120
LONGEST_MESSAGE = 200


@dataclass(frozen=True)
class Steering:
    """What the desk asks of the screens; None leaves it as it is. `turn` moves by so many pages."""

    parts: Sequence[str] | None = None
    seconds: int | None = None
    is_held: bool | None = None
    turn: int = 0
    message: str | None = None


@transaction.atomic
def steer_hall(tournament: Tournament, steering: Steering, *, by: Actor, key: str = "") -> HallScreen:
    """Choose what the screens show, how fast, whether they stand, and what the hall is told.

    A turn comes with a key: sent again under it, no page is skipped. The history keeps who steered; not the words,
    for they may hold a name. [INTEGRITY 1]
    """
    _check(steering)
    tournament = lock_tournament(tournament)
    screen: HallScreen = HallScreen.of(tournament)
    body = {"hall": asdict(steering)}
    if key and receipts.answered(tournament, key, by=by, body=body) is not None:
        return screen
    before = _face(screen), screen.message
    if steering.parts is not None:
        screen.parts = [part for part in HallScreen.Part.values if part in steering.parts]
    if steering.seconds is not None:
        screen.seconds = steering.seconds
    if steering.is_held is not None:
        screen.is_held = steering.is_held
    if steering.message is not None:
        screen.message = _tidied(steering.message)
    screen.step += steering.turn
    if (_face(screen), screen.message) != before:
        screen.save()
        history.record(Kind.HALL_STEERED, tournament=tournament, by=by, data=_face(screen))
    if key:
        receipts.store(tournament, key, by=by, body=body, answer={"step": screen.step})
    return screen


def _check(steering: Steering) -> None:
    if steering.seconds is not None and not LEAST_SECONDS <= steering.seconds <= MOST_SECONDS:
        refuse(
            "out_of_range",
            gettext_noop("A page may stand from %(least)s to %(most)s seconds."),
            field="seconds",
            least=LEAST_SECONDS,
            most=MOST_SECONDS,
        )
    if steering.message is not None and len(_tidied(steering.message)) > LONGEST_MESSAGE:
        refuse(
            "text_length",
            gettext_noop("The message may have at most %(most)s characters."),
            field="message",
            most=LONGEST_MESSAGE,
        )


def _tidied(message: str) -> str:
    """Join lines and runs of spaces."""
    return " ".join(message.split())


def _face(screen: HallScreen) -> dict[str, object]:
    return {
        "parts": list(screen.parts),
        "seconds": screen.seconds,
        "held": screen.is_held,
        "step": screen.step,
        "message": bool(screen.message),
    }


@transaction.atomic
def allow_frames(tournament: Tournament, lines: Sequence[str], *, by: Actor) -> Tournament:
    """Name the sites whose pages may show the widget of an event in a frame; nobody else may. [INTEGRITY 4]"""
    sites = list(dict.fromkeys(_site(line) for line in lines))
    if len(sites) > MOST_SITES:
        refuse(
            "out_of_range",
            gettext_noop("At most %(most)s sites can be named."),
            field="sites",
            most=MOST_SITES,
        )
    tournament = lock_tournament(tournament)
    if tournament.frame_sites != sites:
        tournament.frame_sites = sites
        tournament.save(update_fields=["frame_sites"])
        history.record(Kind.FRAMES_ALLOWED, tournament=tournament, by=by, data={"sites": sites})
    return tournament


def _site(line: str) -> str:
    site = site_of(line)
    if site is None:
        refuse(
            "bad_address",
            gettext_noop(
                "“%(address)s” is not the address of a site. Write it like https://club.example, without a path."
            ),
            field="sites",
            address=line[:100],
        )
    return site
