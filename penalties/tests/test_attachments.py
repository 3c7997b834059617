"""Files beside an appeal: told by their content, bounded, and without metadata."""

import struct

import pytest

from penalties.appeals.rules.attachments import MOST_BYTES, count_problems, read_attachment
from penalties.tests.factories import jpeg, png
from scoring.problems import Refusal

PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n"


def exif(orientation: int = 1, *, order: str = ">") -> bytes:
    """Exif with a position and how to turn the photo."""
    mark = b"MM\0\x2a" if order == ">" else b"II\x2a\0"
    entries = struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    entries += struct.pack(order + "HHII", 0x8825, 4, 1, 100)
    return b"Exif\0\0" + mark + struct.pack(order + "IH", 8, 2) + entries + b"GPS 55.75 N"


GOOD = {
    "png": ("a.png", png(), "image/png"),
    "jpg": ("a.JPG", jpeg(), "image/jpeg"),
    "jpeg": ("a.jpeg", jpeg(), "image/jpeg"),
    "pdf": ("a.pdf", PDF, "application/pdf"),
}


@pytest.mark.parametrize(("name", "content", "kind"), GOOD.values(), ids=GOOD)
def test_three_kinds_are_accepted(name, content, kind):
    """[INTEGRITY 126]"""
    assert read_attachment(name, content).content_type == kind


BAD = {
    "exe": ("a.exe", b"MZ", "file_type"),
    "html": ("a.html", b"<html>", "file_type"),
    "svg": ("a.svg", b"<svg/>", "file_type"),
    "no-ending": ("photo", jpeg(), "file_type"),
    "html-as-jpg": ("a.jpg", b"<html></html>", "file_type"),
    "png-as-jpg": ("a.jpg", png(), "file_type"),
    "html-in-jpg": ("a.jpg", b"\xff\xd8\xff<script>", "file_type"),
    "cut-off-jpg": ("a.jpg", jpeg()[:-2], "file_type"),
    "cut-off-png": ("a.png", png()[:-6], "file_type"),
    "spoilt-png": ("a.png", png()[:40] + b"x" + png()[41:], "file_type"),
    "pdf-without-end": ("a.pdf", b"%PDF-1.7\n", "file_type"),
    "empty": ("a.png", b"", "file_type"),
    "no-pixels": ("a.png", png(0, 5), "file_type"),
    "too-large": ("a.pdf", PDF + b" " * MOST_BYTES, "file_too_large"),
    "too-many-pixels-png": ("a.png", png(30_000, 30_000), "image_too_large"),
    "too-many-pixels-jpg": ("a.jpg", jpeg(30_000, 30_000), "image_too_large"),
}


@pytest.mark.parametrize(("name", "content", "code"), BAD.values(), ids=BAD)
def test_anything_else_is_refused(name, content, code):
    """[INTEGRITY 126-128]"""
    with pytest.raises(Refusal) as refused:
        read_attachment(name, content)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_forty_megapixels_are_accepted():
    """[INTEGRITY 128]"""
    assert read_attachment("a.png", png(8000, 5000)).content_type == "image/png"


@pytest.mark.parametrize("order", [">", "<"])
def test_a_photo_keeps_how_to_turn_it_and_loses_where_it_was_taken(order):
    """[INTEGRITY 129]"""
    clean = read_attachment("a.jpg", jpeg(exif=exif(6, order=order), comment=b"My phone")).content
    assert b"GPS" not in clean
    assert b"My phone" not in clean
    assert struct.pack(">HHIH", 0x0112, 3, 1, 6) in clean
    assert read_attachment("a.jpg", clean).content == clean


def test_an_upright_photo_needs_no_exif():
    """[INTEGRITY 129]"""
    assert b"Exif" not in read_attachment("a.jpg", jpeg(exif=exif(1))).content


def test_what_follows_a_photo_is_cut_off():
    """A second picture, or anything else, after the end of the first may carry its own metadata. [INTEGRITY 129]"""
    assert read_attachment("a.jpg", jpeg() + jpeg(exif=exif(1))).content == jpeg()


def test_a_drawing_loses_its_texts():
    """[INTEGRITY 129]"""
    spoken = png(extra=((b"tEXt", b"Author\0Somebody"), (b"eXIf", b"GPS"), (b"gAMA", b"\0\0\xb1\x8f")))
    clean = read_attachment("a.png", spoken).content
    assert b"Somebody" not in clean
    assert b"GPS" not in clean
    assert b"gAMA" in clean


@pytest.mark.parametrize(("count", "may"), [(0, True), (5, True), (6, False)])
def test_five_files_are_enough(count, may):
    """[INTEGRITY 127]"""
    assert (count_problems(count) == []) is may
