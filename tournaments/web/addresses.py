"""Addresses for other devices, as codes to scan or links to copy."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names under which every device means itself."""


def shared(request: HttpRequest, path: str) -> str:
    """Return the whole address of a path, under a name by which the devices of this network find the site, if it has one."""
    address = urlsplit(request.build_absolute_uri(path))
    if address.hostname not in LOCAL or not settings.LAN_ADDRESSES:
        return address.geturl()
    port = f":{address.port}" if address.port else ""
    return address._replace(netloc=f"{settings.LAN_ADDRESSES[0]}{port}").geturl()


def opens_only_here(address: str) -> bool:
    """Return whether an address means the device on which it is opened."""
    return urlsplit(address).hostname in LOCAL
