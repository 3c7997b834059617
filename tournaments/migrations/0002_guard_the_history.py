"""Triggers that make the history append-only."""

from django.db import migrations

from tournaments.record import triggers


def install(apps, schema_editor):
    triggers.install(schema_editor.connection)


def remove(apps, schema_editor):
    triggers.remove(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_lay_the_record")]

    operations = [migrations.RunPython(install, remove)]
