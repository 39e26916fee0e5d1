"""Checks for connections that leave the machine without encryption or a verified certificate."""

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, register
from django.core.checks import Warning as Warned

WANTED = {
    "postgres": "?sslmode=verify-full",
    "postgresql": "?sslmode=verify-full",
    "redis": "rediss://",
    "amqp": "amqps://",
    "smtp": "smtp+tls://",
}
"""The required part of a URL, by its scheme."""
UNCHECKED = {"none", "cert_none", "optional", "cert_optional"}


def is_local_host(host: str | None) -> bool:
    """Return whether a host is this machine itself.

    >>> is_local_host("127.0.0.1"), is_local_host(None), is_local_host("10.0.0.11")
    (True, True, False)
    """
    if not host or host == "localhost" or host.startswith("/"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def missing_tls_part(url: str) -> str:
    """Return the part missing in a URL for an encrypted and verified connection; empty if none.

    >>> missing_tls_part("redis://:secret@10.0.0.11/0")
    'rediss://'
    >>> missing_tls_part("postgres://tricky@db.example.org/tricky?sslmode=require")
    '?sslmode=verify-full'
    >>> missing_tls_part("smtp+tls://mail.example.org")
    ''
    """
    at = urlsplit(url)
    options = {name: values[-1] for name, values in parse_qs(at.query).items()}
    if is_local_host(at.hostname) and is_local_host(options.get("host")):
        return ""
    if options.get("ssl_cert_reqs", "").lower() in UNCHECKED:
        return "?ssl_cert_reqs=required"
    if at.scheme in ("postgres", "postgresql"):
        return "" if options.get("sslmode") == "verify-full" else WANTED[at.scheme]
    return WANTED.get(at.scheme, "")


def describe_insecure_connections(urls_by_setting: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each setting with an insecure URL, without the URL itself."""
    for name, url in urls_by_setting.items():
        if url and (lacks := missing_tls_part(url)):
            yield f"{name} connects to another machine, so it must use {lacks}."


@register(deploy=True)
def check_connections_encrypted(
    app_configs: Sequence[AppConfig] | None, **_options: Any
) -> list[CheckMessage]:
    """Return a warning for each unencrypted connection that leaves the machine."""
    return [
        Warned(
            message,
            hint="With DEMAND_TLS=1 the server refuses to start.",
            id="tricky.W001",
        )
        for message in describe_insecure_connections(settings.OUTER_CONNECTIONS)
    ]
