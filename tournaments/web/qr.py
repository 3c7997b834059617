"""QR codes as SVG, drawn here so that no address leaves the site."""

import qrcode
import qrcode.image.svg
from django.utils.safestring import SafeString, mark_safe


def qr_svg(text: str) -> SafeString:
    """Draw the text as one SVG path in the colour of the ink."""
    image = qrcode.make(
        text,
        image_factory=qrcode.image.svg.SvgPathImage,
        error_correction=qrcode.constants.ERROR_CORRECT_M,
        border=2,
    )
    return mark_safe(str(image.to_string(encoding="unicode")))  # noqa: S308 – made by the library from modules, not text


def qr_bytes(text: str) -> bytes:
    """Draw the text as an SVG file."""
    return str(qr_svg(text)).encode()
