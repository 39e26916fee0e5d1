from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0051_labels"),
    ]

    operations = [
        migrations.AlterField(
            model_name="arrival",
            name="fault",
            field=models.CharField(
                blank=True, max_length=500, verbose_name="reason for refusal"
            ),
        ),
        migrations.AlterField(
            model_name="autostep",
            name="refused",
            field=models.CharField(
                blank=True, max_length=300, verbose_name="reason for failure"
            ),
        ),
        migrations.AlterField(
            model_name="guesses",
            name="who",
            field=models.CharField(max_length=64, unique=True, verbose_name="visitor"),
        ),
        migrations.AlterField(
            model_name="hookevent",
            name="about",
            field=models.CharField(blank=True, max_length=60, verbose_name="subject"),
        ),
        migrations.AlterField(
            model_name="securityevent",
            name="what",
            field=models.CharField(blank=True, max_length=80, verbose_name="details"),
        ),
        migrations.AlterField(
            model_name="standings",
            name="outlook",
            field=models.JSONField(editable=False, null=True, verbose_name="outlook"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="advance",
            field=models.PositiveSmallIntegerField(
                default=2, verbose_name="players advancing from each table"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="unfinished",
            field=models.CharField(
                choices=[
                    ("as_it_stands", "counts as it stands"),
                    ("deduct", "counts as it stands, with a deduction for everyone"),
                    ("void", "doesn’t count"),
                ],
                default="as_it_stands",
                max_length=15,
                verbose_name="an unfinished table",
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="off_because",
            field=models.CharField(
                blank=True,
                choices=[
                    ("director", "turned off by a director"),
                    ("failing", "turned off after failing for three days"),
                    (
                        "loop",
                        "turned off after more events in an hour than a club can produce",
                    ),
                ],
                max_length=20,
                verbose_name="reason for turning off",
            ),
        ),
    ]
