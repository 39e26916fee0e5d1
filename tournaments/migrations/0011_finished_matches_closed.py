"""Close the matches of tournaments that are finished."""

from django.db import migrations


def close(apps, schema_editor):
    tables = apps.get_model("tournaments", "Table").objects
    over = tables.filter(round__tournament__phase="finished", match__isnull=False)
    matches = apps.get_model("scoring", "Match").objects
    matches.filter(pk__in=over.values("match")).update(closed=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_guesses"),
        ("scoring", "0012_match_closed"),
    ]

    operations = [migrations.RunPython(close, migrations.RunPython.noop)]
