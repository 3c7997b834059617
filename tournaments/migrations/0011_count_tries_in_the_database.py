"""Count tries and costly requests where nothing evicts them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One small table, no part of the record."""

    dependencies = [("tournaments", "0010_name_systems_in_scoring")]

    operations = [
        migrations.CreateModel(
            name="UsedLimit",
            fields=[
                ("key", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("whole_at", models.FloatField(db_index=True, verbose_name="whole again")),
            ],
            options={"verbose_name": "used limit", "verbose_name_plural": "used limits"},
        ),
    ]
