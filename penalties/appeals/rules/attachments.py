"""Files beside an appeal: what they are by their content, how large a picture is, and the same without metadata."""

import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from scoring.problems import Problem, Refusal, gettext_noop

MOST_FILES = 5
MOST_BYTES = 5 * 1024 * 1024
MOST_PIXELS = 40_000_000
TYPES = {"jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "pdf": "application/pdf"}
PNG_MARK = b"\x89PNG\r\n\x1a\n"
PNG_KEPT = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"pHYs", b"sBIT"}
JPEG_FRAMES = {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
JPEG_KEPT = {0xE0, 0xEE}
ORIENTATION = 0x0112
MOST_PIECES = 20_000
"""Chunks or segments of one picture; a photo has some dozens."""
AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
NOT_FILL = re.compile(rb"[^\xff]", re.DOTALL)


@dataclass(frozen=True)
class Attachment:
    """A file as it is kept: its type by content, and its bytes without metadata."""

    content_type: str
    content: bytes


def read_attachment(name: str, content: bytes) -> Attachment:
    """Read a file, or refuse what is none of the three kinds or too large. [INTEGRITY 126] [INTEGRITY 129]"""
    if problems := size_problems(len(content)):
        raise Refusal(*problems)
    wanted = TYPES.get(name.rpartition(".")[2].lower())
    if wanted is None or wanted != _type_of(content):
        raise _wrong()
    try:
        clean = {"image/jpeg": _clean_jpeg, "image/png": _clean_png}.get(wanted, _whole_pdf)(content)
    except (struct.error, IndexError, zlib.error) as error:
        raise _wrong() from error
    return Attachment(wanted, clean)


def count_problems(count: int) -> list[Problem]:
    """Return why so many files are refused: an appeal has five at most. [INTEGRITY 127]"""
    return [] if count <= MOST_FILES else [Problem("too_many_files", FILES, "attachments", "INTEGRITY 127")]


def size_problems(size: int) -> list[Problem]:
    """Return why a file of this size is refused: it has five megabytes at most. [INTEGRITY 127]"""
    return [] if size <= MOST_BYTES else [Problem("file_too_large", FILES, "attachments", "INTEGRITY 127")]


def job(details: Mapping[str, Any], files: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Read all files of an appeal in the child process of `tournaments/web/sandbox.py`."""
    found = [read_attachment(name, content) for name, content in zip(details["names"], files, strict=True)]
    return {"types": [one.content_type for one in found]}, [one.content for one in found]


def _type_of(content: bytes) -> str:
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(PNG_MARK):
        return "image/png"
    return "application/pdf" if re.match(rb"%PDF-[12]\.[0-9]", content) else ""


def _wrong() -> Refusal:
    return Refusal(Problem("file_type", FILE_TYPE, "attachments", "INTEGRITY 126"))


def _check_size(width: int, height: int) -> None:
    """Refuse pictures that would fill the memory of whoever opens them; known from the header alone."""
    if not width or not height:
        raise _wrong()
    if width * height > MOST_PIXELS:
        raise Refusal(Problem("image_too_large", IMAGE_TOO_LARGE, "attachments", "INTEGRITY 128"))


def _whole_pdf(content: bytes) -> bytes:
    if b"%%EOF" not in content[-2048:]:
        raise _wrong()
    return content


# PNG


def _clean_png(content: bytes) -> bytes:
    """Keep what is needed to draw the picture; texts, times and positions go."""
    chunks = list(islice(_png_chunks(content), MOST_PIECES))
    if not chunks or chunks[0][0] != b"IHDR" or chunks[-1][0] != b"IEND":
        raise _wrong()
    width, height = struct.unpack(">II", chunks[0][1][:8])
    _check_size(width, height)
    return PNG_MARK + b"".join(_png_chunk(kind, data) for kind, data in chunks if kind in PNG_KEPT)


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(PNG_MARK)
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", content[at + 8 + length : at + 12 + length])
        if zlib.crc32(kind + data) != check:
            raise _wrong()
        yield kind, data
        if kind == b"IEND":
            return
        at += 12 + length


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


# JPEG


def _clean_jpeg(content: bytes) -> bytes:
    """Keep the picture and how it must be turned; positions, cameras, comments and further pictures go."""
    kept, orientation, has_frame, has_scan, ended = [b"\xff\xd8"], 1, False, False, False
    for marker, segment in islice(_jpeg_segments(content), MOST_PIECES):
        if marker in JPEG_FRAMES:
            height, width = struct.unpack(">HH", segment[5:9])
            _check_size(width, height)
            has_frame = True
        if marker == 0xE1:
            orientation = max(orientation, _orientation(segment[4:]))
        has_scan |= marker == 0xDA
        ended |= marker == 0xD9
        if not (0xE0 <= marker <= 0xEF or marker == 0xFE) or marker in JPEG_KEPT:
            kept.append(segment)
    if not has_frame or not has_scan or not ended:
        raise _wrong()
    if orientation > 1:
        kept.insert(1, _orientation_segment(orientation))
    return b"".join(kept)


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Go through the segments up to the end of the first picture; a scan brings its data with it."""
    at = 2
    while at + 1 < len(content):
        if content[at] != 0xFF:
            raise _wrong()
        marker = content[at + 1]
        if marker == 0xFF:
            if (fill := NOT_FILL.search(content, at)) is None:
                raise _wrong()
            at = fill.start() - 1
            continue
        if marker == 0xD9:
            yield marker, content[at : at + 2]
            return
        (length,) = struct.unpack(">H", content[at + 2 : at + 4])
        end = at + 2 + length
        if length < 2 or end > len(content):
            raise _wrong()
        if marker == 0xDA:
            end = _scan_end(content, end)
        yield marker, content[at:end]
        at = end


def _scan_end(content: bytes, at: int) -> int:
    """Find where the coded data of a scan ends: at a marker that is neither a stuffed byte nor a restart."""
    found = AFTER_SCAN.search(content, at)
    if found is None:
        raise _wrong()
    return found.start()


def _orientation(exif: bytes) -> int:
    """Read how a photo must be turned; 1 where nothing is said."""
    if not exif.startswith(b"Exif\0\0"):
        return 1
    data = exif[6:]
    order = {b"II": "<", b"MM": ">"}.get(data[:2])
    if order is None or len(data) < 10:
        return 1
    (start,) = struct.unpack(order + "I", data[4:8])
    try:
        (count,) = struct.unpack(order + "H", data[start : start + 2])
        for place in range(min(count, 64)):
            entry = data[start + 2 + 12 * place : start + 14 + 12 * place]
            tag, _, _, value = struct.unpack(order + "HHIH", entry[:10])
            if tag == ORIENTATION and 1 <= value <= 8:
                return int(value)
    except struct.error:
        return 1
    return 1


def _orientation_segment(orientation: int) -> bytes:
    """Write the smallest Exif that says how to turn the photo, and nothing else."""
    entry = struct.pack(">HHIHH", ORIENTATION, 3, 1, orientation, 0)
    exif = b"Exif\0\0" + b"MM\0\x2a" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    return b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif


FILES = gettext_noop("At most 5 files of 5 MB.")
FILE_TYPE = gettext_noop("Allowed: JPEG, PNG, PDF up to 5 MB.")
IMAGE_TOO_LARGE = gettext_noop("At most 40 megapixels.")
