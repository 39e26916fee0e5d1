"""The ports that servers listen on: `python -m tricky_site.ports` checks PORT before a start."""

import errno
import os
import socket
import sys

import django

from tricky_site.startup import exit_on_wrong_setting


class UnusablePortError(Exception):
    """No server can listen on a port; the message says why and what to change."""


def check_ports(ports: dict[str, int]) -> None:
    """Raise UnusablePortError unless a server can listen on HOST and each of the ports.

    `ports` has the number by the name of its variable. A port is taken also if another granian
    listens there, with which a second one would silently share the requests.
    """
    host = os.environ.get("HOST", "0.0.0.0")  # noqa: S104 - as script/server listens
    if len(set(ports.values())) < len(ports):
        names = " and ".join(sorted(ports))
        raise UnusablePortError(f"{names} are the same. Give each its own port.")
    for name, port in ports.items():
        try:
            family, kind, protocol, _name, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except OSError as error:
            raise UnusablePortError(_explain(name, host, port, error)) from error


def _explain(name: str, host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is already used by another program. Stop it, or choose "
            f"another port: {name}={port + 1}."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} needs root's rights. Set {name} to a port above 1023."
    return f"No server can listen on HOST={host}: {error.strerror}."


def main() -> None:
    """Exit with a sentence if a setting is wrong or PORT can't be used."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    with exit_on_wrong_setting():
        django.setup()
        from django.conf import settings
    try:
        check_ports({"PORT": settings.PLAIN_PORT})
    except UnusablePortError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
