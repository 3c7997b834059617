"""What a phone and a hall show first: rows, letters by angle, shift, bytes and time, in a real browser.

    python bench/first_screen.py [--players 96]

The site as it is shipped, on a database of its own; Chromium as a phone of 390 × 844 on a slow network (400 kbit/s, 400 ms there and
back, processor four times slower), and as a projector of 1920 × 1080 whose picture is 2 m wide and seen from 15 m.
"""

import argparse
import math
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


from bench import hosts, world

PHONE = ViewportSize(width=390, height=844)
PROJECTOR = ViewportSize(width=1920, height=1080)
PICTURE_WIDTH, DISTANCE = 2.0, 15.0
CAPITAL = 0.7
"""The height of a capital letter by the size of its font, in the usual sans-serif fonts."""
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
WATCH = """
window.shifted = 0; window.painted = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value; }).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.painted = entry.startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
"""
ROWS = """() => {
  const rows = [...document.querySelectorAll(".standings tbody tr[data-number]")].map((row) => row.getBoundingClientRect());
  const seen = rows.filter((box) => box.top >= 0 && box.bottom <= window.innerHeight).length;
  return [seen, rows[0].top, rows[0].height, document.documentElement.scrollHeight];
}"""


def minutes_of_arc(pixels: float) -> float:
    """Return the angle under which so many pixels of the projector's picture are seen."""
    metres = pixels * PICTURE_WIDTH / PROJECTOR["width"]
    return math.degrees(math.atan(metres / DISTANCE)) * 60


def phone(browser: Browser, address: str, slug: str) -> None:
    """Print what the first screen of the standings holds, and when it is there: with nothing kept, and again."""
    context = browser.new_context(
        viewport=PHONE, locale="ru", device_scale_factor=3, is_mobile=True, has_touch=True
    )
    for name in ("cold", "warm"):
        page = context.new_page()
        page.add_init_script(WATCH)
        took = counted(page)
        page.goto(f"{address}/{slug}/standings/")
        page.wait_for_timeout(1500)
        seen, top, height, whole = page.evaluate(ROWS)
        painted, shifted = page.evaluate("[window.painted, window.shifted]")
        print(
            f"{slug:10} {name}: {seen} rows on the first screen, the first at {top:.0f} px, {height:.0f} px high, page {whole} px;"
            f" content after {painted / 1000:.2f} s, {sum(took) / 1024:.0f} KB, shift {shifted:.3f}"
        )
        page.close()
    context.close()


def counted(page: Page) -> list[float]:
    """Slow the page down, and count the bytes that it takes."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    took: list[float] = []
    session.on("Network.loadingFinished", lambda said: took.append(said["encodedDataLength"]))
    return took


def hall(browser: Browser, address: str, slug: str, part: str, letters: str) -> None:
    """Print how large the letters of a screen of the hall are, how many pages there are, and what moves."""
    page = browser.new_context(viewport=PROJECTOR, locale="ru").new_page()
    page.add_init_script(WATCH)
    page.goto(f"{address}/{slug}/hall/?show={part}")
    page.wait_for_timeout(1000)
    pages = page.locator("[data-part]").count()
    for _ in range(pages):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(100)
    sizes: list[Any] = page.evaluate(
        "(letters) => [...document.querySelectorAll(letters)].map((one) => parseFloat(getComputedStyle(one).fontSize))",
        letters,
    )
    smallest = min(sizes)
    shifted = page.evaluate("window.shifted")
    print(
        f"hall, {part:9}: {pages} pages, letters of {smallest:.0f} px, capitals of {minutes_of_arc(smallest * CAPITAL):.1f} minutes of arc,"
        f" shift {shifted:.3f}"
    )
    page.context.close()


def main() -> None:
    """Measure and print."""
    known = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known.add_argument("--players", type=int, default=96)
    known.add_argument("--port", type=int, default=8129)
    known.add_argument("--chromium", default="/usr/bin/chromium")
    chosen = known.parse_args()
    home = world.begin()
    try:
        for sessions in (4, 8, 20):
            world.recomputed(world.big_event(chosen.players, sessions, slug=f"event-{sessions}"))
        of, _credentials = world.hall_in_play(chosen.players // 4, slug="hall")
        world.recomputed(of)
        measure(home, chosen)
    finally:
        world.end(home)


def measure(home: Path, chosen: argparse.Namespace) -> None:
    """Serve the site and look at it."""
    environment = hosts.settings_for(home)
    command = [sys.executable, "manage.py", "serve", "--port", str(chosen.port)]
    address = f"http://localhost:{chosen.port}"
    with hosts.process(command, environment, chosen.port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chosen.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        print(world.machine())
        for sessions in (4, 8, 20):
            phone(browser, address, f"event-{sessions}")
        hall(browser, address, "hall", "seating", ":is(.hall-who, .hall-table li > span:last-child)")
        hall(browser, address, "event-8", "standings", ".hall-standings .name:not(thead *)")
        browser.close()


if __name__ == "__main__":
    main()
