"""How many small faults the tests let pass: a seeded sample of mutants, each survivor named.

    python bench/mutation.py tournaments --count 150      a sample of one area; the areas are below
    python bench/mutation.py --gate                       the stored sample of bench/mutation_gate.json, in half a minute
    python bench/mutation.py --store tournaments …        put faults that were killed into that sample

Works in a copy, never in the tree. What a fault can be is told in bench/mutants: python.py, templates.py, scripts.py. A fault is held
against the tests that run its line, those first that run little else (the map of them is built once and kept); what passes them all is
alive. Faults that change nothing are named in bench/mutation_accepted.txt, with the reason, and counted apart.
"""

import argparse
import ast
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.mutants import python, scripts, templates
from bench.mutants.coverage_map import CoverageMap, build, paths
from bench.mutants.python import Mutant

ROOT = Path(__file__).resolve().parents[1]
AREAS = ("tournaments", "penalties", "seating", "config", "scoring", "templates", "scripts")
# The smoke test, the demo and the style guide are tools of ours: what they do is seen when they are used.
TOOLS = {"tests", "migrations", "smoke", "demo", "styleguide", "management"}
ACCEPTED = ROOT / "bench/mutation_accepted.txt"
GATE = ROOT / "bench/mutation_gate.json"
FEW, MANY = 40, 300
LEAST_OF_GATE = 20
FLOOR = 0.95
PATIENCE = 900
MOST_CPU = 60
MOST_OF_A_SCRIPT = 20


def everything(home: Path, area: str) -> list[Mutant]:
    """List every fault of an area."""
    if area == "templates":
        return [
            one for path in sorted((home / area).rglob("*.html")) for one in templates.mutants(path, home)
        ]
    if area == "scripts":
        return [
            one
            for path in sorted((home / "static/js/tablet").glob("*.js"))
            for one in scripts.mutants(path, home)
        ]
    files = [path for path in sorted((home / area).rglob("*.py")) if path.name not in python.LEFT_OUT]
    return [one for path in files if not TOOLS & set(path.parts) for one in python.mutants(path, home)]


def copied(target: Path) -> Path:
    """Copy what is in the tree, without what lies beside it."""
    names = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in names.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    command = [sys.executable, "manage.py", "messages", "compile"]
    subprocess.run(command, cwd=target, env={**os.environ, **paths(target)}, capture_output=True, check=True)
    return target


# Trying


def tried(home: Path, jobs: list[tuple[Mutant, list[str]]], folder: Path) -> list[str]:
    """Try faults of Python and templates; return a verdict for each."""
    plan, answers = folder / "plan.json", folder / "answers.jsonl"
    plan.write_text(json.dumps([{"mutant": asdict(mutant), "tests": tests} for mutant, tests in jobs]))
    files = sorted({name.partition("::")[0] for _, tests in jobs for name in tests})
    answers.write_text("")
    if files:
        options = [
            "-p",
            "bench.mutants.runner",
            f"--mutants={plan}",
            f"--answers={answers}",
            "--shuffle=0",
            "--hypothesis-seed=1",
        ]
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *options,
            *files,
        ]
        done = subprocess.run(
            command, cwd=home, env={**os.environ, **paths(home)}, capture_output=True, text=True, check=False
        )
        if done.returncode not in (0, 1):
            sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
    found = [json.loads(line)["verdict"] for line in answers.read_text().splitlines()]
    found += ["no tests"] * (len(jobs) - len(found))
    return [
        alone(home, mutant, tests) if verdict == "at import" else verdict
        for (mutant, tests), verdict in zip(jobs, found, strict=True)
    ]


def alone(home: Path, mutant: Mutant, tests: list[str]) -> str:
    """Try a fault that is seen when its file is imported, in a process of its own."""
    fault = ast.unparse(python.planted(mutant, home))
    is_web = mutant.kind == "decorator left out" or Path(mutant.path).name in {"urls.py", "access.py"}
    chosen = list(dict.fromkeys([*spread(tests), *(["config/tests/test_access.py"] if is_web else [])]))
    if not chosen:
        return "no tests"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--shuffle=0",
        *chosen,
    ]
    return with_fault(home, mutant, fault, lambda: passes(command, home, paths(home)))


def spread(tests: list[str], many: int = 60, of_a_file: int = 6) -> list[str]:
    """Choose tests of many files."""
    files: dict[str, list[str]] = {}
    for name in tests:
        files.setdefault(name.partition("::")[0], []).append(name)
    return [name for names in files.values() for name in names[:of_a_file]][:many]


def scripts_tried(home: Path, sample: list[Mutant]) -> dict[Mutant, str]:
    """Try faults of scripts, several at a time: each has the scripts in a folder of its own."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        found = {}
        for one, verdict in zip(sample, pool.map(lambda one: script_tried(home, one), sample), strict=True):
            found[one] = verdict
            print(verdict[0], end="", flush=True, file=sys.stderr)
        return found


def script_tried(home: Path, mutant: Mutant) -> str:
    """Try a fault of a script against the suites that load it, those of its own name first."""
    suites = [path for path in suites_of(home) if (home / mutant.path) in reached(path, home)]
    suites.sort(key=lambda path: path.name.partition(".")[0] != Path(mutant.path).stem)
    with tempfile.TemporaryDirectory() as name:
        copy = Path(shutil.copytree(home / "static/js", Path(name) / "js"))
        fault = scripts.planted(mutant, home)
        (copy / Path(mutant.path).relative_to("static/js")).write_text(fault, encoding="utf-8")
        environment = {"VECTORS": str(home / "var/vectors.json"), "SCRIPTS": str(copy)}
        command = ["node", "--experimental-vm-modules", "--no-warnings"]
        is_alive = all(
            passes([*command, str(suite)], home, environment, MOST_OF_A_SCRIPT) for suite in suites
        )
    return "alive" if is_alive and suites else "killed" if suites else "no tests"


def suites_of(home: Path) -> list[Path]:
    """List the suites of the tablet's scripts."""
    return sorted((home / "tournaments/tests/scripts").glob("*.test.mjs"))


@cache
def reached(path: Path, home: Path) -> set[Path]:
    """Return the scripts that a suite or a script loads, whatever way it takes."""
    text = path.read_text(encoding="utf-8")
    loaded = {home / "static/js" / name for name in re.findall(r'load\("([^"]+)"\)', text)}
    imported = {(path.parent / name).resolve() for name in re.findall(r'from "(\./[^"]+)"', text)}
    direct = {one for one in loaded | imported if one.exists() and one != path}
    return direct.union(*(reached(one, home) for one in direct if one.name != "device.mjs"))


def with_fault(home: Path, mutant: Mutant, fault: str, run: Callable[[], bool]) -> str:
    """Plant a fault in the copy, ask whether the tests pass, and take it out again."""
    path = home / mutant.path
    before = path.read_text(encoding="utf-8")
    path.write_text(fault, encoding="utf-8")
    try:
        return "alive" if run() else "killed"
    finally:
        path.write_text(before, encoding="utf-8")


def passes(command: list[str], home: Path, environment: dict[str, str], most: int = MOST_CPU) -> bool:
    """Whether a run of tests ends well, and ends: by what it takes of a core, for on a busy machine time says little."""
    try:
        done = subprocess.run(
            command,
            cwd=home,
            env={**os.environ, **environment},
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def verdicts(home: Path, sample: list[Mutant], seen_by: CoverageMap | None) -> dict[Mutant, str]:
    """Try a sample: against few tests first, and against many what those let pass."""
    found = scripts_tried(home, [one for one in sample if one.path.endswith(".js")])
    rest = [one for one in sample if one not in found]
    with tempfile.TemporaryDirectory() as name:
        for first, last in ((0, FEW), (FEW, FEW + MANY)):
            jobs = [(one, seen_by.tests(one)[first:last]) for one in rest] if seen_by else []
            jobs = [job for job in jobs if job[1] or not first]
            found |= dict(zip([one for one, _ in jobs], tried(home, jobs, Path(name)), strict=True))
            rest = [one for one in rest if found[one] == "alive"]
    return found


# Telling


def accepted() -> dict[str, str]:
    """Read the faults that change nothing, with the reasons."""
    lines = ACCEPTED.read_text(encoding="utf-8").splitlines() if ACCEPTED.exists() else []
    rows = [line.split(" — ", 1) for line in lines if " — " in line and not line.startswith("#")]
    return {name.strip(): reason for name, reason in rows}


def report(area: str, possible: int, found: dict[Mutant, str]) -> float:
    """Print the survivors and the rate; return the rate."""
    known = accepted()
    alive = [one for one, verdict in found.items() if verdict in {"alive", "no tests"}]
    for one in sorted(alive, key=lambda one: (one.path, one.line)):
        reason = f" (accepted: {known[one.name]})" if one.name in known else ""
        word = "seen by no test" if found[one] == "no tests" else "alive"
        print(f"{word}: {one.path}:{one.line} {one.name.split(' · ', 1)[1]}{reason}", flush=True)
    open_ones = [one for one in alive if one.name not in known]
    rate = len(open_ones) / max(1, len(found))
    print(
        f"{area}: {possible} possible, {len(found)} tried, {len(alive)} alive, {len(alive) - len(open_ones)} of them"
        f" accepted: {rate:.1%}",
        flush=True,
    )
    return rate


# The gate


def gate(home: Path) -> None:
    """Try the stored sample; fail when a fault that was caught is caught no more."""
    rows = json.loads(GATE.read_text(encoding="utf-8"))
    known = {one.name: one for area in AREAS for one in everything(home, area)}
    there = [(known[row["name"]], row["tests"]) for row in rows if row["name"] in known]
    found = scripts_tried(home, [one for one, _ in there if one.path.endswith(".js")])
    with tempfile.TemporaryDirectory() as name:
        jobs = [job for job in there if job[0] not in found]
        found |= dict(zip([one for one, _ in jobs], tried(home, jobs, Path(name)), strict=True))
    missed = [one for one, verdict in found.items() if verdict != "killed"]
    for one in missed:
        print(f"{found[one]}: {one.name}")
    print(f"{len(rows)} stored, {len(found)} still there, {len(found) - len(missed)} caught")
    if len(found) < LEAST_OF_GATE:
        sys.exit("Too few of the stored faults are still there: store others with --store.")
    if len(missed) > (1 - FLOOR) * len(found):
        sys.exit("Faults that were caught are caught no more.")


def store(found: dict[Mutant, str], seen_by: CoverageMap) -> None:
    """Put faults that were killed into the stored sample, with the tests that could see them."""
    rows = json.loads(GATE.read_text(encoding="utf-8")) if GATE.exists() else []
    known = {row["name"] for row in rows}
    for one, verdict in found.items():
        if verdict == "killed" and one.name not in known:
            tests = [] if one.path.endswith(".js") else seen_by.tests(one)[:FEW]
            rows.append({"name": one.name, "tests": tests})
    GATE.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Read what is asked, and do it."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("areas", nargs="*", metavar="area", help=", ".join(AREAS))
    options.add_argument("--count", type=int, default=100, help="how many of each area")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "--tests", nargs="+", default=[], help="where tests are looked for, instead of everywhere"
    )
    options.add_argument("--gate", action="store_true")
    options.add_argument("--store", action="store_true")
    options.add_argument("--copy", type=Path, help="where the copy and its map lie, to be used again")
    chosen = options.parse_args()
    if unknown := set(chosen.areas) - set(AREAS):
        options.error(f"unknown: {', '.join(sorted(unknown))}; the areas are {', '.join(AREAS)}")
    with tempfile.TemporaryDirectory(prefix="four-winds-mutants-") as made:
        home = chosen.copy or Path(made)
        if not (home / "manage.py").exists():
            copied(home)
        prepare_vectors(home)
        if chosen.gate:
            return gate(home)
        sampled(home, chosen)
    return None


def prepare_vectors(home: Path) -> None:
    """Write the games against which the tablet's arithmetic is held."""
    target = home / "var/vectors.json"
    if target.exists():
        return
    target.parent.mkdir(exist_ok=True)
    code = f"from pathlib import Path; from tournaments.tests.arithmetic_vectors import written_to; written_to(Path({str(target)!r}))"
    subprocess.run([sys.executable, "-c", code], cwd=home, env={**os.environ, **paths(home)}, check=True)


def sampled(home: Path, chosen: argparse.Namespace) -> None:
    """Draw the samples, try them, and tell what came of each."""
    seen_by = None
    if any(area != "scripts" for area in chosen.areas):
        folder = home / "var/map"
        if not (folder / "coverage").exists():
            print("The map of tests is built; this takes some minutes.", flush=True)
            build(home, folder, chosen.tests)
        seen_by = CoverageMap(home, folder)
    for area in chosen.areas:
        possible = everything(home, area)
        sample = random.Random(chosen.seed).sample(possible, min(chosen.count, len(possible)))
        begun = time.monotonic()
        found = verdicts(home, sample, seen_by)
        report(area, len(possible), found)
        print(f"    seed {chosen.seed}, {time.monotonic() - begun:.0f} s", flush=True)
        if chosen.store and (seen_by or area == "scripts"):
            store(found, seen_by)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
