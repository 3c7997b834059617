"""Django's `migrate`, by one process at a time and never backwards by accident."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as DjangoCommand
from django.db import connections

from config.tools import upgrade


class Command(DjangoCommand):
    """`manage.py migrate`, safe to start anywhere and any number of times at once."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Wait for whoever migrates already, refuse data of a newer release, then migrate."""
        database = connections[options["database"]]
        try:
            with upgrade.alone(database):
                upgrade.refuse_newer_data(database)
                super().handle(*args, **options)
        except (upgrade.Busy, upgrade.NewerData) as reason:
            raise CommandError(str(reason)) from reason
