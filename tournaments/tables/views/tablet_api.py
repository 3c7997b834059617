"""The addresses to which tablets talk: admission, tables, one table's state, previews, writes one by one or fifty at once."""

import re
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring import parsers
from scoring.parsers import an_object, anything
from scoring.problems import gettext_noop
from scoring.systems import SYSTEMS
from tournaments.models import Protocol, Session, Table, Tournament
from tournaments.record import judges
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.refusal import refuse
from tournaments.sessions.operations import play
from tournaments.sessions.queries import current_session
from tournaments.tables.operations import devices, protocols
from tournaments.tables.queries.events import taken_before_places
from tournaments.tables.queries.mirrors import checks_of
from tournaments.tables.queries.moves import move_of
from tournaments.tables.queries.state import regulation_of, table_state
from tournaments.tables.views import tablet_tiles
from tournaments.tables.views.tablet_queue import Queue, read_queue, table_at
from tournaments.tables.views.tablet_state import (
    is_clock_wrong,
    others_at,
    preview_state,
    ripple_state,
    self_state,
    tables_of,
    void_state,
)
from tournaments.tables.views.tablet_worker import app_version
from tournaments.tables.views.tablet_writes import DEALERS, OPERATIONS, check_allowed, perform, protocol_of
from tournaments.web.access import table_code_of
from tournaments.web.callers import address_of, browser_of
from tournaments.web.programs import answer, body_of, endpoint, key_of
from tournaments.web.requests import Request
from tournaments.web.strict import fields_of

SECRET = parsers.text(16, 128, r"[A-Za-z0-9_-]+")
CODE = parsers.text(1, 40)
SET_ASIDE = {"session": parsers.positive, "table": parsers.positive, "number": parsers.natural}
"""Where a hand that was set aside on a tablet belongs; the number is 0 for a final result."""
MOST_SET_ASIDE = 50
KEY = re.compile(r"[A-Za-z0-9_-]{1,128}")


@endpoint("open_tablet")
def admission(request: Request, tournament: Tournament) -> HttpResponse:
    """Turn the secret of a QR code, or a typed code, into a credential. [INTEGRITY 3]"""
    read = fields_of(body_of(request), {}, {"secret": SECRET, "code": CODE})
    if len(read) != 1:
        refuse("required", gettext_noop("Send either a secret or a code."))
    if "secret" in read:
        device, credential = devices.admit_device(tournament, secret=read["secret"])
    else:
        with devices.counted(tournament, browser=browser_of(request).number, address=address_of(request)):
            device, credential = devices.admit_device(tournament, code=read["code"])
    return answer({"credential": credential, "device": devices.device_state(device)}, status=201)


@endpoint("open_tablet", methods=("GET",))
def oneself(request: Request, tournament: Tournament) -> HttpResponse:
    """Return who the sender is here; people who are signed in by a cookie get the token for their writes."""
    said = self_state(request.actor) | {"app": app_version(), "tournament": tournament.name}
    if request.actor.kind == ActorKind.USER:
        said["csrf"] = get_token(request)
    return answer(said)


@endpoint("see_tables", methods=("GET",))
def tables(request: Request, tournament: Tournament) -> HttpResponse:
    """List the tables of the session in play, or of the one to come."""
    session = current_session(tournament)
    return answer(
        {
            "tournament": tournament.name,
            "session": session.number if session else None,
            "session_state": session.state if session else None,
            "tables": tables_of(session, request.actor) if session else [],
            **_move(tournament, request.actor),
        }
    )


def _move(tournament: Tournament, actor: Actor) -> dict[str, Any]:
    """Tell a tablet that it is to go on to another event, and where."""
    move = move_of(tournament, actor.device_id)
    return {"move": {"event": move.event, "address": move.address}} if move else {}


@endpoint("see_tables", methods=("GET",))
def state(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Return the state of the table."""
    protocol = protocol_of(table)
    place = (tournament.slug, session.number, table.number, table_code_of(table))
    beside = {
        "others": others_at(table, request.actor),
        "checks": checks_of(protocol),
        "phones": reverse("tournaments:table_phone", args=place),
    }
    return answer(table_state(table) | beside)


@endpoint("record_hands")
def preview(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Compute a hand before it is saved; with a number, show what correcting that hand, or with no facts voiding it, would change."""
    read = fields_of(body_of(request), {}, {"facts": an_object, "number": parsers.positive, **DEALERS})
    protocol, facts, number = protocol_of(table), read.get("facts"), read.get("number")
    keep = read.get("keep_dealers")
    if number is None:
        if facts is None:
            refuse(
                "required", gettext_noop("Send the facts of the hand, or the number of one that is voided.")
            )
        return answer(preview_state(protocol, protocols.preview_hand(protocol, facts)))
    if facts is None:
        return answer(
            void_state(protocol, protocols.preview_void(protocol, number=number, keep_dealers=keep), number)
        )
    games = protocols.preview_correction(protocol, facts, number=number, keep_dealers=keep)
    return answer(ripple_state(protocol, games, number))


@endpoint("record_hands")
def evaluate(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Return what a hand is worth tile by tile and why, or why it is no win; nothing is written."""
    read = fields_of(body_of(request), {"how": an_object}, {"tiles": an_object, "text": parsers.text(1, 200)})
    if ("tiles" in read) == ("text" in read):
        refuse("required", gettext_noop("Send the tiles, or the hand as text."))
    rules, how = regulation_of(session)["system_rules"], _with_players(tournament, table, read["how"])
    return answer(
        tablet_tiles.evaluated(tournament.system, rules, read.get("tiles"), read.get("text"), how=how)
    )


@endpoint("record_hands")
def near(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Return which fans a hand that is still being told is one or two tiles from; nothing is written."""
    read = fields_of(body_of(request), {"how": an_object, "text": parsers.text(1, 200)})
    rules, how = regulation_of(session)["system_rules"], _with_players(tournament, table, read["how"])
    return answer(tablet_tiles.near(tournament.system, rules, read["text"], how))


def _with_players(tournament: Tournament, table: Table, how: dict[str, Any]) -> dict[str, Any]:
    """Add how many play, where the value of a hand depends on it."""
    if not SYSTEMS[tournament.system].tiles.knows_players:
        return how
    return how | {"players": table.seats.filter(player__isnull=False).count()}


@endpoint("record_hands")
def waits(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Return what a hand waits for at the end and the most it could be worth, where the system asks."""
    read = fields_of(
        body_of(request), {"tiles": an_object}, {"forbidden_suit": parsers.choice(("m", "p", "s"))}
    )
    found = tablet_tiles.waiting(tournament.system, read["tiles"], read.get("forbidden_suit", ""))
    if found is None:
        raise Http404
    return answer(found)


@endpoint("record_hands", methods=("GET",))
def fans(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """List the fans to choose from, the circumstances that the tiles do not show, and what tells impossible hands."""
    return answer(tablet_tiles.fan_table(tournament.system, regulation_of(session)["system_rules"]))


@endpoint("record_hands")
def call(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Set or clear the table's call for a referee; the same request sent twice changes nothing."""
    read = fields_of(body_of(request), {"called": parsers.truth})
    if (table.called_at is not None) != read["called"]:
        play.call_referee(table, by=request.actor, is_called=read["called"])
    return answer({"called": read["called"]})


def _write(name: str) -> Callable[..., HttpResponse]:
    """Make the view of one kind of write."""

    @endpoint(OPERATIONS[name].capability)
    def write(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
        """Write once: the same key sent again gets the first answer."""
        key = key_of(request)
        return answer(perform(name, table, body_of(request), key=key, by=request.actor))

    return write


record_hand = _write("hands")
undo_hand = _write("undo")
correct_hand = _write("correct")
void_hand = _write("void")
final_result = _write("final")
end = _write("end")
resume = _write("resume")
confirm = _write("confirm")
sign_off = _write("sign-off")
repair_seats = _write("seats")
note_objection = _write("objection")
drop_entry = _write("drop")


@endpoint("record_hands")
def batch(request: Request, tournament: Tournament) -> HttpResponse:
    """Do up to fifty queued writes in order, each with its own answer; a refusal holds up only its own table.

    Whoever asks for `brief` answers gets a table's state with the last of its hands in a row only, and has them written at once.
    """
    items, is_brief = read_queue(body_of(request))
    queue = Queue(tournament, request.actor, is_brief=is_brief)
    return answer({"answers": queue.settle(items)})


@endpoint("see_tables")
def beat(request: Request, tournament: Tournament) -> HttpResponse:
    """Take the beat that a tablet sends every few seconds; return the time, the newest app and whether its table has changed."""
    read = fields_of(
        body_of(request),
        {"unsent": parsers.whole(0, 10_000), "clock": parsers.whole(0, 10**15)},
        {
            "session": parsers.positive,
            "table": parsers.positive,
            "set_aside": parsers.several(anything, least=0, most=MOST_SET_ASIDE),
        },
    )
    actor = request.actor
    if actor.device_id is not None:
        devices.note_device(
            actor.device_id,
            at_table=read.get("table"),
            unsent=read["unsent"],
            set_aside=[
                fields_of(one, SET_ASIDE, at=f"set_aside.{place}")
                for place, one in enumerate(read.get("set_aside", ()))
            ],
        )
    said: dict[str, Any] = {"time": timezone.now().isoformat(), "app": app_version(), "warnings": []}
    if is_clock_wrong(read["clock"]):
        sentence = _("The clock of this tablet is wrong. Scores do not depend on it.")
        said["warnings"].append({"code": "clock_offset", "sentence": sentence})
    if "session" in read and "table" in read:
        said |= _news(tournament, read["session"], read["table"], actor)
    return answer(said | _move(tournament, actor))


def _news(tournament: Tournament, session: int, table: int, actor: Actor) -> dict[str, Any]:
    """Return what changes when there is something new at the table, so that the tablet fetches its state only then."""
    row = table_at(tournament, session, table)
    check_allowed(OPERATIONS["hands"], row, actor)
    version = Protocol.objects.filter(table=row).values_list("version", flat=True).first()
    return {
        "version": version,
        "called": row.called_at is not None,
        "answered": row.answered_at is not None,
        "clock": [str(row.session.ends_at), str(row.session.paused_at), row.session.state],
        "dead": len(judges.dead_hands(row.pk)[row.pk]),
        "taken": taken_before_places(row),
        "others": others_at(row, actor),
        "checks": checks_of(row.protocol) if version is not None else {},
    }


@endpoint("open_tablet", methods=("GET", "POST"))
def nowhere(request: Request, tournament: Tournament, rest: str) -> HttpResponse:
    """Answer an unknown address with a problem in JSON."""
    raise Http404
