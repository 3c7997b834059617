"""Build `scoring` as a package, install it alone and let it work: `python -m config.tools.wheel`.

It is built from a copy of its folder by whatever pip is set up to fetch, and installed into an empty environment without
an index: whatever it needs beside Python would be missing there.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "HANDS.md"
ANSWERS = {"en": "The discarder pays 2,900.", "ru": "Платит снёсший: 2900."}
"""What its example of a hand is answered with."""


def examples() -> tuple[list[str], dict[str, object]]:
    """Return the two examples of docs/HANDS.md: the words after `python -m scoring`, and the case as JSON."""
    text = EXAMPLES.read_text(encoding="utf-8")
    hand = re.search(r"^\$ python -m scoring (.*) --lang ru$", text, re.MULTILINE)
    case = re.search(r"^\$ echo '(\{.*?\})' \\$", text, re.MULTILINE | re.DOTALL)
    if hand is None or case is None:
        raise LookupError("docs/HANDS.md has no example of a hand, or none of a case.")
    return shlex.split(hand[1]), json.loads(case[1])


def build(folder: Path) -> Path:
    """Build the wheel in a folder, from a copy, so that the tree stays as it is."""
    shutil.copytree(
        ROOT / "scoring", folder / "scoring", ignore=shutil.ignore_patterns("__pycache__", "tests")
    )
    _run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(folder / "scoring"))
    (wheel,) = folder.glob("*.whl")
    return wheel


def faults_in(wheel: Path) -> list[str]:
    """Find what the wheel holds too much or too little of."""
    with ZipFile(wheel) as packed:
        held = {name for name in packed.namelist() if name.startswith("scoring/")}
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "scoring").rglob("*")
        if path.suffix in {".py", ".po", ".json"} and not {"tests", "__pycache__"} & set(path.parts)
    }
    return [f"missing: {name}" for name in sorted(wanted - held)] + [
        f"too much: {name}" for name in sorted(held - wanted)
    ]


def try_alone(wheel: Path, folder: Path) -> list[str]:
    """Install the wheel into an empty environment and ask it something in each language, and by JSON."""
    venv.create(folder / "alone", with_pip=True)
    python = str(folder / "alone" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
    _run(python, "-m", "pip", "install", "-q", "--no-index", str(wheel))
    hand, case = examples()
    faults = []
    for language, answer in ANSWERS.items():
        said = _run(python, "-m", "scoring", *hand, "--lang", language, cwd=folder / "alone")
        if answer not in said:
            faults.append(f"{language}: {said}")
    told = _run(python, "-m", "scoring", "evaluate", cwd=folder / "alone", given=json.dumps(case) + "\n")
    if json.loads(told).get("id") != case["id"] or "problems" in json.loads(told):
        faults.append(f"evaluate: {told}")
    listed = json.loads(_run(python, "-m", "pip", "list", "--format", "json"))
    beside = {one["name"] for one in listed} - {"pip", "setuptools", "four-winds-scoring"}
    return [*faults, *(f"installed beside it: {name}" for name in sorted(beside))]


def _run(*command: str, cwd: Path | None = None, given: str | None = None) -> str:
    done = subprocess.run(  # noqa: S603  (our own commands)
        command, cwd=cwd, input=given, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> int:
    """Build, look inside, install, ask; 0 if all of it is right."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder)
        faults = faults_in(wheel) + try_alone(wheel, folder)
        sys.stdout.write(("\n".join(faults) or f"{wheel.name} works by itself.") + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
