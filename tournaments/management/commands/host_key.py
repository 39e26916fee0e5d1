"""`manage.py host_key`: the public key of this host, as other hosts are told it."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.circuits.host_keys import public_key


class Command(BaseCommand):
    """Print the public key; the private one stays beside the site's secret."""

    help = "Prints the public key of this host; it is made at first use."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it."""
        self.stdout.write(public_key())
