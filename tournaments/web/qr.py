"""QR codes as SVG, made here so that no other site learns the addresses."""

import qrcode
import qrcode.image.svg
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _


def qr_svg(text: str) -> SafeString:
    """Return the QR code of a text as one SVG path in the current text colour."""
    image = qrcode.make(
        text,
        image_factory=qrcode.image.svg.SvgPathImage,
        error_correction=qrcode.constants.ERROR_CORRECT_M,
        border=2,
    )
    name = escape(_("QR code"))
    named = str(image.to_string(encoding="unicode")).replace(
        "<svg ", f'<svg role="img" aria-label="{name}" ', 1
    )
    return mark_safe(named)  # noqa: S308 – made by the library from modules, not text


def qr_bytes(text: str) -> bytes:
    """Return the QR code of a text as an SVG file."""
    return str(qr_svg(text)).encode()
