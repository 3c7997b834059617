"""How long the site's certificate is good, as a browser sees it."""

import socket
import ssl
from datetime import UTC, datetime

from django.conf import settings

PATIENCE = 5.0
HTTPS_PORT = 443


def look() -> dict[str, object]:
    """Connect under the site's own name and return when the certificate ends; nothing where there is no HTTPS."""
    if not getattr(settings, "HTTPS", False):
        return {}
    name = settings.ALLOWED_HOSTS[0].lstrip(".")
    try:
        ends_at = expiry(name, *_address(name))
    except ssl.SSLCertVerificationError as error:
        return {"host": name, "error": error.verify_message or str(error)}
    except OSError as error:
        return {"host": name, "error": f"no connection: {error}"}
    return {"host": name, "ends_at": ends_at.isoformat()}


def _address(name: str) -> tuple[str, int]:
    """Return where to connect: CERTIFICATE_VIA, since not every network lets a server reach itself by its public name."""
    host, _, port = settings.CERTIFICATE_VIA.partition(":")
    return host or name, int(port or HTTPS_PORT)


def expiry(name: str, host: str, port: int, context: ssl.SSLContext | None = None) -> datetime:
    """Return until when the certificate that a server shows for a name is good; raise if browsers would refuse it."""
    trusting = context or ssl.create_default_context()
    with (
        socket.create_connection((host, port), timeout=PATIENCE) as plain,
        trusting.wrap_socket(plain, server_hostname=name) as secured,
    ):
        shown = secured.getpeercert() or {}
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(shown["notAfter"])), UTC)
