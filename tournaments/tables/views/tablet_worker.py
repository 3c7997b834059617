"""The files that a tablet stores so that its screen starts without a connection, and the version that they have together."""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse

from tournaments.web import styles
from tournaments.web.access import page
from tournaments.web.requests import Request

STYLES = (styles.SITE, "css/rooms/tablet.css", "css/rooms/tablet-entry.css", "css/rooms/phone.css")
SCRIPTS = ("theme", "components")
IMAGES = ("favicon.svg", "favicon-32.png", "icon-180.png", "icons.svg", "tiles.svg")
FOLDERS = ("js/referee", "js/tablet")
"""The scripts of the referee's phone and of the tablet: one worker keeps both, for the phone uses the tablet's queue."""


@page("look")
def worker(request: Request) -> HttpResponse:
    """Return the service worker, which browsers always request anew, with the list of files that it stores."""
    context = {"version": app_version(), "assets": json.dumps(assets())}
    response = render(request, "tournaments/tablet/worker.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


def files() -> Iterator[str]:
    """Yield the static files of the screen."""
    yield from STYLES
    if not settings.HASHED_STATIC:
        yield from styles.parts_of_the_site()
    yield from (f"js/{name}.js" for name in SCRIPTS)
    yield from (f"img/{name}" for name in IMAGES)
    yield "manifest.webmanifest"
    for name in FOLDERS:
        folder = Path(settings.STATICFILES_DIRS[0]) / name
        yield from sorted(f"js/{path.relative_to(folder.parent).as_posix()}" for path in folder.rglob("*.js"))


def assets() -> list[str]:
    """List the addresses to store: static files by their hashed names, and the texts of both languages."""
    words = [reverse("messages", args=[language]) for language, _ in settings.LANGUAGES]
    return [*(static(name) for name in files()), *words]


def app_version() -> str:
    """Return the version of the screen, made from the content of its files."""
    return _lasting_version() if settings.HASHED_STATIC else _version()


@cache
def _lasting_version() -> str:
    return _version()


def _version() -> str:
    """Return a digest of everything that the screens are made of, their texts included."""
    digest = hashlib.sha256()
    templates = Path(settings.BASE_DIR) / "templates"
    shells = [
        *sorted((templates / "tournaments" / "tablet").glob("*")),
        templates / "penalties" / "phone.html",
    ]
    locales = map(Path, settings.LOCALE_PATHS)
    words = [found for path in locales for found in sorted(path.glob("*/LC_MESSAGES/djangojs.mo"))]
    names = sorted({*files(), *styles.parts_of_the_site()})
    found = [Path(path) for path in map(finders.find, names) if path]
    for path in (*found, *shells, *words):
        if path.exists():
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]
