"""Every page in a real browser: its address, whether it is fit for people, and its picture for somebody to look at.

    python -m config.tools.smoke.pages --to DIRECTORY [--only WORD] [--size phone] [--theme dark] [--language ru]

walks a site that is being served from this machine's database (FOUR_WINDS_VAR) and saves one picture a page.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.presets import PRESETS
from scoring.systems import SYSTEMS
from scoring.words import LANGUAGES

AXE = Path(__file__).parents[2] / "tests" / "vendor" / "axe-core-4.14.0.min.js"
SIZES = {"phone": (390, 844), "upright": (820, 1180), "tablet": (1180, 820), "laptop": (1440, 900)}
THEMES = ("light", "dark")
ENDS_OF_PRESETS = tuple(PRESETS)[:: len(PRESETS) - 1]
ENDS_OF_SYSTEMS = tuple(SYSTEMS)[:: len(SYSTEMS) - 1]
"""The first and the last, which have little in common: their calculators, rulebooks and examples stand for those of all."""
NOT_OURS = ("the server responded with a status of",)


@dataclass(frozen=True)
class Address:
    """One page: a name for its picture, where it is, whether one must be signed in, and what a script puts on it."""

    name: str
    path: str
    needs_sign_in: bool = False
    status: int = 200
    shows: str = ""


def pages_of_the_site() -> list[Address]:
    """List the pages that belong to no event."""
    return [
        Address("home", "/"),
        Address("archive", "/archive/"),
        Address("following", "/following/"),
        Address("records", "/records/"),
        Address("api", "/api/docs/"),
        Address("archive-nothing", "/archive/?q=no-such-event"),
        Address("sign-in", "/accounts/login/"),
        Address("sign-up", "/accounts/signup/"),
        Address("forgotten-password", "/accounts/password/reset/"),
        Address("spent-link", "/accounts/password/reset/key/1-x/"),
        Address("missing", "/no-such-event/", status=404),
        Address("privacy", "/privacy/"),
        Address("guides", "/help/"),
        *(Address(f"guide-{who}", f"/help/guide-{who}/") for who in ("organizer", "referee", "scorer")),
        *(Address(f"calculator-{code}", f"/calculator/{code}/") for code in ENDS_OF_PRESETS),
        Address("calculator-answers", f"/calculator/{ENDS_OF_PRESETS[1]}/?hand=123m456p789s11777z&wall=1"),
        *(Address(f"rulebook-{book}", f"/rulebooks/{book}/") for book in (*ENDS_OF_SYSTEMS, "RULES")),
        Address("rulebook-sought", f"/rulebooks/{ENDS_OF_SYSTEMS[1]}/?q=furiten"),
        *(Address(f"examples-{book}", f"/rulebooks/{book}/examples/") for book in ENDS_OF_SYSTEMS),
        Address("home-signed-in", "/", True),
        Address("account-data", "/accounts/data/", True),
        Address("new", "/new/", True),
        Address("account-e-mail", "/accounts/email/", True),
        Address("account-password", "/accounts/password/change/", True),
        Address("account-second-factor", "/accounts/2fa/", True),
        Address("account-devices", "/accounts/sessions/", True),
        Address("account-sign-out", "/accounts/logout/", True),
    ]


def pages_of(tournament: Any) -> list[Address]:
    """List the pages of an event, one of each kind, as far as it has come."""
    parts = (_public, _of_a_player, _of_the_desk, _of_the_draw, _of_the_judges, _of_the_tablet)
    return [address for part in parts for address in part(tournament)]


def _public(tournament: Any) -> Iterator[Address]:
    name, slug = f"{tournament.state}-{tournament.system.lower()}", f"/{tournament.slug}/"
    if tournament.state == "draft":
        return
    yield Address(f"{name}-event", slug)
    for word in ("players", "seating", "standings", "statistics", "regulation", "register", "find", "hall"):
        yield Address(f"{name}-{word}", f"{slug}{word}/")
    for word in ("downloads", "final-protocol", "prizes", "report", "watch", "widget", "story", "chances"):
        yield Address(f"{name}-{word}", f"{slug}{word}/")
    yield Address(f"{name}-what-if", f"{slug}chances/what-if/?table=1")
    yield Address(f"{name}-found", f"{slug}find/?q=а")
    yield Address(f"{name}-not-found", f"{slug}find/?q=xyz")
    yield Address(f"{name}-seating-names", f"{slug}seating/?by=name")
    for part in ("seating", "clock", "standings", "hands"):
        yield Address(f"{name}-hall-{part}", f"{slug}hall/?show={part}")
    for part in ("standings", "table&table=1", "hand", "clock"):
        yield Address(f"{name}-overlay-{part[:5]}", f"{slug}overlay/?part={part}")
    for registration in tournament.registrations.order_by("number")[:1]:
        yield Address(f"{name}-player", f"{slug}player-{registration.number}/")
        yield Address(f"{name}-notices", f"{slug}player-{registration.number}/notices/")
        yield Address(f"{name}-career", f"{slug}player-{registration.number}/career/")
        yield Address(f"{name}-versus", f"{slug}player-{registration.number}/against-2/")
        yield Address(
            f"{name}-following",
            f"/following/?who={tournament.slug}.{registration.number},{tournament.slug}.2",
        )
    for row in tournament.standings.filter(place__isnull=False).select_related("player__registration")[:1]:
        yield Address(f"{name}-explain", f"{slug}standings/explain/?a={row.player.registration.number}")
    for session in tournament.sessions.filter(published_at__isnull=False)[:1]:
        yield Address(f"{name}-table-now", f"{slug}table-1/")
        yield Address(f"{name}-print-protocol", f"{slug}session-{session.number}/table-1/print/")
        yield Address(f"{name}-session", f"{slug}session-{session.number}/")
        yield Address(f"{name}-proof", f"{slug}session-{session.number}/draw/")
        yield Address(f"{name}-protocol", f"{slug}session-{session.number}/table-1/")
        if session.state != "planned":
            yield Address(f"{name}-hands", f"{slug}session-{session.number}/hands/")
            yield from _of_phones(name, session)


def _of_phones(name: str, session: Any) -> Iterator[Address]:
    from tournaments.web.access import table_code_of

    for table in session.tables.filter(number=1, protocol__isnull=False):
        phone = f"/{session.tournament.slug}/session-{session.number}/table-1/phone/{table_code_of(table)}/"
        yield Address(f"{name}-phones", phone)
        yield Address(f"{name}-phone", f"{phone}E/")


def _of_a_player(tournament: Any) -> Iterator[Address]:
    from tournaments.web.access import link_of

    name = f"{tournament.state}-{tournament.system.lower()}"
    if tournament.state == "draft":
        return
    for registration in tournament.registrations.order_by("number")[:1]:
        yield Address(f"{name}-own", f"/{tournament.slug}/me/{link_of(registration)}/")
        yield Address(f"{name}-own-data", f"/{tournament.slug}/me/{link_of(registration)}/data/")
        yield Address(f"{name}-own-change", f"/{tournament.slug}/me/{link_of(registration)}/change/")
        yield Address(f"{name}-own-notices", f"/{tournament.slug}/me/{link_of(registration)}/notices/")
        yield Address(f"{name}-own-judging", f"/{tournament.slug}/me/{link_of(registration)}/judging/")
        yield Address(f"{name}-own-appeal", f"/{tournament.slug}/me/{link_of(registration)}/appeal/")
    for appeal in tournament.appeals.select_related("player__registration").order_by("number")[:1]:
        own = f"/{tournament.slug}/me/{link_of(appeal.player.registration)}/"
        yield Address(f"{name}-own-appeal-filed", f"{own}appeal/{appeal.number}/")


def _of_the_desk(tournament: Any) -> Iterator[Address]:
    name, desk = f"{tournament.state}-{tournament.system.lower()}-desk", f"/{tournament.slug}/desk/"
    yield Address(name, desk, True)
    words = "settings regulation clone staff history tablets people people/add people/paste check-in draw hall broadcast"
    for word in [
        *words.split(),
        "people/import",
        "people/requests",
        "audit",
        "sessions",
        "sessions/timetable",
        "tables",
    ]:
        yield Address(f"{name}-{word.replace('/', '-')}", f"{desk}{word}/", True)
    yield Address(f"{name}-diplomas", f"/{tournament.slug}/prizes/diplomas/", True)
    for registration in tournament.registrations.order_by("number")[:1]:
        yield Address(f"{name}-person", f"{desk}people/{registration.number}/", True)
        yield Address(f"{name}-erase", f"{desk}people/erase/{registration.player_id}/", True)
    for session in tournament.sessions.filter(published_at__isnull=False)[:1]:
        yield Address(f"{name}-sheets", f"{desk}sessions/{session.number}/sheets/", True)
        yield Address(f"{name}-table", f"{desk}tables/{session.number}/1/", True)
    for session in tournament.sessions.filter(state="open"):
        yield Address(f"{name}-correct", f"{desk}tables/{session.number}/1/correct/1/", True)
        yield Address(f"{name}-import-game", f"{desk}tables/{session.number}/1/import/", True)


def _of_the_draw(tournament: Any) -> Iterator[Address]:
    name, draw = f"{tournament.state}-{tournament.system.lower()}-draw", f"/{tournament.slug}/desk/draw/"
    for word in ("anew", "paste", "compare", "prints"):
        yield Address(f"{name}-{word}", f"{draw}{word}/", True)
    if tournament.state != "draft":
        yield Address(f"{name}-public", f"/{tournament.slug}/draw/")
    for session in tournament.sessions.filter(published_at__isnull=False)[:1]:
        yield Address(f"{name}-change", f"{draw}session-{session.number}/", True)
        yield Address(f"{name}-winds", f"{draw}session-{session.number}/winds/", True)


def _of_the_judges(tournament: Any) -> Iterator[Address]:
    name, desk = f"{tournament.state}-{tournament.system.lower()}-judges", f"/{tournament.slug}/desk/"
    words = "judging penalties penalties/statistics penalties/give adjustments lateness substitutes appeals appeals/new"
    for word in words.split():
        yield Address(f"{name}-{word.replace('/', '-')}", f"{desk}{word}/", True)
    for session in tournament.sessions.filter(state="open"):
        for word in ("lateness/session-{}", "substitutes/session-{}", "penalties/session-{}/table-1"):
            path = word.format(session.number)
            yield Address(f"{name}-{path.replace('/', '-')}", f"{desk}{path}/", True)
    for penalty in tournament.penalties.order_by("number")[:1]:
        yield Address(f"{name}-penalty", f"{desk}penalties/{penalty.number}/", True)
    for appeal in tournament.appeals.order_by("number")[:1]:
        for word in ("", "decide/", "print/", "receipt/"):
            place = f"{desk}appeals/{appeal.number}/{word}"
            yield Address(f"{name}-appeal-{word.strip('/') or 'whole'}", place, True)


def _of_the_tablet(tournament: Any) -> Iterator[Address]:
    name, tablet = f"{tournament.state}-{tournament.system.lower()}-tablet", f"/{tournament.slug}/tablet/"
    if tournament.state == "draft":
        return
    yield Address(f"{name}-admission", tablet, shows="#code")
    yield Address(name, tablet, True, shows=".tables-header")
    for session in tournament.sessions.filter(state__in=("open", "closed")).order_by("-number")[:1]:
        yield Address(
            f"{name}-table", f"{tablet}session-{session.number}/table-1/", True, shows=".scoring-header"
        )


# One page in the browser


def faults_of(page: Any, *, with_axe: bool = True) -> list[str]:
    """Return the faults of the open page for people: what does not fit, and what axe finds."""
    faults = []
    wide, room = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    if wide > room:
        faults.append(f"The page is {wide} px wide and the window {room} px: {_widest(page)}")
    if with_axe:
        faults += _axe_says(page)
    return faults


def _widest(page: Any) -> str:
    """Name what sticks out, for whoever mends it."""
    found: str = page.evaluate(
        """() => {
          const room = document.documentElement.clientWidth;
          const scrolls = (e) => e !== document.body && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
          const isOut = (e) => e.getBoundingClientRect().right > room + 1 && !scrolls(e.parentElement);
          const out = [...document.querySelectorAll("body *")].filter(isOut);
          return out.slice(0, 3).map((e) => `${e.tagName.toLowerCase()}.${e.className?.baseVal ?? e.className}`).join(", ");
        }"""
    )
    return found


def _axe_says(page: Any) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'], preload: false })")
    return [
        f"{violation['id']}: {violation['help']}: "
        + "; ".join(f"{node['target'][0]} ({node['html'][:120]})" for node in violation["nodes"][:3])
        for violation in found["violations"]
    ]


def is_complaint(line: Any) -> bool:
    """Whether a line of the console tells of a fault; a status such as 404 was asked for."""
    return line.type == "error" and not any(words in line.text for words in NOT_OURS)


def looks_of(sizes: Sequence[str], themes: Sequence[str], languages: Sequence[str]) -> list[dict[str, Any]]:
    """List the ways in which a browser may be set up, as options of a Playwright context."""
    return [
        {"size": size, "theme": theme, "language": language}
        for size in sizes
        for theme in themes
        for language in languages
    ]


def context_options(look: dict[str, Any]) -> dict[str, Any]:
    """Give a browser the size, theme and language of a look; nothing moves, so that a page is judged as it comes to rest."""
    width, height = SIZES[look["size"]]
    return {
        "viewport": {"width": width, "height": height},
        "color_scheme": look["theme"],
        "locale": look["language"],
        "reduced_motion": "reduce",
        "has_touch": look["size"] != "laptop",
    }


# Pictures of a site that is being served


def sign_in(context: Any, url: str, username: str) -> None:
    """Put the user's session into the browser, without a form."""
    from django.test import Client

    from tournaments.models import User

    client = Client()
    client.force_login(User.objects.get(username=username))
    cookies = [{"name": name, "value": row.value, "url": url} for name, row in client.cookies.items()]
    context.add_cookies(cookies)


def save_pictures(options: argparse.Namespace) -> int:
    """Walk the pages, save their pictures, print their faults; return how many there were."""
    from playwright.sync_api import sync_playwright

    from tournaments.models import Tournament

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        addresses = [
            *pages_of_the_site(),
            *(page for row in Tournament.objects.all() for page in pages_of(row)),
        ]
        wanted = [row for row in addresses if all(word in row.name for word in options.only)]
        looks = looks_of(options.size, options.theme, options.language)
        faults = sum(_walk(browser, look, wanted, options) for look in looks)
        browser.close()
    return faults


def _walk(browser: Any, look: dict[str, Any], addresses: list[Address], options: argparse.Namespace) -> int:
    """Open every address in one look."""
    count = 0
    for needs_sign_in in (False, True):
        context = browser.new_context(base_url=options.url, **context_options(look))
        if needs_sign_in:
            sign_in(context, options.url, options.user)
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda line, said=said: said.append(line.text) if is_complaint(line) else None)
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        for address in addresses:
            if address.needs_sign_in != needs_sign_in:
                continue
            said.clear()
            answer = page.goto(address.path, wait_until="load")
            if answer.status != address.status:
                said.append(f"{address.path} answers {answer.status}.")
            if address.shows:
                page.locator(address.shows).first.wait_for()
            for fault in [*faults_of(page, with_axe=options.axe), *said]:
                count += 1
                print(f"{address.name} {'-'.join(look.values())}: {fault}")
            name = "-".join([address.name, *look.values()])
            page.screenshot(path=Path(options.to) / f"{name}.png", full_page=not options.window)
        context.close()
    return count


def main() -> None:
    """Read the command line and walk."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")
    django.setup()
    parser = argparse.ArgumentParser(description="Save pictures of every page.")
    parser.add_argument("--to", required=True)
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--user", default="demo")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--size", nargs="*", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--theme", nargs="*", default=list(THEMES), choices=THEMES)
    parser.add_argument("--language", nargs="*", default=list(LANGUAGES), choices=LANGUAGES)
    parser.add_argument("--window", action="store_true", help="only what is seen without scrolling")
    parser.add_argument("--axe", action="store_true")
    parser.add_argument("--chromium", default=os.environ.get("CHROMIUM", "/usr/bin/chromium"))
    options = parser.parse_args()
    Path(options.to).mkdir(parents=True, exist_ok=True)
    raise SystemExit(1 if save_pictures(options) else 0)


if __name__ == "__main__":
    main()
