from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0039_prize_places"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="first_table",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="number of the first table"),
        ),
    ]
