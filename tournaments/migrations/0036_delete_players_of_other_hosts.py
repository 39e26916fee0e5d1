"""Delete the players who only had results that another host signed."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q


def delete_players(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Delete guests with their results, and the links by which circuits had them as other players."""
    guests = apps.get_model("tournaments", "GuestPlayer").objects
    players = list(guests.values_list("player", flat=True))
    links = apps.get_model("tournaments", "SamePerson").objects
    links.filter(Q(kept__in=players) | Q(merged__in=players)).delete()
    apps.get_model("tournaments", "GuestTournament").objects.all().delete()
    guests.all().delete()
    apps.get_model("scoring", "Player").objects.filter(pk__in=players).delete()


class Migration(migrations.Migration):
    """Data first: PostgreSQL alters no table in a transaction that has deleted from it."""

    dependencies = [("tournaments", "0035_count_ranks_again")]
    operations = [
        migrations.RunPython(delete_players, migrations.RunPython.noop, elidable=True)
    ]
