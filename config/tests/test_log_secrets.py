"""A private link is a secret: whatever goes wrong at it, no log holds it. [INTEGRITY 3]"""

import logging
import re
import shutil
from contextlib import ExitStack
from urllib.parse import quote

import pytest
from django.conf import settings

from config.server import logs
from config.tests.production import HOST, Browser, Front, Production
from config.tools.smoke import services

BREAKS = ("value", "suspicious", "fields", "size", "database", "integrity", "denied", "nothing", "reverse")
RESET = "/accounts/password/reset/key/1-c0ffee-0123456789abcdef0123456789abcdef/"
INVITED = "/invitation/invitationsecret0123/"
NEW = "/new-password/newpasswordsecret0123/"
CONFIRM = "/accounts/confirm-email/Mw:1vABCD:secretsecretsecretsecret/"


def secrets_of(site: Production) -> set[str]:
    link = site.made["running"]["link"]
    return {
        link,
        link.partition("-")[2],
        "0123456789abcdef0123456789abcdef",
        "secretsecretsecret",
        "newpasswordsecret",
        "invitationsecret",
    }


def drive(site: Production) -> set[int]:
    """Go wrong at secret addresses in every way that a request can."""
    link, seen = site.link(), set()
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for address in (
        link,
        link + "change/",
        RESET,
        CONFIRM,
        NEW,
        INVITED,
        f"/accounts/login/?next={quote(INVITED, safe='')}",
    ):
        seen |= {site.ask(address, X_Break=how).status for how in BREAKS}
        seen |= {
            site.ask(address, method=method).status for method in ("GET", "HEAD", "PUT", "DELETE", "TRACE")
        }
        seen.add(site.ask(address, method="POST", body=b"name=x", **form).status)
        seen.add(
            site.ask(address, method="POST", body=b"name=x", Origin="https://evil.example", **form).status
        )
        seen.add(site.ask(address, Host="evil.example").status)
        seen.add(site.ask(address, Host="not a host!").status)
        seen.add(site.ask(address, X_Forwarded_Proto="http").status)
        seen.add(site.ask(f"{address}?q=%00").status)
        seen.add(site.ask(address.rstrip("/")).status)
        seen.add(site.ask(f"{address}no/such/page/").status)
        seen.add(site.ask(address, Referer=f"https://{HOST}{link}").status)
    mine = Browser(site)
    mine.ask(link + "change/")
    seen.add(mine.send(link + "change/", {"name": "x\0y"}).status)
    seen.add(mine.send(link + "change/", {f"f{n}": "" for n in range(1500)}).status)
    seen.add(mine.send(link + "change/", {"name": "x" * 2_500_000}).status)
    seen.add(
        mine.ask(
            link + "change/", method="POST", body=b"--x\r\nbroken", Content_Type="multipart/form-data"
        ).status
    )
    seen.add(
        mine.ask(
            link + "change/", method="POST", body=b"\xff\xfe", Content_Type="multipart/form-data; boundary=x"
        ).status
    )
    for text in (
        b"GET " + link.encode() + b" HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n",
        b"GET " + link.encode() + b" HTTP/9.9\r\n\r\n",
        b"POST "
        + link.encode()
        + b"change/ HTTP/1.1\r\nHost: "
        + HOST.encode()
        + b"\r\nContent-Length: 100\r\n\r\nname",
        b"G\x00T " + link.encode() + b"\r\n\r\n",
    ):
        site.raw(text)
    return seen


@pytest.fixture(scope="module")
def driven(production):
    return drive(production), production.log.read_text(errors="replace")


def test_everything_went_wrong(driven):
    seen, log = driven
    assert {200, 301, 400, 403, 404, 405, 500, 503} <= seen
    assert "django.request" in log
    assert "django.security.csrf" in log
    assert "Traceback" in log


def test_no_log_holds_a_secret_address(driven, production):
    _, log = driven
    assert {secret for secret in secrets_of(production) if secret in log} == set()


def test_log_names_the_route_instead(driven):
    _, log = driven
    assert "/<slug:slug>/me/<link>/change/" in log
    assert "Internal Server Error: /<slug:slug>/me/<link>/" in log


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("/cup/me/12-" + "a1" * 20 + "/", "/cup/me/…/"),
        ("{'link': '12-" + "a1" * 20 + "'}", "{'link': '…'}"),
        (f"https://{HOST}{RESET}?x=1", f"https://{HOST}/accounts/password/reset/key/…/?x=1"),
        ("/cup/session-1/table-2/", "/cup/session-1/table-2/"),
        ("2026-11-19 12:00", "2026-11-19 12:00"),
    ],
)
def test_sieve(form, said, written):
    formatter = {"text": logs.Text("%(message)s"), "json": logs.Json()}[form]
    record = logging.LogRecord("any", logging.INFO, __file__, 1, "said %s", (said,), None)
    assert f"said {written}" in formatter.format(record)


ERROR_PAGES = re.search(
    r"\thandle_errors \{.*?\n\t\}\n", (settings.BASE_DIR / "deploy/Caddyfile").read_text(), re.DOTALL
)[0]


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not on this machine")
@pytest.mark.parametrize("without", ["", ERROR_PAGES], ids=["as shipped", "without pages for errors"])
def test_front_server_logs_no_address_when_the_site_is_away(production, tmp_path, without):
    """What it cannot lead on it logs with the whole request, unless told otherwise; some versions always do."""
    nobody = Front(tmp_path, services.free_port(), without=without)
    with ExitStack() as stack:
        nobody.start(stack)
        answer = nobody.ask(production.link(), Cookie="__Host-sessionid=secretsecretsecret")
        live = nobody.ask("/live/secretsecretsecret/events")
    assert {answer.status, live.status} <= {502, 503}
    log = nobody.log.read_text(errors="replace")
    assert ("http.log.error" in log) is bool(without)
    assert {secret for secret in secrets_of(production) if secret in log} == set()
