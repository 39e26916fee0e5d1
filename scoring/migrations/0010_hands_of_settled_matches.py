"""Take away the rows of hands whose match goes on: they are written once it is settled."""

from django.db import migrations


def take_away(apps, schema_editor):
    hand = apps.get_model("scoring", "Hand")
    hand.objects.filter(match__finished=False, match__as_it_stands=False).delete()


class Migration(migrations.Migration):
    dependencies = [("scoring", "0009_boards")]

    operations = [migrations.RunPython(take_away, migrations.RunPython.noop)]
