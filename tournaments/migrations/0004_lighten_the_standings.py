from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_name_the_appeal"),
    ]

    operations = [
        migrations.RemoveField(model_name="standing", name="results"),
        migrations.AddField(
            model_name="standing", name="stage", field=models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField(model_name="standing", name="lines", field=models.TextField(default="[]")),
    ]
