from django.db import migrations
from django.db.models import F


def count_again(apps, schema_editor):
    """Let standings be computed again if tables of the last round part players in them."""
    alias = schema_editor.connection.alias
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(alias)
    concerned = [
        pk
        for pk, tie_breaks in tournaments.values_list("pk", "tie_breaks")
        if "final_table" in tie_breaks
    ]
    tournaments.filter(pk__in=concerned).update(version=F("version") + 1)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0039_list_sessions_by_allauth")]

    operations = [migrations.RunPython(count_again, migrations.RunPython.noop)]
