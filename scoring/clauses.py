"""Clauses of the rulebooks, held against the code and its tests: which function does it, which test proves it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from scoring.problems import gettext_noop
from scoring.words import translate


@dataclass(frozen=True)
class Clause:
    """One clause as it is cited, for example `SBR 2.8.2`, and what it is about in a few words."""

    tag: str
    title: str


class Citation(NamedTuple):
    """Where a clause is cited: the file, and the function, class or constant whose docstring does it."""

    path: str
    name: str

    @property
    def is_test(self) -> bool:
        """Tell whether a test cites the clause."""
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
    """Give every function, class and documented constant of a module with its docstring."""
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
    """Give the text of a statement that is nothing but one."""
    is_text = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
    return str(part.value.value) if is_text else ""  # type: ignore[attr-defined]


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


SYSTEMS: dict[str, str] = {
    "SBR": "sichuan",
    "WMSG": "sichuan",
    "MCR": "mcr",
    "SIAM": "siamese",
    "RED": "red",
    "RIICHI": "riichi",
}
"""Which package of rulesets plays each system."""


def listed(system: str = "") -> tuple[Clause, ...]:
    """List the clauses that touch points: of one system by its code, or of all and of the event itself."""
    if system:
        module = import_module(f"scoring.rulesets.{SYSTEMS[system]}.clauses")
        return tuple(clause for clause in module.CLAUSES if clause.tag.split()[0] in (system, "RULES"))
    packages = [import_module(f"scoring.rulesets.{name}.clauses") for name in dict.fromkeys(SYSTEMS.values())]
    together = [*EVENT, *(clause for package in packages for clause in package.CLAUSES)]
    return tuple({clause.tag: clause for clause in reversed(together)}.values())[::-1]


_ = gettext_noop
EVENT: tuple[Clause, ...] = (
    Clause("RULES 1.1", _("ruleset and regulation are two things")),
    Clause("RULES 1.5", _("protocols, hand by hand or final points")),
    Clause("RULES 1.6", _("from game points to tournament points")),
    Clause("RULES 1.7", _("ranking criteria and presets")),
    Clause("RULES 1.8", _("ladders, fixed penalties, bounds")),
    Clause("SBR 2.7.5", _("tournament points for the places, ties split")),
    Clause("SBR 2.8.2", _("the ladder of minor offences")),
    Clause("SBR 2.8.4.5", _("lateness")),
    Clause("SBR 2.9.2", _("until when an appeal is filed")),
    Clause("SBR 3.1.4", _("players left over")),
    Clause("RIICHI 5.5", _("penalties taken after the game")),
    Clause("RIICHI 5.7", _("lateness by the minute")),
    Clause("RIICHI 5.9", _("a replayed hand does not count as played")),
    Clause("RIICHI reg. 6.2", _("final points on sticks")),
    Clause("RIICHI reg. 6.3", _("average place, points, variance, spread")),
    Clause("RULES 8.1", _("the step reached is the total, or each offence costs its own")),
    Clause("RULES 8.2", _("lateness at exactly ten and fifteen minutes")),
    Clause("RULES 8.3", _("ties split in every system")),
    Clause("RULES 8.4", _("tied places averaged")),
    Clause("RULES 8.5", _("every begun minute counts")),
    Clause("RULES 8.6", _("a substitute has no standing")),
    Clause("RULES 8.7", _("who was removed is not ranked")),
    Clause("RULES 8.30", _("sessions by their own regulation, ranking by the tournament's")),
    Clause("RULES 8.31", _("game points are net; points add the start")),
    Clause("RULES 8.32", _("fixed and awarded results")),
    Clause("RULES 8.33", _("three play, or fewer")),
    Clause("RULES 8.34", _("two absent, seats of nobody")),
    Clause("RULES 8.35", _("replaced within a session")),
    Clause("RULES 8.36", _("penalties before or after the places")),
    Clause("RULES 8.37", _("lateness and appeals by system")),
    Clause("RULES 8.38", _("one ladder for each of MCR's offences; the last step; revoked ones")),
    Clause("RULES 8.39", _("points paid to others; TP penalties")),
    Clause("RULES 8.42", _("bets left over; spread and variance")),
    Clause("RULES 8.43", _("shared first places, head-to-head, opponents, groups")),
    Clause("RULES 9.2", _("points for the whole tournament")),
    Clause("RULES 9.4", _("members without a value in a group")),
    Clause("RULES 9.7", _("stages: what is carried over, who plays on")),
)
"""What the rulebooks and decisions say about a session's and an event's points, for all systems together."""
