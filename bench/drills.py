"""Twenty restore drills in a row, and ten kinds of damage: `.venv/bin/python bench/drills.py [--drills 20]`.

Each drill makes a backup of a demo site that has moved since the last one, and proves it beside the site. Then copies of the last
backup are damaged, each in another way, and every one of them must be refused.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
MANIFEST = "manifest.json"


def members(path: Path) -> dict[str, bytes]:
    """Read what an archive holds."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(path: Path, parts: dict[str, bytes]) -> None:
    """Write an archive anew."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def data_of(parts: dict[str, bytes]) -> str:
    """Name the database among the parts."""
    return next(name for name in parts if name != MANIFEST)


def cut(share: float) -> Callable[[Path], None]:
    """Lose the end of the file."""

    def damage(path: Path) -> None:
        path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])

    return damage


def flip(share: float) -> Callable[[Path], None]:
    """Flip a few bytes at a place of the file."""

    def damage(path: Path) -> None:
        content = bytearray(path.read_bytes())
        for at in range(int(len(content) * share), int(len(content) * share) + 16):
            content[at] ^= 0xFF
        path.write_bytes(content)

    return damage


def change(edit: Callable[[dict[str, bytes]], object]) -> Callable[[Path], None]:
    """Change the members, and pack them as if nothing had happened."""

    def damage(path: Path) -> None:
        parts = members(path)
        edit(parts)
        pack(path, parts)

    return damage


def replace(parts: dict[str, bytes], name: str, old: bytes, new: bytes) -> None:
    """Put something else into a member."""
    assert old in parts[name], (name, old)
    parts[name] = parts[name].replace(old, new, 1)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "the second half is missing": cut(0.5),
    "the last bytes are missing": cut(0.999),
    "nothing is in it": cut(0),
    "bytes flipped in the database": flip(0.6),
    "bytes flipped at the beginning": flip(0.002),
    "no manifest": change(lambda parts: parts.pop(MANIFEST)),
    "no database": change(lambda parts: parts.pop(data_of(parts))),
    "a database of another moment": change(
        lambda parts: parts.update({data_of(parts): parts[data_of(parts)][:-4096]})
    ),
    "a manifest that knows another history": change(
        lambda parts: replace(parts, MANIFEST, b'"history": "', b'"history": "0')
    ),
    "a manifest that knows other standings": change(
        lambda parts: replace(parts, MANIFEST, b'"standings": "', b'"standings": "0')
    ),
    "a manifest that misses a tournament": change(
        lambda parts: replace(parts, MANIFEST, b'"autumn-tiles"', b'"spring-tiles"')
    ),
    "a backup of a newer release": change(
        lambda parts: replace(parts, MANIFEST, b'"tournaments.0001', b'"tournaments.9001')
    ),
}


def manage(*words: str, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run a command of the site."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=HERE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def main() -> None:
    """Drill, damage, count."""
    parser = argparse.ArgumentParser(description="Restore drills, whole and damaged.")
    parser.add_argument("--drills", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="four-winds-drills-") as name:
        folder = Path(name)
        environment = {
            **os.environ,
            "FOUR_WINDS_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings.development",
        }
        for words in (["migrate", "--verbosity=0"], ["demo_tournament", "--password", "drill-password"]):
            assert manage(*words, environment=environment).returncode == 0
        proved, started = 0, time.monotonic()
        for number in range(options.drills):
            path = folder / f"{number}.zip"
            for words in (["recompute_standings"], ["backup", str(path)]):
                assert manage(*words, environment=environment).returncode == 0
            proved += manage("restore_drill", str(path), environment=environment).returncode == 0
        print(
            f"proved {proved} of {options.drills} backups, {(time.monotonic() - started) / options.drills:.1f} s each"
        )
        whole, noticed = path.read_bytes(), 0
        for kind, damage in DAMAGES.items():
            path.write_bytes(whole)
            damage(path)
            done = manage("restore_drill", str(path), environment=environment)
            is_noticed = done.returncode == 1 and "Traceback" not in done.stderr
            noticed += is_noticed
            print(f"  {'noticed' if is_noticed else 'NOT NOTICED'}: {kind}")
        print(f"noticed {noticed} of {len(DAMAGES)} kinds of damage")
    sys.exit(0 if proved == options.drills and noticed == len(DAMAGES) else 1)


if __name__ == "__main__":
    main()
