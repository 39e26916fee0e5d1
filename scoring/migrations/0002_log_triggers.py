"""Let the database itself keep the hand log as it was entered."""

from django.db import migrations

from scoring.models.log_triggers import put_triggers


def forwards(apps, schema_editor):
    put_triggers(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
