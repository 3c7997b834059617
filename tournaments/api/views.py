"""The public read API: cheap, open to other sites' pages, and answering whatever goes wrong as programs read it."""

import functools
import hashlib
import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from scoring.problems import Problem, gettext_noop
from tournaments.api.endpoints import ENDPOINTS, JSON, Endpoint, document, fingerprint
from tournaments.api.schema import REFERENCE, plain
from tournaments.models import Tournament
from tournaments.record.refusal import Refused, refuse
from tournaments.standings.queries.table import state_tag
from tournaments.web import rates
from tournaments.web.access import api, page
from tournaments.web.middleware import answer_refusal
from tournaments.web.paging import only
from tournaments.web.requests import DjangoView, Request, View

METHODS = ("GET", "OPTIONS")
HOUR = 3600


def opened(view: View, *, keeps_freeze: bool = True) -> DjangoView:
    """Open an address to programs anywhere; whatever goes wrong is a problem in JSON."""
    guarded = api("look", methods=METHODS, reading=rates.PROGRAM, keeps_freeze=keeps_freeze)(view)

    @csrf_exempt
    @functools.wraps(guarded)
    def answered(request: HttpRequest, **named: Any) -> HttpResponse:
        try:
            answer = _preflight() if request.method == "OPTIONS" else guarded(request, **named)
        except Http404:
            answer = _refused(request, "not_found", gettext_noop("There is nothing at this address."))
        except Refused as refused:
            answer = answer_refusal(request, refused)
        if answer.status_code == 405:
            sentence = gettext_noop("This address does not support %(method)s.")
            allow = answer["Allow"]
            answer = _refused(request, "method_not_allowed", sentence, method=request.method)
            answer["Allow"] = allow
        answer["Access-Control-Allow-Origin"] = "*"
        answer["Access-Control-Expose-Headers"] = "ETag"
        return answer

    return answered


def _preflight() -> HttpResponse:
    """Tell a browser what another site's page may ask."""
    answer = HttpResponse(status=204)
    answer["Allow"] = "GET, HEAD, OPTIONS"
    answer["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
    answer["Access-Control-Allow-Headers"] = "If-None-Match, Accept-Language"
    answer["Access-Control-Max-Age"] = str(HOUR)
    return answer


def _refused(request: HttpRequest, code: str, sentence: str, **details: object) -> HttpResponse:
    return answer_refusal(request, Refused(Problem(code, sentence, details=details)))


def _view_of(endpoint: Endpoint) -> DjangoView:
    """Make the view of one address of the list."""
    known = [one.name for one in endpoint.query]

    def view(request: Request, **found: Any) -> HttpResponse:
        only(request.GET, known)
        of: Tournament | None = found.get("tournament")
        if of is not None and not of.is_public:
            raise Http404
        tag = state_tag(of, fingerprint(), request.get_full_path()) if of is not None else None
        if tag and (unchanged := get_conditional_response(request, etag=tag)) is not None:
            return _kept(unchanged, tag)
        body = written(endpoint.work(request.GET, **found))
        tag = tag or f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        answer = HttpResponse(body, content_type=JSON)
        return _kept(get_conditional_response(request, etag=tag, response=answer) or answer, tag)

    view.__name__ = f"api_{endpoint.name}"
    view.__doc__ = endpoint.summary
    return opened(view, keeps_freeze=endpoint.keeps_freeze)


def _kept(answer: HttpResponse, tag: str) -> HttpResponse:
    answer["ETag"] = tag
    answer["Cache-Control"] = "public, no-cache"
    return answer


def written(value: Any) -> bytes:
    """Write an answer as JSON."""
    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":")).encode()


@opened
def openapi(request: Request) -> HttpResponse:
    """Return the description for programs."""
    body = json.dumps(document(), ensure_ascii=False, indent=1).encode()
    tag = f'"{fingerprint()}"'
    answer = HttpResponse(body, content_type=JSON)
    return _kept(get_conditional_response(request, etag=tag, response=answer) or answer, tag)


@opened
def nowhere(request: Request, rest: str) -> HttpResponse:
    """Answer what leads nowhere in the way programs read."""
    refuse("not_found", gettext_noop("There is nothing at this address."))


@page("look")
def documentation(request: Request) -> HttpResponse:
    """Show the description for people, made from the same document."""
    said = document()
    schemas = said["components"]["schemas"]
    return render(
        request,
        "tournaments/public/api.html",
        {
            "endpoints": [_shown(address, ways["get"]) for address, ways in said["paths"].items()],
            "objects": [
                {
                    "name": name,
                    "says": _(_meaning(one)),
                    "fields": [
                        {"name": field, **_type(schema), "says": _meant(schema)}
                        for field, schema in one["properties"].items()
                    ],
                }
                for name, one in schemas.items()
            ],
            "base": request.build_absolute_uri("/").rstrip("/"),
        },
    )


def _shown(address: str, operation: dict[str, Any]) -> dict[str, Any]:
    answer, summary = operation["responses"]["200"]["content"][JSON]["schema"]["$ref"], operation["summary"]
    return {
        "name": operation["operationId"],
        "address": address,
        "summary": _(summary),
        "parameters": [
            {
                "name": one["name"],
                "in_path": one["in"] == "path",
                "says": _(_meaning(one)),
                "choices": one["schema"].get("enum", []),
            }
            for one in operation["parameters"]
        ],
        "answer": answer.removeprefix(REFERENCE),
    }


def _meaning(schema: dict[str, Any]) -> str:
    return str(schema.get("description", ""))


def _meant(schema: dict[str, Any]) -> str:
    """Return what a field means; one that needs no words has none."""
    said = _meaning(schema) or _meaning(schema.get("items", {}))
    return _(said) if said else ""


def _type(schema: dict[str, Any]) -> dict[str, Any]:
    """Name the type of a field, and the object that it leads to."""
    if "anyOf" in schema:
        return {"type": "null", "leads_to": schema["anyOf"][0]["$ref"].removeprefix(REFERENCE), "many": False}
    if "$ref" in schema:
        return {"type": "", "leads_to": schema["$ref"].removeprefix(REFERENCE), "many": False}
    kind = schema["type"]
    name = " | ".join(kind) if isinstance(kind, list) else kind
    items = schema.get("items", {})
    if "$ref" in items:
        return {"type": "", "leads_to": items["$ref"].removeprefix(REFERENCE), "many": True}
    if items:
        name = f"{name} ({items['type']})"
    return {"type": name, "leads_to": "", "many": False, "choices": schema.get("enum", [])}


VIEWS = {endpoint.name: _view_of(endpoint) for endpoint in ENDPOINTS}
