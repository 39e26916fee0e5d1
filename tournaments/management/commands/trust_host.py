"""`manage.py trust_host NAME KEY --circuit ADDRESS`: take what another host signs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.changes import RefusedError
from tournaments.circuits.guests import trust_host
from tournaments.models import Circuit


class Command(BaseCommand):
    """Let a circuit take results that a host has signed."""

    help = "Lets a circuit take the results of another host, by its public key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the host and the circuit."""
        parser.add_argument("name", metavar="NAME", help="what the host is called")
        parser.add_argument("key", metavar="KEY", help="as its host_key prints it")
        parser.add_argument("--circuit", required=True, help="a circuit's address")

    def handle(self, *args: Any, **options: Any) -> None:
        """Trust it; exit status 1 where that cannot be."""
        circuit = Circuit.objects.filter(slug=options["circuit"]).first()
        if circuit is None:
            raise CommandError(f"There is no circuit at {options['circuit']}.")
        try:
            trust_host(
                circuit_id=circuit.pk,
                name=options["name"][:60],
                key=options["key"],
                by=None,
                now=timezone.now(),
            )
        except RefusedError as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(f"{options['name']} is trusted in {circuit}.")
