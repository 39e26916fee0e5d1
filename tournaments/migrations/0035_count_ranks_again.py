from django.db import migrations
from django.db.models import Exists, F, OuterRef


def count_again(apps, schema_editor):
    """Let standings be computed again if a match ranks its seats other than by points."""
    alias = schema_editor.connection.alias
    seats = apps.get_model("scoring", "Seat").objects.using(alias)
    behind = seats.filter(
        match=OuterRef("match"),
        rank__gt=OuterRef("rank"),
        total__gte=OuterRef("total"),
    )
    changed = seats.filter(Exists(behind)).values("match__table__round__tournament")
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(alias)
    tournaments.filter(pk__in=changed).update(version=F("version") + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0034_entries_by_phone"),
        ("scoring", "0005_what_entries_do"),
    ]

    operations = [migrations.RunPython(count_again, migrations.RunPython.noop)]
