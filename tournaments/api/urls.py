"""The addresses of the public read API, as its list of endpoints names them."""

from django.urls import path

from tournaments.api import views as api_views
from tournaments.api.endpoints import ENDPOINTS

urlpatterns = [
    *[
        path(
            endpoint.route.lstrip("/").replace("<slug>", "<slug:slug>"),
            api_views.VIEWS[endpoint.name],
            name=f"public_api_{endpoint.name}",
        )
        for endpoint in ENDPOINTS
    ],
    path("api/1/openapi.json", api_views.openapi, name="public_api_openapi"),
    path("api/docs/", api_views.documentation, name="public_api_docs"),
    path("api/<path:rest>", api_views.nowhere, name="public_api_nowhere"),
]
