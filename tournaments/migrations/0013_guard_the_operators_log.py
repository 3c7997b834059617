"""Triggers that make the operator's log append-only."""

from django.db import migrations

from tournaments.record import triggers


def install(apps, schema_editor):
    triggers.install(schema_editor.connection, [triggers.OPERATORS_LOG])


def remove(apps, schema_editor):
    triggers.remove(schema_editor.connection, [triggers.OPERATORS_LOG])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_moderate_the_site")]

    operations = [migrations.RunPython(install, remove)]
