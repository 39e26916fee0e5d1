"""What a certificate may be for: the names and addresses of a machine in a private network."""

import re
from collections.abc import Iterable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from cryptography import x509

Network = IPv4Network | IPv6Network
A_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*", re.ASCII)
PRIVATE = tuple(
    ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("127.0.0.0/8", "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10"),
    )
)
"""Addresses that mean nothing outside of a room."""
LOCAL = ("localhost", "local", "lan", "home.arpa", "internal", "fritz.box")
"""Names under which nobody on the internet answers, and what is below them."""


def general_names(hosts: Iterable[str]) -> list[x509.GeneralName]:
    """Return hosts, as a `Host` header or ALLOWED_HOSTS writes them, as a certificate does.

    What no certificate can say is left out: `*`, and names with other signs.

    >>> [name.value for name in general_names(["Tricky.local", "[::1]", "*"])]
    ['tricky.local', IPv6Address('::1')]
    """
    names: list[x509.GeneralName] = []
    for host in hosts:
        plain = host.strip("[]").lower()
        try:
            names.append(x509.IPAddress(ip_address(plain)))
        except ValueError:
            names += [x509.DNSName(name) for name in _with_those_below(plain)]
    return list(dict.fromkeys(names))


def _with_those_below(name: str) -> list[str]:
    below = name.removeprefix(".")
    if not A_NAME.fullmatch(below):
        return []
    return [below, f"*.{below}"] if below != name else [below]


def constraints(names: Iterable[x509.GeneralName]) -> x509.NameConstraints:
    """Return what an authority may vouch for: private addresses, local names, and these."""
    addresses: list[Network] = list(PRIVATE)
    below = list(LOCAL)
    for name in names:
        if isinstance(name, x509.IPAddress):
            address = _network_of(name.value)
            if not any(_lies_in(address, known) for known in addresses):
                addresses.append(address)
        elif isinstance(name, x509.DNSName):
            plain = name.value.removeprefix("*.")
            if not any(_is_below(plain, known) for known in below):
                below.append(plain)
    permitted = [*map(x509.DNSName, below), *map(x509.IPAddress, addresses)]
    return x509.NameConstraints(permitted, None)


def permits(limits: x509.NameConstraints, name: x509.GeneralName) -> bool:
    """Tell whether an authority with these limits may vouch for a name."""
    permitted = limits.permitted_subtrees or []
    if isinstance(name, x509.IPAddress):
        address = _network_of(name.value)
        return any(
            isinstance(known, x509.IPAddress)
            and _lies_in(address, _network_of(known.value))
            for known in permitted
        )
    plain = str(name.value).removeprefix("*.")
    return any(
        isinstance(known, x509.DNSName) and _is_below(plain, known.value)
        for known in permitted
    )


def _network_of(value: IPv4Address | IPv6Address | Network) -> Network:
    return value if isinstance(value, IPv4Network | IPv6Network) else ip_network(value)


def _lies_in(address: Network, network: Network) -> bool:
    # Networks of the two versions cannot be compared.
    return (
        address.version == network.version
        and address.network_address in network
        and address.broadcast_address in network
    )


def _is_below(name: str, above: str) -> bool:
    return name == above or name.endswith(f".{above}")
