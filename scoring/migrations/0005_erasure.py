"""Let a transaction that erases a person's name change the log; nothing else may."""

from django.db import migrations

FUNCTION = """
CREATE OR REPLACE FUNCTION scoring_log_is_append_only() RETURNS trigger
LANGUAGE plpgsql AS $$ BEGIN
  {exception}
  RAISE EXCEPTION 'the hand log is append-only';
END $$
"""
UNLESS_ERASING = """
IF TG_OP = 'UPDATE' AND current_setting('tricky.erasing', true) = 'yes' THEN
  RETURN NEW;
END IF;
"""


def forwards(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(FUNCTION.format(exception=UNLESS_ERASING))


def backwards(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(FUNCTION.format(exception=""))


class Migration(migrations.Migration):
    dependencies = [("scoring", "0004_contracts")]

    operations = [migrations.RunPython(forwards, backwards)]
