# Secrets are promised before a draw; seats are pinned; published draws are repeated once by ourselves.

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("seating", "0002_follow_long_draws"),
        ("tournaments", "0003_name_the_appeal"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="draw",
            name="is_repeatable",
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name="draw",
            name="pins",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="draw",
            name="reason",
            field=models.CharField(blank=True, max_length=500, verbose_name="reason"),
        ),
        migrations.AddField(
            model_name="draw",
            name="repeated_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name="Commitment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("secret", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="commitments",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "commitment",
                "verbose_name_plural": "commitments",
                "ordering": ["-id"],
            },
        ),
        migrations.AddField(
            model_name="draw",
            name="commitment",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="draw",
                to="seating.commitment",
            ),
        ),
    ]
