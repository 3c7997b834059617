"""Who asks, as far as it can be known without the database: tablets first, then the desk, own pages, strangers.

A credential counts only after the site has accepted it, so an invented one gives no precedence.
"""

import re
from collections import OrderedDict
from enum import IntEnum

from django.conf import settings

from config.server.live import Scope

MOST_KNOWN = 10_000
OWN_PAGE = re.compile(r"/[-\w]{1,100}/me/([^/]{1,100})/", re.ASCII)
DESK = re.compile(r"/[-\w]{1,100}/desk/|/operator/", re.ASCII)
NAME = re.escape(settings.SESSION_COOKIE_NAME.encode())
SESSION = re.compile(rb"(?:\A|;\s*)" + NAME + rb"=([^;]{1,200})")


class Rank(IntEnum):
    """The order in which callers are served; the smaller the earlier."""

    TABLET = 0
    DESK = 1
    OWN_PAGE = 2
    STRANGER = 3


class Callers:
    """The credentials that the site has let in lately."""

    def __init__(self) -> None:
        self.known: OrderedDict[int, Rank] = OrderedDict()

    def rank_of(self, scope: Scope) -> Rank:
        """Return the rank of whoever sends this request."""
        credential = _credential(scope)
        return Rank.STRANGER if credential is None else self.known.get(credential[0], Rank.STRANGER)

    def name_of(self, scope: Scope) -> object:
        """Return what tells one caller from another: a known credential, else the address."""
        credential = _credential(scope)
        if credential is not None and credential[0] in self.known:
            return credential[0]
        client = scope.get("client")
        return client[0] if client else ""

    def learn(self, scope: Scope, status: int) -> None:
        """Remember a credential that opened a page which needs one; forget one that was refused there."""
        credential = _credential(scope)
        if credential is None:
            return
        key, rank = credential
        if status == 200 and (rank is not Rank.DESK or DESK.match(scope["path"])):
            self.known[key] = rank
            self.known.move_to_end(key)
            while len(self.known) > MOST_KNOWN:
                self.known.popitem(last=False)
        elif status in {401, 404} and rank is not Rank.DESK:
            self.known.pop(key, None)


def _credential(scope: Scope) -> tuple[int, Rank] | None:
    """Return the digest of the request's credential, and the rank that it would have."""
    session = b""
    for name, value in scope["headers"]:
        if name == b"authorization" and value.startswith(b"Device "):
            return hash(value), Rank.TABLET
        if name == b"cookie" and (found := SESSION.search(value)):
            session = found[1]
    if session:
        return hash(session), Rank.DESK
    link = OWN_PAGE.match(scope["path"])
    return (hash(link[1]), Rank.OWN_PAGE) if link else None
