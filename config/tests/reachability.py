"""What is defined in the pure packages and offered by rooms, and what of it is reached from the site, its commands and the doors for programs.

Read from the source: a name leads to what it is bound to in its module, an attribute of a module to what that module
defines, and any other attribute to every method and field of that name. So it finds less than there is, never more.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PACKAGES = ("config", "penalties", "scoring", "seating", "tournaments")
LAYERS = {"rules", "operations", "queries"}
"""What a room offers to others; with the pure packages, everything in it must be reached."""
PASSIVE = {"property", "cache", "lru_cache", "cached_property", "staticmethod", "classmethod", "dataclass", "overload",
           "contextmanager", "wraps", "total_ordering", "setter", "abstractmethod", "final"}  # fmt: skip
"""Decorators that make nothing known to anybody."""

JOB = re.compile(r"[a-z_]+(?:\.[a-z_]+)+:[a-z_]+")
"""A function that is named in a text, `package.module:name`: what a child process is told to do."""


@dataclass
class Definition:
    """A function, class, method or constant: where it stands, and what it refers to."""

    name: str
    line: int
    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


@dataclass
class Source:
    """A module: its definitions by name, what it does when it is imported, and what its names are bound to elsewhere."""

    name: str
    definitions: dict[str, Definition]
    itself: Definition
    bound: dict[str, str]


@cache
def read(root: Path) -> dict[str, Source]:
    """Read every module of the packages that is no test and no migration."""
    found = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if not {"tests", "migrations"} & set(parts):
                is_package = parts[-1] == "__init__"
                name = ".".join(parts[:-1] if is_package else parts)
                found[name] = _source(name, ast.parse(path.read_text(encoding="utf-8")))
    return found


def _source(name: str, tree: ast.Module) -> Source:
    source = Source(name, {}, Definition(name, 0), {})
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            source.bound |= {
                alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names
            }
        elif isinstance(node, ast.Import):
            source.bound |= {alias.asname: alias.name for alias in node.names if alias.asname}
    for node in tree.body:
        _define(source, node, "")
    return source


def _define(source: Source, node: ast.stmt, within: str) -> None:
    """Note a definition with what it refers to; what stands outside of all is done by the module itself."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            own = source.definitions.setdefault(within + name, Definition(within + name, node.lineno))
            _refer(own, node)
            if any(_decorator(one) not in PASSIVE for one in node.decorator_list):
                source.itself.names.add(within + name)
        case ast.ClassDef(name=name):
            own = source.definitions.setdefault(within + name, Definition(within + name, node.lineno))
            for part in (*node.bases, *node.decorator_list, *(one.value for one in node.keywords)):
                _refer(own, part)
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_called_by_python(
                    inner
                ):
                    _define(source, inner, f"{within}{name}.")
                else:
                    _refer(own, inner)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if not within:
            own = source.definitions.setdefault(name, Definition(name, node.lineno))
            _refer(own, node)
        case ast.Import() | ast.ImportFrom():
            pass
        case _:
            _refer(source.itself, node)


def _is_called_by_python(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return node.name.startswith("__") and node.name.endswith("__")


def _decorator(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _refer(own: Definition, node: ast.AST) -> None:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            own.names.add(one.id)
        elif isinstance(one, ast.Attribute):
            own.attributes.add(one.attr)
            if isinstance(one.value, ast.Name):
                own.names.add(f"{one.value.id}.{one.attr}")
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            if one.value.isidentifier():
                own.attributes.add(one.value)
            elif JOB.fullmatch(one.value):
                own.names.add(one.value.replace(":", "."))


def unreached(root: Path, words: Iterable[str] = ()) -> list[str]:
    """Name what is defined there and reached by nobody; `words` are those of templates."""
    sources = read(root)
    waiting = list(_roots(sources))
    reached: set[tuple[str, str]] = set()
    attributes, members = set(words), _members(sources)
    waiting += [place for word in attributes for place in members.get(word, [])]
    while waiting:
        module, name = waiting.pop()
        if (module, name) in reached or module not in sources:
            continue
        reached.add((module, name))
        source = sources[module]
        own = source.itself if name == "" else source.definitions.get(name)
        if own is None:
            waiting += _elsewhere(sources, source, name)
            continue
        for used in own.names:
            waiting += _led_to(sources, source, used)
        for attribute in own.attributes - attributes:
            waiting += members.get(attribute, [])
        attributes |= own.attributes
        if name:
            waiting.append((module, ""))
    return sorted(
        f"{module}.{name}"
        for module, source in sources.items()
        if is_offered(module)
        for name in source.definitions
        if (module, name) not in reached
    )


def is_offered(module: str) -> bool:
    """Return whether a module is pure, or one of those that a room offers."""
    parts = module.split(".")
    return parts[0] == "scoring" or bool(LAYERS & set(parts[1:3]))


def _roots(sources: dict[str, Source]) -> Iterator[tuple[str, str]]:
    """Begin with everything in the applications, and with what a shell starts."""
    for module, source in sources.items():
        if not is_offered(module) or module.endswith("__main__"):
            yield module, ""
            yield from ((module, name) for name in source.definitions)


def _members(sources: dict[str, Source]) -> dict[str, list[tuple[str, str]]]:
    """Return the methods by their names."""
    found: dict[str, list[tuple[str, str]]] = {}
    for module, source in sources.items():
        for name in source.definitions:
            if "." in name:
                found.setdefault(name.rpartition(".")[2], []).append((module, name))
    return found


def _led_to(sources: dict[str, Source], source: Source, used: str) -> list[tuple[str, str]]:
    """Follow a name, or an attribute of a name, to where it is defined."""
    if used in source.definitions:
        return [(source.name, used)]
    if used == "globals":
        return [(source.name, name) for name in source.definitions]
    first, _, rest = used.partition(".")
    if first in source.bound:
        return _defined(sources, f"{source.bound[first]}.{rest}" if rest else source.bound[first])
    return _defined(sources, used) if first in PACKAGES else []


def _defined(sources: dict[str, Source], dotted: str) -> list[tuple[str, str]]:
    """Find the module of a dotted name, and what of it is meant."""
    module, name = dotted, ""
    while module and module not in sources:
        module, _, last = module.rpartition(".")
        name = f"{last}.{name}" if name else last
    return [(module, name.partition(".")[0])] if module else []


def _elsewhere(sources: dict[str, Source], source: Source, name: str) -> list[tuple[str, str]]:
    """Follow a name that a module has from another one."""
    return _defined(sources, source.bound[name]) if name in source.bound else []


# What writes


WRITES = {"save", "bulk_create", "bulk_update", "get_or_create", "update_or_create"}
OF_MANAGERS = {"create", "delete", "update"}
INSIDE = (
    "config.tools.demo",
    "penalties.exchange",
    "penalties.judges",
    "seating.draws",
    "tournaments.exchange.intake",
)
"""What calls operations from inside a transaction that is another operation's, or the whole demo's."""


def called_writes(root: Path) -> set[str]:
    """Name the operations that write and are called by pages, programs, tasks or commands."""
    sources = read(root)
    calls = {
        (module, name): {place for used in own.names for place in _led_to(sources, source, used)}
        for module, source in sources.items()
        for name, own in source.definitions.items()
    }
    writing = {(module, name) for module, name in calls if _writes(sources[module].definitions[name])}
    while more := {place for place, called in calls.items() if called & writing} - writing:
        writing |= more
    called_from_outside = {
        place
        for (module, _), called in calls.items()
        if not _is_operation(module) and not module.startswith(INSIDE)
        for place in called
    }
    return {
        f"{module}.{name}"
        for module, name in writing & called_from_outside
        if _is_operation(module) and name.islower() and not name.startswith("_")
    }


def named_in(root: Path, path: Path) -> set[str]:
    """Name what a module beside the packages refers to in them."""
    source = _source(path.stem, ast.parse(path.read_text(encoding="utf-8")))
    own = [*source.definitions.values(), source.itself]
    places = {place for one in own for used in one.names for place in _led_to(read(root), source, used)}
    return {f"{module}.{name}" for module, name in places}


def _is_operation(module: str) -> bool:
    return "operations" in module.split(".")


def _writes(own: Definition) -> bool:
    """Return whether a definition stores something by itself, as far as its words tell."""
    is_by_manager = "objects" in own.attributes and bool(own.attributes & OF_MANAGERS)
    return "transaction.atomic" in own.names or bool(own.attributes & WRITES) or is_by_manager
