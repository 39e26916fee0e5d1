"""Rate limits, counted for all processes together."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

IPV6_NETWORK = 64
"""Bits of an IPv6 network prefix: devices can choose the rest freely."""
MINUTE = 60
"""Seconds."""


class RateLimit(NamedTuple):
    """A rate limit, and the calls used in the current period."""

    most: int
    used: int
    resets_in: int
    """Seconds."""
    within: int = MINUTE
    """Length of the period in seconds."""

    @property
    def is_exceeded(self) -> bool:
        """Return whether this call was one too many."""
        return self.used > self.most

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that describe the limit in an API response."""
        return {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(max(0, self.most - self.used)),
            "RateLimit-Reset": str(self.resets_in),
            "RateLimit-Policy": f"{self.most};w={self.within}",
        }


def count_call(
    caller: str, *, most: int, now: float, within: int = MINUTE
) -> RateLimit:
    """Count a call for all processes together, and return the limit. `now` is in Unix seconds.

    Two simultaneous calls may count as one if the cache has no atomic increment: a limit
    against floods does not need to be exact.
    """
    cache, window = caches["default"], int(now // within)
    key = f"calls:{caller}:{within}:{window}"
    used = 1
    if not cache.add(key, used, timeout=within):
        try:
            used = cache.incr(key)
        except ValueError:  # The key expired in between.
            cache.set(key, used, timeout=within)
    resets_in = int((window + 1) * within - now) or 1
    return RateLimit(most=most, used=used, resets_in=resets_in, within=within)


def network_key(address: str) -> str:
    """Return the network of an address, for limits: an IPv4 address, or the /64 of an IPv6 one.

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
    # Imported late: the offline scorepad on phones has no allauth, but imports this module.
    from allauth.account.adapter import get_adapter

    try:
        return network_key(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return ""
