"""Who may write at a table. Tournaments that are there stay as they were: open to a link."""

from django.db import migrations, models

CHOICES = [
    ("card", "whoever scans the table's card, and those who sit there"),
    ("own", "those who sit there, each from their own page"),
    ("open", "whoever has the link"),
]


def writing(default: str) -> models.CharField:
    """Return the column, with what a row gets that says nothing."""
    return models.CharField(
        choices=CHOICES,
        default=default,
        max_length=5,
        verbose_name="scores are written by",
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_what_directors_take_back")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="cards_renewed",
            field=models.PositiveSmallIntegerField(
                default=0, verbose_name="table cards renewed"
            ),
        ),
        migrations.AddField("tournament", "writing", writing("open")),
        migrations.AlterField("tournament", "writing", writing("card")),
    ]
