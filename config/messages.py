"""The translations that scripts need, one cacheable file per language."""

import hashlib
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe
from django.views.i18n import JavaScriptCatalog

show = JavaScriptCatalog.as_view(packages=["tournaments"])


@cache
def script(language: str) -> bytes:
    """Write the catalogue of a language as a script that defines gettext and ngettext."""
    request = HttpRequest()
    request.method = "GET"
    with translation.override(language):
        answer = show(request)
    assert isinstance(answer, HttpResponse)
    return answer.content


def fingerprint(request: HttpRequest, language: str) -> str | None:
    """Name the catalogue by its content."""
    if language not in dict(settings.LANGUAGES):
        return None
    return f'"{hashlib.sha256(script(language)).hexdigest()[:16]}"'


@require_safe
@cache_control(public=True, max_age=300)
@condition(etag_func=fingerprint)
def catalogue(request: HttpRequest, language: str) -> HttpResponse:
    """Return the catalogue of a language; 404 for one that the site does not speak."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    return HttpResponse(script(language), content_type="text/javascript; charset=utf-8")
