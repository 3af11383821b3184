"""A place for the packed records of games that are over; maintenance fills it, also for games of before."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the archives, and find the games that are due for one by an index."""

    dependencies = [
        ("games", "0002_moderators"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="is_archived",
            field=models.BooleanField(
                db_default=False, default=False, help_text="Its events, tricks and plays are packed in its archive."
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("ended_at__isnull", False), ("is_archived", False), ("started_at__isnull", False)),
                fields=["ended_at"],
                name="games_to_archive",
            ),
        ),
        migrations.CreateModel(
            name="Archive",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="archive",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("format", models.PositiveSmallIntegerField(default=1)),
                ("record", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Mention",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "archive",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mentions",
                        to="games.archive",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("archive", "player"), name="one_mention_a_player"),
                ],
            },
        ),
    ]
