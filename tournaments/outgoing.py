"""POST requests to addresses that users entered: only to the internet, within limits of time and size.

Addresses are allowed with https on the internet, and on hosts that the operator trusts.
"""

import socket
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from urllib.parse import urljoin, urlsplit

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


MOST_REDIRECTS = 3
KEEPS_THE_METHOD = {307, 308}
"""Redirects after which the same request is sent again."""
LONGEST_URL_IN_MESSAGE = 120
"""Characters of a redirect's target that are shown."""


class NoResponseError(Exception):
    """No valid response came in time; the message gives the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostResponse:
    status: int
    body: bytes
    """Up to the requested number of bytes."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


class _PinnedConnection(HTTPConnection):
    """Connects to the checked IP address, and verifies the certificate of its host."""

    def __init__(self, address: AllowedAddress, seconds: float) -> None:
        super().__init__(address.host, address.port, timeout=seconds)
        self.address = address
        self.connected: socket.socket | None = None
        """Also stored here, because `sock` is None as soon as a response of unknown length begins."""
        self.was_ended = False

    def connect(self) -> None:
        ip, port = self.address.ip, self.address.port
        plain = socket.create_connection((ip, port), self.timeout)
        self.sock = plain
        if self.address.scheme == "https":
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(
                plain, server_hostname=self.host, do_handshake_on_connect=False
            )
        self.connected = self.sock

    def abort(self) -> None:
        """Close the connection at once, even while another thread waits for it."""
        # Set first: the waiting thread continues as soon as the connection is shut down.
        self.was_ended = True
        if self.connected is not None:
            try:
                socket.socket.shutdown(self.connected, socket.SHUT_RDWR)
            except OSError:
                pass  # The other side was quicker.


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    seconds: float,
    max_bytes: int,
    follow_redirects: bool = True,
) -> PostResponse:
    """Post to an address and return the response, up to `max_bytes` bytes of it, within so many seconds.

    With `follow_redirects`, redirects that preserve the method are followed, and their addresses are checked
    like the first. Raises AddressNotAllowedError and NoResponseError.
    """
    address = resolve_allowed_address(url)
    for _redirect in range(MOST_REDIRECTS + 1):
        answer, redirect_url = _post_without_redirects(
            address, body, headers, seconds, max_bytes
        )
        if not (
            follow_redirects and answer.status in KEEPS_THE_METHOD and redirect_url
        ):
            return answer
        try:
            url = urljoin(url, redirect_url)
            address = resolve_allowed_address(url)
        except (AddressNotAllowedError, ValueError) as error:
            reason = (
                _("This isn’t a valid address.")
                if isinstance(error, ValueError)
                else error
            )
            raise AddressNotAllowedError(
                _("Tricky didn’t follow the redirect to %(url)s: %(why)s")
                % {"url": redirect_url[:LONGEST_URL_IN_MESSAGE], "why": reason}
            ) from error
    raise AddressNotAllowedError(_("Too many redirects."))


def _post_without_redirects(
    address: AllowedAddress,
    body: bytes,
    headers: Mapping[str, str],
    seconds: float,
    max_bytes: int,
) -> tuple[PostResponse, str]:
    connection = _PinnedConnection(address, seconds)
    # The socket's timeout applies to each read: a server that sends a byte a second could go on forever.
    alarm = Timer(seconds, connection.abort)
    try:
        connection.connect()
        alarm.start()
        connection.request("POST", address.target, body, dict(headers))
        response = connection.getresponse()
        answer = PostResponse(status=response.status, body=response.read(max_bytes))
        redirect_url = response.getheader("Location") or ""
    except (OSError, HTTPException, ValueError) as error:
        if connection.was_ended or isinstance(error, TimeoutError):
            reason = _("The address took too long to respond.")
        elif isinstance(error, ssl.SSLCertVerificationError):
            reason = _("The certificate isn’t valid: %(why)s.") % {
                "why": error.verify_message
            }
        elif isinstance(error, HTTPException | ValueError):
            reason = _("The response isn’t valid HTTP.")
        else:
            reason = _("The address couldn’t be reached.")
        raise NoResponseError(reason) from error
    else:
        if connection.was_ended:
            raise NoResponseError(_("The address took too long to respond."))
        return answer, redirect_url
    finally:
        alarm.cancel()
        connection.close()
