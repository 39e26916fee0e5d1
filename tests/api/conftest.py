"""What tests of the API have in common."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections


@pytest.fixture
def settings_unlimited(settings: Any) -> None:
    """Let a test ask as often as it likes."""
    settings.API_CALLS_A_MINUTE = {"token": 10**6, "network": 10**6}


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the test's connection, which Django closes after each request of a server."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
