"""Whether this process lives, and whether it can take a score right now."""

import logging
import os
import shutil
from collections.abc import Callable, Mapping

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.tools import upgrade

logger = logging.getLogger(__name__)
LEAST_FREE_BYTES = 50 * 1024 * 1024


class NotReady(Exception):
    """One part of the site cannot serve; the sentence says which and why."""


@require_safe
@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """Say that the process answers; nothing else is asked."""
    return HttpResponse("alive\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Say part by part whether a score could be taken now; 503 when one of the parts fails."""
    report = {name: state(name, check) for name, check in checks().items()}
    well = all(answer == "ok" for answer in report.values())
    return JsonResponse({"ready": well, "checks": report}, status=200 if well else 503)


def checks() -> Mapping[str, Callable[[], None]]:
    """List what this installation needs; Redis only where it is configured."""
    needed = {"database": database, "migrations": migrations, "writable": writable}
    return needed if settings.EMBEDDED else {**needed, "redis": redis}


def state(name: str, check: Callable[[], None]) -> str:
    """Run one check; its failure is told to the log in full and to the asker in a word."""
    try:
        check()
    except NotReady as reason:
        return str(reason)
    except Exception:
        logger.exception("The readiness check “%s” failed.", name)
        return "failed"
    return "ok"


def database() -> None:
    """Fail unless the database answers a query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def migrations() -> None:
    """Fail unless every migration of this release is applied, and none of a newer one."""
    if upgrade.unknown_migrations():
        raise NotReady("the database is of a newer release")
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise NotReady("migrations are waiting")


def writable() -> None:
    """Fail unless the database takes writes, and a file database has room on its disk."""
    if connection.vendor == "sqlite":
        _room_beside(str(connection.settings_dict["NAME"]))
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SHOW transaction_read_only")
            if cursor.fetchone() != ("off",):
                raise NotReady("the database is read-only")


def _room_beside(path: str) -> None:
    """Fail unless the folder of a file database is writable and not full."""
    folder = os.path.dirname(path) or "."
    if not os.access(folder, os.W_OK):
        raise NotReady("the data folder is read-only")
    if shutil.disk_usage(folder).free < LEAST_FREE_BYTES:
        raise NotReady("the disk is almost full")


def redis() -> None:
    """Fail unless Redis answers a ping."""
    from redis import Redis

    with Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        client.ping()
