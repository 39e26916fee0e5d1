"""What tests of the API have in common."""

from typing import Any

import pytest


@pytest.fixture
def settings_unlimited(settings: Any) -> None:
    """Let a test ask as often as it likes."""
    settings.API_CALLS_A_MINUTE = {"token": 10**6, "network": 10**6}
