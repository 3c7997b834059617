"""Tables as files: CSV for every program, workbooks for people; nothing in them is ever executed. [INTEGRITY 4]"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from scoring.problems import gettext_noop
from tournaments.record.refusal import refuse

Cell = str | int | bool | Fraction | Decimal | datetime | None


Row = Sequence[Cell]


@dataclass(frozen=True)
class FileTable:
    """One table: its columns and rows, and, above them in a workbook, what should be known of the event."""

    columns: Sequence[str]
    rows: Iterable[Row]
    facts: Sequence[tuple[str, Cell]] = ()


CSV, XLSX = "csv", "xlsx"
TYPES = {
    CSV: "text/csv; charset=utf-8",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
MOST_ROWS = 20_000
STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
FRACTION, MANY_PARTS, MOMENT = "# ??/??", "0.00##", "yyyy-mm-dd hh:mm"
MOST_PARTS = 99
WIDEST = 48


def separator_for(language: str) -> str:
    """Name the separator that a spreadsheet of this language expects: where the comma parts decimals, a semicolon."""
    return "comma" if language.startswith("en") else "semicolon"


def csv_lines(sheet: FileTable, *, separator: str = "comma") -> Iterator[bytes]:
    """Write a table line by line, as UTF-8 with the mark by which spreadsheets know it."""
    line = io.StringIO()
    writer = csv.writer(line, delimiter=SEPARATORS[separator], lineterminator="\r\n")
    yield b"\xef\xbb\xbf"
    for row in _all_rows(sheet):
        writer.writerow([csv_text(cell) for cell in row])
        yield line.getvalue().encode()
        line.seek(0)
        line.truncate()


def _all_rows(sheet: FileTable) -> Iterator[Sequence[Cell]]:
    yield sheet.columns
    yield from sheet.rows


def csv_text(cell: Cell) -> str:
    """Write a cell: numbers as they are, fractions exactly, texts so that no spreadsheet runs them."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | Decimal):
        return str(cell)
    if isinstance(cell, Fraction):
        return exact_text(cell)
    if isinstance(cell, datetime):
        return cell.strftime("%Y-%m-%d %H:%M")
    return f"'{cell}" if cell.startswith(STARTS_A_FORMULA) else cell


def exact_text(value: Fraction) -> str:
    """Write a fraction as a whole and a part, always both: “0 1/3” is a number to a spreadsheet, “1/3” a date."""
    whole, part = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole} {part}" if part else f"{sign}{whole}"


def workbook(sheets: Iterable[tuple[str, FileTable]]) -> bytes:
    """Write tables as one workbook, a page for each: texts are texts, fractions are shown as fractions."""
    book = Workbook(write_only=True)
    for title, sheet in sheets:
        _add_page(book, title, sheet)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _add_page(book: Workbook, title: str, sheet: FileTable) -> None:
    rows = []
    for row in sheet.rows:
        rows.append(row)
        if len(rows) > MOST_ROWS:
            sentence = gettext_noop("More than %(n)s rows are too many for a workbook; take the CSV file.")
            refuse("too_many_rows", sentence, n=MOST_ROWS)
    page = book.create_sheet(_page_title(title))
    if not sheet.facts:
        page.freeze_panes = "A2"
    for number, width in enumerate(_widths(sheet.columns, rows), start=1):
        page.column_dimensions[get_column_letter(number)].width = width
    for name, value in sheet.facts:
        page.append([_bold(page, name), _cell(page, value)])
    if sheet.facts:
        page.append([])
    page.append([_bold(page, column) for column in sheet.columns])
    for row in rows:
        page.append([_cell(page, value) for value in row])


def _page_title(title: str) -> str:
    """Return what a workbook takes as the title of a page."""
    return re.sub(r"[\[\]:*?/\\]", " ", title)[:31]


def _widths(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[int]:
    """Make columns as wide as what stands in them, within reason."""
    widths = [len(column) for column in columns]
    for row in rows[:200]:
        widths = [max(width, len(csv_text(cell))) for width, cell in zip(widths, row, strict=True)]
    return [min(width + 2, WIDEST) for width in widths]


def _bold(page: object, text: str) -> WriteOnlyCell:
    cell = _cell(page, text)
    cell.font = Font(bold=True)
    return cell


def _cell(page: object, value: Cell) -> WriteOnlyCell:
    """Write a cell of the right kind; a text stays one even if it looks like a formula."""
    if isinstance(value, Fraction):
        cell = WriteOnlyCell(page, value=float(value))
        cell.number_format = FRACTION if value.denominator <= MOST_PARTS else MANY_PARTS
        return cell
    if isinstance(value, datetime):
        cell = WriteOnlyCell(page, value=value)
        cell.number_format = MOMENT
        return cell
    if isinstance(value, str):
        cell = WriteOnlyCell(page, value=UNPRINTABLE.sub("", value))
        cell.data_type = "s"
        return cell
    return WriteOnlyCell(page, value=value)
