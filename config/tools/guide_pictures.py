"""The pictures of the guides, taken from the demo of a site that is being served, in both languages.

    python -m config.tools.guide_pictures --url http://localhost:8000 --organizer NAME

writes `static/img/help/<language>/<name>.webp`; the site must be served from this machine's database (FOUR_WINDS_VAR).
"""

import argparse
import base64
import os
import re
from pathlib import Path
from typing import Any

from scoring.words import LANGUAGES

WIDE, PHONE = (1100, 640), (390, 720)
QUALITY = 62
FOLDER = Path(__file__).parents[2] / "static" / "img" / "help"


def shots(playing: Any, drafting: Any, registering: Any) -> dict[str, tuple[str, tuple[int, int], str]]:
    """Return for each picture the page, the window, and what must be on the page before it is taken."""
    session = playing.sessions.get(state="open").number
    desk = f"/{playing.slug}/desk/"
    return {
        "desk": (desk, WIDE, ".figures"),
        "door": (f"/{registering.slug}/desk/check-in/", WIDE, ".door"),
        "draw": (f"/{drafting.slug}/desk/draw/", WIDE, ".seating"),
        "hall": (f"/{playing.slug}/hall/?show=clock", WIDE, ".hall-clock"),
        "penalty": (f"{desk}penalties/session-{session}/table-1/?seat=S", WIDE, ".segments"),
        "standings": (f"/{playing.slug}/standings/", PHONE, ".standings"),
        "tablet": (f"/{playing.slug}/tablet/session-{session}/table-1/", WIDE, ".scoring-header"),
    }


def take(page: Any, url: str, shot: tuple[str, tuple[int, int], str], target: Path) -> None:
    """Open a page and store its picture; WebP, which Playwright does not write itself."""
    path, (width, height), shown = shot
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{url}{path}")
    page.locator(shown).first.wait_for(timeout=60_000)
    if "/tablet/" in path:
        tap_a_hand(page)
    page.wait_for_timeout(800)
    client = page.context.new_cdp_session(page)
    data = client.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})["data"]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(base64.b64decode(data))


def tap_a_hand(page: Any) -> None:
    """Tap a winner and who discarded, so that the tablet shows what each wins or loses; nothing is saved."""
    seats = page.locator(".seat-panel button, button.seat-panel")
    if seats.count() > 1:
        seats.nth(0).click()
        seats.nth(1).click()
        page.get_by_role("button", name=re.compile(r"^3\b")).first.click()


def main(options: argparse.Namespace) -> None:
    """Take every picture in every language."""
    from playwright.sync_api import sync_playwright

    from config.tools.smoke.pages import sign_in
    from seating.models import Draw
    from tournaments.models import Tournament

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    demo = Tournament.objects.filter(is_demo=True)
    wanted = shots(
        demo.filter(sessions__state="open").latest("pk"),
        demo.filter(draws__state=Draw.State.DRAFT).latest("pk"),
        demo.filter(state=Tournament.State.ANNOUNCED).latest("pk"),
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        for language in LANGUAGES:
            context = browser.new_context(locale=language, color_scheme="light")
            sign_in(context, options.url, options.organizer)
            page = context.new_page()
            for name, shot in wanted.items():
                if not options.only or name in options.only:
                    take(page, options.url, shot, FOLDER / language / f"{name}.webp")
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--organizer", required=True, help="the account of the demo's organizer")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--only", nargs="*", default=[])
    chosen = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")
    import django

    django.setup()
    main(chosen)
