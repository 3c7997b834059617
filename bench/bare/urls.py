"""The one view: lock the row that all share, insert one, raise the shared one, commit."""

import json

from django.db import models, transaction
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from bench.bare import ADDRESS


class Shared(models.Model):  # noqa: DJ008 -- nobody looks at it
    """The row that all share; pgbench raises the same."""

    wanted = models.IntegerField()

    class Meta:
        app_label = "bare"
        managed = False
        db_table = "bench_event"


class Row(models.Model):  # noqa: DJ008 -- nobody looks at it
    """A row that each request adds."""

    times = models.IntegerField()

    class Meta:
        app_label = "bare"
        managed = False
        db_table = "bare_rows"


@csrf_exempt  # as the tablets' addresses: no cookie is believed here, and the load carries none
def write(request: HttpRequest) -> JsonResponse:
    """Write the least that a hand could be, and answer as a hand is answered."""
    json.loads(request.body)
    with transaction.atomic():
        shared = Shared._default_manager.select_for_update().get(pk=1)
        row = Row._default_manager.create(times=1)
        Shared._default_manager.filter(pk=1).update(wanted=shared.wanted + 1)
    return JsonResponse({"receipt": {"entry": row.pk}})


urlpatterns = [path(ADDRESS, write)]
