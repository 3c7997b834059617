"""Sites that may show a page of ours in a frame: an origin each, no wildcards."""

import re

MOST_SITES = 10
HOST = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+"
)
SITE = re.compile(r"(?P<scheme>https)://(?P<host>[^/:?#@\s;,*]+)(?::(?P<port>[0-9]{1,5}))?/?")


def site_of(text: str) -> str | None:
    """Return the origin that an address of a site names, or None: only https, a name with a dot, no path, no wildcard."""
    found = SITE.fullmatch(text.strip().lower())
    if found is None:
        return None
    try:
        host = found["host"].encode("idna").decode()
    except UnicodeError:
        return None
    port = found["port"]
    if not HOST.fullmatch(host) or (port and not 1 <= int(port) <= 65535):
        return None
    return f"https://{host}" + (f":{int(port)}" if port and port != "443" else "")
