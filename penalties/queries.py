"""Reads of judgements: what each costs as the record stands now, and what one more would do."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from penalties.models import Appeal, Lateness, Line, Penalty, Ruling
from penalties.rules import ladder, lateness
from penalties.rules.appeals import deadline, deposit, is_in_time
from penalties.rules.offences import offence, offences
from scoring.regulation import AppealRules, Regulation, Timing
from scoring.seats import Seat as Place
from scoring.standings.sessions import (
    Charge,
    Event,
    SeatFact,
    SeatLedger,
    SessionFact,
    Step,
    TableFact,
    session_ledger,
)
from scoring.systems.offences import Offence
from tournaments.access import link_of
from tournaments.events import event_of
from tournaments.judges import DeadHand, PointlessPenalty
from tournaments.models import Adjustment, Player, Protocol, Registration, Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.privacy.queries import fields_of


@dataclass
class Bench:
    """A tournament as its judges see it, read once: regulations by session, and who sits with whom."""

    tournament: Tournament
    regulations: dict[int | None, Regulation] = field(default_factory=dict)
    neighbours: dict[int, list[list[tuple[int | None, int | None]]]] = field(default_factory=dict)

    def rules_of(self, session: int | None) -> Regulation:
        """Give the copy of the regulation that a session is judged by. [RULES 8.30]"""
        if session not in self.regulations:
            row = self.tournament.sessions.filter(number=session).first() if session else None
            written = (row.regulation if row else None) or self.tournament.regulation
            self.regulations[session] = Regulation.from_json(written, system=self.tournament.system)
        return self.regulations[session]

    def others(self, session: int | None, player: Hashable) -> list[Hashable]:
        """List who else sits at the player's table in a session."""
        if session is None:
            return []
        if session not in self.neighbours:
            self.neighbours[session] = _tables(self.tournament, session)
        for seats in self.neighbours[session]:
            if any(player in seat for seat in seats):
                return [sits for sits, kept in seats if sits is not None and player not in (sits, kept)]
        return []

    def priced(self, penalties: Sequence[Penalty]) -> list[ladder.Priced]:
        """Price penalties in the order given."""
        return ladder.priced([given_of(row) for row in penalties], self.rules_of, self.others)

    def replaced(self, row: Lateness) -> bool:
        """Tell whether the player did not sit in the session, or not to the end. [RECORD 4]"""
        number = row.session.number
        self.others(number, row.player_id)
        sitting = {sits for seats in self.neighbours[number] for sits, _ in seats}
        return row.player_id not in sitting

    def lateness_cost(self, row: Lateness) -> int:
        """Work out what a lateness takes; who does not sit, or was forgiven, pays nothing. [RULES 8.32]"""
        if row.state != Lateness.State.ARRIVED or row.is_waived or row.seconds is None or self.replaced(row):
            return 0
        return lateness.consequence(self.rules_of(row.session.number).lateness, row.seconds).points


def _tables(tournament: Tournament, session: int) -> list[list[tuple[int | None, int | None]]]:
    tables: dict[int, list[tuple[int | None, int | None]]] = {}
    rows = Seat.objects.filter(session__tournament=tournament, session__number=session).in_order()
    for table, player, kept_for in rows.values_list("table_id", "player_id", "kept_for_id"):
        tables.setdefault(table, []).append((player, kept_for))
    return list(tables.values())


def given_of(row: Penalty) -> ladder.Given:
    """Give a penalty as the rules read it."""
    to = {Penalty.Receiver.TABLE.value: ladder.TABLE, Penalty.Receiver.PLAYER.value: row.to_player_id}
    return ladder.Given(
        key=row.number,
        player=row.player_id,
        session=row.session.number if row.session else None,
        offence=row.offence,
        kind=row.kind,
        effect=row.effect,
        hand=row.hand,
        points=row.points or 0,
        tournament_points=Fraction(row.tournament_points or 0),
        to=to.get(row.to),
        timing=Timing(row.timing) if row.timing else None,
        counts=row.is_in_force,
    )


def all_penalties(tournament: Tournament) -> QuerySet[Penalty]:
    """List the penalties in the order given, with what their rows show."""
    return tournament.penalties.select_related(
        "session", "table", "player", "to_player", "given_by", "revoked_by", "approved_by", "appeal"
    ).order_by("number")


# What is shown


@dataclass(frozen=True)
class PenaltyRow:
    """A penalty for people: the offence by its name, the step it stands on, what it took from the offender."""

    penalty: Penalty
    offence: Offence | None
    step: int | None
    steps: int
    game_points: int
    tournament_points: Fraction

    @property
    def name(self) -> str:
        """Give the master text of the offence's name, or its code where nobody named it."""
        return self.offence.name if self.offence else self.penalty.offence.replace("_", " ")


def penalty_rows(tournament: Tournament, penalties: Sequence[Penalty] | None = None) -> list[PenaltyRow]:
    """Show penalties as they count now; steps follow from all of the tournament's penalties."""
    bench = Bench(tournament)
    everything = list(all_penalties(tournament))
    wanted = {row.pk for row in penalties} if penalties is not None else {row.pk for row in everything}
    pairs = zip(everything, bench.priced(everything), strict=True)
    return [_row(bench, row, one) for row, one in pairs if row.pk in wanted]


def offences_behind(adjustments: Sequence[Adjustment]) -> dict[int, str]:
    """Give for each line of an account that a penalty posted the master text of the offence's name."""
    if not any(row.origin == Adjustment.Origin.PENALTY for row in adjustments):
        return {}
    bench = Bench(adjustments[0].tournament)
    names: dict[int, str] = {}
    for line in Line.objects.filter(adjustment__in=adjustments).select_related("penalty__session"):
        if row := line.penalty:
            rules = bench.rules_of(row.session.number if row.session else None)
            named = offence(bench.tournament.system, rules.penalties, row.offence)
            names[line.adjustment_id] = named.name if named else row.offence.replace("_", " ")
    return names


def _row(bench: Bench, row: Penalty, one: ladder.Priced) -> PenaltyRow:
    rules = bench.rules_of(row.session.number if row.session else None).penalties
    climbed = rules.ladder_of(row.offence) if row.kind == Penalty.Kind.LADDER else None
    own = [charge for charge in one.charges if charge.player == row.player_id]
    return PenaltyRow(
        penalty=row,
        offence=offence(bench.tournament.system, rules, row.offence),
        step=one.step.number if one.step else None,
        steps=len(climbed.steps) if climbed else 0,
        game_points=sum(charge.game_points for charge in own),
        tournament_points=sum((charge.tournament_points for charge in own), Fraction(0)),
    )


def penalties_without_points(tournament: Tournament) -> list[PointlessPenalty]:
    """List the penalties in force that charge nobody: at the step that costs nothing, or of an effect beside points."""
    penalties = list(all_penalties(tournament).select_related("player__registration"))
    return [
        PointlessPenalty(
            given_at=row.given_at,
            session=row.session.number if row.session else None,
            player=row.player,
            what=_what_it_is(row, one.step),
            clause=row.clause,
        )
        for row, one in zip(penalties, Bench(tournament).priced(penalties), strict=True)
        if row.is_in_force and not one.charges
    ]


def _what_it_is(row: Penalty, step: Step | None) -> str:
    if row.effect != Penalty.Effect.GAME_POINTS:
        return row.get_effect_display()
    is_warning = step is not None and not step.cost
    return str(Penalty.Effect.WARNING.label if is_warning else Adjustment.Origin.PENALTY.label)


@dataclass(frozen=True)
class Effect:
    """A seat before and after a penalty: game points at the table, place, TP."""

    seat: Seat
    before: SeatLedger | None
    after: SeatLedger | None

    @property
    def is_changed(self) -> bool:
        """Tell whether anything is different."""
        return self.before != self.after


@dataclass(frozen=True)
class Offer:
    """An offence that can be given to a player now: the step it would reach and what it would cost."""

    offence: Offence
    step: int | None
    steps: int
    cost: int | None
    total: int | None
    is_last: bool = False


@dataclass(frozen=True)
class Choice:
    """What one player at a table can be given: offers by how they are answered, and what a step would change."""

    seat: Seat
    ladders: list[tuple[Offer, list[Offer], list[Effect]]]
    fixed: list[Offer]
    decisions: list[Offer]
    dead_hand: list[Offer]
    grave: list[Offer]
    in_hand: list[Offer]


def current_hand(table: Table) -> int:
    """Give the number of the hand in play: the one after those recorded."""
    protocol = getattr(table, "protocol", None)
    return protocol.hands.filter(status=InForce.IN_FORCE).count() + 1 if protocol else 1


def choice_of(seat: Seat, *, hand: int) -> Choice:
    """Work out what can be given to who sits there, and what each ladder's next step would do. [SBR 2.8.2]"""
    tournament, session = seat.session.tournament, seat.session
    bench = Bench(tournament)
    rules = bench.rules_of(session.number)
    earlier = [given_of(row) for row in all_penalties(tournament)]
    found: dict[str, list[Offer]] = {}
    for one in offences(tournament.system, rules.penalties):
        given = _imagined(seat, one, hand=hand)
        found.setdefault(str(one.mode), []).append(_offer(one, given, earlier, bench))
    return Choice(
        seat=seat,
        ladders=_ladders(seat, found.pop("ladder", []), bench, hand=hand),
        fixed=found.pop("fixed", []),
        decisions=found.pop("decision", []),
        dead_hand=found.pop("dead_hand", []),
        grave=found.pop("grave", []),
        in_hand=found.pop("in_hand", []),
    )


def _imagined(seat: Seat, one: Offence, *, hand: int) -> ladder.Given:
    """Imagine the offence given to who sits there."""
    kind = str(one.mode) if str(one.mode) in {"ladder", "fixed"} else "decision"
    return ladder.Given(
        key=None,
        player=seat.player_id,
        session=seat.session.number,
        offence=one.code,
        kind=kind,
        effect="game_points",
        hand=hand,
    )


def _offer(one: Offence, given: ladder.Given, earlier: Sequence[ladder.Given], bench: Bench) -> Offer:
    rules = bench.rules_of(given.session).penalties
    climbed = rules.ladder_of(one.code) if given.kind == "ladder" else None
    if climbed is None:
        cost = rules.fixed.get(one.code) if given.kind == "fixed" else None
        return Offer(one, None, 0, cost, None)
    reached = ladder.next_step(climbed, given, earlier, bench.rules_of, bench.others)
    last = ladder.is_last(climbed, reached)
    return Offer(one, reached.number, len(climbed.steps), reached.cost, reached.total, last)


def _ladders(
    seat: Seat, offers: Sequence[Offer], bench: Bench, *, hand: int
) -> list[tuple[Offer, list[Offer], list[Effect]]]:
    """Put the offences of each ladder together: they share step, cost and effect."""
    rules = bench.rules_of(seat.session.number).penalties
    groups: dict[Any, list[Offer]] = {}
    for offer in offers:
        groups.setdefault(rules.ladder_of(offer.offence.code), []).append(offer)
    timing = rules.timing
    return [
        (group[0], group, effects(seat.table, [_charge(seat, group[0].cost or 0, timing)]))
        for group in groups.values()
    ]


def _charge(seat: Seat, cost: int, timing: Timing) -> Charge:
    return Charge(seat.player_id, seat.session.number, -cost, timing=timing)


def effects(
    table: Table,
    charges: Sequence[Charge],
    event: Event | None = None,
    seats: Sequence[Seat] | None = None,
) -> list[Effect]:
    """Work out the table with and without more charges; nothing is written. [RULES 8.36]"""
    session = table.session
    seats = seats or _sitting(table)
    event = event or event_of(session.tournament, [])
    rules = Regulation.from_json(
        session.regulation or session.tournament.regulation, system=session.tournament.system
    )
    facts = tuple(
        SeatFact(Place(seat.wind), seat.player_id, seat.kept_for_id, seat.hand_points) for seat in seats
    )
    alone = SessionFact(session.number, rules, [TableFact(table.number, facts)])
    before, after = (_ledger(event, alone, more) for more in ((), charges))
    return [Effect(seat, before.get(Place(seat.wind)), after.get(Place(seat.wind))) for seat in seats]


def _sitting(table: Table) -> list[Seat]:
    return list(table.seats.select_related("player", "kept_for", "table", "session").in_order())


def _ledger(event: Event, alone: SessionFact, more: Iterable[Charge]) -> Mapping[Place, SeatLedger]:
    whole = replace(event, sessions=[alone], charges=[*event.charges, *more])
    return session_ledger(whole, alone).tables[alone.tables[0].number]


def consequences(
    tournament: Tournament, rows: Sequence[Penalty], everything: Sequence[Penalty] | None = None
) -> dict[int, list[Effect]]:
    """Work out what each penalty in force did at its table: how it would stand without it, and how it stands.

    Without one, later offences of its ladder move down a step: that belongs to what it did. [RULES 8.38]
    """
    told = [row for row in rows if row.is_in_force and row.table and row.session and _takes(row)]
    if not told:
        return {}
    bench, event = Bench(tournament), event_of(tournament, [])
    given = [given_of(row) for row in (all_penalties(tournament) if everything is None else everything)]
    found: dict[int, list[Effect]] = {}
    seats: dict[int, list[Seat]] = {}
    for row in told:
        row.table.session = row.session  # type: ignore[union-attr]
        row.session.tournament = tournament  # type: ignore[union-attr]
        changed = _without(row, given, bench)
        if changed and row.table is not None:
            if row.table.pk not in seats:
                seats[row.table.pk] = _sitting(row.table)
            undone = effects(row.table, changed, event, seats[row.table.pk])
            found[row.pk] = [Effect(one.seat, one.after, one.before) for one in undone]
    return found


def _takes(row: Penalty) -> bool:
    return row.effect in (Penalty.Effect.GAME_POINTS, Penalty.Effect.TOURNAMENT_POINTS)


def _without(row: Penalty, given: Sequence[ladder.Given], bench: Bench) -> list[Charge]:
    """Say what would change on the accounts of the session if a penalty were revoked."""
    others = [replace(one, counts=one.counts and one.key != row.number) for one in given]
    now = Counter(_charges_of(given, row, bench))
    then = Counter(_charges_of(others, row, bench))
    back = [
        replace(one, game_points=-one.game_points, tournament_points=-one.tournament_points)
        for one in (now - then).elements()
    ]
    return [*back, *(then - now).elements()]


def _charges_of(given: Sequence[ladder.Given], row: Penalty, bench: Bench) -> Iterable[Charge]:
    number = row.session.number if row.session else None
    for one in ladder.priced(given, bench.rules_of, bench.others):
        yield from (charge for charge in one.charges if charge.session == number)


# Dead hands


class DeadMark(StrEnum):
    """How a dead hand given as a penalty stands in the protocol of its table."""

    MARKED = "marked"
    MISSING = "missing"
    AWAITED = "awaited"
    NOWHERE = "nowhere"


def dead_mark(row: Penalty) -> DeadMark:
    """Tell whether the hand is marked as dead in its protocol, is not, or is not recorded yet. [SBR 2.8.3]"""
    protocol = getattr(row.table, "protocol", None)
    if row.effect != Penalty.Effect.DEAD_HAND or row.hand is None or protocol is None:
        return DeadMark.NOWHERE
    hand = protocol.hands.filter(number=row.hand, status=InForce.IN_FORCE).first()
    if hand is None:
        is_played = protocol.mode == Protocol.Mode.HANDS and not protocol.is_settled
        return DeadMark.AWAITED if is_played else DeadMark.NOWHERE
    dead = {event.get("seat") for event in hand.facts["events"] if event["type"] == "dead_hand"}
    return DeadMark.MARKED if _wind_of(row) in dead else DeadMark.MISSING


def _wind_of(row: Penalty) -> str:
    seats = row.table.seats.filter(Q(player=row.player_id) | Q(kept_for=row.player_id)) if row.table else []
    return next((seat.wind for seat in seats), "")


def unmarked_dead_hands(tournament: Tournament) -> list[Penalty]:
    """List the dead hands whose hand was recorded without them."""
    rows = all_penalties(tournament).filter(
        effect=Penalty.Effect.DEAD_HAND, state=Penalty.State.IN_FORCE, hand__isnull=False
    )
    rows = rows.select_related("session", "player", "given_by", "table__protocol")
    return [row for row in rows if dead_mark(row) is DeadMark.MISSING]


def dead_hands_at(tables: Collection[int]) -> dict[int, list[DeadHand]]:
    """List the dead hands in force in the hands that tables are playing, for their tablets to mark; by table."""
    rows = Penalty.objects.filter(
        table__in=tables, effect=Penalty.Effect.DEAD_HAND, state=Penalty.State.IN_FORCE
    )
    by_table: dict[int, list[Penalty]] = {}
    for row in rows.only("table_id", "hand", "player_id", "offence").order_by("number"):
        by_table.setdefault(row.table_id or 0, []).append(row)
    tables = Table.objects.select_related("protocol").in_bulk(by_table) if by_table else {}
    return {pk: _awaited(table, by_table[pk]) for pk, table in tables.items()}


def _awaited(table: Table, rows: Sequence[Penalty]) -> list[DeadHand]:
    """Keep those of a table's dead hands that are about the hand in play."""
    number = current_hand(table)
    seats = {id_: seat.wind for seat in table.seats.all() for id_ in (seat.player_id, seat.kept_for_id)}
    return [
        DeadHand(number, seats[row.player_id], row.offence)
        for row in rows
        if row.hand == number and row.player_id in seats
    ]


# Lateness


@dataclass(frozen=True)
class Late:
    """A player who was late, with what it comes to now."""

    row: Lateness
    seat: Seat | None
    seconds: int
    now: lateness.Consequence
    is_replaced: bool
    cost: int


def late_players(session: Session, *, now: datetime | None = None) -> list[Late]:
    """List who is or was late in a session; the minutes of those not here yet run. [SBR 2.8.4.5]"""
    bench = Bench(session.tournament)
    rows = session.latenesses.select_related("player", "session").order_by("id")
    seats = {seat.kept_for_id or seat.player_id: seat for seat in _seats(session)}
    found = []
    for row in rows:
        seconds = row.seconds
        if seconds is None:
            seconds = lateness.elapsed(session.started_at, now or timezone.now()) if session.started_at else 0
        found.append(
            Late(
                row=row,
                seat=seats.get(row.player_id),
                seconds=seconds,
                now=lateness.consequence(bench.rules_of(session.number).lateness, seconds),
                is_replaced=bench.replaced(row),
                cost=bench.lateness_cost(row),
            )
        )
    return found


def _seats(session: Session) -> list[Seat]:
    return list(session.seats.select_related("table__protocol", "player", "kept_for").in_order())


# Substitutes and incomplete tables


def free_substitutes(session: Session) -> list[Any]:
    """List who of the pool does not sit in the session."""
    sitting = set(session.seats.filter(player__isnull=False).values_list("player_id", flat=True))
    pool = session.tournament.substitutes.select_related("player").order_by("id")
    return [substitute for substitute in pool if substitute.player_id not in sitting]


def carried_over(session: Session) -> list[tuple[Seat, Seat]]:
    """Find players whom a substitute replaced in the session before and who sit themselves in this one."""
    earlier = session.tournament.sessions.filter(number=session.number - 1).first()
    if earlier is None or session.state == Session.State.CLOSED:
        return []
    own = {seat.player_id: seat for seat in _seats(session) if seat.kept_for_id is None}
    return [
        (before, own[before.kept_for_id])
        for before in _seats(earlier)
        if before.kept_for_id in own and before.player_id is not None and before.player_id not in own
    ]


def times_at_incomplete_tables(tournament: Tournament, *, before: int) -> Counter[int]:
    """Count how often players were drawn to a table that is not full, or left over. [SBR 3.1.4] [RULES 8.33]"""
    size = tournament.regulation["table_size"]
    times: Counter[int] = Counter()
    rows = Seat.objects.filter(session__tournament=tournament, session__number__lt=before)
    tables: dict[int, list[int]] = {}
    for table, player, kept_for in rows.values_list("table_id", "player_id", "kept_for_id"):
        tables.setdefault(table, []).append(kept_for or player)
    for seated in tables.values():
        if len(seated) < size:
            times.update(seated)
    return times


# Appeals


def appeal_rules(session: Session) -> AppealRules | None:
    """Give the policy by which decisions in a session may be appealed. [RULES 8.37]"""
    written = session.regulation or session.tournament.regulation
    return Regulation.from_json(written, system=session.tournament.system).appeals


def appeal_deadline(session: Session) -> datetime | None:
    """Give the last moment for an appeal; none while the session is played. [SBR 2.9.2]"""
    return deadline(appeal_rules(session), session.ended_at)


def seat_in(session: Session, player: Player) -> Seat | None:
    """Find where a player sat or whose seat was kept for whom."""
    seats = session.seats.select_related("table", "player", "kept_for")
    return seats.filter(Q(player=player) | Q(kept_for=player)).first()


def deposit_of(session: Session) -> Decimal:
    """Say what an appeal about a session costs to file: so many fees of this event. [SBR 2.9.2]"""
    policy = appeal_rules(session)
    return deposit(policy, Decimal(session.tournament.regulation["entry_fee"])) if policy else Decimal(0)


def appealable_sessions(
    tournament: Tournament, player: Player, *, now: datetime
) -> list[tuple[Session, datetime | None, Decimal]]:
    """List the sessions about which a player may still appeal, each with its deadline and deposit."""
    sits = Seat.objects.filter(Q(player=player) | Q(kept_for=player)).values("session")
    return [
        (session, appeal_deadline(session), deposit_of(session))
        for session in reversed(begun_sessions(tournament, pk__in=sits))
        if is_appealable(session, now=now)
    ]


def begun_sessions(tournament: Tournament, **only: Any) -> list[Session]:
    """List the sessions that have begun: only about these can there be an appeal."""
    rows = list(tournament.sessions.filter(started_at__isnull=False, **only).order_by("number"))
    for session in rows:
        session.tournament = tournament
    return rows


def is_appealable(session: Session, *, now: datetime) -> bool:
    """Tell whether an appeal about a session that has begun may still be filed. [SBR 2.9.2] [RULES 8.37]"""
    rules = appeal_rules(session)
    return rules is not None and is_in_time(rules, session.ended_at, now)


def standing_at(table: Table) -> list[dict[str, Any]]:
    """Write down how a table stands now, with what judges took and gave, so that it can be compared later."""
    return [
        {
            "wind": one.seat.wind,
            "player": one.seat.player_id,
            "points": one.before.table_points,
            "place": str(one.before.place),
            "tournament_points": _written(one.before.tournament_points),
        }
        for one in effects(table, [])
        if one.before is not None
    ]


def _written(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


@dataclass(frozen=True)
class Sitting:
    """Who sat where at the time of a ruling."""

    wind: str
    player: Player | None


@dataclass(frozen=True)
class Change:
    """A seat before and after a ruling, as it was told then."""

    seat: Sitting
    before: SeatLedger
    after: SeatLedger

    @property
    def is_changed(self) -> bool:
        """Tell whether anything is different."""
        return self.before != self.after


@dataclass(frozen=True)
class RulingRow:
    """A ruling with what it did: the hand it struck, the final points it replaced, the table before and after."""

    ruling: Ruling
    struck: dict[str, int] | None
    is_final: bool
    effects: list[Change]

    @property
    def is_changed(self) -> bool:
        """Tell whether anything at the table became different."""
        return any(one.is_changed for one in self.effects)


def ruling_rows(appeal: Appeal) -> list[RulingRow]:
    """Show the rulings on an appeal in the order given, each with what it did. [SBR 2.9.5]"""
    rows = list(appeal.rulings.select_related("signed_by"))
    seated = {one["player"] for row in rows for one in row.effect.get("before", ())}
    names = Player.objects.in_bulk([pk for pk in seated if pk])
    return [
        RulingRow(
            ruling=row,
            struck=row.effect.get("struck"),
            is_final="final" in row.effect,
            effects=[
                Change(Sitting(was["wind"], names.get(was["player"])), _read(was), _read(now))
                for was, now in zip(row.effect.get("before", ()), row.effect.get("after", ()), strict=True)
            ],
        )
        for row in rows
    ]


def _read(said: Mapping[str, Any]) -> SeatLedger:
    points = said["tournament_points"]
    return SeatLedger(
        hands=0,
        table_points=said["points"],
        place=Fraction(said["place"]),
        tournament_points=None if points is None else Fraction(points),
        uma=None,
    )


def appeals_at(table: Table) -> list[Appeal]:
    """List the appeals about a table or about a penalty given at it."""
    rows = Appeal.objects.filter(Q(table=table) | Q(penalty__table=table))
    return list(rows.select_related("player", "penalty").order_by("number"))


def all_appeals(tournament: Tournament) -> QuerySet[Appeal]:
    """List the appeals in the order filed."""
    return tournament.appeals.select_related("player", "session", "penalty", "table").order_by("number")


# Numbers for the chief referee


@dataclass(frozen=True)
class Statistics:
    """How many penalties in force there are by offence, by table and by referee."""

    by_offence: list[tuple[PenaltyRow, int, int]]
    by_table: list[tuple[Any, int, int]]
    by_referee: list[tuple[str, int, int]]


def statistics(rows: Sequence[PenaltyRow]) -> Statistics:
    """Count penalties in force and the game points they took."""
    in_force = [row for row in rows if row.penalty.is_in_force]
    return Statistics(
        by_offence=_counted(in_force, lambda row: row.penalty.offence, lambda row: row),
        by_table=_counted(
            [row for row in in_force if row.penalty.table],
            lambda row: row.penalty.table.number,  # type: ignore[union-attr]
            lambda row: row.penalty.table,
        ),
        by_referee=_counted(
            in_force, lambda row: row.penalty.given_by_id, lambda row: row.penalty.given_by.title
        ),
    )


def _counted(
    rows: Sequence[PenaltyRow], key: Callable[[PenaltyRow], Any], face: Callable[[PenaltyRow], Any]
) -> list[tuple[Any, int, int]]:
    groups: dict[Any, list[PenaltyRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    counted = [
        (face(group[0]), len(group), -sum(row.game_points for row in group)) for group in groups.values()
    ]
    return sorted(counted, key=lambda one: -one[1])


# A player's own


def own_judging(tournament: Tournament, registration: Registration) -> dict[str, Any]:
    """Gather a player's penalties, latenesses and appeals, with what each did to the account."""
    player = registration.player
    penalties = list(all_penalties(tournament).filter(player=player))
    bench, did = Bench(tournament), consequences(tournament, penalties)
    latenesses = Lateness.objects.filter(player=player).exclude(state=Lateness.State.MISTAKE)
    return {
        "registration": registration,
        "link": link_of(registration),
        "rows": [
            (row, _own_effect(did.get(row.penalty.pk, []), player))
            for row in penalty_rows(tournament, penalties)
        ],
        "latenesses": [
            (row, bench.lateness_cost(row), bench.replaced(row))
            for row in latenesses.select_related("session", "player")
        ],
        "appeals": all_appeals(tournament).filter(Q(player=player) | Q(filed_actor=f"player:{player.pk}")),
        "sessions": appealable_sessions(tournament, player, now=timezone.now()),
        "has_policy": tournament.regulation["appeals"] is not None,
    }


def judgements_about(player: Player) -> dict[str, Any]:
    """Return a player's penalties, latenesses and appeals, for that person to read."""
    mine = Q(player=player) | Q(filed_actor=f"player:{player.pk}")
    return {
        "penalties": [fields_of(row) for row in player.penalties.all()],
        "latenesses": [fields_of(row) for row in player.latenesses.all()],
        "appeals": [
            fields_of(row)
            | {
                "statements": [fields_of(one) for one in row.statements.all()],
                "files": [fields_of(one) for one in row.files.defer("content")],
            }
            for row in Appeal.objects.filter(mine)
        ],
    }


def filer(appeal: Appeal) -> Player | None:
    """Find who filed an appeal by private link; nobody where the desk took a paper."""
    kind, _, number = appeal.filed_actor.partition(":")
    if kind != "player" or not number.isdigit():
        return None
    return appeal.tournament.players.filter(pk=number).first()


def _own_effect(effects: Sequence[Effect], player: Player) -> Effect | None:
    """Find what a penalty changed for the player's own place and points, if anything."""
    for one in effects:
        if player.pk in (one.seat.player_id, one.seat.kept_for_id) and one.is_changed:
            return one
    return None
