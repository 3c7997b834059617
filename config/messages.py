"""The translations that scripts need, one cacheable file per language."""

import hashlib
from collections.abc import Mapping
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe
from django.views.i18n import JavaScriptCatalog

from scoring.systems import SYSTEMS
from scoring.terms import CONTEXT, Terms


class SpokenCatalog(JavaScriptCatalog):
    """The sentences of scripts, and under each system's code those that its rulebook words otherwise. [DESIGN 9]"""

    def get_catalog(self) -> dict[str, str | list[str]]:
        """Return the catalogue with the wordings of the systems."""
        known: dict[str, str | list[str]] = super().get_catalog()
        general = {sentence: text for sentence, text in known.items() if CONTEXT not in sentence}
        return general | {
            f"{system.code}{CONTEXT}{sentence}": own
            for system in SYSTEMS.values()
            for sentence, text in general.items()
            if (own := self._own(system.terms, sentence, text, known)) != text
        }

    def _own(
        self, terms: Terms, sentence: str, text: str | list[str], known: Mapping[str, str | list[str]]
    ) -> str | list[str]:
        """Return how a system says a sentence, in all its forms."""
        for context in terms.contexts:
            if own := known.get(context + CONTEXT + sentence):
                return own
        language = self.translation.to_language()
        if isinstance(text, str):
            return terms.worded(text, language)
        return [terms.worded(form, language) for form in text]


show = SpokenCatalog.as_view(packages=["tournaments"])


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
