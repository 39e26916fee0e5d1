"""How often something may be done: counted for all processes together, and refused beyond."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

IPV6_NETWORK = 64
"""Bits that tell one network from another: the rest a device chooses as it likes."""
MINUTE = 60
"""Seconds."""


class RateLimit(NamedTuple):
    """A limit on how often something may be done, and how much of it is used."""

    most: int
    used: int
    resets_in: int
    """Seconds."""
    within: int = MINUTE
    """Seconds for which the limit is."""

    @property
    def is_exceeded(self) -> bool:
        """Tell whether this was once too often."""
        return self.used > self.most

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of an API response that describe it."""
        return {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(max(0, self.most - self.used)),
            "RateLimit-Reset": str(self.resets_in),
            "RateLimit-Policy": f"{self.most};w={self.within}",
        }


def count_call(who: str, *, most: int, now: float, within: int = MINUTE) -> RateLimit:
    """Count a call for all processes together, and return the limit.

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
    return RateLimit(most=most, used=used, resets_in=resets_in, within=within)


def network_key(address: str) -> str:
    """Return what is counted as one network: an IPv4 address, or the /64 of an IPv6 one.

    >>> network_key("203.0.113.7"), network_key("::ffff:203.0.113.7")
    ('203.0.113.7', '203.0.113.7')
    >>> network_key("2001:db8::1") == network_key("2001:db8::ffff:2")
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


def client_network(request: HttpRequest) -> str:
    """Return the network from which a request came; empty if the server does not say."""
    # Phones that run the scorepad have no accounts, and import this module without it.
    from allauth.account.adapter import get_adapter

    try:
        return network_key(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return ""
