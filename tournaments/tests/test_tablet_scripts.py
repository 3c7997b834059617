"""The tablet's own logic, tested in its own language where Node is at hand."""

import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
HERE = Path(__file__).resolve().parent
SCRIPTS = HERE.parents[1] / "static" / "js" / "tablet"

pytestmark = pytest.mark.skipif(NODE is None, reason="no Node was found on this machine")


@pytest.mark.parametrize("suite", sorted(path.name for path in (HERE / "scripts").glob("*.test.js")))
def test_the_scripts_keep_their_promises(suite, tmp_path):
    shutil.copytree(SCRIPTS, tmp_path, dirs_exist_ok=True)
    shutil.copy(HERE / "scripts" / suite, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    done = subprocess.run(
        [NODE, "--test", str(tmp_path / suite)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout
