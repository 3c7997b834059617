"""Taking in a record: the whole file or nothing, under the same refusals as entry by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.computed import computed
from scoring.declared import Declared, read_record
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.protocol import final_totals
from scoring.seats import Seat as Place
from tournaments.actors import Actor
from tournaments.exchange import judging
from tournaments.exchange.differences import differences
from tournaments.exchange.record import parse_instant
from tournaments.models import (
    Adjustment,
    FinalResult,
    Hand,
    Player,
    Protocol,
    Registration,
    Role,
    Seat,
    Session,
    StandingsRevision,
    Substitute,
    Table,
    Team,
    Tournament,
)
from tournaments.models.protocol import InForce
from tournaments.operations import history
from tournaments.operations.adjustments import tell_posted
from tournaments.operations.history import Kind
from tournaments.operations.play import seal
from tournaments.operations.protocols import hand_columns
from tournaments.refusal import Refused
from tournaments.rules.names import search_key
from tournaments.sheets import sheet_of

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Taken:
    """A tournament that was taken in, and where the file's numbers differ from what its facts come to."""

    tournament: Tournament
    differences: Sequence[str]


@transaction.atomic
def import_record(data: Json, *, by: Actor) -> Taken:
    """Read what was declared, store it, and work everything out anew. [RECORD]"""
    try:
        declared = read_record(data)
        result = computed(declared)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    tournament = _tournament(declared, by)
    people = _people(tournament, declared.data)
    _registrations(tournament, declared.data, people)
    _officials(tournament, declared.data, people)
    history.record(
        Kind.TOURNAMENT_CREATED,
        tournament=tournament,
        by=by,
        data={"preset": tournament.preset, "regulation": tournament.regulation},
    )
    for row in tournament.registrations.order_by("pk"):
        history.record(
            Kind.PLAYER_REGISTERED,
            tournament=tournament,
            by=by,
            subject=f"registration:{row.pk}",
            data={"status": row.status},
        )
    for session in declared.data["sessions"]:
        _session(tournament, session, people, by=by)
    _plan_the_rest(tournament)
    _adjustments(tournament, declared.data, people, by=by)
    judging.take(tournament, declared.data, by=by)
    history.record(Kind.RECORD_IMPORTED, tournament=tournament, by=by)
    return Taken(tournament, tuple(differences(data.get("computed"), result)))


def _tournament(declared: Declared, by: Actor) -> Tournament:
    said = declared.data["tournament"]
    if Tournament.objects.filter(slug=said["slug"]).exists():
        sentence = gettext_noop("There is a tournament at the address “%(slug)s” already.")
        problem = Problem(
            "slug_taken", sentence, field="declared.tournament.slug", details={"slug": said["slug"]}
        )
        raise Refused(problem)
    tournament = Tournament.objects.create(
        slug=said["slug"],
        name=said["name"],
        system=said["system"],
        preset=said["preset"],
        regulation=declared.regulation.to_json(),
        state=said["state"],
        time_zone=said["time_zone"],
        first_day=date.fromisoformat(said["first_day"]),
        last_day=date.fromisoformat(said["last_day"]),
        city=said.get("city", ""),
        venue=said.get("venue", ""),
        created_by_id=by.id,
    )
    StandingsRevision.objects.create(tournament=tournament)
    return tournament


def _people(tournament: Tournament, data: Json) -> dict[str, Player]:
    teams: dict[str, Team] = {}
    found: dict[str, Player] = {}
    for said in data["players"]:
        name, team = said["name"] or "", said.get("team", "")
        if team and team not in teams:
            teams[team] = Team.objects.create(tournament=tournament, name=team)
        found[said["id"]] = Player.objects.create(
            tournament=tournament,
            code=said["id"],
            name=name,
            search_key=search_key(name),
            country=said.get("country", ""),
            region=said.get("region", ""),
            city=said.get("city", ""),
            club=said.get("club", ""),
            team=teams.get(team),
            group=said.get("group", ""),
            federation_ids=said.get("federation_ids", {}),
            erased_at=None if name else timezone.now(),
        )
    return found


def _registrations(tournament: Tournament, data: Json, people: Mapping[str, Player]) -> None:
    for said in data["registrations"]:
        Registration.objects.create(
            tournament=tournament,
            player=people[said["player"]],
            number=said["number"],
            status=said["status"],
            checked_in_at=timezone.now() if said["checked_in"] else None,
            first_session=said.get("first_session", 1),
            last_session=said.get("last_session"),
            lot=said.get("lot"),
        )
    for said in data["substitutes"]:
        Substitute.objects.create(
            tournament=tournament, player=people[said["player"]], is_assistant=said["assistant"]
        )


def _officials(tournament: Tournament, data: Json, people: Mapping[str, Player]) -> None:
    """Officials of the file are named; whoever imports it is the organizer here, unseen in the record."""
    for said in data["officials"]:
        Role.objects.create(tournament=tournament, player=people[said["player"]], kind=said["role"])


def _session(tournament: Tournament, said: Json, people: Mapping[str, Player], *, by: Actor) -> None:
    """Store a session with its tables, and tell its history in the words in which it would have been made."""
    started = said.get("started_at")
    ended = said.get("ended_at")
    own = {**tournament.regulation, **said.get("regulation", {})}
    session = Session.objects.create(
        tournament=tournament,
        number=said["number"],
        state=said["state"],
        started_at=parse_instant(started) if started else None,
        ended_at=parse_instant(ended) if ended else None,
        published_at=parse_instant(started) if started else timezone.now(),
        seating_mode=said["seating"]["mode"],
        seed=said["seating"]["seed"],
        method=said["seating"].get("method", ""),
        regulation=own if said["state"] != Session.State.PLANNED or "regulation" in said else None,
    )
    tables = [_table(session, table, people) for table in said["tables"]]
    name = f"session:{session.number}"
    history.record(
        Kind.SEATING_PUBLISHED, tournament=tournament, by=by, subject=name, data=_seating_told(session)
    )
    if session.state != Session.State.PLANNED:
        history.record(
            Kind.SESSION_STARTED,
            tournament=tournament,
            by=by,
            subject=name,
            data={"regulation": session.regulation},
        )
    for protocol, table in zip(tables, said["tables"], strict=True):
        if protocol is not None:
            _protocol(protocol, table["protocol"], by=by)
    if session.state == Session.State.CLOSED:
        _seal(session, by=by)


def _table(session: Session, said: Json, people: Mapping[str, Player]) -> Protocol | None:
    table = Table.objects.create(session=session, number=said["number"])
    for seat in said["seats"]:
        Seat.objects.create(
            session=session,
            table=table,
            wind=seat["wind"],
            player=people[seat["player"]] if seat["player"] else None,
            kept_for=people[seat["for"]] if "for" in seat else None,
            from_hand=seat.get("from_hand", 1),
        )
    if said["protocol"] is None:
        return None
    return Protocol.objects.create(table=table, mode=said["protocol"]["mode"])


def _seating_told(session: Session) -> dict[str, Any]:
    """Tell who sits where as a published seating does; an empty seat stays empty."""
    tables: dict[str, dict[str, int | None]] = {}
    for seat in session.seats.select_related("table"):
        tables.setdefault(str(seat.table.number), {})[seat.wind] = seat.kept_for_id or seat.player_id
    return {
        "mode": session.seating_mode,
        "seed": session.seed,
        "method": session.method,
        "tables": {number: [seats.get(wind) for wind in "ESWN"] for number, seats in tables.items()},
    }


def _protocol(protocol: Protocol, said: Json, *, by: Actor) -> None:
    """Store hands or final results, those no longer in force beside those in force."""
    if said["mode"] == Protocol.Mode.HANDS:
        _hands(protocol, said, by=by)
    else:
        _final(protocol, said, by=by)
    seats = protocol.table.seats.filter(wind__in=said["confirmed"])
    seats.update(confirmed_at=protocol.table.session.ended_at or timezone.now())
    occupied = protocol.table.seats.filter(player__isnull=False).count()
    state = Protocol.State.OPEN
    if said.get("signed_off"):
        state = Protocol.State.SIGNED_OFF
    elif said["confirmed"] and len(said["confirmed"]) == occupied:
        state = Protocol.State.CONFIRMED
    elif said["confirmed"] or said["mode"] == Protocol.Mode.FINAL_RESULT:
        state = Protocol.State.ENDED
    Protocol.objects.filter(pk=protocol.pk).update(state=state)


def _hands(protocol: Protocol, said: Json, *, by: Actor) -> None:
    tournament = protocol.table.session.tournament
    for old in said["superseded"]:
        facts = {name: value for name, value in old.items() if name not in {"how", "reason"}}
        Hand.objects.create(
            protocol=protocol,
            number=old["number"],
            facts=facts,
            dealer="",
            status=old["how"],
            reason=old["reason"],
        )
    for facts in said["hands"]:
        Hand.objects.create(protocol=protocol, number=facts["number"], facts=facts, dealer="")
    sheet = sheet_of(protocol)
    game = sheet.play()
    for row, played in zip(sheet.rows, game.hands, strict=True):
        Hand.objects.filter(pk=row.pk).update(**hand_columns(played))
        row.refresh_from_db()
        history.record(
            Kind.HAND_RECORDED,
            tournament=tournament,
            protocol=protocol,
            by=by,
            subject=f"hand:{row.pk}",
            data={"number": row.number, "facts": row.facts, "payments": row.payments},
        )
    _totals(protocol, game.totals)


def _final(protocol: Protocol, said: Json, *, by: Actor) -> None:
    tournament = protocol.table.session.tournament
    for old in said["superseded"]:
        FinalResult.objects.create(
            protocol=protocol,
            points=old["final"],
            left_on_table=old["left_on_table"],
            status=old["how"],
            reason=old["reason"],
        )
    FinalResult.objects.create(
        protocol=protocol, points=said["final"], left_on_table=said["left_on_table"], status=InForce.IN_FORCE
    )
    sheet = sheet_of(protocol)
    totals = final_totals(
        {Place(wind): points for wind, points in said["final"].items()},
        said["left_on_table"],
        seats=sheet.places,
        start_points=sheet.regulation["start_points"],
        points_unit=sheet.regulation["points_unit"],
    )
    history.record(
        Kind.FINAL_RESULT_RECORDED,
        tournament=tournament,
        protocol=protocol,
        by=by,
        data={"points": said["final"], "left_on_table": said["left_on_table"]},
    )
    _totals(protocol, totals)


def _totals(protocol: Protocol, totals: Mapping[Place, int]) -> None:
    for place, points in totals.items():
        protocol.table.seats.filter(wind=str(place)).update(hand_points=points)


def _seal(session: Session, *, by: Actor) -> None:
    """Close the imported session under a seal of this installation's own history."""
    protocols = list(
        Protocol.objects.filter(table__session=session).select_related("table").order_by("table__number")
    )
    sealed = seal(session.tournament, protocols)
    checkpoint = history.digest(history.canonical(sealed))
    Session.objects.filter(pk=session.pk).update(checkpoint=checkpoint)
    history.record(
        Kind.SESSION_CLOSED,
        tournament=session.tournament,
        by=by,
        subject=f"session:{session.number}",
        data={"checkpoint": checkpoint, "sealed": sealed},
    )


def _plan_the_rest(tournament: Tournament) -> None:
    """Keep room for the sessions that the regulation plans and the file does not have yet."""
    present = set(tournament.sessions.values_list("number", flat=True))
    planned = range(1, tournament.regulation["sessions"] + 1)
    Session.objects.bulk_create(
        Session(tournament=tournament, number=number) for number in planned if number not in present
    )


def _adjustments(tournament: Tournament, data: Json, people: Mapping[str, Player], *, by: Actor) -> None:
    sessions = {session.number: session for session in tournament.sessions.all()}
    for said in data["adjustments"]:
        row = Adjustment.objects.create(
            tournament=tournament,
            code=said["id"],
            session=sessions.get(said["session"]),
            player=people[said["player"]],
            origin=Adjustment.Origin.APPEAL if "appeal" in said else Adjustment.Origin.DESK,
            game_points=said.get("game_points"),
            tournament_points=said.get("tournament_points", ""),
            result=said.get("result"),
            timing=said.get("timing", ""),
            reason=said["reason"],
            appeal=said.get("appeal", ""),
        )
        tell_posted(row, by=by)
