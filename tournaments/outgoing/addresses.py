"""Addresses that this site may contact: https on the internet, and hosts that its operator trusts."""

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

PORTS = {"http": 80, "https": 443}
TRANSLATED = ip_network("64:ff9b::/96")
"""IPv6 addresses that a network translates to the IPv4 address at their end."""
GLOBAL_UNICAST = ip_network("2000::/3")


class AddressNotAllowedError(Exception):
    """An address that this site may not contact; the message gives the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedAddress:
    """An address to connect to: `ip` only, even if the host name changes later."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query."""
    ip: str


def resolve_allowed_address(url: str) -> AllowedAddress:
    """Return the address to connect to for a URL, with its host resolved.

    Raises AddressNotAllowedError for anything but https, for a host with any address in a
    private network, and for a host without an address. `OUTGOING_TRUSTED` lists hosts, with a port
    or without, that may be anywhere and use http.
    """
    scheme, host, port, target = parse_outgoing_url(url)
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise AddressNotAllowedError(
            _("%(host)s can’t be found. Check the address.") % {"host": host}
        ) from error
    ips = [str(answer[4][0]) for answer in answers]
    if not _is_trusted(host, port):
        _check_public(host, ips)
    return AllowedAddress(scheme=scheme, host=host, port=port, target=target, ip=ips[0])


def parse_outgoing_url(url: str) -> tuple[str, str, int, str]:
    """Return scheme, host, port, and path with query of a URL, without resolving the host.

    Raises AddressNotAllowedError if the URL as it is written is not allowed.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise AddressNotAllowedError(_("This isn’t a valid address.")) from error
    scheme = parts.scheme
    if scheme not in PORTS or not host or parts.username is not None:
        raise AddressNotAllowedError(
            _("Use an address like https://example.org/path, without a user name.")
        )
    signs = f"{parts.path}{parts.query}"
    if not signs.isascii() or any(sign <= " " or sign == "\x7f" for sign in signs):
        raise AddressNotAllowedError(
            _("The address has characters that must be escaped.")
        )
    port = port or PORTS[scheme]
    if not _is_trusted(host, port):
        listed = settings.OUTGOING_ONLY
        if listed and not any(
            host == name or host.endswith(f".{name}") for name in listed
        ):
            raise AddressNotAllowedError(
                _("%(host)s isn’t on this server’s list of allowed addresses.")
                % {"host": host}
            )
        if scheme == "http":
            raise AddressNotAllowedError(_("The address must start with https://."))
        if host[-1].isdigit() or ":" in host:
            _check_public(host, [host])
        elif "." not in host.rstrip("."):
            raise AddressNotAllowedError(
                _("%(host)s can’t be found. Check the address.") % {"host": host}
            )
    query = f"?{parts.query}" if parts.query else ""
    return scheme, host, port, (parts.path or "/") + query


def _is_trusted(host: str, port: int) -> bool:
    return not {host, f"{host}:{port}"}.isdisjoint(settings.OUTGOING_TRUSTED)


def _check_public(host: str, ips: Iterable[str]) -> None:
    try:
        inside = not all_public(ips)
    except ValueError:
        # Numbers that are an address in another notation, which only serves to hide it.
        inside = True
    if inside:
        raise AddressNotAllowedError(
            _("%(host)s is on a private network. Use a public address.")
            % {"host": host}
        )


def all_public(ips: Iterable[str]) -> bool:
    """Return whether all of these are addresses on the internet.

    >>> all_public(["9.9.9.9"]), all_public(["9.9.9.9", "10.0.0.1"])
    (True, False)
    >>> all_public(["::ffff:127.0.0.1"]), all_public(["64:ff9b::a00:1"])
    (False, False)
    """
    return all(_is_public(ip_address(ip.partition("%")[0])) for ip in ips)


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is on the internet, and so is any IPv4 address within it.

    Of IPv6, only global unicast addresses are, and those that networks translate to IPv4 by the
    well-known prefix: not the many other forms of an IPv4 address (compatible, translated, NAT64
    of a network's own), nor site-local ones.
    """
    if isinstance(ip, IPv6Address):
        if ip in TRANSLATED:
            return _is_public(IPv4Address(int(ip) & 0xFFFFFFFF))
        if ip.ipv4_mapped:
            return _is_public(ip.ipv4_mapped)
        if ip not in GLOBAL_UNICAST or (ip.sixtofour and not _is_public(ip.sixtofour)):
            return False
    return ip.is_global and not ip.is_multicast
