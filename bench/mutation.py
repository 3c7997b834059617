"""How many small faults in `scoring` its tests would let pass: a seeded sample of mutants, each survivor named.

    python bench/mutation.py [--count 200] [--seed 1] [--only scoring/rulesets/red]

Works in a copy, never in the tree. A mutant is one changed comparison, number, sign, truth value, connective or condition. It is first
held against the tests of its own part; if they all pass, against every test of the package. What still passes is alive.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
PARTS = ("sichuan", "mcr", "siamese", "red", "riichi")
TOO_LONG = 600  # seconds; a loop without an end is found by then even on a busy machine
LEFT_OUT = {"clauses.py", "__init__.py", "words.py"}


@dataclass(frozen=True)
class Place:
    """Where a mutant differs: the file, which node of its tree, and what was done to it."""

    path: str
    node: int
    line: int
    what: str


def changed(node: ast.AST) -> tuple[ast.AST, str] | None:
    """Give a node with one small fault, and its name; None where there is nothing to change."""
    fresh = copy.deepcopy(node)
    if isinstance(fresh, ast.Compare) and type(fresh.ops[0]) in SWAPS:
        fresh.ops[0] = SWAPS[type(fresh.ops[0])]()  # type: ignore[call-overload]
        return fresh, "comparison"
    if isinstance(fresh, ast.BinOp) and type(fresh.op) in SWAPS and not _is_text(fresh):
        fresh.op = SWAPS[type(fresh.op)]()  # type: ignore[assignment]
        return fresh, "arithmetic"
    if isinstance(fresh, ast.BoolOp):
        fresh.op = SWAPS[type(fresh.op)]()  # type: ignore[assignment]
        return fresh, "connective"
    if isinstance(fresh, ast.Constant) and isinstance(fresh.value, bool):
        fresh.value = not fresh.value
        return fresh, "truth value"
    if isinstance(fresh, ast.Constant) and isinstance(fresh.value, int):
        fresh.value += 1
        return fresh, "number"
    if isinstance(fresh, ast.UnaryOp) and isinstance(fresh.op, ast.Not):
        return fresh.operand, "not"
    if isinstance(fresh, ast.IfExp | ast.If):
        fresh.test = ast.UnaryOp(ast.Not(), fresh.test)
        return fresh, "condition"
    return None


def _is_text(node: ast.BinOp) -> bool:
    """A % or + on a text is wording, not arithmetic."""
    return any(isinstance(part, ast.Constant | ast.JoinedStr) and not isinstance(getattr(part, "value", 0), int)
               for part in (node.left, node.right))  # fmt: skip


def places(path: Path, home: Path) -> Iterator[Place]:
    """List every mutant of a file; types and docstrings are left alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hints = {id(part) for node in ast.walk(tree) for hint in _hints(node) for part in ast.walk(hint)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in hints and (found := changed(node)):
            yield Place(str(path.relative_to(home)), number, getattr(node, "lineno", 0), found[1])


def _hints(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("annotation", "returns"):
        hint = getattr(node, name, None)
        if isinstance(hint, ast.AST):
            yield hint


def mutated(place: Place, home: Path) -> str:
    """Write the file with its fault."""
    tree = ast.parse((home / place.path).read_text(encoding="utf-8"))
    target = list(ast.walk(tree))[place.node]
    fresh, _ = changed(target)  # type: ignore[misc]

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return fresh if node is target else self.generic_visit(node)

    return ast.unparse(ast.fix_missing_locations(Exchange().visit(tree)))


def tests_of(path: str, home: Path) -> list[str]:
    """Name the tests of the part to which a file belongs."""
    folder = home / "scoring" / "tests"
    part = next((part for part in PARTS if f"/{part}/" in path), Path(path).stem)
    found = sorted(folder.glob(f"test_{part}*.py")) + sorted(folder.glob(f"test_{part.rstrip('s')}*.py"))
    return list(dict.fromkeys(str(file) for file in found)) or [str(folder)]


def survives(home: Path, tests: list[str]) -> bool:
    """Say whether all these tests pass."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:django",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    command += [
        "-o",
        "addopts=--import-mode=importlib",
        "--hypothesis-seed=1",
        "--deselect",
        "scoring/tests/oracles",
    ]
    environment = {**os.environ, "HYPOTHESIS_DATABASE_FILE": "/dev/null", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=home, env=environment, capture_output=True, timeout=TOO_LONG)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> None:
    """Draw the sample, run it, and name the survivors."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="scoring")
    options.add_argument("--minutes", type=float, default=0, help="stop after so long; 0 for no limit")
    chosen = options.parse_args()
    home = Path(tempfile.mkdtemp(prefix="four-winds-mutants-"))
    for name in ("scoring", "docs", "pyproject.toml"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, home / name)  # type: ignore[operator]
    files = [
        path
        for path in sorted((home / "scoring").rglob("*.py"))
        if "tests" not in path.parts
        and path.name not in LEFT_OUT
        and str(path.relative_to(home)).startswith(chosen.only)
    ]
    everything = [place for path in files for place in places(path, home)]
    if not survives(home, [str(home / "scoring/tests")]):
        sys.exit("The tests do not pass before anything is changed.")
    sample = random.Random(chosen.seed).sample(everything, min(chosen.count, len(everything)))
    began, alive, done = time.monotonic(), [], 0
    for place in sample:
        target = home / place.path
        before = target.read_text(encoding="utf-8")
        target.write_text(mutated(place, home), encoding="utf-8")
        if survives(home, tests_of(place.path, home)) and survives(home, [str(home / "scoring/tests")]):
            alive.append(place)
            print(f"alive: {place.path}:{place.line} {place.what}", flush=True)
        target.write_text(before, encoding="utf-8")
        done += 1
        if chosen.minutes and time.monotonic() - began > chosen.minutes * 60:
            break
    shutil.rmtree(home, ignore_errors=True)
    print(
        f"{len(everything)} possible mutants, {done} tried, {len(alive)} alive: {len(alive) / max(done, 1):.1%}"
    )


if __name__ == "__main__":
    main()
