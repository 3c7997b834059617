from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0009_answer_a_call"),
    ]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="system",
            field=models.CharField(max_length=6, verbose_name="system"),
        ),
    ]
