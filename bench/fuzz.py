"""Hostile requests against the real server: nothing may answer with a fault of ours, nothing may take long.

    .venv/bin/python bench/fuzz.py                                        # a minute
    .venv/bin/python bench/fuzz.py --requests 200000 --forms 50000        # the whole

*Requests* are made from the site's own OpenAPI document: every address, with parameters that fit the schema and such as do
not, as every role and as nobody; each answer must be one that the document describes, word for word of its schema. *Forms* are read
from the pages that each role is shown and sent back with fields changed, left out, doubled or invented. What each draws
follows from --seed. A fault is printed with what was sent; the exit is 1 if there was any.
"""

import argparse
import html
import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


from bench import hosts, world
from config.tools.smoke import services

LONGEST = 5.0
MOST_SHOWN, LONGEST_FAULT = 40, 600
FRESH_AFTER = 1500
"""After so many forms the site begins again with the world as it was: a closed event refuses everything."""
PASSWORD = "seven winds of change"
STAFF = ("organizer", "chief_referee", "referee", "scorer", "committee")
ROLES = ("nobody", "stranger", *STAFF)
OFTEN = (1, 1, 6, 6, 3, 2, 2)
"""Whoever may do more is shown more forms."""
MOST_OF_A_PAGE = 8
LAST = "form_end"
HOSTILE = [
    "", " ", "\0", "a\0b", "\x01", "\x85", "\x9f", "\u202e", "\u200b", "\ufeff", "\U0001f000", "\U0010ffff", "\ufffe", "e\u0301",
    "0", "-0", "-1", "1.5", "1,5", "1e999", "NaN", "Infinity", "-Infinity", "٣", "１２", "1_000", "+1", "0x10", " 7 ",
    "2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "1" * 30, "9" * 400, "true", "null", "None",
    "0000-00-00", "0001-01-01", "1899-12-31", "9999-12-31", "2026-02-30", "2026-13-01", "99999-01-01", "2026-03-29T02:30",
    "9999-12-31T23:59", "0001-01-01T00:00", "24:00", "25:61", "<script>alert(1)</script>", "' OR 1=1 --", '"', "%s", "%(x)s", "{}",
    "{{ x }}", "../../etc/passwd", "..", "/", "//evil.example", "https://evil.example", "a\r\nSet-Cookie: x=1", "password", "id__gt",
    "[]", "{\"a\": 1}", "[1, [2, [3]]]", "E", "S", "1-2-3", "penalty-1", "table-1-1", "table-999999-1", "penalty-" + "9" * 20,
    "heron@example.org", "a@b", "x" * 101, "я" * 300, "x" * 5001, "name\tcity\nWren\tPerm", ";" * 50, "\n" * 200, "SBR 2.8",
]  # fmt: skip
SPOILED = [b"%FF", b"%ED%A0%80", b"%C3", b"%", b"%zz", b"+%2B"]
"""What no text of Python becomes, sent as it is."""


@dataclass
class Caller:
    """Who asks: cookies, a tablet's credential, and links of their own."""

    role: str
    cookies: dict[str, str] = field(default_factory=dict)
    credential: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """Return what comes with each request."""
        said = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())} if self.cookies else {}
        return said | ({"Authorization": f"Device {self.credential}"} if self.credential else {})


@dataclass
class World:
    """The events, who works at them, and what opens a private page."""

    slugs: list[str]
    links: list[tuple[str, str]]
    callers: list[Caller]


@dataclass
class Findings:
    """What was asked, what it was answered, and what must not be."""

    asked: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    faults: list[str] = field(default_factory=list)
    total: int = 0
    longest: float = LONGEST
    lock: threading.Lock = field(default_factory=threading.Lock)

    def shown(self) -> None:
        """Begin anew, and remember how many faults there were."""
        self.total += len(self.faults)
        self.asked, self.slowest, self.faults = Counter(), (0.0, ""), []

    def note(self, kind: str, what: str, status: int, took: float, wrong: list[str]) -> None:
        """Keep an answer."""
        with self.lock:
            self.asked[f"{kind} {status}"] += 1
            self.slowest = max(self.slowest, (took, what))
            wrong = [
                *wrong,
                *([f"{status}"] if status >= 500 else []),
                *([f"{took:.1f} s"] if took > self.longest else []),
            ]
            self.faults += [f"{one}: {what}" for one in wrong]


# The world


def make_world() -> World:
    """Make the demo's events with somebody in every role."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from config.tools.demo.world import make_world as make_events
    from tournaments.models import Registration, Role, Tournament, User
    from tournaments.record.actors import Actor, ActorKind
    from tournaments.tables.operations import devices
    from tournaments.web.access import link_of

    make_events(organizer="organizer", password=PASSWORD)
    events = list(Tournament.objects.order_by("pk"))
    callers = [Caller("nobody")]
    for name in ("stranger", *STAFF):
        user, _ = User.objects.get_or_create(username=name)
        for of in events:
            if name in STAFF:
                Role.objects.get_or_create(tournament=of, user=user, kind=name)
        session = SessionStore()
        session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
        session[BACKEND_SESSION_KEY] = "config.accounts.Backend"
        session["account_authentication_methods"] = [
            {"method": "password", "at": time.time(), "username": name}
        ]
        session.create()
        callers.append(Caller(name, {"sessionid": str(session.session_key)}))
    for of in events:
        invited = devices.invite_device(
            of, name="Tablet", tables=[], by=Actor(ActorKind.USER, of.created_by_id, frozenset({"organizer"}))
        )
        _, credential = devices.admit_device(of, secret=invited.secret)
        callers.append(Caller(f"tablet of {of.slug}", credential=credential))
    links = []
    for of in events:
        for row in Registration.objects.filter(tournament=of).order_by("number")[:4]:
            row.tournament = of
            links.append((of.slug, link_of(row)))
    return World([of.slug for of in events], links, callers)


# Asking


class Connection:
    """One connection to the server, opened again where it was closed."""

    def __init__(self, port: int, dice: random.Random) -> None:
        """Know the port, and draw addresses for callers: no limit by address is what is looked for."""
        self.port, self.dice = port, dice
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(
        self, method: str, target: bytes, body: bytes = b"", **headers: str
    ) -> tuple[int, Any, bytes, float]:
        """Ask, and return status, headers, body and seconds; 599 is silence."""
        address = ".".join(str(self.dice.randrange(1, 255)) for _ in range(4))
        said = {"Host": "localhost", "X-Forwarded-For": address, **headers}
        began = time.perf_counter()
        for attempt in range(2):
            try:
                self.wire.putrequest(method, "/", skip_host=True, skip_accept_encoding=True)
                self.wire._buffer[0] = method.encode() + b" " + target + b" HTTP/1.1"  # type: ignore[attr-defined]
                for name, value in said.items():
                    self.wire.putheader(name, value.encode("utf-8", "replace"))
                if body or method == "POST":
                    self.wire.putheader("Content-Length", str(len(body)))
                self.wire.endheaders(body or None)
                answer = self.wire.getresponse()
                read = answer.read()
                return answer.status, answer.headers, read, time.perf_counter() - began
            except (http.client.HTTPException, OSError):
                self.wire.close()
                if attempt:
                    break
        return 599, {}, b"", time.perf_counter() - began


# The API, from its own document


class Api:
    """Requests that the document describes, and such as it does not."""

    def __init__(self, document: dict[str, Any], of: World) -> None:
        """Know the addresses."""
        self.document, self.of = document, of
        self.paths = sorted(document["paths"].items())

    def request(self, dice: random.Random) -> tuple[str, bytes, dict[str, str], dict[str, Any]]:
        """Draw method, target, headers and the operation that describes the answers."""
        template, ways = dice.choice(self.paths)
        operation = ways["get"]
        target, query = template, []
        for one in operation["parameters"]:
            if one["in"] == "path":
                target = target.replace(f"{{{one['name']}}}", self.part(one, dice))
            elif dice.random() < 0.4:
                query.append(encoded(one["name"], self.value(one["schema"], dice), dice))
        if dice.random() < 0.1:
            query.append(encoded(dice.choice(HOSTILE), dice.choice(HOSTILE), dice))
        line = quote(target, safe="/%").encode() + (b"?" + b"&".join(query) if query else b"")
        method = dice.choices(
            ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"), (80, 5, 5, 3, 3, 2, 2)
        )[0]
        return method, line, self.headers(dice), operation

    def part(self, one: dict[str, Any], dice: random.Random) -> str:
        """Draw a part of an address; most lead somewhere."""
        if dice.random() < 0.12:
            return quote(dice.choice(HOSTILE) or "-", safe="")
        return dice.choice(self.of.slugs) if one["name"] == "slug" else str(dice.randrange(0, 30))

    def value(self, schema: dict[str, Any], dice: random.Random) -> str:
        """Draw a value that fits the schema, lies at its edge, or does not fit."""
        if dice.random() < 0.4:
            return dice.choice(HOSTILE)
        if "enum" in schema:
            return str(dice.choice(schema["enum"]))
        if schema["type"] == "integer":
            return str(dice.choice([1, 2, 3, schema.get("maximum", 50), schema.get("maximum", 50) + 1]))
        length = dice.choice([1, 2, 5, schema.get("maxLength", 30), schema.get("maxLength", 30) + 1])
        return "".join(dice.choice("aeiorn ёаои'-.🀀\x85") for _ in range(length))

    def headers(self, dice: random.Random) -> dict[str, str]:
        """Draw what comes with it."""
        said = {"Accept": dice.choice(["*/*", "text/html", "application/json", "", "x" * 500])}
        if dice.random() < 0.3:
            said["Accept-Language"] = dice.choice(["ru", "en", "de;q=nonsense", "*", "ru-" * 300, "é"])
        if dice.random() < 0.2:
            said["If-None-Match"] = dice.choice(["*", '"x"', 'W/"x", "y"', '"', "é", ","])
        if dice.random() < 0.1:
            said["Origin"] = dice.choice(["null", "https://evil.example", "é"])
        return said

    def wrong(
        self, method: str, operation: dict[str, Any], status: int, headers: Any, body: bytes
    ) -> list[str]:
        """Name what the document does not say of this answer."""
        if method == "OPTIONS" and status == 204:
            return []
        said = operation["responses"].get(str(status))
        if said is None:
            return [f"status {status} is not in the document"]
        if method == "HEAD" or "content" not in said:
            return ["a body that should not be"] if body else []
        ((kind, content),) = said["content"].items()
        if headers.get("Content-Type", "").partition(";")[0] != kind:
            return [f"{headers.get('Content-Type')} instead of {kind}"]
        try:
            return list(mismatches(json.loads(body), content["schema"], self.document, "$"))[:3]
        except ValueError:
            return ["no JSON"]


def mismatches(value: Any, schema: dict[str, Any], document: dict[str, Any], at: str) -> Iterator[str]:
    """Name where a value is not what a schema says; the words of JSON Schema that the document uses."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from mismatches(value, document["components"]["schemas"][name], document, at)
        return
    if "anyOf" in schema:
        if all(list(mismatches(value, one, document, at)) for one in schema["anyOf"]):
            yield f"{at} fits none of several"
        return
    kinds = schema.get("type", [])
    if kinds and not any(is_a(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield f"{at} is no {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is none of the values"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{at} does not fit {schema['pattern']}"
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from mismatches(item, schema.get("items", {}), document, f"{at}[{number}]")
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        yield from (f"{at} lacks {name}" for name in schema.get("required", []) if name not in value)
        for name, item in value.items():
            if name in known:
                yield from mismatches(item, known[name], document, f"{at}.{name}")
            elif more is False:
                yield f"{at} has {name}"
            elif isinstance(more, dict):
                yield from mismatches(item, more, document, f"{at}.{name}")


def is_a(value: Any, kind: str) -> bool:
    """Return whether a value is of a type of JSON."""
    types = {"string": str, "object": dict, "array": list, "boolean": bool, "null": type(None)}
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, types[kind])


def encoded(name: str, value: str, dice: random.Random) -> bytes:
    """Write a parameter, now and then as no program would."""
    if dice.random() < 0.05:
        return quote(name).encode() + b"=" + dice.choice(SPOILED)
    return urlencode({name: value}).encode()


# Forms, from the pages


PAGES = (
    "", "register/", "find/", "standings/", "desk/", "desk/settings/", "desk/regulation/", "desk/staff/", "desk/hall/", "desk/tablets/",
    "desk/people/", "desk/people/add/", "desk/people/paste/", "desk/people/import/", "desk/people/1/", "desk/people/3/", "desk/check-in/",
    "desk/sessions/", "desk/sessions/timetable/", "desk/tables/", "desk/tables/1/1/", "desk/tables/2/2/", "desk/tables/1/1/correct/1/",
    "desk/clone/", "desk/history/", "desk/draw/", "desk/draw/paste/", "desk/draw/repair/", "desk/draw/session-1/", "desk/draw/session-2/",
    "desk/draw/1/compare/", "desk/judging/", "desk/penalties/", "desk/penalties/give/", "desk/penalties/session-1/table-1/",
    "desk/penalties/session-2/table-1/", "desk/penalties/1/", "desk/adjustments/", "desk/lateness/", "desk/lateness/session-1/",
    "desk/lateness/session-2/", "desk/substitutes/", "desk/substitutes/session-1/", "desk/substitutes/session-2/", "desk/appeals/",
    "desk/appeals/new/", "desk/appeals/1/", "desk/appeals/1/print/", "desk/people/cards/", "prizes/", "draw/",
)  # fmt: skip
OWN = ("", "change/", "judging/", "appeal/", "appeal/1/")
SITE = (
    "/", "/new/", "/archive/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/accounts/email/",
    "/accounts/password/change/", "/accounts/2fa/", "/accounts/sessions/", "/accounts/reauthenticate/", "/accounts/2fa/totp/activate/",
)  # fmt: skip
NEVER = ("/accounts/logout/", "/accounts/sessions/", "/i18n/", "/theme/")
"""Leads out of the role, or is the same switch on every page; both are tried on their own."""


@dataclass
class Form:
    """A form as a page shows it: where it goes and what it would send."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    has_files: bool = False


class Forms(HTMLParser):
    """Reads the forms of a page that write."""

    def __init__(self, page: str) -> None:
        """Know the page, to which a form goes that names no other."""
        super().__init__()
        self.page, self.select = page, ""
        self.found: list[Form] = []
        self.form: Form | None = None
        self.area: tuple[str, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            is_post = said.get("method", "get").lower() == "post"
            self.form = Form(urljoin(self.page, said.get("action") or self.page)) if is_post else None
            if self.form:
                self.found.append(self.form)
        if self.form is None or (not said.get("name") and tag != "option"):
            return
        name, value = said.get("name", ""), said.get("value", "")
        if tag in {"input", "button"}:
            self._input(self.form, name, value, said)
        elif tag == "select":
            self.select = name
            self.form.choices.setdefault(name, [])
        elif tag == "option" and self.select:
            self.form.choices[self.select].append(value)
            if "selected" in said:
                self.form.fields.append((self.select, value))
        elif tag == "textarea":
            self.area = (name, [])

    def _input(self, form: Form, name: str, value: str, said: dict[str, str]) -> None:
        kind = said.get("type", "text")
        if kind == "file":
            form.has_files = True
        if kind in {"checkbox", "radio", "submit"}:
            form.choices.setdefault(name, []).append(value or "on")
            if "checked" not in said:
                return
        form.fields.append((name, value))

    def handle_data(self, data: str) -> None:
        if self.area:
            self.area[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = ""
        elif tag == "textarea" and self.area and self.form:
            self.form.fields.append((self.area[0], "".join(self.area[1])))
            self.area = None


def changed(form: Form, dice: random.Random) -> list[tuple[str, str]]:
    """Fill a form in: as it is, with other choices, with hostile words, with fields left out, doubled and invented."""
    hostile = dice.choice([0.0, 0.1, 0.3, 0.9])
    sent: list[tuple[str, str]] = []
    is_whole = dice.random() < 0.98
    names = dict.fromkeys([*(name for name, _ in form.fields), *form.choices])
    plain: dict[str, list[str]] = {}
    for name, value in form.fields:
        plain.setdefault(name, []).append(value)
    for name in names:
        if name == LAST:
            continue
        if name == "csrfmiddlewaretoken":
            sent += [(name, value) for value in plain[name]]
        elif dice.random() < hostile:
            sent += [(name, dice.choice(HOSTILE)) for _ in range(dice.choice([0, 1, 1, 1, 2]))]
        elif name in form.choices and dice.random() < 0.6:
            sent += [(name, dice.choice(form.choices[name] or [""]))]
        elif dice.random() < 0.9:
            values = plain.get(name, [])
            sent += [(name, value or dice.choice(LIKELY)) for value in values]
    if dice.random() < hostile / 2:
        sent.append(
            (
                dice.choice(["is_staff", "id", "pk", "next", "key", "seen", "reason", "x" * 300]),
                dice.choice(HOSTILE),
            )
        )
    return [*sent, (LAST, "1")] if is_whole else sent


LIKELY = [
    "Grey Plover",
    "The dice fell from the table.",
    "1",
    "2",
    "12",
    "2027-05-01",
    "10:30",
    "2027-05-01T10:30",
    "W",
    "",
]
FILES = [
    ("players.csv", b"name,city\nWren,Perm\nPlover,Ufa\n"), ("players.csv", "имя;город\nКулик;Пермь\n".encode("cp1251")),
    ("players.xlsx", b"PK\x03\x04" + b"\0" * 60), ("photo.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 40), ("x.pdf", b"%PDF-1.7\n%%EOF"),
    ("photo.jpg", b"\xff\xd8\xff\xe0" + b"\0" * 100), ("../../x.csv", b""), ("x" * 300, b"\xff\xfe\0\0"), ("a.csv", b'name\n"open'),
]  # fmt: skip


def written(form: Form, sent: list[tuple[str, str]], dice: random.Random) -> tuple[bytes, str]:
    """Write a form as a browser does, with files where it asks for them."""
    if not form.has_files or dice.random() < 0.2:
        return urlencode(
            [(n, v.encode("utf-8", "replace")) for n, v in sent]
        ).encode(), "application/x-www-form-urlencoded"
    mark, parts = f"fuzz{dice.randrange(10**9)}", []
    for name, value in sent:
        safe = name.replace('"', "").replace("\r", "").replace("\n", "")
        about, body = f'form-data; name="{safe}"', value.encode("utf-8", "replace")
        if safe in {"file", "attachments"}:
            file_name, body = dice.choice(FILES)
            about += (
                f'; filename="{file_name}"\r\nContent-Type: {dice.choice(["text/csv", "image/png", "x/y"])}'
            )
        parts.append(f"--{mark}\r\nContent-Disposition: {about}\r\n\r\n".encode() + body + b"\r\n")
    return b"".join(parts) + f"--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"


class Pages:
    """Opens pages as somebody and sends back the forms on them."""

    def __init__(self, of: World, line: Connection, findings: Findings) -> None:
        """Know the world."""
        self.of, self.line, self.findings = of, line, findings
        self.barren: set[tuple[str, str]] = set()

    def one(self, dice: random.Random) -> int:
        """Open a page and send a few forms of it, or ask for a random page; return how many were sent."""
        caller = dice.choices(self.of.callers[: len(ROLES)], OFTEN)[0]
        caller = Caller(caller.role, dict(caller.cookies))
        page = self.address(dice)
        if (caller.role, page) in self.barren and dice.random() < 0.9:
            return 0
        status, _, body, took = self.ask("GET", page, caller)
        self.findings.note("page", f"GET {page} as {caller.role}", status, took, [])
        reader = Forms(page)
        with suppress(AssertionError):
            reader.feed(body.decode("utf-8", "replace"))
        if status in {403, 404, 405}:
            self.barren.add((caller.role, page))
        forms = [form for form in reader.found if not urlsplit(form.action).path.startswith(NEVER)]
        dice.shuffle(forms)
        for form in forms[:MOST_OF_A_PAGE]:
            self.send(form, page, caller, dice)
        return len(forms[:MOST_OF_A_PAGE])

    def address(self, dice: random.Random) -> str:
        """Draw a page."""
        kind = dice.random()
        if kind < 0.1:
            return dice.choice(SITE)
        if kind < 0.25:
            slug, link = dice.choice(self.of.links)
            return f"/{slug}/me/{link}/{dice.choice(OWN)}"
        return f"/{dice.choice(self.of.slugs)}/{dice.choice(PAGES)}"

    def ask(
        self, method: str, path: str, caller: Caller, body: bytes = b"", **more: str
    ) -> tuple[int, Any, bytes, float]:
        """Ask as somebody; cookies are kept while the page is open."""
        answer = self.line.ask(method, path.encode("utf-8", "replace"), body, **caller.headers, **more)
        for text in answer[1].get_all("Set-Cookie") or [] if answer[1] else []:
            name, _, value = text.partition(";")[0].partition("=")
            caller.cookies[name] = value
        return answer

    def send(self, form: Form, page: str, caller: Caller, dice: random.Random) -> None:
        """Send a form back, changed."""
        sent = changed(form, dice)
        body, kind = written(form, sent, dice)
        target = urlsplit(html.unescape(form.action))
        path = quote(target.path, safe="/%") + (f"?{target.query}" if target.query else "")
        more = {"Content-Type": kind, "Referer": f"http://localhost{quote(page)}"}
        status, _, read, took = self.ask("POST", path, caller, body, **more)
        wrong = [] if status < 400 or b"<h1" in read or b"{" in read[:1] else [f"{status} without a word"]
        shown = [(name, value[:60]) for name, value in sent if name != "csrfmiddlewaretoken"]
        self.findings.note("form", f"POST {path} as {caller.role} {shown}", status, took, wrong)


# The run


def run_api(port: int, of: World, count: int, seed: int, findings: Findings) -> None:
    """Send the requests over one connection."""
    dice = random.Random(f"api {seed}")
    line = Connection(port, dice)
    _, _, body, _ = line.ask("GET", b"/api/1/openapi.json")
    api = Api(json.loads(body), of)
    for _ in range(count):
        method, target, headers, operation = api.request(dice)
        caller = dice.choice(of.callers)
        status, answered, body, took = line.ask(method, target, b"", **headers, **caller.headers)
        wrong = [] if status == 599 else api.wrong(method, operation, status, answered, body)
        findings.note("api", f"{method} {target!r} {headers} as {caller.role}", status, took, wrong)


def run_forms(port: int, of: World, count: int, seed: int, findings: Findings) -> None:
    """Send the forms over one connection."""
    dice = random.Random(f"forms {seed}")
    pages, sent = Pages(of, Connection(port, dice), findings), 0
    while sent < count:
        sent += pages.one(dice) or 0


def in_threads(
    work: Any, port: int, of: World, count: int, threads: int, seed: str, findings: Findings
) -> None:
    """Share the work among connections."""
    share = -(-count // threads)
    each = [
        threading.Thread(target=work, args=(port, of, share, f"{seed} {n}", findings)) for n in range(threads)
    ]
    for one in each:
        one.start()
    for one in each:
        one.join()


def main() -> int:
    """Make the world, run, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--forms", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds that an answer may take")
    parser.add_argument("--log", type=Path, help="where the server's log is kept")
    said = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.development"
    os.environ.pop("DATABASE_URL", None)
    home = world.begin()
    from django.conf import settings
    from django.db import connections

    of = make_world()
    secret = settings.SECRET_KEY
    connections.close_all()
    database = home / "four-winds.sqlite3"
    shutil.copy(database, home / "begin.sqlite3")
    findings, began = Findings(longest=said.longest), time.monotonic()
    with site(home, secret, said.log) as port:
        in_threads(run_api, port, of, said.requests, said.threads, f"{said.seed}", findings)
    report(findings, f"{said.requests} requests", began)
    for part in range(0, said.forms, FRESH_AFTER):
        for extra in ("", "-wal", "-shm"):
            Path(f"{database}{extra}").unlink(missing_ok=True)
        shutil.copy(home / "begin.sqlite3", database)
        count = min(FRESH_AFTER, said.forms - part)
        with site(home, secret, said.log) as port:
            in_threads(run_forms, port, of, count, said.threads, f"{said.seed} {part}", findings)
    report(findings, f"{said.forms} forms", began)
    world.end(home)
    return 1 if findings.total else 0


@contextmanager
def site(home: Path, secret: str, log: Path | None) -> Iterator[int]:
    """Run the server in its own process until the block ends; return its port."""
    port = services.free_port()
    environment = hosts.settings_for(home, SECRET_KEY=secret, PORT=str(port))
    if not (home / "static/staticfiles.json").exists():
        hosts.manage(environment, "messages", "compile", "--verbosity=0")
        hosts.manage(environment, "collectstatic", "--no-input", "--verbosity=0")
    with (log or Path(os.devnull)).open("ab") as out:
        command = [sys.executable, "-m", "config.server"]
        process = subprocess.Popen(command, cwd=world.ROOT, env=environment, stdout=out, stderr=out)
        try:
            services.wait_until(lambda: services.answers(port), process, 60)
            yield port
        finally:
            services.end(process)


def report(findings: Findings, what: str, began: float) -> None:
    """Print what was answered."""
    counts = ", ".join(f"{name}: {count:,}" for name, count in sorted(findings.asked.items()))
    print(f"{what} after {time.monotonic() - began:.0f} s – {counts}")
    print(f"  slowest {findings.slowest[0]:.2f} s: {findings.slowest[1][:160]}")
    print(f"  faults: {len(findings.faults)}")
    for fault in list(dict.fromkeys(findings.faults))[:MOST_SHOWN]:
        print(f"    {fault[:LONGEST_FAULT]}")
    findings.shown()


if __name__ == "__main__":
    sys.exit(main())
