"""The picture of a link in a message: a few lines of text on paper, as PNG, drawn with letters that were painted beforehand.

`letters.bin` holds two fonts (DejaVu Serif Bold and DejaVu Sans, both condensed) as shades of ink, four bits a pixel; a script of a club's
laptop needs neither a font nor a library of images.
"""

import json
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

WIDTH, HEIGHT = 1200, 630
MARGIN = 84
BAND = 28
PAPER, INK, ACCENT = (246, 245, 240), (27, 29, 34), (11, 102, 82)
SHADES = 16
UNKNOWN = "·"
MOST_LINES = 3


@dataclass(frozen=True)
class Font:
    """The letters of one size, each as rows of shades."""

    height: int
    space: int
    letters: dict[str, Sequence[bytes]]

    def width(self, text: str) -> int:
        """Return how many pixels a text takes."""
        return sum(self.space if sign == " " else len(self.letter(sign)[0]) for sign in text)

    def letter(self, sign: str) -> Sequence[bytes]:
        """Return the rows of a letter; what was never painted is a dot."""
        return self.letters.get(sign) or self.letters[UNKNOWN]


@cache
def fonts() -> tuple[Font, Font]:
    """Read the two fonts: the one of headings and the one of lines."""
    data = zlib.decompress((Path(__file__).parent / "letters.bin").read_bytes())
    length = int.from_bytes(data[:4], "big")
    head = json.loads(data[4 : 4 + length])
    at = 4 + length
    found = []
    for face in head["fonts"]:
        letters: dict[str, Sequence[bytes]] = {}
        for sign, width in zip(head["characters"], face["widths"], strict=True):
            size = width * face["height"]
            packed = data[at : at + (size + 1) // 2]
            at += len(packed)
            shades = bytes(half for byte in packed for half in (byte >> 4, byte & 15))[:size]
            letters[sign] = [shades[row : row + width] for row in range(0, size, width)]
        found.append(Font(face["height"], face["space"], letters))
    heading, line = found
    return heading, line


def wrapped(text: str, font: Font, width: int, most: int) -> list[str]:
    """Break a text into lines of a width between its words; what does not fit ends in dots."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most:
        taken = 1
        while taken < len(words) and font.width(" ".join(words[: taken + 1])) <= width:
            taken += 1
        lines.append(" ".join(words[:taken]))
        words = words[taken:]
    if words:
        lines[-1] += "…"
    return [_shortened(line, font, width) for line in lines]


def _shortened(line: str, font: Font, width: int) -> str:
    while font.width(line) > width:
        line = line.rstrip("…")[:-1].rstrip() + "…"
    return line


@lru_cache(maxsize=256)
def picture(title: str, *lines: str, foot: str = "") -> bytes:
    """Draw a title, lines below it, and what stands at the foot."""
    heading, small = fonts()
    rows = [bytearray(WIDTH) for _ in range(HEIGHT)]
    for row in rows:
        row[:BAND] = bytes([2 * SHADES - 1]) * BAND
    room = WIDTH - MARGIN - BAND
    top = MARGIN
    for line in wrapped(title, heading, room, MOST_LINES):
        top = _write(rows, line, heading, top)
    top += small.height // 2
    for text in lines:
        for line in wrapped(text, small, room, 2):
            top = _write(rows, line, small, top)
    _write(rows, _shortened(foot, small, room), small, HEIGHT - MARGIN // 2 - small.height, shift=SHADES)
    return _png(rows)


def _write(rows: Sequence[bytearray], text: str, font: Font, top: int, *, shift: int = 0) -> int:
    """Write a line; return where the next one begins."""
    x = MARGIN
    for sign in text:
        if sign == " ":
            x += font.space
            continue
        letter = font.letter(sign)
        for row, shades in zip(rows[top : top + font.height], letter, strict=False):
            row[x : x + len(shades)] = (
                shades if not shift else bytes(shade and shade + shift for shade in shades)
            )
        x += len(letter[0])
    return top + font.height


def _png(rows: Iterable[bytearray]) -> bytes:
    """Write rows of shades as a PNG with a palette: from paper to ink, then from paper to the accent."""
    palette = bytes(value for shade in (*_shades(INK), *_shades(ACCENT)) for value in shade)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 6)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


def _shades(to: tuple[int, int, int]) -> list[tuple[int, ...]]:
    """Mix the paper with a colour, from none of it to all."""
    return [
        tuple(
            round(paper + (colour - paper) * part / (SHADES - 1))
            for paper, colour in zip(PAPER, to, strict=True)
        )
        for part in range(SHADES)
    ]
