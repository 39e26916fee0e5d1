"""The ports that servers listen on: `python -m tricky_site.ports COMMAND` runs it with PORT reserved."""

import errno
import os
import socket
import sys

import django

from tricky_site.startup import exit_on_wrong_setting


class UnusablePortError(Exception):
    """Raised if no server can listen on a port; the message says why and what to change."""


def reserve_ports(ports: dict[str, int]) -> list[socket.socket]:
    """Return sockets that reserve the ports for a server as long as they stay open.

    Raises UnusablePortError unless a server can listen on HOST and each of the ports. `ports` has
    port numbers by the name of their variable. A port also counts as taken if it is reserved, or if
    another granian listens on it: a second one would silently share its requests.
    """
    host = os.environ.get("HOST", "0.0.0.0")  # noqa: S104 - as script/server listens
    if len(set(ports.values())) < len(ports):
        names = " and ".join(sorted(ports))
        raise UnusablePortError(f"{names} are the same. Give each its own port.")
    reserved = []
    for name, port in ports.items():
        try:
            if sys.platform == "linux":
                # Two servers that start together both find the port free. An abstract name has no file,
                # and is free again once its process has ended.
                lock = socket.socket(socket.AF_UNIX)
                reserved.append(lock)
                lock.bind(f"\0tricky/{host}/{port}")
            family, kind, protocol, _name, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                message = (
                    f"Port {port} is already used by another program. Stop it, or choose "
                    f"another port: {name}={port + 1}."
                )
            elif error.errno == errno.EACCES:
                message = (
                    f"Port {port} needs root's rights. Set {name} to a port above 1023."
                )
            else:
                message = f"No server can listen on HOST={host}: {error.strerror}."
            raise UnusablePortError(message) from error
    return reserved


def reserve_ports_or_exit(ports: dict[str, int]) -> list[socket.socket]:
    """Return sockets that reserve the ports; exit with a sentence unless a server can listen on each."""
    try:
        return reserve_ports(ports)
    except UnusablePortError as error:
        sys.exit(str(error))


def exec_command(reserved: list[socket.socket], command: list[str]) -> None:
    """Replace this process by the command, if there is one, with the reserved sockets."""
    if command:
        for lock in reserved:
            lock.set_inheritable(True)
        os.execv(command[0], command)  # noqa: S606 # nosec B606


def main() -> None:
    """Run the command, or exit with a sentence if a setting is wrong or PORT can't be used."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    with exit_on_wrong_setting():
        django.setup()
        from django.conf import settings
    exec_command(reserve_ports_or_exit({"PORT": settings.PLAIN_PORT}), sys.argv[1:])


if __name__ == "__main__":
    main()
