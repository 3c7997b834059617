"""Serve the whole site from one process, after doing whatever is still to be done on this machine."""

import hashlib
import io
import os
import secrets
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.server.process import run
from config.server.sqlite.private import close_to_others, make_private
from config.tools import demo, upgrade
from config.tools.demo import removal

ORGANIZER = "demo"


class Command(BaseCommand):
    """What `python3 run.py` hands over to."""

    help = "Prepare database, messages and static files where needed, and serve pages and live updates on one port."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where to listen."""
        parser.add_argument("--host", default=settings.HOST)
        parser.add_argument("--port", type=int, default=settings.PORT)

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        """Prepare, tell, serve."""
        call_command("messages", "compile", verbosity=0)
        self.migrate()
        self.collect_static()
        password = self.demo() if settings.DEMO else ""
        if settings.REFUSES_DEMO:
            self.without_demo()
        self.tell(host, port, password)
        run(host, port)

    def migrate(self) -> None:
        """Apply migrations, if any wait; data of a newer release ends it here."""
        upgrade.stop_on_newer_data()
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.stdout.write("Laying out the database …")
            call_command("migrate", verbosity=0, interactive=False)

    def collect_static(self) -> None:
        """Give static files their lasting names, if any of them changed."""
        if not settings.HASHED_STATIC:
            return
        mark = Path(settings.STATIC_ROOT) / ".digest"
        wanted = static_digest()
        if not mark.exists() or mark.read_text() != wanted:
            self.stdout.write("Collecting the static files …")
            call_command("collectstatic", verbosity=0, interactive=False, clear=True)
            mark.write_text(wanted)

    def demo(self) -> str:
        """Fill an empty database with the demo's events; return the organizer's password."""
        password = kept_password()
        if demo.make_if_empty(organizer=ORGANIZER, password=password):
            self.stdout.write("The demo world is made.")
        return password if get_user_model().objects.filter(username=ORGANIZER).exists() else ""

    def without_demo(self) -> None:
        """Remove the demo of an earlier start if nobody has worked in it; else say how it is removed."""
        if demo.is_there() and removal.is_touched():
            self.stdout.write(
                "The demo of an earlier start is still there, because somebody has worked in it."
                "\nThis deletes it: python3 run.py --remove-demo"
            )
        elif demo.is_there():
            removal.remove_all()
            self.stdout.write("The demo of an earlier start was removed.")

    def tell(self, host: str, port: int, password: str) -> None:
        """Print the addresses, the sign-in, and for tablets the code to scan."""
        self.stdout.write(f"\n  Four Winds is at  http://localhost:{port}/")
        for address in filter(None, os.environ.get("FOUR_WINDS_LAN", "").split(",")):
            self.stdout.write(f"  On this network   http://{address}:{port}/")
        if password:
            self.stdout.write(f"  Demo organizer    {ORGANIZER}  password  {password}")
        self.stdout.write("  Ctrl-C ends it.\n")
        self.tell_tablets(port)

    def tell_tablets(self, port: int) -> None:
        """Print the address of the network as a code, and what plain HTTP keeps from tablets."""
        first = os.environ.get("FOUR_WINDS_LAN", "").split(",")[0]
        if not first:
            return
        import qrcode

        code = qrcode.QRCode(border=2)
        code.add_data(f"http://{first}:{port}/")
        picture = io.StringIO()
        code.print_ascii(out=picture, invert=True)
        self.stdout.write(picture.getvalue())
        self.stdout.write(
            "  Over plain HTTP a tablet keeps unsent hands while its page is open or opened again with the server there,\n"
            "  but cannot open the page without the server. The README tells how to serve HTTPS.\n"
        )


def kept_password() -> str:
    """Read the demo organizer's password, made once on this machine and readable by its owner only."""
    path = Path(settings.VAR_DIR) / "demo-password"
    if not path.exists() or not path.read_text():
        make_private(path)
        path.write_text(secrets.token_hex(6))
    close_to_others(path)
    return path.read_text()


def static_digest() -> str:
    """Return a digest of the names, sizes and times of the static files."""
    content = hashlib.sha256()
    for line in sorted(static_facts()):
        content.update(line.encode())
    return content.hexdigest()


def static_facts() -> Iterator[str]:
    """Describe each static file in a line."""
    for finder in get_finders():
        for path, storage in finder.list([]):
            facts = os.stat(storage.path(path))
            yield f"{path} {facts.st_size} {facts.st_mtime_ns}\n"
