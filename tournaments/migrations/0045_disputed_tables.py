from django.db import migrations, models
from django.db.models import F


def count_again(apps, schema_editor):
    """Let standings with a disputed table be computed again."""
    alias = schema_editor.connection.alias
    tables = apps.get_model("tournaments", "Table").objects.using(alias)
    disputed = tables.filter(disputed=True).values("round__tournament")
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(alias)
    tournaments.filter(pk__in=disputed).update(version=F("version") + 1)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0044_fitting_sheets")]

    operations = [
        migrations.AddField(
            model_name="standingsrow",
            name="disputed",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="disputed"),
        ),
        migrations.RunPython(count_again, migrations.RunPython.noop),
    ]
