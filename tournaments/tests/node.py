"""Running the tablet's scripts outside a browser: Node, started so that it reads them as the browser does."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

SUITES = Path(__file__).resolve().parent / "scripts"
OPTIONS = ["--experimental-vm-modules", "--no-warnings"]


def run_suite(suite: str, **environment: str) -> None:
    """Run one file of tests; fail with what Node says."""
    done = _run([str(SUITES / suite)], environment=environment)
    assert done.returncode == 0, "\n".join(
        line for line in done.stdout.splitlines() if "# Subtest" not in line
    )


def answers(program: str, told: Any) -> Any:
    """Run a program that reads JSON and prints JSON; it stands beside the suites, and may import what they do."""
    done = _run(["--input-type=module", "--eval", program], told=json.dumps(told))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _run(
    arguments: list[str], *, told: str = "", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shutil.which("node") or "node", *OPTIONS, *arguments],
        cwd=SUITES,
        env={**os.environ, **(environment or {})},
        input=told,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
