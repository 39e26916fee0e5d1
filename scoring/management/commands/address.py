"""`manage.py address`: the URLs of this server for phones and laptops."""

import os
import socket
from io import StringIO
from ipaddress import ip_address
from typing import Any

import segno
from django.core.management.base import BaseCommand

EVERYWHERE = "0.0.0.0"  # noqa: S104 - where a server listens to all of its network


def lan_address() -> str | None:
    """Return the address of this machine on its network; None if it has none.

    Connecting a datagram socket sends nothing; it only asks for the route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def is_loopback_host(host: str) -> bool:
    """Return whether a server on this host can only be reached from the same machine.

    >>> is_loopback_host("127.0.0.1"), is_loopback_host("localhost")
    (True, True)
    >>> is_loopback_host("0.0.0.0"), is_loopback_host("tricky.lan")
    (False, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Command(BaseCommand):
    """Print the addresses of the server, and a QR code for phones."""

    help = "Print the address of this server for phones and laptops, with a QR code."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the URLs for HOST and PORT of the environment."""
        port = os.environ.get("PORT", "8000")
        host = os.environ.get("HOST", EVERYWHERE)
        self.stdout.write(f"On this machine:  http://localhost:{port}/")
        if is_loopback_host(host):
            self.stdout.write(
                f"Only this machine reaches it, as HOST is {host}. Start it with "
                f"HOST={EVERYWHERE} for phones and laptops on your network."
            )
            return
        address = lan_address() if host == EVERYWHERE else host
        if address:
            url = f"http://{address}:{port}/"
            self.stdout.write(f"On your network:  {url}\n\n")
            qr_code = StringIO()
            segno.make(url).terminal(out=qr_code, compact=True)
            self.stdout.write(qr_code.getvalue())
