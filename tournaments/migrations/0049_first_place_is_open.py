from django.db import migrations, models
from django.db.models import Exists, F, OuterRef, Subquery


def mark_open(apps, schema_editor):
    """Mark first places that a result of the last stage may change, and compute these again."""
    alias = schema_editor.connection.alias
    rows = apps.get_model("tournaments", "StandingsRow").objects.using(alias)
    standings = apps.get_model("tournaments", "Standings").objects.using(alias)
    first = rows.filter(standings=OuterRef("standings"), place=1)
    unconfirmed = rows.filter(
        standings=OuterRef("pk"),
        unconfirmed__gt=0,
        stage=Subquery(first.values("stage")[:1]),
    )
    marked = standings.filter(Exists(unconfirmed))
    concerned = list(marked.filter(frozen_as="").values_list("tournament", flat=True))
    marked.update(is_first_open=True)
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(alias)
    tournaments.filter(pk__in=concerned).update(version=F("version") + 1)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0048_present_at_draw")]

    operations = [
        migrations.AddField(
            model_name="standings",
            name="is_first_open",
            field=models.BooleanField(
                default=False, verbose_name="first place is open"
            ),
        ),
        migrations.RunPython(mark_open, migrations.RunPython.noop),
    ]
