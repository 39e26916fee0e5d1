"""Keep an imported record's meta, and let SQLite too refuse to delete log entries."""

from django.db import migrations, models

SQLITE = """
CREATE TRIGGER log_never_deleted BEFORE DELETE ON scoring_logentry
BEGIN SELECT RAISE(ABORT, 'the hand log is append-only'); END
"""
SQLITE_REVERSE = "DROP TRIGGER log_never_deleted"


def forwards(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(SQLITE)


def backwards(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(SQLITE_REVERSE)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_log_append_only")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="meta",
            field=models.JSONField(blank=True, null=True, verbose_name="meta"),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="base_version",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="made on version"
            ),
        ),
        migrations.RunPython(forwards, backwards),
    ]
