"""The public scoring table of the HTTP Observatory, for what this site can be scored by.

Modifiers and conditions are those of mdn/mdn-http-observatory, src/grader/charts.js and src/analyzer/tests/: in its table a
site begins with 100; what is better counts only for those that have lost at most ten. In the table that reached 145 the
policies of embedder and opener had no modifiers, so they have none here: with them every score would be higher by 20.
The five points for being in the browsers' own list of HTTPS sites cannot be earned by an answer.
"""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

from config.tests.production import Answer

MAXIMUM = 145
LEAST_FOR_EXTRA_CREDIT = 90
HALF_A_YEAR = 15_768_000
BROAD = {"ftp:", "http:", "https:", "*", "http://*", "https://*", "data:"}
UNSAFE = BROAD | {"'unsafe-inline'"}
PASSIVE = {"img-src", "media-src"}
PRIVATE_REFERRER = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
UNSAFE_REFERRER = {"origin", "origin-when-cross-origin", "unsafe-url", "no-referrer-when-downgrade"}


def score(answer: Answer) -> int:
    """Return the score of an answer that came by HTTPS."""
    return sum_of(modifiers(answer))


def sum_of(found: dict[str, int]) -> int:
    """Add up: first what is lost, then, for those that lost little, what is gained."""
    base = 100 + sum(value for value in found.values() if value < 0)
    gained = sum(value for value in found.values() if value > 0)
    return max(0, base + gained if base >= LEAST_FOR_EXTRA_CREDIT else base)


def modifiers(answer: Answer) -> dict[str, int]:
    """Return what each test adds or takes."""
    policy = directives(answer["Content-Security-Policy"])
    return {
        "content-security-policy": content_policy(policy),
        "cookies": cookies(answer),
        "cross-origin-resource-sharing": sharing(answer),
        "referrer-policy": referrer(answer),
        "strict-transport-security": transport(answer),
        "subresource-integrity": integrity(answer),
        "x-content-type-options": 0 if answer["X-Content-Type-Options"].lower() == "nosniff" else -5,
        "x-frame-options": framing(answer, policy),
        "cross-origin-resource-policy": {"": 0, "same-origin": 10, "same-site": 10, "cross-origin": 0}.get(
            answer["Cross-Origin-Resource-Policy"], -5
        ),
    }


def directives(policy: str) -> dict[str, set[str]]:
    """Read a content policy; of a directive that is named twice the first counts."""
    found: dict[str, set[str]] = {}
    for part in filter(None, (part.split() for part in policy.split(";"))):
        found.setdefault(part[0].lower(), set(part[1:]))
    return found


def content_policy(policy: dict[str, set[str]]) -> int:
    """Score the content policy."""
    if not policy:
        return -25
    default = policy.get("default-src", {"*"})
    script, style = policy.get("script-src", default), policy.get("style-src", default)
    active = {
        source
        for name, sources in policy.items()
        if name not in PASSIVE | {"script-src"}
        for source in sources
    }
    passive = {source for name in PASSIVE for source in policy.get(name, default)}
    if script & UNSAFE or policy.get("object-src", default) & BROAD or insecure(active | script):
        return -20
    if "'unsafe-eval'" in script | style or insecure(passive):
        return -10
    if style & UNSAFE:
        return 0
    is_closed = default == {"'none'"} and policy.get("form-action", {"*"}) <= {"'none'", "'self'"}
    return 10 if is_closed else 5


def insecure(sources: set[str]) -> bool:
    return any(source.startswith(("http:", "ftp:")) for source in sources)


def cookies(answer: Answer) -> int:
    """Score the cookies that a browser keeps."""
    kept = [line for line in answer.cookies if "max-age=0" not in line.lower()]
    worst = 5 if kept else 0
    for line in kept:
        name, *said = (part.strip() for part in line.split(";"))
        told = {word.partition("=")[0].lower(): word.partition("=")[2].lower() for word in said}
        is_session = any(word in name.partition("=")[0].lower() for word in ("login", "sess"))
        if is_session and "secure" not in told:
            worst = min(worst, -40)
        if is_session and "httponly" not in told:
            worst = min(worst, -30)
        if "secure" not in told or told.get("samesite", "lax") not in {"lax", "strict"}:
            worst = min(worst, -20)
        if "samesite" not in told:
            worst = min(worst, -20 if "csrf" in name.lower() else 0)
    return worst


def sharing(answer: Answer) -> int:
    """Score what other sites may read: everything with the reader's cookies is the worst that can be."""
    return -50 if answer["Access-Control-Allow-Credentials"].lower() == "true" else 0


def referrer(answer: Answer) -> int:
    """Score the referrer policy; of several the last counts."""
    said = answer["Referrer-Policy"].rpartition(",")[2].strip().lower()
    return 5 if said in PRIVATE_REFERRER else 0 if not said else -5


def transport(answer: Answer) -> int:
    """Score HSTS."""
    age = re.search(r"max-age=(\d+)", answer["Strict-Transport-Security"])
    return -20 if age is None else 0 if int(age[1]) >= HALF_A_YEAR else -10


class Scripts(HTMLParser):
    """The scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self.found.append(dict(attrs))


def integrity(answer: Answer) -> int:
    """Score digests of scripts: here every script of the page must have one, although one would do."""
    if not answer["Content-Type"].startswith("text/html"):
        return 0
    page = Scripts()
    page.feed(answer.text)
    if any(urlsplit(script.get("src") or "").netloc for script in page.found):
        return -5
    own = [script for script in page.found if "/static/" in (script.get("src") or "")]
    return 5 if own and all(script.get("integrity") for script in own) else 0


def framing(answer: Answer, policy: dict[str, set[str]]) -> int:
    """Score who may put the page into a frame."""
    if "frame-ancestors" in policy:
        return 5 if not policy["frame-ancestors"] & BROAD else -20
    return 5 if answer["X-Frame-Options"].upper() in {"DENY", "SAMEORIGIN"} else -20
