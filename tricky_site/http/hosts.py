"""The names under which phones and laptops may ask for this machine."""

import socket
import time
from collections.abc import Iterator
from ipaddress import ip_address

import ifaddr

ALWAYS = ("localhost", "127.0.0.1", "[::1]")
CALLED = "tricky.local"
"""What a machine may be called in its room, for people who type."""
FRESH = 5
"""Seconds for which addresses are taken for known."""


class OwnHosts(list[str]):
    """What this machine is called, and its addresses as they are when somebody asks.

    A laptop that is carried into another room has another address there, and goes on
    answering. What is added to the list stays beside them.
    """

    def __init__(self) -> None:
        """Know nothing before somebody asks."""
        super().__init__()
        self._hosts: tuple[str, ...] = ()
        self._until = 0.0

    def __iter__(self) -> Iterator[str]:
        """Yield every name and address, those of the moment."""
        if time.monotonic() >= self._until:
            self._hosts = own_hosts()
            self._until = time.monotonic() + FRESH
        yield from self._hosts
        yield from super().__iter__()

    def __bool__(self) -> bool:
        """Tell that there are some."""
        return True


def own_hosts() -> tuple[str, ...]:
    """Return the names and addresses of this machine, as a `Host` header writes them."""
    name = socket.gethostname().lower()
    hosts = [*ALWAYS, name, f"{name.partition('.')[0]}.local", CALLED]
    hosts += [f"[{each}]" if ":" in each else each for each in _own_addresses()]
    return tuple(dict.fromkeys(hosts))


def _own_addresses() -> list[str]:
    # An address of IPv6 comes with its flow and its scope.
    return [
        found.ip if isinstance(found.ip, str) else found.ip[0]
        for adapter in ifaddr.get_adapters()
        for found in adapter.ips
    ]


def has_private_addresses(host: str) -> bool:
    """Tell whether a server that listens on this host is reached in private networks alone."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    addresses = {ip_address(address[0]) for *_kind, address in found}
    if any(address.is_unspecified for address in addresses):
        has_both = any(address.version == 6 for address in addresses)
        own = map(ip_address, _own_addresses())
        addresses = {each for each in own if has_both or each.version == 4}
    return all(address.is_private for address in addresses)
