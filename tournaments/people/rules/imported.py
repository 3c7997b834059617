"""A table of players on its way in: columns known by their names, every fault by row and column, doubles found."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.problems import Problem, gettext_noop
from tournaments.people.rules.names import name_problems, search_key, tidy_name
from tournaments.people.rules.pasted import HEADERS, LONGEST, LONGEST_TEXT, ema_problems
from tournaments.people.rules.registration import Listed
from tournaments.person_fields import PERSON
from tournaments.web.rules import Grid, Row

MOST_PROBLEMS = 100
LABELS = {one.name: one.label for one in PERSON}
FIELDS = tuple(LABELS)
LEAVE_OUT = "-"
NUMBER = re.compile("[1-9][0-9]{0,5}", re.ASCII)
EMAIL = re.compile(r"[^@\s,;<>\"]{1,64}@[^@\s,;<>\"]+\.[^@\s,;<>\".]{2,}")
FORMULA = ("=", "+", "@")


class Choice(StrEnum):
    """What to do with a row that looks like somebody on the list."""

    SKIP = "skip"
    UPDATE = "update"
    ADD = "add"


@dataclass(frozen=True)
class Incoming:
    """One row as it was understood; `twin` is the number of whoever it looks like."""

    row: int
    values: Mapping[str, str]
    problems: tuple[Problem, ...] = ()
    twin: int | None = None
    question: Problem | None = None
    is_same: bool = False
    choice: str = ""

    @property
    def number(self) -> int | None:
        """Return the number wished for."""
        return int(self.values["number"]) if self.values.get("number") else None


@dataclass(frozen=True)
class Understood:
    """The whole table as it was understood: which column is what, the rows, and what is wrong."""

    columns: tuple[str, ...]
    rows: tuple[Incoming, ...]
    problems: tuple[Problem, ...] = field(default=())

    @property
    def unanswered(self) -> tuple[Problem, ...]:
        """Return the questions that nobody has answered."""
        return tuple(row.question for row in self.rows if row.question and not row.choice)


@dataclass(frozen=True)
class Surroundings:
    """What is known already: headers in all languages, countries by code and name, the list, all numbers, teams."""

    countries: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict)
    listed: Sequence[Listed] = ()
    numbers: Mapping[int, str] = field(default_factory=dict)
    team_size: int | None = None
    teams: Mapping[str, int] = field(default_factory=dict)


def guessed_columns(header: Sequence[str], headers: Mapping[str, str]) -> tuple[str, ...]:
    """Return what each column holds, by its header; empty if it is not known."""
    known = {**headers, **HEADERS}
    return tuple(known.get(text.casefold().strip().rstrip(":"), "") for text in header)


def understand(
    grid: Grid,
    around: Surroundings,
    *,
    columns: Sequence[str] | None = None,
    choices: Mapping[int, str] | None = None,
) -> Understood:
    """Read every row under the names of its columns; all faults are named, nothing is dropped. [INTEGRITY 34]"""
    columns = tuple(columns or guessed_columns(grid.header, around.headers))
    problems = [*column_problems(grid.header, columns), *grid.problems]
    if "name" not in columns:
        return Understood(columns, (), tuple(problems))
    misfit = {problem.field for problem in grid.problems}
    rows = [
        _read(row, columns, grid.header, around) for row in grid.rows if f"rows.{row.number}" not in misfit
    ]
    by_name: dict[str, list[Listed]] = {}
    for other in around.listed:
        by_name.setdefault(search_key(other.name), []).append(other)
    by_number = {number: other for other in around.listed for number in other.federation_ids}
    rows = [_questioned(row, by_name, by_number, (choices or {}).get(row.row, "")) for row in rows]
    problems += [problem for row in rows for problem in row.problems]
    problems += [*_doubles(rows), *_numbers(rows, around.numbers), *_teams(rows, around)]
    return Understood(columns, tuple(rows), tuple(problems))


def column_problems(header: Sequence[str], columns: Sequence[str]) -> list[Problem]:
    """Refuse a header without names, a column twice, a column nobody knows. [INTEGRITY 34] [INTEGRITY 35] [INTEGRITY 36]"""
    problems: list[Problem] = []
    seen: set[str] = set()
    for text, name in zip(header, columns, strict=True):
        if name == LEAVE_OUT:
            continue
        key = name or text.casefold()
        if key in seen:
            sentence = gettext_noop("The column “%(c)s” occurs twice.")
            problems.append(Problem("column_twice", sentence, "columns", details={"c": text[:60]}))
        elif not name:
            sentence = gettext_noop("The column “%(c)s” is not known; remove it or map it.")
            problems.append(Problem("column_unknown", sentence, "columns", details={"c": text[:60]}))
        seen.add(key)
    if "name" not in columns:
        sentence = gettext_noop("The column “name” is missing. Found: %(list)s.")
        found = ", ".join(text[:60] for text in header)
        problems.insert(0, Problem("column_missing", sentence, "columns", details={"list": found}))
    return problems


def _read(row: Row, columns: Sequence[str], header: Sequence[str], around: Surroundings) -> Incoming:
    said = {
        name: (cell, text)
        for name, cell, text in zip(columns, row.cells, header, strict=True)
        if name and name != LEAVE_OUT
    }
    values: dict[str, str] = {}
    problems: list[Problem] = []
    for name, (cell, text) in said.items():
        values[name], found = _cell(name, cell, text, row.number, around)
        problems += found
    return Incoming(row.number, values, tuple(problems))


def _cell(name: str, cell: str, text: str, row: int, around: Surroundings) -> tuple[str, list[Problem]]:
    """Read one cell by what its column holds."""
    if name == "name":
        return _name(cell, row)
    value = tidy_name(cell)
    at = f"rows.{row}.{name}"
    if any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co"} for character in value):
        sentence = gettext_noop("Row %(r)s, “%(c)s”: invisible control characters cannot be stored.")
        return value, [Problem("cell_bad_char", sentence, at, details={"r": row, "c": text[:60]})]
    if len(value) > LONGEST.get(name, LONGEST_TEXT):
        sentence = gettext_noop("Row %(r)s, “%(c)s”: at most %(n)s characters.")
        details = {"r": row, "c": text[:60], "n": LONGEST.get(name, LONGEST_TEXT)}
        return value[:LONGEST_TEXT], [Problem("cell_too_long", sentence, at, details=details)]
    if not value:
        return "", []
    if name == "number" and not NUMBER.fullmatch(value):
        sentence = gettext_noop("Row %(r)s, “%(c)s”: write the number with digits 0–9 only.")
        return value, [Problem("number_invalid", sentence, at, details={"r": row, "c": text[:60]})]
    if name == "country":
        return _country(value, at, around.countries)
    if name == "ema_number":
        value = f"0{value}" if re.fullmatch("[0-9]{7}", value) else value
        return value, [_in_row(problem, row, name) for problem in ema_problems(value)]
    if name == "email" and not EMAIL.fullmatch(value):
        sentence = gettext_noop("Check the e-mail address; it should look like name@example.org.")
        return value, [Problem("email_invalid", sentence, at)]
    return value, []


def _name(cell: str, row: int) -> tuple[str, list[Problem]]:
    """Read a name; a line break or the beginning of a formula has crept in. [INTEGRITY 39] [INTEGRITY 40]"""
    at, value = f"rows.{row}.name", tidy_name(cell.strip())
    if "\n" in value or "\r" in value:
        sentence = gettext_noop("Row %(r)s: the name contains a line break.")
        return " ".join(value.split()), [Problem("name_bad_char", sentence, at, details={"r": row})]
    if value.startswith(FORMULA):
        sentence = gettext_noop("Row %(r)s: a name cannot start with “%(c)s”.")
        return value, [Problem("name_bad_char", sentence, at, details={"r": row, "c": value[0]})]
    return value, [_in_row(problem, row, "name") for problem in name_problems(value)]


def _country(value: str, at: str, countries: Mapping[str, str]) -> tuple[str, list[Problem]]:
    """Read a country by its code or its name in either language."""
    code = countries.get(value.casefold())
    if code:
        return code, []
    sentence = gettext_noop("“%(country)s” is no country known by a name or a code.")
    return value, [Problem("unknown_place", sentence, at, details={"country": value[:20]})]


def _in_row(problem: Problem, row: int, name: str) -> Problem:
    return Problem(
        problem.code, problem.sentence, f"rows.{row}.{name}", problem.clause, dict(problem.details or {})
    )


def _questioned(
    row: Incoming, by_name: Mapping[str, Sequence[Listed]], by_number: Mapping[str, Listed], choice: str
) -> Incoming:
    """Ask about a row that looks like somebody on the list. [INTEGRITY 42]"""
    name, ema = row.values.get("name", ""), row.values.get("ema_number", "")
    if row.problems or not name:
        return row
    certain = by_number.get(ema) if ema else None
    alike = (other for other in by_name.get(search_key(name), ()) if not (ema and other.federation_ids))
    other = certain or next(alike, None)
    if other is None:
        return row
    city = search_key(row.values.get("city", ""))
    is_same = certain is not None or (other.name == name and search_key(other.city) == city)
    sentence = (
        gettext_noop("Row %(r)s: %(name)s is already registered (no. %(n)s); choose skip or update.")
        if is_same
        else gettext_noop("Row %(r)s: looks like %(name)s, no. %(n)s; choose skip, update or add.")
    )
    code = "already_registered" if is_same else "possible_duplicate"
    details = {"r": row.row, "name": other.name, "n": other.number}
    question = Problem(code, sentence, f"rows.{row.row}.name", details=details)
    allowed = {Choice.SKIP, Choice.UPDATE} | (set() if certain else {Choice.ADD})
    known = choice if choice in allowed else ""
    return Incoming(row.row, row.values, (), other.number, question, certain is not None, known)


def _doubles(rows: Sequence[Incoming]) -> list[Problem]:
    """Find rows that describe the same player; another city or another federation number is another person. [INTEGRITY 41]

    Each row is compared with the first of every group that it could repeat, so that the time grows with the rows.
    """
    problems = []
    first: dict[tuple[str, ...], int] = {}
    for row in rows:
        name, ema, city = (search_key(row.values.get(field, "")) for field in ("name", "ema_number", "city"))
        before = [first[key] for key in _keys_to_compare(name, ema, city) if key in first]
        number = first.get(("person", ema)) if ema else None
        if name and (number or before):
            sentence = gettext_noop("Rows %(a)s and %(b)s describe the same player.")
            details = {"a": number or min(before), "b": row.row}
            problems.append(Problem("row_duplicate", sentence, f"rows.{row.row}.name", details=details))
        for key in _keys_of(name, ema, city):
            first.setdefault(key, row.row)
    return problems


def _keys_of(name: str, ema: str, city: str) -> list[tuple[str, ...]]:
    """Return the keys under which later rows find this one."""
    keys = [("name", name), ("city", name, city)]
    if ema:
        return [*keys, ("number", name, ema), ("person", ema)]
    return [*keys, ("no number", name), ("no number", name, city)]


def _keys_to_compare(name: str, ema: str, city: str) -> list[tuple[str, ...]]:
    """Return the keys of earlier rows that agree with this one: a value that either row leaves open agrees with any."""
    if ema:
        open_rows = [("no number", name, city), ("no number", name, "")] if city else [("no number", name)]
        return [("number", name, ema), *open_rows]
    return [("city", name, city), ("city", name, "")] if city else [("name", name)]


def _numbers(rows: Sequence[Incoming], taken: Mapping[int, str]) -> list[Problem]:
    """Refuse a number used twice in the file or by somebody of the event. [INTEGRITY 43]"""
    problems: list[Problem] = []
    seen: dict[int, int] = {}
    for row in rows:
        if not row.values.get("number") or any(".number" in problem.field for problem in row.problems):
            continue
        number, at = int(row.values["number"]), f"rows.{row.row}.number"
        if number in seen:
            sentence = gettext_noop("Rows %(a)s and %(b)s both have number %(n)s.")
            details = {"a": seen[number], "b": row.row, "n": number}
            problems.append(Problem("number_twice", sentence, at, details=details))
        elif number in taken and number != row.twin and row.choice != Choice.SKIP:
            sentence = gettext_noop("Row %(r)s: number %(n)s belongs to %(name)s.")
            problems.append(
                Problem(
                    "number_twice", sentence, at, details={"r": row.row, "n": number, "name": taken[number]}
                )
            )
        elif row.choice == Choice.UPDATE and row.twin and number != row.twin:
            sentence = gettext_noop("Row %(r)s: a player who is on the list keeps the number %(n)s.")
            problems.append(Problem("number_twice", sentence, at, details={"r": row.row, "n": row.twin}))
        seen.setdefault(number, row.row)
    return problems


def _teams(rows: Sequence[Incoming], around: Surroundings) -> list[Problem]:
    """Refuse more players in a team than the regulation has; who is on the list already is one of them. [INTEGRITY 24]"""
    if around.team_size is None:
        return []
    problems, counts = [], dict(around.teams)
    for row in rows:
        team = row.values.get("team", "")
        if not team or (row.twin is not None and row.choice != Choice.ADD):
            continue
        if counts.get(team, 0) >= around.team_size:
            sentence = gettext_noop("Team %(t)s already has %(n)s players.")
            details = {"t": team, "n": counts[team]}
            problems.append(Problem("team_full", sentence, f"rows.{row.row}.team", details=details))
        counts[team] = counts.get(team, 0) + 1
    return problems
