"""Scripts of the site's own, with the digest that the browser holds them against."""

import base64
import hashlib
from functools import lru_cache
from pathlib import Path

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def script(name: str, kind: str = "module") -> SafeString:
    """Load a script of the site: a module, which leaves the network to the styles first, or one that runs before the page is drawn."""
    as_module = format_html(' type="{}" fetchpriority="low"', kind) if kind else ""
    return format_html(
        '<script{} src="{}" integrity="{}"></script>', as_module, static(name), integrity_of(name)
    )


def integrity_of(name: str) -> str:
    """Return the digest of a script as it is served, which under hashed names is not as it was written."""
    path = _served(name) if settings.HASHED_STATIC else Path(finders.find(name) or name)
    return _digest(path, path.stat().st_mtime_ns)


def _served(name: str) -> Path:
    stored: str = staticfiles_storage.stored_name(name)  # type: ignore[attr-defined]
    return Path(staticfiles_storage.path(stored))


@lru_cache(maxsize=256)
def _digest(path: Path, written_at: int) -> str:
    return "sha384-" + base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode()
