"""How much a request may bring, by its address, and how long it may take: one table for the whole site."""

from functools import lru_cache
from types import MappingProxyType

from django.urls import Resolver404, resolve

from tournaments.web.strict import MAX_BYTES

KB, MB = 1024, 1024 * 1024

MOST_HEADERS = 100
MOST_HEAD = 32 * KB
MOST_PIPELINED = 64
HEAD_SECONDS = 10.0
"""A head has at most so many lines and bytes, as have the lines behind a body; so many requests wait for the answers of others on
one connection; and a head comes within this time after the connection or the last answer."""

IDLE_SECONDS = 15.0
FORM_SECONDS = 60.0
UPLOAD_SECONDS = 600.0
LEAST_RATE = 4 * KB
"""A body pauses no longer than this, is whole by then, and arrives at least this fast once the first pause is over."""

ALWAYS_HELD = 64 * KB
MOST_HELD = 128 * MB
MOST_BODIES = 1000
MOST_BODIES_OF_ONE = 64
"""What all bodies may hold at once beyond their first bytes, and how many may be on their way, in all and from one."""

UNREAD_SECONDS = 20.0
LEAST_READ = 2 * KB
MOST_UNREAD = 64 * MB
"""An answer that is read more slowly than this for so long is given up, the largest first where they hold too much."""

API = MAX_BYTES
FORM = 256 * KB
LIST = 2 * MB
IMPORT = 3 * MB
APPEAL = 27 * MB

SIZES = MappingProxyType(
    {
        "tournaments:paste_players": LIST,
        "tournaments:import_players": IMPORT,
        "tournaments:import_game": IMPORT,
        "seating:paste": LIST,
        "penalties:new_appeal": APPEAL,
        "penalties:add_statement": APPEAL,
        "penalties:file_own": APPEAL,
        "penalties:own_appeal": APPEAL,
    }
)
"""The addresses that take more than an ordinary form: lists, tables, and the five files of an appeal."""

LARGEST = max(SIZES.values())


@lru_cache(maxsize=512)
def size_of(path: str) -> int:
    """Return how many bytes an address takes; an address that is none takes as much as a form."""
    try:
        match = resolve(path)
    except Resolver404:
        return FORM
    access = getattr(match.func, "access", None)
    return API if access is not None and access.is_api else SIZES.get(match.view_name, FORM)
