from django.db import migrations, models


class Migration(migrations.Migration):
    """Whoever works at an event has a name for its papers, in both alphabets."""

    dependencies = [("tournaments", "0017_say_by_which_reading_hands_are_judged")]

    operations = [
        migrations.AddField(
            model_name="role",
            name="name",
            field=models.CharField(blank=True, default="", max_length=200, verbose_name="name"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="role",
            name="name_latin",
            field=models.CharField(
                blank=True, default="", max_length=200, verbose_name="name in Latin letters"
            ),
            preserve_default=False,
        ),
    ]
