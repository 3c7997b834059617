"""Keep when a table that calls for a referee was told that somebody is on the way."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One field more, for a call only."""

    dependencies = [("tournaments", "0008_ask_players_for_a_pin")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="answered_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="call answered"),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(("answered_at", None), ("called_at__isnull", False), _connector="OR"),
                name="table_answers_a_call",
            ),
        ),
    ]
