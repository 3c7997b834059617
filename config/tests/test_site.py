"""The real site, in this process: streams from the real database, a real browser at them, modules under hashed names."""

import json
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.db import connection

from config.server.live import Database
from conftest import wait_for
from tournaments.models import Snapshot
from tournaments.standings.operations.recompute import recompute_all
from tournaments.tests import factories


def elsewhere(call, *arguments):
    """Call in another thread, as the live part does, with a database connection of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(closing_its_connection, call, *arguments).result()


def closing_its_connection(call, *arguments):
    """Leave no connection behind."""
    try:
        return call(*arguments)
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_source_knows_public_tournaments_only():
    public, hidden = factories.tournament(), factories.tournament(announced=False)
    revision = recompute_all(public)
    recompute_all(hidden)
    source = Database()
    assert elsewhere(source.load, public.slug).revision == revision
    assert elsewhere(source.load, hidden.slug) is None
    assert elsewhere(source.load, "nothing") is None
    assert elsewhere(source.revisions, [public.slug, hidden.slug, "nothing"]) == {public.slug: revision}


@pytest.mark.django_db(transaction=True)
def test_source_knows_tournaments_without_a_snapshot():
    tournament = factories.tournament()
    Snapshot.objects.filter(tournament=tournament).delete()
    snapshot = elsewhere(Database().load, tournament.slug)
    assert (snapshot.revision, snapshot.body) == (0, None)


def test_site_answers_and_is_ready(site):
    with urllib.request.urlopen(f"{site.url}/readyz") as answer:
        assert json.load(answer)["ready"] is True


def test_recorded_hand_reaches_an_open_stream(site):
    protocol = factories.protocol()
    slug = protocol.table.session.tournament.slug
    revisions = []

    def read():
        with urllib.request.urlopen(f"{site.url}/live/{slug}/events", timeout=20) as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    revisions.append(json.loads(line[6:])["rev"])

    threading.Thread(target=read, daemon=True).start()
    wait_for(lambda: revisions and revisions[-1] > 0, "The first revision was not told")
    before = revisions[-1]
    factories.record(protocol)
    wait_for(lambda: revisions[-1] > before, "The recorded hand was not told", seconds=5)
    with urllib.request.urlopen(f"{site.url}/live/{slug}/standings.json") as answer:
        assert json.load(answer)["revision"] >= revisions[-1]


@pytest.mark.browser
def test_browser_hears_of_a_recorded_hand(site, page):
    protocol = factories.protocol()
    tournament = protocol.table.session.tournament
    recompute_all(tournament)
    page.goto(f"/{tournament.slug}/")
    page.evaluate(
        """address => {
            window.heard = [];
            new EventSource(address).onmessage = event => heard.push(JSON.parse(event.data).rev);
        }""",
        f"/live/{tournament.slug}/events",
    )
    wait_for(lambda: page.evaluate("heard.length > 0"), "The browser heard nothing")
    before = page.evaluate("heard.at(-1)")
    factories.record(protocol)
    wait_for(lambda: page.evaluate("heard.at(-1)") > before, "The browser did not hear of the hand", 5)


@pytest.mark.once
@pytest.mark.browser
def test_complaint_of_the_browser_fails_a_test(new_browser):
    """The negative control of the fixture: a script that breaks is noticed."""
    page = new_browser().new_page()
    page.goto("/healthz")
    page.evaluate("setTimeout(() => { throw new Error('it broke'); })")
    wait_for(lambda: page.evaluate("1") and new_browser.complaints, "Nothing was noticed")
    assert "it broke" in new_browser.complaints[0]
    new_browser.complaints.clear()


def test_modules_import_each_other_under_hashed_names(tmp_path, settings):
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.js").write_text(
        'import {b} from "./b.js";\nconst late = () => import("./b.js");\n// from "./c.js"\n'
    )
    (source / "b.js").write_text("export const b = 1;\n")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "config.server.statics.HashedFiles"}}
    from django.contrib.staticfiles import finders

    finders.get_finder.cache_clear()
    call_command("collectstatic", interactive=False, verbosity=0)
    finders.get_finder.cache_clear()
    (hashed,) = (tmp_path / "collected").glob("a.*.js")
    (other,) = [path.name for path in (tmp_path / "collected").glob("b.*.js")]
    assert hashed.read_text().count(f'"./{other}"') == 2
    assert "//" in hashed.read_text()


def test_every_fixed_address_is_reserved():
    from django.urls import get_resolver

    from tournaments.sessions.operations.tournaments import RESERVED

    firsts = {str(pattern.pattern).partition("/")[0] for pattern in get_resolver().url_patterns}
    fixed = {first for first in firsts if first and "<" not in first and "." not in first}
    assert fixed <= RESERVED
