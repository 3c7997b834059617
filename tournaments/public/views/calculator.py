"""The calculator: a hand of any system, typed or tapped, with its fans and waits; and what a browser keeps to reckon without a network."""

import io
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext

import scoring
from scoring.calculator import INDICATORS, Answer, answer
from scoring.presets import PRESETS, Preset
from scoring.seats import SEATS
from scoring.systems import SYSTEMS
from scoring.systems.system import System
from scoring.terms import speak
from scoring.tiles.readings import SetKind
from scoring.tiles.tile import HONORS, SUITED, SUITS, write
from scoring.tiles.tile_hands import Kit
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.requests import Request

ENGINE = Path(scoring.__file__).parent
PYTHON = "vendor/pyodide-314.0.7"
LEFT_OUT = ("tests", "__pycache__", "record", "pyproject.toml", "lists.json")
"""Parts of the package that value no hand."""
TOLD = ("wall", "how", "flowers", "forbidden", "dora", "ura")
"""What says how the tile came; without it that part of the form is folded."""
SHARED = ("hand", "wall", "seat", "round")
"""What a link keeps when other rules are chosen."""


@page("look")
def calculators(request: Request) -> HttpResponse:
    """Open the calculator by the first rules."""
    return redirect("tournaments:calculator", next(iter(PRESETS)))


@page("look", reading=rates.SEARCH)
def calculator(request: Request, rules: str) -> HttpResponse:
    """Show the form and the answer to what the link asks; the link is the whole question. [RULES 1.1]"""
    if rules not in PRESETS:
        raise Http404
    preset = PRESETS[rules]
    system = SYSTEMS[preset.system]
    speak(system.terms)
    words = _words()
    response = render(
        request,
        "tournaments/public/calculator.html",
        {
            "found": _answered(request, rules),
            "preset": preset,
            "systems": [
                (SYSTEMS[one.system], _address(request, one.code), one.system == preset.system)
                for one in _usual()
            ],
            "asks": _asks(request, system),
            "hand": request.GET.get("hand", ""),
            "wall": request.GET.get("wall", ""),
            "pad": _pad(system.tiles.kit(preset.regulation.system_rules)),
            "targets": _targets(system),
            "suits": [("m", gettext("Characters")), ("p", gettext("Dots")), ("s", gettext("Bamboos"))],
            "words": words,
            "words_for_script": json.dumps(words, ensure_ascii=False),
            "pages": " ".join(reverse("tournaments:calculator", args=[one.code]) for one in _usual()),
            "here": request.build_absolute_uri(),
        },
    )
    if not request.user.is_authenticated:
        response["X-Offline-Copy"] = "allowed"
    return response


def _answered(request: Request, rules: str) -> Answer:
    """Answer the link, with a link to the complete hand for each tile that it waits for."""
    found = answer({**dict(request.GET.lists()), "rules": [rules]}, get_language() or "en")
    for wait in found["waits"] or ():
        query = request.GET.copy()
        query["hand"] = wait["hand"]
        wait["link"] = query.urlencode()
    return found


def _usual() -> list[Preset]:
    """List the usual preset of each system."""
    first: dict[str, Preset] = {}
    for preset in PRESETS.values():
        first.setdefault(preset.system, preset)
    return list(first.values())


def _address(request: Request, rules: str) -> str:
    """Return the address of the same hand by other rules."""
    query = request.GET.copy()
    for name in set(query) - set(SHARED):
        del query[name]
    address = reverse("tournaments:calculator", args=[rules])
    return f"{address}?{query.urlencode()}" if query else address


def _words() -> dict[str, str]:
    """Return the headings of an answer, which the script of the page shows as well."""
    return {
        "fans": gettext("Fans"),
        "dropped": gettext("Not counted"),
        "waits": gettext("The hand waits for"),
        "no_waits": gettext("The hand waits for nothing."),
        "tile": gettext("Tile"),
        "left": gettext("Left"),
        "discard": gettext("From a discard"),
        "wall": gettext("From the wall"),
        "take": gettext("Take away:"),
        "forbidden": gettext("Forbidden suit"),
        "offline": gettext("The site cannot be reached, and the calculator was not saved on this device."),
    }


def _targets(system: System) -> list[tuple[str, str]]:
    """List what the next tile that is tapped can make, the tile in hand first."""
    tiles = system.tiles
    claims = tiles.kit({}).claims
    found = [("", gettext("Tile in hand"))]
    found += [("chow", gettext("Chow"))] * (SetKind.CHOW in claims)
    found += [("pung", gettext("Pung"))]
    if SetKind.KONG in claims:
        found += [("kong", gettext("Open kong")), ("concealed", gettext("Concealed kong"))]
    if tiles.says_kong_kinds:
        found += [("added", gettext("Added kong")), ("delayed", gettext("Delayed kong"))]
    if INDICATORS[0] in tiles.asks:
        found += [("dora", gettext("Dora indicator")), ("ura", gettext("Ura indicator"))]
    return found


def _asks(request: Request, system: System) -> dict[str, Any]:
    """Return what else the form asks for by these rules, with what the link says."""
    tiles, asked = system.tiles, request.GET
    marked = asked.getlist("how")
    return {
        "is_told": any(asked.get(name) for name in TOLD),
        "winds": [(name, asked.get(name) or "E") for name in ("seat", "round")] if tiles.knows_winds else [],
        "seats": [str(seat) for seat in SEATS],
        "has_players": tiles.knows_players,
        "players": asked.get("players") or "3",
        "has_flowers": "flowers" in tiles.asks,
        "flowers": asked.get("flowers", ""),
        "has_suits": "forbidden_suit" in tiles.asks,
        "forbidden": asked.get("forbidden", ""),
        "has_indicators": INDICATORS[0] in tiles.asks,
        "dora": asked.get("dora", ""),
        "ura": asked.get("ura", ""),
        "marks": [
            (mark, gettext(tiles.marks.get(mark) or tiles.fans[mark]), mark in marked) for mark in tiles.flags
        ],
        "has_honors": bool(HONORS & tiles.kit({}).tiles),
        "has_kongs": SetKind.KONG in tiles.kit({}).claims,
        "says_kong_kinds": tiles.says_kong_kinds,
    }


def _pad(kit: Kit) -> list[list[str]]:
    """Return the tiles that are played with, a row for each suit and one for the others."""
    others = kit.tiles - SUITED
    return [[write(tile) for tile in row] for row in (*SUITS, sorted(others)) if row]


# Without a network


@csp_update({"script-src": ["'wasm-unsafe-eval'"]})
@page("look")
def worker(request: Request) -> HttpResponse:
    """Return the script that runs the arithmetic in the browser; it alone may compile WebAssembly. [INTEGRITY 4]"""
    context = {"python": f"{settings.STATIC_URL}{PYTHON}/"}
    response = render(
        request, "tournaments/public/calculator-worker.js", context, content_type="text/javascript"
    )
    response["Cache-Control"] = "no-cache"
    return response


@page("look", reading=rates.FILE)
def package(request: Request) -> HttpResponse:
    """Return the arithmetic itself, the same that answers here. [RULES 1.1]"""
    response = HttpResponse(_package(), content_type="application/zip")
    response["Cache-Control"] = "no-cache"
    return response


@cache
def _package() -> bytes:
    """Pack the modules and catalogues of `scoring`, which do not change while the site runs."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(ENGINE.rglob("*")):
            inside = path.relative_to(ENGINE)
            if path.suffix in (".py", ".po") and not set(inside.parts) & set(LEFT_OUT):
                name = zipfile.ZipInfo(f"scoring/{inside.as_posix()}")
                archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
