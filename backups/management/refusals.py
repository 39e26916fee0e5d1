"""How commands say why nothing was done."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import DatabaseError

from backups.refusals import BackupError


@contextmanager
def said_to_the_host() -> Iterator[None]:
    """Raise CommandError, which ends a command with status 1, for whatever was refused or failed."""
    try:
        yield
    except BackupError as refused:
        raise CommandError(str(refused)) from refused
    except OSError as error:
        raise CommandError(
            f"{error.filename or 'A file'}: {error.strerror}."
        ) from error
    except DatabaseError as error:
        raise CommandError(f"The database does not answer: {error}") from error
