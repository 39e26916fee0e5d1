"""How often something may be done: counted for all processes together, and refused beyond."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from django.core.cache import caches
from django.http import HttpRequest

IPV6_NETWORK = 64
"""Bits that tell one network from another: the rest a device chooses as it likes."""
MINUTE = 60
"""Seconds."""


class Spent(NamedTuple):
    """How much of a limit is used."""

    most: int
    used: int
    resets_in: int
    """Seconds."""
    within: int = MINUTE
    """Seconds for which the limit is."""

    @property
    def is_over(self) -> bool:
        """Tell whether this was once too often."""
        return self.used > self.most

    @property
    def headers(self) -> dict[str, str]:
        """Return what every answer to a program tells of it."""
        return {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(max(0, self.most - self.used)),
            "RateLimit-Reset": str(self.resets_in),
            "RateLimit-Policy": f"{self.most};w={self.within}",
        }


def count_call(who: str, *, most: int, now: float, within: int = MINUTE) -> Spent:
    """Return what is spent with one call more, counted for all processes together.

    Two calls at the very same moment may count as one where the cache cannot count by
    itself: a limit against floods needs no more than that.
    """
    cache, window = caches["default"], int(now // within)
    key = f"calls:{who}:{within}:{window}"
    used = 1
    if not cache.add(key, used, timeout=within):
        try:
            used = cache.incr(key)
        except ValueError:  # It was forgotten between the two.
            cache.set(key, used, timeout=within)
    resets_in = int((window + 1) * within - now) or 1
    return Spent(most=most, used=used, resets_in=resets_in, within=within)


def network_of(address: str) -> str:
    """Return what is counted as one network: an IPv4 address, or the /64 of an IPv6 one.

    >>> network_of("203.0.113.7"), network_of("::ffff:203.0.113.7")
    ('203.0.113.7', '203.0.113.7')
    >>> network_of("2001:db8::1") == network_of("2001:db8::ffff:2")
    True
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed.packed, IPV6_NETWORK), strict=False))


def network_here(request: HttpRequest) -> str:
    """Return the network from which a request came.

    Empty where the server does not tell: all of those are one to us.
    """
    return str(getattr(request, "network", ""))
