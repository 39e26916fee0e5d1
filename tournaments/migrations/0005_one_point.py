"""Reasons that were stored say "1 point", as those that are computed now."""

import re

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

WORDS = {
    "points": "point",
    "wins": "win",
    "second places": "second place",
    "opponents": "opponent",
}
ONE = re.compile(rf"(?<![\d/])1 ({'|'.join(WORDS)})\b")


def say_one(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Put the word for one where one is meant."""
    rows = apps.get_model("tournaments", "StandingsRow").objects
    for row in rows.filter(reason__contains="1 ").only("reason").iterator():
        reason = ONE.sub(lambda found: f"1 {WORDS[found[1]]}", row.reason)
        if reason != row.reason:
            rows.filter(pk=row.pk).update(reason=reason)


class Migration(migrations.Migration):
    """Standings are kept as they were said; the words had a fault."""

    dependencies = [("tournaments", "0004_large_files")]
    operations = [migrations.RunPython(say_one, migrations.RunPython.noop)]
