"""Every app has few loose modules, and every package says what it is for; `lint-imports` holds the layers."""

from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
APPS = ["backups", "scoring", "tournaments"]
SILENT = {"migrations", "management", "commands", "templatetags"}


@pytest.mark.parametrize("app", APPS)
def test_app_has_at_most_ten_top_level_modules(app: str) -> None:
    loose = [path for path in (ROOT / app).glob("*.py") if path.name != "__init__.py"]
    assert len(loose) <= 10


@pytest.mark.parametrize("app", APPS)
def test_every_package_has_a_docstring(app: str) -> None:
    assert [
        path.parent
        for path in (ROOT / app).rglob("__init__.py")
        if path.parent.name not in SILENT and not path.read_text().startswith('"""')
    ] == []
