"""Which release of the app this is."""

import tomllib
from functools import cache
from pathlib import Path

from django.conf import settings


@cache
def release() -> str:
    """Return the version, as in `0.1.0`."""
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())
    version: str = project["project"]["version"]
    return version
