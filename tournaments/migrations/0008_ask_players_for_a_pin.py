"""Say of a tournament whether its players confirm results with a PIN."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One field more."""

    dependencies = [("tournaments", "0007_hold_whatever_a_record_says")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="asks_pin",
            field=models.BooleanField(default=False, verbose_name="players confirm with a PIN"),
        ),
    ]
