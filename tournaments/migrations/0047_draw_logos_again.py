"""Draw logos again that were stored before pictures of archives were checked."""

from hashlib import sha256
from io import BytesIO

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from tournaments.changes import RefusedError
from tournaments.people.looks import read_logo


def draw_again(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Store each logo as it is drawn today. Delete those that would be refused."""
    for logo in apps.get_model("tournaments", "Logo").objects.select_related("club"):
        try:
            image = read_logo(BytesIO(bytes(logo.image)))
        except RefusedError:
            logo.delete()
            logo.club.logo_version = ""
        else:
            logo.image = image
            logo.save(update_fields=["image"])
            logo.club.logo_version = sha256(image).hexdigest()[:16]
        logo.club.save(update_fields=["logo_version"])


class Migration(migrations.Migration):
    """Data only."""

    dependencies = [("tournaments", "0046_column_validators")]
    operations = [
        migrations.RunPython(draw_again, migrations.RunPython.noop, elidable=True)
    ]
