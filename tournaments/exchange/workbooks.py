"""Workbooks on their way in: nothing is unpacked or parsed before it is known to be small and harmless."""

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, NoReturn

from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

from scoring.problems import Problem, Refusal, gettext_noop
from tournaments.rules.spreadsheet import (
    MOST_CHARACTERS,
    MOST_COLUMNS,
    MOST_ROWS,
    Grid,
    check_size,
    grid_of,
    read_csv,
    refuse_kind,
)

ZIP, COMPOUND = b"PK\x03\x04", bytes.fromhex("d0cf11e0a1b11ae1")
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
MOST_UNPACKED = 20 * 1024 * 1024
MOST_PARTS = 500
FORBIDDEN_PARTS = re.compile(r"vbaProject|externalLinks/|activeX|embeddings/|connections\.xml", re.IGNORECASE)
MACRO_TYPE = re.compile(rb"macroEnabled|vbaProject", re.IGNORECASE)
DECLARATION = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z0-9:]+)"')
ROWS_LOOKED_AT = 10 * MOST_ROWS


def read_file(body: bytes) -> Grid:
    """Read a CSV or XLSX file by what it is, whatever it is called. [INTEGRITY 30] [INTEGRITY 51]"""
    check_size(len(body))
    if body.startswith(COMPOUND):
        _refuse_compound(body)
    return _read_workbook(body) if body.startswith(ZIP) else read_csv(body)


def _refuse_compound(body: bytes) -> NoReturn:
    """An encrypted workbook hides in another container, and so do workbooks of the last century. [INTEGRITY 49]"""
    if ENCRYPTED in body:
        refuse_locked()
    refuse_kind()
    raise AssertionError


def refuse_locked() -> NoReturn:
    """Say that nobody can read it without the password."""
    raise Refusal(Problem("file_locked", gettext_noop("Remove the password and upload again."), "file"))


def _read_workbook(body: bytes) -> Grid:
    parts = _parts(body)
    try:
        book = load_workbook(io.BytesIO(body), read_only=True, keep_links=False)
        page = book.worksheets[0]
        path = page._worksheet_path
        page.reset_dimensions()
        records = list(_records(page))
    except Refusal:
        raise
    except Exception:
        refuse_kind()
    merged = [ref.decode() for ref in MERGED.findall(parts.get(path.lstrip("/"), b""))]
    _check_merged(merged, len(records))
    return grid_of(records, encoding="XLSX")


def _parts(body: bytes) -> dict[str, bytes]:
    """Unpack within bounds and look at every part before anything is parsed."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
        infos = archive.infolist()
    except (zipfile.BadZipFile, ValueError, EOFError):
        refuse_kind()
    if any(info.flag_bits & 1 for info in infos):
        refuse_locked()
    if sum(info.file_size for info in infos) > MOST_UNPACKED or len(infos) > MOST_PARTS:
        _refuse_unpacked()
    names = {info.filename for info in infos}
    if "[Content_Types].xml" not in names or not any(name.startswith("xl/") for name in names):
        refuse_kind()
    parts, left = {}, MOST_UNPACKED
    for info in infos:
        try:
            with archive.open(info) as file:
                parts[info.filename] = file.read(left + 1)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
            refuse_kind()
        left -= len(parts[info.filename])
        if left < 0:
            _refuse_unpacked()
    _check_parts(parts)
    return parts


def _refuse_unpacked() -> NoReturn:
    """[INTEGRITY 47]"""
    sentence = gettext_noop("The file is too large when unpacked.")
    raise Refusal(Problem("unpacked_too_large", sentence, "file"))


def _check_parts(parts: dict[str, bytes]) -> None:
    """Refuse macros, links and declarations. [INTEGRITY 46] [INTEGRITY 48]"""
    kinds = parts["[Content_Types].xml"]
    if any(FORBIDDEN_PARTS.search(name) for name in parts) or MACRO_TYPE.search(kinds):
        sentence = gettext_noop("Files with macros or links are not accepted.")
        raise Refusal(Problem("macro_file", sentence, "file"))
    for name, part in parts.items():
        is_text = name.endswith((".xml", ".rels", ".vml"))
        wide = part.startswith((b"\xff\xfe", b"\xfe\xff"))
        if is_text and (wide or DECLARATION.search(part)):
            sentence = gettext_noop("The file contains forbidden declarations.")
            raise Refusal(Problem("file_unsafe", sentence, "file"))


def _records(page: Any) -> Iterator[list[str]]:
    """Read the rows of the first page; a formula stops it. [INTEGRITY 45]"""
    taken = filled = 0
    for number, row in enumerate(page.iter_rows(max_col=MOST_COLUMNS + 1), start=1):
        cells = [_text(cell) for cell in row]
        taken += sum(map(len, cells))
        filled += any(cells)
        if len(cells) > MOST_COLUMNS and cells[MOST_COLUMNS]:
            refuse_kind()
        if taken > MOST_CHARACTERS:
            _refuse_unpacked()
        yield cells[:MOST_COLUMNS]
        if filled > MOST_ROWS + 1 or number >= ROWS_LOOKED_AT:
            return


def _text(cell: Any) -> str:
    """Write a cell's value as it would be typed."""
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "f":
        sentence = gettext_noop("Cell %(ref)s contains a formula; paste values only.")
        details = {"ref": cell.coordinate}
        raise Refusal(Problem("formula_cell", sentence, "file", details=details))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date):
        return value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat()
    return str(value)


def _check_merged(merged: list[str], rows: int) -> None:
    """Refuse merged cells among the data. [INTEGRITY 50]"""
    for ref in merged:
        _, top, _, _ = range_boundaries(ref)
        if top is not None and top <= rows:
            sentence = gettext_noop("Cells %(ref)s are merged; unmerge them.")
            raise Refusal(Problem("merged_cells", sentence, "file", details={"ref": ref}))
