"""Reads of appeals: until when, about what, and what a ruling changed."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from penalties.appeals.rules.appeals import TO_CHIEF_REFEREE, deadline, deposit, is_in_time
from penalties.ladder.queries.dead_hand_marks import totals_without
from penalties.ladder.queries.outlook import Course, CourseRow, ranked_without, side_by_side, with_points
from penalties.ladder.queries.penalties import (
    Effect,
    JudgedEvent,
    all_penalties,
    effects,
    given_of,
    moved_charges,
    sitting,
)
from penalties.ladder.rules.ladder import Given
from penalties.ladder.rules.offences import offence
from penalties.models import Appeal, Lateness, Penalty, Ruling
from scoring.problems import gettext_noop
from scoring.regulation import AppealRules, Regulation
from scoring.standings.sessions import Charge, Origin, SeatLedger
from scoring.systems import SYSTEMS
from tournaments.models import Hand, HistoryEntry, Player, Protocol, Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.models.tournament import IN_LISTS
from tournaments.record import history
from tournaments.record.history import Kind
from tournaments.tables.queries.hand_words import names_at, what_happened


def appeal_rules(session: Session) -> AppealRules | None:
    """Return the policy by which decisions in a session may be appealed. [RULES 8.37] [RULES 8.53]"""
    tournament = session.tournament
    written = session.regulation or tournament.regulation
    policy = Regulation.from_json(written, system=tournament.system).appeals
    return policy or (TO_CHIEF_REFEREE if is_chief_final(tournament) else None)


def is_chief_final(tournament: Tournament) -> bool:
    """Return whether only an assistant's decision may be appealed, to the chief referee. [RIICHI reg. 5.4]"""
    system = SYSTEMS[tournament.system]
    return tournament.regulation["appeals"] is None and bool(system.final_referee_clause)


def has_appeals(tournament: Tournament) -> bool:
    """Return whether anything can be appealed at this event."""
    return tournament.regulation["appeals"] is not None or is_chief_final(tournament)


def minutes_to_appeal(tournament: Tournament) -> int:
    """Return for how many minutes after its session a decision can be appealed where anything can be. [SBR 2.9.2] [RULES 8.53]"""
    policy = Regulation.from_json(tournament.regulation, system=tournament.system).appeals
    return (policy or TO_CHIEF_REFEREE).minutes


def appeal_deadline(session: Session, known_at: datetime | None = None) -> datetime | None:
    """Return the last moment for an appeal; none while the session is played. [SBR 2.9.2] [RULES 8.53]"""
    return deadline(appeal_rules(session), first_end(session), known_at)


def first_end(session: Session) -> datetime | None:
    """Return when a session ended first; that it was reopened opens no appeal against what was decided before."""
    return first_ends(session.tournament).get(session.number, session.ended_at)


def first_ends(tournament: Tournament) -> dict[int, datetime]:
    """Return when the sessions that were reopened had ended for the first time, by their numbers. [RULES 8.53]"""
    kinds = (Kind.SESSION_CLOSED, Kind.SESSION_REOPENED)
    closed: dict[int, datetime] = {}
    reopened = set()
    entries = tournament.history.filter(kind__in=kinds, protocol=None).order_by("number")
    for kind, content, at in entries.values_list("kind", "content", "at"):
        number = int(history.read(content)["subject"].partition(":")[2])
        closed.setdefault(number, at)
        if kind == Kind.SESSION_REOPENED:
            reopened.add(number)
    return {number: at for number, at in closed.items() if number in reopened}


def penalty_known_at(row: Penalty) -> datetime:
    """Return when a penalty was made known: given, or approved by the second person."""
    return max(row.given_at, row.approved_at or row.given_at)


def lateness_known_at(row: Lateness) -> datetime:
    """Return when the judges had last decided what a lateness brings."""
    return row.decided_at or row.arrived_at or row.noted_at


def tables_known_at(tables: Collection[int]) -> dict[int, datetime]:
    """Return when a referee last changed what stands in the protocols of tables; those never changed are left out."""
    kinds = (Kind.HAND_CORRECTED, Kind.HAND_VOIDED, Kind.HAND_RESTORED, Kind.FINAL_RESULT_RECORDED)
    rows = HistoryEntry.objects.filter(protocol__table__in=tables, kind__in=kinds)
    return dict(rows.order_by().values_list("protocol__table").annotate(Max("at")))


def seat_in(session: Session, player: Player) -> Seat | None:
    """Find where a player sat or whose seat was kept for whom."""
    seats = session.seats.select_related("table", "player", "kept_for")
    return seats.filter(Q(player=player) | Q(kept_for=player)).first()


def deposit_of(session: Session) -> Decimal:
    """Return what an appeal about a session costs to file: so many fees of this event. [SBR 2.9.2]"""
    policy = appeal_rules(session)
    return deposit(policy, Decimal(session.tournament.regulation["entry_fee"])) if policy else Decimal(0)


def appealable_sessions(
    tournament: Tournament, player: Player, *, now: datetime
) -> list[tuple[Session, datetime | None, Decimal]]:
    """List the sessions about which a player may still appeal, each with its deadline and deposit."""
    sits = Seat.objects.filter(Q(player=player) | Q(kept_for=player)).values("session")
    ends, found = first_ends(tournament), []
    for session in reversed(begun_sessions(tournament, pk__in=sits)):
        policy, end = appeal_rules(session), ends.get(session.number, session.ended_at)
        if policy is not None and is_in_time(policy, end, now):
            found.append((session, deadline(policy, end), deposit_of(session)))
    return found


def begun_sessions(tournament: Tournament, **only: Any) -> list[Session]:
    """List the sessions that have begun: only about these can there be an appeal."""
    rows = list(tournament.sessions.filter(started_at__isnull=False, **only).order_by("number"))
    for session in rows:
        session.tournament = tournament
    return rows


@dataclass(frozen=True)
class Contestable:
    """A decision that can be appealed: how a form names it, about which session it counts, and until when."""

    code: str
    session: Session
    until: datetime | None
    penalty: Penalty | None = None
    lateness: Lateness | None = None
    table: Table | None = None

    def is_open(self, now: datetime) -> bool:
        """Return whether there is still time."""
        return self.until is None or now <= self.until


def contestable(tournament: Tournament) -> list[Contestable]:
    """List what can be appealed: penalties, latenesses, and what stands in the protocols of tables. [RULES 8.53]

    A decision for the whole event is appealed together with the session that had begun last.
    """
    sessions = {row.number: row for row in begun_sessions(tournament) if appeal_rules(row) is not None}
    ends = first_ends(tournament)

    def until(session: Session, known_at: datetime | None) -> datetime | None:
        return deadline(appeal_rules(session), ends.get(session.number, session.ended_at), known_at)

    return [
        *_contestable_penalties(tournament, sessions, until),
        *_contestable_latenesses(tournament, sessions, until),
        *_contestable_tables(sessions, until),
    ]


Until = Callable[[Session, datetime | None], datetime | None]


def _contestable_penalties(
    tournament: Tournament, sessions: Mapping[int, Session], until: Until
) -> Iterator[Contestable]:
    rows = tournament.penalties.filter(state=Penalty.State.IN_FORCE).order_by("number")
    for row in rows.select_related("session", "player", "table"):
        number = row.session.number if row.session else max(sessions, default=0)
        if is_final_decision(tournament, row) or number not in sessions:
            continue
        session = sessions[number]
        yield Contestable(
            f"penalty-{row.number}", session, until(session, penalty_known_at(row)), penalty=row
        )


def contest_of(tournament: Tournament, decision: Penalty | Lateness) -> Contestable | None:
    """Return about which session and until when a decision can be appealed; nothing where it is final or does not stand. [RULES 8.53]"""
    rows = contestable(tournament)
    return next((one for one in rows if decision in (one.penalty, one.lateness)), None)


def is_final_decision(tournament: Tournament, row: Penalty) -> bool:
    """Return whether a penalty is the chief referee's own where the chief referee is final. [RIICHI reg. 5.4]"""
    return is_chief_final(tournament) and row.decided_by == Penalty.Decider.CHIEF_REFEREE


def _contestable_latenesses(
    tournament: Tournament, sessions: Mapping[int, Session], until: Until
) -> Iterator[Contestable]:
    rows = Lateness.objects.filter(session__tournament=tournament, state=Lateness.State.ARRIVED)
    for row in rows.filter(is_waived=False).select_related("session", "player__registration").order_by("id"):
        if row.session.number in sessions:
            session = sessions[row.session.number]
            code = f"lateness-{session.number}-{row.player.registration.number}"
            yield Contestable(code, session, until(session, lateness_known_at(row)), lateness=row)


def _contestable_tables(sessions: Mapping[int, Session], until: Until) -> Iterator[Contestable]:
    rows = Table.objects.filter(session__in=sessions.values(), protocol__isnull=False)
    tables = list(rows.select_related("session").order_by("session__number", "number"))
    known = tables_known_at([table.pk for table in tables])
    for table in tables:
        session = sessions[table.session.number]
        if not is_chief_final(session.tournament):
            code = f"table-{session.number}-{table.number}"
            yield Contestable(code, session, until(session, known.get(table.pk)), table=table)


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


@dataclass(frozen=True)
class Strike:
    """What striking a hand would move: the seats before and after, and how many later hands get another number."""

    number: int
    effects: list[Effect]
    later: int
    totals: Mapping[str, int] = field(default_factory=dict)


def strike_of(protocol: Protocol, number: int, totals: Mapping[str, int]) -> Strike:
    """Compare a table as it stands with how it would stand with these totals. [RULES 8.53]"""
    hands = protocol.hands.filter(status=InForce.IN_FORCE, number__gt=number).count()
    table = protocol.table
    before = effects(table, [])
    seats = [with_points(one.seat, totals.get(one.seat.wind, 0)) for one in before]
    after = effects(table, [], seats=seats)
    return Strike(
        number,
        [Effect(was.seat, was.before, then.before) for was, then in zip(before, after, strict=True)],
        hands,
        totals,
    )


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
        """Return whether anything is different."""
        return self.before != self.after


@dataclass(frozen=True)
class RulingRow:
    """A ruling with what it did: the hand it struck, the final points it replaced, the table before and after."""

    ruling: Ruling
    struck: dict[str, int] | None
    is_final: bool
    effects: list[Change]
    is_restored: bool = False
    instead: int | None = None

    @property
    def is_changed(self) -> bool:
        """Return whether anything at the table became different."""
        return any(one.is_changed for one in self.effects)


def ruling_rows(appeal: Appeal) -> list[RulingRow]:
    """Show the rulings on an appeal in the order given, each with what it did. [SBR 2.9.5]"""
    rows = list(appeal.rulings.select_related("signed_by"))
    seated = {one["player"] for row in rows for one in row.effect.get("before", ())}
    names = Player.objects.in_bulk([pk for pk in seated if pk])
    struck = [row.effect["struck"]["hand"] for row in rows if "struck" in row.effect]
    back = set(Hand.objects.filter(replaces__in=struck).values_list("replaces_id", flat=True))
    return [
        RulingRow(
            ruling=row,
            struck=row.effect.get("struck"),
            is_final="final" in row.effect,
            effects=[
                Change(Sitting(was["wind"], names.get(was["player"])), _read(was), _read(now))
                for was, now in zip(row.effect.get("before", ()), row.effect.get("after", ()), strict=True)
            ],
            instead=row.effect.get("instead"),
            is_restored="struck" in row.effect and row.effect["struck"]["hand"] in back,
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


def filer(appeal: Appeal) -> Player | None:
    """Find who filed an appeal by private link; nobody where the desk took a paper."""
    kind, _colon, number = appeal.filed_actor.partition(":")
    if kind != "player" or not number.isdigit():
        return None
    return appeal.tournament.players.filter(pk=number).first()


# How the event would stand


@dataclass(frozen=True)
class Replacement:
    """What a ruling would put in the place of a decision: its effect and points, points for players of the table, a struck hand."""

    effect: str = ""
    points: Fraction | None = None
    ordered: Mapping[int, int] = field(default_factory=dict)
    strike: Strike | None = None

    @property
    def is_something(self) -> bool:
        """Return whether it differs from upholding the appeal and no more."""
        return bool(self.effect or any(self.ordered.values()) or self.strike)

    @property
    def name(self) -> str:
        """Name the course above its column; a hand that it strikes is named."""
        if self.strike is not None:
            return _("Upheld, hand %(n)s struck") % {"n": self.strike.number}
        return _("Upheld, with what is written below")


def courses_of(appeal: Appeal, instead: Replacement | None = None) -> tuple[list[str], list[CourseRow]]:
    """Show the standings under each ruling: dismissed, upheld, and upheld with what was written. [SBR 2.9.5]"""
    tournament = appeal.tournament
    courses = [Course(_("Dismissed"))]
    if appeal.penalty or appeal.lateness:
        courses.append(_upheld(appeal, _("Upheld"), Replacement()))
    if instead is not None and instead.is_something:
        courses.append(_upheld(appeal, instead.name, instead))
    if len(courses) == 1:
        return [], []
    table = appeal.table or (appeal.penalty.table if appeal.penalty else None)
    seats = sitting(table) if table else []
    rows = side_by_side(tournament, seats, [appeal.player_id], courses)
    return [course.name for course in courses], rows


def _upheld(appeal: Appeal, name: str, instead: Replacement) -> Course:
    """Return what changes if an appeal is upheld and something is put in the place of the decision."""
    judged, session = JudgedEvent(appeal.tournament), appeal.session
    rules = judged.rules_of(session.number).penalties
    charges = [
        Charge(player, session.number, points, timing=rules.timing, origin=Origin.ADJUSTMENT)
        for player, points in instead.ordered.items()
        if points
    ]
    ranked: dict[int, bool] = {}
    if appeal.lateness is not None:
        cost = judged.lateness_cost(appeal.lateness)
        charges.append(Charge(appeal.lateness.player_id, session.number, cost, timing=rules.timing))
    if appeal.penalty is not None:
        charges += _instead_of(appeal.penalty, instead, judged)
        ranked = _ranked_then(appeal.penalty, instead)
    return Course(name, charges, ranked, _hands_then(appeal, instead))


def _hands_then(appeal: Appeal, instead: Replacement) -> dict[tuple[int, int], Mapping[str, int]]:
    """Return the points that hands bring if one is struck, or is not dead any more."""
    table = appeal.table or (appeal.penalty.table if appeal.penalty else None)
    totals = None
    if instead.strike is not None:
        totals = instead.strike.totals
    elif appeal.penalty is not None:
        totals = totals_without(appeal.penalty)
    return {} if table is None or totals is None else {(appeal.session.number, table.number): totals}


def _instead_of(penalty: Penalty, instead: Replacement, judged: JudgedEvent) -> list[Charge]:
    """Return what changes on the accounts if a penalty goes and another takes its place."""
    given = [given_of(row) for row in all_penalties(judged.tournament)]
    other = [replace(one, counts=one.counts and one.key != penalty.number) for one in given]
    session = penalty.session.number if penalty.session else None
    if instead.effect:
        is_gp = instead.effect == Penalty.Effect.GAME_POINTS
        is_tp = instead.effect == Penalty.Effect.TOURNAMENT_POINTS
        other.append(
            Given(
                key=None,
                player=penalty.player_id,
                session=session,
                offence=penalty.offence,
                kind=Penalty.Kind.DECISION,
                effect=instead.effect,
                points=int(instead.points or 0) if is_gp else 0,
                tournament_points=instead.points or Fraction(0) if is_tp else Fraction(0),
            )
        )
    return moved_charges(given, other, session, judged)


def _ranked_then(penalty: Penalty, instead: Replacement) -> dict[int, bool]:
    """Return who would be ranked otherwise: a removal that goes, or one that comes."""
    if instead.effect == Penalty.Effect.REMOVAL:
        return {penalty.player_id: False}
    return ranked_without(penalty)


# Facts


@dataclass(frozen=True)
class HandTold:
    """The hand that an appeal is against, as it stands in the protocol: in words, in the winners' tiles where they were told, and what it moved."""

    hand: Hand
    words: str
    moves: Sequence[tuple[str, int]]
    tiles: Sequence[tuple[str, Mapping[str, Any]]] = ()


def hand_told(appeal: Appeal) -> HandTold | None:
    """Tell the hand that an appeal is against; nothing where it is against no hand, or the hand is struck."""
    if appeal.table is None or appeal.hand is None:
        return None
    rows = Hand.objects.filter(protocol__table=appeal.table, number=appeal.hand, status=InForce.IN_FORCE)
    if (hand := rows.first()) is None:
        return None
    seats = list(appeal.table.seats.select_related("player", "kept_for").in_order())
    names = names_at(hand, seats)
    moves = [(names[wind], points) for wind, points in hand.payments.items() if wind in names]
    tiles = [
        (names.get(winner["seat"], ""), winner["tiles"])
        for event in hand.facts["events"]
        for winner in event.get("winners", ())
        if winner.get("tiles")
    ]
    return HandTold(hand, what_happened(hand, seats, system=appeal.tournament.system), moves, tiles)


# Earlier rulings


@dataclass(frozen=True)
class Precedent:
    """How an appeal about the same offence ended at an event of this site."""

    event: str
    day: date | None
    offence: str
    clause: str
    verdict: str
    took: str


def precedents(
    tournament: Tournament, codes: Collection[str], *, clauses: Collection[str] = (), most: int = 5
) -> list[Precedent]:
    """List the latest rulings of the site on offences or clauses of the same rulebook, without names or words of people. [SBR 2.9.5]"""
    same = Q(appeal__penalty__offence__in=codes) | Q(appeal__penalty__clause__in={*clauses} - {""})
    return [
        Precedent(
            event=row.appeal.tournament.name,
            day=row.at.date(),
            offence=_name_of(tournament, row.appeal.penalty.offence),
            clause=row.appeal.penalty.clause,
            verdict=row.get_verdict_display(),
            took=_took(row),
        )
        for row in _earlier(tournament, same)[:most]
        if row.appeal.penalty is not None
    ]


def precedents_of(appeal: Appeal, *, most: int = 5) -> list[Precedent]:
    """List earlier rulings on what an appeal is against: the same offence or clause, latenesses, hands, or results of tables. [SBR 2.9.5]"""
    of = appeal.tournament
    if appeal.penalty is not None:
        return precedents(of, [appeal.penalty.offence], clauses=[appeal.penalty.clause], most=most)
    if appeal.lateness is not None:
        name, same = LATENESS, Q(appeal__lateness__isnull=False)
    elif appeal.hand is not None:
        name, same = HAND, Q(appeal__hand__isnull=False, appeal__penalty=None, appeal__lateness=None)
    else:
        name, same = TABLE, Q(appeal__hand=None, appeal__penalty=None, appeal__lateness=None)
    clause = SYSTEMS[of.system].lateness_clause if appeal.lateness else ""
    rows = _earlier(of, same).exclude(appeal=appeal)
    return [
        Precedent(
            event=row.appeal.tournament.name,
            day=row.at.date(),
            offence=name,
            clause=", ".join(dict.fromkeys(filter(None, [clause, *cited_in(row.reasons)]))),
            verdict=row.get_verdict_display(),
            took=_did(row),
        )
        for row in rows[:most]
    ]


def cited_in(reasons: str) -> list[str]:
    """List the clauses that the reasons of a ruling cite, as `SBR 2.9.5`: the only part of them that others are shown."""
    return CITED.findall(reasons)


def _earlier(tournament: Tournament, same: Q) -> QuerySet[Ruling]:
    """List what was ruled last on such cases at events of the same rulebook that anybody finds, the latest first."""
    decided = Ruling.objects.exclude(verdict="recommended")
    overruled = decided.filter(appeal=OuterRef("appeal"), pk__gt=OuterRef("pk"))
    return (
        decided.filter(
            ~Exists(overruled),
            same,
            appeal__tournament__system=tournament.system,
            appeal__tournament__is_demo=tournament.is_demo,
        )
        .filter(
            Q(appeal__tournament=tournament) | Q(appeal__tournament__in=Tournament.objects.filter(IN_LISTS))
        )
        .select_related("appeal__tournament", "appeal__penalty")
        .order_by("-at")
    )


def _did(row: Ruling) -> str:
    """Say what a ruling did to a hand, a result or a lateness."""
    if row.verdict == "dismissed":
        return _("stands as it was")
    if "struck" in row.effect:
        return _("hand struck")
    if "final" in row.effect:
        return _("other final points")
    if row.appeal.lateness_id:
        return _("waived")
    return _("points moved") if row.appeal.lines.exists() else _("nothing else done")


LATENESS = gettext_noop("A lateness")
HAND = gettext_noop("A recorded hand")
TABLE = gettext_noop("The result of a table")
CITED = re.compile(r"\b(?:SBR|WMSG|MCR|SIAM|RED|RIICHI|EMA|RULES)(?: reg\.)? \d+(?:\.\d+)*")


def _name_of(tournament: Tournament, code: str) -> str:
    """Return the master text of an offence's name, or its code where nobody names it any more."""
    rules = JudgedEvent(tournament).rules_of(None).penalties
    named = offence(tournament.system, rules, code)
    return named.name if named else code.replace("_", " ")


def _took(row: Ruling) -> str:
    """Say what stood in the end: the penalty itself, another in its place, or nothing."""
    number = row.effect.get("instead")
    stands = row.appeal.tournament.penalties.filter(number=number).first() if number else None
    if row.verdict == "dismissed":
        stands = row.appeal.penalty
    return str(stands.get_effect_display()) if stands else ""
