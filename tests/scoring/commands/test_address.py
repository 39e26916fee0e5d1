"""The addresses that a server prints before it starts."""

from io import StringIO

import pytest
from django.core.management import call_command


def printed_address(monkeypatch: pytest.MonkeyPatch, host: str) -> str:
    """Return the output for a server that listens on the host."""
    monkeypatch.setenv("HOST", host)
    monkeypatch.setenv("PORT", "8123")
    printed = StringIO()
    call_command("address", stdout=printed)
    return printed.getvalue()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_a_local_server_prints_no_code(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    printed = printed_address(monkeypatch, host)
    assert "On this machine:  http://localhost:8123/" in printed
    assert f"Only this machine reaches it, as HOST is {host}." in printed
    assert "HOST=0.0.0.0" in printed
    assert "On your network" not in printed
    assert "█" not in printed


def test_a_server_on_the_network_prints_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = printed_address(monkeypatch, "192.0.2.7")
    assert "On your network:  http://192.0.2.7:8123/" in printed
    assert "█" in printed
    assert "Only this machine" not in printed
