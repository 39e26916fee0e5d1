"""Compute the keys of names again: without apostrophes, joiners and directional marks."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from tournaments.names import name_key


def compute_again(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Store the key of each entry that has another one now."""
    model = apps.get_model("tournaments", "Entry")
    for entry in model.objects.only("name", "name_key").iterator():
        if name_key(entry.name) != entry.name_key:
            # The field computes its key when the row is saved.
            entry.save(update_fields=["name_key"])


class Migration(migrations.Migration):
    """Data only."""

    dependencies = [("tournaments", "0031_pending_names")]
    operations = [
        migrations.RunPython(compute_again, migrations.RunPython.noop, elidable=True)
    ]
