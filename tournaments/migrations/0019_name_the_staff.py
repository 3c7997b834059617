from django.db import migrations, models


class Migration(migrations.Migration):
    """Whoever works at an event has a name for its papers, in both alphabets."""

    dependencies = [("tournaments", "0018_let_an_event_have_a_language")]

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
