"""Give every tournament an address of its own, which no code tells."""

from django.db import migrations, models

import scoring.models.matches


def give(apps, schema_editor):
    tournament = apps.get_model("tournaments", "Tournament")
    for one in tournament.objects.only("pk").iterator():
        one.address = scoring.models.matches.new_address()
        one.save(update_fields=["address"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_unconfirmed")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="address",
            field=models.CharField(max_length=22, null=True, verbose_name="address"),
        ),
        migrations.RunPython(give, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="tournament",
            name="address",
            field=models.CharField(
                default=scoring.models.matches.new_address,
                max_length=22,
                unique=True,
                verbose_name="address",
            ),
        ),
    ]
