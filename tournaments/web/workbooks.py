"""Workbooks on their way in: the first sheet as text, read in a child process by what the package says. [INTEGRITY 7]

`read_file` is what that child runs; everything else calls `uploads.read_table`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, NoReturn

from scoring.problems import Problem, Refusal, gettext_noop
from tournaments.web.office_package import (
    Attributes,
    Handler,
    Package,
    Relationships,
    refuse_locked,
    refuse_unpacked,
)
from tournaments.web.rules import (
    MOST_CHARACTERS,
    MOST_COLUMNS,
    MOST_ROWS,
    Grid,
    grid_of,
    read_csv,
    refuse_columns,
    refuse_kind,
    refuse_rows,
)

ZIP, COMPOUND = b"PK\x03\x04", bytes.fromhex("d0cf11e0a1b11ae1")
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
ROWS_LOOKED_AT = 10 * MOST_ROWS
CELL = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})(?::\$?[A-Z]{1,3}\$?([1-9][0-9]{0,6}))?", re.ASCII)
WHOLE = re.compile(r"-?[0-9]{1,30}", re.ASCII)
DATE_FORMATS = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
LITERALS = re.compile(r'"[^"]*"|\[[^\[\]]*\]|[\\_*].')
DAY_ZERO = {False: date(1899, 12, 30), True: date(1904, 1, 1)}
LAST_DAY = 2_958_465


def read_file(body: bytes) -> Grid:
    """Read a CSV or XLSX file by what it is, whatever it is called. [INTEGRITY 30] [INTEGRITY 51]"""
    if body.startswith(COMPOUND):
        _refuse_compound(body)
    return _read_workbook(body) if body.startswith(ZIP) else read_csv(body)


def _refuse_compound(body: bytes) -> NoReturn:
    """Refuse the older container format: encrypted workbooks and those of before 2007. [INTEGRITY 49]"""
    if ENCRYPTED in body:
        refuse_locked()
    refuse_kind()


def _read_workbook(body: bytes) -> Grid:
    """Find the first sheet by the relationships of the package, and read it."""
    package = Package(body)
    path = package.relationships().target("officeDocument")
    book, known = Book(), package.relationships(path)
    package.parse(path, book)
    sheet = Worksheet(
        _shared(package, known), _styles(package, known), counts_from_1904=book.counts_from_1904
    )
    package.parse(_first_sheet(book, known), sheet)
    package.check_others()
    sheet.check_merged()
    return grid_of(sheet.records(), encoding="XLSX")


def _first_sheet(book: "Book", known: Relationships) -> str:
    """Return the path of the first sheet that holds a table; a sheet may be a diagram instead."""
    paths = {key: path for key, kind, path in known.found if kind == "worksheet"}
    path = next((paths[key] for key in book.sheets if key in paths), None)
    return path or refuse_kind()


def _shared(package: Package, known: Relationships) -> list[str]:
    strings = SharedStrings()
    if path := known.target("sharedStrings"):
        package.parse(path, strings)
    return strings.found


def _styles(package: Package, known: Relationships) -> list[bool]:
    styles = Styles()
    if path := known.target("styles"):
        package.parse(path, styles)
    return [styles.is_date(number) for number in styles.of_cells]


@dataclass
class Book(Handler):
    """The list of the sheets, by the identifiers of their relationships."""

    sheets: list[str] = field(default_factory=list)
    counts_from_1904: bool = False

    def start(self, name: str, attributes: Attributes) -> None:
        """Keep a sheet; its identifier is an attribute of another namespace, whose prefix can be any."""
        if name == "sheet":
            self.sheets += [value for key, value in attributes.items() if key.endswith("}id")]
        if name == "workbookPr":
            self.counts_from_1904 = attributes.get("date1904", "") in {"1", "true"}


@dataclass
class Text(Handler):
    """Text in pieces: `t` is a piece; pieces under `rPh` are about pronunciation and left out."""

    pieces: list[str] = field(default_factory=list)
    is_open: bool = False
    is_sound: bool = False

    def start(self, name: str, attributes: Attributes) -> None:
        """Begin a piece."""
        self.is_sound |= name == "rPh"
        self.is_open = name == "t" and not self.is_sound

    def end(self, name: str) -> None:
        """End a piece."""
        self.is_sound &= name != "rPh"
        self.is_open = False

    def text(self, data: str) -> None:
        """Take characters of a piece."""
        if self.is_open:
            self.pieces.append(data)

    def take(self) -> str:
        """Return what was collected, and begin anew."""
        text = "".join(self.pieces)
        self.pieces.clear()
        return text


@dataclass
class SharedStrings(Text):
    """The texts that cells name by their number."""

    found: list[str] = field(default_factory=list)

    def end(self, name: str) -> None:
        """Keep a text at its end."""
        super().end(name)
        if name == "si":
            self.found.append(self.take())


@dataclass
class Styles(Handler):
    """Number formats of cells, as far as they tell a date from a number."""

    of_cells: list[int] = field(default_factory=list)
    codes: dict[int, str] = field(default_factory=dict)
    is_of_cells: bool = False

    def start(self, name: str, attributes: Attributes) -> None:
        """Keep a number format, or the one that a style uses."""
        if name == "numFmt":
            self.codes[_whole(attributes.get("numFmtId", ""))] = attributes.get("formatCode", "")[:255]
        self.is_of_cells |= name == "cellXfs"
        if name == "xf" and self.is_of_cells:
            self.of_cells.append(_whole(attributes.get("numFmtId", "0")))

    def end(self, name: str) -> None:
        """Leave the styles of cells."""
        self.is_of_cells &= name != "cellXfs"

    def is_date(self, number: int) -> bool:
        """Return whether a format shows a date or a time."""
        code = LITERALS.sub("", self.codes.get(number, "").partition(";")[0])
        return number in DATE_FORMATS or any(letter in "dmhysDMHYS" for letter in code)


class Worksheet(Text):
    """The cells of a sheet as they would be typed, within the bounds of a list of players."""

    def __init__(self, shared: list[str], dates: list[bool], *, counts_from_1904: bool) -> None:
        """Take the texts and styles that cells refer to."""
        super().__init__()
        self.shared, self.dates, self.day_zero = shared, dates, DAY_ZERO[counts_from_1904]
        self.rows: dict[int, dict[int, str]] = {}
        self.row = self.column = self.characters = self.filled = 0
        self.kind, self.style = "", 0
        self.merged: tuple[int, str] | None = None

    def start(self, name: str, attributes: Attributes) -> None:
        """Begin a row, a cell, its content, or a range of merged cells."""
        super().start(name, attributes)
        if name == "row":
            self.row = _whole(attributes["r"]) if "r" in attributes else self.row + 1
            self.column = 0
        elif name == "c":
            self._begin_cell(attributes)
        elif name == "v":
            self.is_open = True
        elif name == "f":
            self._refuse_formula()
        elif name == "mergeCell":
            self._merge(attributes.get("ref", ""))

    def end(self, name: str) -> None:
        """Put a cell in its place at its end."""
        super().end(name)
        if name == "c" and (text := self._value(self.take())):
            self._put(text)

    def _begin_cell(self, attributes: Attributes) -> None:
        self.column += 1
        if "r" in attributes:
            letters, row, _ = _cell(attributes["r"])
            self.row, self.column = row, _column(letters)
        self.kind, self.style = attributes.get("t", "n"), _whole(attributes.get("s", "0"))

    def _refuse_formula(self) -> NoReturn:
        """[INTEGRITY 45]"""
        sentence = gettext_noop("Cell %(ref)s contains a formula; paste values only.")
        details = {"ref": f"{_letters(self.column)}{self.row}"}
        raise Refusal(Problem("formula_cell", sentence, "file", details=details))

    def _merge(self, ref: str) -> None:
        """Remember the topmost merged range: if any lies among the data, it does. Check one in the first row at once."""
        _, top, _ = _cell(ref)
        if self.merged is None or top < self.merged[0]:
            self.merged = top, ref
        if top == 1:
            self.check_merged()

    def _value(self, text: str) -> str:
        """Write a cell's value as it would be typed."""
        if self.kind == "s":
            number = _whole(text) if text else -1
            return self.shared[number] if -1 < number < len(self.shared) else refuse_kind()
        if self.kind == "b":
            return str(text == "1")
        if self.kind == "n" and text:
            return self._number(text.strip())
        return text

    def _number(self, text: str) -> str:
        try:
            value = int(text) if WHOLE.fullmatch(text) else float(text)
        except ValueError:
            refuse_kind()
        is_date = self.style < len(self.dates) and self.dates[self.style]
        if is_date and 0 <= value <= LAST_DAY:
            return self._date(value)
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)

    def _date(self, value: float) -> str:
        """Write a count of days as a date, with its time if it has one."""
        days = value + 1 if 1 <= value < 60 and self.day_zero == DAY_ZERO[False] else value
        moment = datetime.combine(self.day_zero, time()) + timedelta(seconds=round(days * 86_400))
        if value < 1:
            return moment.time().isoformat()
        return moment.date().isoformat() if float(value).is_integer() else moment.isoformat(sep=" ")

    def _put(self, text: str) -> None:
        """Put a text in its place; refuse one beyond the size of any list of players."""
        self.characters += len(text)
        if self.characters > MOST_CHARACTERS:
            refuse_unpacked()
        if self.column > MOST_COLUMNS:
            refuse_columns()
        if not 0 < self.row <= ROWS_LOOKED_AT or len(self.rows) > MOST_ROWS + 1:
            refuse_rows()
        self.rows.setdefault(self.row, {})[self.column] = text

    def records(self) -> list[list[str]]:
        """Return the rows from the first on, each up to its last cell."""
        return [_in_order(self.rows.get(number, {})) for number in range(1, max(self.rows, default=0) + 1)]

    def check_merged(self) -> None:
        """Refuse merged cells among the data. [INTEGRITY 50]"""
        if self.merged and self.merged[0] <= max(self.rows, default=0):
            sentence = gettext_noop("Cells %(ref)s are merged; unmerge them.")
            raise Refusal(Problem("merged_cells", sentence, "file", details={"ref": self.merged[1]}))


def _in_order(cells: Mapping[int, str]) -> list[str]:
    return [cells.get(column, "") for column in range(1, max(cells, default=0) + 1)]


def _whole(text: str) -> int:
    """Read a number of a row, a style or a text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else refuse_kind()


def _cell(ref: str) -> tuple[str, int, int]:
    """Read `B7`, or `B7:C9`: the column, the first row and the last."""
    match = CELL.fullmatch(ref)
    if match is None:
        refuse_kind()
    return match[1], int(match[2]), int(match[3] or match[2])


def _column(letters: str) -> int:
    """Return the number of a column: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _letters(number: int) -> str:
    """Return the letters of a column."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def job(_: Mapping[str, Any], files: list[bytes]) -> tuple[dict[str, Any]]:
    """Read the one file of a request, for `uploads.read_table`."""
    grid = read_file(files[0])
    problems = [[each.code, each.sentence, each.field, dict(each.details)] for each in grid.problems]
    rows = [[row.number, *row.cells] for row in grid.rows]
    return ({
        "header": grid.header, "rows": rows, "encoding": grid.encoding, "separator": grid.separator,
        "problems_of_rows": problems,
    },)  # fmt: skip
