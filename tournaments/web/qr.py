"""QR codes as SVG, made here so that no other site learns the addresses."""

import qrcode
import qrcode.image.svg
from django.utils.safestring import SafeString, mark_safe


def qr_svg(text: str) -> SafeString:
    """Return the QR code of a text as one SVG path in the current text colour."""
    image = qrcode.make(
        text,
        image_factory=qrcode.image.svg.SvgPathImage,
        error_correction=qrcode.constants.ERROR_CORRECT_M,
        border=2,
    )
    return mark_safe(str(image.to_string(encoding="unicode")))  # noqa: S308 – made by the library from modules, not text


def qr_bytes(text: str) -> bytes:
    """Return the QR code of a text as an SVG file."""
    return str(qr_svg(text)).encode()
