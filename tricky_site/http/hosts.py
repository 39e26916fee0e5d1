"""The host names of this machine that phones and laptops may use."""

import socket
import time
from collections.abc import Iterator
from ipaddress import ip_address

import ifaddr

ALWAYS = ("localhost", "127.0.0.1", "[::1]")
CALLED = "tricky.local"
"""A host name that is easy to type."""
FRESH = 5
"""Seconds for which addresses are cached."""


class MachineHosts(list[str]):
    """The names and current addresses of this machine, and further hosts added to the list.

    Addresses are read again every few seconds: a laptop gets another one in another room.
    """

    def __init__(self) -> None:
        super().__init__()
        self._hosts: tuple[str, ...] = ()
        self._refresh_at = 0.0

    def __iter__(self) -> Iterator[str]:
        if time.monotonic() >= self._refresh_at:
            self._hosts = machine_hosts()
            self._refresh_at = time.monotonic() + FRESH
        yield from self._hosts
        yield from super().__iter__()

    def __bool__(self) -> bool:
        return True


def machine_hosts() -> tuple[str, ...]:
    """Return the names and addresses of this machine, in the format of a `Host` header."""
    name = socket.gethostname().lower()
    hosts = [*ALWAYS, name, f"{name.partition('.')[0]}.local", CALLED]
    hosts += [
        f"[{address}]" if ":" in address else address
        for address in _machine_ip_addresses()
    ]
    return tuple(dict.fromkeys(hosts))


def _machine_ip_addresses() -> list[str]:
    # An IPv6 address is a tuple with flow info and scope id.
    return [
        address.ip if isinstance(address.ip, str) else address.ip[0]
        for adapter in ifaddr.get_adapters()
        for address in adapter.ips
    ]


def has_only_private_addresses(host: str) -> bool:
    """Return whether a server on this host can be reached only from private networks."""
    try:
        address_infos = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    addresses = {ip_address(address[0]) for *_kind, address in address_infos}
    if any(address.is_unspecified for address in addresses):
        has_both = any(address.version == 6 for address in addresses)
        own = map(ip_address, _machine_ip_addresses())
        addresses = {own_ip for own_ip in own if has_both or own_ip.version == 4}
    return all(address.is_private for address in addresses)
