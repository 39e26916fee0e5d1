"""Files of the site that only its owner can read."""

import base64
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ImproperlyConfigured


def create_private_folder(folder: Path) -> None:
    """Create a folder that only its owner can read, unless it exists."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"TRICKY_VAR and SECRET_KEY_FILE must be in folders that this user can write; "
            f"{folder}: {error.strerror}."
        ) from error


def create_secret_key() -> str:
    return secrets.token_urlsafe(64)


def create_vapid_key() -> str:
    """Return a new private key for signing notifications, in base64url."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(32)).rstrip(b"=").decode()


def load_or_create_secret(
    path: Path, create: Callable[[], str] = create_secret_key
) -> str:
    """Return the secret in the file, which is created once."""
    create_private_folder(path.parent)
    try:
        if not path.exists():
            # Linked in one step, so that two processes that start together use the same secret.
            with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
                file.write(create())
                file.flush()
                try:
                    os.link(file.name, path)
                except FileExistsError:
                    pass
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path} must be a file that this user can read and write: {error.strerror}."
        ) from error
