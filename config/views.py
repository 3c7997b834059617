"""Pages that belong to no application: the style page, the choice of theme, and the pages that say no."""

import functools
from collections.abc import Callable

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    HttpResponseServerError,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from config.tools import styleguide as samples
from scoring.problems import Problem, gettext_noop
from tournaments.record.refusal import Refused
from tournaments.web.middleware import answer_refusal, wants_json

YEAR = 365 * 24 * 60 * 60
THEMES = ("auto", "light", "dark", "sun")
SCREENS = {
    "tablet": "styleguide/tablet.html",
    "hall": "styleguide/hall.html",
    "hall-clock": "styleguide/hall_clock.html",
    "sheet": "styleguide/sheet.html",
}


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Show every component of the design system with samples that live in no database."""
    page = SCREENS.get(request.GET.get("show", ""), "styleguide.html")
    return render(request, page, samples.context(request))


def from_this_site(
    view: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Open a switch of the page's looks without a token, so that pages can be the same for everybody; not to other sites."""

    @csrf_exempt
    @functools.wraps(view)
    def switched(request: HttpRequest) -> HttpResponseBase:
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
            return forbidden(request)
        return view(request)

    return switched


@from_this_site
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Keep the chosen language in a cookie and go back."""
    return i18n.set_language(request)


@from_this_site
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme in a cookie and go back; an unknown choice changes nothing."""
    response = HttpResponseRedirect(_way_back(request))
    if (chosen := request.POST.get("theme")) in THEMES:
        response.set_cookie("theme", chosen, max_age=YEAR, samesite="Lax", secure=request.is_secure())
    return response


def _way_back(request: HttpRequest) -> str:
    """Return the address to go back to, if it is one of ours."""
    address = request.POST.get("next", "")
    known = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if known else "/"


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer what cannot be understood, without echoing a word of it."""
    if wants_json(request):
        sentence = gettext_noop("The request could not be understood.")
        return answer_refusal(request, Refused(Problem("bad_request", sentence)))
    return HttpResponse(render_to_string("400.html"), status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say that this visitor may not do this."""
    return render(request, "403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that the form was out of date and that nothing was saved."""
    sentence = _("The page is out of date; reload it. Nothing was saved.")
    return render(request, "403.html", {"sentence": sentence, "out_of_date": True}, status=403)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say that there is nothing at this address, and where to go instead."""
    if wants_json(request):
        sentence = gettext_noop("There is nothing at this address.")
        return answer_refusal(request, Refused(Problem("not_found", sentence)))
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Own up to a fault of ours; needs neither a database nor a context."""
    return HttpResponseServerError(render_to_string("500.html", {"debug": settings.DEBUG}))
