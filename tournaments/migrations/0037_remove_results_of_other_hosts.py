"""Remove results that other hosts signed: circuits count clubs of one host."""

from django.db import migrations


class Migration(migrations.Migration):
    """Each model after those that point at it."""

    dependencies = [("tournaments", "0036_delete_players_of_other_hosts")]
    operations = [
        migrations.DeleteModel("GuestResult"),
        migrations.DeleteModel("GuestTournament"),
        migrations.DeleteModel("GuestPlayer"),
        migrations.DeleteModel("TrustedHost"),
    ]
