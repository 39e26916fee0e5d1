import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0042_disputes_withdrawn"),
    ]

    operations = [
        migrations.CreateModel(
            name="RemovedEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                (
                    "former_player",
                    models.PositiveBigIntegerField(verbose_name="player"),
                ),
                ("name", models.CharField(max_length=40, verbose_name="name")),
                (
                    "phones_released",
                    models.PositiveSmallIntegerField(
                        default=0, verbose_name="phones released"
                    ),
                ),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="subscription",
            name="subscribed_by_a_player_or_a_desk",
        ),
        migrations.AddField(
            model_name="removedentry",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="removed_entries",
                to="tournaments.tournament",
            ),
        ),
        migrations.AddField(
            model_name="subscription",
            name="removed",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="subscriptions",
                to="tournaments.removedentry",
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("entry", None), ("removed", None), ("user__isnull", False)
                    ),
                    models.Q(
                        ("entry__isnull", False), ("removed", None), ("user", None)
                    ),
                    models.Q(
                        ("entry", None), ("removed__isnull", False), ("user", None)
                    ),
                    _connector="OR",
                ),
                name="subscribed_by_a_player_or_a_desk",
            ),
        ),
    ]
