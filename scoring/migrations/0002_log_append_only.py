"""Let the database itself refuse a change of the hand log."""

from django.db import migrations

POSTGRESQL = """
CREATE FUNCTION scoring_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the hand log is append-only'; END $$;
CREATE TRIGGER log_append_only BEFORE UPDATE OR DELETE ON scoring_logentry
FOR EACH ROW EXECUTE FUNCTION scoring_log_is_append_only();
"""
POSTGRESQL_REVERSE = """
DROP TRIGGER log_append_only ON scoring_logentry;
DROP FUNCTION scoring_log_is_append_only();
"""
# SQLite refuses deletions from the next migration on.
SQLITE = """
CREATE TRIGGER log_append_only BEFORE UPDATE ON scoring_logentry
BEGIN SELECT RAISE(ABORT, 'the hand log is append-only'); END
"""
SQLITE_REVERSE = "DROP TRIGGER log_append_only"


def forwards(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    schema_editor.execute(POSTGRESQL if postgresql else SQLITE)


def backwards(apps, schema_editor):
    postgresql = schema_editor.connection.vendor == "postgresql"
    schema_editor.execute(POSTGRESQL_REVERSE if postgresql else SQLITE_REVERSE)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [migrations.RunPython(forwards, backwards)]
