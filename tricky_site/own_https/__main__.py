"""Makes ready what the site needs to speak https, and says what it made: `python -m tricky_site.own_https`."""

import os
import socket
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from tricky_site.own_https.authority import UnusableError
from tricky_site.own_https.certificate import Kept, kept_certificate
from tricky_site.ports import UnusablePortError, check_ports

ENDS_SOON = 365
"""Days of an authority before whose end it is said."""


def main() -> int:
    """Return 0 once there is a certificate and both ports are free, else 1 with words on stderr."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    now = datetime.now(UTC)  # noqa: TID251 - a command reads the clock
    try:
        django.setup()
        check_ports(
            {
                "HTTPS_PORT": settings.HTTPS_PORT or 8443,
                "PORT": settings.PLAIN_PORT,
            }
        )
        kept = kept_certificate(
            settings.AUTHORITY_FILE.parent,
            machine=socket.gethostname().partition(".")[0],
            hosts=settings.ALLOWED_HOSTS,
            now=now,
        )
    except (UnusableError, UnusablePortError, ImproperlyConfigured) as error:
        sys.stderr.write(f"No https: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(
            f"No https: {error.filename} cannot be used: {error.strerror}. TRICKY_VAR "
            "names the folder where all is kept.\n"
        )
        return 1
    sys.stdout.writelines(f"{line}\n" for line in said_of(kept, now))
    return 0


def said_of(kept: Kept, now: datetime) -> Iterator[str]:
    """Yield what whoever starts the server should know of its certificate."""
    ends = kept.authority.certificate.not_valid_after_utc
    if kept.is_new:
        until = kept.certificate.not_valid_after_utc.date()
        yield f"A new certificate for https, until {until}."
    if kept.left_out:
        names = ", ".join(str(name.value) for name in kept.left_out)
        yield (
            f"No https as {names}: the authority of this machine was made for other "
            f"names. Remove {settings.AUTHORITY_FILE} for one that is for these; "
            "every phone has to trust that one anew."
        )
    if (ends - now).days < ENDS_SOON:
        yield (
            f"The authority of this machine ends on {ends.date()}. Once "
            f"{settings.AUTHORITY_FILE} is removed a new one is made, which every "
            "phone has to trust anew: best between two seasons."
        )


if __name__ == "__main__":
    sys.exit(main())
