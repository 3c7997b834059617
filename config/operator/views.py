"""Pages for whoever runs the site: how it does, and its numbers for Prometheus."""

import functools
import secrets
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.mail import send_mail
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.operator import metrics
from config.operator.condition import parts

View = Callable[[HttpRequest], HttpResponseBase]


def for_operators(view: View) -> View:
    """Let the site's administrators in, send strangers to the sign-in, and tell everybody else that there is no such page."""

    @never_cache
    @functools.wraps(view)
    def guarded(request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not request.user.is_superuser:
            raise Http404
        return view(request)

    return guarded


@require_safe
@for_operators
def health(request: HttpRequest) -> HttpResponse:
    """Show what a site needs to go on: jobs, mail, certificate, disk, histories, backups and drills."""
    found = parts()
    return render(
        request, "operator/health.html", {"parts": found, "bad": [part for part in found if part.is_bad]}
    )


@require_POST
@for_operators
def send_test_mail(request: HttpRequest) -> HttpResponse:
    """Send a letter to whoever asks for it, and say how it went."""
    user: Any = request.user
    if not user.email:
        messages.error(request, _("Your account has no e-mail address. Add one first, then try again."))
        return HttpResponseRedirect(reverse("account_email"))
    try:
        send_mail(_("Four Winds: a test"), _("Mail from this site reaches you."), None, [user.email])
    except Exception as error:  # whatever the mail server says is what the operator wants to read
        messages.error(request, _("The letter could not be sent: %(error)s") % {"error": error})
    else:
        messages.success(request, _("A letter was handed over for %(address)s.") % {"address": user.email})
    return HttpResponseRedirect(reverse("operator-health"))


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Answer Prometheus, if it shows the token; to everybody else there is no such page."""
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    token = settings.METRICS_TOKEN
    if not token or not secrets.compare_digest(shown.encode(), token.encode()):
        raise Http404
    return HttpResponse(metrics.page(), content_type="text/plain; version=0.0.4; charset=utf-8")
