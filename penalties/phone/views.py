"""The referee's phone: a shell that holds nobody's data and starts without a connection, and what it reads and sends."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from penalties.models import Penalty, PrintRequest
from penalties.phone import operations
from penalties.phone.queries import foreseen, phone_state
from scoring import parsers
from scoring.parsers import Parser, anything
from scoring.problems import Problem, gettext_noop
from tournaments.models import Session, Table, Tournament
from tournaments.record.receipts import check_key
from tournaments.record.refusal import refuse
from tournaments.sessions.operations import play
from tournaments.tables.views.tablet_worker import app_version
from tournaments.web.access import page
from tournaments.web.middleware import as_refused
from tournaments.web.programs import answer, body_of, endpoint
from tournaments.web.requests import Request
from tournaments.web.strict import fields_of, load_json

MOST_OPERATIONS = 50
MOST_PRICES = 30
MOST_DIGITS = 10
SCHEMAS = (1,)
QUEUED: Mapping[str, Parser] = {
    "key": parsers.text(1, 128),
    "session": parsers.positive,
    "table": parsers.natural,
    "operation": parsers.choice(operations.PRESSES),
    "body": anything,
}


def moment(value: object, path: str, problems: list[Problem]) -> datetime | None:
    """Read a moment with its zone."""
    text = parsers.text(10, 40)(value, path, problems)
    try:
        at = datetime.fromisoformat(text) if text else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        problems.append(Problem("time_format", gettext_noop("Send a time with its zone."), path))
        return None
    return at


PLAYER: Mapping[str, Parser] = {"session": parsers.positive, "player": parsers.positive}
READ: Mapping[str, tuple[Mapping[str, Parser], Mapping[str, Parser]]] = {
    "give": (
        {**PLAYER, "offence": parsers.text(1, 64)},
        {
            "effect": parsers.choice(Penalty.Effect.values),
            "points": parsers.fraction,
            "hand": parsers.whole(1, 999),
            "step": parsers.positive,
            "to": parsers.positive,
            "sure": parsers.truth,
        },
    ),
    "revoke": (
        {"reason": parsers.text(1, 5000)},
        {"penalty": parsers.positive, "given": parsers.text(16, 64)},
    ),
    "late": (PLAYER, {}),
    "arrived": (PLAYER, {"at": moment}),
    "print": ({"kind": parsers.choice(PrintRequest.Kind.values), "number": parsers.positive}, {}),
}
"""The fields of every press, required and optional."""


@page("open_tablet")
def shell(request: Request, tournament: Tournament) -> HttpResponse:
    """Return the shell; its header tells the tablet's worker that it may keep it. [DESIGN 7]"""
    version = app_version()
    home = reverse("penalties:phone", args=[tournament.slug])
    context = {
        "home": home,
        "api": reverse("penalties:phone_state", args=[tournament.slug]).removesuffix("state/"),
        "desk": reverse("penalties:judging", args=[tournament.slug]),
        "outside": reverse("penalties:give_any", args=[tournament.slug]),
        "worker": reverse("tournaments:tablet_worker"),
        "slug": tournament.slug,
        "system": tournament.system,
        "first_table": tournament.first_table,
        "version": version,
    }
    response = render(request, "penalties/phone.html", context)
    response["X-Tablet-Shell"] = version
    response["Cache-Control"] = "no-cache"
    response.uses_camera = True  # type: ignore[attr-defined] # read by config/server/headers.py
    return response


@endpoint("judge", methods=("GET",))
def oneself(request: Request, tournament: Tournament) -> HttpResponse:
    """Return the token that what is sent next needs."""
    return answer({"csrf": get_token(request), "app": app_version(), "time": timezone.now().isoformat()})


@endpoint("judge", methods=("GET",))
def state(request: Request, tournament: Tournament) -> HttpResponse:
    """Return everything that the phone shows."""
    return answer(phone_state(tournament, request.actor))


@endpoint("judge", methods=("GET",))
def outlook(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Return what each price named would change in the standings, before it is taken from a player."""
    session.tournament = tournament
    player = _number(request.GET.get("player", ""))
    prices = [_number(one) for one in request.GET.get("takes", "").split(",")[:MOST_PRICES]]
    return answer({"prices": foreseen(session, player, sorted({one for one in prices if one}))})


def _number(text: str) -> int:
    """Read a number of an address; 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < MOST_DIGITS else 0


@endpoint("judge")
def call(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Tell a calling table that somebody is on the way, or that its call is over; sent again it changes nothing."""
    read = fields_of(body_of(request), {"is_over": parsers.truth})
    if read["is_over"]:
        play.call_referee(table, by=request.actor, is_called=False)
    else:
        play.answer_call(table)
    return answer({"is_over": read["is_over"]})


@endpoint("judge")
def batch(request: Request, tournament: Tournament) -> HttpResponse:
    """Do up to fifty presses in order, each with its own answer; a refusal holds up only what concerns the same player."""
    read = fields_of(
        body_of(request), {"schema": parsers.positive, "operations": anything}, {"brief": parsers.truth}
    )
    if read["schema"] not in SCHEMAS:
        refuse("client_too_old", gettext_noop("This page is too old; reload it. Unsent hands stay here."))
    presses = parsers.several(anything, least=1, most=MOST_OPERATIONS)
    items = fields_of({"operations": read["operations"]}, {"operations": presses})["operations"]
    return answer({"answers": _settled(request, tournament, items)})


def _settled(request: Request, tournament: Tournament, items: Sequence[Any]) -> list[dict[str, Any]]:
    """Do everything in order; behind a refusal nothing that concerns the same player is tried."""
    held: set[str] = set()
    answers = []
    for at, item in enumerate(items):
        about = (item.get("session"), item.get("table")) if isinstance(item, dict) else (None, None)
        key = item.get("key") if isinstance(item, dict) else None
        try:
            if str(about) in held:
                refuse("not_tried", gettext_noop("An earlier entry of this table must be settled first."))
            done = _done(request, tournament, item, at)
        except Exception as error:
            problem = as_refused(error)
            if problem is None:
                raise
            held.add(str(about))
            answers.append({"key": key, "status": problem.status, "problem": problem.as_json()})
        else:
            answers.append({"key": key, "status": 200, **done})
    return answers


def _done(request: Request, tournament: Tournament, item: Any, at: int) -> dict[str, Any]:
    """Read one press and do it."""
    queued = fields_of(item, QUEUED, at=f"operations.{at}")
    body = load_json(queued["body"].encode()) if isinstance(queued["body"], str) else queued["body"]
    required, optional = READ[queued["operation"]]
    press = fields_of(body, required, optional)
    return operations.carry_out(
        tournament,
        queued["operation"],
        press,
        key=check_key(queued["key"]),
        by=request.actor,
        body={"operation": queued["operation"], "press": body},
    )
