"""Change nothing: from here on facts of hands can say that they are judged as before the second reading of the rulebooks.

What is stored is not rewritten; it is upgraded when it is read. An earlier release could not read what this one writes,
and this name in the table of migrations makes it refuse to start.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_keep_what_tablets_set_aside")]

    operations = []
