"""Remove the log of Django's own administration, which is not installed any more and named its users."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_guard_the_operators_log")]

    operations = [
        migrations.RunSQL("DROP TABLE IF EXISTS django_admin_log", migrations.RunSQL.noop),
        migrations.RunSQL("DELETE FROM django_migrations WHERE app = 'admin'", migrations.RunSQL.noop),
    ]
