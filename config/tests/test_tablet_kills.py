"""A browser killed at any moment, again and again: what the screen took is on the server once and in order."""

import os
import random
import signal
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

from config.tests.tablet_driver import Tablet
from config.tests.test_tablet_browser import hands_of, protocol_of, ready_offline, win
from conftest import CHROMIUM_OPTIONS, blocking_calls_allowed, chromium_path, wait_for

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/cmdline").exists(), reason="only Linux says which process is whose"
    ),
]
KILLS = int(os.environ.get("KILLS", "4"))
"""How often the browser is killed; 50 took five minutes and lost nothing."""


def processes_of(folder):
    """The numbers of the browser processes that work with this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder) in path.read_text(errors="replace"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def kill(folder):
    for number in processes_of(folder):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            continue


@pytest.fixture
def open_browser(chromium, site, tmp_path):
    """Open the same browser, with the same memory, as often as it dies."""
    options = [*CHROMIUM_OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]

    def opened():
        context = chromium.browser_type.launch_persistent_context(
            tmp_path / "memory", executable_path=chromium_path(), args=options, base_url=site.url, locale="en"
        )
        context.set_default_timeout(30_000)
        return context

    with blocking_calls_allowed():
        yield opened
    kill(tmp_path / "memory")


def begin_anew(one):
    """Clear a hand that was half entered: it was kept too."""
    half_entered = one.page.locator('[data-focus="clear-entry"]')
    if half_entered.count():
        half_entered.click()


def test_a_browser_killed_again_and_again_loses_and_doubles_nothing(open_browser, tmp_path):
    chance = random.Random(11)
    protocol = protocol_of("red")
    context = open_browser()
    one = Tablet(context.new_page(), protocol)
    ready_offline(one)
    taken, begun, points = [], [], 0
    for _ in range(KILLS):
        context.set_offline(chance.random() < 0.7)
        death = threading.Timer(chance.uniform(0.3, 2.5), kill, [tmp_path / "memory"])
        death.start()
        try:
            while True:
                points += 1
                begun.append(points)
                one.enter(win("ESW"[points % 3], points), "RED")
                one.save()
                taken.append(points)
        except Error:
            death.join()
        wait_for(lambda: not processes_of(tmp_path / "memory"), "The killed browser was not gone")
        context = open_browser()
        one = Tablet(context.new_page(), protocol, admit=False)
        begin_anew(one)
    expect(one.page.locator('[data-connection="online"][data-unsent="0"]')).to_be_visible(timeout=30_000)
    there = [row.facts["events"][0]["winners"][0]["fans"] for row in hands_of(protocol)]
    context.close()
    assert there == sorted(set(there))
    assert set(taken) <= set(there) <= set(begun)
