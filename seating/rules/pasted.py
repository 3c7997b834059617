"""A plan made elsewhere as text: lines of tables or a table of columns, every fault named by its line."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.problems import Problem, gettext_noop

MOST_LINES = 5000
MOST_TABLES = 9999
WORDS = {
    "session": {"session", "round", "сессия", "тур"},
    "table": {"table", "стол"},
    "E": {"e", "east", "восток", "в", "1"},
    "S": {"s", "south", "юг", "ю", "2"},
    "W": {"w", "west", "запад", "з", "3"},
    "N": {"n", "north", "север", "с", "4"},
}
WINDS = "ESWN"
NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
EMPTY = {"", "-", "—", "0", "x"}
MOST_SEATS = 8
Rounds = list[dict[str, Any]]


def read_plan(text: str, names: Mapping[str, int]) -> tuple[Rounds, list[Problem]]:
    """Read a pasted plan; names stand for their numbers. Gives the sessions in their order, and what is wrong."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff").split("\n")
    if len(lines) > MOST_LINES:
        return [], [_fault("too_large", gettext_noop("A plan has at most 5000 lines."), 0)]
    columns = _columns(next((line for line in lines if line.strip()), ""))
    if columns is not None:
        rounds, problems = _read_table(lines, columns, names)
    else:
        rounds, problems = _read_script(lines)
    if not rounds and not problems:
        problems.append(_fault("empty", gettext_noop("Paste a plan: one table on each line."), 0))
    return rounds, problems


def _read_script(lines: Sequence[str]) -> tuple[Rounds, list[Problem]]:
    """Read lines of numbers; a blank line or a heading begins the next session."""
    rounds: list[list[list[int | None]]] = [[]]
    problems: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or _is_heading(line):
            if rounds[-1]:
                rounds.append([])
            continue
        seats = [part for part in re.split(r"[\s\-–—,;:|]+", line.strip()) if part]
        wrong = [part for part in seats if not NUMBER.fullmatch(part)]
        if wrong:
            sentence = gettext_noop("Line %(line)s: “%(text)s” is not a number.")
            problems.append(_fault("number_format", sentence, number, text=wrong[0][:30]))
            continue
        if len(seats) > MOST_SEATS:
            sentence = gettext_noop(
                "Line %(line)s: %(n)s numbers are no table; each table stands on a line of its own."
            )
            problems.append(_fault("table_size", sentence, number, n=len(seats)))
            continue
        rounds[-1].append([int(part) or None for part in seats])
    return [{"tables": tables, "off": []} for tables in rounds if tables], problems


def _is_heading(line: str) -> bool:
    """Tell a heading such as “Session 2” from a table with a slip in it."""
    first = line.split()[0]
    is_word = first.startswith("#") or (first[0].isalpha() and len(first) > 1)
    return is_word and len(re.findall(r"[0-9]+", line)) < 3


def _columns(line: str) -> tuple[str, dict[int, str]] | None:
    """Recognize a heading of columns: session, table and the four winds."""
    for mark in ";\t,":
        cells = [cell.strip().strip('"').casefold() for cell in line.split(mark)]
        found = {
            place: name for place, cell in enumerate(cells) for name, words in WORDS.items() if cell in words
        }
        if {"session", "table", "E", "S"} <= set(found.values()):
            return mark, found
    return None


def _read_table(
    lines: Sequence[str], columns: tuple[str, dict[int, str]], names: Mapping[str, int]
) -> tuple[Rounds, list[Problem]]:
    mark, places = columns
    rounds: dict[int, dict[int, list[int | None]]] = {}
    problems: list[Problem] = []
    is_heading = True
    rows = csv.reader(io.StringIO("\n".join(lines)), delimiter=mark)
    for number, cells in _numbered(rows, problems):
        if not any(cell.strip() for cell in cells):
            continue
        if is_heading:
            is_heading = False
            continue
        row = {name: cells[place].strip() for place, name in places.items() if place < len(cells)}
        faults = list(_row_faults(row, number, names))
        problems += faults
        if faults:
            continue
        tables = rounds.setdefault(int(row["session"]), {})
        table = int(row["table"])
        if table in tables:
            sentence = gettext_noop(
                "Line %(line)s: table %(table)s of session %(session)s stands there twice."
            )
            problems.append(
                _fault("table_twice", sentence, number, table=row["table"], session=row["session"])
            )
        tables[table] = [_who(row.get(wind, ""), names) for wind in WINDS if wind in places.values()]
    return [
        {"tables": [tables[table] for table in sorted(tables)], "off": []}
        for _, tables in sorted(rounds.items())
    ], problems


def _numbered(rows: Any, problems: list[Problem]) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with the line each ends at; what is no row of a table at all is named and ends the reading."""
    try:
        for cells in rows:
            yield rows.line_num, cells
    except csv.Error:
        sentence = gettext_noop("Line %(line)s cannot be read as a row of a table.")
        problems.append(_fault("bad_row", sentence, rows.line_num))


def _row_faults(row: Mapping[str, str], line: int, names: Mapping[str, int]) -> Iterator[Problem]:
    for name in ("session", "table"):
        text = row.get(name, "")
        if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
            yield _fault(
                "number_format",
                gettext_noop("Line %(line)s: “%(text)s” is not a number."),
                line,
                text=text[:30],
            )
        elif not 1 <= int(text) <= MOST_TABLES:
            sentence = (
                gettext_noop("Line %(line)s: table numbers run from 1 to %(n)s.")
                if name == "table"
                else gettext_noop("Line %(line)s: session numbers run from 1 to %(n)s.")
            )
            yield _fault(f"{name}_number", sentence, line, n=MOST_TABLES)
    for wind in WINDS:
        text = row.get(wind, "")
        if text not in EMPTY and not NUMBER.fullmatch(text) and text.casefold() not in names:
            sentence = gettext_noop("Line %(line)s: “%(text)s” is not among the players.")
            yield _fault("unknown_player", sentence, line, text=text[:60])


def _who(text: str, names: Mapping[str, int]) -> int | None:
    if text in EMPTY:
        return None
    return int(text) if NUMBER.fullmatch(text) else names[text.casefold()]


def _fault(code: str, sentence: str, line: int, **details: object) -> Problem:
    return Problem(code, sentence, field="text", details={"line": line, **details})


def job(details: Mapping[str, Any], files: Sequence[bytes]) -> tuple[dict[str, Any]]:
    """Read a plan in the child process of `tournaments/web/sandbox.py`."""
    rounds, problems = read_plan(files[0].decode(), details["names"])
    return (
        {"rounds": rounds, "faults": [[each.code, each.sentence, dict(each.details)] for each in problems]},
    )
