"""The regulation: every value of a tournament that an organizer may change, one field each, with its clause."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from scoring import parsers
from scoring.criteria import CRITERIA, Criterion
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.systems import SYSTEMS


class LastHand(StrEnum):
    """Which hand is the last of a session."""

    FINISH_BEGUN = "finish_begun"
    ONE_MORE = "one_more"
    RED_ZONE = "red_zone"


class SeatingMode(StrEnum):
    """How players come to their tables."""

    FIXED = "fixed"
    PROGRAMMED = "programmed"
    SWISS = "swiss"
    RANDOM = "random"


class SeatWinds(StrEnum):
    """How winds are given within a table."""

    SCHEDULE = "schedule"
    DRAW = "draw"


class ProtocolMode(StrEnum):
    """What a protocol holds: every hand, or the final points alone."""

    HANDS = "hands"
    FINAL_RESULT = "final_result"


class TieRule(StrEnum):
    """What players with equal points get for their places."""

    SPLIT = "split"
    BEST = "best"
    SEAT_ORDER = "seat_order"


class PlaceRule(StrEnum):
    """What place players with equal points take."""

    AVERAGE = "average"
    BEST = "best"
    SEAT_ORDER = "seat_order"


class Timing(StrEnum):
    """Whether points count before the places at the table are given, or after."""

    BEFORE = "before"
    AFTER = "after"


class LadderMode(StrEnum):
    """Whether the step reached is what all offences cost together, or every offence costs its own step."""

    TOTAL = "total"
    EACH = "each"


class LadderScope(StrEnum):
    """Where a ladder begins anew."""

    SESSION = "session"
    ROUND = "round"
    TOURNAMENT = "tournament"


class GroupMode(StrEnum):
    """How a group's value follows from its members'."""

    SUM = "sum"
    AVERAGE = "average"
    BEST = "best"


class Carry(StrEnum):
    """How much of the points gathered so far a new stage begins with."""

    FULL = "full"
    HALF = "half"
    NONE = "none"


class PlayerField(StrEnum):
    """What players may have in common."""

    TEAM = "team"
    CLUB = "club"
    COUNTRY = "country"
    REGION = "region"
    CITY = "city"
    GROUP = "group"


@dataclass(frozen=True)
class GivenResult:
    """A session's result that comes from no table: for the absent, the left over, or by decision."""

    tournament_points: Fraction | None
    game_points: int
    place: int | None


@dataclass(frozen=True)
class Ladder:
    """What repeated offences cost: those counted together, and the steps from the warning on. [SBR 2.8.2]"""

    offences: tuple[str, ...]
    mode: LadderMode
    scope: LadderScope
    steps: tuple[int, ...]


@dataclass(frozen=True)
class Bounds:
    """What a penalty by decision may cost: one of some amounts, or anything from one number up to another."""

    amounts: tuple[int, ...] = ()
    least: int | None = None
    most: int | None = None

    def allow(self, points: int) -> bool:
        """Return whether so many points may be taken."""
        if self.least is None or self.most is None:
            return points in self.amounts
        return self.least <= points <= self.most


@dataclass(frozen=True)
class PenaltyRules:
    """Penalties: when they count, ladders, offences with one price, bounds for decisions."""

    timing: Timing
    ladders: tuple[Ladder, ...]
    fixed: Mapping[str, int]
    decision: Mapping[str, Bounds]

    def ladder_of(self, offence: str) -> Ladder | None:
        """Find the ladder that counts the offence."""
        return next((ladder for ladder in self.ladders if offence in ladder.offences), None)

    def bounds_of(self, offence: str) -> Bounds | None:
        """Find what bounds a decision on the offence; none for no bound."""
        return self.decision.get(offence, self.decision.get("*"))


@dataclass(frozen=True)
class LatenessBand:
    """So late, below or up to so many seconds, costs so many points, or so many for every begun minute."""

    below: int | None = None
    up_to: int | None = None
    points: int | None = None
    per_minute: int | None = None

    def fits(self, seconds: int) -> bool:
        """Return whether an arrival so many seconds after the start falls into this band."""
        return seconds < self.below if self.below is not None else seconds <= (self.up_to or 0)

    def cost(self, seconds: int) -> int:
        """Work out the points; every begun minute counts. [RULES 8.5]"""
        return self.points if self.points is not None else -(-seconds // 60) * (self.per_minute or 0)


@dataclass(frozen=True)
class LatenessRules:
    """Bands of lateness in order, the first that fits; beyond the last the player is replaced."""

    bands: tuple[LatenessBand, ...]

    def band(self, seconds: int) -> LatenessBand | None:
        """Find the first band that fits, none beyond the last. [SBR 2.8.4.5] [RIICHI 5.7]"""
        return next((band for band in self.bands if band.fits(seconds)), None)


@dataclass(frozen=True)
class AppealRules:
    """Until when, at what deposit, and to whom a referee's decision may be appealed. [SBR 2.9]"""

    minutes: int
    deposit_fees: int
    committee: bool


@dataclass(frozen=True)
class GroupTable:
    """A classification of teams or groups. [SBR 2.4.3]"""

    by: PlayerField
    mode: GroupMode
    best: int | None
    ranking: tuple[Criterion, ...]


@dataclass(frozen=True)
class Stage:
    """A stage after the first: the session it begins with, what is carried over, and how many play on. [RULES 9.7]"""

    from_session: int
    carry: Carry
    cut: int | None


class About(NamedTuple):
    """What a field is: its name for people, its clause, and whether results that exist depend on it."""

    label: str
    clause: str
    alters: bool = False


@dataclass(frozen=True)
class Regulation:
    """Every value of the regulation, as docs/RECORD.md writes it. [RULES 1.1] [SBR 2.7.5.2]"""

    sessions: Annotated[int, About(gettext_noop("Sessions"), "RULES 1.1")]
    session_minutes: Annotated[int, About(gettext_noop("Length of a session, minutes"), "SBR 2.4.4")]
    warning_minutes: Annotated[int, About(gettext_noop("Warning before the end, minutes"), "SBR 2.4.4")]
    last_hand: Annotated[LastHand, About(gettext_noop("Last hand"), "RIICHI 5.9")]
    hands_limit: Annotated[int | None, About(gettext_noop("Most hands in a session"), "RULES 4")]
    table_size: Annotated[int, About(gettext_noop("Players at a table"), "SBR 2.4.2")]
    smallest_table: Annotated[
        int, About(gettext_noop("Fewest players at a table"), "RULES 8.33", alters=True)
    ]
    seating: Annotated[SeatingMode, About(gettext_noop("Seating"), "RULES 1.3")]
    seat_winds: Annotated[SeatWinds, About(gettext_noop("Winds at the table"), "SBR 2.4.6")]
    keep_apart: Annotated[tuple[PlayerField, ...], About(gettext_noop("Kept apart at the draw"), "SBR 2.4.1")]
    max_players: Annotated[int | None, About(gettext_noop("Most players"), "RIICHI reg. 1.3")]
    assistants_substitute: Annotated[
        bool, About(gettext_noop("Assistants may substitute"), "RIICHI reg. 5.6")
    ]
    entry_fee: Annotated[Decimal, About(gettext_noop("Entry fee"), "RULES 1.2")]
    team_size: Annotated[int | None, About(gettext_noop("Players in a team"), "SBR 2.4.3")]
    protocol: Annotated[ProtocolMode, About(gettext_noop("Protocol"), "RULES 1.5")]
    start_points: Annotated[
        int, About(gettext_noop("Points at the start of a session"), "RULES 8.31", alters=True)
    ]
    points_unit: Annotated[int, About(gettext_noop("Smallest amount of points"), "RULES 8.42", alters=True)]
    tournament_points: Annotated[
        Mapping[int, tuple[Fraction, ...]] | None,
        About(gettext_noop("Tournament points by place"), "SBR 2.7.5", alters=True),
    ]
    tie_rule: Annotated[
        TieRule, About(gettext_noop("Tournament points of equal players"), "RULES 8.3", alters=True)
    ]
    place_rule: Annotated[PlaceRule, About(gettext_noop("Place of equal players"), "RULES 8.4", alters=True)]
    uma: Annotated[tuple[Fraction, ...] | None, About(gettext_noop("Uma by place"), "RULES 1.7", alters=True)]
    fixed_result: Annotated[
        GivenResult, About(gettext_noop("Result of a replaced or absent player"), "RULES 8.32", alters=True)
    ]
    awarded_result: Annotated[
        GivenResult, About(gettext_noop("Result of a player left over"), "RULES 8.32", alters=True)
    ]
    ranking: Annotated[
        tuple[Criterion, ...], About(gettext_noop("Ranking criteria"), "RULES 1.7", alters=True)
    ]
    group_tables: Annotated[
        tuple[GroupTable, ...], About(gettext_noop("Team and group tables"), "SBR 2.4.3", alters=True)
    ]
    penalties: Annotated[PenaltyRules, About(gettext_noop("Penalties"), "RULES 1.8", alters=True)]
    lateness: Annotated[LatenessRules | None, About(gettext_noop("Lateness"), "RULES 8.37", alters=True)]
    appeals: Annotated[AppealRules | None, About(gettext_noop("Appeals"), "RULES 8.37")]
    system_rules: Annotated[
        Mapping[str, object], About(gettext_noop("Settings of the rules"), "RULES 8", alters=True)
    ]
    stages: Annotated[tuple[Stage, ...], About(gettext_noop("Stages"), "RULES 9.7", alters=True)]
    return_points: Annotated[
        int | None, About(gettext_noop("Points returned at the end (oka)"), "RULES 9.31", alters=True)
    ] = None

    @classmethod
    def from_json(cls, data: object, *, system: str = "", at: str = "") -> "Regulation":
        """Read a regulation of the newest version, in which every value is present, or refuse it with all problems.

        What is stored may be of an earlier version: `scoring.upgrades` brings it here. [RECORD 2]
        """
        regulation: Regulation = parsers.read(_whole_regulation(system), data, at)
        return regulation

    def to_json(self) -> dict[str, Any]:
        """Write the regulation as docs/RECORD.md does; reading gives the same values back."""
        said = {name: jsoned(getattr(self, name)) for name in FIELDS}
        return {name: value for name, value in said.items() if value is not None or name not in OPTIONAL}

    def uma_of(self, players: int) -> tuple[Fraction, ...] | None:
        """Return what each place at a table of so many brings in thousands: its uma, and oka where points are returned.

        Everybody owes what the points returned exceed those of the start, and the first takes it from all. [RULES 1.7] [RULES 9.31]
        """
        if self.uma is None or self.return_points is None:
            return self.uma
        owed = Fraction(self.return_points - self.start_points, 1000)
        first, *others = (points - owed for points in self.uma)
        return (first + players * owed, *others)

    def but(self, **changes: object) -> "Regulation":
        """Return the same regulation with some values changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def but_json(self, data: object, *, system: str = "", at: str = "") -> "Regulation":
        """Return the regulation of a session: this one, but for the fields written down. [RULES 8.30]"""
        changes = parsers.read(parsers.fields({}, _parsers(system)), data, at)
        changed = self.but(**changes)
        problems = contradictions(changed, at, system)
        if problems:
            raise Refusal(*problems)
        return changed


FIELDS: Mapping[str, About] = {
    name: get_args(hint)[1] for name, hint in get_type_hints(Regulation, include_extras=True).items()
}
"""Every field of the regulation, in the order of docs/RECORD.md."""


OPTIONAL: Mapping[str, object] = {"return_points": None}
"""Fields that a regulation may leave out, and what it then means: whatever is stored without them is older. [RECORD 2]"""


def differences(one: Regulation, other: Regulation) -> tuple[str, ...]:
    """List the fields in which two regulations differ."""
    return tuple(name for name in FIELDS if getattr(one, name) != getattr(other, name))


def altering_results(one: Regulation, other: Regulation) -> tuple[str, ...]:
    """List the differing fields that change results which already exist. [RULES 1.1]"""
    return tuple(name for name in differences(one, other) if FIELDS[name].alters)


def jsoned(value: Any) -> Any:
    """Write a value as JSON: fractions and money as text, an absent part not at all."""
    if isinstance(value, Fraction | StrEnum | Criterion):
        return str(value)
    if isinstance(value, Decimal):
        return money(value)
    if is_dataclass(value) and not isinstance(value, type):
        return _parts(value)
    if isinstance(value, Mapping):
        return {str(name): jsoned(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [jsoned(part) for part in value]
    return value


def money(amount: Decimal) -> str:
    """Write an amount of money: whole, or with two decimals. [RECORD 1]"""
    return str(int(amount)) if amount == int(amount) else f"{amount:.2f}"


def _parts(value: Any) -> dict[str, Any]:
    """Write a nested value; fields with a default are written only when they say something."""
    return {
        _JSON_NAMES.get(part.name, part.name): jsoned(getattr(value, part.name))
        for part in fields(value)
        if part.default is MISSING or getattr(value, part.name) != part.default
    }


_JSON_NAMES = {"least": "from", "most": "up_to"}


# Reading


def _amount(value: object, path: str, problems: list[Problem]) -> Decimal | None:
    """Read an amount of money."""
    before = len(problems)
    read = parsers.text(1, 20, r"(0|[1-9][0-9]*)(\.(0[1-9]|[1-9][0-9]))?")(value, path, problems)
    return Decimal(read) if len(problems) == before else None


def _given_result() -> parsers.Parser:
    parts = {
        "tournament_points": parsers.maybe(parsers.fraction),
        "game_points": parsers.whole(),
        "place": parsers.maybe(parsers.whole(1, 4)),
    }
    return parsers.built(parsers.fields(parts), GivenResult)


given_result = _given_result()
code = parsers.text(1, 64, r"[a-z][a-z0-9_]*")


def _ladder() -> parsers.Parser:
    parts = {
        "offences": parsers.several(code, least=1, unique=True),
        "mode": parsers.choice(LadderMode),
        "scope": parsers.choice(LadderScope),
        "steps": parsers.several(parsers.natural, least=1),
    }
    return parsers.built(parsers.fields(parts), Ladder)


def _bounds(value: object, path: str, problems: list[Problem]) -> Bounds | None:
    """Read the bounds of a decision, in whichever of their two forms they are written."""
    if isinstance(value, Mapping) and "amounts" in value:
        amounts = parsers.fields({"amounts": parsers.several(parsers.positive, least=1)})
        return parsers.built(amounts, Bounds)(value, path, problems)  # type: ignore[no-any-return]
    limits = parsers.fields({"from": parsers.positive, "up_to": parsers.positive})
    build = parsers.built(limits, lambda **parts: Bounds(least=parts["from"], most=parts["up_to"]))
    return parsers.checked(build, _bounds_in_order)(value, path, problems)  # type: ignore[no-any-return]


def _bounds_in_order(bounds: Bounds, path: str) -> list[Problem]:
    if (bounds.least or 0) <= (bounds.most or 0):
        return []
    return [Problem("bounds_order", BOUNDS_ORDER, field=path, clause="RULES 1.8")]


def _band(value: object, path: str, problems: list[Problem]) -> LatenessBand | None:
    """Read a band of lateness: one way to say how late, one way to say what it costs."""
    given = value if isinstance(value, Mapping) else {}
    limit = "below" if "below" in given else "up_to"
    cost = "per_minute" if "per_minute" in given else "points"
    parts = parsers.fields({limit: parsers.positive, cost: parsers.natural})
    return parsers.built(parts, LatenessBand)(value, path, problems)  # type: ignore[no-any-return]


def _penalties() -> parsers.Parser:
    parts = {
        "timing": parsers.choice(Timing),
        "ladders": parsers.several(_ladder()),
        "fixed": parsers.by_key(code, parsers.positive),
        "decision": parsers.by_key(parsers.text(1, 64), _bounds),
    }
    return parsers.built(parsers.fields(parts), PenaltyRules)


def _appeals() -> parsers.Parser:
    parts = {"minutes": parsers.natural, "deposit_fees": parsers.natural, "committee": parsers.truth}
    return parsers.built(parsers.fields(parts), AppealRules)


def _lateness() -> parsers.Parser:
    return parsers.built(parsers.fields({"bands": parsers.several(_band, least=1)}), LatenessRules)


def _ranking() -> parsers.Parser:
    return parsers.several(parsers.choice(CRITERIA.values()), least=1, unique=True)


def _group_table() -> parsers.Parser:
    parts = {
        "by": parsers.choice(PlayerField),
        "mode": parsers.choice(GroupMode),
        "best": parsers.maybe(parsers.positive),
        "ranking": _ranking(),
    }
    return parsers.built(parsers.fields(parts), GroupTable)


def _stage() -> parsers.Parser:
    parts = {
        "from_session": parsers.whole(2, 1000),
        "carry": parsers.choice(Carry),
        "cut": parsers.maybe(parsers.positive),
    }
    return parsers.built(parsers.fields(parts), Stage)


def _points_table(
    value: object, path: str, problems: list[Problem]
) -> dict[int, tuple[Fraction, ...]] | None:
    """Read TP by place for each number of players."""
    row = parsers.several(parsers.fraction, least=2, most=4)
    table = parsers.by_key(parsers.choice(("2", "3", "4")), row, least=1)(value, path, problems)
    return {int(size): places for size, places in table.items() if size} if table is not None else None


def _system_rules(system: str) -> parsers.Parser:
    if not system:
        return parsers.by_key(code, _anything)
    known = SYSTEMS[system]
    said = {name: one.read for name, one in known.settings.items() if one.unsaid is None}
    may_be_said = {name: one.read for name, one in known.settings.items() if one.unsaid is not None}
    return parsers.checked(parsers.fields(said, may_be_said), known.setting_problems)


def _anything(value: object, path: str, problems: list[Problem]) -> object:
    return value


def _parsers(system: str) -> dict[str, parsers.Parser]:
    """Return how each field of the regulation is read."""
    return {
        "sessions": parsers.positive,
        "session_minutes": parsers.positive,
        "warning_minutes": parsers.natural,
        "last_hand": parsers.choice(LastHand),
        "hands_limit": parsers.maybe(parsers.positive),
        "table_size": parsers.whole(2, 4),
        "smallest_table": parsers.whole(2, 4),
        "seating": parsers.choice(SeatingMode),
        "seat_winds": parsers.choice(SeatWinds),
        "keep_apart": parsers.several(parsers.choice(PlayerField), unique=True),
        "max_players": parsers.maybe(parsers.positive),
        "assistants_substitute": parsers.truth,
        "entry_fee": _amount,
        "team_size": parsers.maybe(parsers.positive),
        "protocol": parsers.choice(ProtocolMode),
        "start_points": parsers.natural,
        "points_unit": parsers.positive,
        "tournament_points": parsers.maybe(_points_table),
        "tie_rule": parsers.choice(TieRule),
        "place_rule": parsers.choice(PlaceRule),
        "uma": parsers.maybe(parsers.several(parsers.fraction, least=2, most=4)),
        "fixed_result": given_result,
        "awarded_result": given_result,
        "ranking": _ranking(),
        "group_tables": parsers.several(_group_table()),
        "penalties": _penalties(),
        "lateness": parsers.maybe(_lateness()),
        "appeals": parsers.maybe(_appeals()),
        "system_rules": _system_rules(system),
        "stages": parsers.several(_stage()),
        "return_points": parsers.maybe(parsers.positive),
    }


def _whole_regulation(system: str) -> parsers.Parser:
    known = _parsers(system)
    needed = {name: parser for name, parser in known.items() if name not in OPTIONAL}
    optional = {name: parser for name, parser in known.items() if name in OPTIONAL}
    return parsers.checked(
        parsers.built(parsers.fields(needed, optional), Regulation),
        lambda regulation, path: contradictions(regulation, path, system),
    )


# What must fit together


def contradictions(regulation: Regulation, path: str = "", system: str = "") -> list[Problem]:
    """List where values of a regulation contradict one another, or the system they are for. [RULES 1.1]"""
    found = [
        *_sizes(regulation),
        *_rows(regulation),
        *_uma_rows(regulation),
        *_returned(regulation),
        *_groups(regulation),
        *_stages(regulation),
        *_ladders(regulation),
        *(SYSTEMS[system].regulation_problems(regulation) if system else ()),
    ]
    return [replace(problem, field=parsers.join(path, problem.field)) for problem in found]


def missing_rows(regulation: Regulation) -> list[Problem]:
    """List the sizes of tables that may play and would get no TP. [SBR 2.7.5] [RULES 8.33]

    A record is asked only for the tables that played; a tournament that is still to be played, for all that may come.
    """
    given = regulation.tournament_points
    if given is None:
        return []
    return [
        Problem(
            "points_table",
            NO_POINTS_ROW,
            field="tournament_points",
            clause="RULES 8.33",
            details={"players": size},
        )
        for size in range(regulation.smallest_table, regulation.table_size + 1)
        if size not in given
    ]


def _sizes(regulation: Regulation) -> list[Problem]:
    if regulation.smallest_table <= regulation.table_size:
        return []
    return [
        Problem(
            "table_size",
            SMALLEST_TABLE,
            field="smallest_table",
            clause="RULES 8.33",
            details={"smallest": regulation.smallest_table, "size": regulation.table_size},
        )
    ]


def _rows(regulation: Regulation) -> list[Problem]:
    return [
        Problem(
            "points_table",
            POINTS_ROW,
            field=f"tournament_points.{size}",
            clause="SBR 2.7.5",
            details={"size": size, "count": len(row)},
        )
        for size, row in (regulation.tournament_points or {}).items()
        if len(row) != size
    ]


def _uma_rows(regulation: Regulation) -> list[Problem]:
    if regulation.uma is None or len(regulation.uma) >= regulation.table_size:
        return []
    details = {"size": regulation.table_size, "count": len(regulation.uma)}
    return [Problem("points_table", UMA_ROW, field="uma", clause="RULES 1.7", details=details)]


def _returned(regulation: Regulation) -> list[Problem]:
    """Points are returned beside uma, and no fewer than each began with. [RULES 9.31]"""
    returned = regulation.return_points
    if returned is None:
        return []
    if regulation.uma is None:
        return [Problem("oka", OKA_WITHOUT_UMA, field="return_points", clause="RULES 9.31")]
    if returned < regulation.start_points:
        details = {"points": regulation.start_points}
        return [Problem("oka", OKA_BELOW_START, field="return_points", clause="RULES 9.31", details=details)]
    return []


def _groups(regulation: Regulation) -> list[Problem]:
    problems = []
    for place, table in enumerate(regulation.group_tables):
        if (table.mode is GroupMode.BEST) != (table.best is not None):
            path = f"group_tables.{place}.best"
            problems.append(Problem("group_table", GROUP_BEST, field=path, clause="SBR 2.4.3"))
        if not set(table.ranking) <= set(regulation.ranking):
            path = f"group_tables.{place}.ranking"
            problems.append(Problem("group_table", GROUP_RANKING, field=path, clause="RULES 1.7"))
    return problems


def _stages(regulation: Regulation) -> list[Problem]:
    """Stages follow one another within the sessions, and each lets fewer play on than the one before. [RULES 9.7]"""
    problems, begun, left = [], 1, None
    for place, stage in enumerate(regulation.stages):
        path = f"stages.{place}"
        if not begun < stage.from_session <= regulation.sessions:
            details = {"sessions": regulation.sessions, "after": begun}
            field = f"{path}.from_session"
            problems.append(
                Problem("stages", STAGE_SESSION, field=field, clause="RULES 9.7", details=details)
            )
        if stage.cut is not None and left is not None and stage.cut >= left:
            problems.append(Problem("stages", STAGE_CUT, field=f"{path}.cut", clause="RULES 9.7"))
        begun, left = stage.from_session, stage.cut or left
    return problems


def _ladders(regulation: Regulation) -> list[Problem]:
    """An offence stands on one ladder, and one more offence never costs less. [RULES 1.8] [RULES 8.38]"""
    problems = []
    seen: set[str] = set()
    for place, ladder in enumerate(regulation.penalties.ladders):
        if list(ladder.steps) != sorted(ladder.steps):
            path = f"penalties.ladders.{place}.steps"
            problems.append(Problem("ladder_steps", STEPS_FALL, field=path, clause="RULES 1.8"))
        twice = seen & set(ladder.offences)
        if twice:
            path, details = f"penalties.ladders.{place}.offences", {"offences": ", ".join(sorted(twice))}
            problems.append(
                Problem("two_ladders", TWO_LADDERS, field=path, clause="RULES 8.38", details=details)
            )
        seen |= set(ladder.offences)
    return problems


BOUNDS_ORDER = gettext_noop("The lower bound may not exceed the upper one.")
SMALLEST_TABLE = gettext_noop(
    "The smallest table (%(smallest)s players) may not exceed a full one (%(size)s players)."
)
POINTS_ROW = gettext_noop("A table of %(size)s needs %(size)s values; there are %(count)s.")
NO_POINTS_ROW = gettext_noop("The regulation gives no tournament points for a table of %(players)s.")
UMA_ROW = gettext_noop("Uma needs a value for each of %(size)s places; there are %(count)s.")
OKA_WITHOUT_UMA = gettext_noop(
    "Points are returned (oka) only where there is uma: write uma, 0 0 0 0 for none."
)
OKA_BELOW_START = gettext_noop("No fewer points are returned than each began with: %(points)s.")
GROUP_BEST = gettext_noop("How many best members count is said in the mode “best”, and only there.")
GROUP_RANKING = gettext_noop("A group table is ranked by criteria of the tournament's own ranking.")
STAGE_SESSION = gettext_noop(
    "A stage begins after session %(after)s and no later than session %(sessions)s, the last one."
)
STAGE_CUT = gettext_noop("Each stage lets fewer players play on than the one before.")
TWO_LADDERS = gettext_noop("These offences already stand on another ladder: %(offences)s.")
STEPS_FALL = gettext_noop("The steps of a ladder may not go down.")
