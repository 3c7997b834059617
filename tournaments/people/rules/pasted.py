"""A pasted list of players: rows and columns found in plain text, every faulty row named."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from scoring.problems import Problem, gettext_noop
from tournaments.people.rules.names import length_problems, name_problems, search_key, tidy_name
from tournaments.people.rules.registration import Listed, double_problems
from tournaments.person_fields import PERSON

MOST = 2000
LONGEST = {one.name: one.longest for one in PERSON if one.longest is not None}
LONGEST_TEXT = 100
COLUMNS = ("name", "city", "country", "club", "ema_number")
"""What the columns of a list without a header hold, in the order in which the page asks for them."""
HEADERS = {heading: one.name for one in PERSON for heading in one.headings}
SAME_AS_LINE = gettext_noop(
    "The same name as in line %(line)s. Leave one of them out, or confirm that they are two people."
)
TOO_MANY_ROWS = gettext_noop("At most 2,000 lines at once; put the others on the list afterwards.")
NUMBERED = re.compile(r"^\s*\d{1,4}\s*[.)\t]\s*")


@dataclass(frozen=True)
class PastedRow:
    """One line as it was read, and what is wrong with it."""

    line: int
    values: dict[str, str]
    problems: tuple[Problem, ...] = ()
    questions: tuple[Problem, ...] = field(default=())


@dataclass(frozen=True)
class Teams:
    """How many players every team has already, and how many it may have."""

    members: Mapping[str, int] = field(default_factory=dict)
    size: int | None = None


def read_pasted(
    text: str, *, countries: Mapping[str, str], listed: Iterable[Listed], teams: Teams = Teams()
) -> list[PastedRow]:
    """Read the lines; the first names the columns if it looks like a header. Blank lines are passed over.

    A country is given by anything it is called: `countries` leads from there, in lower case, to its code.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    separator = _separator([line for _, line in lines])
    columns: tuple[str, ...] = COLUMNS
    if lines and (found := _header(_cells(lines[0][1], separator))):
        columns, lines = found, lines[1:]
    rows: list[PastedRow] = []
    known: dict[str, Listed] = {}
    lines_of: dict[str, int] = {}
    for other in listed:
        known.setdefault(search_key(other.name), other)
    for number, line in lines[:MOST]:
        row = _row(number, line, _parted_by(line, separator), columns, countries)
        key = search_key(row.values["name"])
        rows.append(_with_doubles(row, known, lines_of.get(key, 0)))
        lines_of.setdefault(key, number)
    for number, line in lines[MOST : MOST + 1]:
        rows.append(PastedRow(number, {"name": tidy_name(line)}, (Problem("too_many_rows", TOO_MANY_ROWS),)))
    return _with_full_teams(rows, teams)


def are_swapped(rows: Iterable[PastedRow], countries: Mapping[str, str]) -> bool:
    """Return whether most cities are countries while the countries are not known: two columns came the other way round."""
    said = [row.values for row in rows if row.values.get("city") or row.values.get("country")]
    codes = set(countries.values())
    odd = [
        values
        for values in said
        if values.get("country", "") not in codes and values.get("city", "").casefold() in countries
    ]
    return bool(odd) and 2 * len(odd) > len(said)


def _row(
    number: int, line: str, separator: str, columns: tuple[str, ...], countries: Mapping[str, str]
) -> PastedRow:
    cells = _cells(NUMBERED.sub("", line) if separator not in line or separator != "\t" else line, separator)
    values = dict(zip(columns, cells, strict=False))
    values["name"] = tidy_name(values.get("name", ""))
    problems = name_problems(values["name"])
    if len(cells) > len(columns):
        sentence = gettext_noop("%(n)s columns, at most %(m)s expected.")
        problems.append(Problem("cells_count", sentence, details={"n": len(cells), "m": len(columns)}))
    said = values.get("country", "")
    country = countries.get(said.casefold(), said)
    if country and country not in countries.values():
        sentence = gettext_noop("“%(country)s” is no country known by a name or a code.")
        problems.append(
            Problem("unknown_place", sentence, field="country", details={"country": country[:20]})
        )
    values["country"] = country
    problems += ema_problems(values.get("ema_number", ""))
    problems += too_long(values)
    return PastedRow(number, values, tuple(problems))


def _with_full_teams(rows: Iterable[PastedRow], teams: Teams) -> list[PastedRow]:
    """List every row that would make a team larger than the regulation allows. [SBR 2.4.3]"""
    members, told = Counter(teams.members), []
    for row in rows:
        team = tidy_name(row.values.get("team", ""))
        if team and teams.size is not None and members[team] >= teams.size:
            sentence = gettext_noop("Team %(t)s already has %(n)s players.")
            problem = Problem("team_full", sentence, "team", details={"t": team, "n": members[team]})
            row = replace(row, problems=(*row.problems, problem))
        members[team] += 1
        told.append(row)
    return told


def too_long(values: Mapping[str, str]) -> Iterator[Problem]:
    """List the values that are too long to be stored; a name, a country and a number have rules of their own."""
    for name, value in values.items():
        if name in LONGEST:
            yield from length_problems(value, LONGEST[name], field=name)


def ema_problems(number: str) -> list[Problem]:
    """Return why a number of the federation is refused: it has eight digits, or is left empty."""
    if not number or re.fullmatch("[0-9]{8}", number):
        return []
    sentence = gettext_noop("The federation number should have 8 digits; please check it.")
    return [Problem("fed_id_invalid", sentence, field="ema_number")]


def _with_doubles(row: PastedRow, known: Mapping[str, Listed], line: int) -> PastedRow:
    """Ask about rows that look like somebody on the list, or like an earlier line; the organizer decides."""
    other = known.get(search_key(row.values["name"]))
    if row.problems or (other is None and not line):
        return row
    if other is None:
        same = Problem("row_duplicate", SAME_AS_LINE, "name", details={"line": line})
        return PastedRow(row.line, row.values, row.problems, (same,))
    doubles = double_problems(row.values["name"], row.values.get("city", ""), [other])
    return PastedRow(row.line, row.values, row.problems, tuple(doubles))


def _separator(lines: list[str]) -> str:
    """Find what parts the columns: a tab, else a semicolon, else a comma, if most lines have it."""
    for separator in ("\t", ";", ","):
        if sum(separator in line for line in lines) * 2 > len(lines):
            return separator
    return "\t"


def _parted_by(line: str, separator: str) -> str:
    """Find what parts the columns of one line among others: no name has a tab or a semicolon, so either must be it."""
    return separator if separator in line else next((other for other in "\t;" if other in line), separator)


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(separator)]


def _header(cells: list[str]) -> tuple[str, ...] | None:
    """Recognise a first line that names columns."""
    names = [HEADERS.get(cell.casefold()) for cell in cells]
    if "name" not in names or None in names:
        return None
    return tuple(name for name in names if name)
