"""Matches of leagues are written by who plays them, also where they were begun before that was so.

Until then whoever had a link wrote there, and a league was given nothing else to say of it. Its
director lets anybody write again under *Settings*.
"""

import secrets

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BYTES = 16


def close_to_links(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    leagues = apps.get_model("tournaments", "Tournament").objects.filter(
        format="league"
    )
    leagues.filter(writing="open").update(writing="card")
    matches = apps.get_model("scoring", "Match").objects.filter(
        table__round__tournament__in=leagues, secret=""
    )
    for pk in list(matches.values_list("pk", flat=True)):
        # Which nobody is ever shown: who plays there is known by their phone or account.
        matches.filter(pk=pk).update(secret=secrets.token_hex(BYTES))


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0004_who_agreed"),
        ("tournaments", "0019_clubs_from_elsewhere"),
    ]

    operations = [migrations.RunPython(close_to_links, migrations.RunPython.noop)]
