"""Reads of penalties: what each costs as the record stands now, and what one more would do."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from penalties.ladder.rules import ladder
from penalties.ladder.rules.offences import offence, offences
from penalties.lateness import rules as lateness_rules
from penalties.models import Lateness, Line, Penalty
from scoring.regulation import Ladder, Regulation, Timing
from scoring.seats import Seat as SeatWind
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
from tournaments.models import Adjustment, Protocol, Role, Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.record.actors import Actor
from tournaments.record.judges import PenaltyWithoutPoints
from tournaments.tables.queries.events import event_of


@dataclass
class JudgedEvent:
    """A tournament as its judges see it, read once: regulations by session, and who sits with whom."""

    tournament: Tournament
    regulations: dict[int | None, Regulation] = field(default_factory=dict)
    neighbours: dict[int, list[list[tuple[int | None, int | None]]]] = field(default_factory=dict)

    def rules_of(self, session: int | None) -> Regulation:
        """Return the copy of the regulation that a session is judged by. [RULES 8.30]"""
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
        """Return whether the player did not sit in the session, or not to the end. [RECORD 4]"""
        number = row.session.number
        self.others(number, row.player_id)
        sitting = {sits for seats in self.neighbours[number] for sits, _kept in seats}
        return row.player_id not in sitting

    def lateness_cost(self, row: Lateness) -> int:
        """Work out what a lateness takes; who does not sit, or was forgiven, pays nothing. [RULES 8.32]"""
        if row.state != Lateness.State.ARRIVED or row.is_waived or row.seconds is None or self.replaced(row):
            return 0
        return lateness_rules.consequence(self.rules_of(row.session.number).lateness, row.seconds).points


def _tables(tournament: Tournament, session: int) -> list[list[tuple[int | None, int | None]]]:
    tables: dict[int, list[tuple[int | None, int | None]]] = {}
    rows = Seat.objects.filter(session__tournament=tournament, session__number=session).in_order()
    for table, player, kept_for in rows.values_list("table_id", "player_id", "kept_for_id"):
        tables.setdefault(table, []).append((player, kept_for))
    return list(tables.values())


def given_of(row: Penalty) -> ladder.Given:
    """Return a penalty as the rules read it."""
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
        is_on_ladder=row.is_on_ladder,
    )


def all_penalties(tournament: Tournament) -> QuerySet[Penalty]:
    """List the penalties in the order given, with what their rows show."""
    return tournament.penalties.select_related(
        "session", "table", "player", "to_player", "given_by", "revoked_by", "approved_by", "appeal"
    ).order_by("number")


def may_decide_afterwards(tournament: Tournament, by: Actor) -> bool:
    """Return whether somebody decides in a finished event: the committee, or the chief referee where none is named. [RULES 8.53]"""
    if by.has_role("committee"):
        return True
    is_named = tournament.roles.filter(kind=Role.Kind.COMMITTEE, user__isnull=False).exists()
    return by.has_role("chief_referee") and not is_named


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
        """Return the master text of the offence's name, or its code where nobody named it."""
        return self.offence.name if self.offence else self.penalty.offence.replace("_", " ")

    @property
    def takes_points(self) -> bool:
        """Return whether its effect is to take points."""
        return self.penalty.effect in (Penalty.Effect.GAME_POINTS, Penalty.Effect.TOURNAMENT_POINTS)

    @property
    def is_warning(self) -> bool:
        """Return whether it warns: by decision, or on a first step that costs nothing. [SBR 2.8.2]"""
        is_free_step = self.penalty.kind == Penalty.Kind.LADDER and self.step == 1 and not self.game_points
        return self.penalty.effect == Penalty.Effect.WARNING or is_free_step

    @property
    def what(self) -> str:
        """Return what it is in the reader's words: a warning on a ladder is no loss of points."""
        shown = Penalty.Effect.WARNING.label if self.is_warning else self.penalty.get_effect_display()
        if not self.penalty.until:
            return str(shown)
        day = date_format(self.penalty.until, "DATE_FORMAT")
        return _("%(what)s until %(day)s") % {"what": shown, "day": day}


def penalty_rows(tournament: Tournament, penalties: Sequence[Penalty] | None = None) -> list[PenaltyRow]:
    """Show penalties as they count now; steps follow from all of the tournament's penalties."""
    judged = JudgedEvent(tournament)
    everything = list(all_penalties(tournament))
    wanted = {row.pk for row in penalties} if penalties is not None else {row.pk for row in everything}
    pairs = zip(everything, judged.priced(everything), strict=True)
    return [_row(judged, row, one) for row, one in pairs if row.pk in wanted]


def offences_behind(adjustments: Sequence[Adjustment]) -> dict[int, str]:
    """Return the master text of the offence's name for each line of an account that a penalty posted."""
    if not any(row.origin == Adjustment.Origin.PENALTY for row in adjustments):
        return {}
    judged = JudgedEvent(adjustments[0].tournament)
    names: dict[int, str] = {}
    for line in Line.objects.filter(adjustment__in=adjustments).select_related("penalty__session"):
        if row := line.penalty:
            rules = judged.rules_of(row.session.number if row.session else None)
            named = offence(judged.tournament.system, rules.penalties, row.offence)
            names[line.adjustment_id] = named.name if named else row.offence.replace("_", " ")
    return names


def _row(judged: JudgedEvent, row: Penalty, one: ladder.Priced) -> PenaltyRow:
    rules = judged.rules_of(row.session.number if row.session else None).penalties
    stands = row.kind == Penalty.Kind.LADDER or row.is_on_ladder
    climbed = rules.ladder_of(row.offence) if stands else None
    own = [charge for charge in one.charges if charge.player == row.player_id]
    return PenaltyRow(
        penalty=row,
        offence=offence(judged.tournament.system, rules, row.offence),
        step=one.step.number if one.step else None,
        steps=len(climbed.steps) if climbed else 0,
        game_points=sum(charge.game_points for charge in own),
        tournament_points=sum((charge.tournament_points for charge in own), Fraction(0)),
    )


def penalties_without_points(tournament: Tournament) -> list[PenaltyWithoutPoints]:
    """List the penalties in force that charge nobody: at the step that costs nothing, or of an effect beside points."""
    penalties = list(all_penalties(tournament).select_related("player__registration"))
    return [
        PenaltyWithoutPoints(
            given_at=row.given_at,
            session=row.session.number if row.session else None,
            player=row.player,
            what=_what_it_is(row, one.step),
            clause=row.clause,
        )
        for row, one in zip(penalties, JudgedEvent(tournament).priced(penalties), strict=True)
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
        """Return whether anything is different."""
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
    before: list[PenaltyRow] = field(default_factory=list)
    has_hands: bool = True


def current_hand(table: Table) -> int:
    """Return the number of the hand in play: the one after those recorded."""
    protocol = getattr(table, "protocol", None)
    return protocol.hands.filter(status=InForce.IN_FORCE).count() + 1 if protocol else 1


def choice_of(seat: Seat, *, hand: int) -> Choice:
    """Work out what can be given to who sits there, and what each ladder's next step would do. [SBR 2.8.2]"""
    tournament, session = seat.session.tournament, seat.session
    judged = JudgedEvent(tournament)
    rules = judged.rules_of(session.number)
    earlier = [given_of(row) for row in all_penalties(tournament)]
    found: dict[str, list[Offer]] = {}
    for one in offences(tournament.system, rules.penalties):
        given = _imagined(seat, one, hand=hand)
        found.setdefault(str(one.mode), []).append(_offer(one, given, earlier, judged))
    return Choice(
        seat=seat,
        ladders=_ladders(seat, found.pop("ladder", []), judged, hand=hand),
        fixed=found.pop("fixed", []),
        decisions=found.pop("decision", []),
        dead_hand=found.pop("dead_hand", []),
        grave=found.pop("grave", []),
        in_hand=found.pop("in_hand", []),
        before=_given_elsewhere(seat),
        has_hands=records_hands(seat.table),
    )


@dataclass(frozen=True)
class Standing:
    """Where a player stands on a ladder in a session: the step reached, of how many, and what the next offence costs."""

    session: Session
    offences: list[Offence]
    step: int
    steps: int
    cost: int
    total: int | None
    is_last: bool


def ladder_standings(seat: Seat, *, hand: int) -> list[Standing]:
    """List the ladders on which who sits there has a step; where nothing was given there is nothing to say. [SBR 2.8.2]"""
    judged = JudgedEvent(seat.session.tournament)
    rules = judged.rules_of(seat.session.number).penalties
    earlier = [given_of(row) for row in all_penalties(seat.session.tournament)]
    groups: dict[Any, list[Offence]] = {}
    for one in offences(seat.session.tournament.system, rules):
        if (climbed := rules.ladder_of(one.code)) is not None:
            groups.setdefault(climbed, []).append(one)
    found = []
    for climbed, group in groups.items():
        given = _imagined(seat, group[0], hand=hand)
        offer = _offer(group[0], given, earlier, judged)
        reached = sum(_is_on(one, given, climbed) for one in earlier)
        if reached:
            found.append(
                Standing(
                    seat.session,
                    group,
                    min(reached, len(climbed.steps)),
                    len(climbed.steps),
                    offer.cost or 0,
                    offer.total,
                    offer.is_last and reached >= len(climbed.steps),
                )
            )
    return found


def _is_on(one: ladder.Given, given: ladder.Given, climbed: Ladder) -> bool:
    """Return whether a penalty in force takes a step of the ladder for the same player and session."""
    stands = one.kind == Penalty.Kind.LADDER or one.is_on_ladder
    same = (one.player, one.session) == (given.player, given.session)
    return one.counts and stands and same and one.offence in climbed.offences


def records_hands(table: Table) -> bool:
    """Return whether a table records its hands, so that a dead hand or a false win can be marked in one. [RIICHI reg. 6.2]"""
    protocol = getattr(table, "protocol", None)
    return protocol is None or protocol.mode == Protocol.Mode.HANDS


def _given_elsewhere(seat: Seat) -> list[PenaltyRow]:
    """List what the player was given in other sessions or for the event, for whoever decides on a repeated offence. [SBR 2.8.2]"""
    tournament = seat.session.tournament
    rows = all_penalties(tournament).filter(player=seat.player_id, state=Penalty.State.IN_FORCE)
    found = list(rows.exclude(session=seat.session_id))
    return penalty_rows(tournament, found) if found else []


def _imagined(seat: Seat, one: Offence, *, hand: int) -> ladder.Given:
    """Return the penalty as it would be if the offence were given now; nothing is written."""
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


def _offer(one: Offence, given: ladder.Given, earlier: Sequence[ladder.Given], judged: JudgedEvent) -> Offer:
    rules = judged.rules_of(given.session).penalties
    climbed = rules.ladder_of(one.code) if given.kind == "ladder" else None
    if climbed is None:
        cost = rules.fixed.get(one.code) if given.kind == "fixed" else None
        return Offer(one, None, 0, cost, None)
    reached = ladder.next_step(climbed, given, earlier, judged.rules_of, judged.others)
    last = ladder.is_last(climbed, reached)
    return Offer(one, reached.number, len(climbed.steps), reached.cost, reached.total, last)


def _ladders(
    seat: Seat, offers: Sequence[Offer], judged: JudgedEvent, *, hand: int
) -> list[tuple[Offer, list[Offer], list[Effect]]]:
    """Group the offences by ladder: those of one ladder share step, cost and effect."""
    rules = judged.rules_of(seat.session.number).penalties
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
    seats = seats or sitting(table)
    event = event or event_of(session.tournament, [])
    rules = Regulation.from_json(
        session.regulation or session.tournament.regulation, system=session.tournament.system
    )
    facts = tuple(
        SeatFact(SeatWind(seat.wind), seat.player_id, seat.kept_for_id, seat.hand_points) for seat in seats
    )
    alone = SessionFact(session.number, rules, [TableFact(table.number, facts)])
    before, after = (_ledger(event, alone, more) for more in ((), charges))
    return [Effect(seat, before.get(SeatWind(seat.wind)), after.get(SeatWind(seat.wind))) for seat in seats]


def sitting(table: Table) -> list[Seat]:
    """List the seats of a table with their players, E S W N."""
    return list(table.seats.select_related("player", "kept_for", "table", "session").in_order())


def _ledger(event: Event, alone: SessionFact, more: Iterable[Charge]) -> Mapping[SeatWind, SeatLedger]:
    whole = replace(event, sessions=[alone], charges=[*event.charges, *more])
    return session_ledger(whole, alone).tables[alone.tables[0].number]


def consequences(
    tournament: Tournament, rows: Sequence[Penalty], everything: Sequence[Penalty] | None = None
) -> dict[int, list[Effect]]:
    """Work out what each penalty in force did at its table: how it would stand without it, and how it stands.

    Without one, later offences of its ladder move down a step: that belongs to what it did. [RULES 8.38]
    """
    told = [
        (row, row.table, row.session)
        for row in rows
        if row.is_in_force and row.table and row.session and _takes(row)
    ]
    if not told:
        return {}
    judged, event = JudgedEvent(tournament), event_of(tournament, [])
    given = [given_of(row) for row in (all_penalties(tournament) if everything is None else everything)]
    found: dict[int, list[Effect]] = {}
    seats: dict[int, list[Seat]] = {}
    for row, table, session in told:
        table.session = session
        session.tournament = tournament
        if changed := _without(row, given, judged):
            if table.pk not in seats:
                seats[table.pk] = sitting(table)
            undone = effects(table, changed, event, seats[table.pk])
            found[row.pk] = [Effect(one.seat, one.after, one.before) for one in undone]
    return found


def changes_at_table(tournament: Tournament, row: Penalty) -> list[Effect]:
    """Work out what a penalty did at its table; nothing where points and places there are as without it."""
    found = consequences(tournament, [row]).get(row.pk, [])
    return found if any(one.is_changed for one in found) else []


def charges_in(given: Sequence[ladder.Given], session: int | None, judged: JudgedEvent) -> Iterable[Charge]:
    """Price penalties and return what they charge in one session, or in the event as a whole."""
    for one in ladder.priced(given, judged.rules_of, judged.others):
        yield from (charge for charge in one.charges if charge.session == session)


def _takes(row: Penalty) -> bool:
    return row.effect in (Penalty.Effect.GAME_POINTS, Penalty.Effect.TOURNAMENT_POINTS)


def _without(row: Penalty, given: Sequence[ladder.Given], judged: JudgedEvent) -> list[Charge]:
    """Return what would change on the accounts of the session if a penalty were revoked."""
    others = [replace(one, counts=one.counts and one.key != row.number) for one in given]
    return moved_charges(given, others, row.session.number if row.session else None, judged)


def moved_charges(
    given: Sequence[ladder.Given],
    other: Sequence[ladder.Given],
    session: int | None,
    judged: JudgedEvent,
) -> list[Charge]:
    """Return what other penalties than those given would change on the accounts of a session, or of the whole event."""
    now = Counter(charges_in(given, session, judged))
    then = Counter(charges_in(other, session, judged))
    back = [
        replace(one, game_points=-one.game_points, tournament_points=-one.tournament_points)
        for one in (now - then).elements()
    ]
    return [*back, *(then - now).elements()]
