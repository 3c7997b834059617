"""Which module imports which, read from the source, and the lines that no import may cross.

Between packages, between rooms, and between the layers of a room; rooms are entered by their doors, and every module has a room.
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("config", "seating", "penalties", "tournaments", "scoring")
MAY_IMPORT = {
    "config": {"config", "seating", "penalties", "tournaments", "scoring"},
    "seating": {"seating", "tournaments", "scoring"},
    "penalties": {"penalties", "tournaments", "scoring"},
    "tournaments": {"tournaments", "scoring"},
    "scoring": {"scoring"},
}
PURE_AT_THE_ROOT = {"tournaments.calendar", "tournaments.person_fields", "tournaments.table_numbers"}
LAYERS = ("urls", "views", "forms", "operations", "queries", "models", "rules")
NOT_CODE = {"migrations", "__pycache__"}
FLOORS = (
    {"calendar", "person_fields", "table_numbers"},
    {"models"},
    {"record"},
    {"web"},
    {"people"},
    {"sessions"},
    {"tables"},
    {"standings"},
    {"privacy"},
    {"operator"},
    {"public", "desk", "exchange", "api"},
)
"""The rooms of `tournaments`, the lowest first: a room knows those below it, and none beside it."""
OPEN = {"calendar", "person_fields", "table_numbers", "models", "record", "web"}
"""What every room is built from: all of it may be used."""
DOORS = {"operations", "queries", "rules"}
HOOKS = {"apps", "tasks", "urls", "management", "admin"}
"""What Django and Celery look for at the root of a package: it joins the rooms and may know all of them."""
OWN_DOORS = {"exchange": {"record", "tables", "files", "judging"}, "calendar": set(), "table_numbers": set()}
"""Rooms of which more is open: what leaves the site as a file is added to by the judges."""
EXCEPTIONS = {
    (
        "tournaments.desk.views.people",
        "tournaments.people.forms",
    ): "the desk enters players by the form that players fill in",
    ("tournaments.public.views.public", "tournaments.people.forms"): "a player registers by it",
    ("tournaments.public.views.player", "tournaments.people.forms"): "a player changes what was sent by it",
    (
        "penalties.ladder.views",
        "tournaments.exchange.views.downloads",
    ): "the list of penalties is sent as every other file",
    (
        "penalties.sanctions.views",
        "tournaments.exchange.views.downloads",
    ): "the list of sanctions is sent as every other file",
    (
        "penalties.phone.views",
        "tournaments.tables.views.tablet_worker",
    ): "the referee's phone starts without a connection by the tablet's worker",
}
ROOMS = {
    "penalties": {
        "ladder",
        "lateness",
        "substitutes",
        "appeals",
        "paper",
        "phone",
        "player",
        "sanctions",
        "web",
    },
    "seating": {"rules", "drafts", "desk", "publishing"},
    "config": {"server", "tools", "operator", "rehearsal", "settings", "formats", "templatetags", "tests"},
    "scoring": {"tiles", "systems", "standings", "record"},
}
"""The rooms of the other packages."""
AT_THE_ROOT = {
    "penalties": {"models", "exchange", "judges"},
    "seating": {"models", "draws"},
    "config": {"accounts", "asgi", "celery", "messages", "models", "views", "wsgi"},
}
"""What stands at the root of a package: its models, and what it makes known to others."""


@dataclass(frozen=True)
class Module:
    """A source file by its dotted name, and the dotted names it imports."""

    name: str
    imports: tuple[str, ...]
    at_once: tuple[str, ...] = ()
    """Those that it needs while it is itself imported."""

    @property
    def package(self) -> str:
        """Return the package it belongs to."""
        return self.name.partition(".")[0]

    @property
    def layer(self) -> int | None:
        """Return its place in the second line, in the package or in a room of it; None beside the line and for tests."""
        if self.is_test:
            return None
        if self.name in PURE_AT_THE_ROOT:
            return LAYERS.index("rules")
        named = [part for part in self.name.split(".")[1:3] if part in LAYERS]
        return LAYERS.index(named[0]) if named else None

    @property
    def room(self) -> str:
        """Return its room, or the name of what it is at the root of its package."""
        parts = self.name.split(".")
        if len(parts) == 1:
            return ""
        return "web" if parts[0] == "tournaments" and parts[1] == "templatetags" else parts[1]

    @property
    def is_test(self) -> bool:
        """Whether it only tests."""
        return "tests" in self.name.split(".")

    @property
    def is_pure(self) -> bool:
        """Whether it must know nothing but Python and other pure modules."""
        if self.is_test:
            return False
        in_rules = "rules" in self.name.split(".")[1:3]
        return self.package == "scoring" or in_rules or self.name in PURE_AT_THE_ROOT


def modules(root: Path) -> dict[str, Module]:
    """Read every module of the five packages below a folder."""
    trees = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if not NOT_CODE & set(parts):
                is_package = parts[-1] == "__init__"
                name = ".".join(parts[:-1] if is_package else parts)
                trees[name] = (ast.parse(path.read_text(encoding="utf-8")), is_package)
    return {
        name: Module(
            name,
            tuple(sorted(set(imports(ast.walk(tree), name, is_package, trees.keys())))),
            tuple(sorted(set(imports(outside_functions(tree), name, is_package, trees.keys())) - {name})),
        )
        for name, (tree, is_package) in trees.items()
    }


def outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Go through what is carried out when a module is imported."""
    for node in ast.iter_child_nodes(tree):
        is_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_for_types:
            yield node
            yield from outside_functions(node)


def imports(nodes: Iterable[ast.AST], name: str, is_package: bool, known: Set[str]) -> Iterator[str]:
    """Go through the modules that are imported by some nodes of a module."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = name.split(".")[: (-node.level + is_package) or None]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield whole if whole in known else base


def crossings(known: Mapping[str, Module]) -> list[str]:
    """Name every import that crosses one of the lines."""
    return [
        *wrong_packages(known),
        *impure(known),
        *turned_back(known),
        *climbing(known),
        *through_walls(known),
        *homeless(known),
        *circles(known),
    ]


def floor_of(room: str) -> int | None:
    """Return the floor of a room of `tournaments`."""
    return next((number for number, rooms in enumerate(FLOORS) if room in rooms), None)


def climbing(known: Mapping[str, Module]) -> Iterator[str]:
    """Within `tournaments` a room knows those on lower floors alone."""
    for module in known.values():
        here = floor_of(module.room) if module.package == "tournaments" and not module.is_test else None
        for target in module.imports if here is not None else ():
            other = known.get(target)
            if other is None or other.package != "tournaments" or other.room == module.room:
                continue
            there = floor_of(other.room)
            if there is not None and there >= here:
                yield f"{module.name} imports {target}: {module.room} may not know {other.room}"


def through_walls(known: Mapping[str, Module]) -> Iterator[str]:
    """From elsewhere a room of `tournaments` is entered by its operations, queries and rules."""
    for module in known.values():
        if module.is_test or module.package == "config" or module.room in HOOKS:
            continue
        for target in module.imports:
            other = known.get(target)
            if other is None or other.package != "tournaments" or other.room in {*OPEN, ""}:
                continue
            if module.package == "tournaments" and other.room == module.room:
                continue
            inside = target.split(".")[2:3]
            doors = DOORS | OWN_DOORS.get(other.room, set())
            if (
                not doors & set(inside)
                and (module.name, target) not in EXCEPTIONS
                and other.room not in HOOKS
            ):
                yield f"{module.name} imports {target}: it is no door of {other.room}"


def homeless(known: Mapping[str, Module]) -> Iterator[str]:
    """Every module belongs to a room."""
    for module in known.values():
        if module.is_test or not module.room or module.room in HOOKS or module.room == "templatetags":
            continue
        if module.package == "tournaments":
            if floor_of(module.room) is None:
                yield f"{module.name} has no room"
        elif module.package == "scoring":
            continue
        elif module.room not in ROOMS[module.package] | AT_THE_ROOT.get(module.package, set()):
            yield f"{module.name} has no room"


def circles(known: Mapping[str, Module]) -> Iterator[str]:
    """No module is reached from itself by what it imports when it is imported."""
    done: set[str] = set()
    for start in known:
        way: list[str] = []
        yield from _circles_from(start, known, way, done)


def _circles_from(name: str, known: Mapping[str, Module], way: list[str], done: set[str]) -> Iterator[str]:
    """Go on from one module, and name the way when it comes back."""
    if name in way:
        yield " → ".join([*way[way.index(name) :], name])
        return
    if name in done or known[name].is_test:
        return
    way.append(name)
    for target in known[name].at_once:
        if target in known:
            yield from _circles_from(target, known, way, done)
    way.pop()
    done.add(name)


def wrong_packages(known: Mapping[str, Module]) -> Iterator[str]:
    """config → seating, penalties → tournaments → scoring; seating and penalties never import each other.

    Tests may build their scenes with any package.
    """
    for module in known.values():
        if module.is_test:
            continue
        for target in module.imports:
            package = target.partition(".")[0]
            if package in MAY_IMPORT and package not in MAY_IMPORT[module.package]:
                yield f"{module.name} imports {target}: {module.package} may not know {package}"


def impure(known: Mapping[str, Module]) -> Iterator[str]:
    """`scoring` and every `rules` import Python's own library and pure modules alone."""
    for module in known.values():
        if not module.is_pure:
            continue
        for target in module.imports:
            package = target.partition(".")[0]
            if package in sys.stdlib_module_names:
                continue
            if target not in known or not known[target].is_pure:
                yield f"{module.name} imports {target}: it must stay pure"


def turned_back(known: Mapping[str, Module]) -> Iterator[str]:
    """urls → views → forms → operations → queries → models → rules, also by way of modules beside the line."""
    for module in known.values():
        if module.layer is None:
            continue
        for way in ways(module, known):
            if (end := known[way[-1]].layer) is not None and end < module.layer:
                yield f"{' → '.join(way)}: {LAYERS[module.layer]} may not turn back to {LAYERS[end]}"


def ways(start: Module, known: Mapping[str, Module]) -> Iterator[tuple[str, ...]]:
    """Follow the imports of a module until each way meets a layer."""
    waiting, seen = [(start.name,)], {start.name}
    while waiting:
        way = waiting.pop()
        for target in known[way[-1]].imports:
            if target in known and target not in seen:
                seen.add(target)
                longer = (*way, target)
                if known[target].layer is not None:
                    yield longer
                elif not known[target].is_test:
                    waiting.append(longer)
