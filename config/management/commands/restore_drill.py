"""Prove a backup without touching anything."""

import json
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.tools import restoring
from config.tools.backup import Unfit

RESULT = "restore-drill.json"


class Command(BaseCommand):
    """`manage.py restore_drill FILE`, while the site runs."""

    help = (
        "Restore the copy in FILE beside the database, prove its history and standings, and throw it away again."
        f" What was found is printed and stored in {RESULT} among the site's files. Exit 0 or 1."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where from."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Restore aside, tell, store."""
        result: dict[str, Any] = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "archive": file.name,
        }
        try:
            with restoring.restored_aside(file) as restored:
                result |= {
                    "result": "proved",
                    "made_at": restored.manifest["made_at"],
                    "tournaments": len(restored.tournaments),
                    "entries": restored.entries,
                }
        except Unfit as reason:
            result |= {"result": "failed", "reason": str(reason)}
        text = json.dumps(result, ensure_ascii=False, indent=2)
        store(text)
        if result["result"] == "failed":
            raise CommandError(text)
        self.stdout.write(text)


def store(text: str) -> None:
    """Write the result where the site can read it; whole or not at all."""
    folder = Path(settings.VAR_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f".{RESULT}"
    fresh.write_text(text + "\n", encoding="utf-8")
    fresh.replace(folder / RESULT)
