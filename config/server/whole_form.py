"""The last field of every form that writes: a form that arrives without it is not whole, and is refused.

The gate takes bodies whole by their declared length; this notices what was cut before the length was counted, by a lying
sender or by anything between the browser and the gate.
"""

from collections.abc import Callable
from typing import Any

from django import template
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.server.workers import REFUSAL
from scoring.problems import Problem, gettext_noop
from tournaments.record.refusal import Refused, say
from tournaments.web.middleware import answer_refusal, wants_json

FIELD = "form_end"
VALUE = "1"
FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
INCOMPLETE = Problem(
    "form_incomplete",
    gettext_noop(
        "The form did not arrive whole, so nothing was saved. Go back and send it again; "
        "if that does not help, reload the page with the form."
    ),
)

register = template.Library()


@register.simple_tag
def form_end() -> SafeString:
    """Write the last field of a form."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, VALUE)


class WholeFormMiddleware:
    """Refuses forms that are not whole, and requests that the gate found too large."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: object, kwargs: object
    ) -> HttpResponse | None:
        """Refuse before the page sees anything; a whole form goes on without its last field."""
        if refusal := request.META.get(REFUSAL):
            return answer_refusal(request, refusal)
        if not needs_last_field(request, view) or take_last_field(request):
            return None
        return refuse(request)


def needs_last_field(request: HttpRequest, view: Any) -> bool:
    """Return whether this is a form of ours: programs send JSON."""
    if request.method != "POST" or request.content_type not in FORMS:
        return False
    access = getattr(view, "access", None)
    return not (access and access.is_api)


def take_last_field(request: HttpRequest) -> bool:
    """Take the last field off the form; return whether it was there and the last."""
    form: Any = request.POST
    if next(reversed(form), None) != FIELD or form[FIELD] != VALUE:
        return False
    form._mutable = True
    del form[FIELD]
    form._mutable = False
    return True


def refuse(request: HttpRequest) -> HttpResponse:
    """Say that nothing was saved; a script that shows the answer on its page gets the sentence alone."""
    refused = Refused(INCOMPLETE)
    if wants_json(request):
        return answer_refusal(request, refused)
    if "X-Part" in request.headers:
        return HttpResponse(say(INCOMPLETE), status=refused.status, content_type="text/plain; charset=utf-8")
    about = {"status": refused.status, "sentence": say(INCOMPLETE)}
    return render(request, "unsent.html", about, status=refused.status)
