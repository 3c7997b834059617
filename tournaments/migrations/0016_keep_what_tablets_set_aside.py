from django.db import migrations, models


class Migration(migrations.Migration):
    """What a tablet holds and does not send by itself is known to the desk."""

    dependencies = [("tournaments", "0015_say_the_version_of_what_is_stored")]

    operations = [
        migrations.AddField(
            model_name="device",
            name="set_aside",
            field=models.JSONField(blank=True, default=list, verbose_name="not sent"),
        ),
    ]
