"""Count by phone what is still on phones, and let a result be disputed in the log."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0010_hands_of_settled_matches")]

    operations = [
        # Nobody knows any more which phone the number was of; each soon says it anew.
        migrations.RemoveField(model_name="match", name="waiting"),
        migrations.AddField(
            model_name="match",
            name="kept",
            field=models.JSONField(
                blank=True, default=dict, verbose_name="entries on phones"
            ),
        ),
        # Choices are Django's alone: no table is made anew, its triggers stay.
        migrations.AlterField(
            model_name="logentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("enter", "entered"),
                    ("contract", "contract noted"),
                    ("replace", "corrected"),
                    ("void", "voided"),
                    ("restore", "restored"),
                    ("seats", "seat changed"),
                    ("propose", "entered on another phone"),
                    ("keep", "kept as it was"),
                    ("late", "came too late to change anything"),
                    ("pen", "took the pen"),
                    ("agree", "found the same"),
                    ("dispute", "found it wrong"),
                    ("board", "played on the board"),
                ],
                max_length=10,
                verbose_name="kind",
            ),
        ),
    ]
