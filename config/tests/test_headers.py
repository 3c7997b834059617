"""What every answer says to browsers, read from answers of the site as it is shipped. [INTEGRITY 4]"""

import re
from contextlib import ExitStack

import pytest
from django.conf import settings

from config.server import headers
from config.tests import observatory
from config.tests.production import Answer, Browser, Front, Production
from config.tools.smoke import services

LEAST = 135
STATIC = ("static file", "kept by the browser")
PUBLIC = ("", "players/", "find/", "find/?q=a", "standings/", "seating/", "regulation/", "statistics/", "register/",
          "session-1/", "session-1/table-1/", "player-1/", "downloads/", "hall/", "draw/", "tablet/", "prizes/")  # fmt: skip
DESK = ("", "people/", "people/add/", "people/import/", "check-in/", "draw/", "sessions/", "tables/", "hall/", "judging/",
        "tablets/", "settings/", "regulation/", "history/", "staff/", "lateness/", "appeals/", "substitutes/")  # fmt: skip
SITE = ("/", "/archive/", "/new/", "/api/docs/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/",
        "/no/such/page/", "/accounts/email/", "/accounts/2fa/")  # fmt: skip


@pytest.fixture(scope="module")
def organizer(production):
    return Browser(production).sign_in()


def pages(site: Production, organizer: Browser) -> dict[str, Answer]:
    """Open every kind of page as those who see it."""
    found = {path: site.ask(path) for path in SITE}
    found |= {f"public {path}": site.ask(site.page(path)) for path in PUBLIC}
    found |= {f"kept {path}": site.ask(site.page(path)) for path in PUBLIC}
    found |= {f"desk {path}": organizer.ask(site.page(f"desk/{path}")) for path in DESK}
    found |= {f"own {path}": site.ask(site.link() + path) for path in ("", "judging/", "appeal/", "change/")}
    found["error 500"] = site.ask("/", X_Break="value")
    found["error 403"] = site.ask("/accounts/login/", method="POST", body=b"x")
    found["error 405"] = organizer.ask(site.page("desk/announce/"))
    found["refused"] = site.ask(site.page("players/?sort=password"))
    return found


@pytest.fixture(scope="module")
def every_page(production, organizer):
    return pages(production, organizer)


def test_pages_are_pages(every_page):
    assert {answer.status for answer in every_page.values()} <= {200, 302, 403, 404, 405, 422, 500}
    assert sum(answer.status == 200 for answer in every_page.values()) > 55


def test_every_kind_of_page_scores_at_least_135(every_page):
    """Of 145, of which five can be earned only by being in the list of browsers."""
    low = {
        path: (observatory.score(answer), observatory.modifiers(answer))
        for path, answer in every_page.items()
        if answer.status != 302 and observatory.score(answer) < LEAST
    }
    assert low == {}


def test_pages_of_people_who_sign_in_score_140(production):
    """With a cookie that is as strict as can be."""
    assert observatory.score(production.ask("/accounts/login/")) == 140


@pytest.mark.parametrize(
    ("header", "instead", "scores"),
    [
        ("Content-Security-Policy", "", 75),
        ("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; frame-ancestors 'none'", 80),
        ("Content-Security-Policy", "default-src 'none'; form-action *; frame-ancestors 'none'", 135),
        ("Content-Security-Policy", "default-src 'self'; form-action 'self'; frame-ancestors 'none'", 135),
        ("Referrer-Policy", "", 135), ("Referrer-Policy", "unsafe-url", 130), ("Strict-Transport-Security", "", 80),
        ("Strict-Transport-Security", "max-age=3600", 130), ("X-Content-Type-Options", "", 135),
        ("Cross-Origin-Resource-Policy", "", 130), ("Cross-Origin-Resource-Policy", "cross-origin", 130),
        ("Set-Cookie", "", 135), ("Set-Cookie", "sessionid=1; Secure; SameSite=Lax", 70),
        ("Set-Cookie", "a=1; SameSite=Lax", 80), ("Set-Cookie", "a=1; Secure", 135),
        ("Access-Control-Allow-Credentials", "true", 50),
    ],
)  # fmt: skip
def test_the_table_takes_points(every_page, header, instead, scores):
    """A table that never took anything would prove nothing."""
    good = every_page["/accounts/login/"]
    others = [(name, value) for name, value in good.headers if name.lower() != header.lower()]
    other = Answer(good.status, [*others, *([(header, instead)] if instead else [])], good.body)
    assert observatory.score(other) == scores


def test_a_script_without_its_digest_costs_the_points_of_digests(every_page):
    good = every_page["/accounts/login/"]
    other = Answer(good.status, good.headers, re.sub(rb' integrity="[^"]+"', b"", good.body, count=1))
    assert observatory.score(other) == 135


# The content policy


def test_content_policy_is_sent_with_every_page(every_page):
    """Every directive, as the settings have it: nothing was sent at all, and the tests passed."""
    wanted = {
        name: {str(source) for source in sources}
        for name, sources in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].items()
    }
    for path, answer in every_page.items():
        sent = [value for name, value in answer.headers if name.lower() == "content-security-policy"]
        assert (path, len(sent)) == (path, 1)
        assert (path, observatory.directives(sent[0])) == (path, wanted)


def test_content_policy_names_what_default_does_not_cover():
    """What `default-src` says nothing about, and pages without scripts or frames of others."""
    policy = {
        name: {str(s) for s in said} for name, said in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].items()
    }
    assert policy["default-src"] == {"'none'"}
    assert policy["form-action"] == policy["base-uri"] == {"'self'"}
    assert policy["frame-ancestors"] == {"'none'"}
    assert policy["script-src"] == policy["style-src"] == {"'self'"}


def test_pages_hold_nothing_that_the_policy_forbids(every_page):
    for path, answer in every_page.items():
        assert not re.search(
            r'<script(?! type="application/ld.json">)(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|javascript:',
            answer.text,
        ), path


# Everything else that is answered


def others(site: Production) -> dict[str, Answer]:
    """Ask for what is no page, and for what is no address of this site."""
    api, slug = "/api/1/tournaments/", site.made["running"]["slug"]
    style = re.search(r'href="(/static/[^"]+\.css)"', site.ask("/").text)[1]
    return {
        "static file": site.ask(style),
        "no static file": site.ask("/static/nothing.css"),
        "kept by the browser": site.ask(style, If_Modified_Since="Thu, 19 Nov 2099 07:00:00 GMT"),
        "messages": site.ask("/messages/ru.js"),
        "worker": site.ask("/tablet-worker.js"),
        "robots": site.ask("/robots.txt"),
        "favicon": site.ask("/favicon.ico"),
        "health": site.ask("/healthz"),
        "readiness": site.ask("/readyz"),
        "stream": site.ask(f"/live/{slug}/events"),
        "snapshot": site.ask(f"/live/{slug}/standings.json"),
        "no stream": site.ask("/live/nowhere/events"),
        "stream by post": site.ask(f"/live/{slug}/events", method="POST"),
        "tablet's API": site.ask(site.page("api/self/")),
        "refused hand": site.ask(site.page("api/session-1/table-1/hands/"), method="POST", body=b"{}"),
        "file": site.ask(site.page("downloads/standings.csv")),
        "to HTTPS": site.ask("/", X_Forwarded_Proto="http"),
        "foreign host": site.ask("/", Host="evil.example"),
        "page of a foreign host": site.ask(site.page(), Host="evil.example"),
        "API": site.ask(api),
        "API refused": site.ask(f"{api}?order_by=password"),
        "API nowhere": site.ask("/api/1/nothing/"),
    }  # fmt: skip


def test_every_answer_has_every_header(production):
    for what, answer in others(production).items():
        is_shared = answer["Access-Control-Allow-Origin"] == "*"
        if what in STATIC:
            continue
        wanted = headers.ALWAYS | ({"Cross-Origin-Resource-Policy": "cross-origin"} if is_shared else {})
        assert (what, {name: answer[name] for name in wanted}) == (what, wanted)
        assert (what, "default-src 'none'" in answer["Content-Security-Policy"]) == (what, True)
        assert (what, answer["Content-Security-Policy"].count("frame-ancestors 'none'")) == (what, 1)


def test_static_file_says_in_few_bytes_that_nothing_runs_in_it(production):
    """A page waits for a dozen of them: each said once more what pages may do."""
    answers = others(production)
    for what in STATIC:
        sent = {name: answers[what][name] for name in headers.STATIC}
        assert (what, sent) == (what, headers.STATIC)
        assert (what, answers[what]["Permissions-Policy"]) == (what, "")
    policy = observatory.directives(headers.STATIC["Content-Security-Policy"])
    assert set().union(*policy.values()) == {"'none'"}
    assert set(headers.ALWAYS) - set(headers.STATIC) == {"Permissions-Policy"}


def test_only_the_public_api_is_open_to_other_sites(production):
    shared = {what for what, answer in others(production).items() if answer["Access-Control-Allow-Origin"]}
    assert shared == {"API", "API refused", "API nowhere"}


def test_foreign_host_is_told_nothing(production):
    """[INTEGRITY 155]"""
    answer = production.ask(production.page("players/"), Host="evil.example")
    assert (answer.status, "evil.example" in answer.text) == (400, False)


def test_page_that_is_answered_in_front_of_django_has_the_policy_of_pages():
    """Such a page needs its style."""
    said = dict(headers.raw(b"text/html; charset=utf-8"))
    policy = observatory.directives(said[b"content-security-policy"].decode())
    assert (policy["style-src"], policy["default-src"]) == ({"'self'"}, {"'none'"})
    assert dict(headers.raw(b"application/json"))[b"content-security-policy"].decode() == headers.NO_PAGE
    assert all(said[name.lower().encode()].decode() == value for name, value in headers.ALWAYS.items())


def test_hand_of_a_tablet_has_every_header():
    """Written in front of Django, it takes the headers from Django's own chain."""
    from config.server.batch import _headers

    _headers.cache_clear()
    sent = {name.decode(): value.decode() for name, value in _headers(True)}
    assert {name: sent[name.lower()] for name in headers.ALWAYS} == headers.ALWAYS
    assert "frame-ancestors 'none'" in sent["content-security-policy"]


def test_front_server_says_what_the_site_says_and_no_more(production, front, tmp_path):
    wanted = set(headers.ALWAYS) - {"Permissions-Policy"}
    answers = {
        "page": front.ask("/"),
        "foreign host": front.ask("/", X_Forwarded_Host="evil.example"),
        "stream": front.ask(f"/live/{production.made['running']['slug']}/events"),
    }
    nobody = Front(tmp_path, services.free_port())
    with ExitStack() as stack:
        nobody.start(stack)
        answers["site away"] = nobody.ask("/")
    for what, answer in answers.items():
        for name in wanted | {"Content-Security-Policy", "Strict-Transport-Security"}:
            lines = [value for key, value in answer.headers if key.lower() == name.lower()]
            assert (what, name, len(lines)) == (what, name, 1)
        assert (what, answer["Server"]) == (what, "")
