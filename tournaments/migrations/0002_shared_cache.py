"""A table for what all processes count together: `CACHES` in the settings."""

from django.core.management import call_command
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TABLE = "tricky_cache"


def make(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Make the table, as Django's own command does."""
    database = editor.connection.alias
    call_command("createcachetable", TABLE, database=database, verbosity=0)


def drop(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take it away again; what it counted is of the last minutes."""
    editor.execute(f"DROP TABLE {editor.quote_name(TABLE)}")


class Migration(migrations.Migration):
    """Added after 0.1.0."""

    dependencies = [("tournaments", "0001_initial")]
    operations = [migrations.RunPython(make, drop)]
