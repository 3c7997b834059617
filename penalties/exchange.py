"""What was judged, in and out of the record of a tournament."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone

from penalties.appeals.queries import seat_in
from penalties.appeals.rules import appeals as rules
from penalties.ladder.operations.lines import settle
from penalties.ladder.queries.penalties import JudgedEvent
from penalties.models import Appeal, Lateness, Line, Penalty, Ruling
from scoring.regulation import Regulation, money
from tournaments.exchange.record import parse_instant, write_instant
from tournaments.models import Player, Session, Table, Tournament, User
from tournaments.record.actors import Actor
from tournaments.record.locks import lock_tournament

Json = dict[str, Any]
NO_REASON = "—"
"""Stands where a record waives a lateness and does not say why; shorter than any reason given here."""


class Judgements:
    """Penalties, latenesses and appeals of a record. [RECORD 2]"""

    def declared(self, tournament: Tournament) -> Mapping[str, list[Json]]:
        """Return what was judged, without revoked slips, withdrawn appeals and what awaits approval.

        A record knows no withdrawal: an appeal without a ruling would come back as an open one. Nor does it know appeals
        under a regulation without them: what was taken to the chief referee there is told like a slip. [RECORD 2]
        """
        penalties = tournament.penalties.select_related("session", "player", "to_player", "appeal")
        late = Lateness.objects.filter(session__tournament=tournament, state=Lateness.State.ARRIVED)
        unheard = (Appeal.State.WITHDRAWN, Appeal.State.NOT_ACCEPTED)
        rows = tournament.appeals.exclude(state__in=unheard).select_related(
            "session", "player", "penalty", "table"
        )
        appeals = [row for row in rows.prefetch_related("rulings").order_by("number") if _has_policy(row)]
        told = {row.pk for row in appeals}
        return {
            "lateness": [_lateness(row) for row in late.select_related("session", "player").order_by("id")],
            "penalties": [
                said
                for row in penalties.order_by("number")
                if _is_told(row, told)
                for said in _penalties(row)
            ],
            "adjustments": _remainders(tournament, penalties.order_by("number")),
            "appeals": [_appeal(row) for row in appeals],
        }

    def take(self, tournament: Tournament, declared: Mapping[str, Any], *, by: Actor) -> None:
        """Store what a record declares, in its order and under its ids, and post what follows."""
        Intake(lock_tournament(tournament), by).take(declared)


# Out


def _is_told(row: Penalty, appeals: Collection[int]) -> bool:
    return row.state == Penalty.State.IN_FORCE or (
        row.state == Penalty.State.REVOKED and row.appeal_id in appeals
    )


def _has_policy(row: Appeal) -> bool:
    """Return whether the regulation of the appeal's session knows appeals."""
    return (row.session.regulation or row.tournament.regulation)["appeals"] is not None


def _lateness(row: Lateness) -> Json:
    said: Json = {"session": row.session.number, "player": row.player.code, "seconds": row.seconds}
    if row.is_waived:
        said["waived"] = True
    if row.reason and row.reason != NO_REASON:
        said["reason"] = row.reason
    return said


def _penalties(row: Penalty) -> Iterator[Json]:
    """Write a penalty; one that takes a step of its ladder and is decided harsher is a step and, unless it takes GP, a decision.

    What a decision in GP takes beyond the step is told among the adjustments. [RULES 8.57]
    """
    said = _penalty(row)
    if not row.is_on_ladder:
        yield said
        return
    common = {name: said[name] for name in COMMON if name in said}
    yield common | {"kind": Penalty.Kind.LADDER.value, "effect": Penalty.Effect.GAME_POINTS.value}
    if row.effect != Penalty.Effect.GAME_POINTS:
        yield said | {"id": f"{row.record_code}-decided"}


COMMON = ("id", "session", "player", "offence", "clause", "decided_by", "hand", "timing", "revoked_by")
"""What the step of a ladder says of a penalty."""


def _remainders(tournament: Tournament, rows: Iterable[Penalty]) -> list[Json]:
    """Write the difference between what harsher penalties take and what their steps cost. [RULES 8.57]"""
    found, judged, everything = [], JudgedEvent(tournament), list(rows)
    for row, one in zip(everything, judged.priced(everything), strict=True):
        if not row.is_on_ladder or not row.is_in_force or one.step is None or row.session is None:
            continue
        taken = row.points or 0 if row.effect == Penalty.Effect.GAME_POINTS else 0
        if taken != one.step.cost:
            found.append(
                {
                    "id": f"{row.record_code}-harsher",
                    "session": row.session.number,
                    "player": row.player.code,
                    "reason": f"{row.offence} [{row.clause}] {row.reason}".strip().ljust(10, "."),
                    "game_points": one.step.cost - taken,
                    **({"timing": row.timing} if row.timing else {}),
                }
            )
    return found


def _penalty(row: Penalty) -> Json:
    """Write a penalty; a dead hand costs nothing beside its hand and is told as a warning."""
    is_dead_hand = row.effect == Penalty.Effect.DEAD_HAND
    said: Json = {
        "id": row.record_code,
        "session": row.session.number if row.session else None,
        "player": row.player.code,
        "offence": row.offence,
        "clause": row.clause,
        "kind": row.kind,
        "effect": Penalty.Effect.WARNING.value if is_dead_hand else row.effect,
        "decided_by": row.decided_by,
    }
    more = {
        "hand": row.hand,
        "points": row.points or row.tournament_points,
        "to": row.to_player.code if row.to_player else row.to,
        "timing": row.timing,
        "until": row.until.isoformat() if row.until else None,
        "revoked_by": row.appeal.record_code if row.appeal else None,
    }
    return said | {name: value for name, value in more.items() if value}


def _appeal(row: Appeal) -> Json:
    against: Json = {}
    if row.penalty:
        against["penalty"] = row.penalty.record_code
    if row.table:
        against["table"] = row.table.number
    if row.hand:
        against["hand"] = row.hand
    return {
        "id": row.record_code,
        "session": row.session.number,
        "player": row.player.code,
        "by": row.by,
        "matter": row.matter,
        "against": against,
        "filed_at": write_instant(row.filed_at),
        "deposit": money(row.deposit),
        "deposit_returned": row.deposit_returned_at is not None,
        "rulings": [
            {"by": one.by, "at": write_instant(one.at), "verdict": one.verdict} for one in row.rulings.all()
        ],
    }


# In


class Intake:
    """A record while it is imported: which rows its ids name."""

    def __init__(self, tournament: Tournament, by: Actor) -> None:
        """Find the people and the sessions."""
        self.tournament, self.by, self.at = tournament, by, timezone.now()
        self.user = User.objects.get(pk=by.id)
        self.people: dict[str, Player] = {player.code: player for player in tournament.players.all()}
        self.sessions: dict[int, Session] = {row.number: row for row in tournament.sessions.all()}
        self.penalties: dict[str, Penalty] = {}

    def take(self, declared: Mapping[str, Any]) -> None:
        """Store latenesses, penalties and appeals, then tie them together and settle the accounts."""
        for said in declared["lateness"]:
            self._lateness(said)
        own = [said for said in declared["penalties"] if "player" in said]
        for number, said in enumerate(own, start=1):
            self.penalties[said["id"]] = self._penalty(number, said)
        appeals = {
            said["id"]: self._appeal(number, said) for number, said in enumerate(declared["appeals"], start=1)
        }
        for said in own:
            if "revoked_by" in said:
                self._revoke(self.penalties[said["id"]], appeals[said["revoked_by"]])
        for adjustment in self.tournament.adjustments.filter(appeal__in=list(appeals)):
            Line.objects.create(adjustment=adjustment, appeal=appeals[adjustment.appeal])
        settle(self.tournament, by=self.by)

    def _lateness(self, said: Json) -> None:
        Lateness.objects.create(
            session=self.sessions[said["session"]],
            player=self.people[said["player"]],
            state=Lateness.State.ARRIVED,
            seconds=said["seconds"],
            is_waived=said.get("waived", False),
            reason=said.get("reason", "") or (NO_REASON if said.get("waived") else ""),
            noted_at=self.at,
            noted_by=self.user,
        )

    def _penalty(self, number: int, said: Json) -> Penalty:
        session = self.sessions[said["session"]] if said["session"] else None
        player, points, to = self.people[said["player"]], said.get("points"), said.get("to", "")
        receiver = self.people.get(to) if to != "table" else None
        seat = seat_in(session, player) if session else None
        return Penalty.objects.create(
            tournament=self.tournament,
            number=number,
            code=said["id"],
            session=session,
            table=seat.table if seat else None,
            hand=said.get("hand"),
            player=player,
            offence=said["offence"],
            clause=said["clause"],
            kind=said["kind"],
            effect=said["effect"],
            points=points if isinstance(points, int) else None,
            tournament_points=points if isinstance(points, str) else "",
            to="player" if receiver else to,
            to_player=receiver,
            timing=said.get("timing", ""),
            until=date.fromisoformat(said["until"]) if "until" in said else None,
            decided_by=said["decided_by"],
            given_by=self.user,
            given_at=self.at,
        )

    def _appeal(self, number: int, said: Json) -> Appeal:
        session, against = self.sessions[said["session"]], said["against"]
        filed_at, rulings = parse_instant(said["filed_at"]), said["rulings"]
        ruled_at = parse_instant(rulings[-1]["at"]) if rulings else None
        returned = said["deposit_returned"]
        appeal = Appeal.objects.create(
            tournament=self.tournament,
            number=number,
            code=said["id"],
            session=session,
            player=self.people[said["player"]],
            by=said["by"],
            matter=said["matter"],
            penalty=self.penalties.get(against.get("penalty", "")),
            table=self._table(session, against.get("table")),
            hand=against.get("hand"),
            state=self._state(session, said["matter"], rulings),
            filed_at=filed_at,
            filed_actor=str(self.by),
            deposit=Decimal(said["deposit"]),
            deposit_paid_at=filed_at if rulings or returned else None,
            deposit_returned_at=(ruled_at or filed_at) if returned else None,
            ended_at=ruled_at,
        )
        for one in rulings:
            self._ruling(appeal, one["by"], one["verdict"], parse_instant(one["at"]))
        return appeal

    def _table(self, session: Session, number: int | None) -> Table | None:
        return session.tables.filter(number=number).first() if number else None

    def _state(self, session: Session, matter: str, rulings: Sequence[Json]) -> str:
        """Return before whom an appeal is, or how it ended."""
        if rulings:
            return str(rulings[-1]["verdict"])
        written = session.regulation or self.tournament.regulation
        policy = Regulation.from_json(written, system=self.tournament.system).appeals
        return str(rules.first_body(policy, rules.Matter(matter))) if policy else "chief_referee"

    def _ruling(self, appeal: Appeal, body: str, verdict: str, at: datetime) -> None:
        Ruling.objects.create(appeal=appeal, by=body, verdict=verdict, at=at, signed_by=self.user)

    def _revoke(self, penalty: Penalty, appeal: Appeal) -> None:
        penalty.state, penalty.appeal = Penalty.State.REVOKED, appeal
        penalty.revoked_at, penalty.revoked_by = appeal.ended_at or self.at, self.user
        penalty.revoke_reason = str(appeal)
        penalty.save(update_fields=["state", "appeal", "revoked_at", "revoked_by", "revoke_reason"])
