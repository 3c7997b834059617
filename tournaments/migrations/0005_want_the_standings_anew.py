"""The standings are stored in fewer words: those of every tournament are worked out anew by the next sweep."""

from django.db import migrations
from django.db.models import F


def want_anew(apps, schema_editor):
    """Drop what pages show and ask for it again."""
    apps.get_model("tournaments", "Snapshot").objects.all().delete()
    apps.get_model("tournaments", "StandingsRevision").objects.update(wanted=F("wanted") + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_lighten_the_standings"),
    ]

    operations = [migrations.RunPython(want_anew, migrations.RunPython.noop)]
