"""Triggers that make the history append-only."""

from django.db import migrations

from tournaments.migrations._append_only import install, remove

TABLE = "tournaments_historyentry"


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_lay_the_record")]

    operations = [migrations.RunPython(install(TABLE), remove(TABLE))]
