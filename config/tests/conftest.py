"""Servers, and the scene of two events, that several tests of this folder share."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from config.operator import metrics
from config.tests.production import Front, Production
from config.tests.world import World, make_world, undone


@pytest.fixture(scope="session")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    """Serve the site as it is shipped, with the demo's events; pages may be told to break."""
    folder = tmp_path_factory.mktemp("production")
    site = Production(folder, DJANGO_SETTINGS_MODULE="config.tests.breaking")
    site.prepare()
    with ExitStack() as stack:
        site.start(stack)
        yield site


@pytest.fixture(scope="session")
def front(production: Production) -> Iterator[Front]:
    """Put Caddy in front of it."""
    if shutil.which("caddy") is None:
        pytest.skip("Caddy is not on this machine")
    shipped = Front(production.folder, production.port)
    with ExitStack() as stack:
        shipped.start(stack)
        yield shipped


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Make the two events once for a module, in one transaction; a test undoes what it does in it."""
    with django_db_blocker.unblock(), undone():
        yield make_world()


@pytest.fixture(autouse=True)
def own_gauges() -> Iterator[None]:
    """What a site started by a test lets the metrics watch is watched no longer than the test."""
    before = dict(metrics._gauges)
    yield
    metrics._gauges.clear()
    metrics._gauges.update(before)
