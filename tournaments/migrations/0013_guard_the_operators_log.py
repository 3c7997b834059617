"""Triggers that make the operator's log append-only."""

from django.db import migrations

from tournaments.migrations._append_only import install, remove

TABLE = "tournaments_operatorentry"


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_moderate_the_site")]

    operations = [migrations.RunPython(install(TABLE), remove(TABLE))]
