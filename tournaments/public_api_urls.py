"""The addresses of the public read API, as its list of endpoints names them."""

from django.urls import path

from tournaments.openapi.endpoints import ENDPOINTS
from tournaments.views import open_api

urlpatterns = [
    *[
        path(
            endpoint.route.lstrip("/").replace("<slug>", "<slug:slug>"),
            open_api.VIEWS[endpoint.name],
            name=f"public_api_{endpoint.name}",
        )
        for endpoint in ENDPOINTS
    ],
    path("api/1/openapi.json", open_api.openapi, name="public_api_openapi"),
    path("api/docs/", open_api.documentation, name="public_api_docs"),
    path("api/<path:rest>", open_api.nowhere, name="public_api_nowhere"),
]
