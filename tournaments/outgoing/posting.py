"""Posting to an address that was checked, within a time and a size."""

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
    allowed_address,
)

MOST_REDIRECTS = 3
KEEPS_THE_METHOD = {307, 308}
"""Redirects after which the same is posted again."""
LONGEST_SHOWN = 120
"""Characters of where a redirect leads."""


class NoResponseError(Exception):
    """Nothing that could be understood came back in time; its message says what happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostResponse:
    status: int
    body: bytes
    """As much of it as was wanted."""

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300


class _Connection(HTTPConnection):
    """Connects to the IP address that was checked, and checks the certificate of its host."""

    def __init__(self, address: AllowedAddress, seconds: float) -> None:
        super().__init__(address.host, address.port, timeout=seconds)
        self.address = address
        self.connected: socket.socket | None = None
        """Here as well: `sock` is None as soon as an answer of no known length begins."""
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
        """End it at once, whatever another thread waits for."""
        # Said first: who waits goes on as soon as the connection is shut down.
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
    most: int,
    follow: bool = True,
) -> PostResponse:
    """Return what an address answers, up to `most` bytes of it, within so many seconds.

    With `follow` a redirect is followed where the method stays, and its address is checked
    like the first.
    Raises AddressNotAllowedError and NoResponseError.
    """
    address = allowed_address(url)
    for _redirect in range(MOST_REDIRECTS + 1):
        answer, leads_to = _post_without_redirects(
            address, body, headers, seconds, most
        )
        if not (follow and answer.status in KEEPS_THE_METHOD and leads_to):
            return answer
        try:
            url = urljoin(url, leads_to)
            address = allowed_address(url)
        except (AddressNotAllowedError, ValueError) as error:
            why = _("This is no address.") if isinstance(error, ValueError) else error
            raise AddressNotAllowedError(
                _("It redirects to %(url)s, which is not followed: %(why)s")
                % {"url": leads_to[:LONGEST_SHOWN], "why": why}
            ) from error
    raise AddressNotAllowedError(_("It leads on and on."))


def _post_without_redirects(
    address: AllowedAddress,
    body: bytes,
    headers: Mapping[str, str],
    seconds: float,
    most: int,
) -> tuple[PostResponse, str]:
    connection = _Connection(address, seconds)
    # A timeout of the socket is one of each read: who sends a byte a second had forever.
    alarm = Timer(seconds, connection.end)
    try:
        connection.connect()
        alarm.start()
        connection.request("POST", address.target, body, dict(headers))
        response = connection.getresponse()
        answer = PostResponse(status=response.status, body=response.read(most))
        leads_to = response.getheader("Location") or ""
    except (OSError, HTTPException, ValueError) as error:
        if connection.was_ended or isinstance(error, TimeoutError):
            why = _("It did not answer in time.")
        elif isinstance(error, ssl.SSLCertVerificationError):
            why = _("Its certificate is not valid: %(why)s.") % {
                "why": error.verify_message
            }
        elif isinstance(error, HTTPException | ValueError):
            why = _("What it answered is no HTTP.")
        else:
            why = _("It could not be reached.")
        raise NoResponseError(why) from error
    else:
        if connection.was_ended:
            raise NoResponseError(_("It did not answer in time."))
        return answer, leads_to
    finally:
        alarm.cancel()
        connection.close()
