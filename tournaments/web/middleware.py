"""Answers to refusals of the record: a problem in JSON for programs, a page for people."""

from collections.abc import Callable, Iterator
from math import ceil

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render

from scoring.problems import Problem, gettext_noop
from tournaments.record.refusal import Refused, Stale, sentences
from tournaments.web.requests import delay_of
from tournaments.web.strict import is_unstorable
from tournaments.web.terms import hush

PROBLEM_JSON = "application/problem+json"


class RefusalMiddleware:
    """Answers refusals that no page caught, and a database that cannot be written."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Take the next handler."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on; show a page of its own for an address that only takes forms.

        A form that comes back because a limit was reached gets status 429, which programs understand.
        """
        try:
            return self._answered(request)
        finally:
            hush()

    def _answered(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if (wait := delay_of(request)) and response.status_code in {200, 422, 429}:
            response.status_code = 429
            response["Retry-After"] = str(max(1, ceil(wait)))
        if response.status_code != 405 or response.content or wants_json(request):
            return response
        page = render(request, "405.html", status=405)
        page["Allow"] = response["Allow"]
        return page

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: object, kwargs: object
    ) -> HttpResponse | None:
        """Refuse a text that no database can store, before any form reads it."""
        if any(is_unstorable(text) for values in (request.GET, request.POST) for text in flat(values)):
            sentence = gettext_noop("The text contains characters that cannot be stored.")
            return answer_refusal(request, Refused(Problem("bad_text", sentence)))
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a refusal or a paused database; anything else is our bug and fails loudly."""
        refused = as_refused(exception)
        return None if refused is None else answer_refusal(request, refused)


def as_refused(exception: Exception) -> Refused | None:
    """Return the refusal that an exception stands for; None for a bug of ours."""
    if isinstance(exception, OperationalError):
        sentence = gettext_noop(
            "Scores cannot be stored right now; keep the tablet on, it will send by itself."
        )
        return Refused(Problem("writes_paused", sentence))
    return exception if isinstance(exception, Refused) else None


def flat(values: QueryDict) -> Iterator[str]:
    """Yield every name and value of a form or query."""
    for name, texts in values.lists():
        yield name
        yield from (text for text in texts if isinstance(text, str))


def answer_refusal(request: HttpRequest, refused: Refused) -> HttpResponse:
    """Return the refusal in the form that the sender reads."""
    response = _problem(refused) if wants_json(request) else _page(request, refused)
    if refused.status in {429, 503} or refused.problems[0].code == "in_progress":
        response["Retry-After"] = "10" if refused.status == 503 else "1"
    return response


def wants_json(request: HttpRequest) -> bool:
    """Return whether a program asks."""
    accept = request.headers.get("Accept", "")
    return "/api/" in request.path or ("json" in accept and "text/html" not in accept)


def _problem(refused: Refused) -> HttpResponse:
    return JsonResponse(
        refused.as_json(),
        status=refused.status,
        content_type=PROBLEM_JSON,
        json_dumps_params={"ensure_ascii": False},
    )


def _page(request: HttpRequest, refused: Refused) -> HttpResponse:
    template = "409.html" if isinstance(refused, Stale) or refused.status == 409 else "refused.html"
    known = {401: "403.html", 403: "403.html", 404: "404.html", 410: "410.html", 413: "413.html"}
    known |= {429: "429.html", 503: "503.html"}
    said = sentences(refused.problems)
    own = {"standings_frozen": "frozen.html"}.get(refused.problems[0].code)
    return render(
        request,
        own or known.get(refused.status, template),
        {"sentence": said[0], "sentences": said, "problems": refused.problems},
        status=refused.status,
    )
