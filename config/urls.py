"""Every address of the site; the applications name their own."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.templatetags.static import static
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from config import views
from config.messages import catalogue
from config.operator import views as operator
from config.server import health

ROBOTS = """User-agent: *
Disallow: /accounts/
Disallow: /operator/
Disallow: /live/
Sitemap: {sitemap}
"""


@require_safe
@cache_control(public=True, max_age=86400)
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines which addresses hold nothing for them."""
    return HttpResponse(
        ROBOTS.format(sitemap=request.build_absolute_uri("/sitemap.xml")),
        content_type="text/plain; charset=utf-8",
    )


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
    path("metrics", operator.metrics_page, name="metrics"),
    path("operator/health/", operator.health, name="operator-health"),
    path("operator/health/mail/", operator.send_test_mail, name="operator-test-mail"),
    path("accounts/", include("allauth.urls")),
    *([path("styleguide/", views.styleguide, name="styleguide")] if settings.STYLEGUIDE else []),
    path("", include("config.rehearsal.urls")),
    path("", include("seating.urls")),
    path("", include("penalties.urls")),
    path("", include("tournaments.urls")),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.page_not_found"
handler500 = "config.views.server_error"
