"""Addresses on the internet, and those that lead into the internal network."""

from typing import Any

import pytest
from pytest_django import Settings

from tournaments.outgoing import (
    AddressNotAllowedError,
    all_public,
    parse_outgoing_url,
    resolve_allowed_address,
)


@pytest.mark.parametrize(
    "ip",
    [
        *("10.1.2.3", "127.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.0.1"),
        *("0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255"),  # noqa: S104
        *("::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:10.0.0.1"),
        *("2002:0a00:0001::", "64:ff9b::7f00:1", "2001:0:0a00:1::1"),
        *("fec0::1", "64:ff9b:1::7f00:1", "::ffff:0:127.0.0.1", "::127.0.0.1"),
        *("::ffff:0:10.0.0.1", "::10.0.0.1", "64:ff9b:1::a00:1", "5f00::1", "100::1"),
        *("2001:db8::1", "4000::1", "ff0e::1", "2002:7f00:1::1"),
    ],
)
def test_internal_address_is_not_public(ip: str) -> None:
    assert not all_public([ip])


@pytest.mark.parametrize(
    "ip",
    ["9.9.9.9", "2620:fe::fe", "64:ff9b::909:909", "::ffff:9.9.9.9"],
)
def test_internet_address_is_public(ip: str) -> None:
    assert all_public([ip])


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://9.9.9.9/", "https://"),
        ("https://127.0.0.1/", "private network"),
        ("https://localhost/", "can’t be found"),
        ("https://localhost./", "can’t be found"),
        ("https://2130706433/", "private network"),
        ("https://[::ffff:192.168.0.1]/", "private network"),
        ("https://[fec0::1]/", "private network"),
        ("https://[64:ff9b:1::7f00:1]/", "private network"),
        ("https://[::ffff:0:127.0.0.1]/", "private network"),
        ("https://[::127.0.0.1]/", "private network"),
        ("https://nobody.invalid/", "can’t be found"),
        ("ftp://9.9.9.9/", "Use an address like"),
        ("https://me:secret@9.9.9.9/", "Use an address like"),
        ("https:///path", "Use an address like"),
        ("https://9.9.9.9:99999/", "valid address"),
        ("https://9.9.9.9/a b", "escaped"),
        ("https://" + "a" * 70 + ".example/", "can’t be found"),
    ],
)
def test_rejected_address_gives_a_reason(url: str, reason: str) -> None:
    with pytest.raises(AddressNotAllowedError, match=reason):
        resolve_allowed_address(url)


def test_public_address_is_allowed_with_its_resolved_ip() -> None:
    allowed = resolve_allowed_address("https://9.9.9.9/hook?a=1#b")
    assert (allowed.ip, allowed.port, allowed.target) == ("9.9.9.9", 443, "/hook?a=1")


def test_trusted_internal_host_is_allowed_on_its_port_only(settings: Any) -> None:
    settings.OUTGOING_TRUSTED = ["127.0.0.1:81"]
    assert resolve_allowed_address("http://127.0.0.1:81/").ip == "127.0.0.1"
    with pytest.raises(AddressNotAllowedError):
        resolve_allowed_address("http://127.0.0.1:82/")


def test_host_with_one_internal_address_is_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [(0, 0, 0, "", ("9.9.9.9", 443)), (0, 0, 0, "", ("10.0.0.1", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_arguments, **_options: answers)
    with pytest.raises(AddressNotAllowedError, match="private network"):
        resolve_allowed_address("https://two.example/")


def test_only_listed_hosts_are_contacted(settings: Settings) -> None:
    settings.OUTGOING_ONLY = ["discord.com"]
    for host in ("discord.com", "hooks.discord.com"):
        assert parse_outgoing_url(f"https://{host}/hook")[1] == host
    for host in ("evil.example", "notdiscord.com", "discord.com.evil.example"):
        with pytest.raises(AddressNotAllowedError, match="list of allowed addresses"):
            parse_outgoing_url(f"https://{host}/hook")
    settings.OUTGOING_ONLY = []
    assert parse_outgoing_url("https://evil.example/hook")[1] == "evil.example"
