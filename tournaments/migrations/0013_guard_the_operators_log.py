"""Triggers that make the operator's log append-only."""

from django.db import migrations

from tournaments import guard


def install(apps, schema_editor):
    guard.install(schema_editor.connection, [guard.OPERATORS_LOG])


def remove(apps, schema_editor):
    guard.remove(schema_editor.connection, [guard.OPERATORS_LOG])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_moderate_the_site")]

    operations = [migrations.RunPython(install, remove)]
