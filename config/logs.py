"""Logs that a person and a program can follow: one line per request, every line with the request's number.

Addresses are logged as routes, never as they were typed: a player's link and a table's admission code are secrets.
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

current_request: ContextVar[str] = ContextVar("current_request", default="-")
access = logging.getLogger("four_winds.access")
PLAUSIBLE = re.compile(r"[A-Za-z0-9._-]{8,64}\Z")
QUIET = {"alive", "ready"}
TOLD = ("status", "ms", "method", "route", "tournament", "user")


class RequestLog:
    """Number each request, answer with the number, and log one line about it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Keep the rest of the chain."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Let the request through, and tell what became of it."""
        number = number_of(request.headers.get("X-Request-ID", ""))
        token = current_request.set(number)
        started = time.perf_counter()
        try:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = number
            self.tell(request, response, time.perf_counter() - started)
            return response
        finally:
            current_request.reset(token)

    def tell(self, request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        """Log the request by its route; health checks and good static files are left out."""
        match = request.resolver_match
        if match is None and response.status_code < 400:
            return
        if match is not None and match.url_name in QUIET and response.status_code < 500:
            return
        tell(
            method=request.method or "",
            route=f"/{match.route}" if match else "(none)",
            tournament=str(match.kwargs.get("slug", "")) if match else "",
            status=response.status_code,
            ms=round(seconds * 1000, 1),
            user=str(_user_id(request) or ""),
        )


def number_of(asked: str) -> str:
    """Give the number of a request: the one it came with, where that is plausible, else a new one."""
    return asked if PLAUSIBLE.match(asked) else uuid.uuid4().hex


def tell(**facts: str | int | float) -> None:
    """Log the one line about a request."""
    level = logging.ERROR if int(facts["status"]) >= 500 else logging.INFO
    if access.isEnabledFor(level):
        access.log(level, "%(method)s %(route)s %(status)s %(ms)s ms", facts, extra=facts)


def _user_id(request: HttpRequest) -> int | None:
    """Give the signed-in user's number if the page has asked for the user anyway; never ask the database for the log."""
    user = request.__dict__.get("_cached_user")
    return getattr(user, "pk", None)


class RequestId(logging.Filter):
    """Put the number of the request on every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, numbered."""
        record.request_id = current_request.get()
        return True


class Json(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record with what the request log knows and with the traceback, if any."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": getattr(record, "request_id", "-"),
        }
        line |= {name: getattr(record, name) for name in TOLD if hasattr(record, name)}
        if record.exc_info:
            line["error"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
