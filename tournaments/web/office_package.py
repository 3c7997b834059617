"""The package of a workbook: a ZIP archive of parts, found by content types and relationships.

Whatever is parsed is parsed by expat, which tells of every declaration in every encoding it can read: looking for their letters
among the bytes would miss those of an encoding or a part that nobody thought of.
"""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from scoring.problems import Problem, Refusal, gettext_noop
from tournaments.web.rules import refuse_kind

MOST_UNPACKED = 20 * 1024 * 1024
MOST_PARTS = 500
MOST_ELEMENTS = 600_000
MOST_DEPTH = 100
CONTENT_TYPES = "[content_types].xml"
PACKED_AS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
FORBIDDEN_PARTS = re.compile(r"vbaProject|externalLinks/|activeX|embeddings/|connections\.xml", re.IGNORECASE)
FORBIDDEN_TYPES = re.compile(
    r"macroEnabled|vbaProject|externalLink|oleObject|activeX|control\b|connections\b|attachedToolbars",
    re.IGNORECASE,
)
BROKEN_ZIP = (
    zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError,
    IndexError, zlib.error,
)  # fmt: skip
Attributes = Mapping[str, str]


class Handler:
    """A handler for the parts of a document while it is parsed; names come without their prefix."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Handle the start of an element."""

    def end(self, name: str) -> None:
        """Handle the end of an element."""

    def text(self, data: str) -> None:
        """Handle characters."""


@dataclass
class Relationships(Handler):
    """The parts another part names, in their order: identifier, type and target."""

    base: str
    found: list[tuple[str, str, str]] = field(default_factory=list)

    def start(self, name: str, attributes: Attributes) -> None:
        """Keep a relationship; a link out of the package is allowed in a cell and nowhere else. [INTEGRITY 46]"""
        if name != "Relationship":
            return
        kind, target = attributes.get("Type", ""), attributes.get("Target", "")
        last = kind.rpartition("/")[2]
        is_outside = attributes.get("TargetMode", "") == "External"
        if FORBIDDEN_TYPES.search(last) or (is_outside and last != "hyperlink"):
            refuse_macros()
        if not is_outside:
            path = posixpath.normpath(posixpath.join("/", self.base, target)).lstrip("/")
            self.found.append((attributes.get("Id", ""), last, path.casefold()))

    def target(self, kind: str) -> str:
        """Return the path of the first part of a type; empty if there is none."""
        return next((path for _, each, path in self.found if each == kind), "")


class ContentTypes(Handler):
    """The content types of the parts."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Refuse macros, links and embedded programs. [INTEGRITY 46]"""
        if FORBIDDEN_TYPES.search(attributes.get("ContentType", "")[:300]):
            refuse_macros()


class Package:
    """The unpacked parts of an archive by their names in lower case."""

    def __init__(self, body: bytes) -> None:
        """Unpack within limits, then refuse what no part may hold."""
        self.parts = _unpacked(body)
        self.elements = 0
        self.parsed: set[str] = set()
        if CONTENT_TYPES not in self.parts:
            refuse_kind()
        if any(FORBIDDEN_PARTS.search(name) for name in self.parts):
            refuse_macros()
        self.parse(CONTENT_TYPES, ContentTypes())

    def relationships(self, path: str = "") -> Relationships:
        """Return the relationships of a part, or of the package itself."""
        folder, _, name = path.rpartition("/")
        found = Relationships(folder)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        if rels in self.parts:
            self.parse(rels, found)
        return found

    def parse(self, path: str, handler: Handler) -> None:
        """Parse a part that is needed; refuse the file as no workbook if it is missing or broken."""
        if path not in self.parts:
            refuse_kind()
        self.parsed.add(path)
        try:
            self._parse(self.parts[path], handler)
        except (expat.ExpatError, LookupError, UnicodeError):
            refuse_kind()

    def check_others(self) -> None:
        """Refuse entity declarations also in parts that are not read, if a parser would take them for XML. [INTEGRITY 48]"""
        for path in self.parts.keys() - self.parsed:
            try:
                self._parse(self.parts[path], Handler())
            except (expat.ExpatError, LookupError, UnicodeError):
                continue  # a picture, or text that nobody could parse

    def _parse(self, part: bytes, handler: Handler) -> None:
        if (
            part.count(b"<") > 2 * MOST_ELEMENTS
        ):  # an element has two at the most: known before any of them is met
            refuse_complex()
        parser = expat.ParserCreate(namespace_separator="}")
        depth = 0

        def start(name: str, attributes: Attributes) -> None:
            nonlocal depth
            depth += 1
            self.elements += 1
            if depth > MOST_DEPTH or self.elements > MOST_ELEMENTS:
                refuse_complex()
            handler.start(name.rpartition("}")[2], attributes)

        def end(name: str) -> None:
            nonlocal depth
            depth -= 1
            handler.end(name.rpartition("}")[2])

        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse_declaration
        try:
            parser.Parse(part, True)
        except expat.ExpatError as error:
            if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_MEMORY]:
                raise MemoryError from error
            raise


def _unpacked(body: bytes) -> dict[str, bytes]:
    """Unpack every part; neither the declared sizes nor the real ones may exceed the limit. [INTEGRITY 47]"""
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
        infos = archive.infolist()
    except BROKEN_ZIP:
        refuse_kind()
    if any(info.flag_bits & 1 for info in infos):
        refuse_locked()
    if sum(info.file_size for info in infos) > MOST_UNPACKED or len(infos) > MOST_PARTS:
        refuse_unpacked()
    if any(info.compress_type not in PACKED_AS for info in infos):
        refuse_kind()
    parts: dict[str, bytes] = {}
    left = MOST_UNPACKED
    for info in infos:
        name = info.filename.replace("\\", "/").lstrip("/").casefold()
        try:
            with archive.open(info) as file:
                part = file.read(left + 1)
        except BROKEN_ZIP:
            refuse_kind()
        left -= len(part)
        if left < 0:
            refuse_unpacked()
        if name in parts:  # two parts of one name: one reader would take this, another that
            refuse_kind()
        parts[name] = part
    return parts


# Refusals


def _refuse_declaration(*_: object) -> NoReturn:
    """[INTEGRITY 48]"""
    sentence = gettext_noop("The file contains forbidden declarations.")
    raise Refusal(Problem("file_unsafe", sentence, "file"))


def refuse_macros() -> NoReturn:
    """[INTEGRITY 46]"""
    sentence = gettext_noop("Files with macros or links are not accepted.")
    raise Refusal(Problem("macro_file", sentence, "file"))


def refuse_locked() -> NoReturn:
    """Refuse a workbook with a password. [INTEGRITY 49]"""
    raise Refusal(Problem("file_locked", gettext_noop("Remove the password and upload again."), "file"))


def refuse_unpacked() -> NoReturn:
    """[INTEGRITY 47]"""
    sentence = gettext_noop("The file is too large when unpacked.")
    raise Refusal(Problem("unpacked_too_large", sentence, "file"))


def refuse_complex() -> NoReturn:
    """Refuse a file with more parts than any list of players has."""
    sentence = gettext_noop(
        "This file is too complex. Copy the list of players into a new table and save that."
    )
    raise Refusal(Problem("file_too_complex", sentence, "file"))
