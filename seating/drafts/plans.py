"""What a draw is made from, read from the record: who takes part, who met whom, what is asked besides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.problems import Problem
from seating.drafts.queries import to_be_seated
from seating.rules.checks import check_request
from seating.rules.plan import LABELS, Entrant, FixedRequest, Id, Lock, Round
from seating.rules.random_draw import METHODS, check_numbers
from seating.rules.swiss import Mode, Placed, SwissRequest, check_swiss
from tournaments.models import Player, Registration, Seat, Session, Substitute, Tournament
from tournaments.models.play import WIND_ORDER, Wind
from tournaments.person_fields import CLOSEST_FIRST

SEATS = {wind: place for place, wind in enumerate(Wind.values)}
AnyLock = tuple[int, Id, int | None, int | None]


@dataclass(frozen=True)
class Options:
    """What an organizer asks of a draw besides the regulation."""

    keep_apart: tuple[str, ...] = ()
    no_repeats: bool = False
    swiss_mode: str = Mode.BALANCED
    repeat_weight: int | None = None
    locks: tuple[AnyLock, ...] = ()
    must_not_meet: tuple[tuple[int, int], ...] = ()
    winds: str = "plan"
    with_absent: bool = False
    substitutes: tuple[int, ...] = ()
    leftover: str = ""
    given: tuple[dict[str, Any], ...] = ()
    is_dealt: bool = False

    def to_json(self) -> dict[str, Any]:
        """Write them for the draw to keep."""
        return {
            "keep_apart": list(self.keep_apart),
            "no_repeats": self.no_repeats,
            "swiss_mode": str(self.swiss_mode),
            "repeat_weight": self.repeat_weight,
            "locks": [list(lock) for lock in self.locks],
            "must_not_meet": [list(pair) for pair in self.must_not_meet],
            "winds": self.winds,
            "with_absent": self.with_absent,
            "substitutes": list(self.substitutes),
            "leftover": self.leftover,
            "given": list(self.given),
            "is_dealt": self.is_dealt,
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> "Options":
        """Read them back."""
        return cls(
            keep_apart=tuple(said.get("keep_apart", ())),
            no_repeats=said.get("no_repeats", False),
            swiss_mode=said.get("swiss_mode", Mode.BALANCED),
            repeat_weight=said.get("repeat_weight"),
            locks=tuple((lock[0], lock[1], lock[2], lock[3]) for lock in said.get("locks", ())),
            must_not_meet=tuple((pair[0], pair[1]) for pair in said.get("must_not_meet", ())),
            winds=said.get("winds", "plan"),
            with_absent=said.get("with_absent", False),
            substitutes=tuple(said.get("substitutes", ())),
            leftover=said.get("leftover", ""),
            given=tuple(said.get("given", ())),
            is_dealt=said.get("is_dealt", False),
        )

    def but(self, **changes: Any) -> "Options":
        """Return the same with some values changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Inputs:
    """Everything a draw depends on, as plain values whose digest tells whether anything has changed since."""

    sessions: tuple[int, ...]
    players: tuple[dict[str, Any], ...]
    table_size: int
    incomplete: bool
    existing: tuple[dict[str, Any], ...] = ()
    standings: tuple[tuple[Id, int], ...] = field(default=())
    replaces: Mapping[str, str] = field(default_factory=dict)
    short: tuple[Id, ...] = ()
    gap: str = ""
    is_unplaced: bool = False

    @property
    def numbers(self) -> list[int]:
        """List the registration numbers."""
        return [player["number"] for player in self.players if isinstance(player["number"], int)]

    @property
    def substitutes(self) -> list[Id]:
        """List the substitutes who fill up tables."""
        return [player["number"] for player in self.players if not isinstance(player["number"], int)]

    def to_json(self) -> dict[str, Any]:
        """Write them for the draw to keep."""
        return {
            "sessions": list(self.sessions),
            "numbers": self.numbers,
            "substitutes": self.substitutes,
            "players": list(self.players),
            "table_size": self.table_size,
            "incomplete": self.incomplete,
            "existing": list(self.existing),
            "standings": [list(row) for row in self.standings],
            "replaces": dict(self.replaces),
            "short": list(self.short),
            **({"gap": self.gap} if self.gap else {}),
            **({"unplaced": True} if self.is_unplaced else {}),
        }


def inputs_of(
    tournament: Tournament, sessions: Sequence[Session], *, mode: str, options: Options | None = None
) -> Inputs:
    """Gather what a draw of these sessions depends on."""
    options = options or Options()
    numbers = [session.number for session in sessions]
    replaced = {str(s.number): s.published_at.isoformat() for s in sessions if s.published_at is not None}
    people = to_be_seated(
        tournament,
        numbers[-1],
        with_absent=options.with_absent or bool(replaced),
        with_late=bool(replaced),
    )
    pool = _pool(tournament, options)
    regulation = tournament.regulation
    standings = _standings(tournament, people, pool) if mode == "swiss" else []
    return Inputs(
        sessions=tuple(numbers),
        players=(*(_player(row, numbers[0], bool(replaced)) for row in people), *map(_substitute, pool)),
        table_size=regulation["table_size"],
        incomplete=regulation["smallest_table"] < regulation["table_size"],
        existing=tuple(rounds_before(tournament, numbers[0])),
        standings=tuple(standings),
        replaces=replaced,
        short=tuple(short_before(tournament, numbers[0])),
        gap=GAP_LAST if mode == "random" else "",
        is_unplaced=mode == "swiss" and not _placed(standings),
    )


def _placed(standings: Sequence[tuple[Id, int]]) -> set[Id]:
    """Return who has a place: nobody where all ranks are equal, and no substitute."""
    players = [(number, rank) for number, rank in standings if isinstance(number, int)]
    return {number for number, _rank in players} if len({rank for _number, rank in players}) > 1 else set()


GAP_LAST = "last seat"
"""Where lots are drawn the missing player is North, the last at the table; draws of earlier releases left the gap anywhere. [SBR 3.1.3]"""


def basis(inputs: Mapping[str, Any], method: str) -> dict[str, Any]:
    """Return the part of the inputs that decides the result: of earlier sessions a random draw knows who was short."""
    return {name: value for name, value in inputs.items() if method not in METHODS or name != "existing"}


def _pool(tournament: Tournament, options: Options) -> list[Substitute]:
    rows = tournament.substitutes.filter(player_id__in=options.substitutes)
    return list(rows.select_related("player__team").order_by("pk"))


def _player(row: Registration, first: int, is_redraw: bool) -> dict[str, Any]:
    joined = 0 if is_redraw or row.first_session <= first else row.first_session
    return {"number": row.number, **_labels(row.player), **({"joined": joined} if joined else {})}


def _substitute(row: Substitute) -> dict[str, Any]:
    return {"number": f"s{row.player_id}", **_labels(row.player)}


def _labels(player: Player) -> dict[str, Any]:
    return {one.name: one.text_of(player) for one in CLOSEST_FIRST}


def rounds_before(tournament: Tournament, session: int) -> list[dict[str, Any]]:
    """Return the seating of earlier sessions by who really sat there: a number, or s and the id of a substitute."""
    return list(rounds_seated(tournament, last=session - 1).values())


def rounds_seated(tournament: Tournament, *, last: int) -> dict[int, dict[str, Any]]:
    """Return the published seating of the sessions up to one, each as tables and those without a game."""
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    rows = (
        Seat.objects.filter(session__tournament=tournament, session__number__lte=last)
        .order_by("session__number", "table__number", WIND_ORDER)
        .values_list("session__number", "table__number", "wind", "player_id", "table__protocol__pk")
    )
    rounds: dict[int, dict[int, list[Id | None]]] = {}
    off: dict[int, list[Id]] = {}
    for number, table, wind, player, protocol in rows:
        who = numbers.get(player, f"s{player}") if player else None
        tables = rounds.setdefault(number, {})
        if protocol is None:
            off.setdefault(number, []).extend([who] if who is not None else [])
            continue
        tables.setdefault(table, [None] * tournament.regulation["table_size"])[SEATS[wind]] = who
    return {
        number: {"tables": [seats for _, seats in sorted(tables.items())], "off": off.get(number, [])}
        for number, tables in sorted(rounds.items())
    }


def short_before(tournament: Tournament, session: int) -> list[Id]:
    """List who was left over or drawn to an incomplete table in earlier sessions, as often as that was so.

    A table broken because somebody did not come does not count: its seat is kept for a player. [RULES 8.33]
    """
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    rows = (
        Seat.objects.filter(session__tournament=tournament, session__number__lt=session)
        .order_by("session__number", "table__number", WIND_ORDER)
        .values_list("table_id", "player_id", "kept_for_id")
    )
    drawn: dict[int, list[int | None]] = {}
    for table, player, kept_for in rows:
        drawn.setdefault(table, []).extend([player or None] if player or kept_for else [])
    size = tournament.regulation["table_size"]
    short = [player for players in drawn.values() if len(players) < size for player in players if player]
    return [numbers.get(player, f"s{player}") for player in short]


def _standings(
    tournament: Tournament, people: Sequence[Registration], pool: Sequence[Substitute]
) -> list[tuple[Id, int]]:
    """Return number and rank of those present, best first; equal places share a rank and lots from the seed part them.

    Substitutes have no standing: they come last.
    """
    rows = tournament.standings.values_list("player_id", "place")
    places = {player: place for player, place in rows if place is not None}
    last = max(places.values(), default=0) + 1
    ranked: list[tuple[Id, int]] = sorted(
        ((row.number, places.get(row.player_id, last)) for row in people), key=lambda pair: (pair[1], pair[0])
    )
    return [*ranked, *((f"s{row.player_id}", last + 1) for row in pool)]


def fixed_request(inputs: Mapping[str, Any], options: Options, seed: str) -> FixedRequest:
    """Ask for a plan of several sessions; earlier ones stand."""
    apart = set(options.keep_apart)
    existing = rounds_of(inputs["existing"])
    place = {number: len(existing) + index for index, number in enumerate(inputs["sessions"], start=1)}
    people, size = len(inputs["players"]), inputs["table_size"]
    gives_up_a_table = options.leftover == "regulation" and not inputs["incomplete"] and people >= size
    return FixedRequest(
        players=[entrant(said, apart) for said in inputs["players"]],
        rounds_wanted=len(existing) + len(inputs["sessions"]),
        table_size=size,
        existing=existing,
        locks=[
            Lock(place[number], who, table, seat)
            for number, who, table, seat in options.locks
            if number in place
        ],
        joined={
            said["number"]: place[said["joined"]] for said in inputs["players"] if said.get("joined") in place
        },
        tables=people // size if gives_up_a_table else None,
        seed=seed,
        apart=list(options.must_not_meet),
        no_repeats=options.no_repeats,
        incomplete_tables=inputs["incomplete"] or options.leftover == "regulation",
    )


def swiss_request(inputs: Mapping[str, Any], options: Options, seed: str) -> SwissRequest:
    """Ask for the tables of one session by the standings."""
    groups = {said["number"]: _group(said, options.keep_apart) for said in inputs["players"]}
    existing = rounds_of(inputs["existing"])
    if "short" in inputs:
        was_short = list(inputs["short"])
    else:  # drawn by an earlier release
        was_short = [who for a_round in existing for who in _short(a_round, inputs["table_size"])]
    placed = _placed(inputs["standings"])
    return SwissRequest(
        standings=[
            Placed(id=number, rank=rank, group=groups[number], has_place=number in placed)
            for number, rank in inputs["standings"]
        ],
        round=inputs["sessions"][0],
        mode=Mode(options.swiss_mode),
        table_size=inputs["table_size"],
        seed=seed,
        history=existing,
        was_short=was_short,
        apart=list(options.must_not_meet),
        repeat_weight=options.repeat_weight,
        incomplete_tables=inputs["incomplete"] or options.leftover == "regulation",
        has_standings="unplaced" not in inputs,  # draws of earlier releases went by the order of lots
    )


def problems_of(inputs: Mapping[str, Any], mode: str, options: Options) -> list[Problem]:
    """Return why what is asked cannot be drawn at all, before anything is drawn. [INTEGRITY 56] [INTEGRITY 57]"""
    seed = "0"
    if mode == "swiss":
        return list(check_swiss(swiss_request(inputs, options, seed)))
    if mode == "random":
        few = check_numbers(inputs["numbers"], inputs["table_size"])
        return _once(few or check_request(fixed_request(inputs, options, seed)))
    return _once(check_request(fixed_request(inputs, options, seed)))


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """Name what is wrong in the same way in every session for the first of them only."""
    first: dict[object, Problem] = {}
    for problem in problems:
        others = frozenset((name, value) for name, value in problem.details.items() if name != "round")
        first.setdefault((problem.sentence, others), problem)
    return list(first.values())


def rounds_of(written: Sequence[Mapping[str, Any]]) -> list[Round]:
    """Read rounds from plain values."""
    return [Round(tuple(tuple(seats) for seats in said["tables"]), tuple(said["off"])) for said in written]


def _short(a_round: Round, table_size: int) -> list[Id]:
    """List who was left over or at an incomplete table. [SBR 3.1.4]"""
    at_table = [
        who
        for seats in a_round.tables
        if sum(s is not None for s in seats) < table_size
        for who in seats
        if who
    ]
    return [*a_round.off, *at_table]


def entrant(said: Mapping[str, Any], apart: set[str]) -> Entrant:
    """Return somebody with the labels that are kept apart; a city counts where no group is asked for."""
    labels = {kind: said[kind] or None for kind in LABELS if kind in apart}
    if "city" in apart and said["city"]:
        labels["group"] = labels.get("group") or said["city"]
    return Entrant(id=said["number"], **labels)


def _group(said: Mapping[str, Any], apart: Sequence[str]) -> str | None:
    """Return the one label that Swiss keeps apart: the closest of those asked for."""
    for one in CLOSEST_FIRST:
        if one.name in apart and said[one.name]:
            return f"{one.name}:{said[one.name]}"
    return None
