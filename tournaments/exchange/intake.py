"""Taking in a record: the whole file or nothing, under the same refusals as entry by hand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.hands import Hand as Deal
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.protocol import PlayedHand
from scoring.record.computed import computed_by_its_writer
from scoring.record.declared import Declared, Played, read_record
from scoring.record.form import address
from scoring.record.hands import read_hand
from scoring.seats import Seat as SeatWind
from scoring.systems import ruleset
from scoring.systems.base import Ruleset
from tournaments.exchange import judging
from tournaments.exchange.differences import differences
from tournaments.exchange.record import NO_FEDERATION, parse_instant
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
    TeamLine,
    Tournament,
)
from tournaments.models.protocol import InForce
from tournaments.people.rules.names import search_key
from tournaments.person_fields import IN_RECORD
from tournaments.record import history
from tournaments.record.actors import Actor
from tournaments.record.bulk_history import BulkHistory
from tournaments.record.history import Kind
from tournaments.record.refusal import Refused
from tournaments.sessions.operations.tournaments import RESERVED, taking_an_address
from tournaments.standings.operations import team_lines
from tournaments.standings.operations.adjustments import facts_of
from tournaments.tables.operations.recording import hand_columns

Json = Mapping[str, Any]

BATCH = 500
LONGEST_KEY = 200
ADDRESS = "declared.tournament.slug"
MOST_PLANNED = 100
"""As many sessions as a regulation may plan here; a record that speaks of more is taken in all the same."""


@dataclass(frozen=True)
class Taken:
    """A tournament that was taken in, and where the file's numbers differ from what its facts come to."""

    tournament: Tournament
    differences: Sequence[str]


@transaction.atomic
def import_record(data: Json, *, by: Actor, slug: str = "") -> Taken:
    """Read what was declared, store it, and work everything out anew; perhaps under another address. [RECORD]"""
    try:
        declared = read_record(data)
        result = computed_by_its_writer(declared)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    tournament = Intake(declared, by, slug).take()
    judging.take(tournament, declared.data, by=by)
    history.record(Kind.RECORD_IMPORTED, tournament=tournament, by=by)
    differing = differences(data["computed"], result) if "computed" in data else ()
    return Taken(tournament, tuple(differing))


@dataclass
class Sitting:
    """A table on its way in: what is said of it, and its rows."""

    said: Json
    session: Session
    table: Table
    seats: list[Seat]
    played: Played | None
    protocol: Protocol | None = None


class Intake:
    """One record on its way in. Rows are made in the order of the file and stored many at a time."""

    def __init__(self, declared: Declared, by: Actor, slug: str = "") -> None:
        """Begin with what was declared, which has passed every question."""
        self.declared, self.data, self.by, self.now = declared, declared.data, by, timezone.now()
        self.slug = slug or declared.data["tournament"]["slug"]
        self.people: dict[str, Player] = {}

    def take(self) -> Tournament:
        """Store everything but what was judged."""
        self.tournament = self._tournament()
        self.history = BulkHistory(self.tournament, self.by)
        self._people()
        self._officials()
        self.history.append(
            Kind.TOURNAMENT_CREATED,
            data={"preset": self.tournament.preset, "regulation": self.tournament.regulation},
        )
        self._registrations()
        sessions = self._sessions()
        sittings = self._tables(sessions)
        self._protocols([one for one in sittings if one.protocol is not None])
        for session in sessions:
            self._tell_session(session, [one for one in sittings if one.session is session])
        Session.objects.bulk_update(sessions, ["checkpoint"])
        self._plan_the_rest(len(sessions))
        by_number = {session.number: session for session in sessions}
        self._adjustments(by_number)
        self._team_lines(by_number)
        self.history.store(one.protocol for one in sittings if one.protocol is not None)
        return self.tournament

    def _tournament(self) -> Tournament:
        self._check_address()
        said = self.data["tournament"]
        with taking_an_address(self._taken()):
            tournament = Tournament.objects.create(
                slug=self.slug,
                name=said["name"],
                system=said["system"],
                preset=said["preset"],
                regulation=self.declared.regulation.to_json(),
                state=said["state"],
                time_zone=said["time_zone"],
                first_day=date.fromisoformat(said["first_day"]),
                last_day=date.fromisoformat(said["last_day"]),
                city=said.get("city", ""),
                venue=said.get("venue", ""),
                created_by_id=self.by.id,
            )
        StandingsRevision.objects.create(tournament=tournament)
        return tournament

    def _check_address(self) -> None:
        """Check that the address, also one named instead of the file's, is one and is free. [RECORD 2]"""
        problems: list[Problem] = []
        address(self.slug, ADDRESS, problems)
        if problems:
            raise Refused(*(replace(one, clause="RECORD 2") for one in problems))
        if self.slug in RESERVED or Tournament.objects.filter(slug=self.slug).exists():
            raise Refused(self._taken())

    def _taken(self) -> Problem:
        return Problem(
            "slug_taken", SLUG_TAKEN, field=ADDRESS, clause="RECORD 2", details={"slug": self.slug}
        )

    # People

    def _people(self) -> None:
        teams = self._teams()
        rows = [self._player(said, teams.get(said.get("team", ""))) for said in self.data["players"]]
        for row in Player.objects.bulk_create(rows, batch_size=BATCH):
            self.people[row.code] = row
        substitutes = [
            Substitute(
                tournament=self.tournament,
                player=self.people[said["player"]],
                is_assistant=said["assistant"],
            )
            for said in self.data["substitutes"]
        ]
        Substitute.objects.bulk_create(substitutes, batch_size=BATCH)

    def _teams(self) -> dict[str, Team]:
        names = dict.fromkeys(said["team"] for said in self.data["players"] if "team" in said)
        rows = [Team(tournament=self.tournament, name=name) for name in names]
        return {row.name: row for row in Team.objects.bulk_create(rows, batch_size=BATCH)}

    def _player(self, said: Json, team: Team | None) -> Player:
        name = said["name"] or ""
        return Player(
            tournament=self.tournament,
            code=said["id"],
            name=name,
            search_key=search_key(name)[:LONGEST_KEY],
            team=team,
            **{one.column: said.get(one.name, "") for one in IN_RECORD if not one.is_relation},
            federation_ids=(said["federation_ids"] or NO_FEDERATION) if "federation_ids" in said else {},
            erased_at=None if name else self.now,
        )

    def _registrations(self) -> None:
        rows = [
            Registration(
                tournament=self.tournament,
                player=self.people[said["player"]],
                number=said["number"],
                status=said["status"],
                checked_in_at=self.now if said["checked_in"] else None,
                first_session=said.get("first_session", 1),
                last_session=said.get("last_session"),
                lot=said.get("lot"),
            )
            for said in self.data["registrations"]
        ]
        for row in Registration.objects.bulk_create(rows, batch_size=BATCH):
            subject = f"registration:{row.pk}"
            self.history.append(Kind.PLAYER_REGISTERED, subject=subject, data={"status": row.status})

    def _officials(self) -> None:
        """Store the officials of the file as players in their roles; the account that imports the file organizes the event here."""
        rows = [
            Role(tournament=self.tournament, player=self.people[said["player"]], kind=said["role"])
            for said in self.data["officials"]
        ]
        Role.objects.bulk_create(rows, batch_size=BATCH)

    # Sessions, tables and seats

    def _sessions(self) -> list[Session]:
        rows = [self._session(said) for said in self.data["sessions"]]
        return Session.objects.bulk_create(rows, batch_size=BATCH)

    def _session(self, said: Json) -> Session:
        """Make a session; one that is planned and has no tables yet is seated here, when its time has come."""
        started, ended = _instant(said.get("started_at")), _instant(said.get("ended_at"))
        is_planned = said["state"] == Session.State.PLANNED
        has_own = "regulation" in said or not is_planned
        return Session(
            tournament=self.tournament,
            number=said["number"],
            state=said["state"],
            started_at=started,
            ended_at=ended,
            published_at=None if is_planned and not said["tables"] else started or self.now,
            seating_mode=said["seating"]["mode"],
            seed=said["seating"]["seed"],
            method=said["seating"].get("method", ""),
            regulation={**self.tournament.regulation, **said.get("regulation", {})} if has_own else None,
            stated=list(said["regulation"]) if "regulation" in said else None,
        )

    def _tables(self, sessions: Sequence[Session]) -> list[Sitting]:
        sittings = []
        for said, session in zip(self.data["sessions"], sessions, strict=True):
            for one in said["tables"]:
                table = Table(session=session, number=one["number"])
                played = self.declared.games.get((session.number, table.number))
                sittings.append(Sitting(one, session, table, [], played))
        Table.objects.bulk_create([one.table for one in sittings], batch_size=BATCH)
        for one in sittings:
            one.seats = list(self._seats(one))
            if one.said["protocol"] is not None:
                one.protocol = Protocol(
                    table=one.table, mode=self._mode(one), state=_state(one.said["protocol"], one.seats)
                )
        Seat.objects.bulk_create([seat for one in sittings for seat in one.seats], batch_size=BATCH)
        Protocol.objects.bulk_create([one.protocol for one in sittings if one.protocol], batch_size=BATCH)
        return sittings

    def _seats(self, sitting: Sitting) -> Iterator[Seat]:
        totals = sitting.played.totals if sitting.played else {}
        confirmed = self._confirmed(sitting)
        for said in sitting.said["seats"]:
            yield Seat(
                session=sitting.session,
                table=sitting.table,
                wind=said["wind"],
                player=self.people[said["player"]] if said["player"] else None,
                kept_for=self.people[said["for"]] if "for" in said else None,
                from_hand=said.get("from_hand", 1),
                left_after=said.get("left_after"),
                hand_points=totals.get(SeatWind(said["wind"]), 0),
                confirmed_at=confirmed.get(said["wind"]),
            )

    def _confirmed(self, sitting: Sitting) -> dict[str, datetime]:
        """Return when each seat confirmed; a record holds only the order, which is stored as microseconds."""
        winds = (sitting.said["protocol"] or {"confirmed": ()})["confirmed"]
        at = sitting.session.ended_at or self.now.replace(microsecond=0)
        return {wind: at + timedelta(microseconds=place) for place, wind in enumerate(winds)}

    def _mode(self, sitting: Sitting) -> str:
        """Return how a table is recorded: by what it has, or as its regulation says if it has nothing yet."""
        said = sitting.said["protocol"]
        is_begun = said["mode"] != Protocol.Mode.HANDS or said["hands"] or said["superseded"]
        if is_begun or sitting.session.state == Session.State.CLOSED:
            return str(said["mode"])
        return str(self.declared.session_regulations[sitting.session.number].protocol)

    # Protocols

    def _protocols(self, sittings: Sequence[Sitting]) -> None:
        """Store hands or final results, those no longer in force before those in force, and tell of the latter."""
        hands: list[Hand] = []
        finals: list[FinalResult] = []
        for one in sittings:
            if one.said["protocol"]["mode"] == Protocol.Mode.HANDS:
                hands += self._replaced(one)
                hands += _hands(one)
            else:
                finals += _finals(one)
        FinalResult.objects.bulk_create(finals, batch_size=BATCH)
        told: dict[int, list[Hand]] = {}
        for hand in Hand.objects.bulk_create(hands, batch_size=BATCH):
            if hand.status == InForce.IN_FORCE:
                told.setdefault(hand.protocol_id, []).append(hand)
        for one in sittings:
            assert one.protocol is not None
            self._tell_protocol(one.protocol, one.said["protocol"], told.get(one.protocol.pk, []))

    def _replaced(self, sitting: Sitting) -> Iterator[Hand]:
        """Make the hands no longer in force, with who dealt and who would have paid whom, as far as that can be said."""
        rules = self.declared.session_regulations[sitting.session.number]
        system = ruleset(self.declared.system, rules.system_rules)
        for said in sitting.said["protocol"]["superseded"]:
            facts = {name: value for name, value in said.items() if name not in {"how", "reason"}}
            yield Hand(
                protocol=sitting.protocol,
                number=said["number"],
                facts=facts,
                status=said["how"],
                reason=said["reason"],
                **_as_it_was(system, read_hand(facts), sitting.played),
            )

    def _tell_protocol(self, protocol: Protocol, said: Json, hands: Sequence[Hand]) -> None:
        for row in hands:
            self.history.append(
                Kind.HAND_RECORDED,
                protocol=protocol,
                subject=f"hand:{row.pk}",
                data={"number": row.number, "facts": row.facts, "payments": row.payments},
            )
        if said["mode"] == Protocol.Mode.FINAL_RESULT:
            data = {"points": said["final"], "left_on_table": said["left_on_table"]}
            self.history.append(Kind.FINAL_RESULT_RECORDED, protocol=protocol, data=data)

    # The history of sessions

    def _tell_session(self, session: Session, sittings: Sequence[Sitting]) -> None:
        """Write the history of a session as if it had been played here."""
        name = f"session:{session.number}"
        if session.is_published:
            seating = {
                "mode": session.seating_mode,
                "seed": session.seed,
                "method": session.method,
                "tables": {str(one.table.number): _seated(one.seats) for one in sittings},
            }
            self.history.append(Kind.SEATING_PUBLISHED, subject=name, data=seating)
        if session.state != Session.State.PLANNED:
            data = {"regulation": session.regulation}
            self.history.append(Kind.SESSION_STARTED, subject=name, data=data)
        if session.state == Session.State.CLOSED:
            sealed = self._seal(sittings)
            session.checkpoint = history.digest(history.canonical(sealed))
            data = {"checkpoint": session.checkpoint, "sealed": sealed}
            self.history.append(Kind.SESSION_CLOSED, subject=name, data=data)

    def _seal(self, sittings: Sequence[Sitting]) -> dict[str, Any]:
        """Gather what the checkpoint of a session covers, as `play.seal` does of a session closed here."""
        protocols = [one.protocol for one in sittings if one.protocol is not None]
        return {
            "tournament": self.history.head(),
            "protocols": [[row.pk, self.history.number(row), self.history.head(row)] for row in protocols],
            "results": [
                [one.table.number, seat.wind, seat.player_id, seat.kept_for_id, seat.hand_points]
                for one in sittings
                if one.protocol is not None
                for seat in one.seats
            ],
        }

    def _plan_the_rest(self, present: int) -> None:
        """Keep room for the sessions that the regulation plans and the file does not have yet."""
        planned = min(self.tournament.regulation["sessions"], MOST_PLANNED)
        rows = [
            Session(tournament=self.tournament, number=number) for number in range(present + 1, planned + 1)
        ]
        Session.objects.bulk_create(rows)

    def _adjustments(self, sessions: Mapping[int, Session]) -> None:
        rows = [
            Adjustment(
                tournament=self.tournament,
                code=said["id"],
                session=sessions.get(said["session"]),
                player=self.people[said["player"]],
                origin=Adjustment.Origin.APPEAL if "appeal" in said else Adjustment.Origin.DESK,
                game_points=said.get("game_points"),
                tournament_points=said.get("tournament_points", ""),
                result=said.get("result"),
                timing=said.get("timing", ""),
                reason=said["reason"],
                appeal=said.get("appeal", ""),
            )
            for said in self.data["adjustments"]
            if "player" in said
        ]
        for row in Adjustment.objects.bulk_create(rows, batch_size=BATCH):
            subject = f"adjustment:{row.code}"
            data = facts_of(row)
            self.history.append(Kind.ADJUSTMENT_POSTED, subject=subject, data=data, reason=row.reason)

    def _team_lines(self, sessions: Mapping[int, Session]) -> None:
        """Store what teams lost for offences and by decisions. [RECORD 2]"""
        teams = {team.name: team for team in self.tournament.teams.all()}
        rows = [
            TeamLine(
                tournament=self.tournament,
                code=said["id"],
                team=teams[said["team"]],
                session=sessions.get(said["session"]),
                offence=said.get("offence", ""),
                clause=said.get("clause", ""),
                decided_by=said.get("decided_by", "chief_referee"),
                reason=said.get("reason", ""),
                appeal=said.get("appeal", ""),
                **_points_of_team(said),
            )
            for part in ("penalties", "adjustments")
            for said in self.data[part]
            if "team" in said
        ]
        for row in TeamLine.objects.bulk_create(rows, batch_size=BATCH):
            data = team_lines.facts_of(row)
            subject = f"team:{row.team_id}"
            self.history.append(Kind.TEAM_LINE_POSTED, subject=subject, data=data, reason=row.reason)


def _points_of_team(said: Json) -> Json:
    """Read signed points: a penalty says how many it takes, an adjustment how many it moves."""
    if "effect" not in said:
        return {
            "game_points": said.get("game_points"),
            "tournament_points": said.get("tournament_points", ""),
        }
    if said["effect"] == "game_points":
        return {"game_points": -said["points"]}
    return {"tournament_points": str(-Fraction(said["points"]))}


def _instant(written: str | None) -> datetime | None:
    return parse_instant(written) if written else None


def _state(said: Json, seats: Sequence[Seat]) -> str:
    """Return the state of a protocol."""
    occupied = sum(seat.player_id is not None and not seat.has_left for seat in seats)
    if said.get("signed_off"):
        return Protocol.State.SIGNED_OFF
    if said["confirmed"] and len(said["confirmed"]) == occupied:
        return Protocol.State.CONFIRMED
    if said["confirmed"] or said["mode"] == Protocol.Mode.FINAL_RESULT:
        return Protocol.State.ENDED
    return Protocol.State.OPEN


def _hands(sitting: Sitting) -> Iterator[Hand]:
    said = sitting.said["protocol"]
    assert sitting.protocol is not None
    played: Sequence[PlayedHand] = sitting.played.game.hands if sitting.played and sitting.played.game else ()
    for facts, one in zip(said["hands"], played, strict=True):
        yield Hand(protocol=sitting.protocol, number=facts["number"], facts=facts, **hand_columns(one))


def _as_it_was(system: Ruleset, hand: Deal, played: Played | None) -> dict[str, Any]:
    """Work out a hand that was replaced by what stood on the table then, which those in force before it tell.

    It may have been entered under either reading of the rulebooks; records do not say which. [RULES 8.44]
    """
    game = played.game if played else None
    if game is None:
        return {"dealer": ""}
    before = game.hands[hand.number - 1].before if hand.number <= len(game.hands) else game.situation
    if system.check(hand, before):
        hand = replace(hand, first_reading=True)
    if before.number != hand.number or system.check(hand, before):
        return {
            "dealer": str(before.dealer),
            "round_wind": str(before.round_wind),
            "counters": before.counters,
        }
    after = system.following(hand, before)
    return hand_columns(PlayedHand(hand, before, system.payments(hand, before), after))


def _finals(sitting: Sitting) -> Iterator[FinalResult]:
    said = sitting.said["protocol"]
    assert sitting.protocol is not None
    for old in said["superseded"]:
        yield FinalResult(
            protocol=sitting.protocol,
            points=old["final"],
            left_on_table=old["left_on_table"],
            status=old["how"],
            reason=old["reason"],
        )
    yield FinalResult(protocol=sitting.protocol, points=said["final"], left_on_table=said["left_on_table"])


def _seated(seats: Sequence[Seat]) -> list[int | None]:
    """Return who sits where, in the form of a published seating; an empty seat stays empty."""
    by_wind = {seat.wind: seat.kept_for_id or seat.player_id for seat in seats}
    return [by_wind.get(wind) for wind in "ESWN"]


SLUG_TAKEN = gettext_noop("There is an event at the address “%(slug)s” already.")
