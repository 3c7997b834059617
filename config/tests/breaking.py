"""Production settings under which a page may be told to break, for tests of what is logged then."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFieldsSent
from django.db import IntegrityError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from config.settings.production import *  # noqa: F403
from config.settings.production import MIDDLEWARE

MIDDLEWARE = [*MIDDLEWARE, "config.tests.breaking.Breaks"]


class Breaks:
    """Raises in the place of the page what a header names, in words that hold the address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        said = f"at {request.build_absolute_uri()} with {kwargs}"
        wrong = {
            "value": ValueError(said),
            "suspicious": SuspiciousOperation(said),
            "fields": TooManyFieldsSent(said),
            "size": RequestDataTooBig(said),
            "integrity": IntegrityError(said),
            "denied": PermissionError(said),
            "nothing": Http404(said),
        }.get(request.headers.get("X-Break", ""))
        if wrong:
            raise wrong
        if request.headers.get("X-Break") == "reverse":
            reverse("no-such-page", kwargs=kwargs)
        from tournaments.web.middleware import answer_refusal, as_refused  # not before the settings are read

        if request.headers.get("X-Break") == "database" and (paused := as_refused(OperationalError(said))):
            return answer_refusal(request, paused)
        return None
