"""The ports that servers listen on: `python -m tricky_site.ports COMMAND` runs it with them reserved."""

import errno
import os
import socket
import sys
from datetime import UTC, datetime

import django
from django.core.exceptions import ImproperlyConfigured

from tricky_site.startup import exit_on_wrong_setting

PortLock = socket.socket
"""A socket that reserves a port as long as it stays open; not one to listen on."""


def reserve_ports(ports_by_setting: dict[str, int]) -> list[PortLock]:
    """Return locks that reserve the ports for a server as long as they stay open.

    Raises ImproperlyConfigured unless a server can listen on HOST and each of the ports. A port also
    counts as taken if it is reserved, or if another granian listens on it: a second one would silently
    share its requests.
    """
    host = os.environ.get("HOST", "0.0.0.0")  # noqa: S104 - as script/server listens
    if len(set(ports_by_setting.values())) < len(ports_by_setting):
        names = " and ".join(sorted(ports_by_setting))
        raise ImproperlyConfigured(f"{names} are the same. Give each its own port.")
    reserved = []
    for name, port in ports_by_setting.items():
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
            raise ImproperlyConfigured(message) from error
    return reserved


def reserve_ports_and_renew_certificate() -> list[PortLock]:
    """Return locks that reserve the ports of the settings. With HTTPS_PORT, renew its certificate.

    Exits with a sentence if that is impossible.
    """
    from django.conf import settings

    try:
        if not settings.HTTPS_PORT:
            return reserve_ports({"PORT": settings.PLAIN_PORT})
        from tricky_site.own_https.certificates import renew_server_certificate

        reserved = reserve_ports(
            {"HTTPS_PORT": settings.HTTPS_PORT, "PORT": settings.PLAIN_PORT}
        )
        file, now = settings.AUTHORITY_FILE, datetime.now(UTC)  # noqa: TID251 - a command reads the clock
        for message in renew_server_certificate(file, settings.ALLOWED_HOSTS, now):
            sys.stdout.write(f"{message}\n")
    except ImproperlyConfigured as error:
        sys.exit(f"No https: {error}" if settings.HTTPS_PORT else str(error))
    except OSError as error:
        folder = settings.AUTHORITY_FILE.parent
        sys.exit(f"No https: {folder} can't be written: {error.strerror}.")
    return reserved


def run_command_with_reserved_ports() -> None:
    """Replace this process by the command, if there is one, with the reserved sockets."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    with exit_on_wrong_setting():
        django.setup()
    reserved = reserve_ports_and_renew_certificate()
    if command := sys.argv[1:]:
        for lock in reserved:
            lock.set_inheritable(True)
        os.execv(command[0], command)  # noqa: S606 # nosec B606


if __name__ == "__main__":
    run_command_with_reserved_ports()
