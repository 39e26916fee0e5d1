from django.db import migrations


def count_again(apps, schema_editor):
    """Let every history be derived again: ties are rated otherwise than before."""
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(
        schema_editor.connection.alias
    )
    tournaments.exclude(counted_version=None).update(counted_version=0)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0028_waiting_number")]

    operations = [migrations.RunPython(count_again, migrations.RunPython.noop)]
