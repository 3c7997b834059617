"""Change nothing: from here on regulations, facts of hands and history entries say their version where they are stored.

What is stored is not rewritten; it is upgraded when it is read. An earlier release could not read what this one writes,
and this name in the table of migrations makes it refuse to start.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0014_end_djangos_own_administration")]

    operations = []
