"""The door for programs: one JSON object in, one out, every field checked before anything is drawn."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring.problems import Problem, Refusal, gettext_noop
from seating.rules.checks import MOST_PLAYERS, seed_problem
from seating.rules.fixed import fixed_plan
from seating.rules.plan import LABELS, Entrant, FixedRequest, Id, Lock, Round
from seating.rules.quality import Quality
from seating.rules.random_draw import METHOD, METHOD_WITH_PAST, random_draw
from seating.rules.swiss import Mode, Placed, SwissRequest, swiss_round

_LONGEST_TEXT = 200
_LARGEST_NUMBER = 10**15

REQUIRED = {
    "fixed": ("players", "rounds_wanted"),
    "swiss": ("standings",),
    "random": ("seed", "numbers"),
}
OPTIONAL = {
    "fixed": (
        *("table_size", "existing", "locks", "absent", "joined", "tables", "seed", "apart", "no_repeats"),
        "mode",
    ),
    "swiss": ("round", "table_size", "seed", "history", "was_short", "apart", "mode"),
    "random": ("was_short", "mode"),
}
_PLACED = ("rank", "tp", "gp", "group", "person")
_LOCK = ("table", "seat")


def fixed(asked: object) -> dict[str, object]:
    """Answer a request for all rounds of an event."""
    reader = _Reader()
    fields = reader.mapping(asked, "", REQUIRED["fixed"], OPTIONAL["fixed"])
    size = reader.number(fields, "table_size", 4, least=1)
    request = FixedRequest(
        players=reader.each(fields, "players", reader.entrant),
        rounds_wanted=reader.number(fields, "rounds_wanted", 1),
        table_size=size,
        existing=reader.each(fields, "existing", reader.round),
        locks=reader.each(fields, "locks", reader.lock),
        absent=reader.absent(fields),
        joined=reader.joined(fields),
        tables=reader.number(fields, "tables", 0) if fields.get("tables") is not None else None,
        seed=reader.seed(fields),
        apart=reader.each(fields, "apart", reader.pair),
        no_repeats=reader.truth(fields, "no_repeats"),
    )
    reader.finish()
    plan = fixed_plan(request)
    given = list(fields.get("existing") or ())
    new = [_round(a_round) for a_round in plan.rounds[len(given) :]]
    return {"rounds": [*given, *new], "quality": told_quality(plan.quality)}


def swiss(asked: object, mode: str | None = None) -> list[list[Any]]:
    """Answer a request for the tables of one round: a list of tables, the best first.

    A mode that is asked for beside the request stands above the one within it.
    """
    reader = _Reader()
    fields = reader.mapping(asked, "", REQUIRED["swiss"], OPTIONAL["swiss"])
    request = SwissRequest(
        standings=reader.standings(fields),
        round=reader.number(fields, "round", 1),
        mode=reader.mode(fields) if mode is None else Mode(mode),
        table_size=reader.number(fields, "table_size", 4, least=1),
        seed=reader.seed(fields),
        history=reader.each(fields, "history", reader.round),
        was_short=reader.each(fields, "was_short", reader.player_id),
        apart=reader.each(fields, "apart", reader.pair),
    )
    reader.finish()
    return [list(table) for table in swiss_round(request).tables]


def random(asked: object) -> dict[str, object]:
    """Answer a request for the draw "four-winds/1", or "four-winds/2" if somebody was short before."""
    reader = _Reader()
    fields = reader.mapping(asked, "", REQUIRED["random"], OPTIONAL["random"])
    seed = reader.seed(fields)
    numbers = reader.each(fields, "numbers", reader.drawn_number)
    short = reader.each(fields, "was_short", reader.player_id)
    reader.finish()
    draw = random_draw(seed, numbers, short=short)
    return {
        "method": METHOD_WITH_PAST if short else METHOD,
        "seed": seed,
        "numbers": sorted(numbers),
        "tables": [[*table, *[None] * (4 - len(table))] for table in draw.tables],
        "off": list(draw.off),
    }


def told_quality(quality: Quality) -> dict[str, object]:
    """Tell each measure with its bound and its sentence."""
    return {
        measure.code: {
            "value": measure.value,
            "bound": measure.bound,
            "best": measure.is_best,
            "sentence": str(measure.remark),
        }
        for measure in quality.measures
    }


def _round(a_round: Round) -> object:
    tables = [list(table) for table in a_round.tables]
    return {"tables": tables, "off": list(a_round.off)} if a_round.off else tables


class _Reader:
    """Reads fields of their kind and collects everything that is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def finish(self) -> None:
        """Refuse with all problems at once."""
        if self.problems:
            raise Refusal(*self.problems)

    def wrong(self, code: str, sentence: str, field: str, **details: object) -> None:
        """Note one problem."""
        self.problems.append(Problem(code, sentence, field=field, details={"name": field, **details}))

    def mapping(
        self, value: object, field: str, required: Sequence[str], optional: Sequence[str]
    ) -> Mapping[str, Any]:
        """Read an object, all of whose fields are known."""
        if not isinstance(value, dict):
            self.wrong("object_type", gettext_noop("“%(name)s” must be an object."), field or "request")
            self.finish()
            return {}
        for name in value:
            if name not in (*required, *optional):
                self.wrong(
                    "unknown_field", gettext_noop("There is no field “%(name)s” here."), _join(field, name)
                )
        for name in required:
            if name not in value:
                self.wrong(
                    "missing_field", gettext_noop("The field “%(name)s” is missing."), _join(field, name)
                )
        return value

    def number(self, fields: Mapping[str, Any], name: str, default: int, *, least: int = 0) -> int:
        """Read a whole number."""
        value = fields.get(name)
        if value is None and name not in fields:
            return default
        return self._whole(value, name, default, least)

    def _whole(self, value: object, field: str, default: int, least: int = 0) -> int:
        if type(value) is not int:
            self.wrong("number_type", gettext_noop("“%(name)s” must be a whole number."), field)
            return default
        if not least <= value <= _LARGEST_NUMBER:
            self.wrong(
                "out_of_range",
                gettext_noop("“%(name)s” must be from %(least)s to %(most)s."),
                field,
                least=least,
                most=_LARGEST_NUMBER,
            )
            return default
        return value

    def truth(self, fields: Mapping[str, Any], name: str) -> bool:
        """Read a yes or no."""
        value = fields.get(name, False)
        if type(value) is not bool:
            self.wrong("boolean_type", gettext_noop("“%(name)s” must be true or false."), name)
        return value is True

    def mode(self, fields: Mapping[str, Any]) -> Mode:
        """Read how much a repeated meeting counts; methods without modes pass over the field."""
        value = fields.get("mode", Mode.BALANCED)
        if value in list(Mode):
            return Mode(value)
        self.wrong(
            "value_unknown",
            gettext_noop("“%(name)s” must be one of these: %(options)s."),
            "mode",
            options=", ".join(Mode),
        )
        return Mode.BALANCED

    def seed(self, fields: Mapping[str, Any]) -> str:
        """Read a seed: a text, or a whole number taken as its digits."""
        value = fields.get("seed", "0")
        if type(value) is int and 0 <= value <= _LARGEST_NUMBER:
            return str(value)
        if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TEXT or not _is_text(value):
            self.problems.append(seed_problem())
            return "0"
        return value

    def each(self, fields: Mapping[str, Any], name: str, read: Callable[[object, str], Any]) -> list[Any]:
        """Read a list, item by item; what cannot be read is left out and noted."""
        value = fields.get(name)
        if value is None and (name not in fields or name not in ("players", "standings", "numbers")):
            return []
        if not isinstance(value, list):
            self.wrong("list_type", gettext_noop("“%(name)s” must be a list."), name)
            return []
        if len(value) > 4 * MOST_PLAYERS:
            self.wrong("too_long", gettext_noop("“%(name)s” is too long."), name)
            return []
        items = [read(item, f"{name}[{place}]") for place, item in enumerate(value)]
        return [item for item in items if item is not None]

    def player_id(self, value: object, field: str) -> Id | None:
        """Read the id of somebody: a whole number or a text."""
        if type(value) is int and -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER:
            return value
        if isinstance(value, str) and 0 < len(value) <= _LONGEST_TEXT and _is_text(value):
            return value
        self.wrong("id_type", gettext_noop("“%(name)s” must be a whole number or a text."), field)
        return None

    def drawn_number(self, value: object, field: str) -> int:
        """Read a number to be drawn."""
        return self._whole(value, field, 0)

    def _label(self, value: Mapping[str, Any], name: str, field: str) -> Id | None:
        found = value.get(name)
        return None if found is None else self.player_id(found, _join(field, name))

    def entrant(self, value: object, field: str) -> Entrant | None:
        """Read somebody to be seated."""
        fields = self._part(value, field, ("id",), LABELS)
        if not fields or (player := self.player_id(fields.get("id"), _join(field, "id"))) is None:
            return None
        return Entrant(player, **{name: self._label(fields, name, field) for name in LABELS})

    def _part(
        self, value: object, field: str, required: Sequence[str], optional: Sequence[str]
    ) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self.wrong("object_type", gettext_noop("“%(name)s” must be an object."), field)
            return {}
        return self.mapping(value, field, required, optional)

    def standings(self, fields: Mapping[str, Any]) -> list[Placed]:
        """Read those to be seated, best first; without ranks the order of the list is the standing."""
        rows = self.each(fields, "standings", lambda value, field: (value, field))
        placed = [self._placed(value, field, rank) for rank, (value, field) in enumerate(rows, start=1)]
        return [row for row in placed if row is not None]

    def _placed(self, value: object, field: str, rank: int) -> Placed | None:
        fields = self._part(value, field, ("id",), _PLACED)
        if not fields or (player := self.player_id(fields.get("id"), _join(field, "id"))) is None:
            return None
        if fields.get("rank") is not None:
            rank = self._whole(fields["rank"], _join(field, "rank"), rank)
        return Placed(player, rank, self._label(fields, "group", field), self._label(fields, "person", field))

    def lock(self, value: object, field: str) -> Lock | None:
        """Read somebody's fixed place."""
        fields = self._part(value, field, ("round", "id"), _LOCK)
        if not fields or (player := self.player_id(fields.get("id"), _join(field, "id"))) is None:
            return None
        places = [
            None if fields.get(name) is None else self._whole(fields[name], _join(field, name), 0)
            for name in _LOCK
        ]
        return Lock(self._whole(fields.get("round"), _join(field, "round"), 1), player, *places)

    def pair(self, value: object, field: str) -> tuple[Id, Id] | None:
        """Read two who must not meet."""
        if not isinstance(value, list) or len(value) != 2:
            self.wrong("pair_type", gettext_noop("“%(name)s” must be a list of two players."), field)
            return None
        one, other = (self.player_id(item, field) for item in value)
        return None if one is None or other is None else (one, other)

    def round(self, value: object, field: str) -> Round | None:
        """Read a round that was seated: its tables, or an object of tables and those without a game."""
        off: list[Any] = []
        tables = value
        if isinstance(value, dict):
            fields = self.mapping(value, field, ("tables",), ("off",))
            tables, off = fields.get("tables"), self.each(fields, "off", self.player_id)
        if not isinstance(tables, list):
            self.wrong("list_type", gettext_noop("“%(name)s” must be a list."), field)
            return None
        return Round(
            tuple(self._table(table, f"{field}[{place}]") for place, table in enumerate(tables)), tuple(off)
        )

    def _table(self, value: object, field: str) -> tuple[Id | None, ...]:
        if not isinstance(value, list):
            self.wrong("list_type", gettext_noop("“%(name)s” must be a list."), field)
            return ()
        return tuple(None if seat is None else self.player_id(seat, field) for seat in value)

    def absent(self, fields: Mapping[str, Any]) -> dict[int, frozenset[Id]]:
        """Read who is away: round number in decimal text → ids."""
        found = {}
        for key, ids in self._optional(fields, "absent").items():
            if not (key.isascii() and key.isdecimal() and len(key) < 6 and str(int(key)) == key):
                self.wrong("number_type", gettext_noop("“%(name)s” must be a whole number."), f"absent.{key}")
                continue
            found[int(key)] = frozenset(self.each({key: ids}, key, self.player_id))
        return found

    def joined(self, fields: Mapping[str, Any]) -> dict[Id, int]:
        """Read who comes late: id → first round. Keys of JSON are texts, so digits also name a number."""
        numbers = {
            str(player["id"]): player["id"]
            for player in fields.get("players") or ()
            if isinstance(player, dict) and type(player.get("id")) in (int, str)
        }
        return {
            numbers.get(key, key): self._whole(value, f"joined.{key}", 1)
            for key, value in self._optional(fields, "joined").items()
        }

    def _optional(self, fields: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = fields.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong("object_type", gettext_noop("“%(name)s” must be an object."), name)
            return {}
        return value


def _is_text(value: str) -> bool:
    """Return whether UTF-8 can hold a text."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _join(field: str, name: str) -> str:
    return f"{field}.{name}" if field else name
