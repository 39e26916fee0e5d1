"""Seal secrets of apps, and keep of codes that were seen no more than digests."""

from django.db import migrations

from tournaments.people.factors import reseal


def forwards(apps, schema_editor):
    factors = apps.get_model("mfa", "Authenticator")
    reseal(factors.objects.order_by("pk"))


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0023_codes_of_an_app"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
