"""Mark the unfinished matches of closed rounds, which count as they stand."""

from django.db import migrations


def mark(apps, schema_editor):
    match = apps.get_model("scoring", "Match")
    closed = match.objects.filter(table__round__state="closed", finished=False)
    closed.update(as_it_stands=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_standings_count_entries"),
        ("scoring", "0007_as_it_stands"),
    ]

    # What counts as it stands keeps the rows of its hands.
    run_before = [("scoring", "0010_hands_of_settled_matches")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
