"""Clauses of the rulebooks, held against the code and its tests: which function does it, which test proves it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scoring.clauses import EVENT, Clause
from scoring.problems import gettext_noop
from scoring.systems import SYSTEMS
from scoring.words import translate


class Citation(NamedTuple):
    """Where a clause is cited: the file, and the function, class or constant whose docstring does it."""

    path: str
    name: str

    @property
    def is_test(self) -> bool:
        """Return whether a test cites the clause."""
        return self.name.rpartition(".")[2].startswith("test_")


class Row(NamedTuple):
    """A clause with the functions that do what it says and the tests that prove it."""

    clause: Clause
    functions: tuple[Citation, ...]
    tests: tuple[Citation, ...]


TAG = re.compile(r"\[([A-Z][A-Z0-9]+(?: [^\]\[]+)?)\]")


def citations(root: Path, packages: Iterable[str]) -> dict[str, list[Citation]]:
    """Find every clause cited by a docstring in these packages, in the order of files and lines."""
    found: dict[str, list[Citation]] = defaultdict(list)
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            place = path.relative_to(root).as_posix()
            for name, docstring in docstrings(ast.parse(path.read_text(encoding="utf-8"))):
                for tag in dict.fromkeys(TAG.findall(docstring)):
                    found[tag].append(Citation(place, name))
    return found


def docstrings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield every function, class and documented constant of a module with its docstring."""
    yield from _within(tree, "")


def _within(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, str]]:
    before: ast.stmt | None = None
    for part in node.body:
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if docstring := ast.get_docstring(part):
                yield prefix + part.name, docstring
            if isinstance(part, ast.ClassDef):
                yield from _within(part, f"{prefix}{part.name}.")
        elif (told := _text(part)) and (name := _assigned(before)):
            yield prefix + name, told
        before = part


def _text(part: ast.stmt) -> str:
    """Return the text of a statement that is nothing but one."""
    if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
        return str(part.value.value)
    return ""


def _assigned(part: ast.stmt | None) -> str:
    """Name the constant that a statement gives a value."""
    target = None
    if isinstance(part, ast.Assign):
        target = part.targets[0]
    elif isinstance(part, ast.AnnAssign):
        target = part.target
    return target.id if isinstance(target, ast.Name) else ""


def rows(clauses: Iterable[Clause], cited: dict[str, list[Citation]]) -> tuple[Row, ...]:
    """Put functions and tests beside each clause."""
    return tuple(
        Row(
            clause,
            tuple(one for one in cited.get(clause.tag, ()) if not one.is_test and "/tests/" not in one.path),
            tuple(one for one in cited.get(clause.tag, ()) if one.is_test),
        )
        for clause in clauses
    )


def lacking(table: Sequence[Row]) -> tuple[Row, ...]:
    """List the clauses without a function or without a test."""
    return tuple(row for row in table if not row.functions or not row.tests)


def report(table: Sequence[Row], language: str = "en") -> list[str]:
    """Write the table of clauses for people, those that lack something named again at the end."""
    lines = []
    for row in table:
        lines.append(f"[{row.clause.tag}] {translate(row.clause.title, language)}")
        lines += [f"    {one.path}  {one.name}" for one in row.functions]
        lines += [f"    {translate(TEST, language)} {one.path}  {one.name}" for one in row.tests]
    without = lacking(table)
    counts = {"count": len(table), "lacking": len(without)}
    lines += ["", translate(SUMMARY, language) % counts]
    for row in without:
        missing = NO_FUNCTION if not row.functions else NO_TEST
        lines.append(f"[{row.clause.tag}] {translate(missing, language)}")
    return lines


TEST = gettext_noop("test:")
SUMMARY = gettext_noop("Clauses: %(count)s; without a function or a test: %(lacking)s.")
NO_FUNCTION = gettext_noop("no function cites it")
NO_TEST = gettext_noop("no test cites it")


def listed(system: str = "") -> tuple[Clause, ...]:
    """List the clauses that touch points: of one system by its code, or of all and of the event itself."""
    if system:
        return tuple(one for one in SYSTEMS[system].clauses if one.tag.split()[0] in (system, "RULES"))
    together = [*EVENT, *(clause for one in SYSTEMS.values() for clause in one.clauses)]
    return tuple({clause.tag: clause for clause in reversed(together)}.values())[::-1]
