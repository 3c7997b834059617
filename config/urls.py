"""Every address of the site; the applications name their own."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.templatetags.static import static
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from config import health, views
from config.messages import catalogue

# Administrators sign in as everybody does: slowed by account, with their second factor. [INTEGRITY 3]
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

ROBOTS = """User-agent: *
Disallow: /accounts/
Disallow: /site-admin/
Disallow: /live/
"""


@require_safe
@cache_control(public=True, max_age=86400)
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines which addresses hold nothing for them."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=3600)
def favicon(request: HttpRequest) -> HttpResponseBase:
    """Lead browsers that ask for the customary address to the icon."""
    return RedirectView.as_view(url=static("img/favicon.svg"))(request)


urlpatterns = [
    path("healthz", health.alive, name="alive"),
    path("readyz", health.ready, name="ready"),
    path("robots.txt", robots, name="robots"),
    path("favicon.ico", favicon, name="favicon"),
    path("i18n/setlang/", views.set_language, name="set_language"),
    path("theme/", views.set_theme, name="set_theme"),
    path("messages/<str:language>.js", catalogue, name="messages"),
    path("accounts/", include("allauth.urls")),
    path("site-admin/", admin.site.urls),
    *([path("styleguide/", views.styleguide, name="styleguide")] if settings.STYLEGUIDE else []),
    path("", include("seating.urls")),
    path("", include("penalties.urls")),
    path("", include("tournaments.urls")),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.page_not_found"
handler500 = "config.views.server_error"
