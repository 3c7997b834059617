"""Which files and modules the project's texts name, and which of them do not exist."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("bench", "config", "penalties", "scoring", "seating", "tournaments")
TEXTS = {"", ".md", ".py", ".js", ".mjs", ".css", ".html", ".toml", ".yml", ".sh", ".txt", ".example"}
MADE_UP = (
    "config/tests/addresses.txt",
    "config/tests/data/",
    "config/tests/vendor/",
    "scoring/tests/vectors/",
    "static/vendor/",
    "config/tests/observatory.py",
)
"""What others wrote, and lists that tests of their own hold against the code."""
BASES = ("", "static/", "static/js/", "templates/")
"""From where a path may be told beside the folders of the file that names it."""
FIELDS = ("penalties.ladders", "penalties.decision")
"""Fields of a regulation that begin like a package."""
FORMER = {"docs/UPGRADING.md": ("config.healthcheck", "config.sqlite")}
"""What is named because it is no more."""
HOSTS = re.compile(r"\.(?:org|com|net|test)$")
NOT_A_MODULE = re.compile(r"\.(?:py|md|html|css|js)$")

PATH = re.compile(
    r"(?<![\w./*<>{}$@%~-])"
    r"((?:\.\.?/)*(?:[\w-]+/)*[\w-]+(?:\.[\w-]+)*\.(?:py|html|js|mjs|css|md|toml|yml|sh|lock|txt))"
    r"(?![\w/*<{-])"
)
DOTTED = re.compile(rf"(?<![\w./@%-])((?:{'|'.join(PACKAGES)})(?:\.[A-Za-z_]\w*)+)(?![\w/(-])")
MEMBER = re.compile(r"`((?:[\w-]+/)+[\w-]+\.py): (\w+)`")


class Named(NamedTuple):
    """What a file names, and where it does."""

    where: str
    name: str

    def __str__(self) -> str:
        """Return both, as a test that fails shows them."""
        return f"{self.where}: {self.name}"


def tracked(root: Path) -> list[str]:
    """Return the project's own texts, by their paths from its root."""
    folders = (
        ".ci",
        "bench",
        "config",
        "deploy",
        "docs",
        "penalties",
        "scoring",
        "seating",
        "static",
        "templates",
        "tournaments",
    )
    found = [path for path in root.iterdir() if path.is_file()]
    found += [path for folder in folders for path in (root / folder).rglob("*") if path.is_file()]
    names = sorted(path.relative_to(root).as_posix() for path in found if path.suffix in TEXTS)
    return [name for name in names if "__pycache__" not in name and not name.startswith((*MADE_UP, ".git"))]


def passages(name: str, text: str, *, with_strings: bool = False) -> Iterator[tuple[int, str]]:
    """Go through the lines that may name a file: all of them, but for code in Python, where words stand in strings.

    Tests make up trees of files in their strings, so only their docstrings and comments are read unless all is wanted.
    """
    lines = text.splitlines()
    if not name.endswith(".py"):
        yield from enumerate(lines, start=1)
        return
    for number, line in enumerate(lines, start=1):
        before, mark, comment = line.partition("# ")
        if mark and before.count('"') % 2 == 0:
            yield number, comment
    tree = ast.parse(text)
    wanted = docstrings(tree) if "/tests/" in name and not with_strings else strings(tree)
    for node in wanted:
        for offset, line in enumerate(str(node.value).splitlines()):
            yield node.lineno + offset, line


def strings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Go through every string of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Go through the strings of a module that stand alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from strings(node.value)


def lost_paths(root: Path, name: str, text: str) -> Iterator[Named]:
    """Find the paths with a folder that lead nowhere, from the root or from a folder above the file that names them."""
    folders = [root / parent for parent in Path(name).parents]
    for number, line in passages(name, text):
        for path in PATH.findall(line):
            is_template = name.startswith("templates/") and path.endswith(".html")
            if "/" not in path or is_template or _is_made(path):
                continue
            bases = [*folders, *(root / base for base in BASES)]
            if not any((base / path).exists() for base in bases):
                yield Named(f"{name}:{number}", path)


def _is_made(path: str) -> bool:
    """Whether the file is made while the site runs or is a part of an address."""
    return path.startswith(("secrets/", "backups/", "var/", "srv/"))


def lost_names(root: Path, name: str, text: str, known: Iterable[str]) -> Iterator[Named]:
    """Find file names of a document in backticks, bare or after “…/”, that no folder holds."""
    known = list(known)
    names = {Path(path).name for path in known}
    for number, line in enumerate(text.splitlines(), start=1):
        for quoted in re.findall(r"`([\w-]+(?:\.test)?\.(?:py|js|mjs|css|html))`", line):
            if quoted not in names:
                yield Named(f"{name}:{number}", quoted)
        for ending in re.findall(r"`…/([\w./-]+\.\w+)", line):
            if not any(path.endswith(f"/{ending}") for path in known):
                yield Named(f"{name}:{number}", ending)


def lost_members(root: Path, name: str, text: str) -> Iterator[Named]:
    """Find functions and classes, told as `path.py: name`, that their module does not define."""
    for number, line in enumerate(text.splitlines(), start=1):
        for path, member in MEMBER.findall(line):
            if (root / path).exists() and member not in defined(root / path):
                yield Named(f"{name}:{number}", f"{path}: {member}")


def lost_modules(root: Path, name: str, text: str) -> Iterator[Named]:
    """Find dotted names that lead to no module, and to nothing that the module before them defines."""
    makes_up = name.endswith(("test_boundaries.py", "test_reachability.py", "named_things.py"))
    for number, line in passages(name, text, with_strings=not makes_up):
        for dotted in DOTTED.findall(line):
            if (
                is_model(root, dotted)
                or dotted in (*FIELDS, *FORMER.get(name, ()))
                or HOSTS.search(dotted)
                or NOT_A_MODULE.search(dotted)
            ):
                continue
            if not is_there(root, dotted):
                yield Named(f"{name}:{number}", dotted)


def is_model(root: Path, dotted: str) -> bool:
    """Return whether Django knows a model by this name, such as `tournaments.Player`."""
    package, _, name = dotted.partition(".")
    return re.split(r"[._]", name)[0].lower() in models(root / package)


@cache
def models(package: Path) -> frozenset[str]:
    """Return the names of the classes in the models of a package, in small letters."""
    sources = [package / "models.py", *(package / "models").glob("*.py")]
    trees = [ast.parse(source.read_text(encoding="utf-8")) for source in sources if source.exists()]
    return frozenset(
        node.name.lower() for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)
    )


def is_there(root: Path, dotted: str) -> bool:
    """Return whether a dotted name leads to a module or to something that one defines."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        place = root.joinpath(*parts[:end])
        source = place.with_suffix(".py") if place.with_suffix(".py").exists() else place / "__init__.py"
        if end == len(parts) and (source.exists() or place.is_dir()):
            return True
        if source.exists():
            return parts[end] in defined(source)
    return False


@cache
def defined(source: Path) -> frozenset[str]:
    """Return the names that a module defines or imports, those of its classes too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Name(ctx=ast.Store()):
                found.add(node.id)
            case ast.ImportFrom() | ast.Import():
                found |= {alias.asname or alias.name for alias in node.names}
    return frozenset(found)
