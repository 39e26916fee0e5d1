"""Let matches be closed to those who play them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0011_entries_by_phone")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="closed",
            field=models.BooleanField(default=False, verbose_name="closed"),
        ),
    ]
