"""POST requests to checked addresses, within limits of time and size."""

import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from threading import Timer
from urllib.parse import urljoin

from django.utils.translation import gettext as _

from tournaments.outgoing.addresses import (
    AddressNotAllowedError,
    AllowedAddress,
    resolve_allowed_address,
)

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
    def is_good(self) -> bool:
        return 200 <= self.status < 300


class _Connection(HTTPConnection):
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

    def end(self) -> None:
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
    follow: bool = True,
) -> PostResponse:
    """Post to an address and return the response, up to `max_bytes` bytes of it, within so many seconds.

    With `follow`, redirects that preserve the method are followed, and their addresses are checked
    like the first. Raises AddressNotAllowedError and NoResponseError.
    """
    address = resolve_allowed_address(url)
    for _redirect in range(MOST_REDIRECTS + 1):
        answer, redirect_url = _post_without_redirects(
            address, body, headers, seconds, max_bytes
        )
        if not (follow and answer.status in KEEPS_THE_METHOD and redirect_url):
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
    connection = _Connection(address, seconds)
    # The socket's timeout applies to each read: a server that sends a byte a second could go on forever.
    alarm = Timer(seconds, connection.end)
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
