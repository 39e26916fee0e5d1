"""Prepares HTTPS before a start: `python -m tricky_site.own_https [COMMAND]`."""

import os
import sys
from datetime import UTC, datetime
from socket import socket

import django
from django.core.exceptions import ImproperlyConfigured

from tricky_site.ports import UnusablePortError, exec_command, reserve_ports
from tricky_site.startup import exit_on_wrong_setting


def prepare_https() -> list[socket]:
    """Reserve both ports, renew the certificate, and return the reservation; exit with a sentence if impossible."""
    from django.conf import settings

    from tricky_site.own_https.certificates import renew_certificates

    file = settings.AUTHORITY_FILE
    now = datetime.now(UTC)  # noqa: TID251 - a command reads the clock
    try:
        reserved = reserve_ports(
            {"HTTPS_PORT": settings.HTTPS_PORT or 8443, "PORT": settings.PLAIN_PORT}
        )
        messages = renew_certificates(file, settings.ALLOWED_HOSTS, now)
    except (ImproperlyConfigured, UnusablePortError) as error:
        sys.exit(f"No https: {error}")
    except OSError as error:
        sys.exit(f"No https: {file.parent} can't be written: {error.strerror}.")
    for message in messages:
        sys.stdout.write(f"{message}\n")
    return reserved


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    with exit_on_wrong_setting():
        django.setup()
    exec_command(prepare_https(), sys.argv[1:])
