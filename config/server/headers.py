"""What every answer says to browsers about what may be done with it. [INTEGRITY 4]

Pages, files, redirects and errors pass Django's middleware, where this is the outermost. What is answered in front of
Django (live streams, health) takes the same headers from here as bytes; pages that are kept as bytes have them from Django.
"""

from collections.abc import Callable
from functools import cache

from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseFileResponse

NOBODY = (
    "accelerometer", "camera", "clipboard-read", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
OURSELVES = ("autoplay", "clipboard-write", "fullscreen", "screen-wake-lock")
PERMISSIONS = ", ".join([*(f"{name}=()" for name in NOBODY), *(f"{name}=(self)" for name in OURSELVES)])
WITH_CAMERA = PERMISSIONS.replace("camera=()", "camera=(self)")
"""For the one page that reads the code of a table: the referee's phone."""

ALWAYS = {
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The content policy of what is no page: nothing is loaded by it."""
STATIC = {name: value for name, value in ALWAYS.items() if name != "Permissions-Policy"} | {
    "Content-Security-Policy": NO_PAGE
}
"""Of static files. Nothing runs in them by their content policy, so there is nobody to whom a camera could be permitted; a page
loads a dozen of them, each with its headers, and waits for these bytes before it is seen."""


def raw(kind: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer that is given in front of Django; a page among them has the policy of pages."""
    return [*RAW[:-1], (b"content-security-policy", page_policy())] if kind.startswith(b"text/html") else RAW


@cache
def page_policy() -> bytes:
    """Return the content policy of pages, as the settings say it."""
    return str(build_policy(settings.CONTENT_SECURITY_POLICY["DIRECTIVES"])).encode()


RAW = [
    (name.lower().encode(), value.encode())
    for name, value in {**ALWAYS, "Content-Security-Policy": NO_PAGE}.items()
]


class Headers:
    """Puts the headers on every answer that does not set its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Keep the rest of the chain."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with them; what other sites' pages may read says so here, too, and so does what they may show in a frame."""
        response = self.get_response(request)
        if isinstance(response, WhiteNoiseFileResponse):
            return _put(response, STATIC)
        if response.get("Access-Control-Allow-Origin") == "*":
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        if getattr(response, "uses_camera", False):
            response.headers["Permissions-Policy"] = WITH_CAMERA
        may_be_framed = getattr(response, "xframe_options_exempt", False)
        for name, value in ALWAYS.items():
            if name != "X-Frame-Options" or not may_be_framed:
                response.headers.setdefault(name, value)
        return response


def _put(response: HttpResponseBase, said: dict[str, str]) -> HttpResponseBase:
    """Put headers in the place of what other middleware said."""
    for name, value in said.items():
        response.headers[name] = value
    return response
