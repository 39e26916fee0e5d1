"""Fixtures of the API tests."""

from typing import Any

import pytest


@pytest.fixture
def settings_unlimited(settings: Any) -> None:
    settings.API_CALLS_A_MINUTE = {"token": 10**6, "network": 10**6}
