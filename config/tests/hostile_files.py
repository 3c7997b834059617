"""Files that somebody sends to stop a site, each kind as often and as different as a seed makes it.

Used by the tests and by `bench/uploads.py`. A kind says what such a file is answered with.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from xml.sax.saxutils import quoteattr

MEGABYTE = 1024 * 1024
NOT_A_TABLE = (415, "This is not a CSV or XLSX file.")
UNSAFE = (422, "The file contains forbidden declarations.")
UNPACKED = (413, "The file is too large when unpacked.")
MACROS = (415, "Files with macros or links are not accepted.")
COMPLEX = (422, "This file is too complex. Copy the list of players into a new table and save that.")
TOO_LONG = (422, "Reading this file takes too long. Save it anew, as plainly as possible.")
MERGED = (422, "are merged; unmerge them.")
ENCODING = (422, "Save the file as UTF-8 (CSV UTF-8) and try again.")
OPEN_QUOTE = (422, "is never closed.")
ROWS = (422, "At most 2,000 rows per file.")
COLUMNS = (422, "At most 50 columns per file.")
LONG_NAME = (422, "The name may have at most 100 characters")
NO_ROWS = (422, "The file has no rows.")
ACCEPTED = (200, "Wren")
FILE_TYPE = (415, "Allowed: JPEG, PNG, PDF up to 5 MB.")
PIXELS = (413, "At most 40 megapixels.")

OFFICE = "http://schemas.openxmlformats.org"
MAIN = f"{OFFICE}/spreadsheetml/2006/main"
RELATIONS = f"{OFFICE}/officeDocument/2006/relationships"
DECLARED = '<!DOCTYPE a [<!ENTITY b "c">]>'
BOMB = (
    "<!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'>"
    + "".join(
        f"<!ENTITY {name} '{f'&{before};' * 10}'>"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)


def sheet(rows: str = "", after: str = "") -> str:
    """A sheet with one player, and whatever else."""
    player = '<row r="2"><c r="A2" t="inlineStr"><is><t>Wren</t></is></c></row>'
    header = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
    return f'<worksheet xmlns="{MAIN}"><sheetData>{header}{player}{rows}</sheetData>{after}</worksheet>'


def workbook(
    parts: Mapping[str, bytes | str] | None = None,
    *,
    path: str = "xl/worksheets/sheet1.xml",
    packed_as: int = 8,
) -> bytes:
    """A workbook as small as can be, with some parts replaced or added; its sheet stands at a path of choice."""
    known: dict[str, bytes | str] = {
        "[Content_Types].xml": content_types(
            {"xl/workbook.xml": "sheet.main", path: "worksheet", "xl/words.bin": "sharedStrings"}
        ),
        "_rels/.rels": relationships(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relationships(
            ("worksheet", f"/{path}"), ("sharedStrings", "/xl/words.bin")
        ),
        "xl/words.bin": f'<sst xmlns="{MAIN}"/>',
        path: sheet(),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packed_as) as archive:
        for name, part in {**known, **(parts or {})}.items():
            archive.writestr(name, part)
    return file.getvalue()


def content_types(parts: Mapping[str, str]) -> str:
    """What the parts say they are."""
    rows = "".join(
        f'<Override PartName="/{path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml"/>'
        for path, kind in parts.items()
    )
    rels = (
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    )
    return f'<Types xmlns="{OFFICE}/package/2006/content-types">{rels}{rows}</Types>'


def relationships(*targets: tuple[str, str], mode: str = "Internal") -> str:
    """The relationships of a part."""
    rows = "".join(
        f'<Relationship Id="r{number}" Type="{RELATIONS}/{kind}" Target={quoteattr(target)} TargetMode="{mode}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{OFFICE}/package/2006/relationships">{rows}</Relationships>'


def declared(encoding: str, path: str = "xl/worksheets/sheet1.xml", declaration: str = DECLARED) -> bytes:
    """A workbook whose sheet begins with a declaration, in any encoding and under any name."""
    name = "utf-16" if encoding.startswith("utf-16") else encoding
    text = f'<?xml version="1.0" encoding="{name}"?>{declaration}{sheet()}'
    return workbook({path: text.encode(encoding)}, path=path)


def merged(count: int, open_end: bool = False) -> bytes:
    """A workbook of many merged ranges; with an open end, beginnings on which an expression looks ahead again and again."""
    if open_end:
        return workbook({"xl/worksheets/sheet1.xml": sheet(after=f"<!-- {'<mergeCell ' * count} -->")})
    ranges = "".join(f'<mergeCell ref="A{n}:B{n}"/>' for n in range(100_000, 100_000 + count))
    return workbook({"xl/worksheets/sheet1.xml": sheet(after=f"<mergeCells>{ranges}</mergeCells>")})


def patched(body: bytes, old: bytes, new: bytes) -> bytes:
    """The same file with some bytes replaced, as an editor of bytes does it."""
    assert old in body
    return body.replace(old, new)


def lying(dice: Random) -> bytes:
    """An archive whose central directory tells other sizes than its parts have."""
    body = bytearray(workbook({"xl/other.xml": b" " * dice.randrange(10_000, 90_000)}))
    at = body.rindex(b"PK\x01\x02")
    struct.pack_into("<II", body, at + 20, dice.randrange(1, 40), dice.randrange(1, 40))
    return bytes(body)


def overlapping(count: int) -> bytes:
    """An archive in whose directory many names lead to one and the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", 8) as archive:
        archive.writestr("xl/big.xml", b" " * 10 * MEGABYTE)
        info = archive.infolist()[0]
        for number in range(count):
            copied = zipfile.ZipInfo(f"xl/{number}.xml")
            for name in ("compress_type", "CRC", "compress_size", "file_size", "header_offset", "flag_bits"):
                setattr(copied, name, getattr(info, name))
            archive.filelist.append(copied)
        archive._didModify = True  # type: ignore[attr-defined]
    return file.getvalue()


def shared(count: int, length: int) -> bytes:
    """A workbook of many shared strings of a length."""
    words = f"<si><t>{'x' * length}</t></si>" * count
    return workbook({"xl/words.bin": f'<sst xmlns="{MAIN}">{words}</sst>'})


def pointed(length: int, cells: int) -> bytes:
    """A workbook in which many cells show one long text."""
    rows = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(3, cells + 3))
    return workbook(
        {
            "xl/words.bin": f'<sst xmlns="{MAIN}"><si><t>{"x" * length}</t></si></sst>',
            "xl/worksheets/sheet1.xml": sheet(rows),
        }
    )


# Pictures and documents of appeals


def chunk(kind: bytes, data: bytes) -> bytes:
    """A piece of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int = 8, height: int = 8, between: bytes = b"") -> bytes:
    """A picture of a size, by its header."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + between + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def jpeg(scan: bytes = b"\0", between: bytes = b"") -> bytes:
    """A photo with a scan of these bytes, and with further segments before it."""
    frame = b"\xff\xc0\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x11\x00"
    return b"\xff\xd8" + frame + between + b"\xff\xda\x00\x02" + scan + b"\xff\xd9"


@dataclass(frozen=True)
class Kind:
    """Files of one kind: how one is made of chance, what it is answered with, and its name."""

    make: Callable[[Random], bytes]
    answer: tuple[int, str]
    name: str = "players.xlsx"


SHEET = "xl/worksheets/sheet1.xml"
TABLES = {
    "bomb of one part": Kind(
        lambda dice: workbook({"xl/big.xml": b" " * dice.randrange(21, 90) * MEGABYTE}), UNPACKED
    ),
    "bomb of many parts": Kind(
        lambda dice: workbook({f"xl/{n}.xml": b" " * MEGABYTE for n in range(dice.randrange(21, 60))}),
        UNPACKED,
    ),
    "bomb of overlapping parts": Kind(lambda dice: overlapping(dice.randrange(3, 400)), UNPACKED),
    "archive in an archive": Kind(
        lambda dice: workbook({SHEET: workbook({SHEET: workbook(path=f"{dice.random()}.xml")})}), NOT_A_TABLE
    ),
    "sheet that is its own archive": Kind(
        lambda dice: workbook({SHEET: b"PK\3\4" + dice.randbytes(999)}), NOT_A_TABLE
    ),
    "too many parts": Kind(
        lambda dice: workbook({f"xl/{n}.xml": b"" for n in range(dice.randrange(501, 5_000))}), UNPACKED
    ),
    "merged, quadratic for an expression": Kind(
        lambda dice: merged(dice.randrange(30_000, 90_000), True), ACCEPTED
    ),
    "merged, many": Kind(lambda dice: merged(dice.randrange(150_000, 200_000)), ACCEPTED),
    "merged, above everything": Kind(
        lambda dice: workbook(
            {SHEET: sheet(after='<mergeCell ref="A1:B2"/>' * dice.randrange(200_000, 300_000))}
        ),
        MERGED,
    ),
    "merged, millions": Kind(
        lambda dice: workbook({SHEET: sheet(after="<mergeCell/>" * 1_100_000)}), NOT_A_TABLE
    ),
    "empty elements, millions": Kind(
        lambda dice: workbook({SHEET: sheet("<c/>" * dice.randrange(1_300_000, 2_000_000))}), COMPLEX
    ),
    "deep elements": Kind(lambda dice: workbook({SHEET: "<a>" * dice.randrange(200, 5_000_000)}), COMPLEX),
    "deep elements of another part": Kind(
        lambda dice: workbook({"docProps/app.xml": "<a>" * dice.randrange(200, 5_000_000)}), COMPLEX
    ),
    "a million attributes": Kind(
        lambda dice: workbook(
            {SHEET: "<a " + " ".join(f'a{n}="1"' for n in range(dice.randrange(200_000, 300_000)))}
        ),
        NOT_A_TABLE,
    ),
    "one very long attribute": Kind(
        lambda dice: workbook({SHEET: f'<row r="{"9" * dice.randrange(1_000_000, 9_000_000)}"/>'}),
        NOT_A_TABLE,
    ),
    "one very long number": Kind(
        lambda dice: workbook(
            {SHEET: sheet(f'<c r="B2"><v>{"9" * dice.randrange(99_999, 9_000_000)}x</v></c>')}
        ),
        NOT_A_TABLE,
    ),
    "declaration": Kind(lambda dice: declared("utf-8"), UNSAFE),
    "declaration under another name": Kind(lambda dice: declared("utf-8", f"a/{dice.random()}.bin"), UNSAFE),
    "declaration in UTF-16": Kind(lambda dice: declared("utf-16"), UNSAFE),
    "declaration in UTF-16 without a mark": Kind(
        lambda dice: declared(dice.choice(["utf-16-le", "utf-16-be"]), f"a/{dice.random()}.png"), UNSAFE
    ),
    "declaration in a part that is not read": Kind(
        lambda dice: workbook({f"x/{dice.random()}.dat": f"{DECLARED}<a/>".encode("utf-16-le")}), UNSAFE
    ),
    "declaration among content types": Kind(
        lambda dice: workbook({"[Content_Types].xml": f"{DECLARED}<Types/>".encode("utf-16")}), UNSAFE
    ),
    "entity bomb": Kind(lambda dice: declared("utf-8", declaration=BOMB), UNSAFE),
    "entity bomb under another name": Kind(
        lambda dice: declared("utf-16-le", f"{dice.random()}/a", BOMB), UNSAFE
    ),
    "entity from elsewhere": Kind(
        lambda dice: declared("utf-8", declaration='<!DOCTYPE a SYSTEM "file:///etc/passwd">'), UNSAFE
    ),
    "link out of the package": Kind(
        lambda dice: workbook(
            {"xl/_rels/workbook.xml.rels": relationships(("image", "http://[::1]/"), mode="External")}
        ),
        MACROS,
    ),
    "macros under another name": Kind(
        lambda dice: workbook({"xl/_rels/workbook.xml.rels": relationships(("vbaProject", "a.png"))}), MACROS
    ),
    "relationship to itself": Kind(
        lambda dice: workbook(
            {"xl/_rels/workbook.xml.rels": relationships(("worksheet", "/xl/workbook.xml"))}
        ),
        NO_ROWS,
    ),
    "relationship out of the archive": Kind(
        lambda dice: workbook(
            {"xl/_rels/workbook.xml.rels": relationships(("worksheet", "../../../../etc/passwd"))}
        ),
        NOT_A_TABLE,
    ),
    "two parts of one name": Kind(
        lambda dice: patched(workbook({"xl/a": b"", "xl/b": b""}), b"xl/b", b"xl/A"), NOT_A_TABLE
    ),
    "directory that lies about sizes": Kind(lying, NOT_A_TABLE),
    "directory of nothing": Kind(
        lambda dice: b"PK\3\4" + b"PK\5\6" + b"\xff" * dice.randrange(18, 900), NOT_A_TABLE
    ),
    "truncated": Kind(lambda dice: (body := workbook())[: dice.randrange(4, len(body) - 30)], NOT_A_TABLE),
    "broken bytes": Kind(lambda dice: patched(workbook(), b"PK\1\2", dice.randbytes(4)), NOT_A_TABLE),
    "packed by another method": Kind(
        lambda dice: workbook(packed_as=dice.choice([zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])), NOT_A_TABLE
    ),
    "shared strings, many": Kind(
        lambda dice: workbook(
            {"xl/words.bin": f'<sst xmlns="{MAIN}">{"<si/>" * dice.randrange(1_300_000, 2_000_000)}</sst>'}
        ),
        COMPLEX,
    ),
    "shared strings, huge": Kind(lambda dice: shared(dice.randrange(12, 15), MEGABYTE), ACCEPTED),
    "one huge text in every cell": Kind(
        lambda dice: pointed(dice.randrange(30_000, 60_000), 1_900), UNPACKED
    ),
    "row far away": Kind(
        lambda dice: workbook(
            {SHEET: sheet('<row r="1048576"><c t="inlineStr"><is><t>x</t></is></c></row>')}
        ),
        ROWS,
    ),
    "column far away": Kind(
        lambda dice: workbook({SHEET: sheet('<row r="3"><c r="XFD3"><v>1</v></c></row>')}), COLUMNS
    ),
    "quotes": Kind(
        lambda dice: b"name\na" + b'"' * dice.randrange(900_000, 1_000_000), LONG_NAME, "players.csv"
    ),
    "open quote": Kind(
        lambda dice: b'name\n"' + b"x" * dice.randrange(900_000, 1_000_000), OPEN_QUOTE, "players.csv"
    ),
    "separators": Kind(lambda dice: b"," * dice.randrange(900_000, 1_000_000), NO_ROWS, "players.csv"),
    "a header of a million columns": Kind(
        lambda dice: b"a," * dice.randrange(400_000, 500_000) + b"\nWren", COLUMNS, "players.csv"
    ),
    "empty lines": Kind(lambda dice: b"\n" * dice.randrange(900_000, 1_000_000), NO_ROWS, "players.csv"),
    "lines": Kind(lambda dice: b"name\n" + b"a\n" * dice.randrange(400_000, 500_000), ROWS, "players.csv"),
    "zeros": Kind(lambda dice: bytes(dice.randrange(2, 500_000) * 2), NOT_A_TABLE, "players.csv"),
    "chance": Kind(
        lambda dice: b"\0\0" + dice.randbytes(dice.randrange(999, 900_000)) + b"\0\0",
        NOT_A_TABLE,
        "players.csv",
    ),
    "wrong encoding": Kind(
        lambda dice: "имя\nПётр Синица".encode(dice.choice(["koi8-r", "cp866"])),
        ENCODING,
        "players.csv",
    ),
    "broken UTF-16": Kind(
        lambda dice: b"\xff\xfe" + b"\x00\xd8" * dice.randrange(9, 99_999), ENCODING, "players.csv"
    ),
    "polyglot of a picture and a workbook": Kind(lambda dice: png() + workbook(), NOT_A_TABLE),
    "polyglot of a document and a workbook": Kind(lambda dice: b"%PDF-1.4\n" + workbook(), NOT_A_TABLE),
    "polyglot of a table and a workbook": Kind(
        lambda dice: b"name\nWren\n" + workbook(), NOT_A_TABLE, "players.csv"
    ),
}
"""Sent to the page that imports players."""

FILES = {
    "picture of 30,000 × 30,000": Kind(lambda dice: png(30_000, 30_000), PIXELS, "a.png"),
    "picture of no size": Kind(lambda dice: png(0, dice.randrange(1, 9)), FILE_TYPE, "a.png"),
    "picture of a million pieces": Kind(
        lambda dice: png(between=chunk(b"tEXt", b"") * dice.randrange(300_000, 400_000)), FILE_TYPE, "a.png"
    ),
    "picture that lies about lengths": Kind(
        lambda dice: png()[:33] + b"\xff\xff\xff\xff" + dice.randbytes(dice.randrange(9, 99_999)),
        FILE_TYPE,
        "a.png",
    ),
    "photo of fill bytes": Kind(lambda dice: b"\xff" * 5_000_000, FILE_TYPE, "a.jpg"),
    "photo of fill bytes after its beginning": Kind(
        lambda dice: b"\xff\xd8" + b"\xff" * dice.randrange(4_000_000, 5_000_000), FILE_TYPE, "a.jpg"
    ),
    "photo of a million segments": Kind(
        lambda dice: jpeg(between=b"\xff\xfe\x00\x02" * dice.randrange(900_000, 1_200_000)),
        FILE_TYPE,
        "a.jpg",
    ),
    "photo whose scan never ends": Kind(
        lambda dice: jpeg(b"\xff\x00" * dice.randrange(900_000, 2_000_000))[:-2], FILE_TYPE, "a.jpg"
    ),
    "page in the clothes of a photo": Kind(lambda dice: b"<script>alert(1)</script>", FILE_TYPE, "a.jpg"),
    "document without an end": Kind(lambda dice: b"%PDF-1.4\n" + dice.randbytes(99_999), FILE_TYPE, "a.pdf"),
}
"""Sent with an appeal."""
