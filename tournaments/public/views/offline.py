"""The worker that keeps public pages on the device of whoever has read them."""

import json

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from tournaments.web.access import page
from tournaments.web.requests import Request


@page("look")
def worker(request: Request) -> HttpResponse:
    """Return the service worker, which browsers always request anew."""
    context = {"static": settings.STATIC_URL, "lasting": json.dumps(settings.HASHED_STATIC)}
    response = render(
        request, "tournaments/public/offline-worker.js", context, content_type="text/javascript"
    )
    response["Cache-Control"] = "no-cache"
    return response
