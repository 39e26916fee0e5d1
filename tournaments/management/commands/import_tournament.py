"""`manage.py import_tournament FILE --circuit ADDRESS`: a result that another host signed."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.changes import RefusedError
from tournaments.circuits.documents import LARGEST_DOCUMENT
from tournaments.circuits.guests import bring_in
from tournaments.models import Circuit


class Command(BaseCommand):
    """Bring a signed result into a circuit."""

    help = "Brings a result that a trusted host has signed into a circuit."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file and the circuit."""
        parser.add_argument("file", metavar="FILE", help="a path, or - for stdin")
        parser.add_argument("--circuit", required=True, help="a circuit's address")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what became of it; exit status 1 where it is refused."""
        circuit = Circuit.objects.filter(slug=options["circuit"]).first()
        if circuit is None:
            raise CommandError(f"There is no circuit at {options['circuit']}.")
        try:
            brought = bring_in(
                circuit_id=circuit.pk,
                content=_read(options["file"]),
                by=None,
                now=timezone.now(),
            )
        except RefusedError as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(f"{brought.guest}: {brought.became}")


def _read(name: str) -> bytes:
    """Return the file up to one byte more than is taken."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(LARGEST_DOCUMENT + 1)
        with Path(name).open("rb") as file:
            return file.read(LARGEST_DOCUMENT + 1)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}") from error
