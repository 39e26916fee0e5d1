"""Connections to other machines must be encrypted and verified, or the site doesn't start."""

import logging
from pathlib import Path

import pytest
from django.core.checks.registry import registry
from pytest_django import Settings

from tests.test_house import load_settings
from tricky_site.connection_encryption import (
    check_connections_encrypted,
    describe_insecure_connections,
)
from tricky_site.observability.logs import GroupReadableFileHandler

DATABASE = "postgres://tricky@db.example.org/tricky"


@pytest.mark.parametrize(
    ("name", "insecure", "secure"),
    [
        ("DATABASE_URL", DATABASE, f"{DATABASE}?sslmode=verify-full"),
        (
            "DATABASE_URL",
            f"{DATABASE}?sslmode=require",
            f"{DATABASE}?sslmode=verify-full",
        ),
        ("CELERY_BROKER_URL", "redis://10.0.0.11/0", "rediss://10.0.0.11/0"),
        (
            "CELERY_BROKER_URL",
            "rediss://10.0.0.11/0?ssl_cert_reqs=none",
            "rediss://10.0.0.11/0?ssl_cert_reqs=required",
        ),
        ("CELERY_BROKER_URL", "amqp://mq.example.org", "amqps://mq.example.org"),
        ("CACHE_URL", "redis://redis:6379/1", "rediss://redis:6379/1"),
        (
            "EMAIL_URL",
            "smtp://u:p@mail.example.org:587",
            "smtp+tls://u:p@mail.example.org:587",
        ),
    ],
)
def test_unencrypted_connection_to_another_machine_is_reported(
    name: str, insecure: str, secure: str
) -> None:
    (message,) = describe_insecure_connections({name: insecure})
    assert message.startswith(f"{name} connects to another machine")
    assert "@" not in message
    assert list(describe_insecure_connections({name: secure})) == []


def test_unencrypted_connections_within_the_machine_are_accepted() -> None:
    local_connections = {
        "DATABASE_URL": "postgres://tricky@127.0.0.1/tricky",
        "DATABASE_OWNER_URL": "postgres:///tricky?host=/var/run/postgresql",
        "CELERY_BROKER_URL": "redis://localhost:6379/0",
        "CACHE_URL": "",
    }
    assert list(describe_insecure_connections(local_connections)) == []


def test_deployment_check_warns_of_unencrypted_connections(
    settings: Settings,
) -> None:
    settings.OUTER_CONNECTIONS = {"EMAIL_URL": "smtp://mail.example.org"}
    (warning,) = check_connections_encrypted(None)
    assert (
        warning.msg
        == "EMAIL_URL connects to another machine, so it must use smtp+tls://."
    )
    assert check_connections_encrypted in registry.get_checks(
        include_deployment_checks=True
    )
    assert check_connections_encrypted not in registry.get_checks()


def test_demand_tls_refuses_to_start_with_an_unencrypted_connection(
    tmp_path: Path,
) -> None:
    environment = {"DEMAND_TLS": "1", "EMAIL_URL": "smtp://mail.example.org"}
    insecure_start = load_settings(tmp_path, **environment)
    assert (
        "EMAIL_URL connects to another machine, so it must use smtp+tls://."
        in insecure_start.stderr
    )
    environment["EMAIL_URL"] = "smtp+tls://mail.example.org"
    assert load_settings(tmp_path, **environment).returncode == 0
    trusting_start = load_settings(tmp_path, **environment, OUTGOING_TRUSTED="chat.lan")
    assert "OUTGOING_TRUSTED must be empty" in trusting_start.stderr


def test_account_log_is_readable_only_by_owner_and_group(
    tmp_path: Path,
) -> None:
    path = tmp_path / "security.log"
    handler = GroupReadableFileHandler(str(path))
    try:
        for line in ("before", "after"):
            handler.handle(logging.makeLogRecord({"msg": line}))
            assert path.stat().st_mode & 0o777 == 0o640
            assert line in path.read_text()
            # Rotate as logrotate does; the next line starts a new file.
            path.rename(tmp_path / f"security.log.{line}")
    finally:
        handler.close()
