"""Reading a JSON object field by field: gathers everything that is wrong with it, so that it is refused at once.

    fields = Fields(case)
    by = fields.choice("by", ("discard", "self_draw"))
    last = fields.flag("last_tile")
    fields.finish()          # every field that nobody asked for is a problem
    fields.refuse()          # raises Refusal with all problems, if there are any

A getter that meets a problem notes it and gives a harmless value, so that reading goes on.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from scoring.problems import Problem, Refusal, gettext_noop
from scoring.seats import Seat

FIELD_NEEDED = gettext_noop("The field “%(field)s” is missing.")
FIELD_UNKNOWN = gettext_noop("The field “%(field)s” is not known here.")
OBJECT = gettext_noop("The field “%(field)s” must be an object.")
LIST = gettext_noop("The field “%(field)s” must be a list.")
FLAG = gettext_noop("The field “%(field)s” must be true or false.")
TEXT = gettext_noop("The field “%(field)s” must be a text.")
WRONG_VALUE = gettext_noop("The field “%(field)s” may not be “%(value)s”; it is one of: %(options)s.")
WRONG_RANGE = gettext_noop("The field “%(field)s” must be a whole number from %(low)s to %(high)s.")
WRONG_MINIMUM = gettext_noop("The field “%(field)s” must be a whole number, %(low)s or more.")
SEAT_REPEATED = gettext_noop("The field “%(field)s” names a seat twice.")


def as_written(value: object) -> str:
    """Show a value as it stood in the JSON: texts bare, `null`, `true`, lists in brackets."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


class Fields:
    """One JSON object under reading. Inner objects share its list of problems."""

    def __init__(self, raw: object, path: str = "", problems: list[Problem] | None = None) -> None:
        """Take the object; anything else is the first problem."""
        self.path = path
        self.problems: list[Problem] = [] if problems is None else problems
        self.raw: Mapping[str, object] = {}
        self._asked: set[str] = set()
        if isinstance(raw, Mapping):
            self.raw = raw
        else:
            self._wrong_type(path, OBJECT)

    def has(self, name: str) -> bool:
        """Return whether the field is there and not null."""
        return self._get(name) is not None

    def problem(
        self, code: str, sentence: str, name: str = "", *, clause: str = "", **details: object
    ) -> None:
        """Note a problem with one field of this object."""
        self.problems.append(Problem(code, sentence, field=self.place(name), clause=clause, details=details))

    def place(self, name: str) -> str:
        """Return the full path of a field of this object."""
        return ".".join(part for part in (self.path, name) if part)

    def flag(self, name: str) -> bool:
        """Read true or false; absent or null is false."""
        value = self._get(name)
        if value is not None and not isinstance(value, bool):
            self._wrong_type(self.place(name), FLAG)
        return value is True

    def choice(self, name: str, options: Iterable[str], *, default: str | None = None) -> str:
        """Read one of some words; without a default it must be there. A problem gives an empty text."""
        options = tuple(options)
        value = self._get(name)
        if value is None:
            return default if default is not None else self._needed(name)
        if value not in options:
            shown = {"value": as_written(value), "options": ", ".join(options)}
            self.problem("value_unknown", WRONG_VALUE, name, **shown, **self._called(name))
            return ""
        return str(value)

    def seat(self, name: str, seats: Iterable[Seat], *, needed: bool = True) -> Seat | None:
        """Read one of the seats in play."""
        options = [str(seat) for seat in seats]
        value = self.choice(name, options, default=None if needed else "")
        return Seat(value) if value else None

    def seats(self, name: str, among: Iterable[Seat]) -> tuple[Seat, ...]:
        """Read a list of different seats."""
        allowed = [str(seat) for seat in among]
        found: list[Seat] = []
        for at, value in enumerate(self.items(name)):
            if value in allowed:
                found.append(Seat(str(value)))
            else:
                shown = {"value": as_written(value), "options": ", ".join(allowed)}
                where = f"{name}.{at}"
                self.problem("value_unknown", WRONG_VALUE, where, **shown, **self._called(where))
        if len(set(found)) < len(found):
            self.problem("seat_repeated", SEAT_REPEATED, name, **self._called(name))
        return tuple(dict.fromkeys(found))

    def number(self, name: str, *, low: int = 0, high: int | None = None, default: int | None = None) -> int:
        """Read a whole number within bounds; true and 3.0 are none."""
        value = self._get(name)
        if value is None and default is not None:
            return default
        if value is None:
            self._needed(name)
            return low
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and low <= value and (high is None or value <= high):  # type: ignore[operator]
            return int(value)  # type: ignore[call-overload, no-any-return]
        code = "out_of_range" if whole else "number_type"
        sentence = WRONG_MINIMUM if high is None else WRONG_RANGE
        self.problem(code, sentence, name, low=low, high=high, **self._called(name))
        return low

    def text(self, name: str, *, default: str | None = None) -> str:
        """Read a text."""
        value = self._get(name)
        if value is None:
            return default if default is not None else self._needed(name)
        if not isinstance(value, str):
            self._wrong_type(self.place(name), TEXT)
            return ""
        return value

    def items(self, name: str, *, needed: bool = True) -> list[Any]:
        """Read a list, its entries as they are."""
        value = self._get(name)
        if value is None:
            if needed:
                self._needed(name)
            return []
        if not isinstance(value, list | tuple):
            self._wrong_type(self.place(name), LIST)
            return []
        return list(value)

    def inner(self, name: str, *, needed: bool = True) -> "Fields":
        """Read an object within this one; its problems are gathered here too."""
        value = self._get(name)
        if value is None:
            if needed:
                self._needed(name)
            value = {}
        return Fields(value, self.place(name), self.problems)

    def objects(self, name: str, *, needed: bool = True) -> list["Fields"]:
        """Read a list of objects within this one."""
        return [
            Fields(value, self.place(f"{name}.{at}"), self.problems)
            for at, value in enumerate(self.items(name, needed=needed))
        ]

    def ignore(self, *names: str) -> None:
        """Count some fields as known; somebody else reads them."""
        self._asked.update(names)

    def finish(self) -> None:
        """Note every field that nobody has asked for."""
        for name in self.raw:
            if name not in self._asked:
                self.problem("unknown_field", FIELD_UNKNOWN, str(name), **self._called(str(name)))

    def refuse(self) -> None:
        """Refuse with every problem found so far; pass in silence when there is none."""
        if self.problems:
            raise Refusal(*self.problems)

    def _get(self, name: str) -> object:
        self._asked.add(name)
        return self.raw.get(name)

    def _called(self, name: str) -> dict[str, str]:
        return {"field": self.place(name)}

    def _needed(self, name: str) -> str:
        self.problem("field_needed", FIELD_NEEDED, name, **self._called(name))
        return ""

    def _wrong_type(self, place: str, sentence: str) -> None:
        self.problems.append(Problem("value_type", sentence, field=place, details={"field": place}))
