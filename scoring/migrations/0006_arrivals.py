"""Let the log say which phone sent an entry and when, and hold what was proposed."""

from django.db import migrations, models

# SQLite adds a column by making the table anew, and its triggers do not come along.
SQLITE = (
    """
    CREATE TRIGGER IF NOT EXISTS log_append_only BEFORE UPDATE ON scoring_logentry
    BEGIN SELECT RAISE(ABORT, 'the hand log is append-only'); END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS log_never_deleted BEFORE DELETE ON scoring_logentry
    BEGIN SELECT RAISE(ABORT, 'the hand log is append-only'); END
    """,
)


def keep_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for trigger in SQLITE:
            schema_editor.execute(trigger)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0005_erasure"),
    ]

    operations = [
        # Going back, this comes last.
        migrations.RunPython(migrations.RunPython.noop, keep_triggers),
        migrations.AddField(
            model_name="logentry",
            name="entered_at",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="entered at"
            ),
        ),
        migrations.AddField(
            model_name="logentry",
            name="phone",
            field=models.CharField(blank=True, max_length=32, verbose_name="phone"),
        ),
        migrations.AddField(
            model_name="match",
            name="waiting",
            field=models.PositiveIntegerField(
                default=0, verbose_name="entries on phones"
            ),
        ),
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
                    ("pen", "took the pen"),
                ],
                max_length=10,
                verbose_name="kind",
            ),
        ),
        migrations.RunPython(keep_triggers, migrations.RunPython.noop),
    ]
