"""Mark the demo club, which was known by its address before."""

from typing import Any

from django.db import migrations, models

import tournaments.models.tournaments
import tournaments.models.validators

DEMO, CODES = "demo-club", ["demswss2", "demnght2"]


def mark_demo_club(apps: Any, schema_editor: Any) -> None:
    clubs = apps.get_model("tournaments", "Club").objects
    clubs.filter(slug=DEMO, tournaments__code__in=CODES).update(is_demo=True)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0049_first_place_is_open")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="is_demo",
            field=models.BooleanField(
                default=False, editable=False, verbose_name="demo"
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="present",
            field=models.JSONField(
                blank=True,
                default=list,
                validators=[tournaments.models.validators.check_entries],
                verbose_name="here when it was drawn",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="code",
            field=models.CharField(
                default=tournaments.models.tournaments.new_code,
                max_length=8,
                unique=True,
                validators=[tournaments.models.validators.check_code],
                verbose_name="code",
            ),
        ),
        migrations.RunPython(mark_demo_club, migrations.RunPython.noop, elidable=True),
    ]
