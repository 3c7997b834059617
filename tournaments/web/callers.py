"""Who sends a request, as far as limits care: an account, a tablet, a private link, a browser, an address."""

import ipaddress
import re
import secrets
from dataclasses import dataclass

from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponseBase

from tournaments.record import limits
from tournaments.record.actors import ActorKind
from tournaments.record.limits import Limit, Rate, SlowDown
from tournaments.web.requests import Request, delay

COOKIE = "known"
SALT = "tournaments.web.callers.known-browser"
YEAR = 365 * 24 * 60 * 60
MOST_OWNERS = 8
NUMBER = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True)
class Browser:
    """A browser that was here before, by the number in its cookie, and the accounts that signed in with it."""

    number: str = ""
    owners: tuple[int, ...] = ()


def browser_of(request: HttpRequest) -> Browser:
    """Read the browser from its signed cookie; without a valid one it has no number."""
    try:
        text = request.get_signed_cookie(COOKIE, "", salt=SALT, max_age=YEAR) or ""
        number, _, owners = text.partition(":")
        if not NUMBER.fullmatch(number):
            return Browser()
        return Browser(number, tuple(int(owner) for owner in owners.split(",") if owner))
    except (BadSignature, ValueError):
        return Browser()


def remember_browser(request: HttpRequest, response: HttpResponseBase, owner: int | None = None) -> None:
    """Number the browser, and add the account to those that signed in with it."""
    browser = browser_of(request)
    owners = [one for one in browser.owners if one != owner] + ([] if owner is None else [owner])
    text = f"{browser.number or secrets.token_hex(8)}:{','.join(map(str, owners[-MOST_OWNERS:]))}"
    response.set_signed_cookie(
        COOKIE, text, salt=SALT, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure()
    )


def address_of(request: HttpRequest) -> str:
    """Return the sender's address; of IPv6 the network of one household or hall.

    It is the address of the connection, or what a front server that is believed says: the server has settled that
    before Django (FORWARDED_ALLOW_IPS). A header that a stranger writes changes nothing.
    """
    text = str(request.META.get("REMOTE_ADDR", ""))
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return text


def caller_of(request: Request) -> str:
    """Return to whom a limit applies: the account, tablet or private link, else the address."""
    if request.actor.kind != ActorKind.ANYONE:
        return str(request.actor)
    return f"at:{address_of(request)}"


def spend(request: Request, rate: Rate) -> None:
    """Use a caller's limit once, or refuse with the seconds to wait; counted in the database."""
    _refuse_if(request, limits.use(Limit(rate, caller_of(request))))


def spend_reading(request: Request, rate: Rate) -> None:
    """Use a caller's limit once, or refuse; counted in this process, since reading writes nothing."""
    _refuse_if(request, limits.READING.use(Limit(rate, caller_of(request))))


def _refuse_if(request: HttpRequest, wait: float) -> None:
    if wait:
        delay(request, wait)
        raise SlowDown(wait)
