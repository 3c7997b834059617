"""Which module imports which, read from the source, and the two lines that no import may cross."""

import ast
import sys
from collections.abc import Iterator, Mapping, Set
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
LAYERS = ("urls", "views", "forms", "operations", "queries", "models", "rules")
NOT_CODE = {"migrations", "__pycache__"}


@dataclass(frozen=True)
class Module:
    """A source file by its dotted name, and the dotted names it imports."""

    name: str
    imports: tuple[str, ...]

    @property
    def package(self) -> str:
        """Give the package it belongs to."""
        return self.name.partition(".")[0]

    @property
    def layer(self) -> int | None:
        """Return its place in the second line, in the package or in a room of it; None beside the line and for tests."""
        named = [part for part in self.name.split(".")[1:3] if part in LAYERS]
        return LAYERS.index(named[0]) if named and not self.is_test else None

    @property
    def is_test(self) -> bool:
        """Whether it only tests."""
        return "tests" in self.name.split(".")

    @property
    def is_pure(self) -> bool:
        """Whether it must know nothing but Python and other pure modules."""
        return (self.package == "scoring" or "rules" in self.name.split(".")[1:3]) and not self.is_test


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
        name: Module(name, tuple(sorted(set(imports(tree, name, is_package, trees.keys())))))
        for name, (tree, is_package) in trees.items()
    }


def imports(tree: ast.AST, name: str, is_package: bool, known: Set[str]) -> Iterator[str]:
    """Go through the modules that a module imports, wherever in it that is written."""
    for node in ast.walk(tree):
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
    return [*wrong_packages(known), *impure(known), *turned_back(known)]


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
