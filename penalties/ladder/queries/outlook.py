"""What a penalty would change before it is given or revoked: at its table, in its player's session, and in the standings. [RULES 8.51]"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from penalties.ladder.queries.dead_hand_marks import totals_with, totals_without
from penalties.ladder.queries.penalties import (
    Effect,
    JudgedEvent,
    all_penalties,
    effects,
    given_of,
    moved_charges,
    sitting,
)
from penalties.ladder.rules import ladder
from penalties.models import Penalty
from scoring.criteria import GAME_POINTS, POINTS, TOURNAMENT_POINTS, UMA_SCORE, Criterion
from scoring.regulation import Regulation
from scoring.seats import Seat as SeatWind
from scoring.standings.book import Value
from scoring.standings.ranking import Standing
from scoring.standings.sessions import (
    Charge,
    Event,
    Result,
    SeatFact,
    SessionFact,
    TableFact,
    session_ledger,
)
from scoring.standings.stages import account
from tournaments.models import Player, Seat, Table, Tournament
from tournaments.standings.queries.table import value_plain, value_text
from tournaments.tables.queries.events import event_of
from tournaments.web.labels import heading_of

SUMS = (TOURNAMENT_POINTS, GAME_POINTS, POINTS, UMA_SCORE)
"""The totals that are told beside a place."""


@dataclass(frozen=True)
class Total:
    """One criterion of a player now and after, as it is written."""

    criterion: Criterion
    now: Value
    then: Value

    @property
    def is_changed(self) -> bool:
        """Return whether it is another."""
        return self.now != self.then

    @property
    def texts(self) -> tuple[str, str]:
        """Return both values as the standings write them."""
        return value_text(str(self.criterion), self.now), value_text(str(self.criterion), self.then)


@dataclass(frozen=True)
class Move:
    """A player in the standings now and after: place and the totals that the ranking counts."""

    player: Player
    now: int | None
    then: int | None
    totals: Sequence[Total]

    @property
    def is_changed(self) -> bool:
        """Return whether the place or one of the totals is another."""
        return self.now != self.then or any(one.is_changed for one in self.totals)


@dataclass(frozen=True)
class Outlook:
    """What changes: the seats of the table, the standings of those at it, and how many others change places."""

    table: Sequence[Effect]
    standings: Sequence[Move]
    others: int
    is_nothing: bool
    takes: bool

    @property
    def headings(self) -> list[str]:
        """Name the totals beside a place."""
        told = self.standings[0].totals if self.standings else []
        return [heading_of(str(one.criterion)) for one in told]


@dataclass(frozen=True)
class Course:
    """One way in which a case can go: its name, what it changes on the accounts, who is ranked otherwise, other points of hands.

    These are by session and table, then by seat.
    """

    name: str
    charges: Sequence[Charge] = ()
    ranked: Mapping[int, bool] = field(default_factory=dict)
    hands: Mapping[tuple[int, int], Mapping[str, int]] = field(default_factory=dict)


def outlook_of(tournament: Tournament, seat: Seat | None, wanted: ladder.Given) -> Outlook:
    """Work out the table and the standings with and without one more penalty; nothing is written."""
    if wanted.effect == Penalty.Effect.DEAD_HAND and seat is not None and wanted.hand:
        totals = totals_with(seat.table, wanted.player, wanted.hand, wanted.offence)
        if totals is not None:
            hands = {(seat.table.session.number, seat.table.number): totals}
            return _outlook_on(tournament, seat.table, wanted.player, Course("", hands=hands))
    charges, takes = _difference(tournament, wanted)
    return outlook_with(tournament, seat, wanted.player, charges, takes=takes)


def outlook_with(
    tournament: Tournament,
    seat: Seat | None,
    player: object,
    charges: Sequence[Charge],
    *,
    takes: bool = True,
) -> Outlook:
    """Work out the table and the standings with and without more charges."""
    (found,) = outlooks(tournament, seat, player, [charges])
    return replace(found, is_nothing=takes and found.is_nothing, takes=takes)


def outlooks(
    tournament: Tournament, seat: Seat | None, player: object, courses: Iterable[Sequence[Charge]]
) -> list[Outlook]:
    """Work out what each of several courses would change; the event is read once."""
    event = event_of(tournament)
    seats = sitting(seat.table) if seat else []
    before = account(event).standings
    near = {player, *(one.kept_for_id or one.player_id for one in seats)}
    found = []
    for charges in courses:
        after = account(_with(event, charges)).standings
        table = effects(seat.table, charges, event, seats) if seat else []
        moves = _moves(before, after, near, event.regulation)
        others = _others(before, after, near)
        is_changed = (
            any(one.is_changed for one in table)
            or any(one.is_changed for one in moves)
            or _result_changes(event, seat, player, charges)
        )
        found.append(Outlook(table, moves, others, not (is_changed or others), takes=True))
    return found


def outlook_without(row: Penalty) -> Outlook | None:
    """Work out what revoking a penalty moves: later steps of its ladder, a dead hand that pays again, a place; nothing where it moves nothing."""
    tournament, table = row.tournament, row.table
    judged = JudgedEvent(tournament)
    given = [given_of(one) for one in all_penalties(tournament)]
    left = [replace(one, counts=one.counts and one.key != row.number) for one in given]
    sessions = {one.session for one in given}
    charges = [charge for session in sessions for charge in moved_charges(given, left, session, judged)]
    totals = totals_without(row)
    hands = {(table.session.number, table.number): totals} if table and totals is not None else {}
    course = Course("", charges, ranked_without(row), hands)
    found = _outlook_on(tournament, table, row.player_id, course)
    moves_places = any(one.is_changed for one in found.standings) or found.others
    return found if found.takes or moves_places else None


def ranked_without(row: Penalty) -> dict[int, bool]:
    """Return who is ranked again once a penalty is none any more: whom it alone put out of the event."""
    out = (Penalty.Effect.REMOVAL, Penalty.Effect.DISQUALIFICATION)
    if row.effect not in out or row.state != Penalty.State.IN_FORCE:
        return {}
    others = row.tournament.penalties.filter(
        player=row.player_id, state=Penalty.State.IN_FORCE, effect__in=out
    )
    return {} if others.exclude(pk=row.pk).exists() else {row.player_id: True}


def _outlook_on(tournament: Tournament, table: Table | None, player: object, course: Course) -> Outlook:
    """Work out the table and the standings on a course."""
    event, seats = event_of(tournament), sitting(table) if table else []
    before, after = account(event).standings, account(_on_course(event, course)).standings
    near = {player, *(one.kept_for_id or one.player_id for one in seats)}
    found = _table_on(table, event, seats, course) if table else []
    moves = _moves(before, after, near, event.regulation)
    takes = any(one.is_changed for one in found)
    return Outlook(found, moves, _others(before, after, near), is_nothing=False, takes=takes)


def _table_on(table: Table, event: Event, seats: Sequence[Seat], course: Course) -> list[Effect]:
    totals = course.hands.get((table.session.number, table.number))
    then = seats if totals is None else [with_points(seat, totals.get(seat.wind, 0)) for seat in seats]
    now, later = effects(table, [], event, seats), effects(table, course.charges, event, then)
    return [Effect(was.seat, was.before, one.after) for was, one in zip(now, later, strict=True)]


def with_points(seat: Seat, points: int) -> Seat:
    """Return a copy of a seat with other points of its hands; nothing is written."""
    other = copy(seat)
    other.hand_points = points
    return other


def changes_nothing(tournament: Tournament, seat: Seat | None, wanted: ladder.Given) -> bool:
    """Return whether a penalty takes points that nobody has: no points, no place and no total would change. [RULES 8.51]"""
    charges, takes = _difference(tournament, wanted)
    if not takes:
        return False
    if seat is not None:
        event = event_of(tournament, [])
        changed = any(one.is_changed for one in effects(seat.table, charges, event))
        return not changed and not _result_changes(event, seat, wanted.player, charges)
    event = event_of(tournament)
    before, after = account(event).standings, account(_with(event, charges)).standings
    return {row.player: row.values for row in before} == {row.player: row.values for row in after}


def _difference(tournament: Tournament, wanted: ladder.Given) -> tuple[list[Charge], bool]:
    """Return what one more penalty adds to the accounts, and whether it takes anything at all."""
    judged = JudgedEvent(tournament)
    earlier = [given_of(row) for row in all_penalties(tournament)]
    charges = moved_charges(earlier, [*earlier, wanted], wanted.session, judged)
    return charges, any(one.game_points or one.tournament_points for one in charges)


@dataclass(frozen=True)
class CourseRow:
    """A player under each course: place, totals, and whether that differs from the first one."""

    player: Player
    cells: Sequence[tuple[int | None, Sequence[str], bool]]


def side_by_side(
    tournament: Tournament, seats: Sequence[Seat], players: Iterable[int], courses: Sequence[Course]
) -> list[CourseRow]:
    """Show those of a table in the standings under each course; the first one is how they stand now. [SBR 2.9.5]"""
    event = event_of(tournament)
    tables = [account(_on_course(event, course)).standings for course in courses]
    near = {*players, *(seat.kept_for_id or seat.player_id for seat in seats)}
    people = Player.objects.in_bulk([pk for pk in near if pk])
    told = _told(event.regulation)
    rows = []
    for player in (int(str(row.player)) for row in tables[0] if row.player in people):
        found = [next(row for row in table if row.player == player) for table in tables]
        values = [(row.place, [row.values.get(one) for one in told]) for row in found]
        cells = [
            (
                place,
                [_named(one, value_plain(str(one), total)) for one, total in zip(told, totals, strict=True)],
                (place, totals) != values[0],
            )
            for place, totals in values
        ]
        rows.append(CourseRow(people[player], cells))
    return rows


def _named(criterion: Criterion, text: str) -> str:
    """Write a total with its heading: a unit stands behind it, a word before it."""
    is_unit = criterion in (TOURNAMENT_POINTS, GAME_POINTS)
    return f"{text} {heading_of(str(criterion))}" if is_unit else f"{heading_of(str(criterion))}: {text}"


def _on_course(event: Event, course: Course) -> Event:
    """Return the event as it would be."""
    entrants = [
        replace(one, is_ranked=course.ranked.get(int(str(one.player)), one.is_ranked))
        for one in event.entrants
    ]
    sessions = [replace(one, tables=_tables_on_course(one, course)) for one in event.sessions]
    charges = [*event.charges, *course.charges]
    return replace(
        event, entrants=entrants, charges=charges, sessions=sessions if course.hands else event.sessions
    )


def _tables_on_course(session: SessionFact, course: Course) -> list[TableFact]:
    """Return the tables of a session with the points that their hands then have."""
    found = []
    for table in session.tables:
        points = course.hands.get((session.number, table.number))
        if points is not None:
            seats = tuple(one._replace(points=points.get(str(one.seat), 0)) for one in table.seats)
            table = table._replace(seats=seats)
        found.append(table)
    return found


def _with(event: Event, charges: Sequence[Charge]) -> Event:
    return replace(event, charges=[*event.charges, *charges])


def _result_changes(event: Event, seat: Seat | None, player: object, charges: Sequence[Charge]) -> bool:
    """Return whether the player's result of the session would be another, also at a table that has not begun."""
    if seat is None:
        return False
    now, then = (_results(one, seat.table).get(player) for one in (event, _with(event, charges)))
    return now != then


def _results(event: Event, table: Table) -> Mapping[object, Result]:
    """Return the results that one table brings."""
    session = table.session
    rules = Regulation.from_json(
        session.regulation or session.tournament.regulation, system=session.tournament.system
    )
    facts = tuple(
        SeatFact(SeatWind(one.wind), one.player_id, one.kept_for_id, one.hand_points)
        for one in table.seats.in_order()
    )
    alone = SessionFact(session.number, rules, [TableFact(table.number, facts)])
    return session_ledger(replace(event, sessions=[alone]), alone).results


def _moves(
    before: Sequence[Standing], after: Sequence[Standing], near: set[object], rules: Regulation
) -> list[Move]:
    """List those near in the order in which they stand now."""
    then = {row.player: row for row in after}
    rows = [row for row in before if row.player in near]
    people = Player.objects.in_bulk([int(str(row.player)) for row in rows])
    return [
        Move(
            people[int(str(row.player))],
            row.place,
            then[row.player].place,
            [Total(one, row.values.get(one), then[row.player].values.get(one)) for one in _told(rules)],
        )
        for row in rows
    ]


def _told(rules: Regulation) -> tuple[Criterion, ...]:
    """Return the totals that are told: those of points, else the first criterion."""
    sums = tuple(one for one in rules.ranking if one in SUMS)
    return sums or rules.ranking[:1]


def _others(before: Sequence[Standing], after: Sequence[Standing], near: set[object]) -> int:
    """Count who else would stand at another place."""
    then = {row.player: row.place for row in after}
    return sum(row.place != then[row.player] for row in before if row.player not in near)
