"""Which tests run a line or show a template: built once for a copy of the tree, and asked for every fault."""

import ast
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from bench.mutants.python import Mutant

CONFIG = """[run]
source = tournaments,penalties,seating,config,scoring
omit = */tests/*,*/migrations/*
data_file = {folder}/coverage
"""
MARKERS = "not browser and not node and not postgres and not redis"


def build(home: Path, folder: Path, tests: list[str]) -> None:
    """Run every test that needs no browser once, or those of some folders, and note what it runs; takes minutes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config").write_text(CONFIG.format(folder=folder))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "bench.mutants.rendered",
        "-m",
        MARKERS,
    ]
    command += ["-n", str(os.cpu_count() or 1), "--shuffle=0", "--cov", f"--cov-config={folder}/config"]
    command += ["--cov-context=test", "--cov-report=", *tests]
    environment = {**os.environ, "MUTANTS_RENDERED": str(folder / "rendered"), **paths(home)}
    with (folder / "log").open("w") as log:
        subprocess.run(command, cwd=home, env=environment, stdout=log, stderr=log, check=False)


def paths(home: Path) -> dict[str, str]:
    """Return what a process needs to find the copied tree and folders of its own."""
    return {
        "PYTHONPATH": str(home),
        "FOUR_WINDS_VAR": str(home / "var"),
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


class CoverageMap:
    """The map as built."""

    def __init__(self, home: Path, folder: Path) -> None:
        """Read it; of two tests the one that runs fewer lines says more about each of them."""
        from coverage import CoverageData

        self.home = home
        self.data = CoverageData(str(folder / "coverage"))
        self.data.read()
        # A test that fails without a fault would catch everything.
        self.failed: set[str] = set()
        self.templates: dict[str, set[str]] = defaultdict(set)
        for part in (folder / "rendered").glob("*.json"):
            noted = json.loads(part.read_text())
            self.failed.update(noted["failed"])
            for name, tests in noted["seen"].items():
                self.templates[name].update(tests)
        self.size: Counter[str] = Counter()
        for path in self.data.measured_files():
            for tests in self.lines(path).values():
                self.size.update(tests)

    @cache  # noqa: B019
    def lines(self, path: str) -> dict[int, set[str]]:
        """Return the tests that run each line of a file; what runs when it is imported is no test's."""
        return {
            line: {name.partition("|")[0] for name in names if name}
            for line, names in self.data.contexts_by_lineno(path).items()
        }

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests that could see a fault, those first that say most about its line."""
        if mutant.path.endswith(".html"):
            found = self.templates.get(mutant.path.removeprefix("templates/"), set())
        else:
            found = self._of_code(mutant)
        return sorted(found - self.failed - {""}, key=lambda name: (self.size[name], name))

    def _of_code(self, mutant: Mutant) -> set[str]:
        lines = self.lines(str(self.home / mutant.path))
        begin, end = self._function(mutant)
        around = set().union(*(lines.get(line, set()) for line in range(begin, end + 1)))
        found = lines.get(mutant.line) or around or set().union(*lines.values())
        return found or self._named_for(Path(mutant.path).stem)

    def _named_for(self, stem: str) -> set[str]:
        """Return the tests in files named for a module: what runs only when it is imported is no test's."""
        return {name for name in self.size if f"/test_{stem}." in name or f"/test_{stem}_" in name}

    def _function(self, mutant: Mutant) -> tuple[int, int]:
        tree = ast.parse((self.home / mutant.path).read_text(encoding="utf-8"))
        found = [
            (node.lineno, node.end_lineno or node.lineno)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            and node.lineno <= mutant.line <= (node.end_lineno or node.lineno)
        ]
        return max(found, default=(mutant.line, mutant.line))
