"""Logs that a person and a program can follow: one line per request, every line with the request's number.

Addresses are logged as routes, never as they were typed: a player's link and the link to a new password are secrets. What
Django, the server or a library logs of a request goes through the same sieve: an argument of a message that holds the
request's address becomes the route, and whatever looks like a secret link is taken out of messages and tracebacks.
"""

import json
import logging
import re
import time
import traceback
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponseBase

from config.operator import metrics

current_request: ContextVar[str] = ContextVar("current_request", default="-")
current_page: ContextVar[HttpRequest | None] = ContextVar("current_page", default=None)
access = logging.getLogger("four_winds.access")
PLAUSIBLE = re.compile(r"[A-Za-z0-9._-]{8,64}\Z")
QUIET = {"alive", "ready"}
SECRET_NAMES = {"link", "key", "code"}
SHORTEST_SECRET = 8
SECRET_PARTS = re.compile(
    r"(/me/|/phone/|/new-password/|/invitation/|%2[Ff]invitation%2[Ff]|/password/reset/key/|/confirm-email/)[^/\s\"'?#<>]+"  # what follows these words in an address
    r"|\b[0-9]{1,9}-[0-9a-f]{40}\b"  # a player's link by itself
)
TOLD = ("status", "ms", "method", "route", "tournament", "user")
MOST_HOSTS = 200
HOSTS_ADVICE = "Nothing was answered: this is not a name of the site, see ALLOWED_HOSTS."


class RequestLog:
    """Number each request, answer with the number, and log one line about it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Keep the rest of the chain."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Let the request through, and tell what became of it."""
        number = number_of(request.headers.get("X-Request-ID", ""))
        token, page_token = current_request.set(number), current_page.set(request)
        started = time.perf_counter()
        try:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = number
            self.tell(request, response, time.perf_counter() - started)
            return response
        finally:
            current_request.reset(token)
            current_page.reset(page_token)

    def tell(self, request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        """Log the request by its route; health checks and good static files are left out."""
        match = request.resolver_match
        if match is None and response.status_code < 400:
            return
        if match is not None and match.url_name in QUIET and response.status_code < 500:
            return
        tell(
            method=request.method or "",
            route=route_of(request),
            tournament=str(match.kwargs.get("slug", "")) if match else "",
            status=response.status_code,
            ms=round(seconds * 1000, 1),
            user=str(_user_id(request) or ""),
        )


def route_of(request: HttpRequest) -> str:
    """Name the address as `urls.py` does; an address that leads nowhere has no name."""
    match = request.resolver_match
    return f"/{match.route}" if match else "(none)"


def without_secrets(text: str) -> str:
    """Take out what opens a page by itself: the secret part of this request's address, and whatever looks like one."""
    page = current_page.get()
    match = page.resolver_match if page is not None else None
    named = match.kwargs if match else {}
    for name in SECRET_NAMES & set(named):
        if len(value := str(named[name])) >= SHORTEST_SECRET:
            text = text.replace(value, "…")
    return SECRET_PARTS.sub(lambda found: f"{found[1] or ''}…", text)


def number_of(asked: str) -> str:
    """Return the number of a request: the one it came with, where that is plausible, else a new one."""
    return asked if PLAUSIBLE.match(asked) else uuid.uuid4().hex


def tell(**facts: str | int | float) -> None:
    """Log the one line about a request, and count it."""
    metrics.count_request(facts)
    level = logging.ERROR if int(facts["status"]) >= 500 else logging.INFO
    if access.isEnabledFor(level):
        access.log(level, "%(method)s %(route)s %(status)s %(ms)s ms", facts, extra=facts)


def _user_id(request: HttpRequest) -> int | None:
    """Return the signed-in user's number if the page has asked for the user anyway; never ask the database for the log."""
    user = request.__dict__.get("_cached_user")
    return getattr(user, "pk", None)


class RequestId(logging.Filter):
    """Put the number of the request on every record, and its route in the place of its address."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, numbered."""
        record.request_id = current_request.get()
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple(_routed(argument, request) for argument in record.args)
        return True


def _routed(argument: object, request: HttpRequest) -> object:
    is_address = isinstance(argument, str) and len(request.path) > 1 and request.path in argument
    return route_of(request) if is_address else argument


class Text(logging.Formatter):
    """Lines for people, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record with its traceback, if any."""
        return without_secrets(super().format(record))


class ForeignHosts(logging.Filter):
    """Log in one line, and once for each name, that the site was asked for under a name that is not its own."""

    def __init__(self) -> None:
        """Begin without any name logged."""
        super().__init__()
        self.logged: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record; drop it if the name was logged before, or if hundreds of names were."""
        refused = record.getMessage().partition(" You may need")[0]
        if refused in self.logged or len(self.logged) >= MOST_HOSTS:
            return False
        self.logged.add(refused)
        record.msg, record.args, record.exc_info, record.exc_text = (
            f"{refused} {HOSTS_ADVICE}",
            (),
            None,
            None,
        )
        return True


class Json(logging.Formatter):
    """One JSON object per line, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record with what the request log knows and with the traceback, if any."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            "request": getattr(record, "request_id", "-"),
        }
        line |= {name: getattr(record, name) for name in TOLD if hasattr(record, name)}
        if record.exc_info:
            line["error"] = without_secrets("".join(traceback.format_exception(*record.exc_info)))
        return json.dumps(line, ensure_ascii=False, default=str)
