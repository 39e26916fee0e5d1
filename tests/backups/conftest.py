"""A separate site for each test, with its own keys and no backup folder."""

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def own_site(settings: Any, tmp_path: Path) -> Path:
    var = tmp_path / "var"
    var.mkdir(mode=0o700)
    settings.VAR_DIR = var
    settings.SECRET_KEY_FILE = var / "secret-key"
    settings.VAPID_KEY_FILE = var / "vapid-key"
    settings.AUTHORITY_FILE = var / "https" / "authority.pem"
    settings.BACKUP_FOLDER = ""
    settings.BACKUP_PASSPHRASE = ""
    (var / "secret-key").write_text(settings.SECRET_KEY)
    (var / "vapid-key").write_text(settings.VAPID_PRIVATE_KEY)
    return var
