"""Walks through the running code: which modules a request enters, in which order, and which module calls which.

A module is entered when a function of it is called. It is listed once, where it is entered first: a function that returns
and is called again makes no second entry. Two kinds of modules are only counted, as "beside": `models` (columns and their
properties) and the instruments (metrics and logs). `scoring` and the drivers of the database are left out.
"""

import re
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from types import CodeType, FrameType

from config.tests.boundaries import LAYERS, MAY_IMPORT, PACKAGES, Module, floor_of

ROOT = Path(__file__).resolve().parents[2]
BESIDE = (
    "tournaments.models",
    "penalties.models",
    "seating.models",
    "tournaments.calendar",
    "tournaments.person_fields",
    "tournaments.table_numbers",
)
BESIDE += ("config.operator", "config.server.logs")
DRIVERS = ("config.server.sqlite", "config.server.caches")
"""Which of them are called depends on the database that the tests run on."""
LOOKUPS = ("tournaments.web.terms",)
"""Django's own lookup of a sentence, which every room calls through Django."""
HANDED_IN = (
    # the lower module, what it calls, and why
    ("tournaments.web", "views", "a decorator calls the view that it wraps"),
    ("tournaments.web", "forms", "a form is asked whether what was sent is right"),
    ("tournaments.web.middleware", "config.server.whole_form", "Django asks all middleware before the view"),
    ("tournaments.record.judges", "penalties.ladder.queries", "judges register what the record asks them"),
    ("tournaments.record.news", "config.server.live", "live streams listen for revisions"),
    ("tournaments.standings.operations.recompute", "config.operator.counting", "metrics receive a signal"),
    ("scoring", "tournaments.web.strict", "a body has parsers beside those of `scoring`"),
    ("scoring.standings.sessions", "penalties.ladder.rules.ladder", "`scoring` reads a generator of prices"),
    ("penalties.ladder.rules.ladder", "penalties.ladder.queries", "a rule asks what holds in a session"),
)
"""Calls that go up: the lower module calls what the upper one gave it. `views` and `forms` stand for those of all rooms."""
UNBROKEN = "\0"
"""A space at which no line ends."""
HEADING = re.compile(r"\*\*(?P<name>[^*]+)\*\*: (?P<main>\d+) modules, (?P<beside>\d+) beside them")


@dataclass
class Walk:
    """A walk while it is recorded: modules by their first entry, and the calls from one module to another."""

    modules: dict[str, None] = field(default_factory=dict)
    calls: dict[tuple[str, str], str] = field(default_factory=dict)
    is_recording: bool = False
    names: dict[CodeType, str] = field(default_factory=dict)

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Note the call of a function of the project, and the nearest function of the project above it."""
        if event != "call" or not self.is_recording or not (callee := self._module(frame)):
            return
        self.modules.setdefault(callee)
        above = frame.f_back
        while above is not None and not self._module(above):
            above = above.f_back
        caller = self._module(above) if above is not None else ""
        if caller not in {"", callee}:
            self.calls.setdefault((caller, callee), frame.f_code.co_qualname)

    def _module(self, frame: FrameType) -> str:
        """Return the module of a frame; empty if it is none of the project's, or one of a driver."""
        name = self.names.get(frame.f_code)
        if name is None:
            name = self.names[frame.f_code] = module_of(frame.f_code)
        return name

    @property
    def main(self) -> list[str]:
        """Return the modules of the walk in order."""
        return [name for name in self.modules if not is_under(name, ("scoring", *BESIDE))]

    @property
    def beside(self) -> list[str]:
        """Return the models and instruments that were entered."""
        return [name for name in self.modules if is_under(name, BESIDE)]


def module_of(code: CodeType) -> str:
    """Return the module of a function of the project; empty for other code, tests, drivers, lookups, and the body of a module."""
    path = Path(code.co_filename)
    if code.co_name == "<module>" or not path.is_relative_to(ROOT):
        return ""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] not in PACKAGES or "tests" in parts:
        return ""
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return "" if is_under(name, (*DRIVERS, *LOOKUPS)) else name


@contextmanager
def profiled() -> Iterator[Walk]:
    """Follow this thread, and every thread that starts from now on; the walk says when it records."""
    walk, before = Walk(), sys.getprofile()
    threading.setprofile(walk.profile)
    sys.setprofile(walk.profile)
    try:
        yield walk
    finally:
        walk.is_recording = False
        sys.setprofile(before)
        threading.setprofile(None)


def is_under(name: str, places: Iterable[str]) -> bool:
    """Return whether a module is one of these, or lies in one of them."""
    return any(name == place or name.startswith(f"{place}.") for place in places)


# Which way calls go


def upward(walk: Walk) -> list[str]:
    """Name the calls that go up although nobody handed the function in."""
    calls = [(Module(caller, ()), Module(callee, ()), name) for (caller, callee), name in walk.calls.items()]
    return [
        f"{caller.name} calls {callee.name}: {function}"
        for caller, callee, function in calls
        if goes_up(caller, callee) and not is_handed_in(caller, callee)
    ]


def goes_up(caller: Module, callee: Module) -> bool:
    """Return whether a call goes against the arrows of packages, of rooms, or of the layers within a room."""
    if callee.package not in MAY_IMPORT[caller.package]:
        return True
    if caller.package == callee.package == "tournaments" and caller.room != callee.room:
        here, there = floor_of(caller.room), floor_of(callee.room)
        if here is not None and there is not None and there >= here:
            return True
    return caller.layer is not None and callee.layer is not None and callee.layer < caller.layer


def is_handed_in(caller: Module, callee: Module) -> bool:
    """Return whether the function was given to its caller from above."""
    layer = "" if callee.layer is None else LAYERS[callee.layer]
    return any(
        is_under(caller.name, [low]) and (layer == high or is_under(callee.name, [high]))
        for low, high, _ in HANDED_IN
    )


# The document


def written(name: str, walk: Walk) -> str:
    """Write a walk as the document does: its modules in order, with the folder before each stretch within one."""
    folders = groupby(walk.main, key=lambda module: module.rpartition(".")[0])
    stretches = [
        f"{folder.replace('.', '/')}:{UNBROKEN}{UNBROKEN.join(map(_last, names))}"
        for folder, names in folders
    ]
    heading = f"**{name}**: {len(walk.main)} modules, {len(walk.beside)} beside them"
    lines = wrap(" → ".join(stretches), 150, break_on_hyphens=False)
    return "\n".join([heading, "```", *lines, "```"]).replace(UNBROKEN, " ")


def _last(module: str) -> str:
    return module.rpartition(".")[2]


def documented(text: str) -> dict[str, str]:
    """Return the walks of the document by name, each from its heading to the end of its list."""
    found: dict[str, str] = {}
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if match := HEADING.match(line):
            end = next(number for number in range(at + 2, len(lines)) if lines[number] == "```")
            found[match["name"]] = "\n".join([match[0], *_without_blank(lines[at + 1 : end + 1])])
    return found


def _without_blank(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip()]
