"""A file of rows and columns as text: its encoding, its separator, its cells; nothing is guessed in silence."""

import codecs
import re
from dataclasses import dataclass, field
from itertools import islice
from typing import NoReturn

from scoring.problems import Problem, Refusal, gettext_noop

MOST_BYTES = 1024 * 1024
MOST_ROWS = 2000
MOST_COLUMNS = 50
MOST_CHARACTERS = 1_000_000
MOST_IN_CELL = 1000
"""Cells are cut at this length, which is more than any column takes: its own check refuses them as too long."""
SEPARATORS = (";", "\t", ",", "|")
UTF_8, UTF_16, WINDOWS = "UTF-8", "UTF-16", "Windows-1251"
MARKS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, UTF_16), (codecs.BOM_UTF16_BE, UTF_16))
NOT_TABLES = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF",
    b"Rar!",
    b"\x1f\x8b",
    b"7z\xbc\xaf",
    b"BM",
    b"\x7fELF",
)
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
HIGH = re.compile("[^\x00-\x7f]")
RUSSIAN = re.compile("[А-Яа-яЁё]")
TYPOGRAPHY = frozenset("«»„“”‘’–—…№\u00a0·•§°")
MIXED = re.compile("[A-Za-z][А-Яа-яЁё]|[А-Яа-яЁё][A-Za-z]")
INSIDE_OUT = re.compile("[а-яё][А-ЯЁ]{2,}")


@dataclass(frozen=True)
class Row:
    """One row by the number under which a spreadsheet shows it."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """A header, the rows beneath it, and how they were read."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    encoding: str = ""
    separator: str = ""
    problems: tuple[Problem, ...] = field(default=())


def check_size(size: int) -> None:
    """Refuse a file that is empty or too large, before any of it is read. [INTEGRITY 27] [INTEGRITY 28]"""
    if not size:
        raise Refusal(Problem("file_empty", gettext_noop("The file has no rows."), "file"))
    if size > MOST_BYTES:
        sentence = gettext_noop("At most 1 MB; your file has %(size)s bytes.")
        raise Refusal(Problem("file_too_large", sentence, "file", details={"size": size}))


def read_csv(body: bytes) -> Grid:
    """Read a text of separated values; what is wrong with the file as a whole is refused."""
    text, encoding = decoded(body)
    separator = separator_of(text)
    records = split_records(text, separator)
    return grid_of(records, encoding=encoding, separator=separator, is_padded=False)


def decoded(body: bytes) -> tuple[str, str]:
    """Find the encoding: by its mark, else UTF-8, else Windows-1251 if it reads like Russian. [INTEGRITY 31] [INTEGRITY 32]"""
    if body.startswith(NOT_TABLES):
        refuse_kind()
    for mark, name in MARKS:
        if body.startswith(mark):
            return _strictly(body, "utf-8-sig" if name == UTF_8 else "utf-16", name), name
    if wide := _unmarked_utf_16(body):
        return _strictly(body, wide, UTF_16), UTF_16
    if b"\0" in body:
        refuse_kind()
    try:
        return body.decode("utf-8"), UTF_8
    except UnicodeDecodeError:
        pass
    text = body.decode("cp1251", errors="replace")
    if not reads_like_russian(text):
        refuse_encoding()
    return text, WINDOWS


def reads_like_russian(text: str) -> bool:
    """Return whether a text read as Windows-1251 makes sense: letters of one alphabet a word, capitals in front."""
    high = HIGH.findall(text)
    if not high or "\ufffd" in text or CONTROLS.search(text):
        return False
    sensible = sum(1 for character in high if RUSSIAN.match(character) or character in TYPOGRAPHY)
    words = len(re.findall("[А-Яа-яЁё]{3,}", text))
    inside_out = len(INSIDE_OUT.findall(text))
    strange = inside_out > 0 and inside_out * 4 >= words
    return sensible * 10 >= len(high) * 9 and not MIXED.search(text) and not strange


def refuse_kind() -> NoReturn:
    """Say that this is no table at all. [INTEGRITY 30]"""
    raise Refusal(Problem("not_a_table", gettext_noop("This is not a CSV or XLSX file."), "file"))


def refuse_rows() -> NoReturn:
    """[INTEGRITY 29]"""
    raise Refusal(Problem("too_many_rows", gettext_noop("At most 2,000 rows per file."), "file"))


def refuse_columns() -> NoReturn:
    """Say that no list of players is that wide."""
    raise Refusal(Problem("too_many_columns", gettext_noop("At most 50 columns per file."), "file"))


def refuse_encoding() -> NoReturn:
    """Say how to save the file. [INTEGRITY 31]"""
    sentence = gettext_noop("Save the file as UTF-8 (CSV UTF-8) and try again.")
    raise Refusal(Problem("encoding_unknown", sentence, "file"))


def separator_of(text: str) -> str:
    """Return the separator of the first line; a file of one column has none."""
    quoted = False
    counts = dict.fromkeys(SEPARATORS, 0)
    for character in text.lstrip("\r\n"):
        if character == '"':
            quoted = not quoted
        elif not quoted and character in "\r\n":
            break
        elif not quoted and character in counts:
            counts[character] += 1
    found = max(SEPARATORS, key=lambda one: counts[one])
    return found if counts[found] else ""


def split_records(text: str, separator: str) -> list[list[str]]:
    """Split into records and cells; quotation marks hold separators and line breaks together. [INTEGRITY 37]"""
    if '"' not in text:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
        return [_cells_of(line, separator) if line.strip() else [] for line in lines]
    # One loop without calls: it runs for every character of an uploaded file.
    records: list[list[str]] = []
    cells: list[str] = []
    cell: list[str] = []
    quoted_from = 0
    is_blank = True  # looking through the cell at each quotation mark would take quadratic time
    position, end = 0, len(text)
    while position < end:
        character = text[position]
        position += 1
        if quoted_from:
            if character != '"':
                cell.append(character)
            elif position < end and text[position] == '"':
                cell.append('"')
                position += 1
            else:
                quoted_from = 0
        elif character == '"' and is_blank:
            cell.clear()
            quoted_from, is_blank = len(records) + 1, False
        elif character == separator:
            cells.append("".join(cell))
            cell.clear()
            is_blank = True
        elif character in "\r\n":
            if character == "\r" and position < end and text[position] == "\n":
                position += 1
            records.append([*cells, "".join(cell)])
            cells.clear()
            cell.clear()
            is_blank = True
        else:
            cell.append(character)
            is_blank = is_blank and character.isspace()
    if quoted_from:
        sentence = gettext_noop("A quotation mark opened in row %(r)s is never closed.")
        raise Refusal(Problem("csv_broken", sentence, "file", details={"r": quoted_from}))
    if cells or cell:
        records.append([*cells, "".join(cell)])
    return records


def _cells_of(line: str, separator: str) -> list[str]:
    return line.split(separator) if separator else [line]


def grid_of(
    records: list[list[str]], *, encoding: str = "", separator: str = "", is_padded: bool = True
) -> Grid:
    """Take the first row that is not empty as the header; rows that do not fit it are listed as problems. [INTEGRITY 38]

    Workbooks leave cells at the end of a row away, so their rows are padded.
    """
    all_filled = (
        Row(number, tuple(cell[:MOST_IN_CELL] for cell in cells))
        for number, cells in enumerate(records, start=1)
        if any(map(str.strip, cells))
    )
    filled = list(islice(all_filled, MOST_ROWS + 2))
    if len(filled) < 2:
        raise Refusal(Problem("file_empty", gettext_noop("The file has no rows."), "file"))
    header = tuple(cell.strip() for cell in _without_tail(filled[0].cells))
    if len(header) > MOST_COLUMNS:
        refuse_columns()
    if len(filled) - 1 > MOST_ROWS:
        refuse_rows()
    problems: list[Problem] = []
    rows = []
    for row in filled[1:]:
        cells = _without_tail(row.cells, len(header))
        if is_padded or len(cells) == len(header):
            cells = (*cells, *[""] * (len(header) - len(cells)))
        if len(cells) != len(header):
            problems.append(_misfit(row, cells, header, separator))
        rows.append(Row(row.number, cells[: len(header)]))
    return Grid(header, tuple(rows), encoding, separator, tuple(problems))


def _without_tail(cells: tuple[str, ...], least: int = 0) -> tuple[str, ...]:
    """Drop empty cells at the end."""
    length = len(cells)
    while length > least and not cells[length - 1].strip():
        length -= 1
    return cells[:length]


def _misfit(row: Row, cells: tuple[str, ...], header: tuple[str, ...], separator: str) -> Problem:
    """Tell a row with other separators from one with too few or too many cells. [INTEGRITY 33] [INTEGRITY 38]"""
    details = {"r": row.number, "n": len(cells), "m": len(header)}
    line = separator.join(row.cells)
    others = (one for one in SEPARATORS if one != separator)
    if separator and any(line.count(one) == len(header) - 1 for one in others):
        sentence = gettext_noop("Row %(r)s has %(n)s columns, the header has %(m)s.")
        return Problem("separator_mixed", sentence, f"rows.{row.number}", details=details)
    sentence = gettext_noop("Row %(r)s: %(n)s cells, expected %(m)s.")
    return Problem("cells_count", sentence, f"rows.{row.number}", details=details)


def _strictly(body: bytes, codec: str, name: str) -> str:
    try:
        return body.decode(codec)
    except UnicodeDecodeError:
        refuse_encoding()
    raise AssertionError(name)


def _unmarked_utf_16(body: bytes) -> str:
    """Recognise UTF-16 without its mark: nothing in every other byte of plain characters, and a text that makes sense."""
    if len(body) % 2 or b"\0" not in body:
        return ""
    even, odd = body[::2].count(0), body[1::2].count(0)
    if even and odd:
        return ""
    codec = "utf-16-le" if odd else "utf-16-be"
    text = body.decode(codec, errors="replace")
    is_text = "\ufffd" not in text and not CONTROLS.search(text)
    return codec if is_text and all(map(_is_known, text)) else ""


def _is_known(character: str) -> bool:
    return character in "\r\n\t" or character.isprintable()
