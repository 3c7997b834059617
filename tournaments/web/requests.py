"""The request as views see it: with whoever sends it, and what the views behind the access table look like."""

from collections.abc import Callable
from typing import Any, Concatenate, Protocol, cast

from django.http import HttpRequest, HttpResponse

from tournaments.models import User
from tournaments.record.actors import Actor


class Request(HttpRequest):
    """A request that the access decorator has read: it says who sends it.

    Django makes the objects, so none is an instance of this class; `with_actor` adds the attributes to Django's own.
    """

    actor: Actor


class AccountRequest(Request):
    """A request to an address that is opened to signed-in accounts alone."""

    user: User


class DelayedRequest(HttpRequest):
    """A request that came too soon; the middleware answers it with 429 and the seconds to wait."""

    retry_after: float


View = Callable[Concatenate[Request, ...], HttpResponse]
AccountView = Callable[Concatenate[AccountRequest, ...], HttpResponse]


class DjangoView(Protocol):
    """What Django calls, with the parts of the address by their names."""

    def __call__(self, request: HttpRequest, **named: Any) -> HttpResponse:
        """Answer the request."""


def with_actor(request: HttpRequest, actor: Actor) -> Request:
    """Note on the request who sends it."""
    read = cast(Request, request)  # the same object; the next line gives it what makes it a Request
    read.actor = actor
    return read


def delay(request: HttpRequest, seconds: float) -> None:
    """Note on the request how long its sender is to wait before the next one."""
    cast(DelayedRequest, request).retry_after = seconds  # the same object, with one attribute more


def delay_of(request: HttpRequest) -> float:
    """Return how many seconds the sender is to wait; 0 when nothing was too much."""
    seconds: float = getattr(request, "retry_after", 0)
    return seconds
