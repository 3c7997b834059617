"""Addresses for programs: strict bodies, keys, problems instead of pages, and a CSRF check for requests with a cookie."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from scoring.problems import Problem, gettext_noop
from tournaments.record.actors import ActorKind
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused, refuse
from tournaments.web.access import api
from tournaments.web.requests import DjangoView, Request, View
from tournaments.web.strict import load_json


def endpoint(capability: str, *, methods: tuple[str, ...] = ("POST",)) -> Callable[[View], DjangoView]:
    """Open an address to programs with the capability; every error is answered as a problem in JSON."""

    def decorate(view: View) -> DjangoView:
        @functools.wraps(view)
        def checked(request: Request, **found: Any) -> HttpResponse:
            check_origin(request)
            return view(request, **found)

        guarded = api(capability, methods=methods)(checked)

        @csrf_exempt
        @never_cache
        @functools.wraps(guarded)
        def answered(request: HttpRequest, **named: Any) -> HttpResponse:
            try:
                response = guarded(request, **named)
            except Http404:
                refuse("not_found", gettext_noop("There is nothing at this address."))
            return _said(request, response) if response.status_code == 405 else response

        return answered

    return decorate


def _said(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Answer a method that is not offered with a problem; the header with the allowed ones stays."""
    from tournaments.web.middleware import answer_refusal

    problem = Problem(
        "method_not_allowed",
        gettext_noop("This address does not support %(method)s."),
        details={"method": request.method},
    )
    said = answer_refusal(request, Refused(problem))
    said["Allow"] = response["Allow"]
    return said


class _Csrf(CsrfViewMiddleware):
    """Django's CSRF check, which returns the reason instead of a page."""

    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def _nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def check_origin(request: Request) -> None:
    """Check the CSRF token of a request that is signed in by a cookie; a tablet's credential needs none."""
    if request.actor.kind != ActorKind.USER:
        return
    check = _Csrf(_nothing)
    check.process_request(request)
    if check.process_view(request, _nothing, (), {}):
        refuse("csrf", gettext_noop("The page is out of date; reload it. Nothing was saved."))


def body_of(request: HttpRequest) -> Any:
    """Read the JSON of the body, within the limits of `strict`."""
    if request.content_type != "application/json":
        refuse("media_type", gettext_noop("Send application/json."))
    return load_json(request.body)


def key_of(request: HttpRequest) -> str:
    """Read the key of a writing request."""
    return check_key(request.headers.get("Idempotency-Key", ""))


def answer(body: Mapping[str, Any], status: int = 200) -> JsonResponse:
    """Answer with JSON whose letters are not escaped."""
    return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})
